// Usage per user in a period: points, videos, seconds of output, and current storage.

import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { admin } from "../../lib/admin";
import { bytes, clock, count } from "../../lib/format";
import { Empty, ErrorBox, Pager, Skeleton } from "../../ui/basic";
import { Table } from "../../ui/table";
import { useLoad } from "../../ui/use-load";
import { dateRange, PeriodSelect, THIRTY_DAYS } from "./period";

const PAGE_SIZE = 20;

export function UsagePage() {
  const [period, setPeriod] = useState(THIRTY_DAYS);
  const [search, setSearch] = useState("");
  const [pageNo, setPageNo] = useState(1);
  const { from, to } = dateRange(period);
  const usage = useLoad((signal) => admin.usage({ from, to, search, pageNo, pageSize: PAGE_SIZE }, signal), [from, to, search, pageNo]);
  const sum = usage.value?.sum;
  return (
    <>
      <section class="panel">
        <header class="panel-head">
          <PeriodSelect period={period} set={(next) => { setPeriod(next); setPageNo(1); }} />
          <input class="input users-search" type="search" value={search} placeholder={t("users.search")} aria-label={t("users.search")}
            onInput={(event) => { setSearch(event.currentTarget.value); setPageNo(1); }} />
        </header>
        <p class="muted small">{t("period.utc")}</p>
      </section>
      {sum && (
        <dl class="cards">
          <div class="card main"><dt>{t("usage.points")}</dt><dd>{count(sum.points)}</dd></div>
          <div class="card"><dt>{t("usage.outputs")}</dt><dd>{count(sum.outputs)}</dd></div>
          <div class="card"><dt>{t("usage.seconds")}</dt><dd>{clock(sum.outputSeconds)}</dd></div>
        </dl>
      )}
      {usage.error !== null && <ErrorBox error={usage.error} retry={usage.reload} />}
      {usage.value === null && usage.loading && <Skeleton />}
      {usage.value?.total === 0 && <Empty icon="person" title={t("usage.empty")} />}
      {usage.value && sum && usage.value.total > 0 && (
        <section class="panel">
          <Table label={t("operate.usage")} rows={usage.value.list} keyOf={(one) => one.userId} columns={[
            { title: t("users.name"), cell: (one) => <strong class="name-cell">{one.userName}</strong> },
            { title: t("usage.points"), numeric: true, cell: (one) => count(one.points) },
            { title: t("usage.share"), cell: (one) => <Share part={one.points} whole={sum.points} /> },
            { title: t("usage.outputs"), numeric: true, cell: (one) => count(one.outputs) },
            { title: t("usage.seconds"), numeric: true, cell: (one) => clock(one.outputSeconds) },
            { title: t("usage.stored"), numeric: true, cell: (one) => <span class="nowrap">{bytes(one.storedBytes)}</span> },
          ]} />
          <Pager pageNo={pageNo} pageSize={PAGE_SIZE} total={usage.value.total} go={setPageNo} />
        </section>
      )}
    </>
  );
}

function Share({ part, whole }: { part: number; whole: number }) {
  const percent = whole === 0 ? 0 : Math.round((100 * part) / whole);
  return <span class="share"><span class="bar"><span style={{ width: `${percent}%` }} /></span><span class="muted small">{percent} %</span></span>;
}
