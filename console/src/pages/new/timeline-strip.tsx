// Timeline of the previewed output: clips or scenes, captions, and the waveform of the music. A click moves the preview.

import { useEffect, useRef, useState } from "preact/hooks";
import "../../styles/play.css";
import { t } from "../../i18n";
import { readCaptions, type Captions as Edited, type Cue } from "../../lib/captions";
import { clock, decimal } from "../../lib/format";
import { localFile } from "../../lib/local-files";
import { LEVELS_PER_S, loadWaveform, type Waveform } from "../../lib/audio";
import { previewedClip } from "./clip-name";
import { previewSecond, clipSecond } from "./preview-state";
import { pricing, valueAt } from "./state";
import type { Block, Timeline } from "./timeline";
import { currentTimeline } from "./timeline-now";

/** More captions would be too narrow. */
const MOST_CUES = 500;

const textAt = (pointer: string) => {
  const value = valueAt(pointer);
  return typeof value === "string" && value !== "" ? value : undefined;
};

export default function TimelineStrip() {
  const timeline = currentTimeline();
  if (timeline.blocks.length === 0 || !(timeline.seconds > 0)) return null;
  const { current, at } = timeline;
  const place = Math.min(1, at / timeline.seconds);
  const music = textAt("/params/options/backgroundMusic/url");
  const subtitle = "/params/options/subtitle";
  return (
    <section class="timestrip" aria-label={t("strip.title")}>
      <div class="timestrip-head"><span>{t("strip.title")}</span><span class="muted mono">{t((pricing.value.estimate?.totalItems ?? 1) > 1 ? "strip.total.one" : "strip.total", { n: `${timeline.estimated ? "≈ " : ""}${clock(timeline.seconds)}` })}</span></div>
      <div class="timestrip-body">
        <Blocks laid={timeline} current={current} />
        <Captions url={textAt(`${subtitle}/url`)} edited={valueAt(`${subtitle}/_captions`) as Edited | undefined} seconds={timeline.seconds} />
        {music && <Music url={music} seconds={timeline.seconds} />}
        <span class="playhead" style={{ left: `${place * 100}%` }} aria-hidden="true" />
      </div>
      {timeline.estimated && <p class="hint">{t("strip.estimated")}</p>}
    </section>
  );
}

function goTo(block: Block, seconds: number): void {
  previewedClip.value = block.clip._id;
  previewSecond.value = null;
  clipSecond.value = Math.max(0, Math.min(block.seconds - 0.1, Math.round(seconds * 10) / 10));
}

function Blocks({ laid, current }: { laid: Timeline; current: Block | undefined }) {
  return (
    <div class="timestrip-row blocks">
      {laid.blocks.map((block, index) => (
        <button key={`${block.clip._id}-${index}`} type="button" class={`block ${block === current ? "on" : ""} ${block.guessed || laid.estimated ? "guessed" : ""}`}
          aria-current={block === current ? "true" : undefined} title={block.name}
          aria-label={t("strip.block", { name: block.name, seconds: block.guessed ? t("strip.guess") : `${decimal(block.seconds)} s`, at: clock(block.start) })}
          style={{ left: `${(block.start / laid.seconds) * 100}%`, width: `${(block.seconds / laid.seconds) * 100}%` }}
          onClick={(event) => {
            const box = event.currentTarget.getBoundingClientRect();
            // A click by keyboard has no position.
            goTo(block, event.detail === 0 ? 0 : ((event.clientX - box.left) / Math.max(1, box.width)) * block.seconds);
          }}>
          <span class="block-name">{block.name}</span>{" "}
          <span class="block-length">{block.guessed ? "?" : decimal(block.seconds)}</span>
        </button>
      ))}
    </div>
  );
}

/** Edited captions, or captions of a file that this page uploaded. */
function Captions({ url, edited, seconds }: { url: string | undefined; edited: Edited | undefined; seconds: number }) {
  const [fileCues, setFileCues] = useState<Cue[]>([]);
  useEffect(() => {
    let unmounted = false;
    setFileCues([]);
    const file = url === undefined || edited !== undefined ? undefined : localFile(url);
    // The preview reports invalid files.
    file?.text().then((text) => unmounted || setFileCues(readCaptions(text).cues)).catch(() => undefined);
    return () => { unmounted = true; };
  }, [url, edited === undefined]);
  const visibleCues = (edited?.cues ?? fileCues).filter((cue) => cue.start < seconds && cue.end > cue.start).slice(0, MOST_CUES)
    .map((cue) => ({ ...cue, text: cue.text.replace(/<[^>]*>|\{\\[^}]*\}/g, "") }));
  if (visibleCues.length === 0) return null;
  return (
    <ul class="timestrip-row timestrip-cues" aria-label={t("strip.captions")}>
      {visibleCues.map((cue, index) => (
        <li key={index} title={`${clock(cue.start)} ${cue.text}`}
          style={{ left: `${(cue.start / seconds) * 100}%`, width: `${((Math.min(cue.end, seconds) - cue.start) / seconds) * 100}%` }}>{cue.text}</li>
      ))}
    </ul>
  );
}

function Music({ url, seconds }: { url: string; seconds: number }) {
  const [wave, setWave] = useState<Waveform | null>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const limit = Number(valueAt("/params/options/backgroundMusic/duration") ?? Infinity);
  useEffect(() => {
    const stop = new AbortController();
    setWave(null);
    // The preview reports unavailable files.
    loadWaveform(url, Math.min(seconds, limit), setWave, stop.signal).catch(() => undefined);
    return () => stop.abort();
  }, [url, seconds, limit]);
  useEffect(() => {
    if (wave !== null && canvas.current !== null) draw(canvas.current, wave, seconds, limit);
  }, [wave, seconds, limit]);
  return (
    <div class="timestrip-row wave">
      <canvas ref={canvas} width={640} height={56} role="img" aria-label={t("strip.music")} />
    </div>
  );
}

/** One bar for one or two pixels; shorter music is repeated. */
function draw(canvas: HTMLCanvasElement, wave: Waveform, seconds: number, limit: number): void {
  const pen = canvas.getContext("2d");
  if (pen === null) return;
  const { width, height } = canvas;
  pen.clearRect(0, 0, width, height);
  pen.fillStyle = getComputedStyle(canvas).color;
  const period = Math.min(wave.lengthSeconds, limit);
  for (let x = 0; x < width; x += 3) {
    const at = ((x / width) * seconds) % period;
    const level = wave.levels[Math.floor(at * LEVELS_PER_S)];
    if (level === undefined) continue;
    // Not linear, so that quiet music remains visible.
    const tall = Math.max(2, Math.sqrt(level) * height);
    pen.fillRect(x, (height - tall) / 2, 2, tall);
  }
}
