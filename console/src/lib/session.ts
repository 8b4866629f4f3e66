// The API key of this browser tab. It lives in session storage only: closing the tab forgets it.

import { signal } from "@preact/signals";

const SLOT = "clipmill.key";

export const apiKey = signal<string | null>(sessionStorage.getItem(SLOT));
/** Whether the key opens the operator's pages; null until it was asked. */
export const isAdmin = signal<boolean | null>(null);

export function signIn(key: string): void {
  sessionStorage.setItem(SLOT, key);
  isAdmin.value = null;
  apiKey.value = key;
}

/** Forgets the key and all that was typed with it. */
export function signOut(): void {
  sessionStorage.clear();
  isAdmin.value = null;
  apiKey.value = null;
}
