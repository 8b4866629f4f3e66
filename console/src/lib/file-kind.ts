// The kind of a dropped file: a table, a workbook, another document or media. Only tables and media can be used. The
// name alone is not enough: browsers report no media type for many files, and files get renamed.

export type DroppedFileKind = "table" | "workbook" | "document" | "media";

const TABLE = /\.(csv|tsv|txt)$/i;
const WORKBOOK = /\.(xls[xmb]?|xlt[xm]?|ods|ots|fods|sxc|numbers|ett?|gsheet)$/i;
const WORKBOOK_TYPE = /spreadsheet|ms-excel|numbers|sun\.xml\.calc|wps-office\.(et|xls)/i;

const ZIP = [0x50, 0x4b, 0x03, 0x04];
const OLE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const PDF = [0x25, 0x50, 0x44, 0x46];

/** A ZIP lists its entries at the end; an OpenDocument file contains its type at the beginning. */
const ZIP_HEAD = 256;
const ZIP_TAIL = 65_536;
const ZIP_WORKBOOK = /xl\/workbook\.|opendocument\.spreadsheet/;

/** Streams of Excel's binary format, in the first sectors of the OLE directory. */
const OLE_WORKBOOK = /\b(Workbook|Book)\b/;
const OLE_HEADER = 512;
const OLE_DIRECTORY = 4096;

export async function detectFileKind(file: File): Promise<DroppedFileKind> {
  if (WORKBOOK.test(file.name)) return "workbook";
  // On Windows, Excel claims the media type of CSV files.
  const byName = TABLE.test(file.name) || file.type === "text/csv" ? "table" : WORKBOOK_TYPE.test(file.type) ? "workbook" : "media";
  try {
    return byName === "workbook" ? byName : ((await documentKind(file)) ?? byName);
  } catch {
    // A folder, or a file that no longer exists.
    return byName;
  }
}

async function documentKind(file: File): Promise<"workbook" | "document" | null> {
  const head = await bytesOf(file, 0, OLE_HEADER);
  const begins = (signature: readonly number[]) => signature.every((byte, index) => head[index] === byte);
  if (begins(ZIP)) {
    const tail = await bytesOf(file, Math.max(0, file.size - ZIP_TAIL), file.size);
    return ZIP_WORKBOOK.test(latin(head.subarray(0, ZIP_HEAD)) + latin(tail)) ? "workbook" : "document";
  }
  if (begins(OLE)) {
    const header = new DataView(head.buffer);
    const sector = 2 ** header.getUint16(30, true);
    const directory = (header.getUint32(48, true) + 1) * sector;
    const names = new TextDecoder("utf-16le").decode(await bytesOf(file, directory, directory + OLE_DIRECTORY));
    return OLE_WORKBOOK.test(names) ? "workbook" : "document";
  }
  return begins(PDF) ? "document" : null;
}

const bytesOf = async (file: File, from: number, to: number) => new Uint8Array(await file.slice(from, to).arrayBuffer());
const latin = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);
