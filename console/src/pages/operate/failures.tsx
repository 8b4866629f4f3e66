// Items that ended without an output, of all users: by cause, and one by one.

import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { tasks as taskWords } from "../../i18n/tasks";
import { admin } from "../../lib/admin";
import { dateTime } from "../../lib/format";
import { Empty, ErrorBox, Pager, Skeleton } from "../../ui/basic";
import { Table } from "../../ui/table";
import { useLoad } from "../../ui/use-load";
import { Select } from "../tasks";
import { Causes } from "./causes";

const PAGE_SIZE = 20;
const CODES = Object.keys(taskWords).filter((word) => word.startsWith("todo.")).map((word) => word.slice("todo.".length));

export function Failures() {
  const [code, setCode] = useState("");
  const [pageNo, setPageNo] = useState(1);
  const failures = useLoad((signal) => admin.failures({ code, pageNo, pageSize: PAGE_SIZE }, signal), [code, pageNo]);
  return (
    <>
    <Causes code={code} choose={(next) => { setCode(next); setPageNo(1); }} />
    <section class="panel">
      <header class="panel-head"><h2>{t("causes.one")}</h2>
        <Select name={t("failures.code")} value={code} set={(next) => { setCode(next); setPageNo(1); }} options={CODES.map((name) => [name, name])} />
      </header>
      {failures.error !== null && <ErrorBox error={failures.error} retry={failures.reload} />}
      {failures.value === null && failures.loading && <Skeleton />}
      {failures.value?.total === 0 && <Empty icon="check" title={t("failures.empty")}>{t("failures.empty.lead")}</Empty>}
      {failures.value && failures.value.total > 0 && (
        <Table label={t("operate.failures")} rows={failures.value.list} keyOf={(one) => `${one.taskNo}-${one.itemNo}`} columns={[
          { title: t("failures.time"), cell: (one) => <span class="nowrap">{one.finishTime === null ? "–" : dateTime(one.finishTime)}</span> },
          { title: t("failures.user"), cell: (one) => one.userName },
          { title: t("failures.task"), cell: (one) => <span class="mono nowrap" title={one.taskNo}>…{one.taskNo.slice(-8)} / {one.itemNo}</span> },
          { title: t("failures.code"), cell: (one) => <code class="nowrap">{one.code}</code> },
          { title: t("failures.message"), cell: (one) => <span class="break failure-message">{one.message}</span> },
        ]} />
      )}
      {failures.value && <Pager pageNo={pageNo} pageSize={PAGE_SIZE} total={failures.value.total} go={setPageNo} />}
    </section>
    </>
  );
}
