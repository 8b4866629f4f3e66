// All batches, newest first.

import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { ago, dateTime } from "../../lib/format";
import { batches } from "../../lib/templates";
import { link } from "../../router";
import { Empty, ErrorBox, Pager, Skeleton } from "../../ui/basic";
import { Icon } from "../../ui/icon";
import { useLoad } from "../../ui/use-load";
import { BatchProgress, BatchState, pointsOf, titleOf } from "./parts";

const PAGE_SIZE = 20;
const AGAIN_MS = 5000;

export function BatchList() {
  const [pageNo, setPageNo] = useState(1);
  const found = useLoad((signal) => batches.list({ pageNo, pageSize: PAGE_SIZE }, signal), [pageNo], AGAIN_MS);
  const list = found.value?.list ?? [];
  return (
    <>
      {found.error !== null && <ErrorBox error={found.error} retry={found.reload} />}
      {found.value === null && found.loading && <Skeleton rows={4} height={64} />}
      {found.value?.total === 0 && (
        <Empty icon="table" title={t("batches.empty")} action={<a class="button primary" {...link("/templates")}><span>{t("templates.title")}</span></a>}>{t("batches.empty.lead")}</Empty>
      )}
      {list.length > 0 && (
        <ul class="task-list" aria-label={t("batches.title")}>
          {list.map((batch) => (
            <li key={batch.batchNo} class="task-row">
              <a class="task-link" {...link(`/batches/${batch.batchNo}`)}>
                <span class="task-type"><strong class="break">{titleOf(batch)}</strong><span class="muted small">{t("batches.rows", { done: batch.madeRows, n: batch.totalRows })}</span></span>
                <BatchState batch={batch} />
                <BatchProgress batch={batch} />
                <span class="task-points mono">{pointsOf(batch)}<span class="muted"> {t("points.unit", { n: batch.consumedDotCount || batch.estimatedDotCount })}</span></span>
                <time class="muted small" dateTime={batch.createTime} title={dateTime(batch.createTime)}>{ago(batch.createTime)}</time>
              </a>
              <span class="row-action"><Icon name="right" /></span>
            </li>
          ))}
        </ul>
      )}
      {found.value && <Pager pageNo={pageNo} pageSize={PAGE_SIZE} total={found.value.total} go={setPageNo} />}
    </>
  );
}
