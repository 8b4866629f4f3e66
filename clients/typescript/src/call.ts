import type { Retry } from "./retry.js";

export interface PageOptions {
  pageNo?: number;
  pageSize?: number;
}

/** One call. `repeatable`: the call is idempotent; the default. */
export interface Call {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  query?: { [name: string]: string | number | boolean | undefined };
  json?: unknown;
  body?: () => BodyInit;
  headers?: { [name: string]: string };
  repeatable?: boolean;
  /** Seconds; 0 means no limit. */
  timeout?: number;
  /** Overrides the client's setting. */
  retry?: Required<Retry>;
}
