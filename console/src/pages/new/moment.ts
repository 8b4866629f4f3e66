// The moment of the whole video that the preview shows, where somebody asked for one: a caption, for one.

import { signal } from "@preact/signals";

/** Seconds from the beginning of the video; null where the preview shows a clip. */
export const moment = signal<number | null>(null);

/** The picture that the preview shows, for where the preview itself is out of sight. */
export const frame = signal<string | null>(null);
