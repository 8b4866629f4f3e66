// A request that is being edited. It has the shape of the request, so that a pointer in an error also identifies the
// control. Fields that only the page needs begin with `_` and are never sent.

import { t } from "../i18n";
import { optionsWith } from "../i18n/fields";
import { TASK_TYPE_INFO, isTaskType, type Goal } from "./task-types";
import { getIn, parsePointer, setIn, type Path } from "./pointer";
import type { TaskType } from "./types";

export interface Clip {
  _id: string;
  /** ID of the upload that will provide the url. */
  _upload?: string;
  url?: string;
  filename?: string;
  duration?: number;
  from?: number;
  to?: number;
  speed?: number;
  volume?: number;
  look?: string;
  copies?: number;
  key?: string;
  sceneName?: string;
  imageMotion?: string;
  /** The halves of a split screen; without it, the second clip is not sent. */
  layout?: string;
  second?: { url?: string; from?: number; to?: number };
  /** Name of the option set, if the clip has separate options. */
  _set?: string;
}

/** A file that is being uploaded for a list: the list's pointer, and the fields beside the url. */
export interface Adding {
  at: string;
  /** Null if the list contains only urls. */
  entry: Record<string, unknown> | null;
}

export interface Draft {
  taskType: TaskType;
  params: Record<string, unknown>;
  name?: string;
  labels?: string[];
  callbackUrl?: string;
  clientTaskId?: string;
  maxPoints?: number;
  /** Uploads for fields of one file, by the field's pointer. */
  _uploads?: Record<string, string>;
  /** Uploads for lists of files, by the upload. */
  _adding?: Record<string, Adding>;
  /** Separate option sets of some videos, by name. */
  _sets?: Record<string, Record<string, unknown>>;
  /** Used unless `params.seed` is set, so that preview, price and videos make the same random choices. */
  _seed?: number;
  /** The goal that the draft was started for. */
  _goal?: Goal;
  /** The automatic distribution of clips over scenes, until the user changes it. */
  _spread?: string;
  /** Number of files that another browser was still uploading when the draft was saved. */
  _waiting?: number;
  /** Number of copies of each video, also of those that are added later. */
  _copies?: number;
}

/** A list of clips: a group, a scene, or all videos to vary. */
export interface ClipList {
  id: string;
  /** The row itself; equal to `clipsPath` where the row is the whole list. */
  path: (string | number)[];
  clipsPath: (string | number)[];
  clips: Clip[];
}

type Json = Record<string, unknown>;

/** Options that have an effect only while this field is true. */
export const SWITCHES = optionsWith("switch");
/** Options that have an effect only if this field is set, or a text in place of a file. */
export const NEEDS = optionsWith("needs");
const IN_PLACE_OF_FILE = ["text", "cues"];

/** Whether an option has the field that it needs. */
export function hasNeeded(option: unknown, needed: string): boolean {
  const fields = (option ?? {}) as Json;
  const accepted = needed === "url" ? [needed, ...IN_PLACE_OF_FILE] : [needed];
  return accepted.some((field) => fields[field] !== undefined && fields[field] !== "");
}

let counter = 0;
export function newId(): string {
  counter += 1;
  return `${Date.now().toString(36)}-${counter}`;
}

/** Below 2^47, so that further seeds can be derived from it. */
export const newSeed = (): number => Math.floor(Math.random() * 2 ** 47);

export function emptyDraft(taskType: TaskType): Draft {
  // Readable on phones. Without a file, the caption style is not sent.
  const options = { subtitle: { style: { weight: "bold" } } };
  switch (taskType) {
    case "videoDeduplication": return { taskType, params: { videoList: [], options: {} } };
    case "baseVideoMix": return { taskType, params: { videoList: [newGroup()], options } };
    case "proVideoMix": {
      const scenes = [newScene([]), newScene([{ sceneKey: "scene-1" }])];
      return { taskType, params: { scenes, audioMode: "split", generateCount: 2, options } };
    }
  }
}

export function newGroup(): Json {
  return { _id: newId(), videos: [] };
}

