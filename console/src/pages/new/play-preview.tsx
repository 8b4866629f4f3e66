// Plays a few seconds of the result, or all of it, with audio in the preview, free of charge.

import { useEffect, useState } from "preact/hooks";
import "../../styles/play.css";
import { t } from "../../i18n";
import { BASE, fetchOk } from "../../lib/api";
import { count } from "../../lib/format";
import { Button, explain } from "../../ui/basic";
import { Icon } from "../../ui/icon";
import { playback, type PreviewTarget } from "./preview-state";
import { previewedClip } from "./clip-name";
import { partShowing } from "./state";

const SECONDS = 5;
/** The longest output that is played as a whole, and the most seconds that the service renders at once. */
const MAX_S = 180;

function clear(): void {
  if (playback.value !== null) URL.revokeObjectURL(playback.value.address);
  playback.value = null;
}

interface Props {
  /** The request of what the frame shows. */
  request: unknown;
  /** The output that is played as a whole. */
  itemNo: number;
  target: PreviewTarget | null;
  atSeconds: number;
  /** Length of the output, as far as it is known. */
  length: number | undefined;
  /** The request has no errors and all its files are uploaded. */
  ready: boolean;
}

export default function PlayPreview({ request, itemNo, target, atSeconds, length, ready }: Props) {
  /** End of the played part in the output; null at the end of the output. */
  const [next, setNext] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [stop, setStop] = useState<AbortController | null>(null);
  const text = JSON.stringify(request);
  const whole = partShowing(previewedClip.value).request;
  // The draft has changed, so the played part is outdated.
  useEffect(() => {
    setError(null);
    clear();
    return () => setStop((making) => (making?.abort(), null));
  }, [text, target?.itemNo, target?.clip, atSeconds]);
  useEffect(() => clear, []);

  const make = async (from: Record<string, number>, of: unknown, seconds = SECONDS) => {
    const making = new AbortController();
    setStop(making);
    setError(null);
    try {
      const body = { request: of, seconds, ...from };
      const response = await fetchOk(`${BASE}/preview/clip`, { method: "POST", body, signal: making.signal });
      const clip = await response.blob();
      if (making.signal.aborted) return;
      const [at, all] = ["x-at-seconds", "x-length-seconds"].map((name) => Number(response.headers.get(name) ?? 0)) as [number, number];
      const end = at + seconds;
      clear();
      const item = target?.itemNo ?? 1;
      const label = seconds === MAX_S ? t("play.label.all", { item }) : t("play.label", { n: count(SECONDS), item });
      playback.value = { address: URL.createObjectURL(clip), label };
      setNext(end < all - 0.05 ? end : null);
      setStop(null);
    } catch (failure) {
      if (making.signal.aborted) return;
      setError(explain(failure));
      setStop(null);
    }
  };
  if (target === null) return null;
  const isLong = (length ?? 0) > MAX_S;
  const begin = () => void make({ ...target, atSeconds: Math.round(atSeconds * 10) / 10 }, request);
  return (
    <>
      <div class="play-tools">
        {stop !== null
          ? <Button icon="close" onClick={() => { stop.abort(); setStop(null); }}><span class="spinner" aria-hidden="true" /> {t("play.making")} {t("play.stop")}</Button>
          : <Button kind="primary" icon="play" disabled={!ready} title={t("play.free")} onClick={begin}>{t("play.go", { n: SECONDS })}</Button>}
        {stop === null && (
          <Button icon="film" disabled={!ready || isLong} title={t(isLong ? "play.all.most" : "play.free", { n: MAX_S / 60 })} aria-describedby={isLong ? "play-most" : undefined} onClick={() => void make({ itemNo, atSeconds: 0 }, whole, MAX_S)}>{t("play.all")}</Button>
        )}
        {isLong && <p class="hint" id="play-most">{t("play.all.most", { n: MAX_S / 60 })}</p>}
        {playback.value && next !== null && stop === null && (
          <Button icon="right" onClick={() => void make({ itemNo: target.itemNo, atSeconds: next }, request)}>{t("play.on")}</Button>
        )}
        {playback.value && <Button kind="quiet" icon="image" onClick={clear}>{t("play.close")}</Button>}
        <p class="unseen" role="status">{stop === null ? "" : t("play.making")}</p>
      </div>
      {error !== null && <p class="preview-error" role="alert"><Icon name="error" size={15} />{error}</p>}
    </>
  );
}

