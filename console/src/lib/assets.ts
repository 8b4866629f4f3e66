// API calls for a user's assets: finished videos, library files and shares.

import { ApiFailure, BASE, call, fetchOk, localLink, query, type PageQuery } from "./api";
import type * as models from "../../../clients/typescript/src/models";
import type { Page, Sent } from "./types";

export type Output = Sent<models.Output>;

/** Fields that an output has both in its task and in the list of all outputs. */
export type FinishedFile = Pick<Output, "url" | "coverUrl" | "expiresAt" | "fileExpiresAt" | "duration" | "width" | "height" | "fps" | "sizeBytes">;

export type FileKind = models.MediaKindName;
export const FILE_KINDS: readonly FileKind[] = ["video", "picture", "audio"];

export type LibraryFile = Sent<models.LibraryFile>;

export type SharedTask = Sent<models.SharedTask>;
/** `tasks` are the shared items of each task, if the share covers several tasks. */
export type Share = Sent<models.Share>;
/** Texts of the page of a new share, and whether viewers can pick videos and comment. */
export type SharePage = { [K in "title" | "message" | "feedback"]?: NonNullable<models.NewShare[K]> };
export type ShareComment = Sent<models.ShareComment>;
export type Feedback = Sent<models.ShareFeedback>;

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
