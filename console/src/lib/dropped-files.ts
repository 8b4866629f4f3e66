// Files of a drop, including those in folders, and the use of each kind in a task.

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
/** Files that operating systems add to folders. */
const SYSTEM_FILE = /^(\.|thumbs\.db$|desktop\.ini$)/i;
const MAX_FILES = 5000;

/** The entries of a drop that contains folders; null if it contains only files. Must be called during the event. */
export function foldersOf(transfer: DataTransfer): FileSystemEntry[] | null {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  return entries.some((entry) => entry.isDirectory) ? entries : null;
}

/** All files below the entries, each folder in natural order of names: 2.mp4 before 10.mp4. */
export async function filesBelow(entries: readonly FileSystemEntry[]): Promise<File[]> {
  const files: File[] = [];
  for (const entry of entries) {
    if (files.length >= MAX_FILES) break;
    if (entry.isDirectory) files.push(...await filesBelow(inOrder(await entriesOf(entry as FileSystemDirectoryEntry))));
    else files.push(await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail)));
  }
  return files;
}

export const inOrder = <T extends { name: string }>(entries: readonly T[]): T[] => (
  entries.filter(({ name }) => !SYSTEM_FILE.test(name)).sort((a, b) => collator.compare(a.name, b.name)));

/** A reader returns the entries in parts, and an empty part at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (part.length === 0) return entries;
    entries.push(...part);
  }
}

const VIDEO = /\.(mp4|m4v|mov|mkv|webm|avi|flv|ts|mts|m2ts|mpe?g|wmv|3gp|gif)$/i;
const IMAGE = /\.(jpe?g|png|webp)$/i;
const AUDIO = /\.(mp3|m4a|aac|wav|flac|og[ga]|opus|wma|aiff?)$/i;
const CAPTIONS = /\.(srt|vtt)$/i;
const TABLE = /\.(csv|tsv|xls[xmb]?|ods|numbers|ett?)$/i;

export type FileUse = "clip" | "image" | "audio" | "captions" | "table" | "unknown";

/** Browsers report no media type for many files, and Excel claims that of CSV files. */
export function useOf({ type, name }: Pick<File, "type" | "name">): FileUse {
  if (TABLE.test(name) || type === "text/csv") return "table";
  if (CAPTIONS.test(name) || type === "text/vtt") return "captions";
  if (type.startsWith("audio/") || (!type.startsWith("video/") && AUDIO.test(name))) return "audio";
  if (type.startsWith("video/") || type === "image/gif" || VIDEO.test(name)) return "clip";
  if (/^image\/(jpeg|png|webp)$/.test(type) || (type === "" && IMAGE.test(name))) return "image";
  return type === "" && !name.includes(".") ? "clip" : "unknown";
}
