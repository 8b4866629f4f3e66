// Videos that the user has chosen. The browser stores the choice, because it is a personal preference and not part of the task.

import { signal } from "@preact/signals";

const SLOT = "clipmill.chosen";
/** Beyond this number, the oldest entries are removed. */
const MAX = 5000;

export const videoKey = (taskNo: string, itemNo: number): string => `${taskNo}/${itemNo}`;

export const selectedVideos = signal<ReadonlySet<string>>(read());

function read(): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(SLOT) ?? "[]");
    return new Set(Array.isArray(stored) ? stored.filter((key) => typeof key === "string") : []);
  } catch {
    return new Set();
  }
}

export function setSelected(keys: readonly string[], selected: boolean): void {
  // Another tab may have changed the stored list.
  const next = new Set(read());
  for (const key of keys) selected ? next.add(key) : next.delete(key);
  selectedVideos.value = new Set([...next].slice(-MAX));
  try {
    localStorage.setItem(SLOT, JSON.stringify([...selectedVideos.value]));
  } catch {
    // The storage is full or forbidden: the choice lasts as long as the page.
  }
}

export const toggleSelected = (key: string): void => setSelected([key], !selectedVideos.value.has(key));

addEventListener("storage", (event) => {
  if (event.key === SLOT) selectedVideos.value = read();
});
