// Where the renderer draws overlays and captions, and the fields that move them. Lengths are in pixels of the output.

import type { Insets } from "../../lib/safe-zones";

export interface Size {
  width: number;
  height: number;
}

export interface Box extends Size {
  left: number;
  top: number;
}

/** The position of an overlay in a request. */
export type Place = string | { x?: number; y?: number };

const COLUMNS = ["left", "", "right"] as const;
const ROWS = ["top", "", "bottom"] as const;
const ANCHOR_PARTS = [0, 0.5, 1] as const;
export const MARGIN_PERCENT = 4;

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));
const tenths = (value: number) => Math.round(value * 10) / 10;
const even = (length: number, most: number) => clamp(Math.round(length / 2) * 2, 2, Math.floor(most / 2) * 2);
const shortSide = (canvas: Size) => Math.min(canvas.width, canvas.height);
export const marginOf = (percent: number, canvas: Size): number => (shortSide(canvas) * percent) / 100;

/** The anchor of a position: the parts of the way to the right and down. Null for a position by its centre. */
function anchorOf(place: Place): [number, number] | null {
  if (typeof place !== "string") return null;
  const part = (first: string, last: string) => (place.includes(first) ? 0 : place.includes(last) ? 1 : 0.5);
  return [part("left", "right"), part("top", "bottom")];
}

function anchorName(across: number, down: number): string {
  const [column, row] = [COLUMNS[ANCHOR_PARTS.indexOf(across as 0)], ROWS[ANCHOR_PARTS.indexOf(down as 0)]];
  return [row, column].filter(Boolean).join("-") || "middle";
}

/** The size of an image or a video with this aspect ratio (width to height). */
export function imageSize(percent: number, aspect: number, canvas: Size): Size {
  const width = Math.min((canvas.width * percent) / 100, canvas.height * aspect);
  return { width: even(width, canvas.width), height: even(width / aspect, canvas.height) };
}

/** The box of an overlay, always inside the frame. */
export function overlayBox(place: Place, marginPercent: number, size: Size, canvas: Size): Box {
  const margin = marginOf(marginPercent, canvas);
  const anchor = anchorOf(place);
  const along = (part: number, extent: number, whole: number) => {
    const free = Math.max(0, whole - extent);
    return clamp(anchor !== null ? margin + (free - 2 * margin) * part : whole * part - extent / 2, 0, free);
  };
  const { x = 50, y = 50 } = typeof place === "string" ? {} : place;
  const [across, down] = anchor ?? [x / 100, y / 100];
  return { left: along(across, size.width, canvas.width), top: along(down, size.height, canvas.height), ...size };
}

export type CaptionPlace = "bottom" | "lower-third" | "middle" | "top";
export interface CaptionPosition {
  place: CaptionPlace;
  /** Pixels from the edge; without effect for the other places. */
  bottom: number;
}
const MAX_BOTTOM = 1000;

export function captionBox({ place, bottom }: CaptionPosition, size: Size, canvas: Size): Box {
  const free = Math.max(0, canvas.height - size.height);
  const tops: Record<CaptionPlace, number> = {
    bottom: free - bottom, top: bottom, middle: free / 2, "lower-third": (canvas.height * 2) / 3 - size.height / 2,
  };
  return { left: (canvas.width - size.width) / 2, top: clamp(tops[place], 0, free), ...size };
}

/** The position whose captions have this box: one of the middle places if `snapped` there, otherwise from the nearer edge. */
export function captionPosition(box: Box, snapped: Snapped, canvas: Size): Partial<CaptionPosition> {
  if (snapped.y === "centre") return { place: "middle" };
  if (snapped.y === "third" && centreOf(box).y > canvas.height / 2) return { place: "lower-third" };
  const fromBottom = canvas.height - box.top - box.height;
  const isLow = centreOf(box).y >= canvas.height / 2;
  return { place: isLow ? "bottom" : "top", bottom: clamp(Math.round(isLow ? fromBottom : box.top), 0, MAX_BOTTOM) };
}

export const centreOf = (box: Box): { x: number; y: number } => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });

/** The position of a moved overlay: an anchor if it snapped to one in both directions, otherwise its centre. */
export function placeOf(box: Box, snapped: Snapped, canvas: Size): Place {
  const part = (line: Line | undefined) => (line === "start" ? 0 : line === "centre" ? 0.5 : line === "end" ? 1 : null);
  const [across, down] = [part(snapped.x), part(snapped.y)];
  if (across !== null && down !== null) return anchorName(across, down);
  const { x, y } = centreOf(box);
  return { x: tenths((x / canvas.width) * 100), y: tenths((y / canvas.height) * 100) };
}

/** A guide: both ends of the margin, the middle, a third, the edge of the frame or of the safe zone. */
export type Line = "start" | "centre" | "end" | "third" | "edge" | "zone";
export interface Snapped {
  x?: Line | undefined;
  y?: Line | undefined;
}
export interface Guide {
  axis: "x" | "y";
  at: number;
}

