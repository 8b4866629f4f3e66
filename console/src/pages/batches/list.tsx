// All batches, newest first.

import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { batches } from "../../lib/templates";
import { link } from "../../router";
import { Empty, ErrorBox, Pager, Skeleton } from "../../ui/basic";
import { useLoad } from "../../ui/use-load";
import { BatchLine } from "./batch-progress";

const PAGE_SIZE = 20;
const REFRESH_MS = 5000;

export function BatchList() {
  const [pageNo, setPageNo] = useState(1);
  const page = useLoad((signal) => batches.list({ pageNo, pageSize: PAGE_SIZE }, signal), [pageNo], REFRESH_MS);
  const list = page.value?.list ?? [];
  return (
    <>
      {page.error !== null && <ErrorBox error={page.error} retry={page.reload} />}
      {page.value === null && page.loading && <Skeleton rows={4} height={64} />}
      {page.value?.total === 0 && (
        <Empty icon="table" title={t("batches.empty")} action={<a class="button primary" {...link("/templates")}><span>{t("templates.title")}</span></a>}>{t("batches.empty.lead")}</Empty>
      )}
      {list.length > 0 && (
        <ul class="task-list" aria-label={t("batches.title")}>
          {list.map((batch) => <BatchLine key={batch.batchNo} batch={batch} />)}
        </ul>
      )}
      {page.value && <Pager pageNo={pageNo} pageSize={PAGE_SIZE} total={page.value.total} go={setPageNo} />}
    </>
  );
}
