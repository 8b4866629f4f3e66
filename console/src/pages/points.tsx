// Points: the balance, the usage per day, and all records.

import { useState } from "preact/hooks";
import { t, type Word } from "../i18n";
import { api } from "../lib/api";
import { balance, refreshBalance } from "../lib/balance";
import { count, dateTime, day } from "../lib/format";
import { RECORD_TYPES, type PointsRecord } from "../lib/types";
import { niceTop, loadUsage, type Usage } from "../lib/usage";
import { link, place } from "../router";
import { Empty, ErrorBox, Notice, PageHead, Pager, Skeleton } from "../ui/basic";
import { useLoad } from "../ui/use-load";
import { Select } from "./tasks";

const DAYS = 30;
const PAGE_SIZE = 20;
const REFRESH_MS = 10_000;

export function Points() {
  return (
    <>
      <PageHead title={t("points.title")} />
      <BalanceCards />
      <Chart />
      <Records />
    </>
  );
}

function BalanceCards() {
  useLoad(refreshBalance, [], REFRESH_MS);
  const now = balance.value;
  const cards: [Word, number | undefined, boolean][] = [
    ["points.available", now?.balance, true], ["points.held", now?.held, false], ["points.total", now?.total, false],
  ];
  return (
    <dl class="cards">
      {cards.map(([word, value, main]) => (
        <div key={word} class={`card ${main ? "main" : ""}`}><dt>{t(word)}</dt><dd>{value === undefined ? "–" : count(value)}</dd></div>
      ))}
    </dl>
  );
}

function Chart() {
  const use = useLoad((signal) => loadUsage(DAYS, signal), []);
  return (
    <section class="panel">
      <header class="panel-head"><h2>{t("points.chart")}</h2><span class="muted small">{t("points.chart.span", { n: DAYS })}</span></header>
      {use.error !== null && <ErrorBox error={use.error} retry={use.reload} />}
      {use.value === null && use.loading && <Skeleton rows={1} height={180} />}
      {use.value && <Bars use={use.value} />}
    </section>
  );
}

/** Warns if the points run out within this number of days. */
const SOON = 7;

/** Warns if the points run out soon at the current usage. */
function Low({ points }: { points: number }) {
  const left = balance.value?.balance;
  if (left === undefined || points === 0) return null;
  const days = Math.floor((left * DAYS) / points);
  return days >= SOON ? null : <Notice tone="warn">{t("points.low", { n: days + 1 })}</Notice>;
}

function Bars({ use }: { use: Usage }) {
  const [points, outputs] = use.days.reduce(([a, b], one) => [a + one.points, b + one.outputs], [0, 0]);
  const top = niceTop(Math.max(...use.days.map((one) => one.points)));
  const narrow = matchMedia("(max-width: 860px)").matches;
  const [width, height, left, foot] = [narrow ? 400 : 900, 190, 40, 22];
  const step = (width - left) / use.days.length;
  const tall = (value: number) => ((height - foot - 10) * value) / top;
  return (
    <>
      <Low points={points} />
      <p>{points === 0 ? t("points.chart.none") : t("points.chart.sum", { points, outputs })}</p>
      {use.partial && <Notice tone="info">{t("points.chart.partial")}</Notice>}
      <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${t("points.chart")}: ${t("points.chart.sum", { points, outputs })}`}>
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line x1={left} x2={width} y1={height - foot - tall(top * part)} y2={height - foot - tall(top * part)} class="chart-line" />
            <text x={left - 8} y={height - foot - tall(top * part) + 4} text-anchor="end">{count(top * part)}</text>
          </g>
        ))}
        {use.days.map((one, index) => (
          <g key={one.date.getTime()} class="chart-day">
            <title>{t("points.chart.day", { day: day(one.date), n: one.points })}</title>
            <rect class="chart-hit" x={left + index * step} y={0} width={step} height={height - foot} />
            <rect class="chart-bar" x={left + index * step + step * 0.18} width={step * 0.64} rx={2.5}
              y={height - foot - Math.max(tall(one.points), one.points > 0 ? 2 : 0)} height={Math.max(tall(one.points), one.points > 0 ? 2 : 0)} />
            {(use.days.length - 1 - index) % 7 === 0 && <text x={left + (index + 0.5) * step} y={height - 5} text-anchor="middle">{day(one.date)}</text>}
          </g>
        ))}
      </svg>
      <details class="as-table"><summary>{t("points.chart.table")}</summary>
        <table class="table"><tbody>
          {use.days.filter((one) => one.points > 0).map((one) => <tr key={one.date.getTime()}><th scope="row">{day(one.date)}</th><td class="numeric">{count(one.points)}</td></tr>)}
        </tbody></table>
      </details>
    </>
  );
}

function Records() {
  const [type, setType] = useState("");
  const [pageNo, setPageNo] = useState(1);
  const taskNo = place.value.search.get("task") ?? "";
  const records = useLoad((signal) => api.records({ type, taskNo, pageNo, pageSize: PAGE_SIZE }, signal), [type, taskNo, pageNo]);
  return (
    <section class="panel">
      <header class="panel-head"><h2>{t("points.records")}</h2>
        <Select name={t("points.type")} value={type} set={(next) => { setType(next); setPageNo(1); }}
          options={RECORD_TYPES.map((name) => [name, t(`record.${name}` as Word)])} />
      </header>
      {records.error !== null && <ErrorBox error={records.error} retry={records.reload} />}
      {records.value === null && records.loading && <Skeleton rows={5} height={40} />}
      {records.value?.total === 0 && <Empty icon="coin" title={t("points.records.empty")}>{t("points.records.empty.lead")}</Empty>}
      {records.value && records.value.total > 0 && <Table list={records.value.list} />}
      {records.value && <Pager pageNo={pageNo} pageSize={PAGE_SIZE} total={records.value.total} go={setPageNo} />}
    </section>
  );
}

function Table({ list }: { list: readonly PointsRecord[] }) {
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={t("points.records")}>
      <table class="table">
        <thead><tr>
          <th scope="col">{t("points.time")}</th><th scope="col">{t("points.type")}</th><th scope="col">{t("points.task")}</th><th scope="col">{t("points.remark")}</th>
          <th scope="col" class="numeric">{t("points.amount")}</th><th scope="col" class="numeric">{t("points.change")}</th><th scope="col" class="numeric">{t("points.after")}</th>
        </tr></thead>
        <tbody>
          {list.map((record) => (
            <tr key={record.recordNo}>
              <td class="nowrap">{dateTime(record.createTime)}</td>
              <td><span class={`badge ${tones[record.type]}`}>{t(`record.${record.type}` as Word)}</span></td>
              <td class="nowrap">{record.taskNo ? <a class="mono" {...link(`/tasks/${record.taskNo}`)}>…{record.taskNo.slice(-8)}{record.itemNo !== null && ` / ${record.itemNo}`}</a> : "–"}</td>
              <td>{record.remark}</td>
              <td class="numeric">{count(record.amount)}</td>
              <td class={`numeric ${record.dotCount > 0 ? "good-text" : record.dotCount < 0 ? "bad-text" : "muted"}`}>{record.dotCount > 0 ? "+" : ""}{count(record.dotCount)}</td>
              <td class="numeric">{count(record.balanceAfter)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const tones = { grant: "good", hold: "wait", settle: "run", release: "good", adjust: "warn" } as const;
