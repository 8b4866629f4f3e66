// Drafts of new tasks in the browser's storage: a safety net for changes that the server does not have yet. The ID of the
// first draft of a task type is the type's name.

import { isTaskType } from "./task-types";
import { staysSignedIn, storages } from "./session";
import type { TaskType } from "./types";

const SLOT = "clipmill.draft.";
/** The open draft of each task type, in this tab. */
const OPEN_SLOT = "clipmill.open";

/** ID of a draft. It has its own type, because a task type does not identify a draft. */
export type DraftId = string & { readonly ofDraft: true };

/** The draft on the server that a draft of this browser belongs to. */
export interface DraftLink {
  draftNo: string;
  updateTime: string;
  /** Checksum of the saved content. */
  sum: string;
}

/** A stored draft; `T` is its content. */
export interface StoredDraft<T> {
  draft: T;
  link?: DraftLink | undefined;
  /** It has changes, or files that are not uploaded yet, that the server does not have. */
  unsaved: boolean;
  /** Its name in lists. */
  name: string;
}

export interface LocalDraft {
  id: DraftId;
  taskType: TaskType;
  name: string;
  draftNo: string | null;
  unsaved: boolean;
}

function parse<T>(text: string): StoredDraft<T> | undefined {
  try {
    const stored = JSON.parse(text) as T & { _link?: DraftLink; _unsaved?: boolean; _name?: string };
    const { _link: link, _unsaved: unsaved = true, _name: name = "", ...draft } = stored;
    return { draft: draft as T, link, unsaved, name };
  } catch {
    return undefined;
  }
}

export function loadDraft<T>(id: DraftId): StoredDraft<T> | undefined {
  const [text] = storages().flatMap((storage) => storage.getItem(SLOT + id) ?? []);
  return text === undefined ? undefined : parse(text);
}

export function storeDraft(id: DraftId, stored: StoredDraft<object> | null): void {
  const text = stored === null ? null : JSON.stringify({ ...stored.draft, _link: stored.link, _unsaved: stored.unsaved, _name: stored.name });
  for (const storage of storages()) {
    if (text === null) storage.removeItem(SLOT + id);
    else storage.setItem(SLOT + id, text);
  }
}

export function localDrafts(): LocalDraft[] {
  const ids = new Set(storages().flatMap((storage) => Object.keys(storage)).filter((name) => name.startsWith(SLOT)).map((name) => name.slice(SLOT.length) as DraftId));
  return [...ids].flatMap((id) => {
    const stored = loadDraft<{ taskType?: unknown }>(id);
    if (stored === undefined || !isTaskType(stored.draft.taskType)) return [];
    const { taskType } = stored.draft;
    return [{ id, taskType, name: stored.name, draftNo: stored.link?.draftNo ?? null, unsaved: stored.unsaved }];
  });
}

/** Drafts that would be lost with this browser's storage. */
export const unsavedDrafts = (): LocalDraft[] => localDrafts().filter((draft) => draft.unsaved);

function openIds(): Partial<Record<TaskType, DraftId>> {
  try {
    return JSON.parse(sessionStorage.getItem(OPEN_SLOT) ?? "{}") as Partial<Record<TaskType, DraftId>>;
  } catch {
    return {};
  }
}

/** The draft that was open last in this tab, otherwise one that this browser stores. */
export function openDraftId(taskType: TaskType): DraftId {
  return openIds()[taskType] ?? localDrafts().find((draft) => draft.taskType === taskType)?.id ?? (taskType as string as DraftId);
}

export function rememberOpenDraft(taskType: TaskType, id: DraftId): void {
  sessionStorage.setItem(OPEN_SLOT, JSON.stringify({ ...openIds(), [taskType]: id }));
}

// Closing the tab deletes its session storage.
addEventListener("beforeunload", (event) => {
  if (!staysSignedIn.value && unsavedDrafts().length > 0) event.preventDefault();
});
