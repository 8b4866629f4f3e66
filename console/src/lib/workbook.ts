// Reads the first visible sheet of an Excel workbook (.xlsx) as text, as Excel shows its cells.

import { format, isDateFormat } from "numfmt";

export class NotAWorkbook extends Error {}

/** Larger parts are not tables that a batch can use. */
const MAX_BYTES = 64 << 20;
const MAX_ROWS = 5000;
const MAX_COLUMNS = 500;
/** Days between the two beginnings of Excel's calendar. */
const DAYS_TO_1904 = 1462;

/** Number formats that workbooks use without declaring them. */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm",
  17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0", 38: "#,##0", 39: "#,##0.00", 40: "#,##0.00",
  45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
};

export async function readWorkbook(file: File): Promise<string[][]> {
  try {
    return await cellsOf(new Zip(new Uint8Array(await file.arrayBuffer())));
  } catch (error) {
    throw error instanceof NotAWorkbook ? error : new NotAWorkbook(file.name, { cause: error });
  }
}

async function cellsOf(zip: Zip): Promise<string[][]> {
  const workbook = await zip.xml("xl/workbook.xml");
  const relations = await zip.xml("xl/_rels/workbook.xml.rels");
  const sheet = elements(workbook, "sheet").find((one) => (one.getAttribute("state") ?? "visible") === "visible");
  const relation = elements(relations, "Relationship").find((one) => one.getAttribute("Id") === sheet?.getAttribute("r:id"));
  const target = relation?.getAttribute("Target") ?? "worksheets/sheet1.xml";
  const texts = zip.has("xl/sharedStrings.xml") ? elements(await zip.xml("xl/sharedStrings.xml"), "si").map(textOf) : [];
  const formats = zip.has("xl/styles.xml") ? formatsOf(await zip.xml("xl/styles.xml")) : [];
  const date1904 = ["1", "true"].includes(elements(workbook, "workbookPr")[0]?.getAttribute("date1904") ?? "");
  const rows: string[][] = [];
  let [row, column] = [-1, -1];
  for (const element of elements(await zip.xml(target.startsWith("/") ? target.slice(1) : `xl/${target}`), "*")) {
    // Without a reference, a row or cell follows the previous one.
    if (element.localName === "row") {
      [row, column] = [Number(element.getAttribute("r") ?? row + 2) - 1, -1];
    } else if (element.localName === "c") {
      const [, letters, number] = /^([A-Z]+)(\d+)$/.exec(element.getAttribute("r") ?? "") ?? [];
      if (number !== undefined) row = Number(number) - 1;
      column = letters === undefined ? column + 1 : columnOf(letters);
      if (row < 0 || row >= MAX_ROWS || column < 0 || column >= MAX_COLUMNS) continue;
      const line = (rows[row] ??= []);
      line[column] = shown(element, texts, formats[Number(element.getAttribute("s") ?? 0)], date1904);
    }
  }
  return Array.from(rows, (row) => Array.from(row ?? [], (cell) => cell ?? ""));
}

const elements = (parent: Document | Element, name: string): Element[] => [...parent.getElementsByTagNameNS("*", name)];

/** Without the pronunciation of Japanese texts. */
const textOf = (item: Element): string => elements(item, "t").filter((text) => text.parentElement?.localName !== "rPh").map((text) => text.textContent ?? "").join("");

/** `A` is 0, `AA` is 26. */
const columnOf = (letters: string): number => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

function formatsOf(styles: Document): string[] {
  const own = new Map(elements(styles, "numFmt").map((one) => [Number(one.getAttribute("numFmtId")), one.getAttribute("formatCode") ?? ""]));
  const [cells] = elements(styles, "cellXfs");
  return cells === undefined ? [] : elements(cells, "xf").map((one) => {
    const id = Number(one.getAttribute("numFmtId") ?? 0);
    return own.get(id) ?? BUILT_IN[id] ?? "General";
  });
}

function shown(cell: Element, texts: readonly string[], pattern = "General", date1904: boolean): string {
  const type = cell.getAttribute("t") ?? "n";
  const value = elements(cell, "v")[0]?.textContent ?? "";
  if (type === "inlineStr") return textOf(cell);
  if (type === "s") return texts[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (type !== "n" || value === "") return value;
  // Excel stores 15 significant digits; further ones are rounding errors.
  const number = Number(Number(value).toPrecision(15));
  if (pattern === "General") return String(number);
  const days = date1904 && isDateFormat(pattern) ? DAYS_TO_1904 : 0;
  return format(pattern, number + days, { throws: false, nbsp: false }).trim();
}

interface Entry {
  method: number;
  at: number;
  packed: number;
  size: number;
}

/** A ZIP archive in memory. */
class Zip {
  private readonly entries = new Map<string, Entry>();
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array<ArrayBuffer>) {
    this.view = new DataView(bytes.buffer);
    let end = bytes.length - 22;
    while (end >= 0 && this.view.getUint32(end, true) !== 0x06054b50) end -= 1;
    if (end < 0) throw new NotAWorkbook();
    let at = this.view.getUint32(end + 16, true);
    for (let left = this.view.getUint16(end + 10, true); left > 0; left -= 1) {
      const [name, extra, comment] = [28, 30, 32].map((offset) => this.view.getUint16(at + offset, true)) as [number, number, number];
      this.entries.set(new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name)), {
        method: this.view.getUint16(at + 10, true), packed: this.view.getUint32(at + 20, true), size: this.view.getUint32(at + 24, true), at: this.view.getUint32(at + 42, true),
      });
      at += 46 + name + extra + comment;
    }
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  async xml(name: string): Promise<Document> {
    const entry = this.entries.get(name);
    if (entry === undefined || entry.size > MAX_BYTES) throw new NotAWorkbook();
    const begin = entry.at + 30 + this.view.getUint16(entry.at + 26, true) + this.view.getUint16(entry.at + 28, true);
    const packed = new Blob([this.bytes.subarray(begin, begin + entry.packed)]);
    const text = await new Response(entry.method === 0 ? packed : packed.stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
    const document = new DOMParser().parseFromString(text, "application/xml");
    if (document.getElementsByTagName("parsererror").length > 0) throw new NotAWorkbook();
    return document;
  }
}
