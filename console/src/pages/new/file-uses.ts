// Uses of the files that are dropped on a task.

import { t } from "../../i18n";

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
  batch: { templateNo: string; withMedia: boolean } | null;
}

const SHOWN_NAMES = 8;

/** File names for a message. */
export function namesOf(files: readonly Pick<File, "name">[]): string {
  const names = files.slice(0, SHOWN_NAMES).map(({ name }) => name).join(", ");
  return files.length > SHOWN_NAMES ? t("dropped.more", { names, n: files.length - SHOWN_NAMES }) : names;
}
