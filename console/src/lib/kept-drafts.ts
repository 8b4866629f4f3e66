// Drafts of new tasks in the browser's storage, for pages that do not edit them.

import { TASK_TYPES } from "./kinds";
import { stays, storages } from "./session";
import type { TaskType } from "./types";

const SLOT = "clipmill.draft.";

export function keptDraft(taskType: TaskType): string | undefined {
  return storages().flatMap((storage) => storage.getItem(SLOT + taskType) ?? [])[0];
}

/** Null removes the draft: an empty one is not kept. */
export function keepDraft(taskType: TaskType, text: string | null): void {
  for (const storage of storages()) {
    if (text === null) storage.removeItem(SLOT + taskType);
    else storage.setItem(SLOT + taskType, text);
  }
}

export const unfinishedDrafts = (): TaskType[] => TASK_TYPES.filter((taskType) => keptDraft(taskType) !== undefined);

// The storage of a tab is deleted with the tab.
addEventListener("beforeunload", (event) => {
  if (!stays.value && unfinishedDrafts().length > 0) event.preventDefault();
});
