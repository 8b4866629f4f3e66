// The timeline of one output: start and length of each clip, as far as they are known.

import { clipLists, clipUrl, type Clip, type ClipList, type Draft } from "../../lib/draft";
import { TASK_TYPE_INFO } from "../../lib/task-types";
import { getIn } from "../../lib/pointer";
import { media, type MediaFacts } from "../../lib/media";

export interface Block {
  clip: Clip;
  name: string;
  start: number;
  seconds: number;
  /** The length is not known yet. */
  guessed: boolean;
}

export interface Timeline {
  blocks: Block[];
  seconds: number;
}

const UNKNOWN_S = 5;
const PICTURE_S = 3;
const TAIL_S = 0.5;
/** More blocks are not shown. */
const MOST_SHOWINGS = 300;

/** The timeline of the output that shows the clip `id`. */
export function timelineOf(draft: Draft, id: string | null, facts: (clip: Clip) => MediaFacts, nameOf: (clip: Clip) => string): Timeline {
  const rows = clipLists(draft);
  const row = rows.find((list) => list.clips.some((clip) => clip._id === id)) ?? rows.find((list) => list.clips.length > 0);
  if (row === undefined) return { blocks: [], seconds: 0 };
  const option = (name: string) => getIn(draft, ["params", "options", ...name.split("/")]);
  const shorter = option("isShortest") === true;
  const { shownBy } = TASK_TYPE_INFO[draft.taskType];
  if (shownBy === "clip") {
    const clip = row.clips.find((candidate) => candidate._id === id) ?? row.clips[0];
    return clip === undefined ? arrange([], 0) : arrange([{ clip, name: nameOf(clip), ...lengthOf(clip, facts(clip)) }], 0);
  }
  const overlap = Number((option("transition/names") as unknown[] | undefined)?.length ? option("transition/duration") ?? 0.5 : 0);
  const longest = Number(option("clipSeconds") ?? Infinity) || Infinity;
  const ofRow = row.clips.map((clip) => ({ clip, name: nameOf(clip), ...lengthOf(clip, facts(clip)) }));
  const voiceSeconds = shownBy === "row" && option("length") === "voice" ? voiceLength(option) : null;
  const parts = voiceSeconds !== null ? inTurn(ofRow, longest, voiceSeconds, overlap)
    : shownBy === "row" ? ofRow.map((part) => ({ ...part, seconds: Math.min(part.seconds, longest) }))
    : rows.flatMap((list) => scene(draft, list, id, nameOf));
  const knownLengths = parts.filter((part) => !part.guessed).map((part) => part.seconds);
  const least = shorter && knownLengths.length > 0 ? Math.min(...knownLengths) : Infinity;
  const whole = arrange(parts.map((part) => ({ ...part, seconds: Math.min(part.seconds, least) })), overlap);
  const most = shownBy === "row" ? Number(getIn(draft, [...row.path, "totalDuration"]) ?? Infinity) : Infinity;
  return cut(whole, Math.min(most > 0 ? most : Infinity, voiceSeconds ?? Infinity));
}

/** The length that the voice determines; null if it is not known, as in a pool of voices. */
function voiceLength(option: (name: string) => unknown): number | null {
  const url = option("audio/url");
  const file = typeof url === "string" ? media.value.get(url)?.duration : undefined;
  const limit = Number(option("audio/duration") ?? Infinity) || Infinity;
  const heard = Math.min(file ?? Infinity, limit);
  return heard === Infinity ? null : heard + Number(option("tail") ?? TAIL_S);
}

/** Clips in turn until they last as long as the voice; longer clips are divided evenly and continue at their next turn. */
function inTurn(clips: readonly Omit<Block, "start">[], longest: number, wanted: number, overlap: number): Omit<Block, "start">[] {
  const counts = clips.map((part) => Math.max(1, Math.ceil(part.seconds / longest - 1e-6)));
  const turns = Math.max(...counts);
  const parts: Omit<Block, "start">[] = [];
  for (let turn = 0; clips.length > 0 && parts.length < MOST_SHOWINGS; turn += 1) {
    for (const [index, part] of clips.entries()) {
      const count = counts[index] ?? 1;
      if (turn % turns >= count) continue;
      if (arrange(parts, overlap).seconds >= wanted) return parts;
      parts.push({ ...part, seconds: part.seconds / count });
    }
  }
  return parts;
}

function scene(draft: Draft, list: ClipList, id: string | null, nameOf: (clip: Clip) => string) {
  const clip = list.clips.find((candidate) => candidate._id === id) ?? list.clips[0];
  if (clip === undefined) return [];
  const { sceneName, duration } = (getIn(draft, list.path) ?? {}) as { sceneName?: string; duration?: number };
  const seconds = Number(duration);
  return [{ clip, name: sceneName ?? nameOf(clip), seconds: seconds > 0 ? seconds : UNKNOWN_S, guessed: !(seconds > 0) }];
}

function lengthOf(clip: Clip, facts: MediaFacts): { seconds: number; guessed: boolean } {
  const still = /\.(jpe?g|png|webp)$/i.test(facts.name ?? clipUrl(clip)?.split(/[?#]/)[0] ?? "");
  const whole = facts.duration ?? clip.duration ?? (still ? PICTURE_S : undefined);
  if (whole === undefined) return { seconds: UNKNOWN_S, guessed: true };
  if (still) return { seconds: clip.duration ?? PICTURE_S, guessed: false };
  const seconds = Math.min(whole, clip.to ?? whole) - (clip.from ?? 0);
  return { seconds: Math.max(0.1, seconds), guessed: false };
}

function arrange(parts: Omit<Block, "start">[], wanted: number): Timeline {
  const room = (index: number) => (parts[index]?.seconds ?? 0) / (index === 0 || index === parts.length - 1 ? 1 : 2);
  let at = 0;
  const blocks = parts.map((part, index) => {
    const overlap = index === 0 ? 0 : Math.min(wanted, room(index - 1), room(index));
    const start = Math.max(0, at - overlap);
    at = start + part.seconds;
    return { ...part, start };
  });
  return { blocks, seconds: at };
}

function cut({ blocks, seconds }: Timeline, most: number): Timeline {
  if (seconds <= most) return { blocks, seconds };
  const visibleBlocks = blocks.filter((block) => block.start < most);
  return { blocks: visibleBlocks.map((block) => ({ ...block, seconds: Math.min(block.seconds, most - block.start) })), seconds: most };
}
