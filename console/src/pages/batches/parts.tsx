// How a batch stands, as lists and its own page show it.

import { t } from "../../i18n";
import { clock, count } from "../../lib/format";
import type { Batch } from "../../lib/templates";
import { Progress, StateBadge } from "../../ui/basic";

export const ended = (batch: Batch): boolean => batch.status >= 3;

export const titleOf = (batch: Batch): string => batch.name ?? batch.clientBatchId;

export function BatchState({ batch }: { batch: Batch }) {
  if (batch.paused) return <span class="badge warn"><span class="dot" aria-hidden="true" />{t("batches.paused")}</span>;
  return <StateBadge status={batch.status} />;
}

/** One line and one bar for all rows. */
export function BatchProgress({ batch }: { batch: Batch }) {
  const parts = [t("batches.videos", { done: batch.completedItems, n: batch.totalItems })];
  if (batch.failedItems > 0) parts.push(t("batches.failed", { n: batch.failedItems }));
  if (batch.refusedRows > 0) parts.push(t("batches.refused", { n: batch.refusedRows }));
  if (!ended(batch) && batch.etaSeconds !== null) parts.push(t("batch.eta", { time: clock(batch.etaSeconds) }));
  return (
    <span class="task-progress">
      {!ended(batch) && <Progress value={batch.progressPercent} status={batch.status} label={t("batches.progress")} />}
      <span class="muted small">{ended(batch) ? "" : `${batch.progressPercent} % · `}{parts.join(" · ")}</span>
    </span>
  );
}

export function pointsOf(batch: Batch): string {
  return count(batch.consumedDotCount || batch.estimatedDotCount);
}
