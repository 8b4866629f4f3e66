// The selected video: player, facts, recipe and quality, or the error and its fix.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { choice } from "../../i18n/fields";
import { both, t, type Word } from "../../i18n";
import { loadCatalogues, looks, transitions } from "../../lib/catalogue";
import { api, localLink } from "../../lib/api";
import { downloadBlob, responseFileName } from "../../lib/downloads";
import { bytes, clock, count, dateTime, decimal } from "../../lib/format";
import { nameOf } from "../../lib/media";
import { itemErrorText, messageText } from "../../lib/service-message";
import { clipsOf } from "../../lib/sources";
import type { CatalogueEntry, Item, Quality, Task } from "../../lib/types";
import { Button, explain, Notice, Progress, StateBadge } from "../../ui/basic";
import { Icon } from "../../ui/icon";
import { PlayerActions, type Shot } from "../../ui/review";
import { toast } from "../../ui/toast";
import { useLoad } from "../../ui/use-load";
import { SourceComparison } from "./source-comparison";

export function ItemDetail({ item, task, shot }: { item: Item; task: Task; shot: Shot }) {
  const [beside, setBeside] = useState(false);
  const name = t("task.item", { n: item.itemNo });
  return (
    <section class="panel detail" aria-label={name}>
      <div class="stage player">
        {item.url !== null ? (
          <video key={`${task.taskNo}-${item.itemNo}`} controls playsInline preload="metadata" src={localLink(item.url)}
            poster={item.coverUrl ? localLink(item.coverUrl) : undefined} aria-label={name} />
        ) : <Standin item={item} />}
      </div>
      <div class="detail-side">
        <header class="detail-head">
          <h2>{name}</h2><StateBadge status={item.status} />
        </header>
        {item.url !== null && (
          <div class="detail-actions">
            <a class="button primary" href={localLink(item.url)} download=""><Icon name="download" /><span>{t("task.download")}</span></a>
            <PlayerActions shot={shot} />
            <Button icon="compare" aria-pressed={beside} onClick={() => setBeside(!beside)}>{t("review.source")}</Button>
            <TimelineButton key={item.itemNo} item={item} taskNo={task.taskNo} />
          </div>
        )}
        {beside && item.url !== null && <SourceComparison key={item.itemNo} item={item} taskNo={task.taskNo} close={() => setBeside(false)} />}
        {item.error && <Failure item={item} />}
        {item.warnings.length > 0 && <Notice tone="warn" title={t("task.warnings")}><ul>{item.warnings.map((warning) => <li key={warning.message}>{messageText(warning, warning.path)}</li>)}</ul></Notice>}
        {item.duration !== null && <FileFacts item={item} />}
        <Clips item={item} taskNo={task.taskNo} />
        {item.recipe && <Recipe recipe={randomChoices(item.recipe, item.itemNo)} />}
        {item.quality && <Engineering item={item} quality={item.quality} />}
      </div>
    </section>
  );
}

/** Downloads the clips, cuts and files of a video for an editing program. */
function TimelineButton({ item, taskNo }: { item: Item; taskNo: string }) {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const response = await api.timeline(taskNo, item.itemNo);
      downloadBlob(await response.blob(), responseFileName(response, `${taskNo}-${item.itemNo}.zip`));
    } catch (error) {
      toast("bad", explain(error));
    }
    setBusy(false);
  };
  return <Button icon="film" busy={busy} title={t("task.timeline.hint")} onClick={() => void download()}>{t("task.timeline")}</Button>;
}

function Standin({ item }: { item: Item }) {
  if (item.status === 2) return <p class="stage-words"><Icon name="film" size={28} />{t("task.making")}<Progress value={item.progressPercent} status={2} label={t("tasks.progress")} /></p>;
  if (item.status < 2) return <p class="stage-words"><Icon name="clock" size={28} />{t("task.waiting")}</p>;
  if (item.status === 3) return <p class="stage-words"><Icon name="clock" size={28} />{t("task.expired", { time: item.fileExpiresAt ? dateTime(item.fileExpiresAt) : "–" })}</p>;
  return <p class="stage-words"><Icon name="error" size={28} />{t(`state.${item.status}` as Word)}</p>;
}

function Failure({ item }: { item: Item }) {
  const { error } = item;
  if (error === null) return null;
  return (
    <Notice tone={error.code === "CANCELLED" ? "info" : "bad"} title={itemErrorText(error)}>
      <p>{t(`todo.${error.code}` as Word)} {error.retryable && t("task.error.retryable")}</p>
      {error.input !== null && <p class="small"><span class="muted">{t("task.error.input")}: </span><span class="break">{nameOf(error.input)}{/^https?:/.test(error.input) && ` (${error.input})`}</span></p>}
      {!error.charged && <p class="small muted">{t("task.error.free")}</p>}
      <details class="engineering"><summary>{t("task.engineers")}</summary><p class="small mono">{error.code}</p></details>
    </Notice>
  );
}

