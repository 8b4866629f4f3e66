// What the console knows of each type of task beside its schema: where its clips stand, and what may be done with them.

import type { TaskType } from "./types";

export interface Kind {
  /** The list in `params`: of clips, or of rows of clips. */
  list: string;
  /** The member of a row that has its clips; null where the list has the clips themselves. */
  clips: string | null;
  url: "url" | "filename";
  /** Whether a picture may be a clip. */
  pictures: boolean;
  /** Whether what stands in the list may have options of its own. */
  own: boolean;
  /** Which output shows a clip: one made of it alone, that of its row, or all for which it is drawn. */
  shownBy: "clip" | "row" | "draw";
}

/** In the order in which they are offered. */
export const KINDS: Readonly<Record<TaskType, Kind>> = {
  baseVideoMix: { list: "videoList", clips: "videos", url: "url", pictures: true, own: true, shownBy: "row" },
  proVideoMix: { list: "scenes", clips: "resources", url: "url", pictures: true, own: false, shownBy: "draw" },
  videoDeduplication: { list: "videoList", clips: null, url: "filename", pictures: false, own: true, shownBy: "clip" },
};

export const TASK_TYPES = Object.keys(KINDS) as TaskType[];

export const isTaskType = (name: unknown): name is TaskType => typeof name === "string" && Object.hasOwn(KINDS, name);
