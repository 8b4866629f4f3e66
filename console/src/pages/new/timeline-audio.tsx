// Music and voices in the timeline: waveforms of files, and bars of texts that are spoken.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../i18n";
import { LEVELS_PER_S, loadWaveform, type Waveform } from "../../lib/audio";
import { voiceLength, type VoiceAudio } from "../../lib/voices";

export interface Audio {
  url: string;
  /** When it begins in the output. */
  start: number;
  /** Seconds of the file that are used. */
  limit: number;
  repeats: boolean;
}

export function Wave({ audio: { url, start, limit, repeats }, seconds, label }: { audio: Audio; seconds: number; label: string }) {
  const [wave, setWave] = useState<Waveform | null>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const stop = new AbortController();
    setWave(null);
    // The preview reports unavailable files.
    loadWaveform(url, Math.min(seconds, limit), setWave, stop.signal).catch(() => undefined);
    return () => stop.abort();
  }, [url, seconds, limit]);
  useEffect(() => {
    if (wave !== null && canvas.current !== null) draw(canvas.current, wave, { seconds, start, limit, repeats });
  }, [wave, seconds, start, limit, repeats]);
  return (
    <div class="timestrip-row wave">
      <canvas ref={canvas} width={640} height={56} role="img" aria-label={label} />
    </div>
  );
}

/** One bar for one or two pixels; shorter music is repeated. */
function draw(canvas: HTMLCanvasElement, wave: Waveform, { seconds, start, limit, repeats }: { seconds: number } & Omit<Audio, "url">): void {
  const pen = canvas.getContext("2d");
  if (pen === null) return;
  const { width, height } = canvas;
  pen.clearRect(0, 0, width, height);
  pen.fillStyle = getComputedStyle(canvas).color;
  const period = Math.min(wave.lengthSeconds, limit);
  for (let x = 0; x < width; x += 3) {
    const at = (x / width) * seconds - start;
    if (at < 0 || (!repeats && at > period)) continue;
    const level = wave.levels[Math.floor((at % period) * LEVELS_PER_S)];
    if (level === undefined) continue;
    // Not linear, so that quiet music remains visible.
    const tall = Math.max(2, Math.sqrt(level) * height);
    pen.fillRect(x, (height - tall) / 2, 2, tall);
  }
}

/** A voice, or one of several voices. */
interface Spoken {
  audio: VoiceAudio;
  start: number;
  text: string;
}

/** The voice-over, or the audio of scenes, each from its start. */
export function Voices({ voices, seconds }: { voices: readonly Spoken[]; seconds: number }) {
  const [only] = voices;
  if (only === undefined) return null;
  if (voices.length === 1 && only.audio.url && !only.audio.text) {
    const audio = { url: only.audio.url, start: only.start, limit: Number(only.audio.duration ?? Infinity) || Infinity, repeats: false };
    return <Wave audio={audio} seconds={seconds} label={t("strip.voice")} />;
  }
  return (
    <ul class="timestrip-row timestrip-cues voices" aria-label={t("strip.voice")}>
      {voices.filter(({ start }) => start < seconds).map(({ audio, start, text }, index) => {
        const length = voiceLength({ ...audio, start: 0 });
        const end = Math.min(seconds, start + (length?.seconds ?? seconds));
        return <li key={index} class={length?.estimated === false ? "" : "guessed"} title={text} style={{ left: `${(start / seconds) * 100}%`, width: `${((end - start) / seconds) * 100}%` }}>{text}</li>;
      })}
    </ul>
  );
}
