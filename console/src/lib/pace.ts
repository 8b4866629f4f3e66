// Keeps all pages below the service's rate limits: a call waits here rather than being refused. How much is allowed
// comes from the service's own answers (RateLimit-Policy and RateLimit); what is written here holds until the first.

export type Class = "reading" | "submitting" | "previewing";

interface Bucket {
  /** Calls that may be made at once, and how many come back a second. */
  most: number;
  perSecond: number;
  /** Calls left at the time `at`. */
  left: number;
  at: number;
  /** Nothing goes before this time: the service said so. */
  notBefore: number;
  /** The call that has its turn last. */
  last: Promise<void>;
}

const USUAL: Readonly<Record<Class, readonly [most: number, perSecond: number]>> = {
  reading: [100, 20], submitting: [50, 5], previewing: [120, 10],
};
/** The part of a burst that is left to other tabs and programs with the same key. */
const SPARE = 0.1;

/** The limit that a call counts against, as the service counts it. */
export function classOf(method: string, url: string): Class {
  const [path = "", search = ""] = url.split("?");
  if (/\/(preview|thumbnail|probe)$/.test(path)) return "previewing";
  if (path.endsWith("/estimate") && !search.includes("preflight=true")) return "reading";
  return method === "GET" || method === "HEAD" ? "reading" : "submitting";
}

export class Pace {
  #buckets = new Map<string, Bucket>();

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly pause: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  ) {}

  /** Waits until a call of this class may be made; calls have their turn in order. */
  async turn(name: Class, signal?: AbortSignal): Promise<void> {
    const bucket = this.#bucket(name);
    const turn = bucket.last.then(() => this.#take(bucket, signal));
    bucket.last = turn.catch(() => undefined);
    await turn;
  }

  /** What an answer says about the limit that it counted against. */
  learn(policy: string | null, standing: string | null): void {
    const [, name, most, window] = /"(\w+)";q=(\d+);w=(\d+)/.exec(policy ?? "") ?? [];
    const [, , left] = /"(\w+)";r=(\d+)/.exec(standing ?? "") ?? [];
    if (name === undefined || !Number(most) || !Number(window)) return;
    const bucket = this.#bucket(name);
    this.#refill(bucket);
    bucket.most = Number(most);
    bucket.perSecond = Number(most) / Number(window);
    if (left !== undefined) bucket.left = Math.min(bucket.left, Number(left));
  }

  /** A call was refused all the same. */
  refused(name: Class, seconds: number): void {
    const bucket = this.#bucket(name);
    bucket.notBefore = Math.max(bucket.notBefore, this.now() + seconds * 1000);
  }

  async #take(bucket: Bucket, signal?: AbortSignal): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      this.#refill(bucket);
      const missing = 1 + Math.floor(bucket.most * SPARE) - bucket.left;
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
    const known = this.#buckets.get(name);
    if (known !== undefined) return known;
    const [most, perSecond] = USUAL[name as Class] ?? USUAL.reading;
    const bucket = { most, perSecond, left: most, at: this.now(), notBefore: 0, last: Promise.resolve() };
    this.#buckets.set(name, bucket);
    return bucket;
  }
}

export const pace = new Pace();
