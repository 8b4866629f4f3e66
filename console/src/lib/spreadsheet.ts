// Parses and writes tables in the formats that spreadsheets copy and save.

import { columnsOf, resultPlaces, type Column } from "./headings";
import { isListType, joinCell } from "./lists";

/** Quoted cells can contain separators, doubled quotes and line breaks. */
export function parseCells(text: string, separator = separatorOf(text)): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  const endRow = () => { row.push(cell); rows.push(row); row = []; cell = ""; };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (quoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') { cell += '"'; at += 1; }
      else quoted = false;
    } else if (char === '"' && cell === "") quoted = true;
    else if (char === separator) { row.push(cell); cell = ""; }
    else if (char === "\n" || char === "\r") {
      if (char === "\r" && text[at + 1] === "\n") at += 1;
      endRow();
    } else cell += char;
  }
  if (cell !== "" || row.length > 0) endRow();
  return rows.map((cells) => cells.map(withoutGuard));
}

/** Removes the apostrophe that result tables put before text that a spreadsheet would read as a formula. */
const withoutGuard = (cell: string) => cell.replace(/^'(?=[=+\-@\t\r\n])/, "");

const SEPARATORS = [",", ";", "\t"] as const;

/** The most frequent separator in the first line, outside of quotes. Spreadsheets copy cells with tabs. */
export function separatorOf(text: string): string {
  const counts = new Map<string, number>(SEPARATORS.map((one) => [one, 0]));
  let quoted = false;
  for (const char of text) {
    if (char === '"') quoted = !quoted;
    else if (!quoted && (char === "\n" || char === "\r")) break;
    else if (!quoted && counts.has(char)) counts.set(char, (counts.get(char) ?? 0) + 1);
  }
  return [...SEPARATORS].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))[0] ?? ",";
}

/** Decodes a file of Excel, WPS or Numbers: UTF-8, UTF-16 or GB18030, with or without byte order mark. */
export function decodeTable(bytes: Uint8Array): string {
  const [a, b] = [bytes[0], bytes[1]];
  if (a === 0xff && b === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (a === 0xfe && b === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    // In UTF-16, every second byte of Latin text is zero.
    if (!bytes.subarray(0, 1000).includes(0)) return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("gb18030").decode(bytes);
  }
  const zerosAt = (odd: number) => bytes.subarray(0, 1000).filter((byte, index) => byte === 0 && index % 2 === odd).length;
  return new TextDecoder(zerosAt(1) >= zerosAt(0) ? "utf-16le" : "utf-16be").decode(bytes);
}

/**
 * Arranges cells in the columns of a table. If the first line has headings, cells follow them and unknown columns are
 * returned separately; otherwise, cells follow the order of the columns.
 */
export function intoColumns(cells: readonly string[][], columns: readonly Column[]): { rows: string[][]; unknown: string[]; isHeaded: boolean } {
  const lines = withText(cells);
  const head = lines[0] ?? [];
  const columnPlaces = columnsOf(head, columns);
  const skipped = resultPlaces(head);
  const named = columnPlaces.filter((place) => place >= 0).length;
  // A value can equal a column name, so most cells must name a column, or most columns must be named: result tables
  // have further columns.
  const most = Math.min(head.filter((name, at) => name.trim() !== "" && !skipped.has(at)).length, columns.length);
  if (named === 0 || named * 2 < most) {
    return { rows: lines.map((row) => columns.map((_, place) => row[place] ?? "")), unknown: [], isHeaded: false };
  }
  const unknown = head.filter((name, at) => (columnPlaces[at] ?? -1) < 0 && !skipped.has(at) && name.trim() !== "").map((name) => name.trim());
  return { rows: rowsAt(cells, columnPlaces, columns), unknown, isHeaded: true };
}

const withText = (cells: readonly string[][]) => cells.filter((row) => row.some((cell) => cell.trim() !== ""));

/** The rows below the first line, with each cell in the column that `places` assigns to its heading. */
export function rowsAt(cells: readonly string[][], places: readonly number[], columns: readonly Column[]): string[][] {
  return withText(cells).slice(1).map((row) => arranged(row, places, columns));
}

/** The cells of a row in the columns of a table. Several cells of a list become one. */
export function arranged(row: readonly string[], places: readonly number[], columns: readonly Column[]): string[] {
  return columns.map(({ type }, place) => {
    const found = places.flatMap((one, at) => (one === place ? [row[at] ?? ""] : []));
    return isListType(type) && found.length > 1 ? listOf(found) : (found[0] ?? "");
  });
}

/** One cell for the cells of a list. The last ones can be empty; the service reports gaps. */
function listOf(cells: readonly string[]): string {
  const last = cells.findLastIndex((cell) => cell.trim() !== "");
  return joinCell(cells.slice(0, last + 1).map((cell) => cell.trim()));
}

/** Pastes cells into a table at a position; the table grows up to `most` rows. */
export function overlay(table: readonly string[][], at: { row: number; column: number }, cells: readonly string[][], width: number, most: number): string[][] {
  const next = table.map((row) => row.slice());
  cells.forEach((line, down) => {
    const row = at.row + down;
    if (row >= most) return;
    while (next.length <= row) next.push(Array.from({ length: width }, () => ""));
    line.forEach((cell, right) => {
      const column = at.column + right;
      const target = next[row];
      if (target !== undefined && column < width) target[column] = cell;
    });
  });
  return next;
}

/** Puts the first value into the cell `at`, and the others into empty cells below it and into new rows. */
export function fillDown(table: readonly string[][], at: { row: number; column: number }, values: readonly string[], width: number, most: number): string[][] {
  const next = table.map((row) => row.slice());
  let row = at.row;
  for (const value of values) {
    while (row > at.row && (next[row]?.[at.column] ?? "").trim() !== "") row += 1;
    if (row >= most) break;
    while (next.length <= row) next.push(Array.from({ length: width }, () => ""));
    (next[row] as string[])[at.column] = value;
    row += 1;
  }
  return next;
}

export const isBlank = (row: readonly string[]): boolean => row.every((cell) => cell.trim() === "");

/** The rows to send. Empty cells use the template's defaults; `places` contains the original index of each row. */
export function toValues(table: readonly string[][], columns: readonly Column[]): { rows: Record<string, string>[]; places: number[] } {
  const rows: Record<string, string>[] = [];
  const places: number[] = [];
  table.forEach((row, place) => {
    if (isBlank(row)) return;
    rows.push(Object.fromEntries(columns.flatMap((column, index) => (row[index] ? [[column.name, row[index]]] : []))));
    places.push(place);
  });
  return { rows, places };
}

/** The table with headings, as CSV that spreadsheets can open. */
export function toCsv(columns: readonly Column[], table: readonly string[][]): string {
  const cell = (text: string) => (/[",;\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return "\uFEFF" + [columns.map((column) => column.name), ...table].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}
