/** Live events of a task or a batch. */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { Batch, Item, Task } from "./models.js";

/** Progress of a task. */
export interface Progress {
  /** Number of the task. */
  taskNo: string;
  /** 0 to 100. */
  progressPercent: number;
  /** Estimated seconds until the task has ended; null if it is unknown. */
  etaSeconds: number | null;
}

/** An event of a task; `state` has the task without its items. */
export type LiveEvent =
  | { event: "state"; id: string; data: Task }
  | { event: "progress"; id: string; data: Progress }
  | { event: "item"; id: string; data: Item };

/** An event of a batch. */
export interface BatchEvent {
  /** `state`: the batch began, was paused or resumed, or has ended; `progress`: rows or videos progressed. */
  event: "state" | "progress";
  /** ID of the event, by which the client resumes an interrupted stream. */
  id: string;
  /** The batch. */
  data: Batch;
}

/** The messages of a stream. Fails after `silence` seconds without data. */
export async function* messages(body: ReadableStream<Uint8Array>, silence: number): AsyncGenerator<EventSourceMessage> {
  const complete: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => complete.push(message) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await within(silence, reader.read());
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* complete.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function within<T>(seconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no data for ${seconds} s`)), seconds * 1000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
