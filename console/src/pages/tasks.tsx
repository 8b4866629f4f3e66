// All tasks, newest first; those in progress are updated live.

import { useEffect, useRef, useState } from "preact/hooks";
import { t, type Word } from "../i18n";
import { api } from "../lib/api";
import { ago, clock, count, dateTime } from "../lib/format";
import { watchTask } from "../lib/sse";
import { isFinal, TASK_TYPES, type TaskSummary } from "../lib/types";
import { go, link, listPlace, place } from "../router";
import { Button, Empty, ErrorBox, explain, PageHead, Pager, Progress, Skeleton, StateBadge } from "../ui/basic";
import { CancelDialog } from "../ui/cancel-dialog";
import { Icon } from "../ui/icon";
import { toast } from "../ui/toast";
import { useLoad } from "../ui/use-load";

const PAGE_SIZE = 20;
const AGAIN_MS = 10_000;
/** Streams of events that a page of tasks opens; a browser allows few connections to one host. */
const MOST_STREAMS = 3;

/** The filters in an address, as far as they are valid. */
export function filtersOf(search: URLSearchParams): { status: string; taskType: string; pageNo: number } {
  const [status, taskType] = [search.get("status") ?? "", search.get("type") ?? ""];
  const pageNo = Math.floor(Number(search.get("page") ?? 1));
  return {
    status: /^[0-6]$/.test(status) ? status : "",
    taskType: (TASK_TYPES as readonly string[]).includes(taskType) ? taskType : "",
    pageNo: pageNo >= 1 && pageNo <= 1e6 ? pageNo : 1,
  };
}

