// The moment that the preview shows, in seconds of the clip that it shows.

import { signal } from "@preact/signals";

export const moment = signal(1);

/** The clip that is played in the picture's place. */
export const played = signal<{ address: string; label: string } | null>(null);
/** What of the request is previewed, as `targetOf` tells it. */
export interface Target {
  itemNo: number;
  clip: number;
}
