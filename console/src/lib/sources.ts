// Maps a time in an output to the source file and time that it shows, using the request and the recipe.

import { isTaskType } from "./task-types";
import type { TaskType } from "./types";

/** A time in a file, which plays `rate` times as fast as the output. */
export interface Moment {
  url: string;
  at: number;
  rate: number;
}

/** Null if the output shows no file of the request at this time. */
export type SourceAt = (seconds: number) => Moment | null;

interface Clip {
  url?: string;
  filename?: string;
  duration?: number;
  from?: number;
  to?: number;
  speed?: number;
  copies?: number;
}

interface Shot {
  url: string;
  /** Speed of the clip. The other times are those of the output, except `from`. */
  rate: number;
  begin: number;
  length: number;
  from: number;
  /** Clips that are shorter than the shot are repeated. */
  period: number;
}

type Json = Record<string, unknown>;
/** Duration of a file in seconds, if known. */
export type LengthOf = (url: string) => number | undefined;

export interface ShownClip {
  url: string;
  start: number;
  /** Name of the scene. */
  scene: string | null;
}

/** The clips of an output in order; empty if they cannot be determined. */
export function clipsOf(request: Json, item: { itemNo: number; recipe: Json | null }): ShownClip[] {
  const params = (request.params ?? {}) as Json;
  const recipe = item.recipe ?? {};
  const plain = (clips: readonly Clip[]) => clips.map((clip) => ({ url: clip.url ?? clip.filename ?? "", start: clip.from ?? 0, scene: null }));
  switch (isTaskType(request.taskType) ? request.taskType : null) {
    case "videoDeduplication": return plain([variedClip(params, item.itemNo) ?? []].flat());
    case "baseVideoMix": return plain(groupClips(params, Number(recipe.group ?? item.itemNo - 1)));
    case "proVideoMix": return sceneClips(params, recipe).map(({ scene, clip, start }) => ({ url: clip.url ?? "", start, scene: scene.sceneName ?? scene.sceneKey ?? null }));
    case null: return [];
  }
}

/** Null if the source cannot be determined. */
export function sourceOf(request: Json, item: { itemNo: number; recipe: Json | null }, lengthOf: LengthOf): SourceAt | null {
  const params = (request.params ?? {}) as Json;
  const recipe = item.recipe ?? {};
  const { taskType } = request;
  if (!isTaskType(taskType)) return null;
  if (taskType === "videoDeduplication") return variationSource(params, item.itemNo, recipe);
  const options = (params.options ?? {}) as Json;
  // An intro of unknown length shifts all clips.
  if (recipe.introPool !== undefined || Array.isArray(options.introPool)) return null;
  const shots = shotsOf(taskType, params, item.itemNo, recipe, lengthOf);
  return shots === null || shots.length === 0 ? null : sourceAlong(withOverlap(shots, overlapSeconds(options)));
}

function shotsOf(taskType: Exclude<TaskType, "videoDeduplication">, params: Json, itemNo: number, recipe: Json, lengthOf: LengthOf): Shot[] | null {
  switch (taskType) {
    case "baseVideoMix": return groupShots(params, Number(recipe.group ?? itemNo - 1), lengthOf);
    case "proVideoMix": return sceneShots(params, recipe, lengthOf);
  }
}

function variationSource(params: Json, itemNo: number, recipe: Json): SourceAt | null {
  const clip = variedClip(params, itemNo);
  const [url, from, rate] = [clip?.filename, clip?.from ?? 0, Number(recipe.speed ?? 1)];
  return url === undefined ? null : (seconds) => ({ url, at: from + seconds * rate, rate });
}

function variedClip(params: Json, itemNo: number): Clip | undefined {
  let left = itemNo;
  return ((params.videoList as Clip[] | undefined) ?? []).find((clip) => (left -= clip.copies ?? 1) <= 0);
}

interface Group {
  videos?: Clip[];
  totalDuration?: number;
}

const groupOf = (params: Json, group: number) => (params.videoList as Group[] | undefined)?.[group];

