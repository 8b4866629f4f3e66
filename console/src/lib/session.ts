// The API key. It lives as long as this tab, or on this device until signing out, as was chosen when signing in.

import { signal } from "@preact/signals";
import { forgetFiles } from "./kept-files";

const SLOT = "clipmill.key";
/** Where tables of templates are kept, by the number of the template. */
export const TABLE_SLOT = "clipmill.table.";

/** Whether this device keeps the key and what is typed with it. */
export const stays = signal(localStorage.getItem(SLOT) !== null);
export const apiKey = signal<string | null>(sessionStorage.getItem(SLOT) ?? localStorage.getItem(SLOT));
/** Whether the key opens the operator's pages; null until the service has answered. */
export const isAdmin = signal<boolean | null>(null);

/** The service no longer takes the key that was in use. */
export const sessionEnded = signal(false);

/** Why the operator has switched the account off, as the service last said. */
export const accountOff = signal<string | null>(null);

/** Where everything is kept for as long as the key is. */
export const storages = (): Storage[] => (stays.value ? [sessionStorage, localStorage] : [sessionStorage]);

const forgetters: (() => void)[] = [];

/** What pages forget with the key: another key is another user. */
export function whenForgotten(forget: () => void): void {
  forgetters.push(forget);
}

export function forgetAll(): void {
  for (const forget of forgetters) forget();
}

export function signIn(key: string, stay: boolean): void {
  if (sessionEnded.value && stay !== stays.value) moveTables(stay);
  stays.value = stay;
  for (const storage of storages()) storage.setItem(SLOT, key);
  sessionEnded.value = false;
  isAdmin.value = null;
  apiKey.value = key;
}

/** Tables of a session that ended go where the next one keeps them. */
function moveTables(stay: boolean): void {
  const [from, to] = stay ? [sessionStorage, localStorage] : [localStorage, sessionStorage];
  for (const name of Object.keys(from).filter((name) => name.startsWith(TABLE_SLOT))) {
    const table = from.getItem(name);
    from.removeItem(name);
    if (table !== null) to.setItem(name, table);
  }
}

/** Forgets the key and all that was typed with it. */
export function signOut(): void {
  // This comes first, because drafts are then written again to the right storage.
  stays.value = false;
  for (const name of Object.keys(localStorage).filter((name) => name === SLOT || name.startsWith("clipmill.draft.") || name.startsWith(TABLE_SLOT))) {
    localStorage.removeItem(name);
  }
  sessionStorage.clear();
  void forgetFiles();
  sessionEnded.value = false;
  leave();
}

/** Forgets a key that is not valid any more; drafts are kept for the next one. */
export function endSession(): void {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(SLOT);
  sessionEnded.value = true;
  leave();
}

function leave(): void {
  accountOff.value = null;
  isAdmin.value = null;
  apiKey.value = null;
}

// Signing out in one tab signs out all that share the key.
addEventListener("storage", (event) => {
  if (event.key === SLOT && event.newValue === null && stays.value && apiKey.value !== null) signOut();
});
