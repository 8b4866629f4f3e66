// The timeline of one output: start and length of each clip, as far as they are known.

import { clipLists, clipUrl, type Clip, type ClipList, type Draft } from "../../lib/draft";
import { TASK_TYPE_INFO } from "../../lib/task-types";
import { getIn } from "../../lib/pointer";
import type { MediaFacts } from "../../lib/media";

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
  const longest = Number(option("clipSeconds") ?? Infinity);
  // Clips continue and repeat until the voice ends, which is not known here.
  const byVoice = option("length") === "voice";
  const shown = (length: { seconds: number; guessed: boolean }) => ({ seconds: Math.min(length.seconds, longest), guessed: length.guessed || byVoice });
  const parts = shownBy === "row"
    ? row.clips.map((clip) => ({ clip, name: nameOf(clip), ...shown(lengthOf(clip, facts(clip))) }))
    : rows.flatMap((list) => scene(draft, list, id, nameOf));
  const knownLengths = parts.filter((part) => !part.guessed).map((part) => part.seconds);
  const least = shorter && knownLengths.length > 0 ? Math.min(...knownLengths) : Infinity;
  const whole = arrange(parts.map((part) => ({ ...part, seconds: Math.min(part.seconds, least) })), overlap);
  const most = shownBy === "row" ? Number(getIn(draft, [...row.path, "totalDuration"]) ?? Infinity) : Infinity;
  return cut(whole, most > 0 ? most : Infinity);
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
