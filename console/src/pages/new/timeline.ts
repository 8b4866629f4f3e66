// The timeline of one output: start and length of each clip, as far as they are known.

import { t } from "../../i18n";
import { averageLength, voiceLength, type VoiceAudio, type VoiceLength } from "../../lib/voices";
import { clipLists, clipUrl, speedOf, type Clip, type ClipList, type Draft } from "../../lib/draft";
import { TASK_TYPE_INFO } from "../../lib/task-types";
import { getIn } from "../../lib/pointer";
import type { MediaFacts } from "../../lib/media";
import { fitScenes, overlapsOf } from "./scene-lengths";

export interface Block {
  clip: Clip;
  name: string;
  start: number;
  seconds: number;
  /** The length is not known yet. */
  guessed: boolean;
  /** Each video shows one of several clips. */
  isDrawn?: boolean;
}

/** The intro or outro; of several, each output shows one. */
export interface Bumper {
  start: number;
  /** Their average; 0 if there is none. */
  seconds: number;
  /** The length is not known yet, or not the same for all. */
  guessed: boolean;
}

export interface Timeline {
  intro: Bumper;
  blocks: Block[];
  outro: Bumper;
  seconds: number;
  /** It follows a voice whose length is not known yet. */
  estimated: boolean;
}

/** A timeline without intro and outro. */
type Main = Omit<Timeline, "intro" | "outro">;
type Part = Omit<Block, "start">;
type FactsOf = (clip: Clip) => MediaFacts;

const UNKNOWN_S = 5;
const PICTURE_S = 3;
const TAIL_S = 0.5;
const FPS = 30;
/** More blocks are not shown. */
const MAX_SHOWINGS = 300;

/** The timeline of the output that shows the clip `id`. */
export function timelineOf(draft: Draft, id: string | null, facts: FactsOf, nameOf: (clip: Clip) => string): Timeline {
  const bumper = (name: string) => bumperOf(getIn(draft, ["params", "options", name]) as { url?: string }[] | undefined, facts);
  const [intro, outro] = [bumper("introPool"), bumper("outroPool")];
  const main = mainOf(draft, id, facts, nameOf, intro.seconds + outro.seconds);
  const end = intro.seconds + main.seconds;
  return {
    intro: { ...intro, start: 0 },
    blocks: main.blocks.map((block) => ({ ...block, start: intro.seconds + block.start })),
    outro: { ...outro, start: end },
    seconds: end + outro.seconds,
    estimated: main.estimated,
  };
}

function bumperOf(pool: readonly { url?: string }[] = [], facts: FactsOf): Omit<Bumper, "start"> {
  const lengths = pool.flatMap(({ url }) => (url ? [lengthOf({ _id: url, url }, facts({ _id: url, url }))] : []));
  const seconds = averageOf(lengths.map((length) => length.seconds));
  return { seconds, guessed: lengths.some((length) => length.guessed || Math.abs(length.seconds - seconds) > 0.05) };
}

/** The clips between intro and outro, which take `bumpers` seconds of the declared length. */
function mainOf(draft: Draft, id: string | null, facts: FactsOf, nameOf: (clip: Clip) => string, bumpers: number): Main {
  const rows = clipLists(draft);
  const row = rows.find((list) => list.clips.some((clip) => clip._id === id)) ?? rows.find((list) => list.clips.length > 0);
  if (row === undefined) return arrange([], 0);
  const option = (name: string) => getIn(draft, ["params", "options", ...name.split("/")]);
  const { shownBy } = TASK_TYPE_INFO[draft.taskType];
  if (shownBy === "clip") {
    const clip = row.clips.find((candidate) => candidate._id === id) ?? row.clips[0];
    return clip === undefined ? arrange([], 0) : arrange([{ clip, name: nameOf(clip), ...lengthOf(clip, facts(clip)) }], 0);
  }
  const overlap = Number((option("transition/names") as unknown[] | undefined)?.length ? option("transition/duration") ?? 0.5 : 0);
  const voice = option("length") === "voice" ? voiceWithTail(option) : null;
  if (shownBy === "draw") return scenesOf(draft, rows, { id, nameOf, voice, overlap });
  const longest = Number(option("clipSeconds") ?? Infinity) || Infinity;
  const clips = row.clips.map((clip) => ({ clip, name: nameOf(clip), ...lengthOf(clip, facts(clip)) }));
  const parts = voice !== null ? inTurn(clips, longest, voice.seconds, overlap)
    : clips.map((part) => ({ ...part, seconds: Math.min(part.seconds, longest) }));
  const whole = arrange(asShortest(draft, parts), overlap);
  const most = Number(getIn(draft, [...row.path, "totalDuration"]) ?? Infinity);
  const end = Math.min(most > 0 ? Math.max(0.1, most - bumpers) : Infinity, voice?.seconds ?? Infinity);
  return { ...cut(whole, end), estimated: voice?.estimated ?? false };
}

/** The length that the voice of an output determines; null if there is none. */
function voiceWithTail(option: (name: string) => unknown): VoiceLength | null {
  const pool = (option("voicePool") as { audio?: VoiceAudio }[] | undefined) ?? [];
  const heard = voiceLength((option("audio") as VoiceAudio | undefined) ?? {}) ?? averageLength(pool.map(({ audio }) => audio ?? {}));
  return heard === null ? null : { ...heard, seconds: heard.seconds + Number(option("tail") ?? TAIL_S) };
}

