import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as WebStream } from "node:stream/web";
import type { Call, PageOptions } from "./call.js";
import {
  apiError,
  ClipmillError,
  ConnectionFailed,
  DownloadFailed,
  NotAllowed,
  NotFound,
  ServiceUnavailable,
  TaskFailed,
  UploadIncomplete,
} from "./errors.js";
import { EventReader, lines, type LiveEvent } from "./events.js";
import * as files from "./files.js";
import { Library } from "./library.js";
import type * as model from "./models.js";
import { DEFAULTS, jittered, pauseAfter, type Retry, sleep } from "./retry.js";
import { VERSION } from "./version.js";
import * as waiting from "./waiting.js";
import { FINAL, type WaitOptions } from "./waiting.js";

const API = "/open-api/v1";
/** Polls are not retried one by one: the next poll is the retry. */
const ONCE: Required<Retry> = { ...DEFAULTS, attempts: 1 };
/** The service sends a line on a stream of events every 15 seconds. */
const SILENCE = 45;

export interface ClientOptions {
  /** The URL of the service, e.g. `https://clips.example.com`. */
  baseUrl: string;
  apiKey: string;
  /** Language of messages: `en` or `zh`. */
  language?: string;
  /** Timeout of one call in seconds, except uploads and downloads. Default 60. */
  timeout?: number;
  retry?: Retry;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

/** A client of a clipmill service for one API key. */
export class Client extends Library {
  readonly #base: string;
  readonly #headers: { [name: string]: string };
  readonly #timeout: number;
  readonly #retry: Required<Retry>;
  readonly #fetch: typeof fetch;
  readonly #uploaded = new Map<string, model.Upload>();

  constructor(options: ClientOptions) {
    super();
    this.#base = options.baseUrl.replace(/\/+$/, "");
    this.#headers = { "X-API-Key": options.apiKey, "User-Agent": `clipmill-typescript/${VERSION}` };
    if (options.language) this.#headers["Accept-Language"] = options.language;
    this.#timeout = options.timeout ?? 60;
    this.#retry = { ...DEFAULTS, ...options.retry };
    this.#fetch = options.fetch ?? fetch;
  }

  /**
   * Submits a task. If the response is lost, retries with the same `clientTaskId`, which never costs twice.
   *
   * If the request has no ID, one is generated: calling `submit` twice creates two tasks.
   */
  async submit(request: model.Submission): Promise<model.Submit> {
    const clientTaskId = request.clientTaskId || `ts-${randomUUID()}`;
    try {
      return await this.#post("submit", { ...request, clientTaskId });
    } catch (error) {
      if (error instanceof ConnectionFailed) error.clientTaskId = clientTaskId;
      throw error;
    }
  }

  /** Estimates the price and the outputs of a submission; with `preflight`, the files are probed. */
  async estimate(request: model.Submission, options: { preflight?: boolean } = {}): Promise<model.Estimate> {
    const query = options.preflight ? { preflight: true } : {};
    return this.call(`${API}/video-process/estimate`, { method: "POST", json: request, query });
  }

  async status(taskNo: string): Promise<model.Task> {
    return this.#get(`status/${taskNo}`);
  }

  /** The request of a task, for changing and submitting it again. */
  async request(taskNo: string): Promise<model.TaskRequest> {
    return this.#get(`request/${taskNo}`);
  }

  /** A page of pairs of outputs with their shared footage, those that share most first. */
  async diversity(taskNo: string, options: PageOptions = {}): Promise<model.PageDiversityPair> {
    return this.#get(`diversity/${taskNo}`, { pageSize: 100, ...options });
  }

  /** Renames a task or changes its labels. An empty name or list clears the value; omitted values are unchanged. */
  async rename(taskNo: string, to: { name?: string; labels?: string[] }): Promise<model.Task> {
    return this.call(`${API}/video-process/${taskNo}`, { method: "PATCH", json: to });
  }

  /** Cancels a task; Conflict (40901) if it has already ended. */
  async cancel(taskNo: string): Promise<model.Task> {
    return this.call(`${API}/video-process/cancel/${taskNo}`, { method: "POST" });
  }

