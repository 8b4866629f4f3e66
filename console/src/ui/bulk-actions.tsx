// Actions on several tasks.

import { useState } from "preact/hooks";
import { t } from "../i18n";
import { api } from "../lib/api";
import { refreshBalance } from "../lib/balance";
import { runBulk, type BulkResult } from "../lib/bulk";
import { downloadAll } from "../lib/downloads";
import { isFinal, type TaskSummary } from "../lib/types";
import { Button, Dialog, explain } from "./basic";
import { toast } from "./toast";

/** Calls per second, below the limits of a key: five submissions and twenty reads. */
const SUBMITS = 4;
const READS = 10;

type Act = "cancel" | "again" | "save";

export function BulkActions({ tasks, of, pickAll, ended }: {
  tasks: readonly TaskSummary[]; of: number; pickAll: (picked: boolean) => void; ended: () => void;
}) {
  const [asking, setAsking] = useState<"cancel" | "again" | null>(null);
  const [busy, setBusy] = useState<{ act: Act; done: number; n: number } | null>(null);
  const running = tasks.filter((task) => !isFinal(task.status));
  const withFiles = tasks.filter((task) => task.completedItems > 0);
  const points = tasks.reduce((sum, task) => sum + (task.consumedDotCount || task.estimatedDotCount), 0);

  const run = async (act: Act, things: readonly TaskSummary[], perSecond: number, work: (task: TaskSummary) => Promise<unknown>) => {
    setAsking(null);
    setBusy({ act, done: 0, n: things.length });
    const outcome = await runBulk(things, perSecond, work, (done) => setBusy({ act, done, n: things.length }));
    setBusy(null);
    showResult(act, outcome);
    ended();
    void refreshBalance();
  };
  const save = async () => {
    const links: string[] = [];
    await run("save", withFiles, READS, async ({ taskNo }) => {
      const taskLinks = await linksOf(taskNo);
      if (taskLinks.length === 0) throw new Error(t("many.nofile"));
      links.push(...taskLinks);
    });
    await downloadAll(links);
  };
  const words = busy && t("many.busy", { done: busy.done, n: busy.n });
  return (
    <div class="many-bar" role="group" aria-label={t("many.n", { n: tasks.length })}>
      <label class="tick"><input type="checkbox" checked={tasks.length === of} ref={(box) => { if (box) box.indeterminate = tasks.length > 0 && tasks.length < of; }}
        onChange={(event) => pickAll(event.currentTarget.checked)} /><span>{tasks.length === 0 ? t("many.all") : t("many.n", { n: tasks.length })}</span></label>
      {tasks.length > 0 && (
        <>
          <Button icon="download" disabled={withFiles.length === 0 || busy !== null} onClick={() => void save()}>{busy?.act === "save" ? words : t("many.save")}</Button>
          <Button icon="redo" disabled={busy !== null} onClick={() => setAsking("again")}>{busy?.act === "again" ? words : t("many.again")}</Button>
          <Button icon="close" disabled={running.length === 0 || busy !== null} onClick={() => setAsking("cancel")}>{busy?.act === "cancel" ? words : t("many.cancel")}</Button>
          <Button kind="quiet" onClick={() => pickAll(false)}>{t("many.none")}</Button>
        </>
      )}
      <Dialog title={t("many.cancel.sure", { n: running.length })} open={asking === "cancel"} close={() => setAsking(null)}>
        <p>{t("tasks.cancel.lead")}</p>
        <div class="dialog-actions">
          <Button onClick={() => setAsking(null)}>{t("tasks.cancel.keep")}</Button>
          <Button kind="danger" onClick={() => void run("cancel", running, READS, ({ taskNo }) => api.cancel(taskNo))}>{t("many.cancel.go", { n: running.length })}</Button>
        </div>
      </Dialog>
      <Dialog title={t("many.again.sure", { n: tasks.length })} open={asking === "again"} close={() => setAsking(null)}>
        <p>{t("many.again.lead", { points })}</p>
        <div class="dialog-actions">
          <Button onClick={() => setAsking(null)}>{t("action.cancel")}</Button>
          <Button kind="primary" icon="redo" onClick={() => void run("again", tasks, SUBMITS, ({ taskNo }) => sendAgain(taskNo))}>{t("many.again.go", { n: tasks.length })}</Button>
        </div>
      </Dialog>
    </div>
  );
}

/** The link to a task's archive, or to its only file. */
async function linksOf(taskNo: string): Promise<string[]> {
  const task = await api.task(taskNo);
  const files = task.items.filter((item) => item.url !== null);
  const [only] = files;
  if (files.length > 1 && task.downloadUrl) return [task.downloadUrl];
  return only?.url ? [only.url] : [];
}

/** Drops the client task ID, which would return the existing task. */
async function sendAgain(taskNo: string): Promise<void> {
  const { clientTaskId: _, ...request } = await api.request(taskNo);
  await api.submit(request);
}

function showResult(act: Act, { done, failed }: BulkResult<TaskSummary>): void {
  const word = { cancel: "many.cancelled", again: "many.sent", save: "many.saved" } as const;
  if (done.length > 0) toast("good", t(word[act], { n: done.length }));
  const [first] = failed;
  if (first) toast("bad", t("many.failed", { n: failed.length, why: explain(first.error) }));
}
