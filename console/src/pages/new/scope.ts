// Whose options are in view: those of all videos, or a set that some have of their own.

import { signal } from "@preact/signals";

export const scope = signal<string | null>(null);

const OPTIONS = /^\/params\/options(?=\/|$)/;

/** Where in the draft a field of the page stands. */
export function real(pointer: string): string {
  return scope.value === null ? pointer : pointer.replace(OPTIONS, `/_sets/${scope.value}`);
}
