// Failed items of all users, by cause and as a list.

import { useState } from "preact/hooks";
import { t, type Word } from "../../i18n";
import { tasks as taskWords } from "../../i18n/tasks";
import { admin } from "../../lib/admin";
import { dateTime } from "../../lib/format";
import { Empty, ErrorBox, Pager, Skeleton } from "../../ui/basic";
import { TypedInput } from "../../ui/filter-bar";
import { Table } from "../../ui/table";
import { useLoad } from "../../ui/use-load";
import { Select } from "../tasks";
import { Causes } from "./causes";
import { TaskNumber } from "./task-number";
import { itemErrorText } from "../../lib/service-message";

const PAGE_SIZE = 20;
const CODES = Object.keys(taskWords).filter((word) => word.startsWith("todo.")).map((word) => word.slice("todo.".length));

export function Failures() {
  const [code, setCode] = useState("");
  const [pageNo, setPageNo] = useState(1);
  const [search, setSearch] = useState("");
  const failures = useLoad((signal) => admin.failures({ code, search: search.trim(), pageNo, pageSize: PAGE_SIZE }, signal), [code, pageNo, search]);
  return (
    <>
    <Causes code={code} choose={(next) => { setCode(next); setPageNo(1); }} />
    <section class="panel">
      <header class="panel-head"><h2>{t("causes.one")}</h2>
        <div class="filters find" role="search">
          <TypedInput value={search} set={(next) => { setSearch(next); setPageNo(1); }} label={t("failures.search")} placeholder={t("failures.search")} type="search" />
          <Select name={t("failures.code")} value={code} set={(next) => { setCode(next); setPageNo(1); }} options={CODES.map((name) => [name, t(`cause.${name}` as Word)])} />
        </div>
      </header>
      {failures.error !== null && <ErrorBox error={failures.error} retry={failures.reload} />}
      {failures.value === null && failures.loading && <Skeleton />}
      {failures.value?.total === 0 && (search === "" ? <Empty icon="check" title={t("failures.empty")}>{t("failures.empty.lead")}</Empty>
        : <Empty icon="search" title={t("failures.none")} />)}
      {failures.value && failures.value.total > 0 && (
        <Table label={t("operate.failures")} rows={failures.value.list} keyOf={(one) => `${one.taskNo}-${one.itemNo}`} columns={[
          { title: t("failures.time"), cell: (one) => <span class="nowrap">{one.finishTime === null ? "–" : dateTime(one.finishTime)}</span> },
          { title: t("failures.user"), cell: (one) => one.userName },
          { title: t("failures.task"), cell: (one) => <TaskNumber taskNo={one.taskNo} itemNo={one.itemNo} /> },
          { title: t("failures.code"), cell: (one) => <>{t(`cause.${one.code}` as Word)}<br /><code class="nowrap muted small">{one.code}</code></> },
          { title: t("failures.message"), cell: (one) => <span class="break failure-message">{itemErrorText(one)}</span> },
        ]} />
      )}
      {failures.value && <Pager pageNo={pageNo} pageSize={PAGE_SIZE} total={failures.value.total} go={setPageNo} />}
    </section>
    </>
  );
}