/** A scene with a unique key. */
export function newScene(others: readonly Json[]): Json {
  const usedKeys = new Set(others.map((scene) => scene.sceneKey));
  let n = others.length + 1;
  while (usedKeys.has(`scene-${n}`)) n += 1;
  return { _id: newId(), sceneKey: `scene-${n}`, duration: 3, resources: [] };
}

/** The default name of a scene. */
export const sceneName = (place: number): string => t("board.scene", { n: place + 1 });

export const urlField = (taskType: TaskType) => TASK_TYPE_INFO[taskType].url;

export function clipUrl(clip: Clip): string | undefined {
  return clip.url ?? clip.filename;
}

/** How fast a clip plays; an invalid value has no effect on lengths until it is corrected. */
export function speedOf({ speed = 1 }: Pick<Clip, "speed">): number {
  return Number(speed) > 0 ? Number(speed) : 1;
}

/** Unchanged rows keep their list, so that they are not rendered again. */
const listOfRow = new WeakMap<object, ClipList>();

function listIn(row: object, clips: Clip[], make: () => Omit<ClipList, "clips">, index?: number): ClipList {
  const before = listOfRow.get(row);
  if (before !== undefined && before.clips === clips && before.path[2] === index) return before;
  const list = { ...make(), clips };
  listOfRow.set(row, list);
  return list;
}

export function clipLists(draft: Draft): ClipList[] {
  const list = (path: Path): Json[] => (getIn(draft, path) as Json[] | undefined) ?? [];
  const { list: outer, clips: inner } = TASK_TYPE_INFO[draft.taskType];
  if (inner === null) {
    const path = ["params", outer];
    const clips = list(path) as unknown as Clip[];
    return [listIn(clips, clips, () => ({ id: "all", path, clipsPath: path }))];
  }
  return list(["params", outer]).map((clipList, index) => {
    const path = ["params", outer, index];
    const clips = (clipList[inner] as Clip[] | undefined) ?? [];
    return listIn(clipList, clips, () => ({ id: String(clipList._id), path, clipsPath: [...path, inner] }), index);
  });
}

export function allClips(draft: Draft): Clip[] {
  return clipLists(draft).flatMap((clipList) => clipList.clips);
}

/** Moves clip `id` before position `index` of list `listId`; the position refers to the list before the move. */
export function moveClip(draft: Draft, id: string, listId: string, index: number): Draft {
  const rows = clipLists(draft);
  const from = rows.find((clipList) => clipList.clips.some((clip) => clip._id === id));
  const to = rows.find((clipList) => clipList.id === listId);
  const clip = from?.clips.find((candidate) => candidate._id === id);
  if (from === undefined || to === undefined || clip === undefined) return draft;
  const without = from.clips.filter((candidate) => candidate !== clip);
  const at = from === to && from.clips.indexOf(clip) < index ? index - 1 : index;
  const target = from === to ? without : to.clips;
  const next = [...target.slice(0, Math.max(0, at)), clip, ...target.slice(Math.max(0, at))];
  const moved = from === to ? draft : setIn(draft, from.clipsPath, without);
  return keepCombinations(draft, setIn(moved, to.clipsPath, next));
}

export function moveClipList(draft: Draft, from: number, to: number): Draft {
  const rows = clipLists(draft);
  const path = rows[from]?.path.slice(0, -1);
  if (path === undefined || TASK_TYPE_INFO[draft.taskType].clips === null || to < 0 || to >= rows.length) return draft;
  const list = (getIn(draft, path) as Json[]).slice();
  list.splice(to, 0, ...list.splice(from, 1));
  return keepCombinations(draft, setIn(draft, path, list));
}

export function removeClip(draft: Draft, id: string): Draft {
  const clipList = clipLists(draft).find((row) => row.clips.some((clip) => clip._id === id));
  if (clipList === undefined) return draft;
  return keepCombinations(draft, setIn(draft, clipList.clipsPath, clipList.clips.filter((clip) => clip._id !== id)));
}

