// Saves drafts on the server after each change, with a delay, and detects changes made elsewhere. Until a draft is saved,
// and for files that are not uploaded yet, the browser's storage is the only copy.

import { effect, signal } from "@preact/signals";
import { t } from "../../i18n";
import { ACCOUNT_OFF, ApiFailure } from "../../lib/api";
import { emptyDraft, fromRequest, newId, NotARequest, type Draft } from "../../lib/draft";
import { localDrafts, unsavedDrafts, type DraftId } from "../../lib/draft-storage";
import { isEmpty } from "../../lib/goals";
import { noteDraftsChanged, savedContent, savedDrafts, savedSum, type SavedDraft } from "../../lib/saved-drafts";
import { apiKey, onUserChange } from "../../lib/session";
import type { TaskType } from "../../lib/types";
import { toast } from "../../ui/toast";
import { change, dropDraft, drafts, isUnsaved, links, MAX_NAME_LENGTH, loadStored, nameOfDraft, openDraft, replaceContent, setLink } from "./drafts";

export type SaveState = { is: "saving" } | { is: "saved" } | { is: "conflict" } | { is: "local"; reason: unknown };

const states = signal<Readonly<Record<DraftId, SaveState>>>({});
export const saveStateOf = (id: DraftId): SaveState | undefined => states.value[id];

const DEBOUNCE_MS = 1200;
const RETRY_MS = 10_000;
/** The operator can switch an account on again at any time. */
const ACCOUNT_AGAIN_MS = 30_000;
const CONFLICT = 40910;

const timers = new Map<DraftId, ReturnType<typeof setTimeout>>();
/** Calls for a draft are sent one after another. */
const running = new Map<DraftId, Promise<void>>();

function setState(id: DraftId, state: SaveState | null): void {
  const { [id]: _, ...others } = states.peek();
  states.value = state === null ? others : { ...others, [id]: state };
}

function schedule(id: DraftId, ms: number): void {
  clearTimeout(timers.get(id));
  timers.set(id, setTimeout(() => void save(id), ms));
}

function save(id: DraftId): Promise<void> {
  clearTimeout(timers.get(id));
  const next = (running.get(id) ?? Promise.resolve()).then(() => saveNow(id));
  running.set(id, next);
  return next;
}

async function saveNow(id: DraftId): Promise<void> {
  const draft = drafts.peek()[id];
  if (draft === undefined || apiKey.peek() === null || states.peek()[id]?.is === "conflict") return;
  const link = links.peek()[id];
  if (isEmpty(draft)) return link === undefined ? setState(id, null) : remove(id, link.draftNo);
  const sum = savedSum(draft);
  if (link?.sum === sum) return setState(id, { is: "saved" });
  // The notice with the reason stays while saving is retried.
  if (states.peek()[id]?.is !== "local") setState(id, { is: "saving" });
  const body = { name: nameOfDraft(draft), taskType: draft.taskType, body: savedContent(draft) };
  try {
    const { draftNo, updateTime } = await (link === undefined ? savedDrafts.add(body) : savedDrafts.replace(link.draftNo, { ...body, updateTime: link.updateTime }));
    setLink(id, { draftNo, updateTime, sum });
    setState(id, { is: "saved" });
    noteDraftsChanged();
  } catch (error) {
    await handleFailure(id, error);
  }
}

async function handleFailure(id: DraftId, error: unknown): Promise<void> {
  const { status = 0, code = 0 } = error instanceof ApiFailure ? error : {};
  if (code === CONFLICT) return setState(id, { is: "conflict" });
  if (status === 404 && links.peek()[id] !== undefined) {
    // It was deleted or submitted elsewhere; these changes become a draft of their own.
    setLink(id, null);
    return saveNow(id);
  }
  setState(id, { is: "local", reason: error });
  if (status === 0 || status === 429 || status >= 500) schedule(id, RETRY_MS);
  else if (code === ACCOUNT_OFF) schedule(id, ACCOUNT_AGAIN_MS);
}

/** Deletes the server's copy of a draft that was submitted or discarded. */
async function remove(id: DraftId, draftNo: string): Promise<void> {
  setState(id, null);
  try {
    await savedDrafts.remove(draftNo);
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 404) return schedule(id, RETRY_MS);
  }
  setLink(id, null);
  noteDraftsChanged();
}

const seen = new Map<DraftId, Draft>();

effect(() => {
  for (const [id, draft] of Object.entries(drafts.value) as [DraftId, Draft][]) {
    if (seen.get(id) === draft) continue;
    seen.set(id, draft);
    if (states.peek()[id]?.is === "saved") setState(id, { is: "saving" });
    // A submitted draft is deleted at once, in case the page is closed.
    schedule(id, isEmpty(draft) ? 0 : DEBOUNCE_MS);
  }
});

// A new key can save what an expired one could not.
effect(() => {
  if (apiKey.value !== null) for (const id of Object.keys(drafts.peek()) as DraftId[]) schedule(id, DEBOUNCE_MS);
});

onUserChange(() => {
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
  running.clear();
  seen.clear();
  states.value = {};
});

addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") void flush();
  else returned();
});

