// A perceptual hash of thumbnails: whether each point is brighter than its right neighbour (dHash). Similar images have
// similar hashes.

import { signal } from "@preact/signals";

const SIZE = 8;

/** Hashes by the URL of the image. */
export const hashes = signal<ReadonlyMap<string, string>>(new Map());
const requested = new Set<string>();

/** `grey` has SIZE rows of SIZE + 1 points. */
export function hashOf(grey: readonly number[]): string {
  return Array.from({ length: SIZE * SIZE }, (_, bit) => {
    const at = Math.floor(bit / SIZE) * (SIZE + 1) + (bit % SIZE);
    return (grey[at] ?? 0) > (grey[at + 1] ?? 0) ? "1" : "0";
  }).join("");
}

/** Computes the hash of an image of this page, once. */
export function requestHash(url: string): void {
  if (requested.has(url)) return;
  requested.add(url);
  void compute(url).then((hash) => { hashes.value = new Map(hashes.value).set(url, hash); }, () => undefined);
}

async function compute(url: string): Promise<string> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: SIZE + 1, height: SIZE });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("no canvas");
  context.drawImage(image, 0, 0, SIZE + 1, SIZE);
  const { data } = context.getImageData(0, 0, SIZE + 1, SIZE);
  return hashOf(Array.from({ length: (SIZE + 1) * SIZE }, (_, at) => 0.299 * (data[4 * at] ?? 0) + 0.587 * (data[4 * at + 1] ?? 0) + 0.114 * (data[4 * at + 2] ?? 0)));
}
