// The timeline of the previewed output, and the moment that the preview shows.

import { clipName, previewedClip } from "./clip-name";
import { clipSecond, previewSecond } from "./preview-state";
import { clipFacts, content } from "./state";
import { timelineOf, type Block, type Timeline } from "./timeline";

export interface Now extends Timeline {
  current: Block | undefined;
  /** Seconds from the start of the output. */
  at: number;
}

export function currentTimeline(): Now {
  const timeline = timelineOf(content.value, previewedClip.value, clipFacts, clipName);
  const current = timeline.blocks.find((block) => block.clip._id === previewedClip.value) ?? timeline.blocks[0];
  const at = previewSecond.value ?? (current?.start ?? 0) + Math.min(clipSecond.value, current?.seconds ?? 0);
  return { ...timeline, current, at };
}
