// The API key. It is stored in this tab or, if the user chose so when signing in, on this device until sign-out.

import { signal } from "@preact/signals";
import { deleteAllFiles } from "./file-storage";

const SLOT = "clipmill.key";
/** Name of the user, if an invitation provided it. */
const NAME_SLOT = "clipmill.user";
/** Prefix of stored tables, followed by the template number. */
export const TABLE_SLOT = "clipmill.table.";

/** Whether the key and unfinished work are stored on this device. */
export const staysSignedIn = signal(localStorage.getItem(SLOT) !== null);
export const apiKey = signal<string | null>(sessionStorage.getItem(SLOT) ?? localStorage.getItem(SLOT));
export const knownUserName = signal<string | null>(sessionStorage.getItem(NAME_SLOT) ?? localStorage.getItem(NAME_SLOT));
/** Whether the key has the scope `admin`; null until the service has responded. */
export const isAdmin = signal<boolean | null>(null);

/** The service rejected the current key. */
export const sessionEnded = signal(false);

/** The reason why the operator switched the account off, from the last response. */
export const accountOff = signal<string | null>(null);

/** The storages that share the lifetime of the key. */
export const storages = (): Storage[] => (staysSignedIn.value ? [sessionStorage, localStorage] : [sessionStorage]);

const cleanups: (() => void)[] = [];

/** Registers a function that discards a page's data when another user signs in. */
export function onUserChange(forget: () => void): void {
  cleanups.push(forget);
}

export function discardUserData(): void {
  for (const forget of cleanups) forget();
}

export function signIn(key: string, stay: boolean, userName: string | null = null): void {
  if (sessionEnded.value && stay !== staysSignedIn.value) moveTables(stay);
  staysSignedIn.value = stay;
  for (const storage of storages()) {
    storage.setItem(SLOT, key);
    if (userName !== null) storage.setItem(NAME_SLOT, userName);
  }
  knownUserName.value = userName;
  sessionEnded.value = false;
  isAdmin.value = null;
  apiKey.value = key;
}

/** Moves the tables of an expired session to the storage of the next one. */
function moveTables(stay: boolean): void {
  const [from, to] = stay ? [sessionStorage, localStorage] : [localStorage, sessionStorage];
  for (const name of Object.keys(from).filter((name) => name.startsWith(TABLE_SLOT))) {
    const table = from.getItem(name);
    from.removeItem(name);
    if (table !== null) to.setItem(name, table);
  }
}

/** Deletes the key and all unfinished work. */
export function signOut(): void {
  // First, because drafts are then written to the right storage.
  staysSignedIn.value = false;
  for (const name of Object.keys(localStorage).filter((name) => name === SLOT || name === NAME_SLOT || name.startsWith("clipmill.draft.") || name.startsWith(TABLE_SLOT))) {
    localStorage.removeItem(name);
  }
  sessionStorage.clear();
  void deleteAllFiles();
  sessionEnded.value = false;
  clearSession();
}

/** Deletes a key that is no longer valid; drafts are kept for the next key. */
export function endSession(): void {
  for (const storage of [sessionStorage, localStorage]) {
    storage.removeItem(SLOT);
    storage.removeItem(NAME_SLOT);
  }
  sessionEnded.value = true;
  clearSession();
}

function clearSession(): void {
  accountOff.value = null;
  isAdmin.value = null;
  knownUserName.value = null;
  apiKey.value = null;
}

// Signing out in one tab signs out all tabs that share the key.
addEventListener("storage", (event) => {
  if (event.key === SLOT && event.newValue === null && staysSignedIn.value && apiKey.value !== null) signOut();
});
