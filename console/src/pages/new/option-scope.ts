// Whose options are in view: those of all videos, or a set that some have of their own.

import { signal } from "@preact/signals";

export const optionScope = signal<string | null>(null);

const OPTIONS = /^\/params\/options(?=\/|$)/;

/** Where in the draft a field of the page stands. */
export function scopedPointer(pointer: string): string {
  return optionScope.value === null ? pointer : pointer.replace(OPTIONS, `/_sets/${optionScope.value}`);
}
