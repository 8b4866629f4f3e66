// Matches cells with file names to files of the library.

import { assets, type LibraryFile } from "../../lib/assets";
import { editDistance } from "../../lib/headings";

/** Files by requested names. */
export type KnownNames = Map<string, readonly LibraryFile[]>;

const PAGE_SIZE = 100;
const MAX_NAME_LENGTH = 255;
/** Shorter names resemble too many others. */
const SHORTEST_NAME = 3;

/** Whether a text can be a file name: not a URL and not empty. */
export function isFileName(cell: string): boolean {
  const text = cell.trim();
  return text !== "" && text.length <= MAX_NAME_LENGTH && !text.includes("://") && !/\p{Cc}/u.test(text);
}

/** Ignores case and normalizes accents, which macOS stores decomposed. */
const fold = (name: string) => name.normalize().toLowerCase();
const lastPart = (path: string) => path.split(/[\\/]/).at(-1) ?? "";
const withoutExtension = (name: string) => name.replace(/\.[^.]+$/, "");

/** Whether a cell contains the complete file name. */
export const isWholeName = (cell: string, name: string): boolean => lastPart(fold(cell.trim())) === fold(name);

/** Whether a cell names a file, ignoring case, path and extension. */
export function isNamed(cell: string, name: string): boolean {
  const [text, lower] = [fold(cell.trim()), fold(name)];
  return text !== "" && (text === lower || lastPart(text) === lower || text === withoutExtension(lower));
}

interface FileNames {
  whole: Map<string, LibraryFile[]>;
  withoutExtension: Map<string, LibraryFile[]>;
}

/** Files by normalized name. */
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

/** The files that a cell names: an exact match, otherwise ignoring case, then path, then extension. */
export function namedFiles(cell: string, names: FileNames): LibraryFile[] {
  const text = cell.trim();
  const lower = fold(text);
  const whole = names.whole.get(lower) ?? [];
  const sameCase = whole.filter(({ name }) => name === text);
  const ways = [sameCase, whole, names.whole.get(lastPart(lower)), names.withoutExtension.get(lower)];
  return ways.find((files) => files !== undefined && files.length > 0) ?? [];
}

/** The only file whose name differs in at most two letters, or one of three. */
export function closestFile(cell: string, files: readonly LibraryFile[]): LibraryFile | undefined {
  const text = withoutExtension(lastPart(fold(cell.trim())));
  const most = text.length < SHORTEST_NAME ? -1 : Math.min(2, Math.ceil(text.length / 3));
  const near = files.filter(({ name }) => name !== null && editDistance(text, withoutExtension(fold(name))) <= most);
  return near.length === 1 ? near[0] : undefined;
}

/** The most files of a library that are listed to find what misspelt names mean. */
const MAX_LISTED = 2000;

/**
 * Looks up unknown names one by one, or lists the whole library if that takes fewer calls. Then `closest` gets the files
 * that misspelt names probably mean.
 */
export async function lookUp(cells: readonly string[], known: KnownNames, signal: AbortSignal, closest?: Map<string, LibraryFile>): Promise<void> {
  const unknownCells = [...new Set(cells)].filter((cell) => !known.has(cell));
  if (unknownCells.length === 0) return;
  const { total } = await assets.files({ pageSize: 1 }, signal);
  const searches = total <= unknownCells.length * PAGE_SIZE ? [""] : unknownCells.map((cell) => lastPart(cell.trim()));
  let files = (await Promise.all(searches.map((q) => filesWith(q, signal)))).flat();
  // A search by a misspelt name finds no other.
  const isMissing = (cell: string) => namedFiles(cell, byName(files)).length === 0;
  if (closest !== undefined && searches[0] !== "" && total <= MAX_LISTED && unknownCells.some(isMissing)) files = await filesWith("", signal);
  const library = byName([...new Map(files.map((file) => [file.url, file])).values()]);
  for (const cell of unknownCells) {
    const named = namedFiles(cell, library);
    known.set(cell, named);
    const near = named.length === 0 ? closestFile(cell, files) : undefined;
    if (near !== undefined) closest?.set(cell, near);
  }
}

async function filesWith(q: string, signal: AbortSignal): Promise<LibraryFile[]> {
  const files: LibraryFile[] = [];
  for (let pageNo = 1; ; pageNo += 1) {
    const { list, total } = await assets.files({ q, pageNo, pageSize: PAGE_SIZE }, signal);
    files.push(...list);
    if (list.length === 0 || pageNo * PAGE_SIZE >= total) return files;
  }
}

/** Names of these uploads, if they are unique in the library. */
export async function libraryNames(urls: readonly string[], signal: AbortSignal): Promise<Map<string, string>> {
  const { total } = await assets.files({ pageSize: 1 }, signal);
  const files = total <= urls.length * PAGE_SIZE
    ? await filesWith("", signal)
    : (await Promise.all(urls.map((url) => assets.file(url, signal).catch(() => null)))).flatMap((file) => file ?? []);
  const names = new Map(files.flatMap(({ url, name }) => (name !== null && urls.includes(url) ? [[url, name] as const] : [])));
  const filesByName: KnownNames = new Map();
  await lookUp([...new Set(names.values())], filesByName, signal);
  // The name must identify the file when the table is imported again.
  return new Map([...names].filter(([url, name]) => isFileName(name) && filesByName.get(name)?.length === 1 && filesByName.get(name)?.[0]?.url === url));
}

/** Whether any of these cells names a file of the library. */
export async function namesAny(cells: readonly string[], signal: AbortSignal): Promise<boolean> {
  const filesByName: KnownNames = new Map();
  await lookUp(cells.filter(isFileName), filesByName, signal);
  return [...filesByName.values()].some((files) => files.length > 0);
}
