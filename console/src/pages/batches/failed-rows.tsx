// The failed rows of a batch as a new table of its template.

import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { cellOf } from "../../lib/lists";
import { storeTable, unsentTables } from "../../lib/table-storage";
import { batches, type BatchRow } from "../../lib/templates";
import type { Batch } from "../../lib/types";
import { go } from "../../router";
import { Button, Dialog, explain } from "../../ui/basic";
import { toast } from "../../ui/toast";
import { newBatchId } from "../templates/table-state";
import { hasEnded } from "./batch-progress";

const PAGE_SIZE = 100;

export function FailedRows({ batch }: { batch: Batch }) {
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const { template } = batch;
  if (template === null || !hasEnded(batch) || batch.failedItems + batch.refusedRows === 0) return null;
  const { templateNo, version } = template;
  const fill = async () => {
    setAsking(false);
    setBusy(true);
    try {
      const rows = await failedRows(batch.batchNo);
      if (rows.length === 0) toast("info", t("batch.rows.none"));
      else {
        storeTable({ ...tableOf(rows), templateNo, version, name: batch.name ?? "", clientBatchId: newBatchId(), partial: false, at: Date.now(), fresh: true });
        go(`/templates/${templateNo}/fill`);
        toast("good", t("batch.failed.filled", { n: rows.length }));
      }
    } catch (error) {
      toast("bad", explain(error));
    }
    setBusy(false);
  };
  const begin = () => (unsentTables().some((table) => table.templateNo === templateNo) ? setAsking(true) : void fill());
  return (
    <>
      <Button icon="redo" busy={busy} onClick={begin}>{t("batch.failed.fill")}</Button>
      <Dialog title={t("batch.failed.sure")} open={asking} close={() => setAsking(false)}>
        <p>{t("batch.failed.lead")}</p>
        <div class="dialog-actions">
          <Button onClick={() => setAsking(false)}>{t("action.cancel")}</Button>
          <Button kind="danger" onClick={() => void fill()}>{t("batch.failed.go")}</Button>
        </div>
      </Dialog>
    </>
  );
}

async function failedRows(batchNo: string): Promise<BatchRow[]> {
  const rows: BatchRow[] = [];
  for (let pageNo = 1; ; pageNo += 1) {
    const { list, total } = await batches.rows(batchNo, { state: "failed", pageNo, pageSize: PAGE_SIZE });
    rows.push(...list);
    if (list.length === 0 || rows.length >= total) return rows;
  }
}

/** Values of rows as cells. */
export function tableOf(rows: readonly Pick<BatchRow, "values">[]): { columns: string[]; rows: string[][] } {
  const columns = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))];
  return { columns, rows: rows.map(({ values }) => columns.map((name) => cellOf(values[name]))) };
}
