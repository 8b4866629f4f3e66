// The visible options: null for the options for all, otherwise the name of an option set.

import { signal } from "@preact/signals";

export const optionScope = signal<string | null>(null);

const OPTIONS = /^\/params\/options(?=\/|$)/;

/** Converts the pointer of a field to its location in the draft. */
export function scopedPointer(pointer: string): string {
  return optionScope.value === null ? pointer : pointer.replace(OPTIONS, `/_sets/${optionScope.value}`);
}
