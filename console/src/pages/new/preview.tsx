// One frame of the result, rendered by the service from the user's clip while options change.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { t } from "../../i18n";
import { api } from "../../lib/api";
import { clipUrl, clipLists, type Clip, type ClipList } from "../../lib/draft";
import { partsOf, type Part } from "../../lib/draft-parts";
import { clock, count } from "../../lib/format";
import { TASK_TYPE_INFO } from "../../lib/task-types";
import { getIn, setIn } from "../../lib/pointer";
import type { TaskType } from "../../lib/types";
import { Button, explain } from "../../ui/basic";
import { Icon } from "../../ui/icon";
import { previewedClip } from "./clip-name";
import { outputCount } from "./fields";
import { lazy } from "../../ui/lazy";
import { previewFrame, previewSecond, clipSecond, playback, type PreviewTarget } from "./preview-state";
import { clipCount, clipFacts, draft, kind, partShowing, pricing, redraw, unfinished } from "./state";

const Canvas = lazy(() => import("./canvas").then((part) => part.default), null);
const CanvasTools = lazy(() => import("./canvas").then((part) => part.CanvasTools), null);
const PlayPreview = lazy(() => import("./play-preview").then((part) => part.default), null);
const TimelineStrip = lazy(() => import("./timeline-strip").then((part) => part.default), null);
const Trim = lazy(() => import("./trim").then((part) => part.default), null);

const DEBOUNCE_MS = 300;
const WIDTH = 640;

/** The item and clip that the preview shows. */
export function targetOf(rows: readonly ClipList[], taskType: TaskType, id: string | null, itemNo: number): PreviewTarget | null {
  const ready = (clipList: ClipList) => clipList.clips.filter((clip) => clipUrl(clip) !== undefined);
  const places = rows.flatMap((clipList, row) => clipList.clips.map((clip, index) => ({ id: clip._id, row, index })));
  const place = places.find((candidate) => candidate.id === id) ?? places[0];
  if (place === undefined || rows.every((clipList) => ready(clipList).length === 0)) return null;
  // The first copy, which follows the copies of all previous clips.
  const before = (rows[place.row]?.clips ?? []).slice(0, place.index).reduce((sum, clip) => sum + (clip.copies ?? 1), 0);
  switch (TASK_TYPE_INFO[taskType].shownBy) {
    case "clip": return { itemNo: before + 1, clip: 0 };
    case "row": return { itemNo: place.row + 1, clip: place.index };
    case "draw": return { itemNo, clip: place.row };
  }
}

export function Preview() {
  const atSeconds = clipSecond.value;
  const [itemNo, setItemNo] = useState(1);
  const part = partShowing(previewedClip.value);
  const rows = clipLists(part.draft);
  const outputs = TASK_TYPE_INFO[kind.value].shownBy === "draw" ? outputCount() : 1;
  const ofClip = targetOf(rows, kind.value, previewedClip.value, Math.min(itemNo, outputs));
  const whole = previewSecond.value;
  useEffect(() => { previewSecond.value = null; }, [previewedClip.value, kind.value]);
  const clip = rows.flatMap((clipList) => clipList.clips).find((clip) => clip._id === previewedClip.value) ?? rows.flatMap((clipList) => clipList.clips)[0];
  const scene = TASK_TYPE_INFO[kind.value].shownBy === "draw" ? rows.find((list) => clip !== undefined && list.clips.includes(clip) && list.clips.length > 1) : undefined;
  /** The frame can show another clip of the scene. */
  const isDrawn = scene !== undefined && previewedClip.value === null;
  const onlyClip = scene !== undefined && !isDrawn && whole === null && clip !== undefined;
  const request = useMemo(() => (onlyClip ? withOnly(part, scene, clip) : part.request), [part, clip, onlyClip]);
  const file = (clip && (clip.duration ?? clipFacts(clip).duration)) ?? 10;
  const target = ofClip === null || whole === null ? ofClip && { ...ofClip, itemNo: onlyClip ? 1 : ofClip.itemNo } : { itemNo: ofClip.itemNo };
  const ofOne = Math.max(0.1, Math.min(file, clip?.to ?? file) - (clip?.from ?? 0));
  const length = whole === null ? ofOne : Math.max(whole + 0.1, wholeLength() ?? 0);
  const problem = clip === undefined ? undefined : clipFacts(clip).problem;
  const hasErrors = pricing.value.errors.length > 0 || problem !== undefined;
  const frame = useFrame(JSON.stringify(request), target, Math.min(whole ?? atSeconds, Math.max(0, length - 0.1)), !hasErrors && unfinished.value === 0);
  useEffect(() => { previewFrame.value = frame.image; }, [frame.image]);
  const portrait = shapeOf() < 1;
  const canArrange = kind.value !== "videoDeduplication" && target !== null && !hasErrors;
  const second = tenths(Math.min(whole ?? atSeconds, Math.max(0, length - 0.1)));
  return (
    <section class="panel preview" aria-label={t("preview.title")}>
      <header class="panel-head"><h2>{t("preview.title")}</h2>
        {frame.busy && <span class="busy"><span class="spinner" />{t("preview.busy")}</span>}
        {target !== null && draft.value.params.seed === undefined && <Button kind="quiet" icon="shuffle" title={t("preview.redraw.lead")} onClick={redraw}>{t("preview.redraw")}</Button>}
      </header>
      <div class={`stage ${portrait ? "portrait" : ""}`}>
        {playback.value ? <video key={playback.value.address} src={playback.value.address} controls autoPlay playsInline aria-label={playback.value.label} />
          : frame.image
          ? (
            <div class="preview-frame">
              <img src={frame.image} draggable={false} class={frame.busy || hasErrors ? "old" : ""} alt={t("preview.alt", { n: target?.itemNo ?? 1 })} />
              {canArrange && <Canvas part={part} frame={{ image: frame.image, isCurrent: frame.isCurrent, request, target, atSeconds: second, width: WIDTH }} />}
            </div>
          )
          : <p class="stage-words"><Icon name="image" size={28} />{words(target !== null, hasErrors)}</p>}
      </div>
      {problem !== undefined && <p class="preview-error" role="status"><Icon name="error" size={15} />{problem}</p>}
      {frame.error !== null && problem === undefined && <p class="preview-error" role="status"><Icon name="info" size={15} />{frame.error}</p>}
      {canArrange && frame.image && !playback.value && <CanvasTools part={part} />}
      {target && <PlayPreview request={request} target={target} itemNo={ofClip?.itemNo ?? 1} atSeconds={Math.min(whole ?? atSeconds, Math.max(0, length - 0.1))} length={wholeLength()} ready={!hasErrors && unfinished.value === 0} />}
      {target && (
        <div class="preview-tools">
          <label><span>{t("preview.moment")}</span>
            <input class="slider" type="range" min={0} max={Math.max(0.1, length - 0.1)} step={0.1} value={whole ?? atSeconds}
              style={{ "--fill": `${(Math.min(whole ?? atSeconds, length) / length) * 100}%` }}
              onInput={(event) => (whole === null ? (clipSecond.value = Number(event.currentTarget.value)) : (previewSecond.value = Number(event.currentTarget.value)))} />
            <output class="mono">{clock(whole ?? atSeconds)}</output>
          </label>
          {outputs > 1 && (
            <div class="segments small" role="group" aria-label={t("preview.video")}>
              {Array.from({ length: Math.min(outputs, 5) }, (_, index) => (
                <button key={index} type="button" class={itemNo === index + 1 ? "on" : ""} aria-pressed={itemNo === index + 1}
                  onClick={() => { setItemNo(index + 1); previewedClip.value = null; }}>{t("task.item", { n: count(index + 1) })}</button>
              ))}
            </div>
          )}
        </div>
      )}
      {target && <TimelineStrip />}
      {target && clip && !isDrawn && <Trim key={clip._id} clip={clip} />}
    </section>
  );
}

