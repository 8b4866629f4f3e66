// Waiting and running work; pause and resume.

import { useState } from "preact/hooks";
import { t, type Word } from "../../i18n";
import { admin, type Queue } from "../../lib/admin";
import { ago, clock, count } from "../../lib/format";
import { Button, Dialog, ErrorBox, explain, Notice, Skeleton } from "../../ui/basic";
import { Table, type Column } from "../../ui/table";
import { toast } from "../../ui/toast";
import { useLoad } from "../../ui/use-load";
import { FormField, useForm } from "./form";
import { TaskNumber } from "./task-number";

const REFRESH_MS = 3000;

export function QueuePage() {
  const queue = useLoad((signal) => admin.queue(signal), [], REFRESH_MS);
  const [asking, setAsking] = useState(false);
  const resume = async () => {
    try {
      await admin.resume();
      toast("good", t("queue.resumed.done"));
    } catch (error) {
      toast("bad", explain(error));
    }
    queue.reload();
  };
  if (queue.value === null) return queue.error ? <ErrorBox error={queue.error} retry={queue.reload} /> : <Skeleton />;
  const { paused, pausedSince, pauseReason, depth, running, oldestAgeSeconds, users } = queue.value;
  const sum = (state: string) => depth.filter((one) => one.state === state).reduce((all, one) => all + one.count, 0);
  return (
    <>
      {queue.error !== null && <ErrorBox error={queue.error} />}
      {paused && (
        <Notice tone="warn" title={t("queue.paused")}>
          <p>{pausedSince !== null && t("queue.paused.since", { when: ago(pausedSince) })} {pauseReason !== null && t("queue.paused.told", { reason: pauseReason })}</p>
        </Notice>
      )}
      <dl class="cards">
        <div class="card main"><dt>{t("queue.running")}</dt><dd>{count(sum("running"))}</dd></div>
        <div class="card"><dt>{t("queue.waiting")}</dt><dd>{count(sum("ready") + sum("delayed") + sum("waiting"))}</dd></div>
        <div class="card"><dt>{t("queue.oldest")}</dt><dd>{oldestAgeSeconds === null ? "–" : clock(oldestAgeSeconds)}</dd></div>
      </dl>
      <section class="panel">
        <header class="panel-head"><h2>{t("queue.depth")}</h2>
          {paused ? <Button kind="primary" icon="play" onClick={resume}>{t("queue.resume")}</Button>
            : <Button icon="pause" onClick={() => setAsking(true)}>{t("queue.pause")}</Button>}
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
      {asking && <PauseDialog waiting={sum("ready") + sum("delayed") + sum("waiting")} users={users.length} close={() => { setAsking(false); queue.reload(); }} />}
    </>
  );
}

function PauseDialog({ waiting, users, close }: { waiting: number; users: number; close: () => void }) {
  const [reason, setReason] = useState("");
  const form = useForm(() => admin.pause(reason), () => {
    toast("good", t("queue.paused.done"));
    close();
  });
  return (
    <Dialog title={t("queue.pause.title")} open close={close}>
      <form class="form-grid" onSubmit={form.submit}>
        <p>{t("queue.pause.lead")} {waiting > 0 ? t("queue.pause.waiting", { n: waiting, users }) : t("queue.pause.none")}</p>
        <FormField name={t("queue.pause.reason")} value={reason} set={setReason} field="/reason" error={form.error} maxLength={200} hint={t("queue.pause.hint")} />
        <div class="dialog-actions">
          <Button onClick={close}>{t("action.cancel")}</Button>
          <Button kind="danger" type="submit" busy={form.busy}>{t("queue.pause.go")}</Button>
        </div>
      </form>
    </Dialog>
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
  { title: t("failures.task"), cell: (one) => (one.taskNo === null ? "–" : <TaskNumber taskNo={one.taskNo} itemNo={one.itemNo} />) },
  { title: t("workers.name"), cell: (one) => <span class="mono">{one.worker}</span> },
  { title: t("queue.since"), numeric: true, cell: (one) => clock(one.runningSeconds) },
  { title: t("queue.attempts"), numeric: true, cell: (one) => count(one.attempts + one.lostLeases) },
];
