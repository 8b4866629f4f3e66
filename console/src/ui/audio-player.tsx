// Plays the audio of a file, or of a text that the service speaks. Only one player is active at a time. Files that this
// page uploaded are played directly; the service provides others in chunks of a minute.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import "../styles/play.css";
import { t } from "../i18n";
import { clock } from "../lib/format";
import { localFile } from "../lib/local-files";
import { loadChunk, CHUNK_S } from "../lib/audio";
import { Button, explain } from "./basic";

/** The active player; all others stop. */
const activePlayer = signal<symbol | null>(null);

/** With `load`, the whole audio comes from there, and `url` only identifies it. `text` is the visible text of the button. */
export default function AudioPlayer({ url, name, load, text, explainError = explain }: {
  url: string; name: string; load?: () => Promise<Blob>; text?: string; explainError?: (error: unknown) => string;
}) {
  const me = useRef(Symbol()).current;
  const audio = useRef<HTMLAudioElement | null>(null);
  const [state, setState] = useState<{ at: number; length: number; busy: boolean; error: string | null }>({ at: 0, length: 0, busy: false, error: null });
  const on = activePlayer.value === me;

  useEffect(() => {
    setState((before) => (before.error === null ? before : { ...before, error: null }));
    return () => { if (activePlayer.peek() === me) activePlayer.value = null; };
  }, [url]);
  useEffect(() => {
    // A change of the url stops the player.
    if (!on || activePlayer.peek() !== me) return;
    const player = new Audio();
    audio.current = player;
    let stopped = false;
    let address: string | null = null;
    const release = () => address !== null && URL.revokeObjectURL(address);
    const end = () => { if (activePlayer.peek() === me) activePlayer.value = null; };
    const fail = (error: unknown) => {
      if (stopped) return;
      setState((before) => ({ ...before, busy: false, error: explainError(error) }));
      end();
    };
    /** Plays a blob. `from` is its start in the whole audio, `length` the length of the whole audio, if known. */
    const play = (audioBlob: Blob, from: number, length: number | null, then: () => void, wrong: (error: unknown) => void) => {
      release();
      address = URL.createObjectURL(audioBlob);
      player.src = address;
      player.ontimeupdate = () => !stopped && setState((before) => ({
        ...before, busy: false, at: from + player.currentTime, length: length ?? (Number.isFinite(player.duration) ? player.duration : before.length) }));
      player.onended = then;
      player.play().catch((error: unknown) => stopped || wrong(error));
    };
    const fromService = async (number: number): Promise<void> => {
      const chunk = await loadChunk(url, number);
      if (stopped) return;
      const more = (number + 1) * CHUNK_S < chunk.lengthSeconds - 0.2;
      if (more) void loadChunk(url, number + 1).catch(() => undefined);
      play(chunk.audio, chunk.atSeconds, chunk.lengthSeconds, () => (more ? void fromService(number + 1).catch(fail) : end()), fail);
    };
    setState((before) => ({ ...before, at: 0, busy: true, error: null }));
    const file = localFile(url);
    if (load !== undefined) load().then((audio) => stopped || play(audio, 0, null, end, fail), fail);
    // The service converts files that this browser cannot play.
    else if (file !== undefined) play(file, 0, null, end, () => void fromService(0).catch(fail));
    else fromService(0).catch(fail);
    return () => {
      stopped = true;
      player.pause();
      player.removeAttribute("src");
      release();
      audio.current = null;
    };
  }, [on, url]);
  const { at, length, busy, error } = state;
  const toggle = () => (activePlayer.value = on ? null : me);
  return (
    <span class="listen">
      {text === undefined
        ? <Button kind="quiet" icon={on ? "pause" : "play"} busy={on && busy} aria-pressed={on} label={t(on ? "listen.stop" : "listen.go", { name })} onClick={toggle} />
        : <Button icon={on ? "pause" : "play"} busy={on && busy} aria-pressed={on} onClick={toggle}>{text}</Button>}
      {on && !busy && <span class="listen-at mono">{clock(at)}{length > 0 && ` / ${clock(length)}`}
        <span class="listen-bar" aria-hidden="true"><span style={{ transform: `scaleX(${length > 0 ? Math.min(1, at / length) : 0})` }} /></span></span>}
      {error !== null && <span class="listen-error" role="alert">{text === undefined ? t("listen.failed", { name, why: error }) : error}</span>}
    </span>
  );
}
