/** Retry policy: when a call is repeated, and after which delay. */
import { setTimeout as delay } from "node:timers/promises";
import { retryAfter } from "./errors.js";

/** Idempotent calls are repeated after lost connections, 429 and 5xx. */
export interface Retry {
  /** Maximum number of attempts; 1 disables retries. Default 4. */
  attempts?: number;
  /** Seconds before the second attempt; doubled before each further one. Default 0.5. */
  firstPause?: number;
  /** Maximum `Retry-After` to wait for; beyond it the error is thrown. Default 60. */
  longestPause?: number;
}

export const DEFAULTS: Required<Retry> = { attempts: 4, firstPause: 0.5, longestPause: 60 };

const MAY_PASS = new Set([429, 500, 502, 503, 504]);

/** Seconds to wait after the attempt of this number (from 1), or nothing if the outcome is final. */
export function pauseAfter(retry: Required<Retry>, attempt: number, response?: Response): number | undefined {
  if ((response && !MAY_PASS.has(response.status)) || attempt >= retry.attempts) return undefined;
  const requested = response && retryAfter(response);
  if (requested !== undefined && requested > retry.longestPause) return undefined;
  return Math.max(requested ?? 0, jittered(Math.min(retry.firstPause * 2 ** (attempt - 1), retry.longestPause)));
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
