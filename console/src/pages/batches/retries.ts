// Rows of a batch that were run again. Their tasks do not belong to the batch; their client task IDs name the rows.

import { useEffect } from "preact/hooks";
import { api } from "../../lib/api";
import { isFinal, type Batch, type TaskSummary } from "../../lib/types";
import { useLoad } from "../../ui/use-load";

const LONGEST_ID = 128;
const PAGE_SIZE = 100;
const AGAIN_MS = 2000;

/** The latest task of each row that was run again. */
export type Retries = ReadonlyMap<number, TaskSummary>;

/** The ID of the `n`th time that a row is run again. */
export const retryId = (clientBatchId: string, row: number, n: number): string => `${clientBatchId}#${row} again ${n}`;

/** The row and the number in the ID of a task; null for other tasks. */
export function parseRetry(clientBatchId: string, clientTaskId: string | null): { row: number; n: number } | null {
  const rest = clientTaskId?.startsWith(`${clientBatchId}#`) ? clientTaskId.slice(clientBatchId.length + 1) : "";
  const [, row, n] = /^(\d+) again (\d+)$/.exec(rest) ?? [];
  return row === undefined || n === undefined ? null : { row: Number(row), n: Number(n) };
}

export function latestRetries(clientBatchId: string, tasks: readonly TaskSummary[]): Retries {
  const latest = new Map<number, { n: number; task: TaskSummary }>();
  for (const task of tasks) {
    const retry = parseRetry(clientBatchId, task.clientTaskId);
    if (retry !== null && retry.n > (latest.get(retry.row)?.n ?? 0)) latest.set(retry.row, { n: retry.n, task });
  }
  return new Map([...latest].map(([row, { task }]) => [row, task]));
}

export function useRetries(batch: Batch): { retries: Retries; reload: () => void } {
  const { clientBatchId, failedItems } = batch;
  const loaded = useLoad(async (signal) => {
    if (failedItems === 0) return new Map() as Retries;
    const { list } = await api.list({ q: `${clientBatchId} again`, pageSize: PAGE_SIZE }, signal);
    return latestRetries(clientBatchId, list);
  }, [clientBatchId, failedItems > 0]);
  const running = [...loaded.value?.values() ?? []].some(({ status }) => !isFinal(status));
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(loaded.reload, AGAIN_MS);
    return () => clearInterval(timer);
  }, [running]);
  return { retries: loaded.value ?? new Map(), reload: loaded.reload };
}

/** Submits the request of a row again. */
export async function runAgain(batch: Batch, row: number, taskNo: string, before: TaskSummary | undefined): Promise<void> {
  const { clientTaskId: _, ...request } = await api.request(taskNo);
  const n = (parseRetry(batch.clientBatchId, before?.clientTaskId ?? null)?.n ?? 0) + 1;
  const id = retryId(batch.clientBatchId, row, n);
  await api.submit(id.length > LONGEST_ID ? request : { ...request, clientTaskId: id });
}