/** All parts as long as the shortest known one, if that is set. */
function asShortest(draft: Draft, parts: readonly Part[]): Part[] {
  const knownLengths = parts.filter((part) => !part.guessed).map((part) => part.seconds);
  const isShortest = getIn(draft, ["params", "options", "isShortest"]) === true && knownLengths.length > 0;
  const least = isShortest ? Math.min(...knownLengths) : Infinity;
  return parts.map((part) => ({ ...part, seconds: Math.min(part.seconds, least) }));
}

/** Clips in turn until they last as long as the voice; longer clips are divided evenly and continue at their next turn. */
function inTurn(clips: readonly Part[], longest: number, wanted: number, overlap: number): Part[] {
  const counts = clips.map((part) => Math.max(1, Math.ceil(part.seconds / longest - 1e-6)));
  const turns = Math.max(...counts);
  const parts: Part[] = [];
  for (let turn = 0; clips.length > 0 && parts.length < MAX_SHOWINGS; turn += 1) {
    for (const [index, part] of clips.entries()) {
      const count = counts[index] ?? 1;
      if (turn % turns >= count) continue;
      if (arrange(parts, overlap).seconds >= wanted) return parts;
      parts.push({ ...part, seconds: part.seconds / count });
    }
  }
  return parts;
}

interface SceneView {
  id: string | null;
  nameOf: (clip: Clip) => string;
  voice: VoiceLength | null;
  overlap: number;
}

interface SceneFields {
  sceneName?: string;
  duration?: number;
  length?: string;
  audioResources?: (VoiceAudio & { startTime?: number })[];
}

/** The scenes with their clips: as long as declared, as long as their audio, or scaled to the voice. */
function scenesOf(draft: Draft, rows: readonly ClipList[], { id, nameOf, voice, overlap }: SceneView): Main {
  const shown = rows.filter((list) => list.clips.length > 0);
  let estimated = voice?.estimated ?? false;
  const scenes = shown.flatMap((list, place) => {
    const clip = list.clips.find((candidate) => candidate._id === id) ?? list.clips[0];
    if (clip === undefined) return [];
    const { sceneName, duration, length, audioResources = [] } = (getIn(draft, list.path) ?? {}) as SceneFields;
    const declared = Number(duration);
    const own = length === "voice" ? averageLength(audioResources) : null;
    // Which clip of a scene a video shows is drawn by the service.
    const isDrawn = list.clips.length > 1;
    const name = sceneName ?? (isDrawn ? t("board.scene", { n: rows.indexOf(list) + 1 }) : nameOf(clip));
    if (own === null) return [{ clip, name, seconds: declared > 0 ? declared : UNKNOWN_S, guessed: !(declared > 0), isDrawn, fixed: false }];
    estimated ||= own.estimated;
    const start = averageOf(audioResources.map((audio) => Number(audio.startTime ?? 0)));
    // The transition to the next scene begins when the audio has ended.
    return [{ clip, name, seconds: start + own.seconds + (place < shown.length - 1 ? overlap : 0), guessed: false, isDrawn, fixed: true }];
  });
  const fps = Number(getIn(draft, ["params", "options", "fps"]) ?? FPS) || FPS;
  const fitted = voice === null ? null : fitScenes(scenes, voice.seconds, overlap, fps);
  const parts = scenes.map(({ fixed: _, ...part }, place) => (fitted === null ? part : { ...part, seconds: fitted[place] ?? part.seconds }));
  return { ...arrange(fitted === null ? asShortest(draft, parts) : parts, overlap), estimated };
}

const averageOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

function lengthOf(clip: Clip, facts: MediaFacts): { seconds: number; guessed: boolean } {
  const still = /\.(jpe?g|png|webp)$/i.test(facts.name ?? clipUrl(clip)?.split(/[?#]/)[0] ?? "");
  const whole = facts.duration ?? clip.duration ?? (still ? PICTURE_S : undefined);
  if (whole === undefined) return { seconds: UNKNOWN_S, guessed: true };
  if (still) return { seconds: clip.duration ?? PICTURE_S, guessed: false };
  const seconds = (Math.min(whole, clip.to ?? whole) - (clip.from ?? 0)) / speedOf(clip);
  return { seconds: Math.max(0.1, seconds), guessed: false };
}

function arrange(parts: readonly Part[], wanted: number): Main {
  const overlaps = overlapsOf(parts.map((part) => part.seconds), wanted);
  let at = 0;
  const blocks = parts.map((part, index) => {
    const start = Math.max(0, at - (overlaps[index - 1] ?? 0));
    at = start + part.seconds;
    return { ...part, start };
  });
  return { blocks, seconds: at, estimated: false };
}

function cut({ blocks, seconds, estimated }: Main, most: number): Main {
  if (seconds <= most) return { blocks, seconds, estimated };
  const visibleBlocks = blocks.filter((block) => block.start < most);
  return { blocks: visibleBlocks.map((block) => ({ ...block, seconds: Math.min(block.seconds, most - block.start) })), seconds: most, estimated };
}
