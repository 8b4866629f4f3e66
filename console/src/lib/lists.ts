// Lists as values of variables: a cell with bars between its entries.

/** Entries of a cell. A backslash makes a bar literal, as in tables of the service. */
export function splitCell(cell: string): string[] {
  if (cell.trim() === "") return [];
  const entries = [""];
  for (const part of cell.match(/\\\||\||[^|\\]+|\\/g) ?? []) {
    if (part === "|") entries.push("");
    else entries[entries.length - 1] += part === "\\|" ? "|" : part;
  }
  return entries.map((entry) => entry.trim());
}

export const joinCell = (entries: readonly unknown[]): string => entries.map((entry) => String(entry).replaceAll("|", "\\|")).join("|");

/** A value as the text of a cell. */
export const cellOf = (value: unknown): string => (Array.isArray(value) ? joinCell(value) : String(value ?? ""));

export const isListType = (type: string | undefined): boolean => type === "urls" || type === "texts";
export const isFileType = (type: string | undefined): boolean => type === "url" || type === "urls";

/** The links or file names of a cell: one, or those of a list. */
export const filesOf = (cell: string, type: string): string[] => (type === "urls" ? splitCell(cell) : [cell.trim()]);

/** The cell with each of its files replaced. */
export const withFiles = (cell: string, type: string, replace: (file: string) => string): string => {
  if (type !== "urls") return replace(cell);
  const entries = splitCell(cell);
  const next = entries.map(replace);
  return next.every((entry, at) => entry === entries[at]) ? cell : joinCell(next);
};
