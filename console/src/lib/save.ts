// Saving files: those that the browser fetches itself, by links that need no key, and those that this page made.

import { localLink } from "./api";

/** Between two files: browsers drop downloads that begin in the same moment. */
const PAUSE_MS = 400;

/** Saves files under the names that the service sends. */
export async function saveAll(links: readonly string[]): Promise<void> {
  for (const [index, link] of links.entries()) {
    if (index > 0) await new Promise((next) => setTimeout(next, PAUSE_MS));
    const anchor = document.createElement("a");
    anchor.href = localLink(link);
    anchor.setAttribute("download", "");
    // A link that leads to storage of its own is shown rather than saved: not in place of this page.
    if (new URL(anchor.href, location.href).origin !== location.origin) anchor.target = "_blank";
    anchor.rel = "noopener";
    document.body.append(anchor);
    anchor.click();
    anchor.remove();
  }
}

/** The name that an answer of the service gives to its file. */
export function nameOf(answer: Response, otherwise: string): string {
  const header = answer.headers.get("Content-Disposition") ?? "";
  const encoded = /filename\*=UTF-8''([^;\s]+)/.exec(header)?.[1];
  const plain = /filename="([^"]*)"/.exec(header)?.[1];
  return encoded === undefined ? plain ?? otherwise : decodeURIComponent(encoded);
}

/** Hands a file that this page made or fetched to the browser's downloads. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