export function removeClips(draft: Draft, ids: ReadonlySet<string>): Draft {
  const next = clipLists(draft).reduce((rest, row) => (
    row.clips.some((clip) => ids.has(clip._id)) ? setIn(rest, row.clipsPath, row.clips.filter((clip) => !ids.has(clip._id))) : rest), draft);
  return keepCombinations(draft, next);
}

export function removeClipList(draft: Draft, listId: string): Draft {
  const clipList = clipLists(draft).find((row) => row.id === listId);
  if (clipList === undefined || TASK_TYPE_INFO[draft.taskType].clips === null) return draft;
  const path = clipList.path.slice(0, -1);
  const list = (getIn(draft, path) as Json[]).filter((row) => row._id !== listId);
  return keepCombinations(draft, setIn(draft, path, list));
}

export function addClips(draft: Draft, listId: string, clips: readonly Clip[]): Draft {
  const clipList = clipLists(draft).find((row) => row.id === listId);
  return clipList === undefined ? draft : setIn(draft, clipList.clipsPath, [...clipList.clips, ...clips]);
}

/** Applies `change` to the object with this `_id`, wherever it is now. */
export function updateById<T>(value: T, id: string, change: (part: Json) => Json): T {
  if (Array.isArray(value)) {
    const next = value.map((part) => updateById(part, id, change));
    return next.some((part, index) => part !== value[index]) ? (next as T) : value;
  }
  if (value === null || typeof value !== "object") return value;
  if ((value as Json)._id === id) return change(value as Json) as T;
  let copy: Json | null = null;
  for (const [name, part] of Object.entries(value)) {
    const next = updateById(part, id, change);
    if (next !== part) copy = { ...(copy ?? (value as Json)), [name]: next };
  }
  return (copy ?? value) as T;
}

/** Manual combinations refer to clips by position, so they are updated when clips move. */
export function keepCombinations(before: Draft, after: Draft): Draft {
  const rows = getIn(before, ["params", "combinations"]) as (number | null)[][] | undefined;
  if (before.taskType !== "proVideoMix" || rows === undefined || rows.length === 0) return after;
  const old = clipLists(before);
  const chosen = rows.map((row) => new Map(old.map((clipList, scene) => [clipList.id, clipList.clips[row[scene] ?? -1]?._id])));
  const ids = new Set(old.map((clipList) => clipList.id));
  const next = chosen.map((ofRow) => clipLists(after).map((clipList) => {
    if (!ids.has(clipList.id)) return 0;
    const place = clipList.clips.findIndex((clip) => clip._id === ofRow.get(clipList.id));
    return Math.max(0, place);
  }));
  return setIn(keepStarts(before, after), ["params", "combinations"], next);
}

/** Start times are listed by scene, like combinations. */
function keepStarts(before: Draft, after: Draft): Draft {
  const rows = getIn(before, ["params", "starts"]) as number[][] | undefined;
  if (rows === undefined || rows.length === 0) return after;
  const places = new Map(clipLists(before).map((clipList, scene) => [clipList.id, scene]));
  const next = rows.map((row) => clipLists(after).map((clipList) => row[places.get(clipList.id) ?? -1] ?? 0));
  return setIn(after, ["params", "starts"], next);
}

