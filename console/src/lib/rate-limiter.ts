// Keeps all pages below the service's rate limits: calls wait here instead of being rejected. The limits come from the
// response headers (RateLimit-Policy and RateLimit); the defaults below apply until the first response.

export type CallClass = "reading" | "submitting" | "previewing";

interface Bucket {
  /** Size of a burst, and calls that are added per second. */
  most: number;
  perSecond: number;
  /** Calls available at the time `at`. */
  left: number;
  at: number;
  /** No call is sent before this time, set by Retry-After. */
  notBefore: number;
  /** The last call in the queue. */
  last: Promise<void>;
}

const DEFAULT_LIMITS: Readonly<Record<CallClass, readonly [most: number, perSecond: number]>> = {
  reading: [100, 20], submitting: [50, 5], previewing: [120, 10],
};
/** The share of a burst that is reserved for other tabs and programs with the same key. */
const RESERVE = 0.1;

/** The limit that the service counts a call against. */
export function callClass(method: string, url: string): CallClass {
  const [path = "", search = ""] = url.split("?");
  if (/\/(preview|thumbnail|probe)$/.test(path)) return "previewing";
  if (path.endsWith("/estimate") && !search.includes("preflight=true")) return "reading";
  return method === "GET" || method === "HEAD" ? "reading" : "submitting";
}

export class RateLimiter {
  #buckets = new Map<string, Bucket>();

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly pause: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  ) {}

  /** Waits until a call of this class is allowed, in first-in, first-out order. */
  async acquire(name: CallClass, signal?: AbortSignal): Promise<void> {
    const bucket = this.#bucket(name);
    const permit = bucket.last.then(() => this.#take(bucket, signal));
    bucket.last = permit.catch(() => undefined);
    await permit;
  }

  /** Updates a limit from the response headers. */
  update(policy: string | null, remaining: string | null): void {
    const [, name, most, window] = /"(\w+)";q=(\d+);w=(\d+)/.exec(policy ?? "") ?? [];
    const [, , left] = /"(\w+)";r=(\d+)/.exec(remaining ?? "") ?? [];
    if (name === undefined || !Number(most) || !Number(window)) return;
    const bucket = this.#bucket(name);
    this.#refill(bucket);
    bucket.most = Number(most);
    bucket.perSecond = Number(most) / Number(window);
    if (left !== undefined) bucket.left = Math.min(bucket.left, Number(left));
  }

  /** Delays further calls after a 429. */
  delay(name: CallClass, seconds: number): void {
    const bucket = this.#bucket(name);
    bucket.notBefore = Math.max(bucket.notBefore, this.now() + seconds * 1000);
  }

  async #take(bucket: Bucket, signal?: AbortSignal): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      this.#refill(bucket);
      const missing = 1 + Math.floor(bucket.most * RESERVE) - bucket.left;
      const wait = Math.max(bucket.notBefore - this.now(), (missing / bucket.perSecond) * 1000);
      if (wait <= 0) break;
      await this.pause(wait);
    }
    bucket.left -= 1;
  }

  #refill(bucket: Bucket): void {
    const now = this.now();
    bucket.left = Math.min(bucket.most, bucket.left + ((now - bucket.at) / 1000) * bucket.perSecond);
    bucket.at = now;
  }

  #bucket(name: string): Bucket {
    const existing = this.#buckets.get(name);
    if (existing !== undefined) return existing;
    const [most, perSecond] = DEFAULT_LIMITS[name as CallClass] ?? DEFAULT_LIMITS.reading;
    const bucket = { most, perSecond, left: most, at: this.now(), notBefore: 0, last: Promise.resolve() };
    this.#buckets.set(name, bucket);
    return bucket;
  }
}

export const rateLimiter = new RateLimiter();
