/** Retry policy: when a call is repeated, and after which delay. The repeating itself is done by p-retry. */
import { setTimeout as delay } from "node:timers/promises";
import pRetry from "p-retry";
import { ApiError, ConnectionFailed } from "./errors.js";

/** Idempotent calls are repeated after lost connections, 429, 500 and 502 to 504. */
export interface Retry {
  /** Maximum number of attempts; 1 disables retries. Default 4. */
  attempts?: number;
  /** Seconds before the second attempt; doubled before each further one. Default 0.5. */
  firstPause?: number;
  /** Maximum `Retry-After` to wait for; beyond it the error is thrown. Default 60. */
  longestPause?: number;
}

export const DEFAULTS: Required<Retry> = { attempts: 4, firstPause: 0.5, longestPause: 60 };

/** For calls that are not retried one by one, such as polls: the next poll is the retry. */
export const ONCE: Required<Retry> = { ...DEFAULTS, attempts: 1 };

const MAY_PASS = new Set([429, 500, 502, 503, 504]);

/**
 * Repeats a call that fails with an error of this package.
 *
 * @param policy - How often and how fast.
 * @param attempt - Makes the call.
 * @param repeatable - Whether the call is idempotent. Other calls are repeated only if they were certainly rejected.
 */
export async function retried<T>(policy: Required<Retry>, attempt: () => Promise<T>, repeatable = true): Promise<T> {
  const minTimeout = jittered(policy.firstPause) * 1000;
  const maxTimeout = policy.longestPause * 1000;
  return pRetry(attempt, {
    retries: policy.attempts - 1,
    factor: 2,
    minTimeout,
    maxTimeout,
    shouldRetry: async ({ error, retriesConsumed }) => {
      const status = error instanceof ApiError ? error.status : undefined;
      const again = repeatable ? error instanceof ConnectionFailed || MAY_PASS.has(status ?? 0) : status === 429;
      const requested = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
      if (!again || requested > policy.longestPause) return false;
      // p-retry adds its own pause to this one.
      await sleep(Math.max(0, requested - Math.min(minTimeout * 2 ** retriesConsumed, maxTimeout) / 1000));
      return true;
    },
  });
}

/** Intervals between polls of a task: short at first, every five seconds later. */
export function* pollPauses(): Generator<number, never> {
  for (let pause = 0.5; ; pause = Math.min(pause * 1.4, 5)) yield jittered(pause);
}

/** Adds up to a quarter, so that many clients do not retry at the same time. */
export function jittered(seconds: number): number {
  return seconds * (1 + Math.random() / 4);
}

export async function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  await delay(seconds * 1000, undefined, signal ? { signal } : {});
}
