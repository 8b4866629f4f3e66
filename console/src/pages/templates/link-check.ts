// Checking all links of a table before it is submitted: the service probes each distinct file once.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../i18n";
import { api } from "../../lib/api";
import { filesOf, isFileType } from "../../lib/lists";
import type { Template } from "../../lib/templates";
import type { CellError } from "./table-state";
import { fieldErrorText } from "../../lib/service-message";

/** Number of concurrent probes. The calls themselves keep to the rate limit. */
const AT_ONCE = 4;
/** The service cannot probe captions, fonts and callbacks, which are not media. */
const NOT_MEDIA = /\/(subtitle|captions?|font|callbackUrl)(\/|$)/i;
const PROBED = /^(https?|upload):\/\/./;

export interface LinkCheck {
  /** Links that have not been checked or have failed. */
  open: number;
  /** All links of the table. */
  all: number;
  errors: CellError[];
  /** Number of links checked in the current run; null if none is running. */
  done: number | null;
  of: number;
  /** The error that ended a check early. */
  failure: unknown;
  check: () => void;
  stop: () => void;
}

/** Indexes of the columns with files that can be probed. */
export function mediaColumns({ request, variables }: Pick<Template, "request" | "variables">): number[] {
  const places = new Map<string, string[]>();
  const walk = (value: unknown, pointer: string): void => {
    if (value !== null && typeof value === "object") return Object.entries(value).forEach(([name, part]) => walk(part, `${pointer}/${name}`));
    const name = typeof value === "string" ? /^\{\{([^{}]+)\}\}$/.exec(value)?.[1]?.trim() : undefined;
    if (name !== undefined) places.set(name, [...(places.get(name) ?? []), pointer]);
  };
  walk(request, "");
  return variables.flatMap(({ name, type }, column) => (isFileType(type) && !(places.get(name) ?? []).some((pointer) => NOT_MEDIA.test(pointer)) ? [column] : []));
}

/** The distinct links in the columns with files that can be probed. */
export function linksIn(rows: readonly (readonly string[])[], template: Pick<Template, "request" | "variables">): string[] {
  const columns = mediaColumns(template);
  const files = rows.flatMap((row) => columns.flatMap((column) => filesOf(row[column] ?? "", template.variables[column]?.type ?? "url")));
  return [...new Set(files.filter((file) => PROBED.test(file)))];
}

/** Cells whose links the service cannot use. */
export function linkErrors(rows: readonly (readonly string[])[], template: Pick<Template, "request" | "variables">, problems: ReadonlyMap<string, string | null>): CellError[] {
  const columns = mediaColumns(template);
  return rows.flatMap((cells, row) => columns.flatMap((column) => {
    const { name, type } = template.variables[column] ?? { name: null, type: "url" };
    return filesOf(cells[column] ?? "", type).flatMap((file, entry) => {
      const message = problems.get(file) ?? null;
      return message === null ? [] : [{ row, column: name, message: type === "urls" ? t("fill.entry", { n: entry + 1, message }) : message }];
    }).slice(0, 1);
  }));
}

/** The error message of an unusable link, or null; other failures are thrown. */
export async function problemOf(url: string, signal: AbortSignal, probe = api.probe): Promise<string | null> {
  try {
    await probe(url, signal);
    return null;
  } catch (error) {
    const message = fieldErrorText(error);
    if (message === undefined) throw error;
    return message;
  }
}

/** Processes all items, a few at a time. The first failure ends it. */
export async function runConcurrently<T>(things: readonly T[], atOnce: number, work: (thing: T) => Promise<void>): Promise<void> {
  const queue = [...things];
  let failed = false;
  const run = async () => {
    for (let thing = queue.shift(); thing !== undefined && !failed; thing = queue.shift()) {
      try {
        await work(thing);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, things.length) }, run));
}

export function useLinkCheck(template: Template, rows: readonly (readonly string[])[]): LinkCheck {
  const [problems, setProblems] = useState<ReadonlyMap<string, string | null>>(new Map());
  const [run, setRun] = useState<{ done: number; of: number } | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const stopper = useRef<AbortController | null>(null);
  const links = linksIn(rows, template);
  const uncheckedLinks = links.filter((url) => problems.get(url) !== null);

  const check = () => {
    const stop = new AbortController();
    stopper.current?.abort();
    stopper.current = stop;
    setFailure(null);
    setRun({ done: 0, of: uncheckedLinks.length });
    void runConcurrently(uncheckedLinks, AT_ONCE, async (url) => {
      const problem = await problemOf(url, stop.signal);
      if (stop.signal.aborted) return;
      setProblems((before) => new Map(before).set(url, problem));
      setRun((before) => before && { ...before, done: before.done + 1 });
    }).catch((error: unknown) => !stop.signal.aborted && (stop.abort(), setFailure(error))).finally(() => {
      if (stopper.current === stop) setRun(null);
    });
  };
  useEffect(() => () => stopper.current?.abort(), []);
  const stop = () => { stopper.current?.abort(); stopper.current = null; setRun(null); };
  return {
    open: uncheckedLinks.length, all: links.length, errors: linkErrors(rows, template, problems), done: run?.done ?? null, of: run?.of ?? 0, failure, check, stop,
  };
}

/** Adds link errors to cells without an error from the service. */
export function withLinkErrors<T extends { errors: CellError[]; wrong: number }>(checked: T, links: readonly CellError[]): T {
  const errorCells = new Set(checked.errors.map(({ row, column }) => `${row} ${column}`));
  const linkErrorsOnly = links.filter(({ row, column }) => !errorCells.has(`${row} ${column}`));
  return { ...checked, errors: [...checked.errors, ...linkErrorsOnly].sort((one, other) => one.row - other.row), wrong: checked.wrong + linkErrorsOnly.length };
}
