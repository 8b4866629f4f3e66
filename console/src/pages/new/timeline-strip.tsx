// Timeline of the previewed output: tracks of clips or scenes, captions, overlays, music and voices. A click moves the
// preview.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import "../../styles/play.css";
import { t } from "../../i18n";
import { readCaptions, type Captions as Edited, type Cue } from "../../lib/captions";
import type { Part } from "../../lib/draft-parts";
import { clock, decimal } from "../../lib/format";
import { localFile } from "../../lib/local-files";
import { nameOf } from "../../lib/media";
import { getIn } from "../../lib/pointer";
import type { VoiceAudio } from "../../lib/voices";
import { Icon, type IconName } from "../../ui/icon";
import { hasCaptions, overlaysOf } from "./canvas-objects";
import { previewedClip } from "./clip-name";
import { clipSecond, previewSecond } from "./preview-state";
import { partShowing, pricing } from "./state";
import type { Block, Bumper, Timeline } from "./timeline";
import { Voices, Wave } from "./timeline-audio";
import { currentTimeline } from "./timeline-now";
import { OverlayBars } from "./timeline-overlays";

/** More captions would be too narrow. */
const MAX_CUES = 500;

type Json = Record<string, unknown>;

export default function TimelineStrip() {
  const timeline = currentTimeline();
  const { seconds, blocks, current, at, intro, outro } = timeline;
  if (blocks.length === 0 || !(seconds > 0)) return null;
  const part = partShowing(previewedClip.value);
  const options = (part.draft.params.options as Json | undefined) ?? {};
  const subtitle = (options.subtitle as Subtitle | undefined) ?? {};
  const music = options.backgroundMusic as VoiceAudio | undefined;
  const voices = voicesOf(part, timeline);
  const seek = (to: number) => {
    const block = to < outro.start || outro.seconds === 0 ? blocks.findLast(({ start }) => start <= to) : undefined;
    if (block !== undefined) goTo(block, to - block.start);
    else previewSecond.value = Math.round(Math.min(to, seconds - 0.1) * 10) / 10;
  };
  const marks = [...[intro, ...blocks, outro].flatMap(({ start, seconds: length }) => [start, start + length]), at];
  const isRough = timeline.estimated || intro.guessed || outro.guessed;
  return (
    <section class="timestrip" aria-label={t("strip.title")}>
      <div class="timestrip-head"><span>{t("strip.title")}</span><span class="muted mono">{t((pricing.value.estimate?.totalItems ?? 1) > 1 ? "strip.total.one" : "strip.total", { n: `${isRough ? "≈ " : ""}${clock(seconds)}` })}</span></div>
      <div class="timestrip-body" onClick={(event) => {
        // Blocks and bars handle their own clicks. The slider of the preview does the same by keyboard.
        const track = (event.target as HTMLElement).closest<HTMLElement>(".timestrip-row");
        if (track === null || (event.target as HTMLElement).closest("button, [role=slider]") !== null) return;
        const box = track.getBoundingClientRect();
        seek(((event.clientX - box.left) / Math.max(1, box.width)) * seconds);
      }}>
        <Track icon="film" name={t("strip.video")}><Blocks laid={timeline} current={current} seek={seek} /></Track>
        {(hasCaptions(part.draft) || subtitle._captions !== undefined) && <Track icon="text" name={t("strip.captions")}><Captions subtitle={subtitle} timeline={timeline} /></Track>}
        {overlaysOf(part.draft).length > 0 && <Track icon="image" name={t("strip.overlays")}><OverlayBars part={part} seconds={seconds} marks={marks} seek={seek} /></Track>}
        {music?.url && <Track icon="music" name={t("strip.music")}><Wave audio={{ url: music.url, start: 0, limit: Number(music.duration ?? Infinity), repeats: true }} seconds={seconds} label={t("strip.music")} /></Track>}
        {voices.length > 0 && <Track icon="mic" name={t("strip.voice")}><Voices voices={voices} seconds={seconds} /></Track>}
        <span class="playhead" style={{ "--at": String(Math.min(1, at / seconds)) }} aria-hidden="true" />
      </div>
      {timeline.estimated && <p class="hint">{t("strip.estimated")}</p>}
    </section>
  );
}

function Track({ icon, name, children }: { icon: IconName; name: string; children: ComponentChildren }) {
  return <div class="timestrip-track"><span class="timestrip-icon" title={name} aria-hidden="true"><Icon name={icon} size={14} /></span>{children}</div>;
}

function goTo(block: Block, seconds: number): void {
  // Which clip of a scene this video shows is drawn, so the moment is one of the whole video.
  if (block.isDrawn) {
    previewSecond.value = Math.round((block.start + Math.min(seconds, block.seconds - 0.1)) * 10) / 10;
    return;
  }
  previewedClip.value = block.clip._id;
  previewSecond.value = null;
  clipSecond.value = Math.max(0, Math.min(block.seconds - 0.1, Math.round(seconds * 10) / 10));
}

