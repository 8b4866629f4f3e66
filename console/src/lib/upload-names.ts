// Names of uploads from a table, a template or another browser, requested once from the service.

import { t } from "../i18n";
import { BASE, call } from "./api";
import { media, nameOf, noteMedia } from "./media";

const UPLOAD = /^upload:\/\/(\w+)$/;
const AT_ONCE = 3;

const requestedUrls = new Set<string>();
const queue: string[] = [];
let active = 0;

/** The name of a file. The name of an unknown upload is available after the service has responded. */
export function fileName(url: string): string {
  const id = UPLOAD.exec(url)?.[1];
  if (id !== undefined && media.value.get(url)?.name === undefined && !requestedUrls.has(url)) {
    requestedUrls.add(url);
    queue.push(url);
    queueMicrotask(() => void pump());
  }
  return nameOf(url);
}

async function pump(): Promise<void> {
  if (active >= AT_ONCE) return;
  const url = queue.shift();
  if (url === undefined) return;
  active += 1;
  try {
    const { name } = await call<{ name: string | null }>(`${BASE}/uploads/${UPLOAD.exec(url)?.[1] ?? ""}`);
    if (name !== null) noteMedia(url, { name });
  } catch {
    // The upload was deleted or belongs to another user; using it results in an error.
  }
  active -= 1;
  void pump();
}

const SHOWN_NAMES = 8;

/** File names for a message. */
export function namesOf(files: readonly Pick<File, "name">[], shown = SHOWN_NAMES): string {
  const names = files.slice(0, shown).map(({ name }) => name).join(", ");
  return files.length > shown ? t("dropped.more", { names, n: files.length - shown }) : names;
}