/** When the tab is visible again, the drafts, or the reason why they could not be saved, may have changed. */
function returned(): void {
  for (const id of Object.keys(links.peek()) as DraftId[]) void refresh(id);
  for (const [id, state] of Object.entries(states.peek()) as [DraftId, SaveState][]) if (state.is === "local") void save(id);
}

/** Saves all drafts of this browser now. */
export async function flush(): Promise<void> {
  if (unsavedDrafts().length > 0) loadStored();
  const unsaved = (Object.entries(drafts.peek()) as [DraftId, Draft][]).filter(([id, draft]) => isEmpty(draft) || isUnsaved(draft, links.peek()[id]));
  await Promise.all(unsaved.map(([id]) => save(id)));
}

/** Tries again to save a draft. */
export function retrySave(id: DraftId): void {
  setState(id, { is: "saving" });
  void save(id);
}

/** Fetches a newer version of a draft, unless it has changes here too. */
export async function refresh(id: DraftId): Promise<void> {
  const link = links.peek()[id];
  if (link === undefined || apiKey.peek() === null || states.peek()[id]?.is === "conflict") return;
  await running.get(id);
  try {
    const saved = await savedDrafts.get(link.draftNo);
    const [draft, now] = [drafts.peek()[id], links.peek()[id]];
    if (draft === undefined || now === undefined || now.updateTime >= saved.updateTime) return;
    if (isUnsaved(draft, now)) return setState(id, { is: "conflict" });
    adopt(id, saved);
    toast("info", t("draft.updated"));
  } catch (error) {
    const draft = drafts.peek()[id];
    if (!(error instanceof ApiFailure) || error.status !== 404 || draft === undefined || isUnsaved(draft, link)) return;
    setLink(id, null);
    replaceContent(id, emptyDraft(draft.taskType));
    toast("info", t("draft.gone"));
  }
}

function adopt(id: DraftId, saved: SavedDraft): void {
  const content = contentOf(saved);
  replaceContent(id, content);
  linkTo(id, saved);
}

/** Links a draft with the server's copy that it was opened from. */
function linkTo(id: DraftId, { draftNo, updateTime }: SavedDraft): void {
  const draft = drafts.peek()[id];
  if (draft !== undefined) setLink(id, { draftNo, updateTime, sum: savedSum(draft) });
}

/** The draft that was saved. Those of other programs are requests without the fields of the page. */
function contentOf({ body, taskType }: SavedDraft): Draft {
  const own = body as unknown as Draft;
  if (own._seed !== undefined && own.params !== null && typeof own.params === "object") return own;
  return fromRequest({ taskType, ...(body.params === undefined ? { params: body } : body) });
}

/** Resolves a conflict with the version of the server, which can be undone. */
export async function useOther(id: DraftId): Promise<void> {
  const link = links.peek()[id];
  if (link === undefined) return;
  adopt(id, await savedDrafts.get(link.draftNo));
  setState(id, { is: "saved" });
}

/** Resolves a conflict by saving this version as a draft of its own. */
export async function keepBoth(id: DraftId): Promise<void> {
  const link = links.peek()[id];
  // The copy is saved even if the name of the other version cannot be compared.
  const other = link === undefined ? undefined : await savedDrafts.get(link.draftNo).catch(() => undefined);
  setLink(id, null);
  setState(id, null);
  change((before) => {
    const name = nameOfDraft(before);
    return { ...before, ...(name === other?.name && { name: `${name.slice(0, MAX_NAME_LENGTH - 4)} (2)` }) };
  }, id, { quiet: true });
  void save(id);
}

/** The ID in this browser of a draft that is referenced by its number, or by that ID. */
function localId(reference: string): DraftId | undefined {
  const loaded = (Object.keys(drafts.peek()) as DraftId[]).find((id) => id === reference || links.peek()[id]?.draftNo === reference);
  return loaded ?? localDrafts().find((draft) => draft.id === reference || draft.draftNo === reference)?.id;
}

/** Opens a draft by its number, or by the ID that it has in this browser. */
export async function openSaved(reference: string): Promise<TaskType> {
  const id = localId(reference);
  if (id !== undefined) {
    openDraft(id, () => emptyDraft("baseVideoMix"));
    await refresh(id);
    return drafts.peek()[id]?.taskType ?? "baseVideoMix";
  }
  const saved = await savedDrafts.get(reference);
  if (localId(reference) !== undefined) return openSaved(reference);
  try {
    const content = contentOf(saved);
    // Not the number, because a copy that is kept at a conflict gets another number.
    const fresh = newId() as DraftId;
    openDraft(fresh, () => content);
    linkTo(fresh, saved);
    return content.taskType;
  } catch (error) {
    throw error instanceof NotARequest ? new Error(t("draft.foreign")) : error;
  }
}

/** Deletes a draft here and on the server. */
export async function deleteDraft(reference: string): Promise<void> {
  const local = localDrafts().find((draft) => draft.id === reference || draft.draftNo === reference);
  const draftNo = local === undefined ? reference : local.draftNo;
  if (draftNo !== null) await savedDrafts.remove(draftNo).catch((error: unknown) => {
    if (!(error instanceof ApiFailure) || error.status !== 404) throw error;
  });
  if (local !== undefined) dropDraft(local.id);
  noteDraftsChanged();
}
