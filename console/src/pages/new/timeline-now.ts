// The timeline of the previewed output, and the moment that the preview shows.

import { media } from "../../lib/media";
import { language } from "../../lib/prefs";
import { uploads } from "../../lib/uploads";
import { heardLengths } from "../../lib/voices";
import { clipName, previewedClip } from "./clip-name";
import { clipSecond, previewSecond } from "./preview-state";
import { clipFacts, content } from "./state";
import { timelineOf, type Block, type Timeline } from "./timeline";

export interface Now extends Timeline {
  current: Block | undefined;
  /** Seconds from the start of the output. */
  at: number;
}

let last: { of: readonly unknown[]; timeline: Timeline } | null = null;

/** Several components use it, and render while something is dragged or typed that does not affect it. */
function latestTimeline(): Timeline {
  const of = [content.value, previewedClip.value, media.value, uploads.value, heardLengths.value, language.value];
  if (last === null || of.some((value, place) => value !== last?.of[place])) {
    last = { of, timeline: timelineOf(content.value, previewedClip.value, clipFacts, clipName) };
  }
  return last.timeline;
}

/** Seconds before the captions and voice of the previewed output begin. */
export const introSeconds = (): number => latestTimeline().intro.seconds;

export function currentTimeline(): Now {
  const timeline = latestTimeline();
  const { blocks, intro } = timeline;
  const second = previewSecond.value;
  if (second !== null) return { ...timeline, at: second, current: blocks.findLast(({ start, seconds }) => start <= second && second < start + seconds) };
  const current = blocks.find((block) => block.clip._id === previewedClip.value) ?? blocks[0];
  return { ...timeline, at: (current?.start ?? intro.seconds) + Math.min(clipSecond.value, current?.seconds ?? 0), current };
}
