/** Files on this machine: which to upload, and how downloads are named and checked. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { DownloadFailed } from "./errors.js";
import type { Task } from "./models.js";

/** Another size or time of change means other content. */
export async function keyOf(path: string): Promise<{ key: string; size: number }> {
  const facts = await stat(path);
  return { key: JSON.stringify([resolve(path), facts.size, facts.mtimeMs]), size: facts.size };
}

/** The files of a folder by their path relative to it; hidden ones are left out. */
export async function filesBelow(folder: string, accept: (name: string) => boolean): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const visit = async (place: string): Promise<void> => {
    for (const entry of await readdir(place, { withFileTypes: true })) {
      if (entry.name.startsWith(".")) continue;
      const path = join(place, entry.name);
      const name = relative(folder, path).split(sep).join("/");
      const facts = entry.isSymbolicLink() ? await stat(path) : entry;
      if (entry.isDirectory()) await visit(path);
      else if (facts.isFile() && accept(name)) found.set(name, path);
    }
  };
  await visit(folder);
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** One file to download. */
export interface Wanted {
  itemNo: number;
  url: string;
  path: string;
  size: number | undefined;
  sha256: string | undefined;
  cover: boolean;
}

/** The files of a task that can be downloaded now, with names as in the service's archives. */
export function wanted(task: Task, folder: string, covers: boolean): Wanted[] {
  return (task.items ?? []).flatMap((item) => {
    const name = join(folder, `${task.taskNo}-${item.itemNo}`);
    const files: Wanted[] = [];
    if (item.url) {
      const [size, sha256] = [item.sizeBytes ?? undefined, item.sha256 ?? undefined];
      files.push({ itemNo: item.itemNo, url: item.url, path: `${name}.mp4`, size, sha256, cover: false });
    }
    if (covers && item.coverUrl) {
      const unknown = { size: undefined, sha256: undefined };
      files.push({ itemNo: item.itemNo, url: item.coverUrl, path: `${name}.jpg`, ...unknown, cover: true });
    }
    return files;
  });
}

export const partial = (file: Wanted): string => `${file.path}.part`;

/** Bytes that an earlier attempt brought. */
export async function sizeOf(path: string): Promise<number> {
  return stat(path).then((facts) => facts.size, () => 0);
}

/** Whether an earlier call downloaded the whole file. */
export async function isThere(file: Wanted): Promise<boolean> {
  return file.size !== undefined && (await sizeOf(file.path)) === file.size && !(await wrong(file, file.path));
}

/** Takes a complete file into its place. */
export async function finish(file: Wanted): Promise<string> {
  const reason = await wrong(file, partial(file));
  if (reason) {
    await rm(partial(file), { force: true });
    throw new DownloadFailed(file.path, reason);
  }
  await rename(partial(file), file.path);
  return file.path;
}

async function wrong(file: Wanted, path: string): Promise<string | undefined> {
  const length = await sizeOf(path);
  if (file.size !== undefined && length !== file.size) return `${length} bytes came instead of ${file.size}`;
  if (file.sha256 !== undefined) {
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    if (hash.digest("hex") !== file.sha256) return "the content is not what was described";
  }
  return undefined;
}

/** Does something for every entry, so many at the same time; failures do not hold up the others. */
export async function sideBySide<T, R>(
  entries: readonly T[],
  concurrency: number,
  work: (entry: T) => Promise<R>,
): Promise<PromiseSettledResult<R>[]> {
  const outcomes = new Array<PromiseSettledResult<R>>(entries.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < entries.length) {
      const index = next++;
      [outcomes[index]] = (await Promise.allSettled([work(entries[index] as T)])) as [PromiseSettledResult<R>];
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(concurrency, entries.length)) }, lane));
  return outcomes;
}
