// Files that this page uploaded, by url, so that they need not be downloaded again while the page is open.

const localFiles = new Map<string, File>();
const MAX = 1000;

export function rememberFile(url: string, file: File): void {
  localFiles.delete(url);
  localFiles.set(url, file);
  const [oldest] = localFiles.keys();
  if (localFiles.size > MAX && oldest !== undefined) localFiles.delete(oldest);
}

/** The file of a url, if this page uploaded it. */
export function localFile(url: string): File | undefined {
  return localFiles.get(url);
}
