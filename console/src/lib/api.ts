// Calls of the HTTP API. Every response is `{code, msg, data}`; a failure is thrown as an ApiFailure.

import { callClass, rateLimiter } from "./rate-limiter";
import { language } from "./prefs";
import { accountOff, apiKey, endSession } from "./session";
import type {
  Balance, Batch, CallbackLog, CaptionStyle, CatalogueEntry, Estimate, FieldError, Page, Pair, PointsRecord, Submitted, Task, TaskSummary, Upload,
  VoiceCatalogue,
} from "./types";

export const BASE = "/open-api/v1";
const PROCESS = BASE + "/video-process";

/** The error code for a key whose user the operator has switched off. */
export const ACCOUNT_OFF = 40301;

export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly data: Record<string, unknown> | null = null,
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }

  get fieldErrors(): FieldError[] {
    const errors = this.data?.errors;
    return Array.isArray(errors) ? (errors as FieldError[]) : [];
  }

  /** There was no response: the service or the network is down. */
  get offline(): boolean {
    return this.status === 0;
  }
}

export interface CallOptions {
  method?: string;
  body?: unknown;
  signal?: AbortSignal | undefined;
  key?: string;
  headers?: Record<string, string>;
}

export function authHeaders(key = apiKey.value): Record<string, string> {
  return { "Accept-Language": language.value, ...(key === null ? {} : { "X-API-Key": key }) };
}

/** The error code for the daily limit of texts to listen to. */
export const LISTENED_TOO_MUCH = 42906;

/** Attempts per call that the service rejects with 429. */
const TRIES = 6;
/** A longer wait is reported as an error: it is a quota, such as a daily limit, and not a rate. */
const MAX_WAIT_S = 60;

/** Sends a call within the rate limits, and repeats it after 429. That is safe, because the service rejects before it acts. */
export async function sendWithRetry<T>(method: string, url: string, signal: AbortSignal | undefined, send: () => Promise<T>): Promise<T> {
  const name = callClass(method, url);
  for (let attempt = 1; ; attempt += 1) {
    await rateLimiter.acquire(name, signal);
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 429 || attempt >= TRIES) throw error;
      const wait = error.retryAfter ?? 1;
      if (error.code === LISTENED_TOO_MUCH || wait > MAX_WAIT_S) throw error;
      rateLimiter.delay(name, wait);
    }
  }
}

/** The raw response of a successful call. */
export async function fetchOk(url: string, options: CallOptions = {}): Promise<Response> {
  const key = options.key ?? apiKey.value;
  const headers: Record<string, string> = { ...authHeaders(key), ...options.headers };
  const init: RequestInit = { method: options.method ?? "GET", headers, cache: "no-store" };
  if (options.signal !== undefined) init.signal = options.signal;
  if (options.body !== undefined) {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(options.body);
  }
  return sendWithRetry(init.method ?? "GET", url, options.signal, () => fetchOnce(url, init, key));
}

async function fetchOnce(url: string, init: RequestInit, key: string | null): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    if ((error as Error).name === "AbortError") throw error;
    throw new ApiFailure(0, 0, "");
  }
  rateLimiter.update(response.headers.get("RateLimit-Policy"), response.headers.get("RateLimit"));
  if (!response.ok) throw await failure(response, key);
  if (accountOff.value !== null && key === apiKey.value) accountOff.value = null;
  return response;
}

async function failure(response: Response, key: string | null): Promise<ApiFailure> {
  const retryAfter = Number(response.headers.get("Retry-After") ?? NaN);
  const body = await response.json().catch(() => null) as { code?: number; msg?: string; data?: Record<string, unknown> } | null;
  // A response for a previous key must not end the current session.
  if (response.status === 401 && key !== null && key === apiKey.value) endSession();
  if (body?.code === ACCOUNT_OFF && key === apiKey.value) accountOff.value = body.msg ?? "";
  return new ApiFailure(response.status, body?.code ?? response.status * 100, body?.msg ?? `HTTP ${response.status}`,
    body?.data ?? null, Number.isFinite(retryAfter) ? retryAfter : null);
}

/** The `data` of a successful call. */
export async function call<T>(url: string, options: CallOptions = {}): Promise<T> {
  const response = await fetchOk(url, options);
  const body = (await response.json().catch(() => null)) as { data: T } | null;
  // Without a JSON body, a proxy responded instead of the service.
  if (body === null) throw new ApiFailure(0, 0, "");
  return body.data;
}

export function query(params: Record<string, string | number | null | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return text === "" ? "" : "?" + text;
}

export interface PageQuery {
  pageNo?: number;
  pageSize?: number;
}

