// What one object adds to the shown frame: the frame without it, and a cut-out of its pixels. While the object moves, the
// cut-out moves over the frame without it. The pixels of texts also give their sizes, which only the renderer knows.

import { useEffect, useMemo, useState } from "preact/hooks";
import { api } from "../../lib/api";
import type { Box, Size } from "./canvas-geometry";
import { measuredTexts, requestWithout, type CanvasObject } from "./canvas-objects";
import type { PreviewTarget } from "./preview-state";

export interface ShownFrame {
  /** The shown image; null before the first one. */
  image: string | null;
  /** Whether it is that of the request. */
  isCurrent: boolean;
  request: Record<string, unknown>;
  target: PreviewTarget;
  atSeconds: number;
  width: number;
}

export interface Cutout {
  id: string;
  /** The frame without the object. */
  base: string;
  pixels: HTMLCanvasElement;
  /** The place of the pixels, as fractions of the frame. */
  ink: Box;
}

const DEBOUNCE_MS = 120;
const CACHED_FRAMES = 12;
/** Compression changes pixels by less than this; the sum of red, green and blue. */
const MIN_DIFFERENCE = 48;
/** Pixels with at least this difference are opaque in the cut-out. */
const OPAQUE_DIFFERENCE = 160;
/** Rows and columns with fewer pixels do not belong to the object. */
const MIN_PIXELS = 2;

const frames = new Map<string, Promise<string>>();

function frameWithout(key: string, body: unknown): Promise<string> {
  const cached = frames.get(key);
  if (cached !== undefined) return cached;
  const request = api.preview(body).then((blob) => URL.createObjectURL(blob));
  frames.set(key, request);
  request.catch(() => frames.delete(key));
  const [oldest] = frames.keys();
  if (frames.size > CACHED_FRAMES && oldest !== undefined) {
    void frames.get(oldest)?.then((address) => URL.revokeObjectURL(address), () => undefined);
    frames.delete(oldest);
  }
  return request;
}

async function pixelsOf(address: string): Promise<ImageData> {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (pen === null) throw new Error("no canvas");
  pen.drawImage(image, 0, 0);
  return pen.getImageData(0, 0, canvas.width, canvas.height);
}

/** The pixels in which two frames differ; null if they are the same. */
export function difference(frame: ImageData, base: ImageData): { cut: ImageData; ink: Box } | null {
  const { width, height, data } = frame;
  if (base.width !== width || base.height !== height) return null;
  const cut = new ImageData(width, height);
  const [columns, rows] = [new Uint32Array(width), new Uint32Array(height)];
  for (let pixel = 0, at = 0; pixel < width * height; pixel += 1, at += 4) {
    let by = 0;
    for (let channel = at; channel < at + 3; channel += 1) by += Math.abs((data[channel] ?? 0) - (base.data[channel] ?? 0));
    if (by < MIN_DIFFERENCE) continue;
    cut.data.set(data.subarray(at, at + 3), at);
    cut.data[at + 3] = Math.min(255, (by / OPAQUE_DIFFERENCE) * 255);
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    columns[x] = (columns[x] ?? 0) + 1;
    rows[y] = (rows[y] ?? 0) + 1;
  }
  const isInk = (pixels: number) => pixels >= MIN_PIXELS;
  const [left, top] = [columns.findIndex(isInk), rows.findIndex(isInk)];
  if (left < 0 || top < 0) return null;
  const [right, bottom] = [columns.findLastIndex(isInk) + 1, rows.findLastIndex(isInk) + 1];
  return { cut, ink: { left, top, width: right - left, height: bottom - top } };
}

async function cutoutOf(object: CanvasObject, image: string, base: string): Promise<{ cutout: Cutout; part: Size } | null> {
  const [shown, without] = await Promise.all([pixelsOf(image), pixelsOf(base)]);
  const found = difference(shown, without);
  if (found === null) return null;
  const { cut, ink } = found;
  const pixels = document.createElement("canvas");
  [pixels.width, pixels.height] = [ink.width, ink.height];
  pixels.getContext("2d")?.putImageData(cut, -ink.left, -ink.top);
  const [width, height] = [ink.width / cut.width, ink.height / cut.height];
  return { cutout: { id: object.id, base, pixels, ink: { left: ink.left / cut.width, top: ink.top / cut.height, width, height } }, part: { width, height } };
}

/** The cut-out of an object in the frame; null until it is known. */
export function useCutout(object: CanvasObject | null, frame: ShownFrame, canvas: Size): Cutout | null {
  const [cutout, setCutout] = useState<(Cutout & { of: string | null }) | null>(null);
  const { target, atSeconds, width } = frame;
  const id = object?.id ?? null;
  const [body, key] = useMemo(() => {
    const without = id === null ? null : { request: requestWithout(frame.request, id), ...target, atSeconds, width };
    return [without, without && JSON.stringify(without)];
  }, [frame.request, id, target.itemNo, target.clip, atSeconds, width]);
  useEffect(() => {
    const { image } = frame;
    if (object === null || key === null || image === null || !frame.isCurrent) return;
    let stopped = false;
    const timer = setTimeout(() => void (async () => {
      const base = await frameWithout(key, body);
      const found = await cutoutOf(object, image, base);
      if (stopped) return;
      if (object.look !== null) {
        const size = found === null ? null : { width: found.part.width * canvas.width, height: found.part.height * canvas.height };
        noteSize(object, size);
      }
      setCutout(found === null ? null : { ...found.cutout, of: image });
    })().catch(() => undefined), DEBOUNCE_MS);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [key, id, frame.image, frame.isCurrent]);
  return cutout !== null && cutout.id === id && cutout.of === frame.image ? cutout : null;
}

function noteSize(object: CanvasObject, size: Size | null): void {
  // Only captions can be absent; a text may be fading in or out.
  if (object.isMeasured || (size === null && object.kind === "text")) return;
  measuredTexts.value = new Map(measuredTexts.value).set(object.sizeKey, size);
}
