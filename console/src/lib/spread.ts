// Distributes clips over scenes. Similar clips share a scene, where each video shows only one of them; so the scenes of a
// video differ, and the clips of a scene are about as long.

import { addClips, allClips, clipLists, clipUrl, newId, newScene, pendingUploads, type Clip, type Draft } from "./draft";
import { setIn } from "./pointer";

export interface ClipFacts {
  /** Brightness gradients of the thumbnail, see `imageHash`. */
  hash?: string | undefined;
  seconds?: number | undefined;
}

/** The preferred number of scenes, best first. */
const SCENE_COUNTS = [3, 4, 2, 5];
const MAX_SECONDS = 3;
const MIN_SECONDS = 0.5;
/** A difference of lengths by this factor counts as much as entirely different images. */
const LENGTH_FACTOR = 4;
/** The weight of lengths, compared to images. */
const LENGTH_WEIGHT = 0.5;

/** The distance of two clips, 0 if they are alike. */
export function distance(a: ClipFacts, b: ClipFacts): number {
  const image = a.hash === undefined || b.hash === undefined || a.hash.length !== b.hash.length ? 0 : differences(a.hash, b.hash) / a.hash.length;
  const length = !a.seconds || !b.seconds ? 0 : Math.min(1, Math.abs(Math.log(a.seconds / b.seconds)) / Math.log(LENGTH_FACTOR));
  return image + LENGTH_WEIGHT * length;
}

/** The number of places in which two texts of the same length differ. */
function differences(a: string, b: string): number {
  let count = 0;
  for (let place = 0; place < a.length; place += 1) if (a.charCodeAt(place) !== b.charCodeAt(place)) count += 1;
  return count;
}

/** Sizes of `groups` groups that differ by at most one. */
const sizesOf = (count: number, groups: number) => Array.from({ length: groups }, (_, place) => Math.floor(count / groups) + (place < count % groups ? 1 : 0));

/** Number of scenes for `videos` different videos; null if the clips of a scene must be used in other scenes too. */
export function sceneCount(clips: number, videos: number): number | null {
  return SCENE_COUNTS.find((scenes) => clips >= 2 * scenes && sizesOf(clips, scenes).reduce((product, size) => product * size, 1) >= videos) ?? null;
}

/** The most clips that fit into the scenes, if a scene can have `most`. */
export const mostSpread = (most: number): number => most * (SCENE_COUNTS[0] ?? 1);

/** Groups of about equal size, as indexes; the clips of a group are alike. */
export function groupAlike(facts: readonly ClipFacts[], groups: number): number[][] {
  const between = facts.map((one) => facts.map((other) => distance(one, other)));
  const far = (a: number, b: number) => between[a]?.[b] ?? 0;
  const rest = facts.map((_, place) => place);
  const seeds = rest.splice(0, 1);
  const toSeed = (one: number) => Math.min(...seeds.map((seed) => far(one, seed)));
  while (seeds.length < groups && rest.length > 0) {
    const next = rest.reduce((best, one) => (toSeed(one) > toSeed(best) ? one : best));
    seeds.push(...rest.splice(rest.indexOf(next), 1));
  }
  const result = seeds.map((seed) => [seed]);
  /** Distance of each clip to the nearest one of each group. */
  const near = facts.map((_, one) => seeds.map((seed) => far(one, seed)));
  // Some groups have one more than the others.
  let larger = facts.length % groups;
  const size = Math.floor(facts.length / groups);
  while (rest.length > 0) {
    let best: readonly [clip: number, group: number] | null = null;
    for (const clip of rest) {
      for (const [group, members] of result.entries()) {
        if (members.length > size || (members.length === size && larger === 0)) continue;
        if (best === null || (near[clip]?.[group] ?? 0) < (near[best[0]]?.[best[1]] ?? 0)) best = [clip, group];
      }
    }
    if (best === null) break;
    const [clip, group] = best;
    if (result[group]?.length === size) larger -= 1;
    result[group]?.push(clip);
    rest.splice(rest.indexOf(clip), 1);
    for (const one of rest) {
      const row = near[one];
      if (row !== undefined) row[group] = Math.min(row[group] ?? 0, far(one, clip));
    }
  }
  return result.map((group) => group.sort((a, b) => a - b)).sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
}

