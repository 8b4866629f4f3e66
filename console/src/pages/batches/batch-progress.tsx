// State and progress of a batch, in lists and on its page.

import { t } from "../../i18n";
import { ago, clock, count, dateTime } from "../../lib/format";
import { pointsOf, type Batch } from "../../lib/types";
import { link } from "../../router";
import { Progress, StateBadge } from "../../ui/basic";
import { Icon } from "../../ui/icon";

export const hasEnded = (batch: Batch): boolean => batch.status >= 3;

export const titleOf = (batch: Batch): string => batch.name ?? batch.clientBatchId;

export function BatchState({ batch }: { batch: Batch }) {
  if (batch.paused) return <span class="badge warn"><span class="dot" aria-hidden="true" />{t("batches.paused")}</span>;
  if (isIncomplete(batch)) return <span class="badge warn"><span class="dot" aria-hidden="true" />{t("batches.incomplete")}</span>;
  return <StateBadge status={batch.status} />;
}

/** Whether the batch has ended with some of its videos, but not all. */
export const isIncomplete = (batch: Batch): boolean => batch.statusName === "completed" && batch.failedItems + batch.refusedRows > 0;

export function progressText(batch: Batch): string {
  const parts = [t("batches.videos", { done: batch.completedItems, n: batch.totalItems })];
  if (batch.failedItems > 0) parts.push(t("batches.failed", { n: batch.failedItems }));
  if (batch.refusedRows > 0) parts.push(t("batches.refused", { n: batch.refusedRows }));
  if (!hasEnded(batch) && batch.etaSeconds !== null) parts.push(t("batch.eta", { time: clock(batch.etaSeconds) }));
  return parts.join(" · ");
}

export function BatchProgress({ batch }: { batch: Batch }) {
  return (
    <span class="task-progress">
      {!hasEnded(batch) && <Progress value={batch.progressPercent} status={batch.status} label={t("batches.progress")} />}
      <span class="muted small">{hasEnded(batch) ? "" : `${batch.progressPercent} % · `}{progressText(batch)}</span>
    </span>
  );
}

/** A batch in the list of batches or, with `among`, in the list of tasks, whose rows have more columns. */
export function BatchLine({ batch, among = false }: { batch: Batch; among?: boolean }) {
  const points = pointsOf(batch);
  return (
    <li class="task-row">
      {among && <span class="tick" aria-hidden="true" />}
      <a class="task-link" {...link(`/batches/${batch.batchNo}`)}>
        <span class="task-cover"><Icon name="table" size={20} /></span>
        <span class="task-type"><strong>{titleOf(batch)}</strong>
          <span class="muted small">{among && `${t("tasks.batch")} · `}{t("batches.rows", { done: batch.madeRows, n: batch.totalRows })}</span></span>
        <BatchState batch={batch} />
        <BatchProgress batch={batch} />
        <span class="task-points mono">{count(points)}<span class="muted"> {t("points.unit", { n: points })}</span></span>
        <time class="muted small" dateTime={batch.createTime} title={dateTime(batch.createTime)}>{ago(batch.createTime)}</time>
      </a>
      {among && <span class="labels" />}
      <span class={among ? "row-actions" : ""}><span class="row-action"><Icon name="right" /></span></span>
    </li>
  );
}
