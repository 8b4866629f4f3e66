// Rows of a batch with their results, and the errors of failed rows.

import { useEffect, useRef, useState } from "preact/hooks";
import { t, type Word } from "../../i18n";
import { cellOf } from "../../lib/lists";
import { messageText } from "../../lib/service-message";
import { fileName } from "../../lib/upload-names";
import { batches, type BatchRow } from "../../lib/templates";
import { isFinal, type Batch, type TaskSummary } from "../../lib/types";
import { link } from "../../router";
import { Button, Dialog, ErrorBox, explain, Pager, Skeleton, StateBadge } from "../../ui/basic";
import { Icon } from "../../ui/icon";
import { Table, type Column } from "../../ui/table";
import { announce, toast } from "../../ui/toast";
import { useLoad } from "../../ui/use-load";
import { hasEnded } from "./batch-progress";
import { runAgain, type Retries } from "./retries";
import { RowVideos } from "./row-videos";

const PAGE_SIZE = 100;
const SHOWN_VALUES = 3;
/** Minimum interval between reloads while the batch is running. */
const SOON_MS = 3000;
const FILTERS = ["", "failed", "waiting", "made", "refused", "cancelled"] as const;

export function Rows({ batch, retries, retried }: { batch: Batch; retries: Retries; retried: () => void }) {
  const [state, setState] = useState<string>("");
  const [pageNo, setPageNo] = useState(1);
  const rows = useLoad((signal) => batches.rows(batch.batchNo, { state, pageNo, pageSize: PAGE_SIZE }, signal), [batch.batchNo, state, pageNo]);
  useFollowing(batch, rows.reload);
  const failed = rows.value?.list.some((row) => whyOf(row, retries) !== "") ?? false;
  return (
    <section class="panel">
      <header class="panel-head"><h2>{t("batch.rows.title")}</h2>
        <div class="segments small" role="group" aria-label={t("batch.row.state")}>
          {FILTERS.map((name) => (
            <button key={name} type="button" class={state === name ? "on" : ""} aria-pressed={state === name} onClick={() => { setState(name); setPageNo(1); }}>
              {t(`batch.rows.${name === "" ? "all" : name}` as Word)}
            </button>
          ))}
        </div>
      </header>
      {rows.error !== null && <ErrorBox error={rows.error} retry={rows.reload} />}
      {rows.value === null && rows.loading && <Skeleton rows={5} height={36} />}
      {rows.value?.total === 0 && <p class="muted">{t("batch.rows.none")}</p>}
      {rows.value && rows.value.total > 0 && <Table label={t("batch.rows.title")} rows={rows.value.list} keyOf={(row) => row.row} columns={columns(rows.value.list, failed, batch, retries, retried)} />}
      {rows.value && <Pager pageNo={pageNo} pageSize={PAGE_SIZE} total={rows.value.total} go={setPageNo} />}
    </section>
  );
}

/** Reloads the rows when the batch has changed. */
function useFollowing(batch: Batch, reload: () => void): void {
  const last = useRef(0);
  const progressKey = [batch.status, batch.madeRows, batch.refusedRows, batch.completedItems, batch.failedItems].join();
  const before = useRef(progressKey);
  useEffect(() => {
    if (before.current === progressKey) return;
    before.current = progressKey;
    const wait = hasEnded(batch) ? 0 : Math.max(0, last.current + SOON_MS - Date.now());
    const timer = setTimeout(() => { last.current = Date.now(); reload(); }, wait);
    return () => clearTimeout(timer);
  }, [progressKey]);
}

/** The reason of the last failure; empty while the row runs again. */
function whyOf(row: BatchRow, retries: Retries): string {
  const retry = retries.get(row.row);
  if (retry !== undefined) return messageText({ message: retry.errorMsg ?? "", code: retry.errorMsgCode, params: retry.errorMsgParams });
  if (row.error !== null) return messageText({ message: row.error, code: row.errorCode, params: row.errorParams });
  return messageText({ message: row.taskError ?? "", code: row.taskErrorCode, params: row.taskErrorParams });
}

