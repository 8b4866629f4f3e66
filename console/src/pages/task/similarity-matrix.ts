// Layout and colours of the similarity matrix.

import type { Pair } from "../../lib/types";

/** The value of a cell: similar appearance or shared footage. */
export type Measure = "look" | "footage";

/** 0 to 1, for videos of up to `longest` seconds; null if unknown. */
export function measure(pair: Pair, by: Measure, longest: number): number | null {
  if (by === "footage") return Math.min(1, pair.sharedSeconds / longest);
  return pair.similarity ?? null;
}

/** The videos of the rows in order, and the position of each pair below the diagonal. */
export function triangle(pairs: readonly Pair[]): { items: number[]; rows: { pair: Pair; row: number; column: number }[] } {
  const items = [...new Set(pairs.flatMap((pair) => pair.items))].sort((a, b) => a - b);
  const place = new Map(items.map((item, at) => [item, at]));
  const rows = pairs.map((pair) => ({ pair, row: place.get(pair.items[1]) ?? 0, column: place.get(pair.items[0]) ?? 0 }));
  return { items, rows };
}

/** The pair at a point of a matrix of width `side`, lower number first; null on the diagonal. */
export function cellAt(items: readonly number[], x: number, y: number, side: number): [number, number] | null {
  const at = (offset: number) => items[Math.min(items.length - 1, Math.max(0, Math.floor((offset / side) * items.length)))];
  const [a, b] = [at(x), at(y)];
  if (a === undefined || b === undefined || a === b) return null;
  return a < b ? [a, b] : [b, a];
}

/** Interpolates from the first colour to the second at 0.6, and to the third at 1. Colours are `#rrggbb`. */
export function colourOf(value: number, colours: readonly string[]): string {
  const middle = 0.6;
  const [low, mid, high] = colours.map(channels);
  if (!low || !mid || !high) return "transparent";
  const [from, to, part] = value < middle ? [low, mid, value / middle] : [mid, high, (value - middle) / (1 - middle)];
  const mixed = from.map((channel, index) => Math.round(channel + ((to[index] ?? channel) - channel) * Math.min(1, Math.max(0, part))));
  return `rgb(${mixed.join(" ")})`;
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}
