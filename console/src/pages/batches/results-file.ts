// The result table of a batch, with file names instead of urls, as in the submitted table.

import { batches } from "../../lib/templates";
import { libraryNames } from "../templates/library-names";

const UPLOAD_CELL = /(^|,)(upload:\/\/\w+)(?=[,\r\n]|$)/gm;

/** Replaces urls by names; other cells are not changed. */
export function withNames(csv: string, names: ReadonlyMap<string, string>): string {
  return csv.replace(UPLOAD_CELL, (cell, before: string, url: string) => {
    const name = names.get(url);
    return name === undefined ? cell : before + asCell(name);
  });
}

/** Escapes a cell like the service, so that spreadsheets do not read it as a formula. */
function asCell(name: string): string {
  const text = /^[=+\-@\t\r]/.test(name) ? `'${name}` : name;
  return /[",;\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export async function resultsFile(batchNo: string, signal: AbortSignal): Promise<{ answer: Response; blob: Blob }> {
  const answer = await batches.results(batchNo);
  const csv = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await answer.arrayBuffer());
  const urls = [...new Set([...csv.matchAll(UPLOAD_CELL)].map(([, , url]) => url ?? ""))];
  // Without the names, the table is complete but less readable.
  const names = urls.length === 0 ? new Map<string, string>() : await libraryNames(urls, signal).catch(() => new Map<string, string>());
  return { answer, blob: new Blob([withNames(csv, names)], { type: "text/csv" }) };
}
