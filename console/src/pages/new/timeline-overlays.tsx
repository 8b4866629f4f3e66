// Overlays in the timeline: bars from their start to their end, which are moved and trimmed by pointer or keyboard.

import { useRef, useState } from "preact/hooks";
import { t } from "../../i18n";
import type { Part } from "../../lib/draft-parts";
import { clock, decimal } from "../../lib/format";
import { followPointer } from "../../ui/follow-pointer";
import { changeObject, overlayName, overlaysOf, selectedObject } from "./canvas-objects";
import { lanesOf, movedSpan, spanFields, spanOf, type Span, type SpanPart } from "./timeline-spans";

/** How near the start or the end of a clip attracts, in pixels. */
const REACH_PX = 6;
const MIN_PX = 3;

interface Props {
  part: Part;
  /** Length of the output. */
  seconds: number;
  /** Times that attract what is dragged. */
  marks: readonly number[];
  seek: (seconds: number) => void;
}

export function OverlayBars({ part, seconds, marks, seek }: Props) {
  const bars = overlaysOf(part.draft).map((overlay, index) => ({ id: String(index), name: overlayName(overlay), span: spanOf(overlay, seconds) }))
    .filter(({ span }) => span.start < seconds);
  if (bars.length === 0) return null;
  return (
    <ul class="timestrip-lanes" aria-label={t("strip.overlays")}>
      {lanesOf(bars).map((lane, index) => (
        <li key={index} class="timestrip-row">
          {lane.map((bar) => <Bar key={bar.id} {...bar} part={part} seconds={seconds} marks={marks} seek={seek} />)}
        </li>
      ))}
    </ul>
  );
}

function Bar({ id, name, span, part, seconds, marks, seek }: Props & { id: string; name: string; span: Span }) {
  const bar = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<Span | null>(null);
  const { start, end } = dragged ?? span;
  const isSelected = selectedObject.value === id;
  const commit = (next: Span, together?: string) => changeObject(part, id, spanFields(next, seconds), together);

  const drag = (which: SpanPart) => (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    (event.currentTarget as HTMLElement).focus();
    selectedObject.value = id;
    const row = bar.current?.parentElement?.getBoundingClientRect();
    const perPixel = seconds / Math.max(1, row?.width ?? 1);
    let next: Span | null = null;
    followPointer(event, (pointer) => {
      const by = pointer.clientX - event.clientX;
      if (next === null && Math.abs(by) < MIN_PX) return;
      const reach = pointer.ctrlKey || pointer.metaKey ? 0 : REACH_PX * perPixel;
      next = movedSpan(span, which, by * perPixel, seconds, { marks, reach });
      setDragged(next);
    }, (released) => {
      setDragged(null);
      if (released && next !== null) commit(next);
      else if (released && which === "all") seek((event.clientX - (row?.left ?? 0)) * perPixel);
    });
  };
  const press = (which: SpanPart) => (event: KeyboardEvent) => {
    const step = event.shiftKey ? 1 : 0.1;
    const by = { ArrowLeft: -step, ArrowRight: step, Home: -seconds, End: seconds }[event.key];
    if (event.key === "Escape") selectedObject.value = null;
    else if (which === "all" && (event.key === "Enter" || event.key === " ")) {
      selectedObject.value = id;
      seek((start + end) / 2);
    } else if (by !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
      commit(movedSpan(span, which, by, seconds, { marks: [], reach: 0 }), `span ${id} ${which}`);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={bar} class={`overlay-bar ${isSelected ? "on" : ""}`} style={{ left: `${(start / seconds) * 100}%`, width: `${((end - start) / seconds) * 100}%` }}>
      <button type="button" class="overlay-bar-body" aria-pressed={isSelected} title={`${name}, ${clock(start)}–${clock(end)}`}
        aria-label={t("strip.overlay", { name, from: decimal(start), to: decimal(end) })}
        onFocus={() => (selectedObject.value = id)} onPointerDown={drag("all")} onKeyDown={press("all")}>{name}</button>
      {(["start", "end"] as const).map((which) => (
        <span key={which} role="slider" tabIndex={isSelected ? 0 : -1} class={`overlay-bar-handle ${which}`} aria-label={t(`strip.overlay.${which}`, { name })}
          aria-valuemin={0} aria-valuemax={Math.round(seconds * 10) / 10} aria-valuenow={which === "start" ? start : end} aria-valuetext={t("trim.seconds", { n: decimal(which === "start" ? start : end) })}
          onPointerDown={drag(which)} onKeyDown={press(which)} />
      ))}
    </div>
  );
}
