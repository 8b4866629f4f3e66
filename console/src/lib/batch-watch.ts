// Live events of a batch. Each event contains the whole batch.

import { ApiFailure, BASE, fetchOk } from "./api";
import { pause, readEvents } from "./sse";
import type { Batch } from "./types";

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 8000;

/** Reports changes until the batch has ended or `signal` is aborted; reconnects after every interruption. */
export async function watchBatch(batchNo: string, onChange: (batch: Batch) => void, onConnection: (isConnected: boolean) => void, signal: AbortSignal): Promise<void> {
  let wait = FIRST_WAIT_MS;
  while (!signal.aborted) {
    try {
      const response = await fetchOk(`${BASE}/batches/${encodeURIComponent(batchNo)}/events`, { headers: { Accept: "text/event-stream" }, signal });
      if (response.status === 204 || response.body === null) return;
      onConnection(true);
      wait = FIRST_WAIT_MS;
      for await (const event of readEvents(response.body)) {
        if (event.event !== "state" && event.event !== "progress") continue;
        const batch = JSON.parse(event.data) as Batch;
        onChange(batch);
        if (batch.status >= 3) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiFailure && [401, 403, 404].includes(error.status)) throw error;
      onConnection(false);
    }
    await pause(wait, signal);
    wait = Math.min(wait * 2, MAX_WAIT_MS);
  }
}
