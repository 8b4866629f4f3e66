/** When a call is made again, and how long to wait before it. */
import { setTimeout as delay } from "node:timers/promises";
import { retryAfter } from "./errors.js";

/** Calls that may be repeated are, after lost connections, 429 and 5xx. */
export interface Retry {
  /** How often a call is made at most; 1 means never again. Default 4. */
  attempts?: number;
  /** Seconds before the second attempt; doubled before each further one. Default 0.5. */
  firstPause?: number;
  /** A `Retry-After` beyond this is not waited for: the error is thrown. Default 60. */
  longestPause?: number;
}

export const DEFAULTS: Required<Retry> = { attempts: 4, firstPause: 0.5, longestPause: 60 };

const MAY_PASS = new Set([429, 500, 502, 503, 504]);

/** Seconds to wait after the attempt of this number (from 1), or nothing when its outcome counts. */
export function pauseAfter(retry: Required<Retry>, attempt: number, response?: Response): number | undefined {
  if ((response && !MAY_PASS.has(response.status)) || attempt >= retry.attempts) return undefined;
  const asked = response && retryAfter(response);
  if (asked !== undefined && asked > retry.longestPause) return undefined;
  return Math.max(asked ?? 0, jittered(Math.min(retry.firstPause * 2 ** (attempt - 1), retry.longestPause)));
}

/** Pauses between looks at a task: soon at first, every five seconds later. */
export function* pollPauses(): Generator<number, never> {
  for (let pause = 0.5; ; pause = Math.min(pause * 1.4, 5)) yield jittered(pause);
}

/** Up to a quarter more, so that many clients do not come back all at once. */
export function jittered(seconds: number): number {
  return seconds * (1 + Math.random() / 4);
}

export async function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  await delay(seconds * 1000, undefined, signal ? { signal } : {});
}
