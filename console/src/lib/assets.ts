// API calls for a user's assets: finished videos, library files and shares.

import { ApiFailure, BASE, call, fetchOk, localLink, query, type PageQuery } from "./api";
import type { Page, TaskType } from "./types";

/** Fields that an output has both in its task and in the list of all outputs. */
export interface FinishedFile {
  url: string | null;
  coverUrl: string | null;
  expiresAt: string | null;
  fileExpiresAt: string | null;
  duration: number | null;
  width: number | null;
  height: number | null;
  fps: number | null;
  sizeBytes: number | null;
}

export interface Output extends FinishedFile {
  taskNo: string;
  itemNo: number;
  taskType: TaskType;
  clientTaskId: string | null;
  name: string | null;
  labels: string[];
  seed: number;
}

export type FileKind = "video" | "picture" | "audio";
export const FILE_KINDS: readonly FileKind[] = ["video", "picture", "audio"];

export interface LibraryFile {
  url: string;
  name: string | null;
  kind: FileKind | null;
  sizeBytes: number;
  sha256: string;
  duration: number | null;
  media: { video?: { width: number; height: number } | null } | null;
  fileUrl: string;
  thumbnail: string | null;
  createTime: string;
  usedTime: string | null;
}

export interface SharedTask {
  taskNo: string;
  items: number[] | null;
}

export interface Share {
  shareId: number;
  taskNo: string;
  url: string | null;
  items: number[] | null;
  /** The shared items of each task, if the share covers several tasks. */
  tasks: SharedTask[] | null;
  expiresAt: string | null;
  createTime: string;
  revoked: boolean;
  title: string | null;
  message: string | null;
  /** Whether viewers can pick videos and comment. */
  feedback: boolean;
}

/** Texts of the page of a new share, and whether viewers can pick videos and comment. */
export interface SharePage {
  title?: string;
  message?: string;
  feedback?: boolean;
}

export interface ShareComment {
  commentId: number;
  /** The video; null if the comment is about all of them. */
  taskNo: string | null;
  itemNo: number | null;
  name: string | null;
  text: string;
  createTime: string;
}

export interface Feedback {
  picks: { taskNo: string; itemNo: number }[];
  comments: ShareComment[];
}

/** Search parameters for tasks and outputs. */
export interface TaskQuery {
  q?: string;
  label?: string;
  taskType?: string;
  from?: string;
  to?: string;
}

export const uploadId = (url: string): string => url.replace(/^upload:\/\//, "");
const upload = (url: string) => `${BASE}/uploads/${encodeURIComponent(uploadId(url))}`;
const share = (taskNo: string) => `${BASE}/share/${encodeURIComponent(taskNo)}`;

export const assets = {
  outputs: (params: PageQuery & TaskQuery, signal?: AbortSignal) =>
    call<Page<Output>>(`${BASE}/video-process/outputs${query({ ...params })}`, { signal }),
  files: (params: PageQuery & { q?: string; kind?: string }, signal?: AbortSignal) =>
    call<Page<LibraryFile>>(`${BASE}/uploads${query({ ...params })}`, { signal }),
  file: (url: string, signal?: AbortSignal) => call<LibraryFile>(upload(url), { signal }),
  /** The original bytes of an upload. */
  content: async (file: LibraryFile) => {
    const response = await fetch(localLink(file.fileUrl), { cache: "no-store" });
    if (!response.ok) throw new ApiFailure(response.status, response.status * 100, `HTTP ${response.status}`);
    return response.arrayBuffer();
  },
  rename: (url: string, name: string) => call<LibraryFile>(upload(url), { method: "PATCH", body: { name } }),
  remove: (url: string) => call<null>(upload(url), { method: "DELETE" }),
  /** One frame of any file. */
  frame: (url: string, atSeconds: number, width: number, signal?: AbortSignal) =>
    fetchOk(`${BASE}/thumbnail`, { method: "POST", body: { url, atSeconds, width }, signal }).then((response) => response.blob()),
  shares: (taskNo: string, signal?: AbortSignal) => call<Share[]>(share(taskNo), { signal }),
  share: (taskNo: string, body: SharePage & { items?: number[]; expiresAt?: string }) => call<Share>(share(taskNo), { method: "POST", body }),
  shareTasks: (body: SharePage & { tasks: { taskNo: string; items: number[] }[]; expiresAt?: string }) => call<Share>(`${BASE}/share`, { method: "POST", body }),
  revoke: ({ taskNo, shareId }: Share) => call<null>(`${share(taskNo)}/${shareId}`, { method: "DELETE" }),
  feedback: ({ taskNo, shareId }: Share, signal?: AbortSignal) => call<Feedback>(`${share(taskNo)}/${shareId}/feedback`, { signal }),
  deleteComment: ({ taskNo, shareId }: Share, commentId: number) => call<null>(`${share(taskNo)}/${shareId}/comments/${commentId}`, { method: "DELETE" }),
};
