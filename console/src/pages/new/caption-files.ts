// Uploads edited captions as files after each change, with a delay.

import { computed, effect } from "@preact/signals";
import { writeCaptions, type Captions } from "../../lib/captions";
import type { DraftId } from "../../lib/draft-storage";
import { parsePointer, setIn, toPointer } from "../../lib/pointer";
import { startUpload, uploads } from "../../lib/uploads";
import { change, draft, openId } from "./drafts";

interface EditedCaptions {
  pointer: string;
  text: string;
  captions: Captions;
  /** Whether the uploaded file has this text. */
  saved: boolean;
}

type Json = Record<string, unknown>;

/** All edited captions of a draft; `_saved` is the checksum of the uploaded text. */
function findCaptions(value: unknown, path: (string | number)[] = []): EditedCaptions[] {
  if (value === null || typeof value !== "object") return [];
  const { _captions, _saved, url } = value as { _captions?: Captions; _saved?: string; url?: string };
  const deeper = Object.entries(value).flatMap(([name, part]) => (name === "_captions" ? [] : findCaptions(part, [...path, name])));
  if (_captions === undefined) return deeper;
  const text = writeCaptions(_captions);
  const saved = text === "" ? url === undefined : url !== undefined && _saved === checksum(text);
  return [{ pointer: toPointer(path), text, captions: _captions, saved }, ...deeper];
}

/** Detects changes of a text. */
function checksum(text: string): string {
  let sum = 5381;
  for (const one of text) sum = (sum * 33 + (one.codePointAt(0) ?? 0)) >>> 0;
  return `${text.length}-${sum.toString(36)}`;
}

const editedCaptions = computed(() => findCaptions({ params: { options: draft.value.params.options }, _sets: draft.value._sets }));

/** Whether captions are being uploaded. The draft is submitted only afterwards. */
export const savingCaptions = computed(() => editedCaptions.value.some(({ saved }) => !saved));
/** Running uploads by text. */
const runningUploads = new Map<string, string>();
/** The failed caption upload, if any. */
export const failedCaptionUpload = computed(() => [...uploads.value.values()].find((job) => job.error !== null && [...runningUploads.values()].includes(job.id)));

const DEBOUNCE_MS = 500;
/** Uploaded files by text, so that undo and redo need no further upload. */
const urls = new Map<string, string>();

/** Uploads changed captions; returns a function that stops it. */
export function autoSaveCaptions(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return effect(() => {
    const of = openId.value;
    const unsaved = editedCaptions.value.filter(({ saved }) => !saved);
    clearTimeout(timer);
    if (unsaved.length > 0) timer = setTimeout(() => unsaved.forEach((one) => save(one, of)), DEBOUNCE_MS);
  });
}

function save({ pointer, text, captions }: EditedCaptions, of: DraftId): void {
  const url = urls.get(text);
  if (text === "" || url !== undefined) return put(pointer, text, url, of);
  if (runningUploads.has(text)) return;
  runningUploads.set(text, startUpload(new File([text], captions.name ?? `captions.${captions.format}`, { type: "text/plain" }), (upload) => {
    runningUploads.delete(text);
    urls.set(text, upload.url);
    put(pointer, text, upload.url, of);
  }));
}

/** Sets the url of uploaded captions, unless they have changed meanwhile. */
function put(pointer: string, text: string, url: string | undefined, of: DraftId): void {
  const path = parsePointer(pointer);
  change((before) => {
    const now = findCaptions(before).find((one) => one.pointer === pointer);
    if (now === undefined || now.text !== text) return before;
    const at = (name: string) => [...path, name];
    return setIn(setIn(before, at("url"), url), at("_saved"), url === undefined ? undefined : checksum(text));
  }, of, { quiet: true });
}

/** The edited captions of a subtitle field, if any. */
export const captionsAt = (value: unknown): Captions | undefined => (value as Json | undefined)?._captions as Captions | undefined;
