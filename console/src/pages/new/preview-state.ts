// The position of the preview: in a clip or, for example for a caption, in the whole video.

import { signal } from "@preact/signals";

/** Seconds from the start of the video; null while the preview shows a clip. */
export const previewSecond = signal<number | null>(null);

/** The current frame, shown again where the preview is out of sight. */
export const previewFrame = signal<string | null>(null);

/** Seconds from the start of the previewed clip. */
export const clipSecond = signal(1);

/** The video that replaces the frame while it plays. */
export const playback = signal<{ address: string; label: string } | null>(null);

/** An output and one of its clips; without a clip, times refer to the whole output. */
export interface PreviewTarget {
  itemNo: number;
  clip?: number;
}
