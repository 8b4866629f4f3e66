/** Files on this machine: selection of uploads, names and checks of downloads. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { extname, join, relative, resolve, sep } from "node:path";
import type { OnProgress } from "./body.js";
import { DownloadFailed } from "./errors.js";
import type { Task } from "./models.js";

/** A different size or modification time means different content. */
export async function keyOf(path: string): Promise<{ key: string }> {
  const facts = await stat(path);
  return { key: JSON.stringify([resolve(path), facts.size, facts.mtimeMs]) };
}

/** Adds up the progress of files that are uploaded side by side. */
export class FolderProgress {
  readonly #sizes: Map<string, number>;
  readonly #sent = new Map<string, number>();
  readonly #onProgress: OnProgress | undefined;
  readonly #total: number;

  private constructor(sizes: Map<string, number>, onProgress: OnProgress | undefined) {
    this.#sizes = sizes;
    this.#total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    this.#onProgress = onProgress;
  }

  static async of(paths: readonly string[], onProgress: OnProgress | undefined): Promise<FolderProgress> {
    const sizes = await Promise.all(paths.map(async (path) => [path, await sizeOf(path)] as const));
    return new FolderProgress(new Map(sizes), onProgress);
  }

  /** The progress of one file. */
  note(path: string): OnProgress {
    return (sent) => {
      this.#sent.set(path, sent);
      this.#onProgress?.([...this.#sent.values()].reduce((sum, size) => sum + size, 0), this.#total);
    };
  }

