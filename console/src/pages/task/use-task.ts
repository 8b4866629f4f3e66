// A task, updated by its live events.

import { useEffect, useState } from "preact/hooks";
import { api, ApiFailure } from "../../lib/api";
import { refreshBalance } from "../../lib/balance";
import { watchTask } from "../../lib/sse";
import { isFinal, type Item, type Task } from "../../lib/types";

export interface TaskState {
  task: Task | null;
  error: unknown;
  /** The event stream is interrupted. */
  broken: boolean;
  reload: () => void;
}

/** Events do not contain the progress of items, so tasks with few items are polled. */
const ITEMS_AGAIN_MS = 2500;
const FEW_ITEMS = 30;
/** Retry interval if the service was not available when the page opened. */
const AWAY_MS = 3000;

export function withItem(task: Task, item: Item): Task {
  return { ...task, items: task.items.map((other) => (other.itemNo === item.itemNo ? item : other)) };
}

export function useTask(taskNo: string): TaskState {
  const [task, setTask] = useState<Task | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [disconnected, setDisconnected] = useState(false);
  const [reloadCount, setReloadCount] = useState(0);
  const ended = task !== null && isFinal(task.status);

  useEffect(() => {
    const stop = new AbortController();
    const load = () => api.task(taskNo, stop.signal).then(
      (loaded) => { setTask(loaded); setError(null); return loaded; },
      (failure: unknown) => { if (!stop.signal.aborted) setError(failure); return null; },
    );
    void load().then((loaded) => {
      if (loaded === null || isFinal(loaded.status) || stop.signal.aborted) return;
      return watchTask(taskNo, {
        state: (next) => setTask((before) => before && { ...before, ...next }),
        progress: (next) => setTask((before) => before && { ...before, ...next }),
        item: (item) => setTask((before) => before && withItem(before, item)),
        connected: (is) => setDisconnected(!is),
        done: () => { setDisconnected(false); void load(); void refreshBalance(); },
      }, stop.signal).catch((failure: unknown) => setError(failure));
    });
    return () => stop.abort();
  }, [taskNo, reloadCount]);

  const isUnreachable = task === null && error instanceof ApiFailure && (error.offline || error.status >= 502);
  useEffect(() => {
    if (!isUnreachable) return;
    const timer = setInterval(() => setReloadCount((n) => n + 1), AWAY_MS);
    return () => clearInterval(timer);
  }, [isUnreachable]);

  const pollsItems = task !== null && task.items.length <= FEW_ITEMS && task.status === 2 && !disconnected;
  useEffect(() => {
    if (!pollsItems) return;
    const stop = new AbortController();
    const timer = setInterval(() => void api.task(taskNo, stop.signal).then(setTask, () => undefined), ITEMS_AGAIN_MS);
    return () => { stop.abort(); clearInterval(timer); };
  }, [pollsItems, taskNo]);

  return { task, error, broken: disconnected && !ended, reload: () => setReloadCount((n) => n + 1) };
}
