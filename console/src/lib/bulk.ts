// The same call for many items, slower than the service's rate limit, so that a selection of a hundred tasks is not rejected.

import { ApiFailure } from "./api";

export interface BulkResult<T> {
  done: T[];
  failed: { item: T; error: unknown }[];
}

const TRIES = 5;
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Runs the calls one after another, at most `perSecond`, and repeats a call after 429. */
export async function runBulk<T>(
  items: readonly T[], perSecond: number, call: (item: T) => Promise<unknown>, onProgress: (ended: number) => void = () => undefined, pause = wait,
): Promise<BulkResult<T>> {
  const outcome: BulkResult<T> = { done: [], failed: [] };
  for (const [index, item] of items.entries()) {
    if (index > 0) await pause(1000 / perSecond);
    try {
      await callWithRetry(() => call(item), pause);
      outcome.done.push(item);
    } catch (error) {
      outcome.failed.push({ item, error });
      // The key is no longer valid, so the remaining calls would fail too.
      if (error instanceof ApiFailure && error.status === 401) break;
    }
    onProgress(index + 1);
  }
  return outcome;
}

async function callWithRetry(call: () => Promise<unknown>, pause: (ms: number) => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await call();
      return;
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.code !== 42900 || tries === TRIES) throw error;
      await pause(1000 * Math.max(1, error.retryAfter ?? 1));
    }
  }
}
