// Files that this page uploaded, by url, so that they need not be downloaded again while the page is open.

const held = new Map<string, File>();
const MOST = 1000;

export function rememberFile(url: string, file: File): void {
  held.delete(url);
  held.set(url, file);
  const [oldest] = held.keys();
  if (held.size > MOST && oldest !== undefined) held.delete(oldest);
}

/** The file of a url, if this page uploaded it. */
export function localFile(url: string): File | undefined {
  return held.get(url);
}
