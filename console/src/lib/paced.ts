// The same call for many things, slower than the service's rate limit: whoever selects a hundred tasks is not refused.

import { ApiFailure } from "./api";

export interface Paced<T> {
  done: T[];
  failed: { thing: T; error: unknown }[];
}

const TRIES = 5;
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** One after another, so many a second; a refusal for haste waits as long as it says and tries again. */
export async function paced<T>(
  things: readonly T[], perSecond: number, work: (thing: T) => Promise<unknown>, tell: (ended: number) => void = () => undefined, pause = wait,
): Promise<Paced<T>> {
  const outcome: Paced<T> = { done: [], failed: [] };
  for (const [index, thing] of things.entries()) {
    if (index > 0) await pause(1000 / perSecond);
    try {
      await patiently(() => work(thing), pause);
      outcome.done.push(thing);
    } catch (error) {
      outcome.failed.push({ thing, error });
      // The key is worth nothing any more: neither are the calls that would follow.
      if (error instanceof ApiFailure && error.status === 401) break;
    }
    tell(index + 1);
  }
  return outcome;
}

async function patiently(work: () => Promise<unknown>, pause: (ms: number) => Promise<void>): Promise<void> {
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
