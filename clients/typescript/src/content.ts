/** Audio and frames that the service returns as files. */
import { writeFile } from "node:fs/promises";

/** A file returned by the service. */
export class Content {
  /** The file. */
  readonly content: Uint8Array;
  /** Its media type, such as `image/jpeg`. */
  readonly contentType: string;

  /** @internal */
  constructor(content: Uint8Array, headers: Headers) {
    this.content = content;
    this.contentType = headers.get("content-type") ?? "";
  }

  /**
   * Writes the file and returns its path; an existing file is overwritten.
   *
   * @param path - Where to write it.
   */
  async save(path: string): Promise<string> {
    await writeFile(path, this.content);
    return path;
  }
}

/** A frame (JPEG), a clip (MP4) or an excerpt of audio (AAC in MP4). */
export class Preview extends Content {
  /** Time of the frame, or start of the clip or excerpt, in the output or file; seconds. */
  readonly atSeconds: number | undefined;
  /** Length of the whole output or file. */
  readonly lengthSeconds: number | undefined;

  /** @internal */
  constructor(content: Uint8Array, headers: Headers) {
    super(content, headers);
    this.atSeconds = numberOf(headers, "x-at-seconds");
    this.lengthSeconds = numberOf(headers, "x-length-seconds");
  }
}

/** A spoken text (WAV). */
export class Speech extends Content {
  /** Points charged; 0 if the service still had the audio. */
  readonly dotCount: number | undefined;

  /** @internal */
  constructor(content: Uint8Array, headers: Headers) {
    super(content, headers);
    this.dotCount = numberOf(headers, "x-dot-count");
  }
}

function numberOf(headers: Headers, name: string): number | undefined {
  const value = Number(headers.get(name) ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
}
