// Boxes of overlays and captions, and the fields that move them.

import { expect, test } from "vitest";
import "./browser";
import { coveredParts, hasZones } from "../src/lib/safe-zones";
import {
  captionBox, captionPosition, estimatedSize, fixedPoint, imageSize, measuredSize, overlayBox, placeOf, snap, type CaptionPlace,
} from "../src/pages/new/canvas-geometry";

const canvas = { width: 720, height: 1280 };
const size = { width: 200, height: 100 };
const free = { marginPercent: 4, zone: null, reach: 10 };

test("overlays are placed by anchors with a margin, or by their centre, inside the frame", () => {
  expect(imageSize(30, 4, canvas)).toEqual({ width: 216, height: 54 });
  // No taller than the output.
  expect(imageSize(100, 0.1, canvas)).toEqual({ width: 128, height: 1280 });
  const at = (place: Parameters<typeof overlayBox>[0]) => {
    const { left, top } = overlayBox(place, 5, size, canvas);
    return [left, top];
  };
  expect([at("top-left"), at("middle"), at("bottom-right"), at("right")]).toEqual([[36, 36], [260, 590], [484, 1144], [484, 590]]);
  expect([at({ x: 50, y: 25 }), at({ x: 0, y: 100 })]).toEqual([[260, 270], [0, 1180]]);
});

test("a position is read back from its box", () => {
  const box = overlayBox({ x: 40, y: 30 }, 4, size, canvas);
  expect(placeOf(box, {}, canvas)).toEqual({ x: 40, y: 30 });
  expect(placeOf(box, { x: "centre" }, canvas)).toEqual({ x: 40, y: 30 });
  for (const [x, y, name] of [["start", "start", "top-left"], ["centre", "centre", "middle"], ["end", "centre", "right"], ["centre", "end", "bottom"]] as const) {
    expect(placeOf(box, { x, y }, canvas)).toBe(name);
  }
});

test("guides attract within reach, and boxes stay inside", () => {
  const near = snap({ left: 265, top: 400, ...size }, canvas, free);
  expect(near).toMatchObject({ box: { left: 260, top: 400 }, snapped: { x: "centre", y: undefined }, guides: [{ axis: "x", at: 360 }] });
  expect(snap({ left: 265, top: -50, ...size }, canvas, { ...free, reach: 0 })).toMatchObject({ box: { left: 265, top: 0 }, guides: [] });
  expect(snap({ left: 30, top: 26, ...size }, canvas, free)).toMatchObject({ box: { left: 28.8, top: 28.8 }, snapped: { x: "start", y: "start" } });
  expect(snap({ left: 5, top: 600, ...size }, canvas, { ...free, zone: { left: 0.02, right: 0, top: 0, bottom: 0 } }).box.left).toBeCloseTo(0);
  expect(snap({ left: 12, top: 600, ...size }, canvas, { ...free, zone: { left: 0.02, right: 0, top: 0, bottom: 0 } })).toMatchObject({ box: { left: 14.4 }, snapped: { x: "zone" } });
});

test("captions are placed from an edge or in the middle, and read back", () => {
  const top = (place: CaptionPlace) => captionBox({ place, bottom: 50 }, size, canvas).top;
  expect([top("bottom"), top("top"), top("middle"), Math.round(top("lower-third"))]).toEqual([1130, 50, 590, 803]);
  const position = (at: number, snapped = {}) => captionPosition({ left: 0, top: at, ...size }, snapped, canvas);
  expect([position(1000), position(100)]).toEqual([{ place: "bottom", bottom: 180 }, { place: "top", bottom: 100 }]);
  expect([position(590, { y: "centre" }), position(803, { y: "third" }), position(376, { y: "third" })]).toEqual([{ place: "middle" }, { place: "lower-third" }, { place: "top", bottom: 376 }]);
});

test("the size of a text is estimated, then measured", () => {
  const look = { fontSize: 20, magnification: 2, hasBox: false };
  const advance = (text: string) => text.length;
  expect(estimatedSize("abcd", look, 90, canvas, advance)).toEqual({ width: 160, height: 57.92 });
  // Twenty letters of 40 pixels are wider than 648.
  expect(estimatedSize("a".repeat(20), look, 90, canvas, advance)).toEqual({ width: 400, height: 115.84 });
  expect(measuredSize({ width: 150, height: 30 }, look, canvas)).toEqual({ width: 150, height: 57.92 });
  expect(measuredSize({ width: 150, height: 90 }, look, canvas).height).toBeCloseTo(115.84);
  expect(measuredSize({ width: 150, height: 61 }, { ...look, hasBox: true }, canvas)).toEqual({ width: 150, height: 61 });
});

test("scaling keeps the anchor in place", () => {
  const box = overlayBox("top-right", 5, size, canvas);
  expect(fixedPoint("top-right", box)).toEqual({ x: 684, y: 36 });
  expect(fixedPoint({ x: 1, y: 1 }, { left: 0, top: 0, ...size })).toEqual({ x: 100, y: 50 });
});

test("safe zones apply to frames of the screen's shape", () => {
  expect([hasZones(720, 1280), hasZones(1080, 1350), hasZones(1280, 720)]).toEqual([true, false, false]);
  const { top, bottom } = coveredParts("shorts");
  expect(top + bottom).toBeLessThan(0.5);
});