/** The request for one video with only this clip in its scene; otherwise the service draws which clip a video shows. */
function withOnly({ draft, request }: Part, scene: ClipList, clip: Clip): Part["request"] {
  const single = ["generateCount", "outputCount"].filter((name) => draft.params[name] !== undefined).reduce((rest, name) => setIn(rest, ["params", name], 1), draft);
  return partsOf(setIn(setIn(single, scene.clipsPath, [clip]), ["params", "combinations"], undefined))[0]?.request ?? request;
}

function words(ready: boolean, wrong: boolean): string {
  if (wrong) return t("preview.fix");
  if (unfinished.value > 0) return t("preview.wait");
  return ready ? t("loading") : t("preview.lead");
}

/** Average length of an output, from the estimate. */
function wholeLength(): number | undefined {
  const { estimate } = pricing.value;
  return estimate && estimate.totalItems > 0 ? estimate.outputSeconds / estimate.totalItems : undefined;
}

/** Aspect ratio of the outputs, if known. */
function shapeOf(): number {
  if (kind.value === "videoDeduplication") return 16 / 9;
  const [width, height] = String(getIn(draft.value, ["params", "options", "resolution"]) ?? "720:1280").split(":").map(Number);
  return (width ?? 1) / (height ?? 1);
}

const tenths = (seconds: number) => Math.round(seconds * 10) / 10;

interface FrameState {
  image: string | null;
  error: string | null;
  busy: boolean;
  /** The request, output and time of the image. */
  of: string | null;
}

function useFrame(text: string, target: PreviewTarget | null, atSeconds: number, ready: boolean) {
  const [state, setState] = useState<FrameState>({ image: null, error: null, busy: false, of: null });
  const of = `${text} ${JSON.stringify(target)} ${tenths(atSeconds)}`;
  const last = useRef<string | null>(null);
  const many = clipCount.value;

  useEffect(() => {
    if (!ready || target === null || many === 0) {
      setState((before) => ({ ...before, image: target === null ? null : before.image, busy: false, error: null }));
      return;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      setState((before) => ({ ...before, busy: true }));
      const body = { request: JSON.parse(text) as unknown, ...target, atSeconds: tenths(atSeconds), width: WIDTH };
      api.preview(body, stop.signal).then(
        (blob) => {
          if (last.current !== null) URL.revokeObjectURL(last.current);
          last.current = URL.createObjectURL(blob);
          setState({ image: last.current, error: null, busy: false, of });
        },
        (error: unknown) => !stop.signal.aborted && setState((before) => ({ ...before, error: explain(error), busy: false })),
      );
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, target?.itemNo, target?.clip, atSeconds, ready, many === 0]);
  return { ...state, isCurrent: state.of === of };
}