export const api = {
  balance: (options?: CallOptions) => call<Balance>(`${PROCESS}/balance?details=true`, options),
  /** With `batches: "fold"` the page contains batches in place of their tasks, unless filters apply to tasks only. */
  list: (params: PageQuery & { status?: string; taskType?: string; q?: string; label?: string; from?: string; to?: string; batches?: "fold" }, signal?: AbortSignal) =>
    call<Page<TaskSummary> & { batches?: Batch[] }>(`${PROCESS}/list${query({ ...params })}`, { signal }),
  records: (params: PageQuery & { type?: string; taskNo?: string }, signal?: AbortSignal) =>
    call<Page<PointsRecord>>(`${PROCESS}/records${query({ ...params })}`, { signal }),
  task: (taskNo: string, signal?: AbortSignal) => call<Task>(`${PROCESS}/status/${encodeURIComponent(taskNo)}`, { signal }),
  request: (taskNo: string, signal?: AbortSignal) =>
    call<Record<string, unknown>>(`${PROCESS}/request/${encodeURIComponent(taskNo)}`, { signal }),
  /** A zip with the timeline of an output and its files, for an editing program. */
  timeline: (taskNo: string, itemNo: number) => fetchOk(`${PROCESS}/timeline/${encodeURIComponent(taskNo)}/${itemNo}?format=otio`),
  diversity: (taskNo: string, params: PageQuery, signal?: AbortSignal) =>
    call<Page<Pair>>(`${PROCESS}/diversity/${encodeURIComponent(taskNo)}${query({ ...params })}`, { signal }),
  cancel: (taskNo: string) => call<Task>(`${PROCESS}/cancel/${encodeURIComponent(taskNo)}`, { method: "POST" }),
  rename: (taskNo: string, body: { name: string; labels: string[] }) => call<Task>(`${PROCESS}/${encodeURIComponent(taskNo)}`, { method: "PATCH", body }),
  submit: (body: unknown) => call<Submitted>(`${PROCESS}/submit`, { method: "POST", body }),
  estimate: (body: unknown, options: { preflight?: boolean; signal?: AbortSignal } = {}) =>
    call<Estimate>(`${PROCESS}/estimate${options.preflight ? "?preflight=true" : ""}`, { method: "POST", body, signal: options.signal }),
  effects: () => call<{ list: CatalogueEntry[] }>(`${PROCESS}/effects`),
  looks: () => call<{ list: CatalogueEntry[] }>(`${PROCESS}/looks`),
  transitions: () => call<{ list: CatalogueEntry[] }>(`${PROCESS}/transitions`),
  captionStyles: () => call<{ list: CaptionStyle[] }>(`${PROCESS}/caption-styles`),
  voices: () => call<VoiceCatalogue>(`${PROCESS}/voices`),
  /** The audio of a text, and the points that it cost. */
  speech: async (body: { text: string; voice?: string; speed?: number }) => {
    const response = await fetchOk(`${BASE}/speech`, { method: "POST", body });
    return { audio: await response.blob(), points: Number(response.headers.get("x-dot-count") ?? 0) };
  },
  callbacks: (taskNo: string, signal?: AbortSignal) =>
    call<CallbackLog>(`${PROCESS}/callbacks/${encodeURIComponent(taskNo)}`, { signal }),
  redeliver: (taskNo: string) =>
    call<CallbackLog>(`${PROCESS}/callbacks/${encodeURIComponent(taskNo)}/redeliver`, { method: "POST" }),
  fonts: () => call<{ list: { name: string; title: { en: string; zh: string } }[] }>(`${PROCESS}/fonts`),
  upload: (id: string) => call<{ name: string | null; duration: number | null }>(`${BASE}/uploads/${encodeURIComponent(id)}`),
  probe: (url: string, signal?: AbortSignal) => call<{ media: NonNullable<Upload["media"]> }>(`${BASE}/probe`, { method: "POST", body: { url }, signal }),
  thumbnail: (url: string, width: number) =>
    fetchOk(`${BASE}/thumbnail`, { method: "POST", body: { url, width } }).then((response) => response.blob()),
  preview: (body: unknown, signal?: AbortSignal) =>
    fetchOk(`${BASE}/preview`, { method: "POST", body, signal }).then((response) => response.blob()),
};

/**
 * Changes a link to a file of the service to the origin of this page: behind a proxy, the service may know itself by
 * another address. Links to an object store are not changed.
 */
export function localLink(link: string): string {
  const url = new URL(link, location.href);
  const isServiceLink = /^\/(files\/VP\w+\/\d+\.\w+|files\/uploads\/\d+\/\w+|open-api\/v1\/(download\/VP\w+|batches\/BP\w+\/download))$/.test(url.pathname) && url.searchParams.has("signature");
  return isServiceLink ? url.pathname + url.search : link;
}
