/** Calls, retries and streams of the client. */
import type { EventSourceMessage } from "eventsource-parser";
import type { Call } from "./call.js";
import { apiError, ConnectionFailed, NotConfigured, ServiceUnavailable } from "./errors.js";
import { messages } from "./events.js";
import { type ListCall, Listing } from "./listing.js";
import { DEFAULTS, jittered, ONCE, type Retry, retried, sleep } from "./retry.js";
import { VERSION } from "./version.js";
import type { Answer } from "./waiting.js";

export const API = "/open-api/v1";
/** The service sends a line on a stream of events every 15 seconds. */
const SILENCE = 45;

/** Settings of a client. */
export interface ClientOptions {
  /** The URL of the service, e.g. `https://clips.example.com`. Default: the environment variable `CLIPMILL_URL`. */
  baseUrl?: string;
  /** The API key. Default: the environment variable `CLIPMILL_API_KEY`. */
  apiKey?: string;
  /** Language of messages: `en` or `zh`. */
  language?: string;
  /** Timeout of one call in seconds, except uploads and downloads. Default 60. */
  timeout?: number;
  /** How often and how fast calls are repeated. */
  retry?: Retry;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

/** The connection to a service. */
export abstract class Connection {
  readonly #base: string;
  readonly #headers: { [name: string]: string };
  readonly #timeout: number;
  /** @internal */
  protected readonly retry: Required<Retry>;
  /** @internal */
  protected readonly fetch: typeof fetch;

  /**
   * Creates a client; no call is made.
   *
   * @param options - Where the service is, and the key; by default from the environment.
   */
  constructor(options: ClientOptions = {}) {
    this.#base = setting(options.baseUrl, "baseUrl", "CLIPMILL_URL").replace(/\/+$/, "");
    const apiKey = setting(options.apiKey, "apiKey", "CLIPMILL_API_KEY");
    this.#headers = { "X-API-Key": apiKey, "User-Agent": `clipmill-typescript/${VERSION}` };
    if (options.language) this.#headers["Accept-Language"] = options.language;
    this.#timeout = options.timeout ?? 60;
    this.retry = { ...DEFAULTS, ...options.retry };
    this.fetch = options.fetch ?? fetch;
  }

  /**
   * Makes any call and returns the `data` of its response.
   *
   * @param path - The path of the URL, such as `/open-api/v1/video-process/balance`.
   * @param call - Method and content of the call.
   */
  async call<T>(path: string, call: Call = {}): Promise<T> {
    return dataOf<T>(await this.send(path, call), path);
  }

  /**
   * Makes a call with retries where they are safe and useful; returns a successful response.
   *
   * @param path - The path of the URL.
   * @param call - Method and content of the call.
   */
  async send(path: string, call: Call = {}): Promise<Response> {
    const url = new URL(this.#base + path);
    for (const [name, value] of Object.entries(call.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return retried(call.retry ?? this.retry, () => this.#attempt(url, path, call), call.repeatable);
  }

  async #attempt(url: URL, path: string, call: Call): Promise<Response> {
    const timeout = call.timeout ?? this.#timeout;
    const json = call.json === undefined ? {} : { "Content-Type": "application/json" };
    const init = {
      method: call.method ?? "GET",
      headers: { ...this.#headers, ...json, ...call.headers },
      body: call.json === undefined ? (call.body?.() ?? null) : JSON.stringify(call.json),
      // Node's fetch copies the whole body for a redirect, unless the request has no window and rejects redirects.
      ...(call.body ? { redirect: "error", window: null } : { redirect: "manual" }),
      ...(timeout > 0 ? { signal: AbortSignal.timeout(timeout * 1000) } : {}),
      // Node requires half-duplex mode for streams: the response follows the request.
      ...(call.body ? { duplex: "half" } : {}),
    } as RequestInit;
    const response = await this.fetch(url, init).catch((cause: unknown) => {
      throw new ConnectionFailed(`${init.method} ${path}`, { cause });
    });
    if (!response.ok) throw await apiError(response);
    return response;
  }

  /** @internal */
  protected get<T>(name: string, query: NonNullable<Call["query"]> = {}): Promise<T> {
    return this.call(`${API}/video-process/${name}`, { query });
  }

  /** @internal */
  protected list<Entry>(call: ListCall, key: (entry: Entry) => unknown): Listing<Entry> {
    return new Listing<Entry>((path, options) => this.call(path, options), call, key);
  }

  /** @internal */
  protected async poll<T>(path: string, query: NonNullable<Call["query"]> = {}): Promise<Answer<T>> {
    const response = await this.send(path, { query, retry: ONCE });
    return { data: await dataOf<T>(response, path), headers: response.headers };
  }

  /**
   * The events of a stream; resumes it after interruptions.
   *
   * @internal
   */
  protected async *events(path: string, isLast: (message: EventSourceMessage) => boolean): AsyncGenerator<EventSourceMessage> {
    let lastId = "";
    for (let empty = 1; ; empty += 1) {
      const headers: { [name: string]: string } = { Accept: "text/event-stream" };
      if (lastId) headers["Last-Event-ID"] = lastId;
      const response = await this.send(path, { headers, timeout: 0 });
      if (response.status === 204) return;
      let cause: unknown = "it ended without an event";
      try {
        for await (const message of response.body ? messages(response.body, SILENCE) : []) {
          lastId = message.id ?? lastId;
          empty = 0;
          yield message;
          if (isLast(message)) return;
        }
      } catch (error) {
        cause = error;
      }
      if (empty >= this.retry.attempts) throw new ConnectionFailed(`${path}: ${empty} streams in succession failed`, { cause });
      await sleep(jittered(this.retry.firstPause));
    }
  }
}

function setting(value: string | undefined, option: string, variable: string): string {
  const chosen = value || process.env[variable];
  if (!chosen) throw new NotConfigured(`no ${option}: pass it to the client, or set the environment variable ${variable}`);
  return chosen;
}

async function dataOf<T>(response: Response, path: string): Promise<T> {
  const body = (await response.json().catch(() => undefined)) as { data?: T } | undefined;
  if (body?.data !== undefined) return body.data;
  // The response comes from a captive portal or a proxy, not from the service.
  const message = `${path}: not a response of clipmill`;
  throw new ServiceUnavailable({
    status: response.status,
    code: 50000,
    message,
    data: {},
    requestId: undefined,
    retryAfter: undefined,
  });
}
