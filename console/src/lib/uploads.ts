// Uploads a few files at a time, with progress. An uploaded file has an `upload://` url.

import { signal } from "@preact/signals";
import { ApiFailure, BASE, authHeaders, sendWithRetry, query } from "./api";
import { newId } from "./draft";
import { rememberFile } from "./local-files";
import { deleteFile, storeFile } from "./file-storage";
import { noteMedia } from "./media";
import { rateLimiter } from "./rate-limiter";
import { apiKey, endSession } from "./session";
import type { Upload } from "./types";

export interface UploadJob {
  id: string;
  name: string;
  size: number;
  sent: number;
  error: string | null;
  /** Waiting for the network; the upload resumes automatically. */
  stalled?: boolean;
}

export const uploads = signal<ReadonlyMap<string, UploadJob>>(new Map());

const AT_ONCE = 3;
const TRIES = 5;

interface QueuedUpload {
  job: UploadJob;
  file: File;
  done: (upload: Upload) => void;
}

const queue: QueuedUpload[] = [];
const files = new Map<string, QueuedUpload>();
/** Uploads that were removed from a draft; they resume if the removal is undone. */
const cancelledUploads = new Map<string, QueuedUpload>();
const running = new Map<string, XMLHttpRequest>();
let active = 0;
let storing: Promise<void> = Promise.resolve();

/** Starts an upload; `id` identifies an unfinished upload of an earlier page. */
export function startUpload(file: File, done: (upload: Upload) => void, id = newId()): string {
  const job: UploadJob = { id, name: file.name, size: file.size, sent: 0, error: null };
  enqueue({ job, file, done });
  return job.id;
}

function enqueue(entry: QueuedUpload): void {
  const { job, file } = entry;
  files.set(job.id, entry);
  cancelledUploads.delete(job.id);
  put(job);
  queue.push(entry);
  // One file at a time, because copies of hundreds of files would fill the memory.
  storing = storing.then(() => (files.has(job.id) ? storeFile(job.id, file) : undefined));
  void pump();
}

export function retryUpload(id: string): void {
  const entry = files.get(id);
  if (entry === undefined) return;
  entry.job = { ...entry.job, sent: 0, error: null };
  put(entry.job);
  queue.push(entry);
  void pump();
}

export function cancelUpload(id: string): void {
  const place = queue.findIndex((entry) => entry.job.id === id);
  if (place >= 0) queue.splice(place, 1);
  const entry = files.get(id);
  if (entry !== undefined) cancelledUploads.set(id, entry);
  files.delete(id);
  void deleteFile(id);
  running.get(id)?.abort();
  drop(id);
}

/** Cancels all uploads before another user signs in. */
export function abandonUploads(): void {
  for (const id of [...files.keys()]) cancelUpload(id);
  cancelledUploads.clear();
}

/** Resumes a cancelled upload; false if the file is no longer available. */
export function resumeUpload(id: string): boolean {
  const entry = cancelledUploads.get(id);
  if (entry === undefined) return files.has(id);
  enqueue({ ...entry, job: { ...entry.job, sent: 0, error: null } });
  return true;
}

function put(job: UploadJob): void {
  uploads.value = new Map(uploads.value).set(job.id, job);
}

function drop(id: string): void {
  const next = new Map(uploads.value);
  next.delete(id);
  uploads.value = next;
}

async function pump(): Promise<void> {
  if (active >= AT_ONCE) return;
  const entry = queue.shift();
  if (entry === undefined) return;
  active += 1;
  void pump();
  try {
    const upload = await sendWithRetries(entry);
    noteMedia(upload.url, { name: entry.file.name, ...factsOf(upload) });
    rememberFile(upload.url, entry.file);
    files.delete(entry.job.id);
    void deleteFile(entry.job.id);
    entry.done(upload);
    drop(entry.job.id);
  } catch (error) {
    if (files.get(entry.job.id) === entry) put({ ...entry.job, error: (error as Error).message || "offline" });
  } finally {
    active -= 1;
    void pump();
  }
}

function factsOf(upload: Upload): { duration?: number; width?: number; height?: number } {
  const { video, audio } = upload.media ?? { video: null, audio: null };
  const duration = video?.duration ?? audio?.duration;
  return {
    ...(duration ? { duration } : {}),
    ...(video ? { width: video.width, height: video.height } : {}),
  };
}

/** Retries when the service requests it, and waits while there is no network or no key. */
async function sendWithRetries(entry: QueuedUpload): Promise<Upload> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendWithRetry("POST", `${BASE}/uploads`, undefined, () => send(entry));
    } catch (error) {
      if (!(error instanceof ApiFailure) || files.get(entry.job.id) !== entry) throw error;
      if (error.offline || error.status === 401) {
        put({ ...entry.job, sent: 0, stalled: true });
        await (error.offline ? online() : signedIn());
        continue;
      }
      if (error.status !== 503 || attempt >= TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfter ?? 1) * 1000));
    }
  }
}

/** Resolves when there is a key. */
function signedIn(): Promise<void> {
  return new Promise((resolve) => {
    const stop = apiKey.subscribe((key) => {
      if (key === null) return;
      queueMicrotask(() => stop());
      resolve();
    });
  });
}

const RETRY_MS = 3000;

/** Resolves after a while, or when the browser is online again. */
function online(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, RETRY_MS);
    function done() {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    }
    addEventListener("online", done);
  });
}

// Leaving the page restarts running uploads, so the browser asks first.
addEventListener("beforeunload", (event) => {
  if ([...uploads.value.values()].some((job) => job.error === null)) event.preventDefault();
});

/** Uses XMLHttpRequest, because `fetch` does not report upload progress. */
function send(entry: QueuedUpload): Promise<Upload> {
  const { job, file } = entry;
  return new Promise((resolve, reject) => {
    if (files.get(job.id) !== entry) return reject(new ApiFailure(0, 0, ""));
    const call = new XMLHttpRequest();
    const key = apiKey.value;
    running.set(job.id, call);
    call.open("POST", `${BASE}/uploads${query({ fileName: file.name.slice(-255) })}`);
    for (const [name, value] of Object.entries(authHeaders(key))) call.setRequestHeader(name, value);
    call.setRequestHeader("Content-Type", "application/octet-stream");
    call.responseType = "json";
    call.upload.onprogress = (event) => {
      if (running.get(job.id) === call) put({ ...job, sent: event.loaded });
    };
    call.onload = () => {
      running.delete(job.id);
      const body = call.response as { code: number; msg: string; data: Upload } | null;
      rateLimiter.update(call.getResponseHeader("RateLimit-Policy"), call.getResponseHeader("RateLimit"));
      if (call.status === 200 && body !== null) return resolve(body.data);
      if (call.status === 401 && key !== null && key === apiKey.value) endSession();
      const retryAfter = Number(call.getResponseHeader("Retry-After") ?? NaN);
      reject(new ApiFailure(call.status, body?.code ?? 0, body?.msg ?? `HTTP ${call.status}`, null,
        Number.isFinite(retryAfter) ? retryAfter : null));
    };
    call.onerror = call.onabort = () => {
      running.delete(job.id);
      reject(new ApiFailure(0, 0, ""));
    };
    call.send(file);
  });
}
