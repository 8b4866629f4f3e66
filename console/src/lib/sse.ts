// Live events, read with `fetch`, because EventSource cannot send the key.

import { ApiFailure, BASE, fetchOk } from "./api";
import type { Item, TaskSummary } from "./types";

export interface ServerEvent {
  id: string | null;
  event: string;
  data: string;
}

/** Parses server-sent events from chunks, which can end anywhere. */
export class EventStreamParser {
  #rest = "";
  #event = "message";
  #data: string[] = [];
  #id: string | null = null;

  push(text: string): ServerEvent[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#line(line));
  }

  #line(line: string): ServerEvent[] {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return [];
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#event = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    return [];
  }

  #dispatch(): ServerEvent[] {
    const event = { id: this.#id, event: this.#event, data: this.#data.join("\n") };
    const empty = this.#data.length === 0;
    this.#event = "message";
    this.#data = [];
    return empty ? [] : [event];
  }
}

export interface TaskWatcher {
  state(task: TaskSummary): void;
  progress(change: { progressPercent: number; etaSeconds: number | null }): void;
  item(item: Item): void;
  /** True if the stream is open, false while it reconnects. */
  connected(isConnected: boolean): void;
  /** The stream ended after the last event. */
  done(): void;
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 8000;

/** Reports events until the task has ended or `signal` is aborted; reconnects after every interruption. */
export async function watchTask(taskNo: string, watcher: TaskWatcher, signal: AbortSignal): Promise<void> {
  let lastId: string | null = null;
  let wait = FIRST_WAIT_MS;
  while (!signal.aborted) {
    try {
      const headers: Record<string, string> = { Accept: "text/event-stream" };
      if (lastId !== null) headers["Last-Event-ID"] = lastId;
      const response = await fetchOk(`${BASE}/video-process/events/${taskNo}`, { headers, signal });
      if (response.status === 204 || response.body === null) return watcher.done();
      watcher.connected(true);
      wait = FIRST_WAIT_MS;
      for await (const event of readEvents(response.body)) {
        lastId = event.id ?? lastId;
        if (dispatch(event, watcher)) return watcher.done();
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiFailure && [401, 403, 404].includes(error.status)) throw error;
    }
    watcher.connected(false);
    await pause(wait, signal);
    wait = Math.min(wait * 2, MAX_WAIT_MS);
  }
}

export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new EventStreamParser();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield* parser.push(decoder.decode(value, { stream: true }));
  }
}

/** Returns whether this was the last event of the task. */
function dispatch(event: ServerEvent, watcher: TaskWatcher): boolean {
  const data: unknown = JSON.parse(event.data);
  if (event.event === "item") watcher.item(data as Item);
  if (event.event === "progress") watcher.progress(data as { progressPercent: number; etaSeconds: number | null });
  if (event.event !== "state") return false;
  watcher.state(data as TaskSummary);
  return (data as TaskSummary).status >= 3;
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}
