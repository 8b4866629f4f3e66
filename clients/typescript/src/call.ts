import type { Retry } from "./retry.js";

export interface PageOptions {
  pageNo?: number;
  pageSize?: number;
}

/** One call. `repeatable`: making it twice does no more than making it once; the default. */
export interface Call {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  query?: { [name: string]: string | number | boolean | undefined };
  json?: unknown;
  body?: () => BodyInit;
  headers?: { [name: string]: string };
  repeatable?: boolean;
  /** Seconds; 0 means no limit. */
  timeout?: number;
  /** In place of the client's. */
  retry?: Required<Retry>;
}
