// Rows of a batch with their results, and the errors of failed rows.

import { useEffect, useRef, useState } from "preact/hooks";
import { t, type Word } from "../../i18n";
import { cellOf } from "../../lib/lists";
import { messageText } from "../../lib/service-message";
import { fileName } from "../../lib/upload-names";
import { batches, type BatchRow } from "../../lib/templates";
import { isFinal, type Batch } from "../../lib/types";
import { link } from "../../router";
import { Button, Dialog, ErrorBox, explain, Pager, Skeleton, StateBadge } from "../../ui/basic";
import { Icon } from "../../ui/icon";
import { Table, type Column } from "../../ui/table";
import { announce, toast } from "../../ui/toast";
import { useLoad } from "../../ui/use-load";
import { hasEnded } from "./batch-progress";
import { RowVideos } from "./row-videos";

const PAGE_SIZE = 100;
const SHOWN_VALUES = 3;
/** Minimum interval between reloads while the batch is running. */
const SOON_MS = 3000;
const COMPLETED = 3;
const FILTERS = ["", "failed", "waiting", "made", "refused", "cancelled"] as const;

export function Rows({ batch, retried }: { batch: Batch; retried: (batch: Batch) => void }) {
  const [state, setState] = useState<string>("");
  const [pageNo, setPageNo] = useState(1);
  const rows = useLoad((signal) => batches.rows(batch.batchNo, { state, pageNo, pageSize: PAGE_SIZE }, signal), [batch.batchNo, state, pageNo]);
  useFollowing(batch, rows.reload);
  const failed = rows.value?.list.some((row) => whyOf(row) !== "") ?? false;
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
      {rows.value && rows.value.total > 0 && <Table label={t("batch.rows.title")} rows={rows.value.list} keyOf={(row) => row.row} columns={columns(rows.value.list, failed, batch, retried)} />}
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

function whyOf(row: BatchRow): string {
  if (row.error !== null) return messageText({ message: row.error, code: row.errorCode, params: row.errorParams });
  return messageText({ message: row.taskError ?? "", code: row.taskErrorCode, params: row.taskErrorParams });
}

function columns(list: readonly BatchRow[], failed: boolean, batch: Batch, retried: (batch: Batch) => void): Column<BatchRow>[] {
  const names = [...new Set(list.flatMap((row) => Object.keys(row.values)))].slice(0, SHOWN_VALUES);
  return [
    { title: t("batch.row"), numeric: true, cell: (row) => row.row },
    ...names.map((name): Column<BatchRow> => ({ title: name, cell: (row) => <span class="cell-text" title={cellOf(row.values[name])}>{formatValue(row.values[name])}</span> })),
    { title: t("batch.row.state"), cell: (row) => <RowState row={row} /> },
    { title: t("batch.row.videos"), cell: (row) => (row.taskNo === null ? <>–</> : <RowVideos row={row.row} taskNo={row.taskNo} completed={row.completedItems} />) },
    ...(failed ? [{ title: t("batch.row.why"), cell: (row: BatchRow) => <span class="break row-why">{whyOf(row)}</span> }] : []),
    {
      title: t("nav.tasks"), hidden: true, cell: (row) => (
        <span class="row-tools">
          <RunAgain batch={batch} row={row} retried={retried} />
          {row.taskNo !== null && <a class="button quiet only-icon" aria-label={t("batch.row.open", { n: row.row })} {...link(`/tasks/${row.taskNo}`)}><Icon name="right" /></a>}
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

function RowState({ row }: { row: BatchRow }) {
  if (row.state === "made" && row.taskStatus !== null) return <StateBadge status={row.taskStatus} />;
  const tone = row.state === "refused" ? "bad" : row.state === "cancelled" ? "off" : "wait";
  return <span class={`badge ${tone}`}><span class="dot" aria-hidden="true" />{t(`batch.rows.${row.state}` as Word)}</span>;
}

/** Runs a failed row again. Videos that the row already has are made and charged again, so that needs a confirmation. */
function RunAgain({ batch, row, retried }: { batch: Batch; row: BatchRow; retried: (batch: Batch) => void }) {
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const hasFailed = row.state === "refused" || (row.taskStatus !== null && isFinal(row.taskStatus) && (row.taskStatus !== COMPLETED || row.failedItems > 0));
  if (!hasFailed || batch.statusName === "cancelled") return null;
  const run = async () => {
    setAsking(false);
    setBusy(true);
    try {
      retried(await batches.retry(batch.batchNo, row.row));
      announce(t("batch.row.again.sent", { n: row.row }));
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
