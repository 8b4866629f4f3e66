// Filters of the lists of tasks and outputs, stored in the page's URL. Invalid values are ignored.

import { isTaskType } from "./task-types";
import type { TaskQuery } from "./assets";

export interface Filters {
  status: string;
  taskType: string;
  q: string;
  label: string;
  /** Local days. */
  from: string;
  to: string;
  pageNo: number;
}

const PARAMETER_NAMES = { status: "status", taskType: "type", q: "q", label: "label", from: "from", to: "to" } as const;

export function parseFilters(search: URLSearchParams): Filters {
  const text = (name: string) => search.get(name) ?? "";
  const pageNo = Number(text("page") || 1);
  return {
    status: /^[0-6]$/.test(text("status")) ? text("status") : "",
    taskType: isTaskType(text("type")) ? text("type") : "",
    q: [...text("q")].slice(0, 200).join(""),
    label: [...text("label")].slice(0, 60).join(""),
    from: isDay(text("from")) ? text("from") : "",
    to: isDay(text("to")) ? text("to") : "",
    pageNo: Number.isInteger(pageNo) && pageNo >= 1 && pageNo <= 1e6 ? pageNo : 1,
  };
}

/** The URL search of these filters, without defaults. */
export function filtersToSearch(filters: Filters): string {
  const next = new URLSearchParams();
  for (const [name, short] of Object.entries(PARAMETER_NAMES)) {
    const value = filters[name as keyof typeof PARAMETER_NAMES];
    if (value !== "") next.set(short, value);
  }
  if (filters.pageNo > 1) next.set("page", String(filters.pageNo));
  return next.size > 0 ? `?${next}` : "";
}

export const hasFilters = (filters: Filters): boolean => Object.keys(PARAMETER_NAMES).some((name) => filters[name as keyof typeof PARAMETER_NAMES] !== "");

/** The query for the API: days begin at local midnight, and the last day is included. */
export function filtersToQuery({ taskType, q, label, from, to }: Filters): TaskQuery {
  return { taskType, q: q.trim(), label, from: from === "" ? "" : midnight(from, 0), to: to === "" ? "" : midnight(to, 1) };
}

function midnight(day: string, plus: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + plus).toISOString();
}

function isDay(text: string): boolean {
  return /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(new Date(`${text}T00:00:00Z`).getTime());
}