  /** A file is stored, even if nothing was sent because it had been uploaded before. */
  done(path: string): void {
    const size = this.#sizes.get(path) ?? 0;
    if (this.#sent.get(path) !== size) this.note(path)(size, size);
  }
}

/** The files of a folder by their path relative to it, without hidden ones. */
export async function filesBelow(folder: string, accept: (name: string) => boolean): Promise<Map<string, string>> {
  const paths = new Map<string, string>();
  const visit = async (place: string): Promise<void> => {
    for (const entry of await readdir(place, { withFileTypes: true })) {
      if (entry.name.startsWith(".")) continue;
      const path = join(place, entry.name);
      const name = relative(folder, path).split(sep).join("/");
      const facts = entry.isSymbolicLink() ? await stat(path) : entry;
      if (entry.isDirectory()) await visit(path);
      else if (facts.isFile() && accept(name)) paths.set(name, path);
    }
  };
  await visit(folder);
  return new Map([...paths].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** One file to download. The service may set its name in the response. */
export interface Wanted {
  itemNo: number;
  url: string;
  folder: string;
  /** Its name if the service sends none. */
  numbered: string;
  size: number | undefined;
  sha256: string | undefined;
  cover: boolean;
}

/** The files of a task that are available for download. */
export function wanted(task: Task, folder: string, covers: boolean): Wanted[] {
  return (task.items ?? []).flatMap((item) => {
    const name = `${task.taskNo}-${item.itemNo}`;
    const files: Wanted[] = [];
    if (item.url) {
      const [size, sha256] = [item.sizeBytes ?? undefined, item.sha256 ?? undefined];
      files.push({ itemNo: item.itemNo, url: item.url, folder, numbered: `${name}.mp4`, size, sha256, cover: false });
    }
    if (covers && item.coverUrl) {
      const unknown = { size: undefined, sha256: undefined };
      files.push({ itemNo: item.itemNo, url: item.coverUrl, folder, numbered: `${name}.jpg`, ...unknown, cover: true });
    }
    return files;
  });
}

export const partial = (file: Wanted): string => join(file.folder, `${file.numbered}.part`);

/** Bytes of an earlier attempt. */
export async function sizeOf(path: string): Promise<number> {
  return stat(path).then((facts) => facts.size, () => 0);
}

/** Files downloaded by an earlier call, identified by content, whatever their names; one per output. */
export async function present(files: readonly Wanted[], folder: string): Promise<Map<Wanted, string>> {
  const existing = new Map<string, Set<string>>();
  const entries = await readdir(folder, { withFileTypes: true });
  for (const path of entries.filter((entry) => entry.isFile()).map((entry) => join(folder, entry.name)).sort()) {
    const key = `${extname(path)} ${await sizeOf(path)}`;
    existing.set(key, (existing.get(key) ?? new Set()).add(path));
  }
  const digests = new Map<string, string>();
  const digestOf = async (path: string): Promise<string> => {
    const digest = digests.get(path) ?? (await sha256Of(path));
    digests.set(path, digest);
    return digest;
  };
  const matches = new Map<Wanted, string>();
  for (const file of files) {
    if (file.sha256 === undefined || file.size === undefined) continue;
    const candidates = existing.get(`${extname(file.numbered)} ${file.size}`) ?? new Set();
    for (const path of candidates) {
      if ((await digestOf(path)) !== file.sha256) continue;
      matches.set(file, path);
      candidates.delete(path);
      break;
    }
  }
  return matches;
}

/** In bytes; file systems allow 255. */
const MAX_NAME_LENGTH = 200;
const DEVICE = /^(con|prn|aux|nul|(com|lpt)[0-9¹²³])\s*(\.|$)/i;

/**
 * The file name of a response if it is a valid plain name; else `numbered`.
 *
 * The server cannot choose another folder or file type.
 */
export function named(disposition: string | null, numbered: string): string {
  const header = disposition ?? "";
  const extended = /(?:^|;)\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  const sent = (extended && decoded(extended)) ?? /(?:^|;)\s*filename\s*=\s*"?([^";]*)/i.exec(header)?.[1] ?? "";
  // Control characters, and marks that reorder a displayed name; not the joiners of scripts and emoji.
  const text = (sent.split(/[/\\]/).pop() ?? "").replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "");
  const ending = extname(numbered);
  const tidy = (stem: string) => stem.replace(/^[ .]+|[ .]+$/g, "");
  let stem = tidy(text.slice(0, -ending.length).replace(/[:*?"<>|]/g, "-"));
  if (!text.endsWith(ending) || stem === "") return numbered;
  while (Buffer.byteLength(stem) > MAX_NAME_LENGTH - ending.length) stem = tidy([...stem].slice(0, -1).join(""));
  const name = stem + ending;
  return DEVICE.test(name) ? `_${name}` : name;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Moves a complete file into a folder; if another file has its name, ` (2)` is added. With `same`, a file of
 * that name and the same content is kept.
 */
export async function add(part: string, folder: string, name: string, same = false): Promise<string> {
  const ending = extname(name);
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? name : `${name.slice(0, -ending.length)} (${number})${ending}`);
    try {
      // Creating the file reserves the name.
      await (await open(path, "wx")).close();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (!same || !(await isSame(part, path))) continue;
      await rm(part);
      return path;
    }
    try {
      await rename(part, path);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return path;
  }
}

/** Only covers are compared, which are small. */
async function isSame(one: string, other: string): Promise<boolean> {
  if (!(await stat(other)).isFile()) return false;
  return (await readFile(one)).equals(await readFile(other));
}

/** Moves a complete file into place. */
export async function finish(file: Wanted, disposition: string | null): Promise<string> {
  const reason = await wrong(file, partial(file));
  if (reason) {
    await rm(partial(file), { force: true });
    throw new DownloadFailed(join(file.folder, file.numbered), reason);
  }
  return add(partial(file), file.folder, named(disposition, file.numbered), file.sha256 === undefined);
}

async function wrong(file: Wanted, path: string): Promise<string | undefined> {
  const length = await sizeOf(path);
  if (file.size !== undefined && length !== file.size) return `${length} bytes came instead of ${file.size}`;
  if (file.sha256 !== undefined && (await sha256Of(path)) !== file.sha256) return "the content is not what was described";
  return undefined;
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/** Runs a function for every entry with limited concurrency; failures do not stop the others. */
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
