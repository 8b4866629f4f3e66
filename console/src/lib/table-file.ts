// The cells of a table file: CSV in its usual encodings, or an Excel workbook.

import { detectFileKind } from "./file-kind";
import { decodeTable, parseCells } from "./spreadsheet";

/** Null if the file is not a table, or a workbook in another format. */
export async function readTable(file: File): Promise<string[][] | null> {
  const kind = await detectFileKind(file);
  if (kind === "table") return parseCells(decodeTable(new Uint8Array(await file.arrayBuffer())).replace(/^\uFEFF/, ""));
  if (kind !== "workbook") return null;
  const { readWorkbook } = await import("./workbook");
  return readWorkbook(file).catch(() => null);
}
