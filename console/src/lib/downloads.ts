// Downloads: files behind signed links, which the browser fetches itself, and files that this page created.

import { localLink } from "./api";

/** Delay between two files, because browsers drop downloads that start at the same time. */
const DELAY_MS = 400;

/** Downloads files under the names that the service sends. */
export async function downloadAll(links: readonly string[]): Promise<void> {
  for (const [index, link] of links.entries()) {
    if (index > 0) await new Promise((next) => setTimeout(next, DELAY_MS));
    const anchor = document.createElement("a");
    anchor.href = localLink(link);
    anchor.setAttribute("download", "");
    // The browser opens links to another origin instead of downloading them; they must not replace this page.
    if (new URL(anchor.href, location.href).origin !== location.origin) anchor.target = "_blank";
    anchor.rel = "noopener";
    document.body.append(anchor);
    anchor.click();
    anchor.remove();
  }
}

/** The file name of a response. */
export function responseFileName(response: Response, otherwise: string): string {
  const header = response.headers.get("Content-Disposition") ?? "";
  const encoded = /filename\*=UTF-8''([^;\s]+)/.exec(header)?.[1];
  const plain = /filename="([^"]*)"/.exec(header)?.[1];
  return encoded === undefined ? plain ?? otherwise : decodeURIComponent(encoded);
}

export function downloadBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
