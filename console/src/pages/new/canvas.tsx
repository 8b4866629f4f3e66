// The objects over the previewed frame: logos, texts and captions are selected, moved and scaled there.

import { useEffect, useRef, useState } from "preact/hooks";
import { signal } from "@preact/signals";
import "../../styles/canvas.css";
import { register, t } from "../../i18n";
import { canvasWords } from "../../i18n/canvas";
import type { Part } from "../../lib/draft-parts";
import { decimal } from "../../lib/format";
import { rememberZone, safeZone } from "../../lib/prefs";
import { coveredParts, hasZones, ZONE_NAMES, type ZoneName } from "../../lib/safe-zones";
import { Button } from "../../ui/basic";
import { announce } from "../../ui/toast";
import { roundedScale, scaledBox, useDrag } from "./canvas-drag";
import { useCutout, type Cutout, type ShownFrame } from "./canvas-frames";
import { centreOf, snap, type Box, type Size } from "./canvas-geometry";
import { CAPTIONS, changeObject, frameOf, objectsOf, selectedObject, type CanvasObject } from "./canvas-objects";
import { reveal } from "./summary";
import { currentTimeline } from "./timeline-now";

register(canvasWords);

const CORNERS = ["top-left", "top-right", "bottom-left", "bottom-right"] as const;
const STEP_PERCENT = 0.5;
const LARGE_STEP_PERCENT = 5;
const SCALE_STEP = 1.05;

const hovered = signal<string | null>(null);
/** The objects of the shown frame, for the tools below it. */
const shownObjects = signal<readonly CanvasObject[]>([]);

const percent = (part: number, whole: number) => decimal((part / whole) * 100);
const styleOf = ({ left, top, width, height }: Box, canvas: Size) => ({
  left: `${(left / canvas.width) * 100}%`, top: `${(top / canvas.height) * 100}%`, width: `${(width / canvas.width) * 100}%`, height: `${(height / canvas.height) * 100}%`,
});

function positionText(box: Box, canvas: Size, word: "canvas.at" | "canvas.at.short" = "canvas.at"): string {
  const { x, y } = centreOf(box);
  return t(word, { x: percent(x, canvas.width), y: percent(y, canvas.height), width: percent(box.width, canvas.width) });
}

interface Held {
  id: string;
  /** The box in the frame from which the pixels are cut. */
  from: Box;
  cutout: Cutout;
}

export default function Canvas({ part, frame }: { part: Part; frame: ShownFrame }) {
  const canvas = frameOf(part.draft);
  const zoneName = hasZones(canvas.width, canvas.height) ? safeZone.value : null;
  const zone = zoneName === null ? null : coveredParts(zoneName);
  const { at } = currentTimeline();
  const objects = objectsOf(part.draft, at, JSON.stringify([frame.target, frame.atSeconds]));
  const root = useRef<HTMLDivElement>(null);
  const { drag, latest, begin } = useDrag(canvas, zone);
  const [held, setHeld] = useState<Held | null>(null);
  const subjectId = drag?.id ?? hovered.value ?? selectedObject.value;
  const subject = objects.find(({ id }) => id === subjectId) ?? null;
  const cutout = useCutout(subject, frame, canvas);
  latest.current = subject ?? latest.current;
  useEffect(() => { shownObjects.value = objects; });
  useEffect(() => () => { shownObjects.value = []; hovered.value = null; }, []);
  useEffect(() => {
    const stage = root.current?.parentElement;
    const deselect = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) selectedObject.value = null;
    };
    stage?.addEventListener("pointerdown", deselect);
    return () => stage?.removeEventListener("pointerdown", deselect);
  }, []);
  // The next frame shows the change.
  useEffect(() => setHeld(null), [frame.image]);

  const commit = (object: CanvasObject, fields: Record<string, unknown>, together?: string) => {
    setHeld((before) => (before?.id === object.id ? before : cutout?.id === object.id ? { id: object.id, from: object.box, cutout } : null));
    changeObject(part, object.id, fields, together);
  };
  const press = (event: KeyboardEvent, object: CanvasObject) => {
    const change = keyed(event, object, canvas);
    if (event.key === "Escape") selectedObject.value = null;
    else if (event.key === "Enter" || event.key === " ") selectedObject.value = object.id;
    else if (change !== null && selectedObject.value === object.id) {
      commit(object, change.fields, `canvas ${object.id}`);
      announce(positionText(change.box, canvas));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const moving = drag !== null && cutout !== null && subject !== null ? { id: drag.id, from: subject.box, cutout } : held;
  return (
    <div class={`canvas ${drag === null ? "" : "dragging"}`} ref={root} role="application" aria-label={t("canvas.title")}>
      {moving !== null && <img class="canvas-base" draggable={false} src={moving.cutout.base} alt="" />}
      {zone !== null && <span class="canvas-zone" aria-hidden="true" style={{ inset: `${zone.top * 100}% ${zone.right * 100}% ${zone.bottom * 100}% ${zone.left * 100}%` }} />}
      {objects.map((object) => {
        const box = drag?.id === object.id ? drag.box : object.box;
        const isSelected = selectedObject.value === object.id;
        return (
          <div key={object.id} data-object={object.id} role="button" tabIndex={0} class={`canvas-object ${object.kind} ${isSelected ? "on" : ""}`} style={styleOf(box, canvas)}
            aria-pressed={isSelected} aria-label={`${object.name}, ${positionText(box, canvas)}`}
            onPointerEnter={(event) => { if (event.pointerType === "mouse") hovered.value = object.id; }} onPointerLeave={() => (hovered.value = null)}
            onFocus={() => (selectedObject.value = object.id)} onKeyDown={(event) => press(event, object)}
            onPointerDown={(event) => {
              // A finger scrolls the page unless the object is selected.
              if (event.pointerType === "mouse" || isSelected) begin(event, object, root.current ?? event.currentTarget, "move", (fields) => commit(object, fields));
            }}>
            {isSelected && CORNERS.filter((corner) => isFree(corner, object)).map((corner) => (
              <span key={corner} class={`canvas-handle ${corner}`} aria-hidden="true"
                onPointerDown={(event) => {
                  event.stopPropagation();
                  begin(event, object, root.current ?? event.currentTarget, "scale", (fields) => commit(object, fields));
                }} />
            ))}
          </div>
        );
      })}
      {moving !== null && <Ghost {...moving} to={drag?.box ?? objects.find(({ id }) => id === moving.id)?.box ?? moving.from} canvas={canvas} />}
      {drag?.guides.map(({ axis, at: line }) => (
        <span key={axis} class={`canvas-guide ${axis}`} aria-hidden="true" style={axis === "x" ? { left: `${(line / canvas.width) * 100}%` } : { top: `${(line / canvas.height) * 100}%` }} />
      ))}
    </div>
  );
}

/** A corner that is not the point that stays in place. */
function isFree(corner: (typeof CORNERS)[number], { box, fixed }: CanvasObject): boolean {
  const x = corner.endsWith("left") ? box.left : box.left + box.width;
  const y = corner.startsWith("top") ? box.top : box.top + box.height;
  return Math.hypot(x - fixed.x, y - fixed.y) > 1;
}

/** What a key changes: arrow keys move, plus and minus scale. */
function keyed(event: KeyboardEvent, object: CanvasObject, canvas: Size): { fields: Record<string, unknown>; box: Box } | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const step = ((event.shiftKey ? LARGE_STEP_PERCENT : STEP_PERCENT) / 100) * Math.max(canvas.width, canvas.height);
  const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
  if (by !== undefined) {
    const [x = 0, y = 0] = object.kind === "captions" ? [0, by[1]] : by;
    const { box } = snap({ ...object.box, left: object.box.left + x, top: object.box.top + y }, canvas, { marginPercent: object.marginPercent, zone: null, reach: 0 });
    return { fields: object.moved(box, {}), box };
  }
  const ratio = { "+": SCALE_STEP, "=": SCALE_STEP, "-": 1 / SCALE_STEP, "_": 1 / SCALE_STEP }[event.key];
  if (ratio === undefined) return null;
  const scale = roundedScale(object, object.scale * ratio);
  return { fields: object.scaled(scale), box: scaledBox(object, scale / object.scale, canvas) };
}

