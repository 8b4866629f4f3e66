// Sending files, a few at a time, with progress. A file becomes an `upload://` url of the user.

import { signal } from "@preact/signals";
import { ApiFailure, BASE, authHeaders, query } from "./api";
import { newId } from "./draft";
import { holdFile } from "./held";
import { forgetFile, keepFile } from "./kept-files";
import { noteMedia } from "./media";
import type { Upload } from "./types";

export interface UploadJob {
  id: string;
  name: string;
  size: number;
  sent: number;
  error: string | null;
  /** It waits for the network, and continues by itself. */
  stalled?: boolean;
}

export const uploads = signal<ReadonlyMap<string, UploadJob>>(new Map());

const AT_ONCE = 3;
const TRIES = 5;

interface Waiting {
  job: UploadJob;
  file: File;
  done: (upload: Upload) => void;
}

const waiting: Waiting[] = [];
const files = new Map<string, Waiting>();
const running = new Map<string, XMLHttpRequest>();
let active = 0;

/** Sends a file; `id` is that of an upload which an earlier page did not finish. */
export function startUpload(file: File, done: (upload: Upload) => void, id = newId()): string {
  const job: UploadJob = { id, name: file.name, size: file.size, sent: 0, error: null };
  void keepFile(id, file);
  const entry = { job, file, done };
  files.set(job.id, entry);
  put(job);
  waiting.push(entry);
  void pump();
  return job.id;
}

export function retryUpload(id: string): void {
  const entry = files.get(id);
  if (entry === undefined) return;
  entry.job = { ...entry.job, sent: 0, error: null };
  put(entry.job);
  waiting.push(entry);
  void pump();
}

export function cancelUpload(id: string): void {
  const place = waiting.findIndex((entry) => entry.job.id === id);
  if (place >= 0) waiting.splice(place, 1);
  files.delete(id);
  void forgetFile(id);
  running.get(id)?.abort();
  drop(id);
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
  const entry = waiting.shift();
  if (entry === undefined) return;
  active += 1;
  void pump();
  try {
    const upload = await sendPatiently(entry);
    noteMedia(upload.url, { name: entry.file.name, ...factsOf(upload) });
    holdFile(upload.url, entry.file);
    files.delete(entry.job.id);
    void forgetFile(entry.job.id);
    entry.done(upload);
    drop(entry.job.id);
  } catch (error) {
    if (files.has(entry.job.id)) put({ ...entry.job, error: (error as Error).message || "offline" });
  } finally {
    active -= 1;
    void pump();
  }
}

function factsOf(upload: Upload): { duration?: number; width?: number; height?: number } {
  const { video } = upload.media ?? { video: null };
  return {
    ...(video?.duration ? { duration: video.duration } : {}),
    ...(video ? { width: video.width, height: video.height } : {}),
  };
}

/** Waits and tries again when the service asks for it, and as long as there is no network. */
async function sendPatiently(entry: Waiting): Promise<Upload> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(entry);
    } catch (error) {
      if (!(error instanceof ApiFailure) || !files.has(entry.job.id)) throw error;
      if (error.offline) {
        put({ ...entry.job, sent: 0, stalled: true });
        await online();
        continue;
      }
      if ((error.status !== 429 && error.status !== 503) || attempt >= TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfter ?? 1) * 1000));
    }
  }
}

const AGAIN_MS = 3000;

/** Resolves after a while, or when the browser is online again. */
function online(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, AGAIN_MS);
    function done() {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    }
    addEventListener("online", done);
  });
}

// Leaving the page during an upload would make it start again, so the browser asks first.
addEventListener("beforeunload", (event) => {
  if ([...uploads.value.values()].some((job) => job.error === null)) event.preventDefault();
});

/** Uses XMLHttpRequest, because `fetch` does not report how much was sent. */
function send({ job, file }: Waiting): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    running.set(job.id, call);
    call.open("POST", `${BASE}/uploads${query({ fileName: file.name.slice(-255) })}`);
    for (const [name, value] of Object.entries(authHeaders())) call.setRequestHeader(name, value);
    call.setRequestHeader("Content-Type", "application/octet-stream");
    call.responseType = "json";
    call.upload.onprogress = (event) => {
      if (uploads.value.has(job.id)) put({ ...job, sent: event.loaded });
    };
    call.onload = () => {
      running.delete(job.id);
      const body = call.response as { code: number; msg: string; data: Upload } | null;
      if (call.status === 200 && body !== null) return resolve(body.data);
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
