// Numbers, sizes, durations and times in the language of the page.

import { language } from "./prefs";

const locale = () => (language.value === "zh" ? "zh-CN" : "en-GB");

/** Formats are costly to create. */
const numberFormats = new Map<string, Intl.NumberFormat>();

function numberFormat(digits?: number): Intl.NumberFormat {
  const key = `${locale()} ${digits}`;
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(locale(), digits === undefined ? {} : { maximumFractionDigits: digits });
  numberFormats.set(key, format);
  return format;
}

export const count = (value: number): string => numberFormat().format(value);

export const decimal = (value: number, digits = 1): string => numberFormat(digits).format(value);

/** `0:07`, `1:02:05`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const tail = `${h > 0 ? String(m).padStart(2, "0") : m}:${String(s).padStart(2, "0")}`;
  return h > 0 ? `${h}:${tail}` : tail;
}

export function bytes(value: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let unit = 0;
  let size = value;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${decimal(size, size < 10 && unit > 0 ? 1 : 0)} ${units[unit]}`;
}

export function dateTime(iso: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));
}

export function day(iso: string | Date): string {
  return new Intl.DateTimeFormat(locale(), { day: "numeric", month: "short" }).format(new Date(iso));
}

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [["day", 86400], ["hour", 3600], ["minute", 60]];

/** `3 minutes ago`. */
export function ago(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" });
  const step = STEPS.find(([, size]) => Math.abs(seconds) >= size);
  return step ? format.format(Math.round(seconds / step[1]), step[0]) : format.format(0, "second");
}
