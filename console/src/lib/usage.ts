// Points spent per day, for the chart.

import { api } from "./api";
import type { PointsRecord } from "./types";

export interface DailyUsage {
  /** Local midnight. */
  date: Date;
  points: number;
  outputs: number;
}

export function byDay(records: readonly PointsRecord[], days: number, today: Date): DailyUsage[] {
  const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate());
  const list: DailyUsage[] = [];
  for (let back = days - 1; back >= 0; back -= 1) {
    const date = midnight(today);
    date.setDate(date.getDate() - back);
    list.push({ date, points: 0, outputs: 0 });
  }
  const places = new Map(list.map((day) => [day.date.getTime(), day]));
  for (const record of records) {
    const day = places.get(midnight(new Date(record.createTime)).getTime());
    if (record.type !== "settle" || day === undefined) continue;
    day.points += record.amount;
    day.outputs += 1;
  }
  return list;
}

/** Maximum number of settlement pages that the chart reads. */
const MAX_PAGES = 10;

export interface Usage {
  days: DailyUsage[];
  /** Not all settlements were read, so the earliest days are incomplete. */
  partial: boolean;
}

export async function loadUsage(days: number, signal: AbortSignal, today = new Date()): Promise<Usage> {
  const oldest = new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1).getTime();
  const records: PointsRecord[] = [];
  for (let pageNo = 1; pageNo <= MAX_PAGES; pageNo += 1) {
    const page = await api.records({ type: "settle", pageNo, pageSize: 100 }, signal);
    records.push(...page.list);
    const last = page.list.at(-1);
    if (last === undefined || records.length >= page.total || new Date(last.createTime).getTime() < oldest) {
      return { days: byDay(records, days, today), partial: false };
    }
  }
  return { days: byDay(records, days, today), partial: true };
}

/** The rounded maximum of an axis: 1, 2 or 5 times a power of ten. */
export function niceTop(largest: number): number {
  if (largest <= 5) return 5;
  const power = 10 ** Math.floor(Math.log10(largest));
  return [1, 2, 5, 10].map((step) => step * power).find((top) => top >= largest) ?? largest;
}
