// Finished videos of all tasks.

import { useEffect } from "preact/hooks";
import { t, type Word } from "../i18n";
import { localLink } from "../lib/api";
import { bytes, clock, dateTime } from "../lib/format";
import { parseFilters, hasFilters, filtersToSearch, filtersToQuery, type Filters } from "../lib/task-filters";
import { assets, type Output } from "../lib/assets";
import { go, link, place } from "../router";
import { Button, Empty, ErrorBox, PageHead, Pager, Skeleton } from "../ui/basic";
import { FilterBar } from "../ui/filter-bar";
import { Icon } from "../ui/icon";
import { countLabel, PlayerActions, Review, type Shot } from "../ui/review";
import { useLoad } from "../ui/use-load";
import { Labels } from "./tasks";

const PAGE_SIZE = 60;
const REFRESH_MS = 30_000;
/** The service counts at most this many outputs. */
const MAX = 10_000;

const titleOf = (output: Output) => output.name ?? output.clientTaskId ?? t(`type.${output.taskType}` as Word);

function shotOf(output: Output): Shot {
  return {
    taskNo: output.taskNo, itemNo: output.itemNo, url: output.url, coverUrl: output.coverUrl, duration: output.duration,
    name: `${titleOf(output)} · ${output.itemNo}`, title: titleOf(output), icon: "clock",
    note: <span class="small muted">{output.url === null ? t("outputs.gone") : output.itemNo}</span>,
  };
}

export function Outputs() {
  const { search } = place.value;
  const filters = parseFilters(search);
  const { pageNo } = filters;
  const loaded = useLoad((signal) => assets.outputs({ ...filtersToQuery(filters), pageNo, pageSize: PAGE_SIZE }, signal), Object.values(filters), REFRESH_MS);
  const show = (next: Filters, video = "") => {
    const nextSearch = filtersToSearch({ ...next, status: "" });
    go(`/outputs${nextSearch}${video === "" ? "" : `${nextSearch === "" ? "?" : "&"}video=${encodeURIComponent(video)}`}`, { replace: true });
  };
  const set = (change: Partial<Filters>) => show({ ...filters, pageNo: 1, ...change });
  const last = Math.max(1, Math.ceil((loaded.value?.total ?? 0) / PAGE_SIZE));
  useEffect(() => {
    if (loaded.value !== null && !loaded.loading && pageNo > last) set({ pageNo: last });
  }, [loaded.value, loaded.loading, pageNo, last]);
  const list = loaded.value?.list ?? [];
  const requestedVideo = search.get("video");
  const at = list.find((output) => `${output.taskNo}/${output.itemNo}` === requestedVideo) ?? list.find((output) => output.url !== null) ?? list[0];
  return (
    <>
      <PageHead title={t("outputs.title")} lead={t("outputs.lead")} />
      <FilterBar filters={filters} set={set}>
        <Button kind="quiet" icon="refresh" label={t("action.refresh")} busy={loaded.loading && loaded.value !== null} onClick={loaded.reload} />
      </FilterBar>
      {loaded.error !== null && <ErrorBox error={loaded.error} retry={loaded.reload} />}
      {loaded.value === null && loaded.loading && <Skeleton rows={3} height={180} />}
      {loaded.value?.total === 0 && (hasFilters(filters)
        ? <Empty icon="search" title={t("outputs.empty.filtered")} action={<Button onClick={() => go("/outputs", { replace: true })}>{t("tasks.empty.clear")}</Button>} />
        : <Empty icon="reels" title={t("outputs.empty")} action={<a class="button primary" {...link("/new")}><Icon name="plus" /><span>{t("nav.new")}</span></a>}>{t("outputs.empty.lead")}</Empty>)}
      {at && (
        <Review shots={list.map(shotOf)} at={shotOf(at)} label={t("outputs.title")} title={<>{t("outputs.title")} {countLabel(loaded.value?.total ?? 0)}</>}
          choose={(shot) => show(filters, `${shot.taskNo}/${shot.itemNo}`)}>
          <Detail key={`${at.taskNo}/${at.itemNo}`} output={at} />
        </Review>
      )}
      {loaded.value && <Pager pageNo={pageNo} pageSize={PAGE_SIZE} total={loaded.value.total} go={(next) => set({ pageNo: next })} />}
      {loaded.value && loaded.value.total >= MAX && <p class="hint">{t("outputs.many", { n: MAX })}</p>}
    </>
  );
}

function Detail({ output }: { output: Output }) {
  const shot = shotOf(output);
  const facts: [Word, string][] = [
    ["task.length", clock(output.duration ?? 0)], ["task.size", `${output.width} × ${output.height}, ${output.fps} fps`], ["task.file", bytes(output.sizeBytes ?? 0)],
  ];
  return (
    <section class="panel detail" aria-label={shot.name}>
      <div class="stage player">
        {output.url !== null ? (
          <video controls playsInline preload="metadata" src={localLink(output.url)} poster={output.coverUrl ? localLink(output.coverUrl) : undefined} aria-label={shot.name} />
        ) : <p class="stage-words"><Icon name="clock" size={28} />{t("task.expired", { time: output.fileExpiresAt ? dateTime(output.fileExpiresAt) : "–" })}</p>}
      </div>
      <div class="detail-side">
        <header class="detail-head"><h2 class="break">{titleOf(output)} <span class="muted">{t("task.item", { n: output.itemNo })}</span></h2></header>
        <div class="detail-actions">
          {output.url !== null && <a class="button primary" href={localLink(output.url)} download=""><Icon name="download" /><span>{t("task.download")}</span></a>}
          <PlayerActions shot={shot} />
          <a class="button" {...link(`/tasks/${output.taskNo}?video=${output.itemNo}`)}><Icon name="right" /><span>{t("outputs.task")}</span></a>
        </div>
        <Labels labels={output.labels} />
        <dl class="facts">{facts.map(([word, value]) => <div key={word}><dt>{t(word)}</dt><dd>{value}</dd></div>)}</dl>
        {output.url !== null && output.fileExpiresAt && <p class="hint">{t("task.kept", { time: dateTime(output.fileExpiresAt) })}</p>}
      </div>
    </section>
  );
}

