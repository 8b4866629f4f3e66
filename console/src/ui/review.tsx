// Review of videos: a grid, and a player that stays in view. Arrow keys select a video, space plays it, M chooses it.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { selectedVideos, videoKey, setSelected, toggleSelected } from "../lib/video-selection";
import { clock, count } from "../lib/format";
import { localLink } from "../lib/api";
import { downloadAll } from "../lib/downloads";
import { Button } from "./basic";
import { Icon, type IconName } from "./icon";
import { SyncedPlayers, fileSide } from "./synced-players";
import { HoverPreview } from "./hover-preview";
import { MAX_TASKS, ShareDialog } from "./share-dialog";
import { announce } from "./toast";
import { VirtualGrid } from "./virtual-grid";

/** A video in the grid, finished or not. */
export interface Shot {
  taskNo: string;
  itemNo: number;
  url: string | null;
  coverUrl: string | null;
  duration: number | null;
  /** Name for screen readers and actions. */
  name: string;
  /** Title on the card; `name` if absent. */
  title?: string;
  /** Beside the title. */
  note: ComponentChildren;
  /** Shown if there is no cover. */
  icon: IconName;
}

interface Props {
  shots: readonly Shot[];
  at: Shot | undefined;
  choose: (shot: Shot) => void;
  label: string;
  title: ComponentChildren;
  /** The player and the details of its video. */
  children: ComponentChildren;
  few?: boolean;
}

export const shotKey = (shot: Shot): string => videoKey(shot.taskNo, shot.itemNo);

