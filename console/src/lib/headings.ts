// Headings in the first line of an imported table, and the columns that they refer to.

import { isFileType, isListType } from "./lists";

export interface Column {
  name: string;
  label?: string | null;
  type?: string;
  /** A column without one must be filled. */
  default?: unknown;
}

/** The normalized text for comparing headings. */
export const headingKey = (text: string): string => text.trim().replace(/^\uFEFF/, "").toLowerCase();

/** Columns that the service and the command line add to result tables. */
const RESULTS: readonly (readonly string[])[] = [
  ["row", "task", "state", "links", "error"], ["行号", "任务", "状态", "链接", "错误"],
  ["row", "taskno", "item", "url", "error"], ["row", "taskno", "item", "file", "error"],
];

/** Positions of result columns in the first line, which are not imported. */
export function resultPlaces(head: readonly string[]): ReadonlySet<number> {
  const keys = head.map(headingKey);
  for (const names of RESULTS) {
    const first = keys.findIndex((_, at) => names.every((name, index) => keys[at + index] === name));
    if (first >= 0) return new Set(names.map((_, index) => first + index));
  }
  return new Set();
}

const isNamed = (heading: string, { name, label }: Column) => [name, label ?? ""].some((text) => text !== "" && headingKey(text) === headingKey(heading));

/** For each heading, the index of its column, or -1. `photo1`, `photo2` … are entries of a list `photo`. */
export function columnsOf(head: readonly string[], columns: readonly Column[]): number[] {
  const skipped = resultPlaces(head);
  const exact = head.map((heading, at) => (skipped.has(at) ? -1 : columns.findIndex((column) => isNamed(heading, column))));
  return exact.map((place, at) => {
    const list = /^(.*\D)[1-9]\d*\s*$/s.exec(head[at] ?? "")?.[1];
    if (place >= 0 || skipped.has(at) || list === undefined) return place;
    const ofList = columns.findIndex((column) => isListType(column.type) && isNamed(list, column));
    return exact.includes(ofList) ? -1 : ofList;
  });
}

export interface Headings {
  names: string[];
  /** For each heading, the index of its column, or -1: exact if `sure`, otherwise a suggestion. */
  places: number[];
  sure: boolean[];
  /** Only cells with files suggest headings; a first row with names of library files looks the same. */
  byFilesOnly: boolean;
}

/** A first line that may contain headings but does not match the columns exactly; null if there is no doubt. */
export function doubtfulHeadings(cells: readonly string[][], columns: readonly (Column & { type: string })[], isHeaded: boolean): Headings | null {
  const lines = cells.filter((row) => row.some((cell) => cell.trim() !== ""));
  const names = (lines[0] ?? []).map((name) => name.trim());
  if (!isHeaded && names.some(isValue)) return null;
  const exact = columnsOf(names, columns);
  const skipped = resultPlaces(names);
  const free = new Set(columns.map((_, place) => place).filter((place) => !exact.includes(place)));
  const places = exact.map((place, at) => {
    if (place >= 0 || skipped.has(at) || names[at] === "") return place;
    const near = [...free].find((candidate) => isNear(names[at] ?? "", columns[candidate] as Column)) ?? -1;
    free.delete(near);
    return near;
  });
  const suggested = places.some((place, at) => place !== exact[at]);
  const isOpen = (place: number, at: number) => place < 0 && !skipped.has(at) && names[at] !== "";
  // An unknown heading may mean a column that must be filled.
  const lacks = places.some(isOpen) && [...free].some((place) => (columns[place]?.default ?? null) === null);
  if (isHeaded ? !suggested && !lacks : !suggested && exact.every((place) => place < 0) && !differsInFiles(lines, columns)) return null;
  const open = places.flatMap((place, at) => (isOpen(place, at) ? [at] : []));
  const [last] = free;
  // One heading and one column remain.
  if (open.length === 1 && free.size === 1 && last !== undefined && names.length - skipped.size === columns.length) places[open[0] ?? 0] = last;
  return { names, places, sure: exact.map((place) => place >= 0), byFilesOnly: !suggested && exact.every((place) => place < 0) };
}

/** Links, file names and numbers are not headings. */
const isValue = (cell: string) => looksLikeFile(cell) || /^[\p{Sc}\d.,\s%-]*\d[\p{Sc}\d.,\s%-]*$/u.test(cell);

const looksLikeFile = (cell: string) => /^\w+:\/\/|\.\w{2,4}$/.test(cell.trim());

/** Whether the first cell of a file column is not a file, unlike the cells below it. */
function differsInFiles([first = [], ...rest]: readonly string[][], columns: readonly { type: string }[]): boolean {
  return columns.some(({ type }, place) => isFileType(type) && (first[place] ?? "").trim() !== "" && !looksLikeFile(first[place] ?? "")
    && rest.some((row) => looksLikeFile(row[place] ?? "")));
}

const SHORTEST = 3;

function isNear(heading: string, { name, label }: Column): boolean {
  const key = headingKey(heading);
  return [name, label ?? ""].map(headingKey).some((text) => {
    if (key.length < SHORTEST || text.length < SHORTEST) return false;
    return key.split(/[\s_.-]+/).includes(text) || text.split(/[\s_.-]+/).includes(key) || editDistance(key, text) <= Math.min(2, Math.floor(text.length / 3));
  });
}

export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...a].entries()) {
    const next = [at + 1];
    for (let to = 1; to <= b.length; to += 1) {
      next.push(Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, (row[to - 1] ?? 0) + (letter === b[to - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