/** The voice-over, one of several voices, or the audio of each scene. */
function voicesOf({ draft }: Part, { intro, blocks }: Timeline) {
  const options = (draft.params.options as Json | undefined) ?? {};
  const pool = ((options.voicePool as { audio?: VoiceAudio }[] | undefined) ?? []).flatMap(({ audio }) => audio ?? []);
  const [voice, several] = [options.audio as VoiceAudio | undefined, pool[0]];
  const isUsed = (audio: VoiceAudio | undefined) => Boolean(audio?.url || audio?.text);
  const titleOf = (audio: VoiceAudio) => audio.text ?? nameOf(audio.url);
  if (voice !== undefined && isUsed(voice)) return [{ audio: voice, start: intro.seconds + Number(voice.start ?? 0), text: titleOf(voice) }];
  if (several !== undefined && isUsed(several)) return [{ audio: { ...several, text: titleOf(several) }, start: intro.seconds + Number(several.start ?? 0), text: t("strip.voices", { n: pool.length }) }];
  const scenes = (draft.params.scenes as Json[] | undefined) ?? [];
  return scenes.filter((scene) => ((scene.resources as unknown[] | undefined) ?? []).length > 0).flatMap((scene, place) => {
    const audio = getIn(scene, ["audioResources", 0]) as (VoiceAudio & { startTime?: number }) | undefined;
    const start = (blocks[place]?.start ?? intro.seconds) + Number(audio?.startTime ?? 0);
    return audio !== undefined && isUsed(audio) ? [{ audio: { ...audio, text: titleOf(audio) }, start, text: titleOf(audio) }] : [];
  });
}

function Blocks({ laid, current, seek }: { laid: Timeline; current: Block | undefined; seek: (to: number) => void }) {
  return (
    <div class="timestrip-row blocks">
      <BumperBlock name={t("strip.intro")} bumper={laid.intro} whole={laid.seconds} seek={seek} />
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
      <BumperBlock name={t("strip.outro")} bumper={laid.outro} whole={laid.seconds} seek={seek} />
    </div>
  );
}

/** The intro or outro, which the preview shows as part of the whole video. */
function BumperBlock({ name, bumper, whole, seek }: { name: string; bumper: Bumper; whole: number; seek: (to: number) => void }) {
  const { start, seconds, guessed } = bumper;
  if (seconds === 0) return null;
  const second = previewSecond.value;
  const isCurrent = second !== null && second >= start && second < start + seconds;
  return (
    <button type="button" class={`block bumper ${isCurrent ? "on" : ""} ${guessed ? "guessed" : ""}`} title={name} aria-current={isCurrent ? "true" : undefined}
      aria-label={t("strip.block", { name, seconds: guessed ? t("strip.guess") : `${decimal(seconds)} s`, at: clock(start) })}
      style={{ left: `${(start / whole) * 100}%`, width: `${(seconds / whole) * 100}%` }}
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        seek(start + (event.detail === 0 ? 0 : ((event.clientX - box.left) / Math.max(1, box.width)) * seconds));
      }}>
      <span class="block-name">{name}</span>{" "}
      <span class="block-length">{guessed ? "?" : decimal(seconds)}</span>
    </button>
  );
}

interface Subtitle {
  url?: string;
  text?: string;
  cues?: Cue[];
  _captions?: Edited;
}

/** Captions with known times: edited ones, those of the request, and those of a file that this page uploaded. */
function Captions({ subtitle, timeline: { intro, outro, seconds: whole } }: { subtitle: Subtitle; timeline: Timeline }) {
  /** Their times count from the end of the intro. */
  const seconds = outro.start - intro.seconds;
  const place = (start: number, end: number) => ({ left: `${((intro.seconds + start) / whole) * 100}%`, width: `${((end - start) / whole) * 100}%` });
  const [fileCues, setFileCues] = useState<Cue[]>([]);
  const { url, text, cues, _captions: edited } = subtitle;
  useEffect(() => {
    let unmounted = false;
    setFileCues([]);
    const file = url === undefined || edited !== undefined ? undefined : localFile(url);
    // The preview reports invalid files.
    file?.text().then((read) => unmounted || setFileCues(readCaptions(read).cues)).catch(() => undefined);
    return () => { unmounted = true; };
  }, [url, edited === undefined]);
  const visibleCues = (edited?.cues ?? cues ?? fileCues).filter((cue) => cue.start < seconds && cue.end > cue.start).slice(0, MAX_CUES)
    .map((cue) => ({ ...cue, text: cue.text.replace(/<[^>]*>|\{\\[^}]*\}/g, "") }));
  return (
    <ul class="timestrip-row timestrip-cues" aria-label={t("strip.captions")}>
      {visibleCues.length === 0 && edited === undefined && <li class="guessed" title={t("strip.captions.later")} style={place(0, seconds)}>{text ?? t("strip.captions")}</li>}
      {visibleCues.map((cue, index) => (
        <li key={index} title={`${clock(cue.start)} ${cue.text}`} style={place(cue.start, Math.min(cue.end, seconds))}>{cue.text}</li>
      ))}
    </ul>
  );
}
