// Facts about each task type that are not in its schema: the location of its clips and their abilities.

import type { TaskType } from "./types";

export interface TaskTypeInfo {
  /** The list in `params`: of clips, or of groups of clips. */
  list: string;
  /** The field of a group that contains its clips; null if the list itself contains the clips. */
  clips: string | null;
  url: "url" | "filename";
  /** Whether an image can be a clip. */
  images: boolean;
  /** Whether entries of the list can have separate options. */
  own: boolean;
  /** The outputs that show a clip: its own output, the output of its group, or all outputs that draw it. */
  shownBy: "clip" | "row" | "draw";
}

/** In the order of the page. */
export const TASK_TYPE_INFO: Readonly<Record<TaskType, TaskTypeInfo>> = {
  baseVideoMix: { list: "videoList", clips: "videos", url: "url", images: true, own: true, shownBy: "row" },
  proVideoMix: { list: "scenes", clips: "resources", url: "url", images: true, own: false, shownBy: "draw" },
  videoDeduplication: { list: "videoList", clips: null, url: "filename", images: false, own: true, shownBy: "clip" },
};

export const TASK_TYPES = Object.keys(TASK_TYPE_INFO) as TaskType[];

export const isTaskType = (name: unknown): name is TaskType => typeof name === "string" && Object.hasOwn(TASK_TYPE_INFO, name);

/** Goals of users, and the task types for them. */
export const GOAL_TYPES = { one: "baseVideoMix", many: "proVideoMix", vary: "videoDeduplication", script: "baseVideoMix" } as const satisfies Record<string, TaskType>;
export type Goal = keyof typeof GOAL_TYPES;
export const isGoal = (name: unknown): name is Goal => typeof name === "string" && Object.hasOwn(GOAL_TYPES, name);