export function Tasks() {
  const { search } = place.value;
  const filters = filtersOf(search);
  const loaded = useLoad((signal) => api.list({ ...filters, pageSize: PAGE_SIZE }, signal), Object.values(filters), AGAIN_MS);
  const [cancelling, setCancelling] = useState<TaskSummary | null>(null);
  const tasks = useLive(loaded.value?.list ?? []);
  useEffect(() => { listPlace.value = `/tasks${search.size > 0 ? `?${search}` : ""}`; }, [search]);
  // An address of a page behind the last one shows the last one.
  const last = Math.max(1, Math.ceil((loaded.value?.total ?? 0) / PAGE_SIZE));
  useEffect(() => {
    if (loaded.value !== null && filters.pageNo > last) set({ page: String(last) });
  }, [loaded.value, filters.pageNo, last]);
  const filtered = filters.status !== "" || filters.taskType !== "";

  const set = (change: Record<string, string>) => {
    const next = new URLSearchParams(search);
    next.delete("page");
    for (const [name, value] of Object.entries(change)) value === "" ? next.delete(name) : next.set(name, value);
    go(`/tasks${next.size > 0 ? `?${next}` : ""}`, { replace: true });
  };

  return (
    <>
      <PageHead title={t("tasks.title")}>
        <a class="button primary" {...link("/new")}><Icon name="plus" /><span>{t("nav.new")}</span></a>
      </PageHead>
      <div class="filters">
        <Select name={t("tasks.state")} value={filters.status} set={(status) => set({ status })}
          options={[0, 1, 2, 3, 4, 5, 6].map((status) => [String(status), t(`state.${status}` as Word)])} />
        <Select name={t("tasks.type")} value={filters.taskType} set={(type) => set({ type })}
          options={TASK_TYPES.map((name) => [name, t(`type.${name}` as Word)])} />
        <Button kind="quiet" icon="refresh" label={t("action.refresh")} busy={loaded.loading && loaded.value !== null} onClick={loaded.reload} />
      </div>
      {loaded.error !== null && loaded.error !== undefined && <ErrorBox error={loaded.error} retry={loaded.reload} />}
      {loaded.value === null && loaded.loading && <Skeleton rows={6} height={64} />}
      {loaded.value?.total === 0 && (filtered
        ? <Empty icon="search" title={t("tasks.empty.filtered")} action={<Button onClick={() => set({ status: "", type: "" })}>{t("tasks.empty.clear")}</Button>} />
        : <Empty icon="film" title={t("tasks.empty")} action={<a class="button primary" {...link("/new")}><Icon name="plus" /><span>{t("nav.new")}</span></a>}>{t("tasks.empty.lead")}</Empty>)}
      {tasks.length > 0 && (
        <ul class="task-list" aria-label={t("tasks.title")}>
          {tasks.map((task) => <Row key={task.taskNo} task={task} cancel={() => setCancelling(task)} />)}
        </ul>
      )}
      {loaded.value && <Pager pageNo={filters.pageNo} pageSize={PAGE_SIZE} total={loaded.value.total} go={(page) => set({ page: String(page) })} />}
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

export function Select({ name, value, set, options }: {
  name: string; value: string; set: (value: string) => void; options: readonly (readonly [string, string])[];
}) {
  return (
    <label class="filter"><span>{name}</span>
      <select class="input" value={value} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">{t("filter.all")}</option>
        {options.map(([id, title]) => <option key={id} value={id}>{title}</option>)}
      </select>
    </label>
  );
}

function Row({ task, cancel }: { task: TaskSummary; cancel: () => void }) {
  return (
    <li class="task-row">
      <a class="task-link" {...link(`/tasks/${task.taskNo}`)}>
        <span class="task-type"><strong>{t(`type.${task.taskType}` as Word)}</strong><span class="mono muted small">{task.clientTaskId ?? `…${task.taskNo.slice(-8)}`}</span></span>
        <StateBadge status={task.status} />
        <span class="task-progress">
          {isFinal(task.status) ? <span class="muted small">{outcome(task)}</span> : (
            <><Progress value={task.progressPercent} status={task.status} label={t("tasks.progress")} /><span class="muted small">{moving(task)}</span></>
          )}
        </span>
        <span class="task-points mono">{count(task.consumedDotCount || task.estimatedDotCount)}<span class="muted"> {t("points.unit", { n: task.consumedDotCount || task.estimatedDotCount })}</span></span>
        <time class="muted small" dateTime={task.createTime} title={dateTime(task.createTime)}>{ago(task.createTime)}</time>
      </a>
      {isFinal(task.status) ? <span class="row-action"><Icon name="right" /></span>
        : <Button kind="quiet" class="row-action" icon="close" label={t("tasks.cancel")} onClick={cancel} />}
    </li>
  );
}

export function outcome(task: TaskSummary): string {
  const done = t("tasks.outputs", { done: task.completedItems, n: task.totalItems });
  return task.failedItems > 0 ? `${done}, ${t("tasks.failed", { n: task.failedItems })}` : done;
}

export function moving(task: TaskSummary): string {
  if (task.status < 2) return task.queuePosition === null ? t(`state.${task.status}.hint` as Word) : t("tasks.place", { n: task.queuePosition });
  const eta = task.etaSeconds === null ? "" : ` · ${t("tasks.eta", { time: clock(task.etaSeconds) })}`;
  return `${task.progressPercent} %${eta}`;
}

/** The list, updated with live events. */
function useLive(list: readonly TaskSummary[]): readonly TaskSummary[] {
  const [changes, setChanges] = useState<ReadonlyMap<string, Partial<TaskSummary>>>(new Map());
  const watched = list.filter((task) => !isFinal(task.status)).slice(0, MOST_STREAMS).map((task) => task.taskNo).join(" ");
  const streams = useRef(new Map<string, AbortController>());

  useEffect(() => {
    const wanted = new Set(watched === "" ? [] : watched.split(" "));
    for (const [taskNo, stop] of streams.current) if (!wanted.has(taskNo)) { stop.abort(); streams.current.delete(taskNo); }
    for (const taskNo of wanted) {
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
    // A list that was read later is newer than an event before it.
    return change === undefined || isFinal(task.status) || (change.progressPercent ?? 0) < task.progressPercent ? task : { ...task, ...change };
  });
}
