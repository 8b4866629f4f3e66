// What files are called whose urls came from elsewhere: a table, a template, another browser. The service is asked once.

import { BASE, call } from "./api";
import { media, nameOf, noteMedia } from "./media";

const UPLOAD = /^upload:\/\/(\w+)$/;
const AT_ONCE = 3;

const asked = new Set<string>();
const waiting: string[] = [];
let active = 0;

/** The name of a file; of an upload that this browser does not know, as soon as the service has told it. */
export function fileName(url: string): string {
  const id = UPLOAD.exec(url)?.[1];
  if (id !== undefined && media.value.get(url)?.name === undefined && !asked.has(url)) {
    asked.add(url);
    waiting.push(url);
    queueMicrotask(() => void pump());
  }
  return nameOf(url);
}

async function pump(): Promise<void> {
  if (active >= AT_ONCE) return;
  const url = waiting.shift();
  if (url === undefined) return;
  active += 1;
  try {
    const { name } = await call<{ name: string | null }>(`${BASE}/uploads/${UPLOAD.exec(url)?.[1] ?? ""}`);
    if (name !== null) noteMedia(url, { name });
  } catch {
    // It is gone, or somebody else's: whoever uses it is told.
  }
  active -= 1;
  void pump();
}
