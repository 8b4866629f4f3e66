// The drafts, with undo. The browser stores them with the key, so that a reload loses nothing.

import { computed, effect, signal, untracked } from "@preact/signals";
import { api } from "../../lib/api";
import { allClips, emptyDraft, newId, newSeed, pendingUploads, withoutUploads, withUploadUrl, type Draft } from "../../lib/draft";
import { loadDraft, localDrafts, openDraftId, rememberOpenDraft, storeDraft, type DraftId, type DraftLink } from "../../lib/draft-storage";
import { deleteOldFiles, loadFile } from "../../lib/file-storage";
import { isEmpty } from "../../lib/goals";
import { savedSum } from "../../lib/saved-drafts";
import { History } from "../../lib/history";
import { noteMedia } from "../../lib/media";
import { onUserChange } from "../../lib/session";
import type { TaskType, Upload } from "../../lib/types";
import { abandonUploads, cancelUpload, resumeUpload, startUpload, uploads } from "../../lib/uploads";
import { t } from "../../i18n";
import { clipName } from "./clip-name";
import { toast } from "../../ui/toast";
import { fieldErrorText } from "../../lib/service-message";

export interface ChangeOptions {
  /** Not a user action, so it is not an undo step. */
  quiet?: boolean;
  /** The changed field, if several changes of it are one undo step. */
  together?: string;
}

export const drafts = signal<Readonly<Record<DraftId, Draft>>>({});
/** The server's copies of the drafts. */
export const links = signal<Readonly<Record<DraftId, DraftLink>>>({});
/** ID of the draft that the page shows. */
export const openId = signal<DraftId>(openDraftId("baseVideoMix"));
export const draft = computed<Draft>(() => drafts.value[openId.value] ?? emptyDraft("baseVideoMix"));
export const kind = computed<TaskType>(() => draft.value.taskType);

let lastContent: Draft | undefined;
/** The draft, unchanged while only its name, labels or addresses change. */
export const content = computed<Draft>(() => {
  const next = draft.value;
  const isSame = lastContent?.taskType === next.taskType && lastContent.params === next.params && lastContent._sets === next._sets && lastContent._seed === next._seed;
  if (!isSame || lastContent === undefined) lastContent = next;
  return lastContent;
});

const histories = new Map<DraftId, History<Draft>>();
const historyVersion = signal(0);
/** Number of undo and redo steps. */
export const steps = computed(() => (historyVersion.value, historyOf(openId.value).steps));

/** Finished uploads, for undo steps to a draft that was still waiting for them. */
const finishedUploads = new Map<string, Upload>();

function historyOf(id: DraftId): History<Draft> {
  const history = histories.get(id) ?? new History<Draft>();
  histories.set(id, history);
  return history;
}

export function draftOf(id: DraftId): Draft {
  return drafts.value[id] ?? emptyDraft("baseVideoMix");
}

/** Opens the last draft of a task type. */
export function openKind(taskType: TaskType): void {
  const id = drafts.value[openId.value]?.taskType === taskType ? openId.value : openDraftId(taskType);
  openDraft(id, () => emptyDraft(taskType));
}

/** Shows a draft. `fresh` creates its content if it is neither in memory nor stored. */
export function openDraft(id: DraftId, fresh: () => Draft): void {
  if (drafts.value[id] === undefined && !restore(id)) put(id, fresh());
  const before = openId.peek();
  if (before !== id && drafts.value[before]?.taskType === draftOf(id).taskType && isDispensable(before)) dropDraft(before);
  openId.value = id;
  rememberOpenDraft(draftOf(id).taskType, id);
}

/** Whether the server has all of a draft, or there is nothing to keep or to delete there. */
function isDispensable(id: DraftId): boolean {
  const [value, link] = [draftOf(id), links.value[id]];
  return isEmpty(value) ? link === undefined : !isUnsaved(value, link);
}

function restore(id: DraftId): boolean {
  const stored = loadDraft<Draft>(id);
  if (stored === undefined) return false;
  if (stored.link !== undefined) setLink(id, stored.link);
  put(id, stored.draft);
  void resumeUploads(id, stored.draft);
  return true;
}

/** Loads all drafts that this browser stores. */
export function loadStored(): void {
  for (const { id } of localDrafts()) if (drafts.value[id] === undefined) restore(id);
}

/** Starts a draft beside the existing ones; an empty one of the same type is replaced. */
export function startDraft(next: Draft): void {
  openKind(next.taskType);
  if (isEmpty(draft.value)) {
    histories.delete(openId.value);
    historyVersion.value += 1;
    put(openId.value, next);
  } else {
    openDraft(newId() as DraftId, () => next);
  }
}

/** Removes a draft from this browser. */
export function dropDraft(id: DraftId): void {
  pendingUploads(draftOf(id)).forEach(cancelUpload);
  const { [id]: _, ...others } = drafts.value;
  drafts.value = others;
  histories.delete(id);
  setLink(id, null);
  stored.delete(id);
  storeDraft(id, null);
}

