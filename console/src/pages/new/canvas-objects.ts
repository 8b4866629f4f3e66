// The overlays and captions of the shown video that can be moved on its frame.

import { signal } from "@preact/signals";
import { t } from "../../i18n";
import { captionStyles } from "../../lib/catalogue";
import { hasNeeded, type Draft } from "../../lib/draft";
import type { Part } from "../../lib/draft-parts";
import { media, nameOf } from "../../lib/media";
import { getIn, setIn, type Path } from "../../lib/pointer";
import { probeUrl } from "../../lib/thumbs";
import {
  captionBox, captionPosition, estimatedSize, fixedPoint, imageSize, MARGIN_PERCENT, measuredSize, overlayBox, placeOf,
  type Box, type CaptionPosition, type Place, type Size, type Snapped, type TextLook,
} from "./canvas-geometry";
import { change } from "./drafts";

type Json = Record<string, unknown>;

interface Overlay {
  type?: string;
  url?: string;
  text?: string;
  texts?: string[];
  place?: Place;
  width?: number;
  opacity?: number;
  maxWidth?: number;
  margin?: number;
  start?: number;
  end?: number;
  style?: Json;
}

export interface CanvasObject {
  /** `captions`, or the index of the overlay. */
  id: string;
  name: string;
  kind: "file" | "text" | "captions";
  box: Box;
  marginPercent: number;
  /** Whether the size is that in a frame, not an estimate. */
  isMeasured: boolean;
  /** The same for all positions. */
  sizeKey: string;
  look: TextLook | null;
  /** Width in percent, or magnification of the text. */
  scale: number;
  scales: readonly [least: number, most: number];
  /** The point that stays in place while it is scaled. */
  fixed: { x: number; y: number };
  moved: (box: Box, snapped: Snapped) => Json;
  scaled: (scale: number) => Json;
}

export const CAPTIONS = "captions";
/** The selected object, by its ID. */
export const selectedObject = signal<string | null>(null);
/** Sizes of texts, measured in frames. Null: the frame does not show the text. */
export const measuredTexts = signal<ReadonlyMap<string, Size | null>>(new Map());

const WIDTHS = [1, 100] as const;
const MAGNIFICATIONS = [0.1, 5] as const;
const DEFAULTS = { fontSize: 14, magnification: 2.5 };
/** The captions assumed until they are measured, in em. */
const USUAL_CAPTION_EM = 12;

/** The frame of the outputs in pixels. */
export function frameOf(draft: Draft): Size {
  const text = String(getIn(draft, ["params", "options", "resolution"]) ?? "720:1280");
  const [width = 720, height = 1280] = text.split(":").map(Number);
  return { width, height };
}

const options = (draft: Draft): Json => (draft.params.options as Json | undefined) ?? {};
export const overlaysOf = (draft: Draft): Overlay[] => (options(draft).overlays as Overlay[] | undefined) ?? [];

export const overlayName = (overlay: Overlay): string => (
  overlay.type === "text" ? (overlay.text ?? overlay.texts?.[0] ?? t("overlays.text")) : nameOf(overlay.url));

export function hasCaptions(draft: Draft): boolean {
  const scenes = (draft.params.scenes as { text?: string }[] | undefined) ?? [];
  const subtitle = options(draft).subtitle as Json | undefined;
  return hasNeeded(subtitle, "url") || subtitle?.from !== undefined || scenes.some((scene) => Boolean(scene.text));
}

/** The objects that the frame shows at this second. `moment` identifies the frame, because captions change. */
export function objectsOf(draft: Draft, second: number, moment: string): CanvasObject[] {
  const canvas = frameOf(draft);
  const isShown = ({ start = 0, end = Infinity }: Overlay) => second >= start - 0.05 && second < end;
  const overlays = overlaysOf(draft).flatMap((overlay, index) => (isShown(overlay) ? overlayObject(overlay, index, canvas) ?? [] : []));
  const captions = hasCaptions(draft) ? captionsObject(draft, canvas, moment) : null;
  return captions === null ? overlays : [...overlays, captions];
}

function overlayObject(overlay: Overlay, index: number, canvas: Size): CanvasObject | null {
  const { margin = MARGIN_PERCENT } = overlay;
  const isText = overlay.type === "text";
  const style = withPreset(overlay.style);
  const look = isText ? lookOf(style) : null;
  const sizeKey = isText ? JSON.stringify([canvas, { ...overlay, place: null, margin, start: 0, end: 0 }]) : "";
  const text = overlay.text ?? overlay.texts?.[0] ?? "";
  const ink = measuredTexts.value.get(sizeKey);
  const { width = 20, maxWidth = 90, place = isText ? "middle" : "top-right" } = overlay;
  const aspect = isText ? null : aspectOf(overlay.url);
  if (isText ? text.trim() === "" || look === null : aspect === null || Number(overlay.opacity ?? 100) === 0) return null;
  const size = look === null ? imageSize(width, aspect ?? 1, canvas)
    : ink ? measuredSize(ink, look, canvas) : estimatedSize(text, look, maxWidth, canvas, advanceIn(style));
  const box = overlayBox(place, margin, size, canvas);
  return {
    id: String(index), name: overlayName(overlay), kind: isText ? "text" : "file", box, marginPercent: margin, sizeKey, look,
    isMeasured: !isText || ink !== undefined, scale: look?.magnification ?? width, scales: isText ? MAGNIFICATIONS : WIDTHS, fixed: fixedPoint(place, box),
    moved: (to, snapped) => ({ place: placeOf(to, snapped, canvas) }),
    scaled: (scale) => (isText ? { style: { ...overlay.style, magnification: scale } } : { width: scale }),
  };
}