interface Stop {
  line: Line;
  /** The position of the guide. */
  at: number;
  /** The part of the box that is aligned with it: its start, its middle or its end. */
  part: number;
}

function stops(whole: number, margin: number, zone: readonly [number, number] | null): Stop[] {
  const ends = (line: [Line, Line], inset: number, far = inset): Stop[] => [
    { line: line[0], at: inset, part: 0 }, { line: line[1], at: whole - far, part: 1 }];
  return [
    { line: "centre", at: whole / 2, part: 0.5 },
    ...ends(["start", "end"], margin),
    ...(zone === null ? [] : ends(["zone", "zone"], zone[0] * whole, zone[1] * whole)),
    { line: "third", at: whole / 3, part: 0.5 }, { line: "third", at: (whole * 2) / 3, part: 0.5 },
    ...ends(["edge", "edge"], 0),
  ];
}

export interface SnapOptions {
  marginPercent: number;
  zone: Insets | null;
  /** The distance from which a guide attracts; 0 switches snapping off. */
  reach: number;
}

/** Keeps a box inside the frame and moves it to guides within reach. */
export function snap(box: Box, canvas: Size, { marginPercent, zone, reach }: SnapOptions): { box: Box; snapped: Snapped; guides: Guide[] } {
  const margin = marginOf(marginPercent, canvas);
  const along = (start: number, extent: number, whole: number, insets: readonly [number, number] | null) => {
    const inside = clamp(start, 0, Math.max(0, whole - extent));
    const near = stops(whole, margin, insets).map((stop) => ({ ...stop, by: stop.at - stop.part * extent - inside }))
      .filter(({ by }) => reach > 0 && Math.abs(by) <= reach && inside + by >= 0 && inside + by + extent <= whole + 0.01)
      .sort((a, b) => Math.abs(a.by) - Math.abs(b.by))[0];
    return near === undefined ? { start: inside } : { start: inside + near.by, line: near.line, at: near.at };
  };
  const across = along(box.left, box.width, canvas.width, zone && [zone.left, zone.right]);
  const down = along(box.top, box.height, canvas.height, zone && [zone.top, zone.bottom]);
  const guides: Guide[] = [];
  if (across.at !== undefined) guides.push({ axis: "x", at: across.at });
  if (down.at !== undefined) guides.push({ axis: "y", at: down.at });
  return { box: { ...box, left: across.start, top: down.start }, snapped: { x: across.line, y: down.line }, guides };
}

/** The point that stays in place while an overlay is scaled. */
export function fixedPoint(place: Place, box: Box): { x: number; y: number } {
  const [across, down] = anchorOf(place) ?? [0.5, 0.5];
  return { x: box.left + box.width * across, y: box.top + box.height * down };
}

const LINE_HEIGHT = 1.448;
const LINE_HEIGHT_LATIN = 1.362;
/** Space of a box around its text, in em. */
const PADDING = { x: 0.3, y: 0.05 };
const DESIGN_SIDE = 720;
/** The height of letters in a line, in em. */
const LETTERS = 0.9;

export interface TextLook {
  fontSize: number;
  magnification: number;
  font?: string;
  hasBox: boolean;
}

export const emOf = (look: TextLook, canvas: Size): number => (look.fontSize * look.magnification * shortSide(canvas)) / DESIGN_SIDE;
const lineHeight = (look: TextLook) => (/^noto-(sans|serif)(-display)?$/.test(look.font ?? "") ? LINE_HEIGHT_LATIN : LINE_HEIGHT);

/** The size of a text of `lines` lines; its widest line has `width` pixels. */
function blockSize(lines: number, width: number, look: TextLook, canvas: Size): Size {
  const em = emOf(look, canvas);
  const [x, y] = look.hasBox ? [PADDING.x * em, PADDING.y * em] : [0, 0];
  return { width: Math.min(canvas.width, width + 2 * x), height: Math.min(canvas.height, lines * lineHeight(look) * em + 2 * y) };
}

/** An estimate, until the size is measured in a frame. `advance` is the width of a text in em. */
export function estimatedSize(text: string, look: TextLook, maxWidthPercent: number, canvas: Size, advance: (text: string) => number): Size {
  const em = emOf(look, canvas);
  const most = (canvas.width * maxWidthPercent) / 100 - (look.hasBox ? 2 * PADDING.x * em : 0);
  const widths = text.split("\n").map((line) => advance(line) * em);
  const lines = widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / most)), 0);
  const widest = Math.max(...widths.map((width) => width / Math.max(1, Math.ceil(width / most))));
  return blockSize(lines, widest, look, canvas);
}

/** The size of a text whose pixels in a frame fill `ink`. */
export function measuredSize(ink: Size, look: TextLook, canvas: Size): Size {
  if (look.hasBox) return ink;
  const em = emOf(look, canvas);
  const lines = Math.max(1, Math.round((ink.height - LETTERS * em) / (lineHeight(look) * em)) + 1);
  return blockSize(lines, ink.width, look, canvas);
}