/** The pixels of an object while it moves, before the next frame shows it. */
function Ghost({ cutout, from, to, canvas }: { cutout: Cutout; from: Box; to: Box; canvas: Size }) {
  const picture = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const copy = picture.current;
    if (copy === null) return;
    [copy.width, copy.height] = [cutout.pixels.width, cutout.pixels.height];
    copy.getContext("2d")?.drawImage(cutout.pixels, 0, 0);
  }, [cutout.pixels]);
  const { ink } = cutout;
  const [across, down] = [to.width / from.width, to.height / from.height];
  const box = {
    left: to.left + (ink.left * canvas.width - from.left) * across, top: to.top + (ink.top * canvas.height - from.top) * down,
    width: ink.width * canvas.width * across, height: ink.height * canvas.height * down,
  };
  return <canvas class="canvas-ghost" ref={picture} aria-hidden="true" style={styleOf(box, canvas)} />;
}

/** Below the frame: the safe zones, and the selected object. */
export function CanvasTools({ part }: { part: Part }) {
  const canvas = frameOf(part.draft);
  const selected = shownObjects.value.find(({ id }) => id === selectedObject.value);
  const pointer = part.set === null ? "/params/options" : `/_sets/${part.set}`;
  return (
    <div class="canvas-tools">
      {hasZones(canvas.width, canvas.height) && (
        <label class="canvas-zones"><span>{t("canvas.zone")}</span>
          <select class="input" value={safeZone.value ?? ""} onChange={(event) => rememberZone((event.currentTarget.value || null) as ZoneName | null)}>
            <option value="">{t("canvas.zone.none")}</option>
            {ZONE_NAMES.map((name) => <option key={name} value={name}>{t(`canvas.zone.${name}`)}</option>)}
          </select>
        </label>
      )}
      {hasZones(canvas.width, canvas.height) && safeZone.value !== null && <p class="hint">{t("canvas.zone.lead")}</p>}
      {selected !== undefined && (
        <div class="canvas-selected">
          <p><b>{selected.name}</b> <span class="muted">{positionText(selected.box, canvas, "canvas.at.short")}</span></p>
          {selected.id !== CAPTIONS && <Button kind="quiet" icon="settings" onClick={() => reveal(`${pointer}/overlays/${selected.id}/${selected.kind === "text" ? "text" : "place"}`)}>{t("canvas.options")}</Button>}
          <p class="hint canvas-keys">{t("canvas.keys")}</p>
        </div>
      )}
    </div>
  );
}