export function Review({ shots, at, choose, label, title, children, few = false }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [only, setOnly] = useState(false);
  const selected = shots.filter((shot) => selectedVideos.value.has(shotKey(shot)));
  const visibleShots = only && selected.length > 0 ? selected : shots;
  const place = at === undefined ? -1 : visibleShots.findIndex((shot) => shotKey(shot) === shotKey(at));
  const go = (shot: Shot | undefined) => {
    if (shot === undefined) return;
    choose(shot);
    // The card may only be rendered in the next frame.
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-shot="${shotKey(shot)}"]`)?.focus({ preventScroll: true }));
  };
  useReviewKeys(box, (key, columns) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[key];
    if (step !== undefined) go(visibleShots[place + step]);
    else if (key === "Home") go(visibleShots[0]);
    else if (key === "End") go(visibleShots.at(-1));
    else if (key === " ") playOrPause(box.current);
    else if (at !== undefined) markAndSay(at);
  });
  return (
    <div class={`videos review ${few ? "few" : ""}`} ref={box}>
      {children}
      <section class="video-list" aria-label={label}>
        <header class="review-head">
          <h2>{title}</h2>
          {selected.length > 0 && (
            <label class="switch small"><input type="checkbox" role="switch" checked={only} onChange={() => setOnly(!only)} /><span class="track" /><span>{t("review.only", { n: selected.length })}</span></label>
          )}
          <span class="hint review-keys"><kbd>←</kbd> <kbd>→</kbd> {t("review.keys.move")} <kbd>{t("review.space")}</kbd> {t("review.keys.play")} <kbd>M</kbd> {t("review.keys.mark")}</span>
        </header>
        {selected.length > 0 && <MarkedBar marked={selected} />}
        <VirtualGrid items={visibleShots} minWidth={148} rowHeight={184} label={label} keyOf={shotKey} reveal={place < 0 ? undefined : place} covered={() => coveredBy(box.current)}
          render={(shot, index) => <Card shot={shot} on={index === place} reachable={index === Math.max(0, place)} choose={() => choose(shot)} />} />
      </section>
    </div>
  );
}

function markAndSay(shot: Shot): void {
  if (shot.url === null && !selectedVideos.value.has(shotKey(shot))) return;
  toggleSelected(shotKey(shot));
  announce(t(selectedVideos.value.has(shotKey(shot)) ? "review.said.marked" : "review.said.unmarked", { name: shot.name }));
}

function playOrPause(box: HTMLElement | null): void {
  const video = box?.querySelector<HTMLVideoElement>(".player video");
  if (video) void (video.paused ? video.play().catch(() => undefined) : video.pause());
}

/** On a phone, the player covers the top of the grid. */
function coveredBy(box: HTMLElement | null): number {
  const player = box?.querySelector(".player");
  if (!player || getComputedStyle(player).position !== "sticky") return 0;
  const { width, height } = player.getBoundingClientRect();
  return width > innerWidth * 0.6 ? height : 0;
}

const KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", " ", "m", "M"];

/** Ignores keys that belong to a field, slider, dialog or player control. */
function useReviewKeys(box: { current: HTMLDivElement | null }, act: (key: string, columns: number) => void): void {
  const latest = useRef(act);
  latest.current = act;
  useLayoutEffect(() => {
    const isForReview = (event: KeyboardEvent) => {
      if (!KEYS.includes(event.key) || event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return false;
      const target = event.target as HTMLElement;
      return document.querySelector("dialog[open]") === null
        && (target === document.body || target.id === "main" || target.matches("[data-shot], [data-mark]") && box.current?.contains(target) === true);
    };
    const down = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isForReview(event)) return;
      // Space presses the focused button.
      if (event.key === " " && (event.target as HTMLElement).matches("[data-mark]")) return;
      event.preventDefault();
      const grid = box.current?.querySelector(".virtual");
      latest.current(event.key === "M" ? "m" : event.key, grid ? getComputedStyle(grid).gridTemplateColumns.split(" ").length : 1);
    };
    // Space presses a button on keyup.
    const up = (event: KeyboardEvent) => { if (event.key === " " && (event.target as HTMLElement).matches("[data-shot]")) event.preventDefault(); };
    addEventListener("keydown", down);
    addEventListener("keyup", up);
    return () => { removeEventListener("keydown", down); removeEventListener("keyup", up); };
  }, []);
}

/** The tab key reaches only one card; arrow keys reach the others. */
function Card({ shot, on, reachable, choose }: { shot: Shot; on: boolean; reachable: boolean; choose: () => void }) {
  const is = selectedVideos.value.has(shotKey(shot));
  return (
    <div class={`item-card ${on ? "on" : ""} ${is ? "marked" : ""}`}>
      <button type="button" class="item-open" data-shot={shotKey(shot)} aria-pressed={on} tabIndex={reachable ? 0 : -1} onClick={choose}>
        <span class="item-picture">
          {shot.coverUrl !== null ? <HoverPreview url={shot.url} coverUrl={shot.coverUrl} /> : <Icon name={shot.icon} size={24} />}
          {shot.duration !== null && <span class="clip-length">{clock(shot.duration)}</span>}
        </span>
        <span class="item-line"><strong>{shot.title ?? shot.name}</strong>{shot.note}</span>
      </button>
      {(shot.url !== null || is) && <MarkButton shot={shot} reachable={reachable} />}
    </div>
  );
}

function MarkButton({ shot, reachable }: { shot: Shot; reachable: boolean }) {
  const is = selectedVideos.value.has(shotKey(shot));
  const word = t(is ? "review.unmark" : "review.mark", { name: shot.name });
  return (
    <button type="button" class="item-mark" data-mark aria-pressed={is} aria-label={word} title={word} tabIndex={reachable ? 0 : -1} onClick={() => toggleSelected(shotKey(shot))}>
      <Icon name="heart" size={16} />
    </button>
  );
}

/** Actions for all chosen videos. */
function MarkedBar({ marked }: { marked: readonly Shot[] }) {
  const [sharing, setSharing] = useState(false);
  const [comparing, setComparing] = useState(false);
  const files = marked.filter((shot) => shot.url !== null);
  const [first, second] = files;
  const tasks = [...new Set(files.map((shot) => shot.taskNo))]
    .map((taskNo) => ({ taskNo, items: files.filter((shot) => shot.taskNo === taskNo).map((shot) => shot.itemNo) }));
  const side = (shot: Shot) => fileSide(shot.name, shot.url === null ? null : localLink(shot.url), shot.duration ?? 0, shot.coverUrl === null ? undefined : localLink(shot.coverUrl));
  return (
    <>
      <div class="marked-bar" role="group" aria-label={t("review.marked", { n: marked.length })}>
        <strong>{t("review.marked", { n: marked.length })}</strong>
        <Button icon="download" disabled={files.length === 0}
          onClick={() => void downloadAll(files.flatMap((shot) => shot.url ?? []))}>{t("review.save", { n: files.length })}</Button>
        <Button icon="share" disabled={tasks.length === 0 || tasks.length > MAX_TASKS} title={tasks.length > MAX_TASKS ? t("review.share.most", { n: MAX_TASKS }) : undefined} onClick={() => setSharing(true)}>{t("share.open")}</Button>
        <Button icon="compare" disabled={files.length !== 2} title={files.length === 2 ? undefined : t("review.compare.two")} aria-pressed={comparing && files.length === 2} onClick={() => setComparing(!comparing)}>{t("review.compare")}</Button>
        <Button kind="quiet" icon="close" onClick={() => setSelected(marked.map(shotKey), false)}>{t("review.clear")}</Button>
      </div>
      {comparing && first && second && files.length === 2 && (
        <div class="panel"><SyncedPlayers key={files.map(shotKey).join()} sides={[side(first), side(second)]} label={t("review.compare.label", { a: first.name, b: second.name })} close={() => setComparing(false)} /></div>
      )}
      {sharing && <ShareDialog tasks={tasks} close={() => setSharing(false)} />}
    </>
  );
}

/** The choose button beside the player. */
export function PlayerActions({ shot }: { shot: Shot }) {
  const is = selectedVideos.value.has(shotKey(shot));
  if (shot.url === null && !is) return null;
  return (
    <Button icon="heart" class={is ? "is-marked" : ""} aria-pressed={is} onClick={() => toggleSelected(shotKey(shot))}>{t(is ? "review.is" : "review.choose")}</Button>
  );
}

export const countLabel = (n: number) => <span class="muted">{count(n)}</span>;
