/** The client: uploads, previews and downloads, besides the calls that it inherits. */
import { createWriteStream } from "node:fs";
import { mkdir, open, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as WebStream } from "node:stream/web";
import { Body, nameOf, type Source } from "./body.js";
import { API } from "./connection.js";
import { Preview, Speech } from "./content.js";
import {
  apiError,
  ApiError,
  ConnectionFailed,
  DownloadFailed,
  NotAllowed,
  NotFound,
  UploadIncomplete,
} from "./errors.js";
import * as files from "./files.js";
import type * as model from "./models.js";
import type {
  DownloadOptions,
  FolderOptions,
  PreviewClipOptions,
  PreviewOptions,
  SoundOptions,
  SpeakOptions,
  ThumbnailOptions,
  UploadOptions,
} from "./options.js";
import { ONCE, retried } from "./retry.js";
import { Tasks } from "./tasks.js";

/** A client of a clipmill service for one API key. */
export class Client extends Tasks {
  readonly #uploaded = new Map<string, model.Upload>();

  /**
   * Uploads a file; use the returned `url` in a request. The file is sent in chunks, whatever its size.
   *
   * A path that this client has uploaded before is not sent again while the file has not changed and the service
   * still stores the upload. A stream can be read only once, so it is not retried.
   *
   * @param source - A path, bytes, a `Blob` or `File`, or a stream of bytes.
   * @param options - Name and progress.
   */
  async upload(source: Source, options: UploadOptions = {}): Promise<model.Upload> {
    if (typeof source !== "string") return this.#upload(source, options);
    const { key } = await files.keyOf(source);
    const earlier = this.#uploaded.get(key);
    if (earlier && (await this.#isStored(earlier))) return earlier;
    const upload = await this.#upload(source, options);
    this.#uploaded.set(key, upload);
    return upload;
  }

  /**
   * Uploads the files of a folder side by side: path relative to the folder → upload.
   *
   * If some fail, the others are still sent; then UploadIncomplete is thrown, and repeating the call
   * sends the missing files.
   *
   * @param folder - The folder.
   * @param options - The files to send, and the progress.
   */
  async uploadFolder(folder: string, options: FolderOptions = {}): Promise<Map<string, model.Upload>> {
    const paths = [...(await files.filesBelow(folder, options.accept ?? (() => true)))];
    const progress = await files.FolderProgress.of(paths.map(([, path]) => path), options.onProgress);
    const outcomes = await files.sideBySide(paths, options.concurrency ?? 4, async ([, path]) => {
      const upload = await this.upload(path, { onProgress: progress.note(path) });
      progress.done(path);
      return upload;
    });
    const done = new Map<string, model.Upload>();
    const failed = new Map<string, unknown>();
    outcomes.forEach((outcome, index) => {
      const name = (paths[index] as [string, string])[0];
      if (outcome.status === "fulfilled") done.set(name, outcome.value);
      else failed.set(name, outcome.reason);
    });
    if (failed.size > 0) throw new UploadIncomplete(done, failed);
    return done;
  }

  /**
   * The properties of a file for a request.
   *
   * @param url - An upload or a web address.
   */
  async probe(url: string): Promise<model.Probe> {
    return this.call(`${API}/probe`, { method: "POST", json: { url } });
  }

  /**
   * A frame of a file, as JPEG.
   *
   * @param url - An upload or a web address.
   * @param options - The time and the size of the frame.
   */
  async thumbnail(url: string, options: ThumbnailOptions = {}): Promise<Preview> {
    return new Preview(...(await this.#rendered("thumbnail", { url, ...options })));
  }

  /**
   * One frame of an output, as JPEG; free.
   *
   * @param request - The request, as for `submit`.
   * @param options - Place and size of the frame.
   */
  async preview(request: model.Submission, options: PreviewOptions = {}): Promise<Preview> {
    return new Preview(...(await this.#rendered("preview", { request, ...options })));
  }

  /**
   * A few seconds of an output with audio, as a small MP4; free.
   *
   * @param request - The request, as for `submit`.
   * @param options - Place and length of the clip.
   */
  async previewClip(request: model.TaskRequest, options: PreviewClipOptions = {}): Promise<Preview> {
    return new Preview(...(await this.#rendered("preview/clip", { request, ...options })));
  }

  /**
   * Up to a minute of a file's audio, as AAC in MP4.
   *
   * @param url - An upload or a web address.
   * @param options - Start and length of the excerpt.
   */
  async sound(url: string, options: SoundOptions = {}): Promise<Preview> {
    return new Preview(...(await this.#rendered("sound", { url, ...options })));
  }

  /**
   * A spoken text, as WAV.
   *
   * Priced by `pointsPer1000Characters` of `voices`. While the audio is kept, the same text, voice and speed is free.
   *
   * @param text - Up to 500 characters.
   * @param options - Voice and speed.
   */
  async speak(text: string, options: SpeakOptions = {}): Promise<Speech> {
    return new Speech(...(await this.#rendered("speech", { text, ...options })));
  }

  /**
   * Downloads a task's results; verifies length and SHA-256 of each before it gets its name.
   *
   * Files have the names set by the service, such as `Summer sale – 1.mp4`; no file is overwritten. Results
   * already in the folder are not fetched again; interrupted downloads resume.
   *
   * @param task - The task or its number.
   * @param folder - Where to put the files; it is created if necessary.
   * @param options - Whether to download covers, and how many files at a time.
   */
  async download(task: model.Task | string, folder = ".", options: DownloadOptions = {}): Promise<string[]> {
    await mkdir(folder, { recursive: true });
    const current = typeof task === "string" ? await this.status(task) : task;
    const all = files.wanted(current, folder, options.covers ?? false);
    const present = await files.present(all, folder);
    const outcomes = await files.sideBySide(
      all,
      options.concurrency ?? 4,
      async (file) => present.get(file) ?? this.#download(current.taskNo, file),
    );
    return outcomes.map((outcome) => {
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value;
    });
  }

  /**
   * The result of each row as CSV: row, taskNo, item, url, error.
   *
   * @param batchNo - Number of the batch.
   */
  async batchResults(batchNo: string): Promise<string> {
    return (await this.send(`${API}/batches/${batchNo}/results.csv`)).text();
  }

  /**
   * All videos of a batch as one zip of any size. The file appears only when it is complete.
   *
   * @param batchNo - Number of the batch.
   * @param into - The file, which is overwritten, or a folder: there the file gets the name set by the service, and
   * does not overwrite another.
   */
  async downloadBatch(batchNo: string, into: string): Promise<string> {
    return this.#downloadZip(`${API}/batches/${batchNo}/download`, `${batchNo}.zip`, into);
  }

  /**
   * An output as a project for an editing program: one zip with an OpenTimelineIO file and the original files.
   *
   * @param taskNo - Number of the task.
   * @param itemNo - Number of the item.
   * @param into - The file or folder, as for `downloadBatch`.
   */
  async downloadTimeline(taskNo: string, itemNo: number, into: string): Promise<string> {
    const path = `${API}/video-process/timeline/${taskNo}/${itemNo}?format=otio`;
    return this.#downloadZip(path, `${taskNo}-${itemNo}.zip`, into);
  }

  async #rendered(name: string, json: object): Promise<[Uint8Array, Headers]> {
    const response = await this.send(`${API}/${name}`, { method: "POST", json });
    return [new Uint8Array(await response.arrayBuffer()), response.headers];
  }

  async #downloadZip(path: string, usualName: string, into: string): Promise<string> {
    const isFolder = await stat(into).then((facts) => facts.isDirectory(), () => false);
    const part = isFolder ? join(into, `${usualName}.part`) : `${into}.part`;
    await mkdir(dirname(part), { recursive: true });
    const attempt = async (): Promise<string | null> => {
      const response = await this.send(path, { timeout: 0, retry: ONCE });
      await pipeline(Readable.fromWeb(response.body as WebStream), createWriteStream(part)).catch((cause: unknown) => {
        throw new ConnectionFailed(`the connection was lost: ${String(cause)}`, { cause });
      });
      return response.headers.get("content-disposition");
    };
    const disposition = await retried(this.retry, attempt).catch((error: unknown) => {
      throw error instanceof ConnectionFailed ? new DownloadFailed(into, error.message) : error;
    });
    if (isFolder) return files.add(part, into, files.named(disposition, usualName));
    await rename(part, into);
    return into;
  }

  /** Whether the service still has an upload; it may have been deleted, or have expired. */
  async #isStored(upload: model.Upload): Promise<boolean> {
    try {
      await this.uploaded(upload.url);
      return true;
    } catch (error) {
      // A key without the scope `read` cannot check, so the file is sent again.
      if (error instanceof NotFound || error instanceof NotAllowed) return false;
      throw error;
    }
  }

  async #upload(source: Source, { name, onProgress }: UploadOptions): Promise<model.Upload> {
    const body = await Body.of(source, onProgress);
    const headers: { [name: string]: string } = { "Content-Type": "application/octet-stream" };
    if (body.size !== undefined) headers["Content-Length"] = String(body.size);
    return this.call(`${API}/uploads`, {
      method: "POST",
      query: { fileName: name ?? nameOf(source) },
      body: () => body.stream(),
      headers,
      timeout: 0,
      ...(body.repeatable ? {} : { retry: ONCE }),
    });
  }

  async #download(taskNo: string, file: files.Wanted): Promise<string> {
    let { url } = file;
    const attempt = async (): Promise<string | null> => {
      try {
        return await this.#fetchFile(url, file);
      } catch (error) {
        if (!(error instanceof NotAllowed) || url !== file.url) throw error;
        // The link has expired; the status has a fresh one.
        const again = files.wanted(await this.status(taskNo), file.folder, file.cover);
        url = again.find((one) => one.itemNo === file.itemNo && one.cover === file.cover)?.url ?? url;
        return this.#fetchFile(url, file);
      }
    };
    const disposition = await retried(this.retry, attempt).catch((error: unknown) => {
      if (!(error instanceof ApiError || error instanceof ConnectionFailed)) throw error;
      throw new DownloadFailed(join(file.folder, file.numbered), error.message);
    });
    return files.finish(file, disposition);
  }

  /** One attempt; returns the header with the name of the file. The link needs no key. */
  async #fetchFile(url: string, file: files.Wanted): Promise<string | null> {
    const have = await files.sizeOf(files.partial(file));
    const lost = (cause: unknown): never => {
      throw new ConnectionFailed(`the connection was lost: ${String(cause)}`, { cause });
    };
    const response = await this.fetch(url, have > 0 ? { headers: { Range: `bytes=${have}-` } } : {}).catch(lost);
    // 416: the file has no more bytes; finishing checks whether it is complete.
    if (response.status !== 416) {
      if (!response.ok) throw await apiError(response);
      const part = await open(files.partial(file), response.status === 206 ? "a" : "w");
      try {
        // Chunk by chunk, so that an interrupted download can resume.
        const reader = response.body?.getReader();
        for (;;) {
          const read = await reader?.read().catch(lost);
          if (!read || read.done) break;
          await part.writeFile(read.value);
        }
      } finally {
        await part.close();
      }
    }
    return response.headers.get("content-disposition");
  }
}

