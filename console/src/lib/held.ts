// Files that this page uploaded, by the urls that they became: as long as the page is open they need not be fetched back.

const held = new Map<string, File>();
const MOST = 1000;

export function holdFile(url: string, file: File): void {
  held.delete(url);
  held.set(url, file);
  const [oldest] = held.keys();
  if (held.size > MOST && oldest !== undefined) held.delete(oldest);
}

/** The file behind a url, if this page sent it. */
export function heldFile(url: string): File | undefined {
  return held.get(url);
}
