// What waits and what runs; pausing and going on.

import { t, type Word } from "../../i18n";
import { admin, type Queue } from "../../lib/admin";
import { clock, count } from "../../lib/format";
import { Button, ErrorBox, explain, Notice, Skeleton } from "../../ui/basic";
import { Table, type Column } from "../../ui/table";
import { toast } from "../../ui/toast";
import { useLoad } from "../../ui/use-load";

const AGAIN_MS = 3000;

export function QueuePage() {
  const queue = useLoad((signal) => admin.queue(signal), [], AGAIN_MS);
  const pause = async (paused: boolean) => {
    try {
      await admin.pause(paused);
    } catch (error) {
      toast("bad", explain(error));
    }
    queue.reload();
  };
  if (queue.value === null) return queue.error ? <ErrorBox error={queue.error} retry={queue.reload} /> : <Skeleton />;
  const { paused, depth, running, oldestAgeSeconds, users } = queue.value;
  const sum = (state: string) => depth.filter((one) => one.state === state).reduce((all, one) => all + one.count, 0);
  return (
    <>
      {queue.error !== null && <ErrorBox error={queue.error} />}
      {paused && <Notice tone="warn">{t("queue.paused")}</Notice>}
      <dl class="cards">
        <div class="card main"><dt>{t("queue.running")}</dt><dd>{count(sum("running"))}</dd></div>
        <div class="card"><dt>{t("queue.waiting")}</dt><dd>{count(sum("ready") + sum("delayed") + sum("waiting"))}</dd></div>
        <div class="card"><dt>{t("queue.oldest")}</dt><dd>{oldestAgeSeconds === null ? "–" : clock(oldestAgeSeconds)}</dd></div>
      </dl>
      <section class="panel">
        <header class="panel-head"><h2>{t("queue.depth")}</h2>
          <Button icon={paused ? "play" : "pause"} onClick={() => pause(!paused)}>{t(paused ? "queue.resume" : "queue.pause")}</Button>
        </header>
        {depth.length === 0 ? <p class="muted">{t("queue.empty")}</p>
          : <Table label={t("queue.depth")} columns={depths()} rows={depth} keyOf={(one) => `${one.kind}-${one.state}`} />}
      </section>
      <section class="panel">
        <header class="panel-head"><h2>{t("queue.now")}</h2></header>
        {running.length === 0 ? <p class="muted">{t("queue.idle")}</p>
          : <Table label={t("queue.now")} columns={works()} rows={running} keyOf={(one) => one.workId} />}
      </section>
      {users.length > 0 && (
        <section class="panel">
          <header class="panel-head"><h2>{t("queue.users")}</h2></header>
          <Table label={t("queue.users")} rows={users} keyOf={(one) => one.userName} columns={[
            { title: t("failures.user"), cell: (one) => one.userName },
            { title: t("queue.waiting"), numeric: true, cell: (one) => count(one.ready) },
            { title: t("queue.running"), numeric: true, cell: (one) => count(one.running) },
          ]} />
        </section>
      )}
    </>
  );
}

const depths = (): Column<Queue["depth"][number]>[] => [
  { title: t("queue.kind"), cell: (one) => t(`work.${one.kind}` as Word) },
  { title: t("queue.state"), cell: (one) => t(`work.${one.state}` as Word) },
  { title: t("queue.count"), numeric: true, cell: (one) => count(one.count) },
  { title: t("queue.oldest"), numeric: true, cell: (one) => clock(one.oldestAgeSeconds) },
];

const works = (): Column<Queue["running"][number]>[] => [
  { title: t("queue.kind"), cell: (one) => t(`work.${one.kind}` as Word) },
  { title: t("failures.user"), cell: (one) => one.userName },
  { title: t("failures.task"), cell: (one) => <span class="mono" title={one.taskNo ?? ""}>{one.taskNo === null ? "–" : `…${one.taskNo.slice(-8)}`}{one.itemNo !== null && ` / ${one.itemNo}`}</span> },
  { title: t("workers.name"), cell: (one) => <span class="mono">{one.worker}</span> },
  { title: t("queue.since"), numeric: true, cell: (one) => clock(one.runningSeconds) },
  { title: t("queue.attempts"), numeric: true, cell: (one) => count(one.attempts + one.lostLeases) },
];
