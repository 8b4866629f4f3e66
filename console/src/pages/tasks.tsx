// All tasks, newest first. Running tasks are updated live.

import { useEffect, useRef, useState } from "preact/hooks";
import { t, type Word } from "../i18n";
import { api, localLink } from "../lib/api";
import { ago, clock, count, dateTime } from "../lib/format";
import { parseFilters, hasFilters, filtersToSearch, filtersToQuery, type Filters } from "../lib/task-filters";
import { watchTask } from "../lib/sse";
import { isFinal, pointsOf, type TaskSummary } from "../lib/types";
import { go, link, listPlace, place } from "../router";
import { Button, Empty, ErrorBox, explain, PageHead, Pager, Progress, Skeleton, StateBadge } from "../ui/basic";
import { CancelDialog } from "../ui/cancel-dialog";
import { FilterBar } from "../ui/filter-bar";
import { Icon } from "../ui/icon";
import { BulkActions } from "../ui/bulk-actions";
import { NamingDialog } from "../ui/naming-dialog";
import { toast } from "../ui/toast";
import { useLoad } from "../ui/use-load";
import { BatchLine } from "./batches/batch-progress";

export { Select } from "../ui/filter-bar";

const PAGE_SIZE = 20;
const REFRESH_MS = 10_000;
/** Maximum number of event streams, because browsers allow few connections to one host. */
const MAX_STREAMS = 3;

const titleOf = (task: TaskSummary) => task.name ?? t(`type.${task.taskType}` as Word);

export function Tasks() {
  const { search } = place.value;
  const filters = parseFilters(search);
  const { status, pageNo } = filters;
  const loaded = useLoad((signal) => api.list({ ...filtersToQuery(filters), status, pageNo, pageSize: PAGE_SIZE, batches: "fold" }, signal), Object.values(filters), REFRESH_MS);
  const [cancelling, setCancelling] = useState<TaskSummary | null>(null);
  const [naming, setNaming] = useState<TaskSummary | null>(null);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const tasks = useLive(loaded.value?.list ?? []);
  const show = (next: Filters) => go(`/tasks${filtersToSearch(next)}`, { replace: true });
  const set = (change: Partial<Filters>) => show({ ...filters, pageNo: 1, ...change });
  const sane = filtersToSearch(filters);
  useEffect(() => {
    // Removes invalid filters from the URL.
    if (`?${search}` !== (sane || "?")) show(filters);
    listPlace.value = `/tasks${sane}`;
    setPicked(new Set());
  }, [search, sane]);
  // Pages beyond the last one show the last page.
  const last = Math.max(1, Math.ceil((loaded.value?.total ?? 0) / PAGE_SIZE));
  useEffect(() => {
    if (loaded.value !== null && !loaded.loading && pageNo > last) set({ pageNo: last });
  }, [loaded.value, loaded.loading, pageNo, last]);
  const pick = (numbers: readonly string[], isPicked: boolean) => setPicked((before) => {
    const next = new Set(before);
    for (const number of numbers) isPicked ? next.add(number) : next.delete(number);
    return next;
  });
  const numbers = tasks.map((task) => task.taskNo);
  // Both lists are sorted by time, newest first.
  const entries = [...(loaded.value?.batches ?? []), ...tasks].sort((one, other) => other.createTime.localeCompare(one.createTime));

  return (
    <>
      <PageHead title={t("tasks.title")}>
        <a class="button primary" {...link("/new")}><Icon name="plus" /><span>{t("nav.new")}</span></a>
      </PageHead>
      <FilterBar filters={filters} set={set} states>
        <Button kind="quiet" icon="refresh" label={t("action.refresh")} busy={loaded.loading && loaded.value !== null} onClick={loaded.reload} />
      </FilterBar>
      {loaded.error !== null && loaded.error !== undefined && <ErrorBox error={loaded.error} retry={loaded.reload} />}
      {loaded.value === null && loaded.loading && <Skeleton rows={6} height={64} />}
      {loaded.value?.total === 0 && (hasFilters(filters)
        ? <Empty icon="search" title={t("tasks.empty.filtered")} action={<Button onClick={() => go("/tasks", { replace: true })}>{t("tasks.empty.clear")}</Button>} />
        : <Empty icon="film" title={t("tasks.empty")} action={<a class="button primary" {...link("/new")}><Icon name="plus" /><span>{t("nav.new")}</span></a>}>{t("tasks.empty.lead")}</Empty>)}
      {tasks.length > 0 && <BulkActions tasks={tasks.filter((task) => picked.has(task.taskNo))} of={tasks.length} pickAll={(is) => pick(numbers, is)} ended={loaded.reload} />}
      {entries.length > 0 && (
        <ul class="task-list" aria-label={t("tasks.title")}>
          {entries.map((entry) => ("batchNo" in entry ? <BatchLine key={entry.batchNo} batch={entry} among /> : (
            <Row key={entry.taskNo} task={entry} picked={picked.has(entry.taskNo)} pick={(is) => pick([entry.taskNo], is)}
              cancel={() => setCancelling(entry)} rename={() => setNaming(entry)} only={(label) => set({ label })} />
          )))}
        </ul>
      )}
      {loaded.value && <Pager pageNo={pageNo} pageSize={PAGE_SIZE} total={loaded.value.total} go={(next) => set({ pageNo: next })} />}
      {naming && <NamingDialog key={naming.taskNo} task={naming} close={() => setNaming(null)} named={loaded.reload} />}
      <CancelDialog open={cancelling !== null} close={() => setCancelling(null)} cancel={async () => {
        if (cancelling === null) return;
        try {
          await api.cancel(cancelling.taskNo);
          toast("good", t("tasks.cancelled"));
        } catch (error) {
          toast("bad", explain(error));
        }
        loaded.reload();
      }} />
    </>
  );
}

