// Preferences that the browser stores: language, colours, and the safe zone over previews.

import { effect, signal } from "@preact/signals";
import { ZONE_NAMES, type ZoneName } from "./safe-zones";

export type Language = "en" | "zh";
export type Theme = "auto" | "light" | "dark";

export function preferredLanguage(remembered: string | null, browser: readonly string[]): Language {
  if (remembered === "en" || remembered === "zh") return remembered;
  const first = browser.find((tag) => /^(en|zh)\b/i.test(tag));
  return first?.toLowerCase().startsWith("zh") ? "zh" : "en";
}

function remembered(slot: string): string | null {
  try {
    return localStorage.getItem(slot);
  } catch {
    return null; // The storage may be forbidden; the page works without it.
  }
}

function remember(slot: string, value: string): void {
  try {
    localStorage.setItem(slot, value);
  } catch {
    // The storage is forbidden; the preference applies only while the page is open.
  }
}

export const language = signal<Language>(preferredLanguage(remembered("clipmill.language"), navigator.languages ?? []));
const theme0 = remembered("clipmill.theme");
export const theme = signal<Theme>(theme0 === "light" || theme0 === "dark" ? theme0 : "auto");

const zone0 = remembered("clipmill.zone");
/** The app whose safe zone is shown; null if none is. */
export const safeZone = signal<ZoneName | null>(ZONE_NAMES.find((name) => name === zone0) ?? null);

export function setLanguage(next: Language): void {
  language.value = next;
  remember("clipmill.language", next);
}

export function setTheme(next: Theme): void {
  theme.value = next;
  remember("clipmill.theme", next);
}

export function rememberZone(next: ZoneName | null): void {
  safeZone.value = next;
  remember("clipmill.zone", next ?? "");
}

effect(() => {
  document.documentElement.lang = language.value === "zh" ? "zh-CN" : "en";
});
effect(() => {
  if (theme.value === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
});
