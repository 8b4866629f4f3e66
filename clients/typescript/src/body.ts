/** The content of an upload, sent in chunks: memory use does not depend on its size. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";

const CHUNK = 1 << 18;

/** Content to upload: a path, bytes, a `Blob` or `File`, or a stream of bytes, such as those of Node and of `fetch`. */
export type Source = string | Uint8Array | Blob | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** Receives the number of bytes sent, and their total unless it is unknown. */
export type OnProgress = (sent: number, total: number | undefined) => void;

/** The content of one upload, for any number of attempts unless it can be read only once. */
export class Body {
  readonly #source: Source;
  readonly #onProgress: OnProgress | undefined;
  /** In bytes; undefined if it is known only at the end. */
  readonly size: number | undefined;
  /** Whether a further attempt can send the content again. */
  readonly repeatable: boolean;

  private constructor(source: Source, size: number | undefined, onProgress: OnProgress | undefined) {
    this.#source = source;
    this.#onProgress = onProgress;
    this.size = size;
    this.repeatable = size !== undefined;
  }

  static async of(source: Source, onProgress: OnProgress | undefined): Promise<Body> {
    return new Body(source, await sizeOf(source), onProgress);
  }

  /** The content from its start, read when it is needed. `onProgress` is called for each chunk that has been sent. */
  stream(): ReadableStream<Uint8Array> {
    const chunks = this.#chunks();
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const { done, value } = await chunks.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: async () => void (await chunks.return(undefined)),
      },
      { highWaterMark: 0 },
    );
  }

  async *#chunks(): AsyncGenerator<Uint8Array, undefined> {
    let sent = 0;
    for await (const content of read(this.#source)) {
      if (!(content instanceof Uint8Array)) throw new TypeError("the content of an upload must be bytes");
      for (let start = 0; start < content.length; start += CHUNK) {
        const chunk = content.subarray(start, start + CHUNK);
        yield chunk;
        sent += chunk.length;
        this.#onProgress?.(sent, this.size);
      }
    }
    return undefined;
  }
}

async function sizeOf(source: Source): Promise<number | undefined> {
  if (typeof source === "string") return (await stat(source)).size;
  if (source instanceof Uint8Array) return source.length;
  return source instanceof Blob ? source.size : undefined;
}

function read(source: Source): AsyncIterable<unknown> | Iterable<unknown> {
  if (typeof source === "string") return createReadStream(source, { highWaterMark: CHUNK });
  if (source instanceof Uint8Array) return [source];
  return (source instanceof Blob ? source.stream() : source) as AsyncIterable<unknown>;
}

/** The file name of a path, a `File`, or a stream of a file. */
export function nameOf(source: Source): string | undefined {
  if (typeof source === "string") return basename(source);
  const { name, path } = source as { name?: unknown; path?: unknown };
  const given = name ?? path;
  return typeof given === "string" && given ? basename(given) : undefined;
}
