// Most frequent causes of failures in a period. Selecting a cause filters the failures.

import { useState } from "preact/hooks";
import { t, type Word } from "../../i18n";
import { admin } from "../../lib/admin";
import { ago, count } from "../../lib/format";
import { ErrorBox, Skeleton } from "../../ui/basic";
import { useLoad } from "../../ui/use-load";
import { dateRange, PeriodSelect, THIRTY_DAYS } from "./period";

export function Causes({ code, choose }: { code: string; choose: (code: string) => void }) {
  const [period, setPeriod] = useState(THIRTY_DAYS);
  const { from, to } = dateRange(period);
  const causes = useLoad((signal) => admin.causes({ from, to }, signal), [from, to]);
  const most = Math.max(1, ...(causes.value?.list ?? []).map((one) => one.items));
  return (
    <section class="panel">
      <header class="panel-head"><h2>{t("causes.title")}</h2><PeriodSelect period={period} set={setPeriod} /></header>
      {causes.error !== null && <ErrorBox error={causes.error} retry={causes.reload} />}
      {causes.value === null && causes.loading && <Skeleton rows={3} height={40} />}
      {causes.value?.total === 0 && <p class="muted">{t("causes.none")}</p>}
      {causes.value && causes.value.total > 0 && (
        <>
          <p class="muted small">{t("causes.n", { n: causes.value.total })}</p>
          <ul class="causes">
            {causes.value.list.map((one) => (
              <li key={one.code}>
                <button type="button" class={one.code === code ? "on" : ""} aria-pressed={one.code === code} title={t("causes.show")} onClick={() => choose(one.code === code ? "" : one.code)}>
                  <span class="causes-head"><span>{t(`cause.${one.code}` as Word)}</span><strong>{count(one.items)}</strong></span>
                  <span class="bar"><span style={{ width: `${(100 * one.items) / most}%` }} /></span>
                  <span class="muted small">{t("causes.of", { items: one.items, tasks: one.tasks, users: one.users })} · {t("causes.last", { when: ago(one.lastTime) })}</span>
                  <code class="small">{one.code}</code>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
