// Shares the finished videos of a batch with one link.

import { useState } from "preact/hooks";
import { t } from "../../i18n";
import type { SharedTask } from "../../lib/assets";
import { batches, type BatchRow } from "../../lib/templates";
import type { Batch } from "../../lib/types";
import { Button, explain } from "../../ui/basic";
import { MAX_TASKS, ShareDialog } from "../../ui/share-dialog";
import { toast } from "../../ui/toast";
import { finishedItems, taskWith } from "./row-videos";

const PAGE_SIZE = 100;

export function ShareBatch({ batch }: { batch: Batch }) {
  const [busy, setBusy] = useState(false);
  const [tasks, setTasks] = useState<readonly SharedTask[] | null>(null);
  if (batch.completedItems === 0) return null;
  const share = async () => {
    setBusy(true);
    try {
      const all = (await Promise.all((await allRows(batch.batchNo)).map(sharedTask))).flatMap((task) => task ?? []);
      if (all.length > MAX_TASKS) toast("info", t("batch.share.most", { n: MAX_TASKS }));
      setTasks(all.slice(0, MAX_TASKS));
    } catch (error) {
      toast("bad", explain(error));
    }
    setBusy(false);
  };
  return (
    <>
      <Button icon="share" busy={busy} onClick={() => void share()}>{t("share.open")}</Button>
      {tasks !== null && tasks.length > 0 && <ShareDialog tasks={tasks} close={() => setTasks(null)} />}
    </>
  );
}

async function allRows(batchNo: string): Promise<BatchRow[]> {
  const rows: BatchRow[] = [];
  for (let pageNo = 1; ; pageNo += 1) {
    const { list, total } = await batches.rows(batchNo, { state: "made", pageNo, pageSize: PAGE_SIZE });
    rows.push(...list);
    if (list.length === 0 || rows.length >= total) return rows;
  }
}

async function sharedTask({ taskNo, completedItems: completed }: BatchRow): Promise<SharedTask | null> {
  if (taskNo === null || completed === 0) return null;
  const items = finishedItems(await taskWith(taskNo, completed)).flatMap((item) => (item.url === null ? [] : [item.itemNo]));
  return items.length === 0 ? null : { taskNo, items };
}