/** The request to send. */
export function toRequest(draft: Draft): Json {
  const request = strip(draft) as Json;
  const params = request.params as Json;
  const options = withoutEmpty({ ...(params.options as Json | undefined) }) as Json;
  for (const [name, field] of Object.entries(SWITCHES)) {
    if ((options[name] as Json | undefined)?.[field] !== true) delete options[name];
  }
  const scenes = Array.isArray(params.scenes) ? (params.scenes as Json[]).map(sentScene) : undefined;
  const captions = sentCaptions(options.subtitle as Json | undefined, scenes?.some((scene) => scene.text !== undefined));
  for (const [name, field] of Object.entries(NEEDS)) {
    if (!hasNeeded(options[name], field)) delete options[name];
  }
  if (captions !== undefined) options.subtitle = captions;
  if (Array.isArray(options.effects)) options.effects = (options.effects as Json[]).filter((effect) => effect.value !== undefined);
  const { title, ...cover } = (options.cover as Json | undefined) ?? {};
  if (title !== undefined && !hasNeeded(title, "text")) options.cover = cover;
  for (const name of ["effects", "cover"]) if (Object.keys(options[name] ?? {}).length === 0) delete options[name];
  if (Array.isArray(options.voicePool)) options.voicePool = (options.voicePool as Json[]).map(({ subtitle, ...voice }) => {
    const captions = sentCaptions(subtitle as Json | undefined);
    return captions === undefined ? voice : { ...voice, subtitle: captions };
  });
  const combinations = params.combinations as unknown[] | undefined;
  const { options: _, combinations: __, starts, ...rest } = params;
  if (scenes !== undefined) rest.scenes = scenes;
  if (draft.taskType === "baseVideoMix" && Array.isArray(rest.videoList)) rest.videoList = (rest.videoList as Json[]).map(sentGroup);
  return {
    ...request,
    params: {
      ...rest,
      ...(combinations !== undefined && combinations.length > 0 ? { combinations, ...(starts === undefined ? {} : { starts }) } : {}),
      ...(Object.keys(options).length > 0 ? { options } : {}),
    },
  };
}

/** A group without second clips whose layout was cleared. */
function sentGroup({ videos, ...group }: Json): Json {
  const sent = ({ second, ...clip }: Json) => (clip.layout === undefined || second === undefined ? clip : { ...clip, second });
  return Array.isArray(videos) ? { videos: (videos as Json[]).map(sent), ...group } : group;
}

/** A scene with a name, without audio that has neither a file nor a text. */
function sentScene(scene: Json, place: number): Json {
  const { audioResources, ...rest } = scene;
  const named = { sceneName: sceneName(place), ...rest };
  const audio = Array.isArray(audioResources) ? audioResources.filter((one) => hasNeeded(one, "url")) : [];
  return audio.length === 0 ? named : { ...named, audioResources: audio };
}

/** The captions to send: those of a file, which replaces captions in the request. Captions of scenes use their style. */
function sentCaptions(subtitle: Json | undefined, ofScenes = false): Json | undefined {
  const { text, timing, cues, from, ...file } = subtitle ?? {};
  if (file.url !== undefined) return file;
  if (text === undefined && cues === undefined && from === undefined && !ofScenes) return undefined;
  return subtitle !== undefined && Object.keys(subtitle).length > 0 ? subtitle : undefined;
}

/** Removes options without values. */
function withoutEmpty(value: unknown): unknown {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, withoutEmpty(part)] as const);
  return Object.fromEntries(parts.filter(([, part]) => part === null || typeof part !== "object" || Object.keys(part).length > 0));
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value)
    .filter(([name, part]) => !name.startsWith("_") && part !== undefined && part !== "" && part !== null)
    .map(([name, part]) => [name, strip(part)]));
}

export class NotARequest extends Error {}

/** Creates a draft from a sent or pasted request. */
export function fromRequest(request: unknown): Draft {
  const { taskType, params, callbackUrl, clientTaskId, name, labels, maxPoints } = (request ?? {}) as Json;
  if (!isTaskType(taskType)) throw new NotARequest();
  if (params === null || typeof params !== "object" || Array.isArray(params)) throw new NotARequest();
  const identified = identify(params) as Json;
  const outer = TASK_TYPE_INFO[taskType].list;
  if (identified[outer] !== undefined && !Array.isArray(identified[outer])) throw new NotARequest();
  const draft: Draft = { taskType, params: { ...identified, [outer]: identified[outer] ?? [], options: identified.options ?? {} } };
  if (typeof callbackUrl === "string") draft.callbackUrl = callbackUrl;
  if (typeof clientTaskId === "string") draft.clientTaskId = clientTaskId;
  if (typeof name === "string") draft.name = name;
  if (typeof maxPoints === "number") draft.maxPoints = maxPoints;
  if (Array.isArray(labels) && labels.length > 0) draft.labels = labels.map(String);
  return draft;
}

