// Files that one page hands to another: a table that was dropped on a task, for the page of its template.

let handed: { templateNo: string; files: readonly File[] } | null = null;

export function handFiles(templateNo: string, files: readonly File[]): void {
  handed = { templateNo, files };
}

/** The files for this template, once. */
export function takeHandedFiles(templateNo: string): readonly File[] {
  if (handed?.templateNo !== templateNo) return [];
  const { files } = handed;
  handed = null;
  return files;
}
