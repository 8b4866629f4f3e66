// Texts of the console in English and Chinese. The service sends its messages in the requested language.

import { count } from "../lib/format";
import { language } from "../lib/prefs";
import type { batchWords } from "./batches";
import type { canvasWords } from "./canvas";
import { brandWords, type brandPageWords } from "./brand";
import { captions } from "./captions";
import { compose } from "./compose";
import { composer } from "./composer";
import { dropped, type dropDialogWords } from "./dropped";
import { feedbackWords } from "./feedback";
import { general } from "./general";
import { home } from "./home";
import { invitation } from "./invitation";
import { operate } from "./operate";
import { play } from "./play";
import { review } from "./review";
import type { sampleColumns } from "./sample-columns";
import type { operators } from "./operators";
import { tasks } from "./tasks";
import { templateWords } from "./templates";
import { noticeWords } from "./notices";

const words = { ...general, ...tasks, ...captions, ...compose, ...composer, ...operate, ...play, ...review, ...templateWords, ...noticeWords, ...feedbackWords, ...brandWords, ...dropped, ...home, ...invitation };
/** Texts that are loaded with their pages. */
type LazyWords = typeof operators & typeof batchWords & typeof dropDialogWords & typeof brandPageWords & typeof canvasWords & typeof sampleColumns;

export type Word = keyof typeof words | keyof LazyWords;
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

/** Adds the texts of a lazily loaded page. */
export function register(more: Partial<Record<Word, readonly [string, string]>>): void {
  Object.assign(words, more);
}

export function t(word: Word, values?: Values): string {
  const text = (words as Partial<Record<Word, readonly [string, string]>>)[word] as readonly [string, string] | undefined;
  // A newer service can send values without a text; they are shown as they are.
  if (text === undefined) return String(word).split(".").slice(1).join(".");
  return fill(text[language.value === "zh" ? 1 : 0], values);
}

/** A text that the service sends in both languages. */
export function both(text: { en: string; zh: string }): string {
  return text[language.value];
}