function columns(list: readonly BatchRow[], failed: boolean, batch: Batch, retries: Retries, retried: () => void): Column<BatchRow>[] {
  const names = [...new Set(list.flatMap((row) => Object.keys(row.values)))].slice(0, SHOWN_VALUES);
  return [
    { title: t("batch.row"), numeric: true, cell: (row) => row.row },
    ...names.map((name): Column<BatchRow> => ({ title: name, cell: (row) => <span class="cell-text" title={cellOf(row.values[name])}>{formatValue(row.values[name])}</span> })),
    { title: t("batch.row.state"), cell: (row) => <RowState row={row} retry={retries.get(row.row)} /> },
    { title: t("batch.row.videos"), cell: (row) => <Videos row={row} retry={retries.get(row.row)} /> },
    ...(failed ? [{ title: t("batch.row.why"), cell: (row: BatchRow) => <span class="break row-why">{whyOf(row, retries)}</span> }] : []),
    {
      title: t("nav.tasks"), hidden: true, cell: (row) => row.taskNo !== null && (
        <span class="row-tools">
          <RunAgain batch={batch} row={row} retry={retries.get(row.row)} retried={retried} />
          <a class="button quiet only-icon" aria-label={t("batch.row.open", { n: row.row })} {...link(`/tasks/${retries.get(row.row)?.taskNo ?? row.taskNo}`)}><Icon name="right" /></a>
        </span>
      ),
    },
  ];
}

const formatValue = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(formatValue).join(" | ");
  const text = String(value ?? "");
  return /^(upload|https?):\/\//.test(text) ? fileName(text) : text;
};

function RowState({ row, retry }: { row: BatchRow; retry: TaskSummary | undefined }) {
  if (retry !== undefined) return <span class="row-state"><StateBadge status={retry.status} /><span class="muted small">{t("batch.row.retried")}</span></span>;
  if (row.state === "made" && row.taskStatus !== null) return <StateBadge status={row.taskStatus} />;
  const tone = row.state === "refused" ? "bad" : row.state === "cancelled" ? "off" : "wait";
  return <span class={`badge ${tone}`}><span class="dot" aria-hidden="true" />{t(`batch.rows.${row.state}` as Word)}</span>;
}

function Videos({ row, retry }: { row: BatchRow; retry: TaskSummary | undefined }) {
  if (row.taskNo === null) return <>–</>;
  if (retry !== undefined && retry.completedItems > row.completedItems) return <RowVideos row={row.row} taskNo={retry.taskNo} completed={retry.completedItems} />;
  return <RowVideos row={row.row} taskNo={row.taskNo} completed={row.completedItems} />;
}

/** Runs a failed row again. Videos that the row already has are made and charged again, so that needs a confirmation. */
function RunAgain({ batch, row, retry, retried }: { batch: Batch; row: BatchRow; retry: TaskSummary | undefined; retried: () => void }) {
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const { taskNo } = row;
  const last = retry ?? { status: row.taskStatus ?? 0, failedItems: row.failedItems };
  if (taskNo === null || !isFinal(last.status) || last.failedItems === 0) return null;
  const run = async () => {
    setAsking(false);
    setBusy(true);
    try {
      await runAgain(batch, row.row, taskNo, retry);
      announce(t("batch.row.again.sent", { n: row.row }));
      retried();
    } catch (error) {
      toast("bad", explain(error));
    }
    setBusy(false);
  };
  return (
    <>
      <Button kind="quiet" icon="redo" busy={busy} label={t("batch.row.again", { n: row.row })} onClick={() => (row.completedItems > 0 ? setAsking(true) : void run())}>{t("many.again")}</Button>
      <Dialog title={t("batch.row.again", { n: row.row })} open={asking} close={() => setAsking(false)}>
        <p>{t("batch.row.again.lead", { n: row.completedItems })}</p>
        <div class="dialog-actions">
          <Button onClick={() => setAsking(false)}>{t("action.cancel")}</Button>
          <Button kind="primary" icon="redo" onClick={() => void run()}>{t("many.again")}</Button>
        </div>
      </Dialog>
    </>
  );
}
