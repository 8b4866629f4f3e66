// Reads and changes the draft for the fields and cards of the page.

import { computed, effect, type ReadonlySignal } from "@preact/signals";
import {
  addClips, allClips, clipLists, clipUrl, emptyDraft, newId, newSeed, toRequest, updateById, urlField, type Adding, type Clip, type ClipList,
} from "../../lib/draft";
import { presetValue } from "../../lib/caption-styles";
import { probeUrl, fileThumb } from "../../lib/thumbs";
import type { DraftId } from "../../lib/draft-storage";
import { goalDraft } from "../../lib/goals";
import { media, nameOf, noteMedia } from "../../lib/media";
import { getIn, parsePointer, setIn, toPointer } from "../../lib/pointer";
import { fieldAt, schemas, type Schema } from "../../lib/schema";
import { language } from "../../lib/prefs";
import type { Upload } from "../../lib/types";
import { namesOf } from "../../lib/upload-names";
import { t } from "../../i18n";
import { toast } from "../../ui/toast";
import { change, draft, draftOf, kind, openId, replaceDraft, upload } from "./drafts";
import { scopedPointer } from "./option-scope";

export { change, content, draft, kind, openKind, redo, replaceDraft, startDraft, steps, undo } from "./drafts";
export { badClips, certainty, clipCount, curlText, errorsAt, keepPriced, parts, partShowing, price, pricing, pricingBusy, probing, requestText, pendingUploadCount as unfinished } from "./pricing";

/** The draft as one request. */
export const request = computed(() => toRequest(draft.value));
export const root = computed<Schema>(() => schemas.value?.[kind.value] ?? {});

/** Starts over, for the same goal. */
export function reset(): void {
  const { _goal: goal } = draft.peek();
  replaceDraft(goal === undefined ? emptyDraft(kind.value) : goalDraft(goal));
}

/** Repeats all random choices with a new seed. */
export function redraw(): void {
  change((before) => ({ ...before, _seed: newSeed() }));
}

/** One signal for each field, so that a change renders only the fields that it affects. */
const fieldValues = new Map<string, ReadonlySignal<unknown>>();

export function valueAt(pointer: string): unknown {
  const at = scopedPointer(pointer);
  let field = fieldValues.get(at);
  if (field === undefined) {
    const path = parsePointer(at);
    field = computed(() => getIn(draft.value, path));
    fieldValues.set(at, field);
  }
  return field.value;
}

export function setAt(pointer: string, value: unknown, of: DraftId = openId.value): void {
  const at = scopedPointer(pointer);
  const isTyped = typeof value === "string" || typeof value === "number" || value === undefined;
  change((before) => setIn(before, parsePointer(at), value), of, isTyped ? { together: at } : {});
}

/** The schema of a field. The default of a caption style's field is the value of its preset, if that has one. */
export function schemaAt(pointer: string): Schema {
  const schema = fieldAt(root.value, pointer);
  const value = presetValue(pointer, valueAt);
  return value === undefined ? schema : { ...schema, default: value };
}

/** Maximum number of clips in a list. */
export function mostClips(list: ClipList): number {
  return schemaAt(toPointer(list.clipsPath)).maxItems ?? Infinity;
}

const SHOWN_NAMES = 3;

/** How many clips can still be added, and where the others can go. */
export interface Room {
  clips: number;
  advice: string;
}

export function roomIn(listId: string): Room {
  const list = clipLists(draft.value).find((row) => row.id === listId);
  if (list === undefined) return { clips: 0, advice: "" };
  const most = mostClips(list);
  return { clips: most - list.clips.length, advice: t(`drop.over.${kind.value}`, { most }) };
}

/** The first of these files or links; those that do not fit are reported. */
function fitting<T>(added: readonly T[], room: Room, nameOf: (one: T) => string): readonly T[] {
  const count = Math.max(0, room.clips);
  const rest = added.slice(count);
  if (rest.length > 0) {
    const names = namesOf(rest.map((one) => ({ name: nameOf(one) })), SHOWN_NAMES);
    toast("bad", [t("drop.over", { n: rest.length, all: added.length, names }), room.advice].join(language.value === "zh" ? "" : " "));
  }
  return added.slice(0, count);
}


/** New clips, which get their urls after the upload. Reports files beyond the limit. */
export function clipsFor(files: readonly File[], room: Room): Clip[] {
  const of = openId.value;
  return fitting(files, room, (file) => file.name).map((file) => uploadedClip(file, of));
}

function uploadedClip(file: File, of: DraftId): Clip {
  const id = newId();
  const job = upload(file, of, undefined, (result: Upload) => {
    const thumb = media.value.get(`local:${id}`)?.thumb;
    if (thumb !== undefined) noteMedia(result.url, { thumb });
  });
  void fileThumb(file).then((thumb) => {
    if (thumb === undefined) return;
    noteMedia(`local:${id}`, { thumb });
    const url = clipUrl(allClips(draftOf(of)).find((clip) => clip._id === id) ?? { _id: "" });
    if (url !== undefined) noteMedia(url, { thumb });
  });
  return { _id: id, _upload: job, ...(draftOf(of).taskType === "proVideoMix" ? { key: file.name.slice(0, 200) } : {}) };
}

export function addLinks(listId: string, links: readonly string[], room = roomIn(listId)): void {
  const url = urlField(kind.value);
  const accepted = fitting(links, room, nameOf);
  change((before) => addClips(before, listId, accepted.map((link) => ({ _id: newId(), [url]: link }))));
}

/** Uploads files for a list of the request. */
export function addToList(pointer: string, entry: Adding["entry"], files: readonly File[]): void {
  const [of, at] = [openId.value, scopedPointer(pointer)];
  const jobs = files.map((file) => upload(file, of));
  const additions = Object.fromEntries(jobs.map((job) => [job, { at, entry }]));
  change((before) => ({ ...before, _adding: { ...before._adding, ...additions } }), of);
}

/** The known metadata of a clip. Requests missing metadata from the service. */
export function clipFacts(clip: Clip) {
  const url = clipUrl(clip);
  const facts = url === undefined ? media.value.get(`local:${clip._id}`) : media.value.get(url);
  if (url !== undefined && facts?.problem === undefined && /^(https?|upload|result):\/\/./.test(url)) probeUrl(url);
  return facts ?? {};
}

// Declares the lengths of links once they are known, so that they count for the price.
effect(() => {
  const facts = media.value;
  const clipsWithoutDuration = allClips(draft.value).filter((clip) => {
    const url = clipUrl(clip);
    return clip.duration === undefined && url !== undefined && facts.get(url)?.duration !== undefined;
  });
  if (clipsWithoutDuration.length === 0) return;
  queueMicrotask(() => change((before) => clipsWithoutDuration.reduce((rest, clip) => (
    updateById(rest, clip._id, (current) => ({ duration: facts.get(clipUrl(clip) ?? "")?.duration, ...current }))), before), openId.peek(), { quiet: true }));
});
