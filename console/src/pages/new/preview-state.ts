// The moment that the preview shows: of a clip or, where somebody asked for one (a caption does), of the whole video.

import { signal } from "@preact/signals";

/** Seconds from the beginning of the video; null where the preview shows a clip. */
export const previewSecond = signal<number | null>(null);

/** The picture that the preview shows, for where the preview itself is out of sight. */
export const previewFrame = signal<string | null>(null);

/** Seconds of the clip that the preview shows. */
export const clipSecond = signal(1);

/** The seconds that are played in the picture's place. */
export const playback = signal<{ address: string; label: string } | null>(null);

/** An output, and a clip of it; without one, moments are those of the whole output. */
export interface PreviewTarget {
  itemNo: number;
  clip?: number;
}
