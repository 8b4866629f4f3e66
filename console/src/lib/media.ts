// Metadata of files by url: name, duration, size and thumbnail. The browser stores names and durations, because an
// `upload://` url is not readable.

import { signal } from "@preact/signals";
import { t } from "../i18n";
import { api } from "./api";

export interface MediaFacts {
  name?: string;
  duration?: number;
  width?: number;
  height?: number;
  /** URL of the thumbnail. */
  thumb?: string;
  /** The service is probing the file. */
  probing?: boolean;
  /** The reason why the service cannot use the file. */
  problem?: string;
}

export const media = signal<ReadonlyMap<string, MediaFacts>>(new Map());

const SLOT = "clipmill.media";
const MAX_STORED = 1000;

export function noteMedia(url: string, facts: MediaFacts): void {
  const next = new Map(media.value);
  const merged = { ...next.get(url), ...facts };
  next.delete(url);
  next.set(url, merged);
  media.value = next;
  if (facts.name !== undefined || facts.duration !== undefined) scheduleSave();
}

export function nameOf(url: string | undefined): string {
  if (url === undefined || url === "") return "";
  const storedName = media.value.get(url)?.name;
  if (storedName !== undefined) return storedName;
  if (url.startsWith("upload://")) return (requestName(url), t("file.unnamed"));
  if (url.startsWith("result://")) return t("task.item", { n: url.split("/").slice(3).join("/") });
  const known = urlNames.get(url) ?? lastPartOf(url);
  urlNames.set(url, known);
  return known;
}

const urlNames = new Map<string, string>();

function lastPartOf(url: string): string {
  try {
    const { pathname, hostname } = new URL(url);
    const last = pathname.split("/").filter((part) => part !== "").at(-1);
    return last === undefined ? hostname : decodeURIComponent(last);
  } catch {
    return url;
  }
}

const requestedNames = new Set<string>();

/** Requests the name and duration of an upload from another browser. */
function requestName(url: string): void {
  if (requestedNames.has(url)) return;
  requestedNames.add(url);
  const note = ({ name, duration }: Awaited<ReturnType<typeof api.upload>>) => noteMedia(url, { ...(name === null ? {} : { name }), ...(duration ? { duration } : {}) });
  void api.upload(url.slice("upload://".length)).then(note, () => undefined);
}

let timer: ReturnType<typeof setTimeout> | undefined;

function scheduleSave(): void {
  clearTimeout(timer);
  timer = setTimeout(save, 300);
}

function save(): void {
  const entries = [...media.value]
    .filter(([url, facts]) => url.startsWith("upload://") || facts.duration !== undefined)
    .slice(-MAX_STORED)
    .map(([url, { name, duration, width, height }]) => [url, { name, duration, width, height }]);
  try {
    localStorage.setItem(SLOT, JSON.stringify(entries));
  } catch {
    // The storage is full or forbidden; the page works without stored names.
  }
}

export function loadMedia(): void {
  try {
    const entries = JSON.parse(localStorage.getItem(SLOT) ?? "[]") as [string, MediaFacts][];
    media.value = new Map([...entries, ...media.value]);
  } catch {
    // The stored names are damaged, or the storage is forbidden.
  }
}
