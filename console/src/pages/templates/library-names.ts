// Cells that name files of the library, and which files they mean.

import { assets, type LibraryFile } from "../../lib/assets";

/** Files by the names that were looked up. */
export type KnownNames = Map<string, readonly LibraryFile[]>;

const PAGE_SIZE = 100;
const LONGEST_NAME = 255;

/** A text that could be a file's name: not a URL and not empty. */
export function isFileName(cell: string): boolean {
  const text = cell.trim();
  return text !== "" && text.length <= LONGEST_NAME && !text.includes("://") && !/\p{Cc}/u.test(text);
}

/** Names are compared in any case, and with composed or decomposed accents: macOS stores the latter. */
const fold = (name: string) => name.normalize().toLowerCase();
const lastPart = (path: string) => path.split(/[\\/]/).at(-1) ?? "";
const withoutExtension = (name: string) => name.replace(/\.[^.]+$/, "");

/** Whether a cell gives a file's whole name, so that nothing more has to be typed. */
export const isWholeName = (cell: string, name: string): boolean => lastPart(fold(cell.trim())) === fold(name);

/** Whether a cell names a file: in any case, by a path, or without the extension. */
export function isNamed(cell: string, name: string): boolean {
  const [text, lower] = [fold(cell.trim()), fold(name)];
  return text !== "" && (text === lower || lastPart(text) === lower || text === withoutExtension(lower));
}

interface FileNames {
  whole: Map<string, LibraryFile[]>;
  withoutExtension: Map<string, LibraryFile[]>;
}

/** Files by their folded names. */
export function byName(files: readonly LibraryFile[]): FileNames {
  const names: FileNames = { whole: new Map(), withoutExtension: new Map() };
  const add = (to: Map<string, LibraryFile[]>, name: string, file: LibraryFile) => {
    const same = to.get(name);
    if (same === undefined) to.set(name, [file]);
    else same.push(file);
  };
  for (const file of files) {
    const name = fold(file.name ?? "");
    if (name === "") continue;
    add(names.whole, name, file);
    add(names.withoutExtension, withoutExtension(name), file);
  }
  return names;
}

/** The files that a cell names: exactly, else in another case, else by a path, else without the extension. */
export function namedFiles(cell: string, names: FileNames): LibraryFile[] {
  const text = cell.trim();
  const lower = fold(text);
  const whole = names.whole.get(lower) ?? [];
  const sameCase = whole.filter(({ name }) => name === text);
  const ways = [sameCase, whole, names.whole.get(lastPart(lower)), names.withoutExtension.get(lower)];
  return ways.find((files) => files !== undefined && files.length > 0) ?? [];
}

/** Looks up names that are not known yet: one by one, or in the whole library where that takes fewer calls. */
export async function lookUp(cells: readonly string[], known: KnownNames, signal: AbortSignal): Promise<void> {
  const unknownCells = [...new Set(cells)].filter((cell) => !known.has(cell));
  if (unknownCells.length === 0) return;
  const { total } = await assets.files({ pageSize: 1 }, signal);
  const searches = total <= unknownCells.length * PAGE_SIZE ? [""] : unknownCells.map((cell) => lastPart(cell.trim()));
  const files = (await Promise.all(searches.map((q) => filesWith(q, signal)))).flat();
  const library = byName([...new Map(files.map((file) => [file.url, file])).values()]);
  for (const cell of unknownCells) known.set(cell, namedFiles(cell, library));
}

async function filesWith(q: string, signal: AbortSignal): Promise<LibraryFile[]> {
  const files: LibraryFile[] = [];
  for (let pageNo = 1; ; pageNo += 1) {
    const { list, total } = await assets.files({ q, pageNo, pageSize: PAGE_SIZE }, signal);
    files.push(...list);
    if (list.length === 0 || pageNo * PAGE_SIZE >= total) return files;
  }
}

/** Names of these uploads, of those whose name no other file of the library has. */
export async function libraryNames(urls: readonly string[], signal: AbortSignal): Promise<Map<string, string>> {
  const { total } = await assets.files({ pageSize: 1 }, signal);
  const files = total <= urls.length * PAGE_SIZE
    ? await filesWith("", signal)
    : (await Promise.all(urls.map((url) => assets.file(url, signal).catch(() => null)))).flatMap((file) => file ?? []);
  const names = new Map(files.flatMap(({ url, name }) => (name !== null && urls.includes(url) ? [[url, name] as const] : [])));
  const known: KnownNames = new Map();
  await lookUp([...new Set(names.values())], known, signal);
  // A cell with the name must lead back to the file.
  return new Map([...names].filter(([url, name]) => isFileName(name) && known.get(name)?.length === 1 && known.get(name)?.[0]?.url === url));
}

/** Whether any of these cells names a file of the library. */
export async function namesAny(cells: readonly string[], signal: AbortSignal): Promise<boolean> {
  const known: KnownNames = new Map();
  await lookUp(cells.filter(isFileName), known, signal);
  return [...known.values()].some((files) => files.length > 0);
}
