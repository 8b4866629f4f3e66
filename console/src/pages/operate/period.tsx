// A period: the last days, or a range of days. Days are in UTC, as in the API.

import { t, type Word } from "../../i18n";

const DAY_MS = 86_400_000;
const SPANS = ["1", "7", "30", "90"] as const;

export interface Period {
  /** Number of days up to today; empty for a range of days. */
  span: string;
  from: string;
  to: string;
}

export const THIRTY_DAYS: Period = { span: "30", from: "", to: "" };

const date = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The range for the API, in which `to` is exclusive. */
export function dateRange(period: Period, now = Date.now()): { from: string; to: string } {
  if (period.span !== "") return { from: date(now - (Number(period.span) - 1) * DAY_MS), to: "" };
  return { from: period.from, to: period.to === "" ? "" : date(Date.parse(period.to) + DAY_MS) };
}

/** The period as a range of days, for editing. */
function spelled(period: Period, now = Date.now()): Period {
  return { span: "", from: dateRange(period, now).from, to: date(now) };
}

export function PeriodSelect({ period, set }: { period: Period; set: (period: Period) => void }) {
  return (
    <div class="period">
      <label class="filter"><span>{t("period.name")}</span>
        <select class="input" value={period.span} onChange={(event) => {
          const span = event.currentTarget.value;
          set(span === "" ? spelled(period) : { ...period, span });
        }}>
          {SPANS.map((span) => <option key={span} value={span}>{t(`period.${span}` as Word)}</option>)}
          <option value="">{t("period.own")}</option>
        </select>
      </label>
      {period.span === "" && (["from", "to"] as const).map((end) => (
        <label key={end} class="filter"><span>{t(`period.${end}`)}</span>
          <input class="input" type="date" value={period[end]} max={date(Date.now())} onChange={(event) => set({ ...period, [end]: event.currentTarget.value })} />
        </label>
      ))}
    </div>
  );
}