function Facts({ title, rows }: { title: string; rows: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <div class="fact-group"><h3>{title}</h3>
      <dl class="facts">{rows.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
    </div>
  );
}

function FileFacts({ item }: { item: Item }) {
  const rows: [string, ComponentChildren][] = [
    [t("task.length"), clock(item.duration ?? 0)],
    [t("task.size"), `${item.width} × ${item.height}, ${item.fps} fps`],
    [t("task.file"), `${bytes(item.sizeBytes ?? 0)}${item.fileExpiresAt && item.url ? `, ${t("task.kept", { time: dateTime(item.fileExpiresAt) })}` : ""}`],
  ];
  return <Facts title={t("task.facts")} rows={rows} />;
}

/** Longer lists scroll. */
const FEW_CLIPS = 8;

function Clips({ item, taskNo }: { item: Item; taskNo: string }) {
  const { value } = useLoad(async (signal) => ({ taskNo, request: await api.request(taskNo, signal) }), [taskNo]);
  const clips = value === null || value.taskNo !== taskNo ? [] : clipsOf(value.request, item);
  if (clips.length === 0) return null;
  return (
    <div class="fact-group" data-testid="clips"><h3>{t("clips.title")}</h3>
      <div {...(clips.length > FEW_CLIPS ? { class: "scrolled", role: "region", tabIndex: 0, "aria-label": t("clips.title") } : {})}>
        <dl class="facts">
          {clips.map(({ url, start, scene }, index) => (
            <div key={index}><dt>{scene ?? count(index + 1)}</dt><dd>{nameOf(url)} <span class="muted nowrap">{t("task.clip.from", { n: decimal(start, 2) })}</span></dd></div>
          ))}
        </dl>
      </div>
    </div>
  );
}

/** Labels and values of the random choices. The fields of `colour` are listed separately. */
export function recipeRows(recipe: Record<string, unknown>): [string, string][] {
  return Object.entries(recipe).flatMap(([name, value]): [string, string][] => {
    if (value === null || value === undefined) return [];
    if (!Array.isArray(value) && typeof value === "object") return recipeRows(value as Record<string, unknown>);
    return [[name, shownValue(name, value)]];
  });
}

const MOTIONS = ["imageMotion", "introMotion", "outroMotion"];

function shownValue(name: string, value: unknown): string {
  if (name === "starts" && Array.isArray(value)) return value.map((seconds) => `${decimal(Number(seconds), 2)} s`).join(" · ");
  if (name === "transitions" && Array.isArray(value)) return value.map((one) => titleOf(transitions.value, String(one))).join(" · ");
  if (MOTIONS.includes(name)) return [value].flat().map((one) => (one === null ? "–" : choice("/params/options/imageMotion", String(one)))).join(" · ");
  if (name.endsWith("Pool")) return String(Number(value) + 1);
  if (Array.isArray(value)) return value.map((place) => (place === null ? "–" : String(Number(place) + 1))).join(" · ");
  if (name === "group") return String(Number(value) + 1);
  if (name === "angle") return `${decimal(Number(value), 3)}°`;
  if (typeof value === "number") return decimal(value, 3);
  return name === "look" ? titleOf(looks.value, String(value)) : String(value);
}

function titleOf(catalogue: readonly CatalogueEntry[] | null, name: string): string {
  const entry = catalogue?.find((entry) => entry.name === name);
  return entry ? both(entry.title) : name;
}

/** Clip numbers and start times, which programs use to re-create the video. */
const FOR_PROGRAMS = ["combination", "starts", "audioResources"];

/** Omits the group if it equals the item's position, because then it was not chosen at random. */
export function randomChoices({ group, ...others }: Record<string, unknown>, itemNo: number): Record<string, unknown> {
  return group === undefined || group === itemNo - 1 ? others : { group, ...others };
}

function Recipe({ recipe }: { recipe: Record<string, unknown> }) {
  const needsCatalogue = "look" in recipe || "transitions" in recipe;
  useEffect(() => {
    // Without the catalogue, API names are shown.
    if (needsCatalogue) void loadCatalogues().catch(() => undefined);
  }, [needsCatalogue]);
  const rows = recipeRows(recipe).filter(([name]) => !FOR_PROGRAMS.includes(name)).map(([name, value]) => [t(`recipe.${name}` as Word), value] as const);
  if (rows.length > 0) return <Facts title={t("task.recipe")} rows={rows} />;
  // Clips and start times are listed separately.
  return FOR_PROGRAMS.some((name) => name in recipe) ? null : <p class="hint">{t("task.recipe.none")}</p>;
}

function Engineering({ item, quality }: { item: Item; quality: Quality }) {
  return (
    <details class="engineering"><summary>{t("task.engineers")}</summary>
      <Checked item={item} quality={quality} />
    </details>
  );
}

function Checked({ item, quality }: { item: Item; quality: Quality }) {
  const seconds = (value: number) => (value === 0 ? t("quality.none") : `${decimal(value, 2)} s`);
  const rows: [string, ComponentChildren][] = [
    [t("task.codecs"), [item.videoCodec, item.audioCodec].filter((codec) => codec !== null).join(", ")],
    [t("task.seed"), <span class="mono break">{item.seed}</span>],
    ...recipeRows(item.recipe ?? {}).filter(([name]) => FOR_PROGRAMS.includes(name)).map(([name, value]): [string, string] => [t(`recipe.${name}` as Word), value]),
    [t("quality.frames"), <>{t("quality.frames.value", { found: count(quality.framesFound), planned: count(quality.framesPlanned) })}{quality.framesFound === quality.framesPlanned && <Icon name="check" size={14} />}</>],
  ];
  if (quality.avDifferenceMs !== null) rows.push([t("quality.av"), `${decimal(quality.avDifferenceMs, 1)} ms`]);
  if (quality.loudnessLufs !== null) rows.push([t("quality.loudness"), `${decimal(quality.loudnessLufs, 1)} LUFS`]);
  if (quality.truePeakDbtp !== null) rows.push([t("quality.peak"), `${decimal(quality.truePeakDbtp, 1)} dBTP`]);
  rows.push([t("quality.black"), seconds(quality.blackSeconds)], [t("quality.frozen"), seconds(quality.frozenSeconds)]);
  if (quality.speed !== null) rows.push([t("quality.speed"), t("quality.speed.value", { n: decimal(quality.speed, 1) })]);
  return <Facts title={t("task.quality")} rows={rows} />;
}
