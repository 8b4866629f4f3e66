// Points spent on each of the last days, for the chart.

import { api } from "./api";
import type { PointsRecord } from "./types";

export interface DayUse {
  /** Local midnight. */
  date: Date;
  points: number;
  outputs: number;
}

export function byDay(records: readonly PointsRecord[], days: number, today: Date): DayUse[] {
  const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate());
  const list: DayUse[] = [];
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

/** At most so many pages of settlements are read for the chart. */
const MOST_PAGES = 10;

export interface Use {
  days: DayUse[];
  /** There were more settlements than were read: the earliest days are not whole. */
  partial: boolean;
}

export async function readUse(days: number, signal: AbortSignal, today = new Date()): Promise<Use> {
  const oldest = new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1).getTime();
  const records: PointsRecord[] = [];
  for (let pageNo = 1; pageNo <= MOST_PAGES; pageNo += 1) {
    const page = await api.records({ type: "settle", pageNo, pageSize: 100 }, signal);
    records.push(...page.list);
    const last = page.list.at(-1);
    if (last === undefined || records.length >= page.total || new Date(last.createTime).getTime() < oldest) {
      return { days: byDay(records, days, today), partial: false };
    }
  }
  return { days: byDay(records, days, today), partial: true };
}

/** A rounded top for an axis: 1, 2 or 5 times a power of ten. */
export function niceTop(largest: number): number {
  if (largest <= 5) return 5;
  const power = 10 ** Math.floor(Math.log10(largest));
  return [1, 2, 5, 10].map((step) => step * power).find((top) => top >= largest) ?? largest;
}