export function setLink(id: DraftId, link: DraftLink | null): void {
  const { [id]: _, ...others } = links.value;
  links.value = link === null ? others : { ...others, [id]: link };
}

function put(id: DraftId, next: Draft): void {
  drafts.value = { ...drafts.value, [id]: next._seed === undefined ? { ...next, _seed: newSeed() } : next };
}

export function change(next: (before: Draft) => Draft, id: DraftId = openId.value, { quiet = false, together }: ChangeOptions = {}): void {
  const before = draftOf(id);
  const after = next(before);
  if (after === before) return;
  if (!quiet) note(id, before, together ?? null);
  put(id, after);
}

function note(id: DraftId, before: Draft, together: string | null): void {
  historyOf(id).note(before, together, performance.now());
  historyVersion.value += 1;
}

/** Replaces the content of a draft, which can be undone. */
export function replaceContent(id: DraftId, next: Draft): void {
  note(id, draftOf(id), null);
  put(id, next);
}

/** Replaces the content of the open draft of a task type, which can be undone. */
export function replaceDraft(next: Draft): void {
  openKind(next.taskType);
  replaceContent(openId.value, next);
}

export const undo = () => step("undo");
export const redo = () => step("redo");

function step(way: "undo" | "redo"): void {
  const before = draft.value;
  const next = historyOf(openId.value)[way](before);
  if (next === undefined) return;
  historyVersion.value += 1;
  const after = withCurrentUploads(next);
  const pendingIds = new Set(pendingUploads(after));
  pendingUploads(before).filter((id) => !pendingIds.has(id)).forEach(cancelUpload);
  put(openId.value, after);
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

/** Starts an upload for a draft and returns its ID. */
export function upload(file: File, of: DraftId, earlierJob?: string, then?: (upload: Upload) => void): string {
  const job: string = startUpload(file, (result) => {
    finishedUploads.set(job, result);
    if (!result.media?.video && allClips(draftOf(of)).some((clip) => clip._upload === job)) void explainUnusable(result);
    change((before) => withUploadUrl(before, job, result.url, lengthOf(result)), of, { quiet: true });
    then?.(result);
  }, ...(earlierJob === undefined ? [] : [earlierJob]));
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

/** Resumes the uploads of an earlier page, and removes lost files from the draft. */
async function resumeUploads(id: DraftId, stored: Draft): Promise<void> {
  const pending = pendingUploads(stored).filter((job) => !uploads.value.has(job));
  const files = await Promise.all(pending.map(loadFile));
  const lostUploads = pending.filter((_, index) => files[index] === undefined);
  if (lostUploads.length > 0) {
    change((before) => withoutUploads(before, lostUploads), id, { quiet: true });
    toast("info", t("new.lost", { n: lostUploads.length }));
  }
  pending.forEach((job, index) => {
    const file = files[index];
    if (file !== undefined) upload(file, id, job);
  });
  void deleteOldFiles();
}

/** Discards all drafts when another user signs in. */
function forgetDrafts(): void {
  drafts.value = {};
  links.value = {};
  openId.value = openDraftId("baseVideoMix");
  histories.clear();
  finishedUploads.clear();
  stored.clear();
  historyVersion.value += 1;
  abandonUploads();
}
onUserChange(forgetDrafts);

/** The maximum length of the name of a task or a draft. */
export const MAX_NAME_LENGTH = 120;

/** The name of a draft in lists: that of the task, otherwise of its clips. */
export function nameOfDraft(draft: Draft): string {
  const [first] = allClips(draft);
  const files = new Set(allClips(draft).map((clip) => clip.url ?? clip.filename ?? clip._upload)).size;
  const name = draft.name?.trim() || (first === undefined ? t(draft._goal === undefined ? `type.${draft.taskType}` : `goal.${draft._goal}`) : `${clipName(first)}${files > 1 ? ` + ${files - 1}` : ""}`);
  return name.slice(0, MAX_NAME_LENGTH);
}

/** Whether the server does not have all of a draft. */
export const isUnsaved = (value: Draft, link: DraftLink | undefined): boolean => (
  !isEmpty(value) && (pendingUploads(value).length > 0 || link === undefined || link.sum !== savedSum(value)));

/** The drafts and links that are stored. */
const stored = new Map<DraftId, readonly [Draft, DraftLink | undefined]>();

effect(() => {
  for (const [id, value] of Object.entries(drafts.value) as [DraftId, Draft][]) {
    const link = links.value[id];
    const [before, linkBefore] = stored.get(id) ?? [];
    if (before === value && linkBefore === link) continue;
    stored.set(id, [value, link]);
    try {
      // An empty draft of a goal is stored only for a reload.
      const isStored = !isEmpty(value) || value._goal !== undefined || link !== undefined;
      storeDraft(id, isStored ? { draft: value, link, unsaved: isUnsaved(value, link), name: untracked(() => nameOfDraft(value)) } : null);
    } catch {
      // Too large for the storage: the draft lasts as long as the page.
    }
  }
});
