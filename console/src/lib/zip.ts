// All videos of a task as one file.

import { BASE, fetchOk } from "./api";
import { bytes } from "./format";

/** The key goes in a header, so the browser cannot download by itself: the page reads the stream and saves it. */
export async function downloadZip(taskNo: string, progress: (size: string) => void): Promise<void> {
  const answer = await fetchOk(`${BASE}/download/${encodeURIComponent(taskNo)}`);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = answer.body?.getReader();
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) break;
    parts.push(part.value as Uint8Array<ArrayBuffer>);
    size += part.value.length;
    progress(bytes(size));
  }
  save(new Blob(parts, { type: "application/zip" }), `${taskNo}.zip`);
}

function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
