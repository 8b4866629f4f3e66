import type { Retry } from "./retry.js";

/** Options of lists. */
export interface PageOptions {
  /** Entries per call, at most 100 (`diversity`: 2,000). Default: the largest page. */
  pageSize?: number;
}

/** One call. */
export interface Call {
  /** Default: `GET`. */
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The query; undefined values are left out. */
  query?: { [name: string]: string | number | boolean | undefined };
  /** The body, sent as JSON. */
  json?: unknown;
  /** Returns the body for each attempt, in place of `json`. */
  body?: () => BodyInit;
  /** Further headers. */
  headers?: { [name: string]: string };
  /** Whether the call is idempotent, so that it can be retried if its response is lost. Default: true. */
  repeatable?: boolean;
  /** Seconds; 0 means no limit. */
  timeout?: number;
  /** Overrides the policy of the client. */
  retry?: Required<Retry>;
}
