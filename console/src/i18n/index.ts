// Words of the console in English and Chinese. Messages that come from the service are already in the language asked.

import { count } from "../lib/format";
import { language } from "../lib/prefs";
import { compose } from "./compose";
import { general } from "./general";
import { operate } from "./operate";
import { play } from "./play";
import { review } from "./review";
import { tasks } from "./tasks";

const words = { ...general, ...tasks, ...compose, ...operate, ...play, ...review };

export type Word = keyof typeof words;
export type Values = Record<string, string | number>;

/** `{name}` is replaced, `{n|clip|clips}` chooses by the number `n`. */
export function fill(text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (whole, name: string, one?: string, many?: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (one !== undefined) return value === 1 ? one : (many ?? "");
    return typeof value === "number" ? count(value) : value;
  });
}

export function t(word: Word, values?: Values): string {
  const text = words[word] as readonly [string, string] | undefined;
  // A word that a newer service knows and this page does not is shown as it came.
  if (text === undefined) return String(word).split(".").slice(1).join(".");
  return fill(text[language.value === "zh" ? 1 : 0], values);
}

/** A text of the service that comes in both languages. */
export function both(text: { en: string; zh: string }): string {
  return text[language.value];
}
