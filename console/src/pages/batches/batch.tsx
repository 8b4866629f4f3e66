// One batch: progress, actions, files and rows.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../i18n";
import { localLink } from "../../lib/api";
import { watchBatch } from "../../lib/batch-watch";
import { refreshBalance } from "../../lib/balance";
import { count, dateTime } from "../../lib/format";
import { responseFileName, downloadBlob } from "../../lib/downloads";
import { batches } from "../../lib/templates";
import type { Batch } from "../../lib/types";
import { link } from "../../router";
import { Button, Dialog, ErrorBox, explain, Notice, PageHead, Progress, Skeleton } from "../../ui/basic";
import { Icon } from "../../ui/icon";
import { announce, toast } from "../../ui/toast";
import { useLoad } from "../../ui/use-load";
import { FailedRows } from "./failed-rows";
import { BatchState, hasEnded, isIncomplete, progressText, titleOf } from "./batch-progress";
import { resultsFile } from "./results-file";
import { Rows } from "./rows";
import { ShareBatch } from "./share-batch";

/** The state whose colour warns. */
const WARNING = 6;

export function BatchPage({ batchNo }: { batchNo: string }) {
  const loaded = useLoad((signal) => batches.get(batchNo, signal), [batchNo]);
  const [live, setLive] = useState<Batch | null>(null);
  const [connected, setConnected] = useState(true);
  const [retryCount, setRetryCount] = useState(0);
  const batch = live?.batchNo === batchNo ? live : loaded.value;
  const over = batch !== null && hasEnded(batch);

  // Ignores responses that are older than the event of the batch's end.
  const update = (next: Batch) => setLive((before) => (before?.batchNo === next.batchNo && hasEnded(before) ? before : next));

  useEffect(() => {
    if (loaded.value === null || (hasEnded(loaded.value) && retryCount === 0)) return;
    const stop = new AbortController();
    void watchBatch(batchNo, update, setConnected, stop.signal).catch(() => undefined);
    return () => stop.abort();
  }, [loaded.value, retryCount]);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (over) void refreshBalance();
    if (over && wasOpen.current && batch !== null) announce(t("batch.ended", { name: titleOf(batch), n: batch.completedItems, all: batch.totalItems }));
    wasOpen.current = batch !== null && !over;
  }, [over, batch === null]);
  useEffect(() => {
    if (batch === null) return;
    document.title = `${over ? "" : `${batch.progressPercent} % · `}${titleOf(batch)} · clipmill`;
  }, [batch?.progressPercent, over]);

  if (batch === null) return loaded.error ? <ErrorBox error={loaded.error} retry={loaded.reload} /> : <Skeleton rows={3} height={90} />;
  // The batch is open again, and is followed again.
  const retried = (next: Batch) => {
    setLive(next);
    setRetryCount((n) => n + 1);
    void refreshBalance();
  };
  return (
    <>
      <Head batch={batch} steered={update} />
      {!connected && !over && <Notice tone="warn">{t("batch.lost")}</Notice>}
      {batch.paused && <Notice tone="info">{t("batch.paused.lead")}</Notice>}
      <section class="panel overview">
        <div class="overview-progress"><Progress value={batch.progressPercent} status={isIncomplete(batch) ? WARNING : batch.status} label={t("batches.progress")} /><strong class="mono">{batch.progressPercent} %</strong></div>
        {!over && <p class="muted small">{progressText(batch)}</p>}
        <Facts batch={batch} />
      </section>
      <Rows batch={batch} retried={retried} />
    </>
  );
}

function Facts({ batch }: { batch: Batch }) {
  const facts: [string, string][] = [
    [t("fill.facts.videos"), `${count(batch.completedItems)} / ${count(batch.totalItems)}`],
    [t("fill.facts.rows"), count(batch.totalRows)],
    [t("batch.waiting"), count(batch.waitingRows)],
    [t("batch.points"), t(hasEnded(batch) ? "batch.points.spent" : "batch.points.of", { spent: batch.consumedDotCount, held: batch.estimatedDotCount })],
    [t("batch.id"), batch.clientBatchId],
  ];
  if (batch.failedItems > 0) facts.splice(1, 0, [t("batch.rows.failed"), count(batch.failedItems)]);
  if (batch.refusedRows > 0) facts.splice(2, 0, [t("batch.rows.refused"), count(batch.refusedRows)]);
  return <dl class="facts wide-facts" data-testid="batch-facts">{facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd class="break">{value}</dd></div>)}</dl>;
}

function Head({ batch, steered }: { batch: Batch; steered: (batch: Batch) => void }) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const steer = async (what: "pause" | "resume" | "cancel") => {
    setBusy(true);
    try {
      steered(await batches.steer(batch.batchNo, what));
    } catch (error) {
      toast("bad", explain(error));
    }
    setBusy(false);
    setAsking(false);
  };
  const results = async () => {
    try {
      const { answer, blob } = await resultsFile(batch.batchNo, new AbortController().signal);
      downloadBlob(blob, responseFileName(answer, `${batch.batchNo}.csv`));
    } catch (error) {
      toast("bad", explain(error));
    }
  };
  return (
    <>
      <a class="back" {...link("/batches")}><Icon name="left" size={16} />{t("batch.all")}</a>
      <PageHead title={<span class="break">{titleOf(batch)}</span>} lead={<><BatchState batch={batch} /> <time dateTime={batch.createTime}>{dateTime(batch.createTime)}</time></>}>
        {!hasEnded(batch) && <Button icon={batch.paused ? "play" : "pause"} busy={busy && !asking} onClick={() => void steer(batch.paused ? "resume" : "pause")}>{t(batch.paused ? "batch.resume" : "batch.pause")}</Button>}
        {!hasEnded(batch) && <Button icon="close" onClick={() => setAsking(true)}>{t("batch.cancel")}</Button>}
        {batch.template && <a class="button plain" {...link(`/templates/${batch.template.templateNo}/fill`)}><Icon name="redo" /><span>{t("batch.again")}</span></a>}
        <FailedRows batch={batch} />
        <ShareBatch batch={batch} />
        <Button icon="table" onClick={() => void results()}>{t("batch.csv")}</Button>
        {batch.downloadUrl && <a class="button primary" href={localLink(batch.downloadUrl)} download=""><Icon name="download" /><span>{t("batch.zip")}</span></a>}
      </PageHead>
      <Dialog title={t("batch.cancel.sure")} open={asking} close={() => setAsking(false)}>
        <p>{t("batch.cancel.lead")}</p>
        <div class="dialog-actions">
          <Button onClick={() => setAsking(false)}>{t("batch.cancel.keep")}</Button>
          <Button kind="danger" busy={busy} onClick={() => void steer("cancel")}>{t("batch.cancel")}</Button>
        </div>
      </Dialog>
    </>
  );
}
