// Two synchronized video players. One side can be the source of the other, with other files, times and speeds.

import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { clock } from "../lib/format";
import { assets } from "../lib/assets";
import { Button } from "./basic";

/** A time in a file. The service can render a frame of `original` if the browser cannot play the file. */
export interface Moment {
  src: string | null;
  at: number;
  rate: number;
  original?: string;
}

export interface Side {
  label: string;
  poster?: string | undefined;
  /** The file and time to show; null if there is none. */
  at: (seconds: number) => Moment | null;
  length: number;
}

/** Allowed offset in seconds before a video is synchronized. */
const OFF = 0.08;

export const fileSide = (label: string, src: string | null, length: number, poster?: string): Side => (
  { label, poster, length, at: (seconds) => (src === null ? null : { src, at: seconds, rate: 1 }) });

export function SyncedPlayers({ sides, label, note, close }: { sides: readonly [Side, Side]; label: string; note?: string; close: () => void }) {
  const first = useRef<HTMLVideoElement>(null);
  const second = useRef<HTMLVideoElement>(null);
  const videos: readonly RefObject<HTMLVideoElement | null>[] = [first, second];
  const box = useRef<HTMLDivElement>(null);
  const [playing, setPlaying] = useState(false);
  const [time, setTime] = useState(0);
  const [unmutedSide, setUnmutedSide] = useState(-1);
  // The longer video is the clock.
  const lead = sides[1].length > sides[0].length ? 1 : 0;
  const length = Math.max(0.1, sides[0].length, sides[1].length);
  const each = (act: (video: HTMLVideoElement, side: Side) => void) => videos.forEach(({ current }, place) => {
    const side = sides[place];
    if (current && side) act(current, side);
  });
  const syncTo = (seconds: number, by: number) => each((video, side) => {
    const moment = side.at(seconds);
    if (moment?.src == null || video.readyState === 0) return;
    video.playbackRate = Math.min(4, Math.max(0.25, moment.rate));
    const at = Math.min(moment.at, video.duration || moment.at);
    if (Math.abs(video.currentTime - at) > by && !(video.ended && by > 0)) video.currentTime = at;
  });
  const step = () => {
    const leader = videos[lead]?.current;
    if (!leader || leader.seeking) return;
    setTime(leader.currentTime);
    if (playing) syncTo(leader.currentTime, OFF);
    if (leader.ended) setPlaying(false);
  };
  const toggle = () => {
    if (playing) each((video) => video.pause());
    else {
      const begin = time >= length - OFF ? 0 : time;
      if (begin !== time) seek(begin);
      each((video, side) => { if (side.at(begin)?.src) void video.play().catch(() => undefined); });
    }
    setPlaying(!playing);
  };
  const seek = (seconds: number) => {
    setTime(seconds);
    syncTo(seconds, 0);
  };
  useEffect(() => box.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <div class="side-by-side" role="group" aria-label={label} ref={box}>
      <div class="pair">
        {sides.map((side, place) => (
          <figure key={place}>
            <Screen side={side} time={time} playing={playing} video={videos[place] ?? first} muted={unmutedSide !== place} step={place === lead ? step : undefined} />
            <figcaption class="small">
              <span>{side.label}</span>
              <Button kind="quiet" icon="sound" aria-pressed={unmutedSide === place} label={t("step.hear", { name: side.label })} onClick={() => setUnmutedSide(unmutedSide === place ? -1 : place)} />
            </figcaption>
          </figure>
        ))}
      </div>
      <div class="pair-controls">
        <Button icon={playing ? "pause" : "play"} onClick={toggle}>{playing ? t("alike.pause") : t("alike.play")}</Button>
        <input type="range" min={0} max={length} step={0.04} value={time} aria-label={t("alike.time")} aria-valuetext={clock(time)} onInput={(event) => seek(Number(event.currentTarget.value))} />
        <span class="mono small">{clock(time)}</span>
        {note !== undefined && <span class="small muted">{note}</span>}
        <Button kind="quiet" icon="close" onClick={close}>{t("action.close")}</Button>
      </div>
    </div>
  );
}

/** The video of one side, or frames of it if the browser cannot play the file. */
function Screen({ side, time, playing, video, muted, step }: {
  side: Side; time: number; playing: boolean; video: RefObject<HTMLVideoElement | null>; muted: boolean; step: (() => void) | undefined;
}) {
  const [unplayable, setUnplayable] = useState<ReadonlySet<string>>(new Set());
  const moment = side.at(time);
  if (moment === null) return <p class="stage-words">{t("alike.missing")}</p>;
  const { src } = moment;
  if (src === null || unplayable.has(src)) {
    return moment.original === undefined ? <p class="stage-words">{t("alike.missing")}</p> : <Frame url={moment.original} at={moment.at} label={side.label} />;
  }
  const ready = () => {
    if (!video.current) return;
    video.current.currentTime = moment.at;
    if (playing) void video.current.play().catch(() => undefined);
  };
  return (
    <video ref={video} muted={muted} playsInline preload="auto" src={src} poster={side.poster} aria-label={side.label}
      onLoadedMetadata={ready} onTimeUpdate={step} onEnded={step} onError={() => setUnplayable(new Set([...unplayable, src]))} />
  );
}

const SETTLED_MS = 250;

function Frame({ url, at, label }: { url: string; at: number; label: string }) {
  const [image, setImage] = useState<string | null>(null);
  const whole = Math.round(at * 5) / 5;
  useEffect(() => {
    const stop = new AbortController();
    let objectUrl: string | null = null;
    const timer = setTimeout(() => {
      assets.frame(url, whole, 480, stop.signal).then((blob) => { objectUrl = URL.createObjectURL(blob); setImage(objectUrl); }, () => undefined);
    }, SETTLED_MS);
    return () => { clearTimeout(timer); stop.abort(); if (objectUrl !== null) URL.revokeObjectURL(objectUrl); };
  }, [url, whole]);
  return image === null ? <p class="stage-words"><span class="spinner" /></p> : <img class="pair-frame" src={image} alt={`${label}, ${clock(at)}`} />;
}
