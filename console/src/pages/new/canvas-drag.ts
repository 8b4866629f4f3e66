// Moves and scales an object with the pointer. The draft changes once, at the end, so that a drag is one undo step and
// nothing but the canvas renders meanwhile.

import { useRef, useState } from "preact/hooks";
import type { Insets } from "../../lib/safe-zones";
import { followPointer } from "../../ui/follow-pointer";
import { snap, type Box, type Guide, type Size, type Snapped } from "./canvas-geometry";
import type { CanvasObject } from "./canvas-objects";

/** How near a guide attracts, in pixels of the screen. */
const REACH_PX = 6;
/** Shorter movements are clicks. */
const MIN_PX = 3;

export interface Drag {
  id: string;
  box: Box;
  guides: readonly Guide[];
}

type Change = (fields: Record<string, unknown>) => void;

export function scaledBox({ box, fixed }: CanvasObject, ratio: number, canvas: Size): Box {
  const size = { width: Math.min(canvas.width, box.width * ratio), height: Math.min(canvas.height, box.height * ratio) };
  const along = (from: number, start: number, extent: number, whole: number) => Math.max(0, Math.min(whole - extent, from - (from - start) * ratio));
  return { ...size, left: along(fixed.x, box.left, size.width, canvas.width), top: along(fixed.y, box.top, size.height, canvas.height) };
}

/** A scale within the limits of the field, rounded. */
export function roundedScale({ scales: [least, most], kind }: CanvasObject, scale: number): number {
  const steps = kind === "file" ? 10 : 100;
  return Math.max(least, Math.min(most, Math.round(scale * steps) / steps));
}

export function useDrag(canvas: Size, zone: Insets | null) {
  const [drag, setDrag] = useState<Drag | null>(null);
  /** The object as it was last rendered: its size may be measured during the drag. */
  const latest = useRef<CanvasObject | null>(null);

  const begin = (event: PointerEvent, object: CanvasObject, root: HTMLElement, way: "move" | "scale", done: Change) => {
    if (event.button !== 0) return;
    const rect = root.getBoundingClientRect();
    const perPixel = canvas.width / Math.max(1, rect.width);
    const at = (pointer: PointerEvent) => ({ x: (pointer.clientX - rect.left) * perPixel, y: (pointer.clientY - rect.top) * perPixel });
    const origin = at(event);
    let fields: Record<string, unknown> | null = null;
    latest.current = object;

    const move = (pointer: PointerEvent, to: { x: number; y: number }, now: CanvasObject) => {
      const isVertical = now.kind === "captions";
      const wanted = { ...now.box, left: now.box.left + (isVertical ? 0 : to.x - origin.x), top: now.box.top + to.y - origin.y };
      const reach = pointer.ctrlKey || pointer.metaKey ? 0 : REACH_PX * perPixel;
      const { box, snapped, guides } = snap(wanted, canvas, { marginPercent: now.marginPercent, zone, reach });
      const own: Snapped = isVertical ? { y: snapped.y } : snapped;
      fields = now.moved(isVertical ? { ...box, left: now.box.left } : box, own);
      setDrag({ id: now.id, box: isVertical ? { ...box, left: now.box.left } : box, guides: isVertical ? guides.filter(({ axis }) => axis === "y") : guides });
    };
    const scale = (to: { x: number; y: number }, now: CanvasObject) => {
      const distance = (point: { x: number; y: number }) => Math.hypot(point.x - now.fixed.x, point.y - now.fixed.y);
      const next = roundedScale(now, now.scale * (distance(to) / Math.max(1, distance(origin))));
      fields = now.scaled(next);
      setDrag({ id: now.id, box: scaledBox(now, next / now.scale, canvas), guides: [] });
    };
    const follow = (pointer: PointerEvent) => {
      const to = at(pointer);
      if (fields === null && Math.hypot(to.x - origin.x, to.y - origin.y) < MIN_PX * perPixel) return;
      const now = latest.current ?? object;
      if (way === "move") move(pointer, to, now);
      else scale(to, now);
    };
    followPointer(event, follow, (released) => {
      if (released && fields !== null) done(fields);
      setDrag(null);
    });
  };
  return { drag, latest, begin };
}
