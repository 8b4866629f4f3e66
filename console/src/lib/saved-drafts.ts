// Calls for drafts on the server, and the content that is saved.

import { signal } from "@preact/signals";
import { BASE, call, query } from "./api";
import { pendingUploads, withoutUploads, type Draft } from "./draft";
import type * as models from "../../../clients/typescript/src/models";
import type { Page, TaskType } from "./types";

export type DraftOverview = models.DraftOverview;
export type SavedDraft = models.Draft;

/** The maximum number of drafts of a user. */
export const MAX_DRAFTS = 100;

/** Changes when a draft was saved or deleted. */
export const draftsChanged = signal(0);
export const noteDraftsChanged = (): void => void (draftsChanged.value += 1);

interface Body {
  name: string;
  taskType: TaskType;
  body: Draft;
}

const DRAFTS = BASE + "/drafts";
const at = (draftNo: string) => `${DRAFTS}/${encodeURIComponent(draftNo)}`;

export const savedDrafts = {
  list: (signal?: AbortSignal) => call<Page<DraftOverview>>(`${DRAFTS}${query({ pageSize: MAX_DRAFTS })}`, { signal }),
  get: (draftNo: string, signal?: AbortSignal) => call<SavedDraft>(at(draftNo), { signal }),
  add: (body: Body) => call<DraftOverview>(DRAFTS, { method: "POST", body }),
  replace: (draftNo: string, body: Body & { updateTime: string }) => call<DraftOverview>(at(draftNo), { method: "PUT", body }),
  remove: (draftNo: string) => call<null>(at(draftNo), { method: "DELETE" }),
};

/** The content to save. Files that are still being uploaded exist only in this browser; their number is saved. */
export function savedContent(draft: Draft): Draft {
  const pending = pendingUploads(draft);
  const { _waiting: _, ...content } = pending.length > 0 ? withoutUploads(draft, pending) : draft;
  return pending.length > 0 ? { ...content, _waiting: pending.length } : content;
}

/** Detects changes of a draft. */
export function savedSum(draft: Draft): string {
  const text = JSON.stringify(savedContent(draft));
  let sum = 5381;
  for (let at = 0; at < text.length; at += 1) sum = (Math.imul(sum, 33) + text.charCodeAt(at)) >>> 0;
  return `${text.length}-${sum.toString(36)}`;
}