/** A key that copies of a clip share. */
export const fileOf = (clip: Clip) => JSON.stringify([clipUrl(clip) ?? clip._upload ?? clip._id, clip.from, clip.to]);

/** The clips in the order in which they were added, each once. */
function uniqueClips(draft: Draft): Clip[] {
  const order = ({ _id }: Clip) => {
    const [time = "", count = "0"] = _id.split("-");
    return [Number.parseInt(time, 36) || 0, Number(count) || 0] as const;
  };
  const clips = [...allClips(draft)].sort((a, b) => order(a)[0] - order(b)[0] || order(a)[1] - order(b)[1]);
  const seen = new Set<string>();
  return clips.filter((clip) => {
    const key = fileOf(clip);
    return !seen.has(key) && seen.add(key);
  });
}

/** Describes which clips are in which scene, and for how long. */
export function layoutOf(draft: Draft): string {
  const scenes = (draft.params.scenes as { duration?: number }[] | undefined) ?? [];
  return JSON.stringify(clipLists(draft).map((list, place) => [scenes[place]?.duration ?? 0, list.clips.map((clip) => clip._id)]));
}

/** Like `layoutOf`, but copies of a clip are equal. */
const shapeOf = (draft: Draft) => JSON.stringify([clipLists(draft).map((list) => list.clips.map(fileOf)), (draft.params.scenes as { duration?: number }[]).map((scene) => scene.duration)]);

/** Whether the clips are distributed automatically: the user has not changed the result. */
export const isSpreadAutomatically = (draft: Draft): boolean => allClips(draft).length === 0 || draft._spread === layoutOf(draft);

/** Long enough to be seen, and not longer than any clip of the scene. */
function sceneSeconds(facts: readonly ClipFacts[]): number {
  const shortest = Math.min(MAX_SECONDS, ...facts.flatMap(({ seconds }) => seconds || []));
  return Math.max(MIN_SECONDS, Math.floor(shortest * 10) / 10);
}

/** The draft with its clips distributed over scenes. */
export function spread(draft: Draft, videos: number, factsOf: (clip: Clip) => ClipFacts): Draft {
  const clips = uniqueClips(draft);
  if (clips.length === 0) return draft;
  const facts = clips.map(factsOf);
  const scenes = sceneCount(clips.length, videos);
  // With few clips, every scene has all of them, once they are uploaded.
  const shares = scenes === null && pendingUploads(draft).length === 0;
  const count = scenes ?? Math.min(SCENE_COUNTS[0] ?? 3, clips.length);
  const groups = shares ? Array.from({ length: count }, () => clips.map((_, place) => place)) : groupAlike(facts, count);
  const existing = (draft.params.scenes as Record<string, unknown>[] | undefined) ?? [];
  const rows: Record<string, unknown>[] = groups.reduce<Record<string, unknown>[]>((list, _, place) => [...list, existing[place] ?? newScene(list)], []);
  const empty: Record<string, unknown>[] = rows.map((row, place) => ({ ...row, duration: sceneSeconds((groups[place] ?? []).map((clip) => facts[clip] ?? {})), resources: [] }));
  const used = new Set<number>();
  const filled = groups.reduce((rest, group, place) => {
    const listId = String(empty[place]?._id);
    const own = group.flatMap((at) => {
      const clip = clips[at];
      if (clip === undefined) return [];
      const isFirst = !used.has(at);
      used.add(at);
      return [isFirst ? clip : { ...clip, _id: newId() }];
    });
    return addClips(rest, listId, own);
  }, setIn(setIn(draft, ["params", "scenes"], empty), ["params", "combinations"], undefined));
  // Copies with other IDs are no change.
  return shapeOf(filled) === shapeOf(draft) && draft._spread === layoutOf(draft) ? draft : { ...filled, _spread: layoutOf(filled) };
}