export function Labels({ labels, only }: { labels: readonly string[] | undefined; only?: (label: string) => void }) {
  if (labels === undefined || (labels.length === 0 && only === undefined)) return null;
  return (
    <span class="labels">
      {labels.map((label) => (only === undefined
        ? <a key={label} class="label" {...link(`/tasks?label=${encodeURIComponent(label)}`)}>{label}</a>
        : <button key={label} type="button" class="label" title={t("find.label.only", { label })} onClick={() => only(label)}>{label}</button>))}
    </span>
  );
}

function Row({ task, picked, pick, cancel, rename, only }: {
  task: TaskSummary; picked: boolean; pick: (is: boolean) => void; cancel: () => void; rename: () => void; only: (label: string) => void;
}) {
  const name = `${titleOf(task)} …${task.taskNo.slice(-8)}`;
  return (
    <li class={`task-row ${picked ? "picked" : ""}`}>
      <label class="tick"><input type="checkbox" checked={picked} aria-label={t("many.select", { name })} onChange={(event) => pick(event.currentTarget.checked)} /></label>
      <a class="task-link" {...link(`/tasks/${task.taskNo}`)}>
        <span class="task-cover">{task.coverUrl ? <img src={localLink(task.coverUrl)} alt="" loading="lazy" /> : <Icon name={task.failedItems > 0 ? "error" : "film"} size={20} />}</span>
        <span class="task-type"><strong>{titleOf(task)}</strong>
          <span class="muted small">{task.name && `${t(`type.${task.taskType}` as Word)} · `}<span class="mono">{task.clientTaskId ?? `…${task.taskNo.slice(-8)}`}</span></span></span>
        <StateBadge status={task.status} />
        <span class="task-progress">
          {isFinal(task.status) ? <span class="muted small">{outcome(task)}</span> : (
            <><Progress value={task.progressPercent} status={task.status} label={t("tasks.progress")} /><span class="muted small">{liveKey(task)}</span></>
          )}
        </span>
        <span class="task-points mono">{count(pointsOf(task))}<span class="muted"> {t("points.unit", { n: pointsOf(task) })}</span></span>
        <time class="muted small" dateTime={task.createTime} title={dateTime(task.createTime)}>{ago(task.createTime)}</time>
      </a>
      <Labels labels={task.labels ?? []} only={only} />
      <span class="row-actions">
        {!isFinal(task.status) && <Button kind="quiet" class="row-action" icon="close" label={t("tasks.cancel")} onClick={cancel} />}
        <Button kind="quiet" class="row-action" icon="edit" label={t("naming.of", { name })} onClick={rename} />
      </span>
    </li>
  );
}

export function outcome(task: TaskSummary): string {
  const done = t("tasks.outputs", { done: task.completedItems, n: task.totalItems });
  return task.failedItems > 0 ? `${done}, ${t("tasks.failed", { n: task.failedItems })}` : done;
}

export function liveKey(task: TaskSummary): string {
  if (task.status < 2) return task.queuePosition === null ? t(`state.${task.status}.hint` as Word) : t("tasks.place", { n: task.queuePosition });
  const eta = task.etaSeconds === null ? "" : ` · ${t("tasks.eta", { time: clock(task.etaSeconds) })}`;
  return `${task.progressPercent} %${eta}`;
}

/** Updates the list with live events. */
function useLive(list: readonly TaskSummary[]): readonly TaskSummary[] {
  const [changes, setChanges] = useState<ReadonlyMap<string, Partial<TaskSummary>>>(new Map());
  const watched = list.filter((task) => !isFinal(task.status)).slice(0, MAX_STREAMS).map((task) => task.taskNo).join(" ");
  const streams = useRef(new Map<string, AbortController>());

  useEffect(() => {
    const watchedTasks = new Set(watched === "" ? [] : watched.split(" "));
    for (const [taskNo, stop] of streams.current) if (!watchedTasks.has(taskNo)) { stop.abort(); streams.current.delete(taskNo); }
    for (const taskNo of watchedTasks) {
      if (streams.current.has(taskNo)) continue;
      const stop = new AbortController();
      streams.current.set(taskNo, stop);
      const note = (change: Partial<TaskSummary>) => setChanges((before) => new Map(before).set(taskNo, { ...before.get(taskNo), ...change }));
      void watchTask(taskNo, { state: note, progress: note, item: () => undefined, connected: () => undefined, done: () => undefined }, stop.signal)
        .catch(() => undefined);
    }
  }, [watched]);
  useEffect(() => () => { for (const stop of streams.current.values()) stop.abort(); }, []);

  return list.map((task) => {
    const change = changes.get(task.taskNo);
    // A reloaded list is newer than earlier events.
    return change === undefined || isFinal(task.status) || (change.progressPercent ?? 0) < task.progressPercent ? task : { ...task, ...change };
  });
}
