// Options for all and for one. The interface takes one set of options for a task: a draft whose videos have options of
// their own is sent as several tasks, one for each set.

import { clipLists, toRequest, type Draft } from "./draft";
import { KINDS } from "./kinds";
import { getIn, setIn } from "./pointer";

type Json = Record<string, unknown>;

export interface Part {
  /** The set of options; null is that of all others. */
  set: string | null;
  draft: Draft;
  request: Json;
  /** Where its videos stand in the whole draft. */
  places: readonly number[];
}

const listOf = (draft: Draft) => ["params", KINDS[draft.taskType].list] as const;

/** What may have options of its own: clips to vary, or groups. */
export const videosOf = (draft: Draft) => (KINDS[draft.taskType].own ? (getIn(draft, listOf(draft)) as Json[] | undefined) ?? [] : []);

/** The set of a video: a clip to vary, or a group. */
export function setOf(draft: Draft, video: Json | undefined): string | null {
  const set = video?._set;
  return typeof set === "string" && draft._sets?.[set] !== undefined ? set : null;
}

/** The request of a part: with the draft's seed, from which each set derives its own, so that sets are not drawn alike. */
function requestOf(draft: Draft, set: string | null): Json {
  const request = toRequest(draft);
  const params = request.params as Json;
  if (draft._seed === undefined || params.seed !== undefined) return request;
  const seed = [...(set ?? "")].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 2 ** 47, draft._seed);
  return { ...request, params: { seed, ...params } };
}

/** The tasks that a draft is sent as. */
export function partsOf(draft: Draft): Part[] {
  const videos = videosOf(draft);
  const sets = videos.map((video) => setOf(draft, video));
  if (sets.every((set) => set === null)) return [{ set: null, draft, request: requestOf(draft, null), places: videos.map((_, place) => place) }];
  const names = [...new Set(sets)].sort((a, b) => Number(a !== null) - Number(b !== null));
  return names.map((set, number) => {
    const places = videos.flatMap((_, place) => (sets[place] === set ? [place] : []));
    const own = setIn(draft, listOf(draft), places.map((place) => videos[place]));
    const optioned = set === null ? own : setIn(own, ["params", "options"], draft._sets?.[set]);
    // An id of one's own belongs to one request.
    const named = draft.clientTaskId && names.length > 1 ? { ...optioned, clientTaskId: `${draft.clientTaskId}-${number + 1}` } : optioned;
    return { set, draft: named, request: requestOf(named, set), places };
  });
}

/** The part that has this clip; the first where none does. */
export function partWith(parts: readonly Part[], clip: string | null): Part | undefined {
  return parts.find((part) => clipLists(part.draft).some((list) => list.clips.some((one) => one._id === clip))) ?? parts[0];
}

/** A pointer into a part's request as one into the whole draft. */
export function wholePointer(part: Part, pointer: string): string {
  const list = `/${listOf(part.draft).join("/")}/`;
  const [, place, rest = ""] = /^(\d+)(.*)$/.exec(pointer.startsWith(list) ? pointer.slice(list.length) : "") ?? [];
  if (place !== undefined) return `${list}${part.places[Number(place)] ?? place}${rest}`;
  return part.set === null ? pointer : pointer.replace(/^\/params\/options(?=\/|$)/, `/_sets/${part.set}`);
}

/** The draft with these videos in the set `set`, or back among the others. */
export function assign(draft: Draft, videos: readonly string[], set: string | null): Draft {
  const chosen = new Set(videos);
  const next = videosOf(draft).map((video) => {
    if (!chosen.has(String(video._id))) return video;
    const { _set: _, ...rest } = video;
    return set === null ? rest : { ...rest, _set: set };
  });
  return setIn(draft, listOf(draft), next);
}

/** Without the videos of a part that was sent. */
export function withoutPart(draft: Draft, part: Part): Draft {
  const sent = new Set(videosOf(part.draft).map((video) => video._id));
  return setIn(draft, listOf(draft), videosOf(draft).filter((video) => !sent.has(video._id)));
}