  /** Returns the task once it has ended, in any final state. For many tasks use `waitAll`: it makes far fewer calls. */
  async wait(taskNo: string, options: WaitOptions = {}): Promise<model.Task> {
    return waiting.wait(() => this.#poll<model.Task>(`${API}/video-process/status/${taskNo}`), taskNo, options);
  }

  /**
   * Returns tasks in the order given, once all have ended, in any final state.
   *
   * Polls pages of 100 tasks and stays below the rate limit of the key. Tasks passed to `onChange` have no items until
   * they have ended. Throws WaitAllTimeout, which has the tasks that have ended by then.
   */
  async waitAll(taskNos: Iterable<string>, options: WaitOptions = {}): Promise<model.Task[]> {
    const source: waiting.Source = {
      status: (taskNo) => this.#poll(`${API}/video-process/status/${taskNo}`),
      list: (query) => this.#poll(`${API}/video-process/list`, query),
    };
    return waiting.waitAll(source, [...taskNos], options);
  }

  /** Returns the batch once it has ended, in any final state. */
  async waitForBatch(batchNo: string, options: WaitOptions<model.Batch> = {}): Promise<model.Batch> {
    return waiting.wait(() => this.#poll<model.Batch>(`${API}/batches/${batchNo}`), batchNo, options);
  }

  /** Submits and waits. Throws TaskFailed unless the task is completed. Check `failedItems` in any case. */
  async run(request: model.Submission, options: WaitOptions = {}): Promise<model.Task> {
    const { taskNo } = await this.submit(request);
    const task = await this.wait(taskNo, options);
    if (task.status !== FINAL) throw new TaskFailed(task);
    return task;
  }

  /** Live events until the task has ended; resumes interrupted connections without gaps. */
  async *watch(taskNo: string): AsyncGenerator<LiveEvent> {
    const reader = new EventReader();
    for (let failures = 1; ; failures += 1) {
      let refused: Response | undefined;
      try {
        const headers = reader.lastId ? { ...this.#headers, "Last-Event-ID": reader.lastId } : this.#headers;
        const response = await this.#fetch(`${this.#base}${API}/video-process/events/${taskNo}`, { headers });
        if (response.status === 204) return;
        if (response.ok && response.body) {
          for await (const line of lines(response.body, SILENCE)) {
            const event = reader.line(line);
            if (!event) continue;
            failures = 0;
            yield event;
            if (event.event === "state" && event.data.status >= FINAL) return;
          }
        } else refused = response;
      } catch (error) {
        if (failures >= this.#retry.attempts) throw new ConnectionFailed(`live events of ${taskNo}`, { cause: error });
      }
      reader.broken();
      const pause = pauseAfter(this.#retry, Math.max(failures, 1), refused);
      if (pause === undefined && refused) throw await apiError(refused);
      await sleep(pause ?? jittered(this.#retry.firstPause));
    }
  }

  /**
   * A page of tasks, the newest first, without their items. `q`: prefixes of words in names, numbers and IDs;
   * `from`, `to`: time of submission, RFC 3339 or dates (UTC).
   */
  async tasks(
    options: PageOptions & {
      status?: number;
      taskType?: model.TaskTypeName;
      q?: string;
      label?: string;
      from?: string;
      to?: string;
    } = {},
  ): Promise<model.PageTask> {
    return this.#get("list", { ...options });
  }

  /** A page of the finished videos of all tasks, those of the newest task first. */
  async outputs(
    options: PageOptions & { q?: string; label?: string; taskType?: model.TaskTypeName } = {},
  ): Promise<model.PageOutput> {
    return this.#get("outputs", { ...options });
  }

  async balance(): Promise<model.Balance> {
    return this.#get("balance");
  }

  /** A page of movements of points, the newest first. */
  async records(options: PageOptions & { type?: model.RecordType; taskNo?: string } = {}): Promise<model.PageRecord> {
    return this.#get("records", { ...options });
  }

  async effects(): Promise<model.Catalogue> {
    return this.#get("effects");
  }

  async looks(): Promise<model.Catalogue> {
    return this.#get("looks");
  }

  async transitions(): Promise<model.Catalogue> {
    return this.#get("transitions");
  }

  /** Fonts for captions. */
  async fonts(): Promise<model.FontCatalogue> {
    return this.#get("fonts");
  }

  /** Named styles of captions. */
  async captionStyles(): Promise<model.CaptionStyleCatalogue> {
    return this.#get("caption-styles");
  }

  /** Voices for spoken texts, the default first; the list is empty if the service speaks no texts. */
  async voices(): Promise<model.VoiceCatalogue> {
    return this.#get("voices");
  }

  /** The delivery status of a task's callback, with every attempt. */
  async callback(taskNo: string): Promise<model.Callback> {
    return this.#get(`callbacks/${taskNo}`);
  }

  async redeliverCallback(taskNo: string): Promise<model.Callback> {
    return this.call(`${API}/video-process/callbacks/${taskNo}/redeliver`, { method: "POST" });
  }

  /** Sends one signed sample to a URL and returns the response of the receiver. */
  async testCallback(url: string, type?: model.EventType): Promise<model.CallbackTest> {
    const json = type ? { url, type } : { url };
    return this.call(`${API}/video-process/callbacks/test`, { method: "POST", json, repeatable: false });
  }

  /**
   * Uploads a file, by its path or as bytes; use the returned `url` in a request.
   *
   * A path that this client has uploaded before is not sent again while the file has not changed and the service
   * still stores the upload.
   */
  async upload(source: string | Uint8Array | Blob, options: { name?: string } = {}): Promise<model.Upload> {
    if (typeof source !== "string") return this.#upload(() => source as BodyInit, undefined, options.name);
    const { key, size } = await files.keyOf(source);
    const earlier = this.#uploaded.get(key);
    if (earlier && (await this.#isStored(earlier))) return earlier;
    const body = () => Readable.toWeb(createReadStream(source)) as unknown as BodyInit;
    const upload = await this.#upload(body, size, options.name ?? basename(source));
    this.#uploaded.set(key, upload);
    return upload;
  }

  /**
   * Uploads the files of a folder side by side: path relative to the folder → upload.
   *
   * If some fail, the others are still sent; then UploadIncomplete is thrown, and repeating the call
   * sends the missing files.
   */
  async uploadFolder(
    folder: string,
    options: { accept?: (name: string) => boolean; concurrency?: number } = {},
  ): Promise<Map<string, model.Upload>> {
    const paths = [...(await files.filesBelow(folder, options.accept ?? (() => true)))];
    const outcomes = await files.sideBySide(paths, options.concurrency ?? 4, ([, path]) => this.upload(path));
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

  /** The properties of a file for a request. */
  async probe(url: string): Promise<model.Probe> {
    return this.call(`${API}/probe`, { method: "POST", json: { url } });
  }

  /** One frame of an output, as JPEG. */
  async preview(
    request: model.Submission,
    options: { itemNo?: number; clip?: number; atSeconds?: number; width?: number } = {},
  ): Promise<Uint8Array> {
    const response = await this.send(`${API}/preview`, { method: "POST", json: { request, ...options } });
    return new Uint8Array(await response.arrayBuffer());
  }

  /** Up to a minute of a file's audio, as AAC in MP4. */
  async sound(url: string, options: { atSeconds?: number; seconds?: number } = {}): Promise<Uint8Array> {
    const response = await this.send(`${API}/sound`, { method: "POST", json: { url, ...options } });
    return new Uint8Array(await response.arrayBuffer());
  }

  /**
   * A text of up to 500 characters, spoken by a voice of `voices`, as WAV. `speed`: 0.5 to 2.
   *
   * Priced by `pointsPer1000Characters` of `voices`. While the audio is kept, the same text, voice and speed is free.
   */
  async speak(text: string, options: { voice?: string; speed?: number } = {}): Promise<Uint8Array> {
    const response = await this.send(`${API}/speech`, { method: "POST", json: { text, ...options } });
    return new Uint8Array(await response.arrayBuffer());
  }

  /** A few seconds of an output with audio, as a small MP4. */
  async previewClip(
    request: model.TaskRequest,
    options: { itemNo?: number; clip?: number; atSeconds?: number; seconds?: number } = {},
  ): Promise<Uint8Array> {
    const path = `${API}/preview/clip`;
    const response = await this.send(path, { method: "POST", json: { request, ...options } });
    return new Uint8Array(await response.arrayBuffer());
  }

  /**
   * Downloads a task's results; verifies length and SHA-256 of each before it gets its name.
   *
   * Files have the names set by the service, such as `Summer sale – 1.mp4`; no file is overwritten. Results
   * already in the folder are not fetched again; interrupted downloads resume.
   */
  async download(
    task: model.Task | string,
    folder = ".",
    options: { covers?: boolean; concurrency?: number } = {},
  ): Promise<string[]> {
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

  /** The result of each row as CSV: row, taskNo, item, url, error. */
  async batchResults(batchNo: string): Promise<string> {
    return (await this.send(`${API}/batches/${batchNo}/results.csv`)).text();
  }

  /**
   * All videos of a batch as one zip of any size. The file appears only when it is complete.
   *
   * `into` is the file, which is overwritten, or a folder: there the file gets the name set by the service, and
   * does not overwrite another.
   */
  async downloadBatch(batchNo: string, into: string): Promise<string> {
    return this.#downloadZip(`${API}/batches/${batchNo}/download`, `${batchNo}.zip`, into);
  }

  /**
   * An output as a project for an editing program: one zip with an OpenTimelineIO file and the original files.
   *
   * `into` is as for `downloadBatch`.
   */
  async downloadTimeline(taskNo: string, itemNo: number, into: string): Promise<string> {
    const path = `${API}/video-process/timeline/${taskNo}/${itemNo}?format=otio`;
    return this.#downloadZip(path, `${taskNo}-${itemNo}.zip`, into);
  }

  async #downloadZip(path: string, usualName: string, into: string): Promise<string> {
    const isFolder = await stat(into).then((facts) => facts.isDirectory(), () => false);
    const part = isFolder ? join(into, `${usualName}.part`) : `${into}.part`;
    await mkdir(dirname(part), { recursive: true });
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.send(path, { timeout: 0 });
      try {
        if (!response.body) throw new ClipmillError(`${path}: not a response of clipmill`);
        await pipeline(Readable.fromWeb(response.body as WebStream), createWriteStream(part));
      } catch (cause) {
        const pause = pauseAfter(this.#retry, attempt, undefined);
        if (pause === undefined) throw new DownloadFailed(into, String(cause));
        await sleep(pause);
        continue;
      }
      if (isFolder) {
        return files.add(part, into, files.named(response.headers.get("content-disposition"), usualName));
      }
      await rename(part, into);
      return into;
    }
  }

  /** Makes any call and returns the `data` of its response. */
  async call<T>(path: string, call: Call = {}): Promise<T> {
    return dataOf<T>(await this.send(path, call), path);
  }

  async #poll<T>(path: string, query: NonNullable<Call["query"]> = {}): Promise<waiting.Answer<T>> {
    const response = await this.send(path, { query, retry: ONCE });
    return { data: await dataOf<T>(response, path), headers: response.headers };
  }

  /** Makes a call with retries where they are safe and useful; returns a successful response. */
  async send(path: string, call: Call = {}): Promise<Response> {
    const url = new URL(this.#base + path);
    for (const [name, value] of Object.entries(call.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#attempt(url, call).catch((cause: unknown) => ({ cause }));
      if (response instanceof Response && response.ok) return response;
      const refused = response instanceof Response ? response : undefined;
      // Calls that are not idempotent are repeated only if they were certainly rejected.
      const safe = (call.repeatable ?? true) || refused?.status === 429;
      const pause = safe ? pauseAfter(call.retry ?? this.#retry, attempt, refused) : undefined;
      if (pause !== undefined) {
        await refused?.body?.cancel();
        await sleep(pause);
      } else if (refused) throw await apiError(refused);
      else throw new ConnectionFailed(`${call.method ?? "GET"} ${path}`, { cause: (response as { cause: unknown }).cause });
    }
  }

  async #attempt(url: URL, call: Call): Promise<Response> {
    const timeout = call.timeout ?? this.#timeout;
    const json = call.json === undefined ? {} : { "Content-Type": "application/json" };
    return this.#fetch(url, {
      method: call.method ?? "GET",
      headers: { ...this.#headers, ...json, ...call.headers },
      body: call.json === undefined ? (call.body?.() ?? null) : JSON.stringify(call.json),
      redirect: "manual",
      ...(timeout > 0 ? { signal: AbortSignal.timeout(timeout * 1000) } : {}),
      // Node requires half-duplex mode for streams: the response follows the request.
      ...(call.body ? { duplex: "half" } : {}),
    } as RequestInit);
  }

  async #get<T>(name: string, query?: Call["query"]): Promise<T> {
    return this.call(`${API}/video-process/${name}`, query ? { query } : {});
  }

  async #post<T>(name: string, json: unknown): Promise<T> {
    return this.call(`${API}/video-process/${name}`, { method: "POST", json });
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

  async #upload(body: () => BodyInit, size: number | undefined, name: string | undefined): Promise<model.Upload> {
    const headers: { [name: string]: string } = { "Content-Type": "application/octet-stream" };
    if (size !== undefined) headers["Content-Length"] = String(size);
    return this.call(`${API}/uploads`, { method: "POST", query: { fileName: name }, body, headers, timeout: 0 });
  }

  async #download(taskNo: string, file: files.Wanted): Promise<string> {
    let { url } = file;
    let refreshed = false;
    for (let attempt = 1; ; attempt += 1) {
      const fetched = await this.#fetchFile(url, file).catch((cause: unknown) => cause as Error);
      const response = fetched instanceof Response ? fetched : undefined;
      if (response?.ok || response?.status === 416) {
        // 416: the file has no more bytes; finishing checks whether it is complete.
        return files.finish(file, response.headers.get("content-disposition"));
      }
      if (response?.status === 403 && !refreshed) {
        // The link has expired; the status has a fresh one.
        const again = files.wanted(await this.status(taskNo), file.folder, file.cover);
        url = again.find((one) => one.itemNo === file.itemNo && one.cover === file.cover)?.url ?? url;
        refreshed = true;
        continue;
      }
      const pause = pauseAfter(this.#retry, attempt, response);
      if (pause === undefined) {
        const reason = response ? (await apiError(response)).message : String(fetched);
        throw new DownloadFailed(join(file.folder, file.numbered), reason);
      }
      await sleep(pause);
    }
  }

  /** One attempt; a successful response is complete. The link needs no key. */
  async #fetchFile(url: string, file: files.Wanted): Promise<Response> {
    const have = await files.sizeOf(files.partial(file));
    const response = await this.#fetch(url, have > 0 ? { headers: { Range: `bytes=${have}-` } } : {});
    if (!response.ok) return response;
    const part = await open(files.partial(file), response.status === 206 ? "a" : "w");
    try {
      // Chunk by chunk, so that an interrupted download can resume.
      const reader = response.body?.getReader();
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) await part.writeFile(read.value);
    } finally {
      await part.close();
    }
    return response;
  }
}

async function dataOf<T>(response: Response, path: string): Promise<T> {
  const body = (await response.json().catch(() => undefined)) as { data?: T } | undefined;
  if (body?.data !== undefined) return body.data;
  // The response comes from a captive portal or a proxy, not from the service.
  const message = `${path}: not a response of clipmill`;
  throw new ServiceUnavailable({
    status: response.status,
    code: 50000,
    message,
    data: {},
    requestId: undefined,
    retryAfter: undefined,
  });
}
