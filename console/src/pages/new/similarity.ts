// Detects drafts whose videos will be identical or nearly the same, and suggests changes.

import { TASK_TYPE_INFO, isTaskType } from "../../lib/task-types";
import type { Estimate, Pair } from "../../lib/types";

/** Shared part of their length from which two videos count as nearly the same. */
const NEARLY = 0.5;

export interface NearlySame {
  pair: Pair;
  /** Shared part of a video's length, 0 to 1. */
  part: number;
  /** The scene with the fewest clips. */
  scene: { name: string; clips: number } | null;
  /** Whether all clips start at their beginning. */
  fromBegin: boolean;
}

interface Scene {
  sceneName?: string;
  sceneKey?: string;
  clipStart?: string;
  resources?: unknown[];
}

/** Null if the videos differ enough, or if this is not known yet. */
export function nearlySame(estimate: Estimate | null, request: unknown): NearlySame | null {
  const { taskType, params } = (request ?? {}) as { taskType?: string; params?: { scenes?: Scene[]; options?: { clipStart?: string } } };
  const pair = estimate?.mostSimilar ?? null;
  if (estimate === null || pair === null || taskType !== "proVideoMix") return null;
  // The estimate assumed start times that will change.
  if (estimate.warnings.some((warning) => warning.path === "/params/options/clipStart")) return null;
  const part = Math.min(1, pair.sharedSeconds / Math.max(0.001, estimate.outputSeconds / estimate.totalItems));
  if (part < NEARLY) return null;
  const scenes = params?.scenes ?? [];
  const clipCounts = scenes.map((scene) => ({ name: scene.sceneName ?? scene.sceneKey ?? "", clips: scene.resources?.length ?? 0 }));
  const fewest = clipCounts.reduce<NearlySame["scene"]>((least, scene) => (least === null || scene.clips < least.clips ? scene : least), null);
  const starts = [params?.options?.clipStart, ...scenes.map((scene) => scene.clipStart)];
  return { pair, part, scene: fewest, fromBegin: starts.every((start) => start === undefined || start === "begin") };
}

type Json = Record<string, unknown>;

/** A key per video; videos with the same clips and options have the same key. */
function contentsOf(request: unknown): string[] {
  const { taskType, params } = (request ?? {}) as { taskType?: unknown; params?: Json };
  if (!isTaskType(taskType) || taskType === "proVideoMix") return [];
  return ((params?.[TASK_TYPE_INFO[taskType].list] ?? []) as Json[]).flatMap(({ copies, ...clips }) => (
    Array.from({ length: typeof copies === "number" ? copies : 1 }, () => JSON.stringify([taskType, params?.options ?? {}, clips]))));
}

/** Whether the requests of a draft produce identical videos. Scenes are left to `nearlySame`. */
export function identicalVideos(estimate: Estimate | null, requests: readonly unknown[]): "all" | "some" | null {
  if (estimate === null) return null;
  const contents = requests.flatMap(contentsOf);
  const [a, b] = estimate.mostSimilar?.sharedSeconds ? estimate.mostSimilar.items : [];
  const samePair = a !== undefined && b !== undefined && contents[a - 1] !== undefined && contents[a - 1] === contents[b - 1];
  // A variation has at least one segment, so fewer segments than variations are shared.
  const variations = contents.some((content) => content.startsWith('["videoDeduplication"'));
  if (!samePair && !(variations && estimate.uniqueSegments < estimate.totalItems)) return null;
  return estimate.uniqueSegments === 1 ? "all" : "some";
}
