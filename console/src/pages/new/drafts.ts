// The drafts, one per task type, with undo. The browser stores them with the key, so that a reload loses nothing.

import { computed, effect, signal } from "@preact/signals";
import { api } from "../../lib/api";
import { allClips, emptyDraft, isEmpty, newSeed, pendingUploads, withoutUploads, withUploadUrl, type Draft } from "../../lib/draft";
import { storeDraft, loadDraft } from "../../lib/draft-storage";
import { deleteOldFiles, loadFile } from "../../lib/file-storage";
import { History } from "../../lib/history";
import { noteMedia } from "../../lib/media";
import { onUserChange } from "../../lib/session";
import type { TaskType, Upload } from "../../lib/types";
import { abandonUploads, cancelUpload, resumeUpload, startUpload, uploads } from "../../lib/uploads";
import { t } from "../../i18n";
import { toast } from "../../ui/toast";
import { fieldErrorText } from "../../lib/service-message";

export interface ChangeOptions {
  /** Not a user action, so it is not an undo step. */
  quiet?: boolean;
  /** The changed field, if several changes of it are one undo step. */
  together?: string;
}

export const kind = signal<TaskType>("baseVideoMix");
const drafts = signal<Partial<Record<TaskType, Draft>>>({});
export const draft = computed<Draft>(() => drafts.value[kind.value] ?? emptyDraft(kind.value));

let lastContent: Draft | undefined;
/** The draft, unchanged while only its name, labels or addresses change. */
export const content = computed<Draft>(() => {
  const next = draft.value;
  const isSame = lastContent?.taskType === next.taskType && lastContent.params === next.params && lastContent._sets === next._sets && lastContent._seed === next._seed;
  if (!isSame || lastContent === undefined) lastContent = next;
  return lastContent;
});

const histories = new Map<TaskType, History<Draft>>();
const historyVersion = signal(0);
/** Number of undo and redo steps. */
export const steps = computed(() => (historyVersion.value, historyOf(kind.value).steps));

/** Finished uploads, for undo steps to a draft that was still waiting for them. */
const finishedUploads = new Map<string, Upload>();

function historyOf(of: TaskType): History<Draft> {
  const history = histories.get(of) ?? new History<Draft>();
  histories.set(of, history);
  return history;
}

export function draftOf(of: TaskType): Draft {
  return drafts.value[of] ?? emptyDraft(of);
}

export function openKind(next: TaskType): void {
  if (drafts.value[next] === undefined) put(next, restoreDraft(next));
  kind.value = next;
}

function put(of: TaskType, next: Draft): void {
  drafts.value = { ...drafts.value, [of]: next._seed === undefined ? { ...next, _seed: newSeed() } : next };
}

export function change(next: (before: Draft) => Draft, of: TaskType = kind.value, { quiet = false, together }: ChangeOptions = {}): void {
  const before = draftOf(of);
  const after = next(before);
  if (after === before) return;
  if (!quiet) note(of, before, together ?? null);
  put(of, after);
}

function note(of: TaskType, before: Draft, together: string | null): void {
  historyOf(of).note(before, together, performance.now());
  historyVersion.value += 1;
}

export function replaceDraft(next: Draft): void {
  note(next.taskType, draftOf(next.taskType), null);
  put(next.taskType, next);
  kind.value = next.taskType;
}

export const undo = () => step("undo");
export const redo = () => step("redo");

function step(way: "undo" | "redo"): void {
  const before = draft.value;
  const next = historyOf(kind.value)[way](before);
  if (next === undefined) return;
  historyVersion.value += 1;
  const after = withCurrentUploads(next);
  const pendingIds = new Set(pendingUploads(after));
  pendingUploads(before).filter((id) => !pendingIds.has(id)).forEach(cancelUpload);
  put(kind.value, after);
}

/** Updates the uploads of an earlier draft: finished ones get their url, others resume. */
function withCurrentUploads(draft: Draft): Draft {
  const lostUploads: string[] = [];
  const next = pendingUploads(draft).reduce((rest, id) => {
    const upload = finishedUploads.get(id);
    if (upload !== undefined) return withUploadUrl(rest, id, upload.url, lengthOf(upload));
    if (!resumeUpload(id)) lostUploads.push(id);
    return rest;
  }, draft);
  return lostUploads.length > 0 ? withoutUploads(next, lostUploads) : next;
}

/** An image has the duration 0, which is not a length that a clip can declare. */
const lengthOf = (upload: Upload) => upload.media?.video?.duration || undefined;

/** Starts an upload for the draft of this type and returns its ID. */
export function upload(file: File, of: TaskType, id?: string, then?: (upload: Upload) => void): string {
  const job: string = startUpload(file, (result) => {
    finishedUploads.set(job, result);
    if (!result.media?.video && allClips(draftOf(of)).some((clip) => clip._upload === job)) void explainUnusable(result);
    change((before) => withUploadUrl(before, job, result.url, lengthOf(result)), of, { quiet: true });
    then?.(result);
  }, ...(id === undefined ? [] : [id]));
  return job;
}

/** Requests the reason why an upload is not a usable video. */
async function explainUnusable({ url }: Upload): Promise<void> {
  noteMedia(url, { problem: t("clips.notmedia") });
  const why = await api.probe(url).then(({ media }) => (media.video ? undefined : t("clips.novideo")), (error: unknown) => {
    const message = fieldErrorText(error);
    return message === undefined ? undefined : t("clips.notmedia.why", { why: message });
  });
  if (why !== undefined) noteMedia(url, { problem: why });
}

function restoreDraft(taskType: TaskType): Draft {
  try {
    const stored = loadDraft(taskType);
    if (stored === undefined) return emptyDraft(taskType);
    const draft = JSON.parse(stored) as Draft;
    void resumeUploads(draft);
    return draft;
  } catch {
    return emptyDraft(taskType);
  }
}

/** Resumes the uploads of an earlier page, and removes lost files from the draft. */
async function resumeUploads(stored: Draft): Promise<void> {
  const { taskType } = stored;
  const pending = pendingUploads(stored).filter((id) => !uploads.value.has(id));
  const files = await Promise.all(pending.map(loadFile));
  const lostUploads = pending.filter((_, index) => files[index] === undefined);
  if (lostUploads.length > 0) {
    change((before) => withoutUploads(before, lostUploads), taskType, { quiet: true });
    toast("info", t("new.lost", { n: lostUploads.length }));
  }
  pending.forEach((id, index) => {
    const file = files[index];
    if (file !== undefined) upload(file, taskType, id);
  });
  void deleteOldFiles();
}

/** Discards all drafts when another user signs in. */
function forgetDrafts(): void {
  drafts.value = {};
  histories.clear();
  finishedUploads.clear();
  historyVersion.value += 1;
  abandonUploads();
}
onUserChange(forgetDrafts);

effect(() => {
  for (const [taskType, value] of Object.entries(drafts.value)) {
    try {
      storeDraft(taskType as TaskType, isEmpty(value) ? null : JSON.stringify(value));
    } catch {
      // Too large for the storage: the draft lasts as long as the page.
    }
  }
});
