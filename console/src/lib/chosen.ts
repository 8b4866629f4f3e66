// Videos that were marked as chosen. The browser keeps the marks: they are about what somebody likes, not about the task.

import { signal } from "@preact/signals";

const SLOT = "clipmill.chosen";
/** Of more, the oldest marks are forgotten. */
const MOST = 5000;

export const keyOf = (taskNo: string, itemNo: number): string => `${taskNo}/${itemNo}`;

export const chosen = signal<ReadonlySet<string>>(read());

function read(): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(SLOT) ?? "[]");
    return new Set(Array.isArray(kept) ? kept.filter((key) => typeof key === "string") : []);
  } catch {
    return new Set();
  }
}

export function mark(keys: readonly string[], is: boolean): void {
  // Another tab may have marked others since.
  const next = new Set(read());
  for (const key of keys) is ? next.add(key) : next.delete(key);
  chosen.value = new Set([...next].slice(-MOST));
  try {
    localStorage.setItem(SLOT, JSON.stringify([...chosen.value]));
  } catch {
    // full or forbidden: the marks live as long as the page
  }
}

export const toggle = (key: string): void => mark([key], !chosen.value.has(key));

addEventListener("storage", (event) => {
  if (event.key === SLOT) chosen.value = read();
});