/** The clips of a group, without clips beyond its end if the lengths are known. */
function groupClips(params: Json, group: number): Clip[] {
  const { videos = [], totalDuration } = groupOf(params, group) ?? {};
  const shots = groupShots(params, group, (url) => videos.find((clip) => clip.url === url)?.duration);
  if (shots === null || !totalDuration) return videos;
  const begins = withOverlap(shots, overlapSeconds((params.options ?? {}) as Json)).map((shot) => shot.begin);
  return videos.filter((_, index) => (begins[index] ?? 0) < totalDuration);
}

const rateOf = (clip: Clip) => clip.speed ?? 1;

/** Length of a clip in an output, if known. */
function usedLength(clip: Clip, lengthOf: LengthOf): number | null {
  const whole = clip.url === undefined ? undefined : lengthOf(clip.url);
  if (whole === undefined) return clip.to === undefined ? null : (clip.to - (clip.from ?? 0)) / rateOf(clip);
  return (Math.min(clip.to ?? whole, whole) - (clip.from ?? 0)) / rateOf(clip);
}

function groupShots(params: Json, group: number, lengthOf: LengthOf): Shot[] | null {
  const clips = groupOf(params, group)?.videos ?? [];
  const lengths = clips.map((clip) => usedLength(clip, lengthOf));
  if (lengths.some((length) => length === null || length <= 0)) return null;
  const shortest = (params.options as Json | undefined)?.isShortest === true ? Math.min(...(lengths as number[])) : Infinity;
  return toShots(clips.map((clip, index) => ({ clip, start: clip.from ?? 0, length: Math.min(lengths[index] ?? 0, shortest), period: lengths[index] ?? 0 })));
}

function sceneShots(params: Json, recipe: Json, lengthOf: LengthOf): Shot[] | null {
  if ((params.options as Json | undefined)?.isShortest === true) return null;
  const shown = sceneClips(params, recipe).flatMap(({ scene, clip, start }) => {
    if (scene.duration === undefined) return [];
    const whole = clip.url === undefined ? undefined : lengthOf(clip.url);
    const end = Math.min(clip.to ?? Infinity, whole ?? Infinity);
    return [{ clip, start, length: scene.duration, period: (end - start) / rateOf(clip) }];
  });
  return shown.length === scenesOf(params).length ? toShots(shown) : null;
}

interface Scene {
  sceneName?: string;
  sceneKey?: string;
  duration?: number;
  resources?: Clip[];
}

const scenesOf = (params: Json) => (params.scenes as Scene[] | undefined) ?? [];

function sceneClips(params: Json, recipe: Json): { scene: Scene; clip: Clip; start: number }[] {
  const [places, starts] = [recipe.combination as number[] | undefined, recipe.starts as number[] | undefined];
  return scenesOf(params).flatMap((scene, index) => {
    const clip = scene.resources?.[places?.[index] ?? -1];
    return clip === undefined ? [] : [{ scene, clip, start: starts?.[index] ?? clip.from ?? 0 }];
  });
}

function toShots(shown: readonly { clip: Clip; start: number; length: number; period: number }[]): Shot[] {
  let begin = 0;
  return shown.map(({ clip, start, length, period }) => {
    const shot = { url: clip.url ?? "", rate: rateOf(clip), begin, length, from: start, period };
    begin += length;
    return shot;
  });
}

function overlapSeconds(options: Json): number {
  const transition = options.transition as { names?: unknown[]; duration?: number } | undefined;
  return (transition?.names?.length ?? 0) > 0 ? (transition?.duration ?? 0.5) : 0;
}

function withOverlap(shots: Shot[], seconds: number): Shot[] {
  return shots.map((shot, index) => ({ ...shot, begin: shot.begin - index * seconds }));
}

function sourceAlong(shots: readonly Shot[]): SourceAt {
  return (seconds) => {
    const shot = shots.findLast((one) => one.begin <= seconds + 1e-6);
    if (shot === undefined || shot.url === "") return null;
    const inside = Math.max(0, seconds - shot.begin);
    // A clip that is slightly too short holds its last frame.
    const within = inside >= shot.period && shot.period > 0 && Number.isFinite(shot.period)
      ? (shot.length - shot.period <= Math.max(0.5, shot.period * 0.05) ? shot.period : inside % shot.period) : inside;
    return { url: shot.url, at: shot.from + within * shot.rate, rate: shot.rate };
  };
}
