// State of a table: rows with undo, stored by the browser; file uploads; checks and price from the service.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../../i18n";
import { ApiFailure } from "../../lib/api";
import { deleteTable, storeTable, loadTable } from "../../lib/table-storage";
import { columnsOf } from "../../lib/headings";
import { filesOf, isFileType, isListType, joinCell, splitCell, withFiles } from "../../lib/lists";
import type { LibraryFile } from "../../lib/assets";
import { noteMedia } from "../../lib/media";
import { arranged, isBlank, toValues } from "../../lib/spreadsheet";
import { batches, type BatchBody, type BatchEstimate, type RowError, type Template, type Variable } from "../../lib/templates";
import { startUpload, uploads } from "../../lib/uploads";
import { toast } from "../../ui/toast";
import { isFileName, isNamed, isWholeName, lookUp, type KnownNames } from "./library-names";
import { messageText } from "../../lib/service-message";

/** Maximum number of rows of a batch. */
export const MAX_ROWS = 1000;
const UNDOS = 50;
const CHECK_MS = 600;

export const blankRow = (width: number): string[] => Array.from({ length: width }, () => "");

export function newBatchId(): string {
  const random = crypto.getRandomValues(new Uint8Array(8));
  return `console-${[...random].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

export interface TableState {
  rows: string[][];
  /** A change with `step` is undone as a whole. */
  setRows: (change: (before: string[][]) => string[][], step?: boolean) => void;
  undo: (() => void) | null;
  name: string;
  setName: (name: string) => void;
  partial: boolean;
  setPartial: (partial: boolean) => void;
  clientBatchId: string;
  renew: () => void;
  /** Deletes the stored table. */
  done: () => void;
  ready: boolean;
}

/** The stored table of a template. */
export function useTable(template: Template | null): TableState {
  const width = template?.variables.length ?? 0;
  const [rows, set] = useState<string[][]>([]);
  const [history, setHistory] = useState<string[][][]>([]);
  const [name, setName] = useState("");
  const [partial, setPartial] = useState(false);
  const [clientBatchId, setId] = useState(newBatchId);
  const [ready, setReady] = useState(false);
  const over = useRef(false);

  useEffect(() => {
    if (template === null) return;
    const stored = loadTable(template.templateNo);
    const names = template.variables.map((variable) => variable.name);
    const usable = stored?.rows.some((row) => !isBlank(row)) ?? false;
    if (stored !== undefined && usable) {
      // A failed row can have a column for each entry of a list.
      const exact = stored.columns.map((one) => names.indexOf(one));
      const places = exact.includes(-1) ? columnsOf(stored.columns, template.variables) : exact;
      set(stored.rows.map((row) => arranged(row, places, template.variables)));
      setName(stored.name);
      setPartial(stored.partial);
      setId(stored.clientBatchId);
      if (stored.fresh !== true) toast("info", t(stored.columns.join("\n") === names.join("\n") ? "fill.kept" : "fill.kept.version"));
    } else set([blankRow(names.length)]);
    setReady(true);
  }, [template?.templateNo, template?.version]);

  // Without a delay, so that nothing is lost if the page is closed.
  useLayoutEffect(() => {
    if (template === null || !ready || over.current) return;
    storeTable({
      templateNo: template.templateNo, version: template.version, columns: template.variables.map((variable) => variable.name),
      rows, name, clientBatchId, partial, at: Date.now(),
    });
  }, [rows, name, partial, clientBatchId, ready]);

  return {
    rows, ready, name, setName, partial, setPartial, clientBatchId,
    setRows: (change, step = false) => {
      if (step) setHistory((before) => [...before.slice(1 - UNDOS), rows]);
      set((before) => {
        const next = change(before);
        return next.length === 0 ? [blankRow(width)] : next;
      });
    },
    undo: history.length === 0 ? null : () => {
      const last = history.at(-1);
      if (last !== undefined) set(last);
      setHistory(history.slice(0, -1));
    },
    renew: () => setId(newBatchId()),
    done: () => {
      over.current = true;
      if (template !== null) deleteTable(template.templateNo);
    },
  };
}

/** A batch without a name gets that of the template. */
export function bodyOf(template: Template, tableState: TableState): { body: BatchBody; places: number[] } {
  const { rows, places } = toValues(tableState.rows, template.variables);
  const name = tableState.name.trim() || template.name;
  const { clientBatchId, partial } = tableState;
  return { body: { clientBatchId, template: template.templateNo, version: template.version, rows, partial, name }, places };
}

/** An error and its position in the table. */
export interface CellError {
  row: number;
  column: string | null;
  message: string;
  /** The file that a misspelt name probably means. */
  suggestion?: LibraryFile;
}

export interface CheckResult {
  estimate: BatchEstimate | null;
  errors: CellError[];
  /** Total number of errors, including those not listed. */
  wrong: number;
  failure: unknown;
  busy: boolean;
}

const UNCHECKED: CheckResult = { estimate: null, errors: [], wrong: 0, failure: null, busy: false };

export function cellErrors(error: unknown, places: readonly number[]): { errors: CellError[]; wrong: number } | null {
  if (!(error instanceof ApiFailure) || error.fieldErrors.length === 0) return null;
  const rowErrors = error.fieldErrors as unknown as RowError[];
  if (!rowErrors.every((one) => typeof one.row === "number")) return null;
  const errors = oneForEachCell(rowErrors.map((error) => ({ row: places[error.row - 1] ?? error.row - 1, column: error.column, message: messageText(error) })));
  const total = typeof error.data?.total === "number" ? error.data.total : rowErrors.length;
  return { errors, wrong: total - (rowErrors.length - errors.length) };
}

/** Merges the errors of a cell that is used in several places of the request. */
function oneForEachCell(errors: readonly CellError[]): CellError[] {
  const cells = new Map<string, CellError>();
  for (const error of errors) {
    const cell = `${error.row} ${error.column ?? error.message}`;
    const existing = cells.get(cell);
    if (existing === undefined) cells.set(cell, error);
    else if (!existing.message.split("; ").includes(error.message)) cells.set(cell, { ...existing, message: `${existing.message}; ${error.message}` });
  }
  return [...cells.values()];
}

/** Errors whose cells have not changed since the check. */
export function currentErrors(errors: readonly CellError[], checked: readonly string[][], rows: readonly string[][], variables: readonly Variable[]): CellError[] {
  return errors.filter(({ row, column }) => {
    const place = variables.findIndex(({ name }) => name === column);
    const [then, now] = [checked[row] ?? [], rows[row] ?? []];
    return place < 0 ? then.join("\0") === now.join("\0") : then[place] === now[place];
  });
}

const fileColumns = (variables: readonly Variable[]) => variables.flatMap(({ type }, column) => (isFileType(type) ? [{ column, type }] : []));

/** Cells of file columns that contain a name instead of a URL. */
export function namesIn(rows: readonly (readonly string[])[], variables: readonly Variable[]): string[] {
  const columns = fileColumns(variables);
  return rows.flatMap((row) => columns.flatMap(({ column, type }) => {
    const cell = row[column] ?? "";
    return (isListType(type) ? splitCell(cell) : [cell]).filter(isFileName);
  }));
}

/**
 * The URL of the library file that a cell names; null if it names none or several. While the user types, a name without
 * extension may be incomplete.
 */
function urlNamed(cell: string, typing: boolean, known: KnownNames): string | null {
  const [file, ...others] = known.get(cell) ?? [];
  return file === undefined || others.length > 0 || (typing && !isWholeName(cell, file.name ?? "")) ? null : file.url;
}

/** Replaces names of library files by URLs; null if no cell names a file. */
export function withNamedFiles(rows: readonly string[][], variables: readonly Variable[], known: KnownNames, typedAt: string | null): string[][] | null {
  let replacedAny = false;
  const next = rows.map((row, at) => row.map((cell, column) => {
    const type = variables[column]?.type ?? "text";
    if (!isFileType(type)) return cell;
    return withFiles(cell, type, (file) => {
      const url = urlNamed(file, typedAt === cellId(at, column), known);
      replacedAny ||= url !== null;
      return url ?? file;
    });
  }));
  return replacedAny ? next : null;
}

/** Explains errors of cells whose names match no or several library files. Names that match one file are not errors. */
export function explainNames(errors: readonly CellError[], rows: readonly string[][], variables: readonly Variable[], known: KnownNames, closest: ReadonlyMap<string, LibraryFile> = new Map()): CellError[] {
  return errors.flatMap((error) => {
    const column = variables.findIndex(({ name, type }) => name === error.column && isFileType(type));
    const cell = rows[error.row]?.[column] ?? "";
    const names = (isListType(variables[column]?.type) ? splitCell(cell) : [cell]).filter((name) => known.has(name));
    if (names.length === 0) return [error];
    const messages = names.flatMap((text) => {
      const [name, n] = [text.trim(), known.get(text)?.length ?? 0];
      return n === 1 ? [] : [n === 0 ? t("fill.name.none", { name }) : t("fill.name.several", { name, n })];
    });
    const suggestion = isListType(variables[column]?.type) ? undefined : closest.get(cell);
    return messages.length === 0 ? [] : [{ ...error, message: messages.join("; "), ...(suggestion === undefined ? {} : { suggestion }) }];
  });
}

export const cellId = (row: number, column: number): string => `${row}-${column}`;
const typedCell = () => document.activeElement?.getAttribute("data-cell") ?? null;

/** Checks all rows after each change, with a delay. First, names of library files are replaced by URLs. */
export function useCheck(template: Template | null, tableState: TableState, pending: number): CheckResult & { again: () => void; typed: () => void; note: (next: Partial<CheckResult>) => void } {
  const [result, setResult] = useState<CheckResult & { rows: string[][] }>({ ...UNCHECKED, rows: [] });
  const [checkCount, setCheckCount] = useState(0);
  const knownNames = useRef<KnownNames>(new Map());
  const closestFiles = useRef(new Map<string, LibraryFile>());
  const { rows } = tableState;
  const variables = template?.variables ?? [];
  // Files may have been added.
  useEffect(() => knownNames.current.clear(), [pending]);
  useEffect(() => {
    if (template === null || !tableState.ready) return;
    const { body, places } = bodyOf(template, tableState);
    if (body.rows.length === 0 || pending > 0) return setResult({ ...UNCHECKED, rows });
    setResult((before) => ({ ...before, busy: true }));
    const stop = new AbortController();
    const timer = setTimeout(() => void ask(), CHECK_MS);
    async function ask(): Promise<void> {
      try {
        await lookUp(namesIn(rows, variables), knownNames.current, stop.signal, closestFiles.current);
        if (stop.signal.aborted) return;
        if (withNamedFiles(rows, variables, knownNames.current, typedCell()) !== null) {
          for (const { url, name } of [...knownNames.current.values()].flat()) noteMedia(url, name === null ? {} : { name });
          return tableState.setRows((before) => withNamedFiles(before, variables, knownNames.current, typedCell()) ?? before);
        }
        const estimate = await batches.estimate(body, stop.signal);
        setResult({ ...UNCHECKED, estimate, rows });
      } catch (error) {
        if (stop.signal.aborted) return;
        if (error instanceof ApiFailure && error.status === 429) return void setTimeout(() => !stop.signal.aborted && void ask(), (error.retryAfter ?? 2) * 1000);
        const invalid = cellErrors(error, places);
        if (invalid === null) return setResult({ ...UNCHECKED, failure: error, rows });
        const errors = explainNames(invalid.errors, rows, variables, knownNames.current, closestFiles.current);
        setResult({ ...UNCHECKED, errors, wrong: invalid.wrong - (invalid.errors.length - errors.length), rows });
      }
    }
    return () => { clearTimeout(timer); stop.abort(); };
  }, [template, rows, tableState.ready, pending, checkCount]);
  const errors = currentErrors(result.errors, result.rows, rows, variables);
  const typed = () => setCheckCount((n) => n + 1);
  return {
    ...result, errors, wrong: result.wrong - (result.errors.length - errors.length), typed,
    again: () => { knownNames.current.clear(); typed(); }, note: (next) => setResult((before) => ({ ...before, ...next, rows })),
  };
}

/**
 * Assigns files to cells that name them, and others to empty cells of the first file column; a list takes all of them
 * into one cell. Cells get the url after the upload.
 */
export function placeFiles(files: readonly File[], template: Template, tableState: TableState, note: (id: string) => void): void {
  const columns = fileColumns(template.variables);
  const [first] = columns;
  if (first === undefined) return;
  const isListed = (cell: string, type: string, name: string) => filesOf(cell, type).some((file) => isNamed(file, name));
  const width = template.variables.length;
  const names = files.map((file) => file.name);
  tableState.setRows((before) => {
    const next = before.map((row) => row.slice());
    const others = names.filter((name) => !next.some((row) => columns.some(({ column, type }) => isListed(row[column] ?? "", type, name))));
    const cells = isListType(first.type) && others.length > 0 ? [joinCell(others)] : others;
    for (const cell of cells) {
      const emptyRow = next.find((row) => (row[first.column] ?? "").trim() === "") ?? (next.length < MAX_ROWS ? (next.push(blankRow(width)), next.at(-1)) : undefined);
      if (emptyRow !== undefined) emptyRow[first.column] = cell;
    }
    return next;
  }, true);
  for (const file of files) {
    const id = startUpload(file, ({ url }) => tableState.setRows((before) => before.map((row) => row.map((cell, column) => {
      const type = template.variables[column]?.type ?? "text";
      return isFileType(type) ? withFiles(cell, type, (one) => (isNamed(one, file.name) ? url : one)) : cell;
    }))));
    note(id);
  }
}

/** Number of running uploads, and the failed ones. */
export function useUploads(): { pending: number; note: (id: string) => void } {
  const [ids, setIds] = useState<readonly string[]>([]);
  const jobs = uploads.value;
  return { pending: ids.filter((id) => jobs.has(id) && jobs.get(id)?.error === null).length, note: (id) => setIds((before) => [...before, id]) };
}
