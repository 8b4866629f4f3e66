// Captions that are written here are sent as files: whenever they stand still, and only when they have changed.

import { computed, effect } from "@preact/signals";
import { writeCaptions, type Captions } from "../../lib/captions";
import { parsePointer, setIn, toPointer } from "../../lib/pointer";
import type { TaskType } from "../../lib/types";
import { startUpload, uploads } from "../../lib/uploads";
import { change, draft, kind } from "./drafts";

interface EditedCaptions {
  pointer: string;
  text: string;
  captions: Captions;
  /** Whether the file at its url has this text. */
  saved: boolean;
}

type Json = Record<string, unknown>;

/** Captions in a draft, wherever subtitles may stand; `_saved` is the text that was sent. */
function findCaptions(value: unknown, path: (string | number)[] = []): EditedCaptions[] {
  if (value === null || typeof value !== "object") return [];
  const { _captions, _saved, url } = value as { _captions?: Captions; _saved?: string; url?: string };
  const deeper = Object.entries(value).flatMap(([name, part]) => (name === "_captions" ? [] : findCaptions(part, [...path, name])));
  if (_captions === undefined) return deeper;
  const text = writeCaptions(_captions);
  const saved = text === "" ? url === undefined : url !== undefined && _saved === checksum(text);
  return [{ pointer: toPointer(path), text, captions: _captions, saved }, ...deeper];
}

/** Short for a text, to see that it is another one. */
function checksum(text: string): string {
  let sum = 5381;
  for (const one of text) sum = (sum * 33 + (one.codePointAt(0) ?? 0)) >>> 0;
  return `${text.length}-${sum.toString(36)}`;
}

const editedCaptions = computed(() => findCaptions({ params: { options: draft.value.params.options }, _sets: draft.value._sets }));

/** Whether captions are on their way: until then the draft is not sent. */
export const savingCaptions = computed(() => editedCaptions.value.some(({ saved }) => !saved));
/** Uploads under way, by their text. */
const runningUploads = new Map<string, string>();
/** The upload of captions that has failed, if one has. */
export const failedCaptionUpload = computed(() => [...uploads.value.values()].find((job) => job.error !== null && [...runningUploads.values()].includes(job.id)));

const PAUSE_MS = 500;
/** Files that were sent already: steps back and forth need no other. */
const urls = new Map<string, string>();

/** Keeps files of captions as what was written; returns what ends that. */
export function autoSaveCaptions(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return effect(() => {
    const of = kind.value;
    const unsaved = editedCaptions.value.filter(({ saved }) => !saved);
    clearTimeout(timer);
    if (unsaved.length > 0) timer = setTimeout(() => unsaved.forEach((one) => save(one, of)), PAUSE_MS);
  });
}

function save({ pointer, text, captions }: EditedCaptions, of: TaskType): void {
  const url = urls.get(text);
  if (text === "" || url !== undefined) return put(pointer, text, url, of);
  if (runningUploads.has(text)) return;
  runningUploads.set(text, startUpload(new File([text], captions.name ?? `captions.${captions.format}`, { type: "text/plain" }), (upload) => {
    runningUploads.delete(text);
    urls.set(text, upload.url);
    put(pointer, text, upload.url, of);
  }));
}

/** The url of what was written, unless something else was written meanwhile. */
function put(pointer: string, text: string, url: string | undefined, of: TaskType): void {
  const path = parsePointer(pointer);
  change((before) => {
    const now = findCaptions(before).find((one) => one.pointer === pointer);
    if (now === undefined || now.text !== text) return before;
    const at = (name: string) => [...path, name];
    return setIn(setIn(before, at("url"), url), at("_saved"), url === undefined ? undefined : checksum(text));
  }, of, { quiet: true });
}

/** Whether what stands at a field of subtitles was written here, or opened to be. */
export const captionsAt = (value: unknown): Captions | undefined => (value as Json | undefined)?._captions as Captions | undefined;
