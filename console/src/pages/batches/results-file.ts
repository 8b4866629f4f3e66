// The table of results of a batch with names of files where the table that was submitted had them.

import { batches } from "../../lib/templates";
import { libraryNames } from "../templates/library-names";

const UPLOAD_CELL = /(^|,)(upload:\/\/\w+)(?=[,\r\n]|$)/gm;

/** The table with these names; other cells stay byte for byte. */
export function withNames(csv: string, names: ReadonlyMap<string, string>): string {
  return csv.replace(UPLOAD_CELL, (cell, before: string, url: string) => {
    const name = names.get(url);
    return name === undefined ? cell : before + asCell(name);
  });
}

/** Guarded as the service guards cells, so that no spreadsheet reads a formula. */
function asCell(name: string): string {
  const text = /^[=+\-@\t\r]/.test(name) ? `'${name}` : name;
  return /[",;\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export async function resultsFile(batchNo: string, signal: AbortSignal): Promise<{ answer: Response; blob: Blob }> {
  const answer = await batches.results(batchNo);
  const csv = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await answer.arrayBuffer());
  const urls = [...new Set([...csv.matchAll(UPLOAD_CELL)].map(([, , url]) => url ?? ""))];
  // Without the library the table is complete, only less readable.
  const names = urls.length === 0 ? new Map<string, string>() : await libraryNames(urls, signal).catch(() => new Map<string, string>());
  return { answer, blob: new Blob([withNames(csv, names)], { type: "text/csv" }) };
}
