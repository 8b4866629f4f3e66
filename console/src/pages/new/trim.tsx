// Trims the previewed clip: two handles on its frames, moved by pointer or arrow keys, and number fields.

import { useEffect, useRef, useState } from "preact/hooks";
import "../../styles/play.css";
import { t } from "../../i18n";
import { BASE, fetchOk } from "../../lib/api";
import { clipUrl, speedOf, updateById, type Clip } from "../../lib/draft";
import { decimal } from "../../lib/format";
import { Button } from "../../ui/basic";
import { followPointer } from "../../ui/follow-pointer";
import { Icon } from "../../ui/icon";
import { clipName, previewedClip } from "./clip-name";
import { clipSecond } from "./preview-state";
import { change, clipFacts } from "./state";

const MIN_S = 0.1;
const PICTURES = 6;

export default function Trim({ clip }: { clip: Clip }) {
  const [open, setOpen] = useState(false);
  const whole = clipFacts(clip).duration;
  if (whole === undefined || whole < 2 * MIN_S) return null;
  const name = clipName(clip);
  return (
    <details class="trim" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary><span>{t("trim.title", { name })}</span>
        <span class="muted mono">{t("trim.kept", { n: seconds(end(clip, whole) - (clip.from ?? 0)), whole: seconds(whole) })}</span></summary>
      {open && <Bar clip={clip} whole={whole} name={name} />}
    </details>
  );
}

const seconds = (value: number) => `${decimal(value)} s`;
const end = (clip: Clip, whole: number) => Math.min(whole, clip.to ?? whole);
const tenths = (value: number) => Math.round(value * 10) / 10;

type Side = "from" | "to";

/** Moves one end of the clip within the limits of the other end and the file. Ends of the file are not stored. */
function moved(clip: Clip, side: Side, value: number, whole: number): Partial<Clip> {
  if (side === "from") {
    const from = tenths(Math.max(0, Math.min(value, end(clip, whole) - MIN_S)));
    return { from: from > 0 ? from : undefined } as Partial<Clip>;
  }
  const to = tenths(Math.max((clip.from ?? 0) + MIN_S, value));
  return { to: to >= whole ? undefined : to } as Partial<Clip>;
}

function Bar({ clip, whole, name }: { clip: Clip; whole: number; name: string }) {
  const bar = useRef<HTMLDivElement>(null);
  const set = (side: Side, value: number) => {
    const part = moved(clip, side, value, whole);
    // A drag is one undo step.
    change((draft) => updateById(draft, clip._id, (current) => ({ ...current, ...part })), undefined, { together: `trim ${clip._id} ${side}` });
    // The preview shows the frame at the handle.
    previewedClip.value = clip._id;
    const next = { ...clip, ...part };
    clipSecond.value = side === "from" ? 0 : Math.max(0, tenths((end(next, whole) - (next.from ?? 0) - MIN_S) / speedOf(next)));
  };
  const from = clip.from ?? 0;
  const to = end(clip, whole);
  const drag = (side: Side) => (event: PointerEvent) => {
    const handle = event.currentTarget as HTMLElement;
    handle.focus();
    const box = bar.current?.getBoundingClientRect();
    followPointer(event, (at) => box && latest.current(side, ((at.clientX - box.left) / Math.max(1, box.width)) * whole));
    event.preventDefault();
  };
  const latest = useRef(set);
  latest.current = set;
  return (
    <div class="trim-body">
      <div class="trim-bar" ref={bar}>
        <Pictures url={clipUrl(clip)} whole={whole} />
        <span class="trim-off" style={{ left: 0, width: `${(from / whole) * 100}%` }} />
        <span class="trim-off" style={{ right: 0, width: `${(1 - to / whole) * 100}%` }} />
        <span class="trim-kept" style={{ left: `${(from / whole) * 100}%`, right: `${(1 - to / whole) * 100}%` }} />
        {(["from", "to"] as const).map((side) => {
          const value = side === "from" ? from : to;
          return (
            <span key={side} role="slider" tabIndex={0} class={`trim-handle ${side}`} aria-label={t(`trim.${side}`, { name })}
              aria-valuemin={0} aria-valuemax={tenths(whole)} aria-valuenow={tenths(value)} aria-valuetext={t("trim.seconds", { n: decimal(value) })}
              style={{ left: `${(value / whole) * 100}%` }} onPointerDown={drag(side)}
              onKeyDown={(event) => {
                const next = keyed(event, value, whole);
                if (next === null) return;
                event.preventDefault();
                set(side, next);
              }}><Icon name={side === "from" ? "left" : "right"} size={14} /></span>
          );
        })}
      </div>
      <div class="trim-fields">
        <Seconds word={t("trim.from.short")} value={clip.from} fallback="0" most={whole} set={(value) => set("from", value ?? 0)} />
        <Seconds word={t("trim.to.short")} value={clip.to} fallback={String(tenths(whole))} most={whole} set={(value) => set("to", value ?? whole)} />
        <Button kind="quiet" icon="redo" disabled={clip.from === undefined && clip.to === undefined}
          onClick={() => change((draft) => updateById(draft, clip._id, ({ from: _, to: __, ...rest }) => rest))}>{t("trim.whole")}</Button>
      </div>
    </div>
  );
}

/** Arrow keys move by 0.1 s; with Shift, or the Page keys, by 1 s. */
function keyed(event: KeyboardEvent, value: number, whole: number): number | null {
  const step = event.shiftKey ? 1 : 0.1;
  switch (event.key) {
    case "ArrowLeft": case "ArrowDown": return value - step;
    case "ArrowRight": case "ArrowUp": return value + step;
    case "PageDown": return value - 1;
    case "PageUp": return value + 1;
    case "Home": return 0;
    case "End": return whole;
    default: return null;
  }
}

/** A number field that applies only complete numbers, so that intermediate input is allowed. */
function Seconds({ word, value, fallback, most, set }: {
  word: string; value: number | undefined; fallback: string; most: number; set: (value: number | undefined) => void;
}) {
  return (
    <label class="inline-field"><span>{word}</span>
      <input class="input numeric" type="number" inputMode="decimal" min={0} max={most} step={0.1} placeholder={fallback} value={value ?? ""}
        onChange={(event) => {
          const text = event.currentTarget.value.trim();
          const next = Number(text);
          set(text === "" || !Number.isFinite(next) ? undefined : next);
          event.currentTarget.value = text === "" ? "" : String(value ?? "");
        }} />
    </label>
  );
}

/** Frames of the file, loaded one after another from the service. */
function Pictures({ url, whole }: { url: string | undefined; whole: number }) {
  const [frames, setFrames] = useState<readonly string[]>([]);
  useEffect(() => {
    if (url === undefined) return;
    const stop = new AbortController();
    const urls: string[] = [];
    void (async () => {
      for (let number = 0; number < PICTURES && !stop.signal.aborted; number += 1) {
        const body = { url, atSeconds: tenths(((number + 0.5) / PICTURES) * whole), width: 96 };
        const response = await fetchOk(`${BASE}/thumbnail`, { method: "POST", body, signal: stop.signal });
        urls.push(URL.createObjectURL(await response.blob()));
        if (!stop.signal.aborted) setFrames([...urls]);
      }
    })().catch(() => undefined);
    return () => {
      stop.abort();
      urls.forEach((address) => URL.revokeObjectURL(address));
      setFrames([]);
    };
  }, [url, whole]);
  return <span class="trim-pictures" aria-hidden="true">{Array.from({ length: PICTURES }, (_, place) => (
    <span key={place}>{frames[place] && <img src={frames[place]} alt="" draggable={false} />}</span>))}</span>;
}
