/** Server-sent events of a task, read line by line. */
import type { Item, Task } from "./models.js";

export interface Progress {
  taskNo: string;
  progressPercent: number;
  etaSeconds: number | null;
}

/** An event of a task; `state` has the task without its items. */
export type LiveEvent =
  | { event: "state"; id: string; data: Task }
  | { event: "progress"; id: string; data: Progress }
  | { event: "item"; id: string; data: Item };

/** Collects lines; returns an event at each empty line that ends one. */
export class EventReader {
  lastId = "";
  #name = "";
  #id = "";
  #data: string[] = [];

  line(line: string): LiveEvent | undefined {
    if (line) {
      this.#field(line);
      return undefined;
    }
    const [data, name] = [this.#data, this.#name];
    this.broken();
    if (data.length === 0) return undefined;
    this.lastId = this.#id;
    return { event: name, id: this.#id, data: JSON.parse(data.join("\n")) } as LiveEvent;
  }

  /** Discards an incomplete event after a lost connection. */
  broken(): void {
    this.#data = [];
    this.#name = "";
  }

  #field(line: string): void {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") this.#name = value;
    else if (name === "id") this.#id = value;
    else if (name === "data") this.#data.push(value);
  }
}

/** The lines of a body. Fails after `silence` seconds without data. */
export async function* lines(body: ReadableStream<Uint8Array>, silence: number): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await within(silence, reader.read());
      if (done) return;
      const pieces = (rest + decoder.decode(value, { stream: true })).split(/\r?\n/);
      rest = pieces.pop() ?? "";
      yield* pieces;
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
