// Drafts of new tasks in the browser's storage.

import { TASK_TYPES } from "./task-types";
import { staysSignedIn, storages } from "./session";
import type { TaskType } from "./types";

const SLOT = "clipmill.draft.";

export function loadDraft(taskType: TaskType): string | undefined {
  return storages().flatMap((storage) => storage.getItem(SLOT + taskType) ?? [])[0];
}

/** Null removes the draft, because empty drafts are not stored. */
export function storeDraft(taskType: TaskType, text: string | null): void {
  for (const storage of storages()) {
    if (text === null) storage.removeItem(SLOT + taskType);
    else storage.setItem(SLOT + taskType, text);
  }
}

export const unfinishedDrafts = (): TaskType[] => TASK_TYPES.filter((taskType) => loadDraft(taskType) !== undefined);

// Closing the tab deletes its session storage.
addEventListener("beforeunload", (event) => {
  if (!staysSignedIn.value && unfinishedDrafts().length > 0) event.preventDefault();
});
