// Files that one page hands to another: a table that was dropped on a task, for the page of its template.

let pending: { templateNo: string; files: readonly File[] } | null = null;

export function setPendingFiles(templateNo: string, files: readonly File[]): void {
  pending = { templateNo, files };
}

/** The files for this template, once. */
export function takePendingFiles(templateNo: string): readonly File[] {
  if (pending?.templateNo !== templateNo) return [];
  const { files } = pending;
  pending = null;
  return files;
}
