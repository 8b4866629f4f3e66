// Uses of the files that are dropped on a task.

import type { ChosenTemplate } from "../../ui/template-choice";

/** What a file is used for. A soundtrack has both speech and music. */
export type Use = "clip" | "logo" | "music" | "voice" | "soundtrack" | "captions" | "skip";

/** The files that need a choice, and those that do not. */
export interface Offer {
  audio: readonly File[];
  images: readonly File[];
  captions: readonly File[];
  tables: readonly File[];
  /** Number of videos, which become clips. */
  clips: number;
  /** All files that a table can name. */
  media: readonly File[];
}

/** The use of each file, or the template that the tables fill. */
export interface Choice {
  uses: ReadonlyMap<File, Use>;
  batch: ChosenTemplate | null;
}
