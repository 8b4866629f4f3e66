// The same call for many items, slower than the service's rate limit, so that a selection of a hundred tasks is not rejected.

import { ApiFailure } from "./api";

export interface BulkResult<T> {
  done: T[];
  failed: { thing: T; error: unknown }[];
}

const TRIES = 5;
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Runs the calls one after another, at most `perSecond`, and repeats a call after 429. */
export async function runBulk<T>(
  things: readonly T[], perSecond: number, work: (thing: T) => Promise<unknown>, onProgress: (ended: number) => void = () => undefined, pause = wait,
): Promise<BulkResult<T>> {
  const outcome: BulkResult<T> = { done: [], failed: [] };
  for (const [index, thing] of things.entries()) {
    if (index > 0) await pause(1000 / perSecond);
    try {
      await callWithRetry(() => work(thing), pause);
      outcome.done.push(thing);
    } catch (error) {
      outcome.failed.push({ thing, error });
      // The key is no longer valid, so the remaining calls would fail too.
      if (error instanceof ApiFailure && error.status === 401) break;
    }
    onProgress(index + 1);
  }
  return outcome;
}

async function callWithRetry(work: () => Promise<unknown>, pause: (ms: number) => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.code !== 42900 || tries === TRIES) throw error;
      await pause(1000 * Math.max(1, error.retryAfter ?? 1));
    }
  }
}