function captionsObject(draft: Draft, canvas: Size, moment: string): CanvasObject | null {
  const subtitle = (options(draft).subtitle as Json | undefined) ?? {};
  const own = (subtitle.style as Json | undefined) ?? {};
  const style = withPreset(own);
  const look = lookOf(style);
  const position = { place: "bottom", bottom: 50, ...style } as CaptionPosition;
  const sizeKey = JSON.stringify([canvas, moment, { ...subtitle, style: { ...own, place: null, bottom: null } }]);
  const ink = measuredTexts.value.get(sizeKey);
  if (ink === null) return null;
  const size = ink !== undefined ? measuredSize(ink, look, canvas) : estimatedSize("m".repeat(USUAL_CAPTION_EM), look, Number(style.maxWidth ?? 84), canvas, (text) => text.length);
  const box = captionBox(position, size, canvas);
  const middle = { x: canvas.width / 2, y: box.top + box.height / 2 };
  const bottom = { x: canvas.width / 2, y: box.top + box.height };
  return {
    id: CAPTIONS, name: t("strip.captions"), kind: "captions", box, marginPercent: MARGIN_PERCENT, sizeKey, look, isMeasured: ink !== undefined,
    scale: look.magnification, scales: MAGNIFICATIONS, fixed: position.place === "bottom" ? bottom : middle,
    moved: (to, snapped) => ({ style: { ...own, ...captionPosition(to, snapped, canvas) } }),
    scaled: (scale) => ({ style: { ...own, magnification: scale } }),
  };
}

/** A style with the fields of its preset. */
function withPreset(own: Json | undefined): Json {
  const preset = captionStyles.value?.find(({ name }) => name === own?.preset);
  return { ...(preset?.style as Json | undefined), ...own };
}

function lookOf(style: Json): TextLook {
  const number = (name: keyof typeof DEFAULTS) => Number(style[name] ?? DEFAULTS[name]) || DEFAULTS[name];
  return {
    fontSize: number("fontSize"), magnification: number("magnification"), hasBox: style.backColor !== undefined,
    ...(typeof style.font === "string" ? { font: style.font } : {}),
  };
}

let pen: CanvasRenderingContext2D | null | undefined;
const PEN_PX = 100;

/** Measures with a font of the browser, which is only similar. */
const advanceIn = (style: Json) => (text: string): number => {
  pen ??= document.createElement("canvas").getContext("2d");
  if (!pen) return text.length * 0.6;
  pen.font = `${style.weight === "bold" ? 700 : 400} ${PEN_PX}px "Noto Sans SC", "Noto Sans CJK SC", sans-serif`;
  return pen.measureText(style.uppercase === true ? text.toUpperCase() : text).width / PEN_PX;
};

const aspects = signal<ReadonlyMap<string, number>>(new Map());

/** The aspect ratio of a file as it is shown, from its thumbnail. */
function aspectOf(url: string | undefined): number | null {
  if (url === undefined || url === "") return null;
  const known = aspects.value.get(url);
  if (known !== undefined) return known;
  const { thumb } = media.value.get(url) ?? {};
  // Not while rendering, because the thumbnail changes a signal.
  if (thumb === undefined) queueMicrotask(() => probeUrl(url));
  else {
    const image = new Image();
    image.onload = () => (aspects.value = new Map(aspects.value).set(url, image.naturalWidth / Math.max(1, image.naturalHeight)));
    image.src = thumb;
  }
  return null;
}

/** Changes the fields of an object. Changes with the same `together` that follow each other quickly are one undo step. */
export function changeObject(part: Part, id: string, fields: Json, together?: string): void {
  const own: Path = part.set === null ? ["params", "options"] : ["_sets", part.set];
  const path = [...own, ...(id === CAPTIONS ? ["subtitle"] : ["overlays", Number(id)])];
  change((before) => {
    const object = (getIn(before, path) as Json | undefined) ?? {};
    return setIn(before, path, { ...object, ...fields });
  }, undefined, together === undefined ? {} : { together });
}

/** The request without what one object shows. All random choices stay the same. */
export function requestWithout(request: Json, id: string): Json {
  if (id !== CAPTIONS) {
    const path = ["params", "options", "overlays", Number(id)];
    const { end: _, ...overlay } = getIn(request, path) as Overlay;
    const hidden = overlay.type === "text" ? { ...overlay, start: NEVER_S } : { ...(getIn(request, path) as Overlay), opacity: 0 };
    return setIn(request, path, hidden);
  }
  const scenes = getIn(request, ["params", "scenes"]) as Json[] | undefined;
  const silent = scenes?.map(({ text: _, ...scene }) => scene);
  const rest = silent === undefined ? request : setIn(request, ["params", "scenes"], silent);
  return setIn(rest, ["params", "options", "subtitle"], undefined);
}

/** After the end of every output. */
const NEVER_S = 86_400;
