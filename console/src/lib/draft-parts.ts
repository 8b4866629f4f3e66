// Separate options. The API accepts one set of options per task, so a draft with several option sets is sent as several
// tasks, one per set.

import { clipLists, toRequest, type Draft } from "./draft";
import { TASK_TYPE_INFO } from "./task-types";
import { getIn, setIn } from "./pointer";

type Json = Record<string, unknown>;

export interface Part {
  /** The option set; null for the options of all other videos. */
  set: string | null;
  draft: Draft;
  request: Json;
  /** Indexes of its videos in the whole draft. */
  places: readonly number[];
}

const listOf = (draft: Draft) => ["params", TASK_TYPE_INFO[draft.taskType].list] as const;

/** Entries that can have separate options: clips to vary, or groups. */
export const videosOf = (draft: Draft) => (TASK_TYPE_INFO[draft.taskType].own ? (getIn(draft, listOf(draft)) as Json[] | undefined) ?? [] : []);

/** The option set of a clip to vary, or of a group. */
export function setOf(draft: Draft, video: Json | undefined): string | null {
  const set = video?._set;
  return typeof set === "string" && draft._sets?.[set] !== undefined ? set : null;
}

/** The request of a part. Each set derives its own seed from the draft's seed, so that sets make different random choices. */
function requestOf(draft: Draft, set: string | null): Json {
  const request = toRequest(draft);
  const params = request.params as Json;
  if (draft._seed === undefined || params.seed !== undefined) return request;
  const seed = [...(set ?? "")].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 2 ** 47, draft._seed);
  return { ...request, params: { seed, ...params } };
}

/** Splits a draft into the tasks to send. */
export function partsOf(draft: Draft): Part[] {
  const videos = videosOf(draft);
  const sets = videos.map((video) => setOf(draft, video));
  if (sets.every((set) => set === null)) return [{ set: null, draft, request: requestOf(draft, null), places: videos.map((_, place) => place) }];
  const names = [...new Set(sets)].sort((a, b) => Number(a !== null) - Number(b !== null));
  return names.map((set, number) => {
    const places = videos.flatMap((_, place) => (sets[place] === set ? [place] : []));
    const own = setIn(draft, listOf(draft), places.map((place) => videos[place]));
    const withOptions = set === null ? own : setIn(own, ["params", "options"], draft._sets?.[set]);
    // A client task ID must identify one request.
    const withId = draft.clientTaskId && names.length > 1 ? { ...withOptions, clientTaskId: `${draft.clientTaskId}-${number + 1}` } : withOptions;
    return { set, draft: withId, request: requestOf(withId, set), places };
  });
}

/** The part that contains this clip, otherwise the first part. */
export function partWith(parts: readonly Part[], clip: string | null): Part | undefined {
  return parts.find((part) => clipLists(part.draft).some((list) => list.clips.some((one) => one._id === clip))) ?? parts[0];
}

/** Converts a pointer into a part's request to a pointer into the whole draft. */
export function wholePointer(part: Part, pointer: string): string {
  const list = `/${listOf(part.draft).join("/")}/`;
  const [, place, rest = ""] = /^(\d+)(.*)$/.exec(pointer.startsWith(list) ? pointer.slice(list.length) : "") ?? [];
  if (place !== undefined) return `${list}${part.places[Number(place)] ?? place}${rest}`;
  return part.set === null ? pointer : pointer.replace(/^\/params\/options(?=\/|$)/, `/_sets/${part.set}`);
}

/** Moves videos to an option set; null returns them to the options for all. */
export function assign(draft: Draft, videos: readonly string[], set: string | null): Draft {
  const videoIds = new Set(videos);
  const next = videosOf(draft).map((video) => {
    if (!videoIds.has(String(video._id))) return video;
    const { _set: _, ...rest } = video;
    return set === null ? rest : { ...rest, _set: set };
  });
  return setIn(draft, listOf(draft), next);
}

/** Removes the videos of a part that was sent. */
export function withoutPart(draft: Draft, part: Part): Draft {
  const sent = new Set(videosOf(part.draft).map((video) => video._id));
  return setIn(draft, listOf(draft), videosOf(draft).filter((video) => !sent.has(video._id)));
}