function identify(value: unknown, inList = false): unknown {
  if (Array.isArray(value)) return value.map((part) => identify(part, true));
  if (value === null || typeof value !== "object") return value;
  const parts = Object.entries(value).filter(([, part]) => part !== null).map(([name, part]) => [name, identify(part)]);
  return { ...Object.fromEntries(parts), ...(inList ? { _id: newId() } : {}) };
}

const sceneAudioOf = (draft: Draft): Clip[] => (
  ((draft.params.scenes as Json[] | undefined) ?? []).flatMap((scene) => (scene.audioResources as Clip[] | undefined) ?? []));

/** Uploads that the draft waits for: clips, scene audio, fields with one file, and lists of files. */
export function pendingUploads(draft: Draft): string[] {
  const clips = [...allClips(draft), ...sceneAudioOf(draft)].flatMap((part) => part._upload ?? []);
  return [...clips, ...Object.values(draft._uploads ?? {}), ...Object.keys(draft._adding ?? {})];
}

/** Sets the url of a finished upload wherever the draft waits for it. */
export function withUploadUrl(draft: Draft, id: string, url: string, duration?: number): Draft {
  const clip = allClips(draft).find((clip) => clip._upload === id);
  if (clip !== undefined) {
    return updateById(draft, clip._id, ({ _upload: _, ...rest }) => (
      { ...rest, [urlField(draft.taskType)]: url, ...(duration ? { duration } : {}) }));
  }
  const sound = sceneAudioOf(draft).find((sound) => sound._upload === id);
  if (sound !== undefined) return updateById(draft, sound._id, ({ _upload: _, ...rest }) => ({ ...rest, url }));
  const adding = draft._adding?.[id];
  if (adding !== undefined) {
    const path = parsePointer(adding.at);
    const list = (getIn(draft, path) as unknown[] | undefined) ?? [];
    return setIn(setIn(draft, ["_adding", id], undefined), path, [...list, adding.entry === null ? url : { ...adding.entry, url }]);
  }
  const pointer = Object.entries(draft._uploads ?? {}).find(([, job]) => job === id)?.[0];
  if (pointer === undefined) return draft;
  return setIn(setIn(draft, ["_uploads", pointer], undefined), parsePointer(pointer), url);
}

/** Removes the fields that wait for these uploads. */
export function withoutUploads(draft: Draft, uploadIds: readonly string[]): Draft {
  const isLost = (part: Clip) => part._upload !== undefined && uploadIds.includes(part._upload);
  const clips = allClips(draft).filter(isLost);
  const { _uploads, _adding, ...whole } = clips.reduce((rest, clip) => removeClip(rest, clip._id), draft);
  const fields = Object.fromEntries(Object.entries(_uploads ?? {}).filter(([, id]) => !uploadIds.includes(id)));
  const lists = Object.fromEntries(Object.entries(_adding ?? {}).filter(([id]) => !uploadIds.includes(id)));
  const remaining = {
    ...whole,
    ...(Object.keys(fields).length > 0 ? { _uploads: fields } : {}),
    ...(Object.keys(lists).length > 0 ? { _adding: lists } : {}),
  };
  const audible = (scene: Json) => {
    const sounds = scene.audioResources as Clip[] | undefined;
    return sounds === undefined ? scene : { ...scene, audioResources: sounds.filter((sound) => !isLost(sound)) };
  };
  const scenes = (remaining.params.scenes as Json[] | undefined)?.map(audible);
  return scenes === undefined ? remaining : { ...remaining, params: { ...remaining.params, scenes } };
}

/** The shell command that sends the same request. */
export function curl(origin: string, request: unknown): string {
  const body = JSON.stringify(request, null, 2).replaceAll("'", `'\\''`);
  return `curl -s "${origin}/open-api/v1/video-process/submit" \\\n  -H "X-API-Key: $KEY" -H "Content-Type: application/json" \\\n  -d '${body}'`;
}
