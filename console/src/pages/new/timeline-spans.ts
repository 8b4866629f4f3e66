// Start and end of overlays in the timeline.

export interface Span {
  start: number;
  end: number;
}
export type SpanPart = "all" | "start" | "end";

const MIN_S = 0.1;
const tenths = (seconds: number) => Math.round(seconds * 10) / 10;
const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));

/** The part of an output of `seconds` seconds that shows an overlay. */
export function spanOf({ start = 0, end }: { start?: number; end?: number }, seconds: number): Span {
  const from = Math.max(0, Number(start) || 0);
  return { start: from, end: Math.max(from + MIN_S, Math.min(Number(end ?? seconds) || seconds, seconds)) };
}

/** The fields of an overlay. The start and the end of the output are not sent. */
export function spanFields({ start, end }: Span, seconds: number): { start: number | undefined; end: number | undefined } {
  return { start: start > 0 ? start : undefined, end: end < tenths(seconds) ? end : undefined };
}

interface Snapping {
  marks: readonly number[];
  reach: number;
}

/** How far `time` is from the nearest mark within reach. */
function attraction(times: readonly number[], { marks, reach }: Snapping): number {
  const all = times.flatMap((time) => marks.map((mark) => mark - time)).filter((by) => Math.abs(by) <= reach);
  return all.sort((a, b) => Math.abs(a) - Math.abs(b))[0] ?? 0;
}

/** Moves a span, or one of its ends, within the output. */
export function movedSpan({ start, end }: Span, which: SpanPart, by: number, seconds: number, snapping: Snapping): Span {
  switch (which) {
    case "all": {
      const length = end - start;
      const to = start + by + attraction([start + by, end + by], snapping);
      const next = tenths(clamp(to, 0, Math.max(0, seconds - length)));
      return { start: next, end: tenths(next + length) };
    }
    case "start": return { start: tenths(clamp(start + by + attraction([start + by], snapping), 0, end - MIN_S)), end };
    case "end": return { start, end: tenths(clamp(end + by + attraction([end + by], snapping), start + MIN_S, seconds)) };
  }
}

/** Distributes spans to as few rows as possible, in which they do not overlap. */
export function lanesOf<T extends { span: Span }>(bars: readonly T[]): T[][] {
  const lanes: T[][] = [];
  for (const bar of bars) {
    const lane = lanes.find((one) => one.every(({ span }) => span.end <= bar.span.start || span.start >= bar.span.end));
    if (lane === undefined) lanes.push([bar]);
    else lane.push(bar);
  }
  return lanes;
}
