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

interface Content {
  /** Equal for videos with the same clips and options. */
  key: string;
  isVariation: boolean;
  draws: boolean;
}

/** The contents of each video of a request. */
function contentsOf(request: unknown): Content[] {
  const { taskType, params } = (request ?? {}) as { taskType?: unknown; params?: Json };
  if (!isTaskType(taskType) || taskType === "proVideoMix") return [];
  const options = (params?.options ?? {}) as Json;
  const shared = { isVariation: taskType === "videoDeduplication", draws: drawsValues(options) || RANDOM_LOOK.test(JSON.stringify(params)) };
  return ((params?.[TASK_TYPE_INFO[taskType].list] ?? []) as Json[]).flatMap(({ copies, ...clips }) => (
    Array.from({ length: typeof copies === "number" ? copies : 1 }, () => ({ key: JSON.stringify([taskType, options, clips]), ...shared }))));
}

/** Options of variations with a random range; their switches begin with "is". */
const RANGES = ["frameExtraction", "speed", "rotation", "zoom", "colourMixing"] as const;
const RANGE_ENDS = [["start", "end"], ["minAngle", "maxAngle"], ["minScale", "maxScale"], ["brightnessMin", "brightnessMax"], ["contrastMin", "contrastMax"],
  ["saturationMin", "saturationMax"], ["gammaMin", "gammaMax"]] as const;
/** In the options or of a clip. */
const RANDOM_LOOK = /"(look|imageMotion)":"random"/;
const POOLS = ["introPool", "outroPool", "backgroundMusicPool", "voicePool"] as const;

const isOn = (option: Json | undefined) => Object.entries(option ?? {}).some(([name, value]) => name.startsWith("is") && value === true);
const isSeveral = (list: unknown) => Array.isArray(list) && list.length > 1;

/** Whether each video gets other values of an option. Without a given end, a range has its default, which is not a single value. */
function drawsValues(options: Json): boolean {
  const at = (name: string) => options[name] as Json | undefined;
  const hasRange = RANGES.some((name) => {
    const option = at(name);
    if (option === undefined || !isOn(option)) return false;
    const given = RANGE_ENDS.filter((ends) => ends.some((end) => option[end] !== undefined));
    return given.length < (name === "colourMixing" ? 4 : 1) || given.some(([start, end]) => option[start] !== option[end]);
  });
  const hasMasks = [["picMask", "picFiles"], ["videoMask", "videoFiles"]].some(([name = "", files = ""]) => isOn(at(name)) && isSeveral(at(name)?.[files]));
  return hasRange || hasMasks || options.isFilter === true
    || options.clipStart === "random" || options.clipStart === "shots" || isSeveral(at("transition")?.names) || POOLS.some((name) => isSeveral(options[name]));
}

/** Whether the requests of a draft produce identical videos. Scenes are left to `nearlySame`. */
export function identicalVideos(estimate: Estimate | null, requests: readonly unknown[]): "all" | "some" | null {
  if (estimate === null) return null;
  const contents = requests.flatMap(contentsOf);
  const [a, b] = estimate.mostSimilar?.sharedSeconds ? estimate.mostSimilar.items : [];
  const [first, second] = [contents[(a ?? 0) - 1], contents[(b ?? 0) - 1]];
  // Shared footage with other values is not the same video.
  const samePair = first !== undefined && first.key === second?.key && !first.draws;
  // A variation has at least one segment, so fewer segments than variations are shared.
  const variations = contents.some(({ isVariation }) => isVariation);
  if (!samePair && !(variations && estimate.uniqueSegments < estimate.totalItems)) return null;
  return estimate.uniqueSegments === 1 ? "all" : "some";
}
