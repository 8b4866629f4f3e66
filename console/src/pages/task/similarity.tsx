// Similarity of a task's videos: a matrix of all pairs, a list of the most similar pairs, and a side-by-side player.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { t } from "../../i18n";
import { api, localLink } from "../../lib/api";
import { clock, decimal } from "../../lib/format";
import { theme } from "../../lib/prefs";
import { isFinal, type Pair, type Task } from "../../lib/types";
import { ErrorBox } from "../../ui/basic";
import { SyncedPlayers, fileSide } from "../../ui/synced-players";
import { useLoad } from "../../ui/use-load";
import { cellAt, colourOf, measure, triangle, type Measure } from "./similarity-matrix";

/** Page size and maximum number of pages: enough for 200 videos. Beyond that, only the most similar pairs are shown. */
const PAGE = 2000;
const PAGES = 10;
const LISTED = 12;
const STOPS = ["--sunken", "--accent", "--bad"];

export function Similarity({ task }: { task: Task }) {
  const { diversity } = task;
  const ended = isFinal(task.status);
  const all = diversity?.totalPairs ?? diversity?.pairs.length ?? 0;
  const loaded = useLoad((signal) => (all > 0 && all <= PAGE * PAGES ? allPairs(task.taskNo, signal) : Promise.resolve([])), [task.taskNo, ended, all]);
  const [selectedPair, setSelectedPair] = useState<[number, number] | null>(null);
  const [requestedMeasure, setRequestedMeasure] = useState<Measure | null>(null);
  if (diversity === null) return null;
  const pairs = loaded.value !== null && loaded.value.length > 0 ? loaded.value : diversity.pairs;
  const hasSimilarity = pairs.some((pair) => pair.similarity !== null && pair.similarity !== undefined);
  const by: Measure = requestedMeasure ?? (hasSimilarity ? "look" : "footage");
  // Videos without shared footage need no list until their similarity has been measured.
  if (!hasSimilarity && task.taskType !== "proVideoMix" && !diversity.mostSimilar?.sharedSeconds) return null;
  const longest = Math.max(0.1, ...task.items.map((item) => item.duration ?? 0), ...pairs.map((pair) => pair.sharedSeconds));
  const value = (pair: Pair) => measure(pair, by, longest);
  const worst = [...pairs].sort((a, b) => (value(b) ?? -1) - (value(a) ?? -1)).slice(0, LISTED);
  return (
    <section class="panel alike" aria-label={t("task.diversity")}>
      <header class="panel-head">
        <h2>{t("task.diversity")}</h2>
        {hasSimilarity && (
          <div class="segments" role="group" aria-label={t("alike.by")}>
            {(["look", "footage"] as const).map((option) => (
              <label key={option} class={option === by ? "on" : ""}>
                <input type="radio" name="alike-by" checked={option === by} onChange={() => setRequestedMeasure(option)} /><span>{t(`alike.by.${option}`)}</span>
              </label>
            ))}
          </div>
        )}
      </header>
      <Lead task={task} />
      {loaded.error !== null && <ErrorBox error={loaded.error} retry={loaded.reload} />}
      <div class="alike-body">
        {pairs.length > 2 && pairs.length === all && <Matrix pairs={pairs} value={value} chosen={selectedPair} choose={setSelectedPair} />}
        <div class="alike-list">
          {all > worst.length && <p class="hint">{t("alike.worst", { shown: worst.length, all })}</p>}
          <ul class="bars">
            {worst.map((pair) => (
              <li key={pair.items.join()}>
                <button type="button" class={selectedPair?.join() === pair.items.join() ? "on" : ""} aria-pressed={selectedPair?.join() === pair.items.join()}
                  onClick={() => setSelectedPair(pair.items)}>
                  <span class="unseen">{t("alike.pair", { a: pair.items[0], b: pair.items[1] })}</span>
                  <span aria-hidden="true">{pair.items.join(" – ")}</span>
                  <span class="bar"><span style={{ transform: `scaleX(${value(pair) ?? 0})` }} /></span>
                  <span class="mono small">{by === "look" ? percent(pair.similarity) : clock(pair.sharedSeconds)}</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      </div>
      {selectedPair !== null && <SideBySide key={selectedPair.join()} task={task} pair={pairs.find((pair) => pair.items.join() === selectedPair.join()) ?? null} close={() => setSelectedPair(null)} />}
    </section>
  );
}

function percent(similarity: number | null | undefined): string {
  return similarity === null || similarity === undefined ? "–" : `${decimal(similarity * 100, 0)} %`;
}

function Lead({ task }: { task: Task }) {
  const { mostSimilar, mostAlike } = task.diversity ?? {};
  return (
    <>
      <p>{!mostSimilar || mostSimilar.sharedSeconds === 0 ? t("task.diversity.none")
        : t("task.diversity.most", { a: mostSimilar.items[0], b: mostSimilar.items[1], time: clock(mostSimilar.sharedSeconds) })}</p>
      {mostAlike && <p>{t("alike.most", { a: mostAlike.items[0], b: mostAlike.items[1], n: percent(mostAlike.similarity) })}</p>}
    </>
  );
}

async function allPairs(taskNo: string, signal: AbortSignal): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let pageNo = 1; pageNo <= PAGES; pageNo += 1) {
    const page = await api.diversity(taskNo, { pageNo, pageSize: PAGE }, signal);
    pairs.push(...page.list);
    if (pairs.length >= page.total || page.list.length === 0) break;
  }
  return pairs;
}

/** Draws each pair on both sides of the diagonal. The list is the alternative for keyboard users. */
function Matrix({ pairs, value, chosen, choose }: {
  pairs: Pair[]; value: (pair: Pair) => number | null; chosen: [number, number] | null; choose: (pair: [number, number]) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { items, rows } = useMemo(() => triangle(pairs), [pairs]);
  const [hint, setHint] = useState("");
  const at = (event: MouseEvent) => {
    const { left, top, width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return cellAt(items, event.clientX - left, event.clientY - top, width);
  };
  useEffect(() => {
    const target = canvas.current;
    const context = target?.getContext("2d");
    if (!target || !context) return;
    const sharpness = Math.min(3, window.devicePixelRatio || 1);
    const side = Math.round(target.clientWidth * sharpness);
    target.width = target.height = side;
    const styles = getComputedStyle(target);
    const colours = STOPS.map((name) => styles.getPropertyValue(name).trim());
    const cell = side / items.length;
    const gap = cell > 10 * sharpness ? sharpness : 0;
    context.font = `${Math.min(14 * sharpness, cell * 0.36)}px ${styles.fontFamily}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    items.forEach((number, place) => {
      if (cell < 18 * sharpness) return;
      context.fillStyle = styles.getPropertyValue("--ink-soft");
      context.fillText(String(number), (place + 0.5) * cell, (place + 0.5) * cell);
    });
    rows.forEach(({ pair, row, column }) => {
      const similarity = value(pair);
      context.fillStyle = similarity === null ? styles.getPropertyValue("--line") : colourOf(similarity, colours);
      for (const [x, y] of [[column, row], [row, column]] as const) {
        context.fillRect(x * cell, y * cell, cell - gap, cell - gap);
        if (chosen?.join() === pair.items.join()) {
          context.strokeStyle = styles.getPropertyValue("--ink");
          context.lineWidth = 2 * sharpness;
          context.strokeRect(x * cell + sharpness, y * cell + sharpness, cell - gap - 2 * sharpness, cell - gap - 2 * sharpness);
        }
      }
    });
  });
  return (
    <figure class="matrix" data-theme-is={theme.value}>
      <canvas ref={canvas} role="img" aria-label={t("alike.picture", { n: items.length })} data-testid="matrix"
        onClick={(event) => { const pair = at(event); if (pair !== null) choose(pair); }}
        onMouseMove={(event) => { const pair = at(event); setHint(pair === null ? "" : pair.join(" – ")); }} onMouseLeave={() => setHint("")} />
      <figcaption class="small muted"><span>{t("alike.different")}</span><span class="scale" /><span>{t("alike.same")}</span><span class="mono where">{hint}</span></figcaption>
    </figure>
  );
}

function SideBySide({ task, pair, close }: { task: Task; pair: Pair | null; close: () => void }) {
  if (pair === null) return null;
  const side = (number: number) => {
    const item = task.items.find((item) => item.itemNo === number);
    return fileSide(t("task.item", { n: number }), item?.url ? localLink(item.url) : null, item?.duration ?? 0, item?.coverUrl ? localLink(item.coverUrl) : undefined);
  };
  return (
    <SyncedPlayers sides={[side(pair.items[0]), side(pair.items[1])]} close={close} label={t("alike.pair", { a: pair.items[0], b: pair.items[1] })}
      note={t("alike.figures", { n: percent(pair.similarity), time: clock(pair.sharedSeconds) })} />
  );
}
