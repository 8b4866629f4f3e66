// The draft on the page: kept by the browser with the key, so that a reload loses nothing, and priced by the service while
// it is written.

import { computed, effect, signal } from "@preact/signals";
import { api, ApiFailure } from "../../lib/api";
import {
  addClips, allClips, clipUrl, curl, emptyDraft, newId, pendingUploads, toRequest, updateById, urlField, withoutUploads, type Clip, type Draft,
} from "../../lib/draft";
import { probeUrl, fileThumb } from "../../lib/thumbs";
import { noteMedia, media } from "../../lib/media";
import { getIn, parsePointer, setIn } from "../../lib/pointer";
import { fieldAt, schemas, type Schema } from "../../lib/schema";
import { forgetOldFiles, keptFile } from "../../lib/kept-files";
import { storages } from "../../lib/session";
import { startUpload, uploads } from "../../lib/uploads";
import type { Estimate, FieldError, TaskType, Upload } from "../../lib/types";
import { t } from "../../i18n";
import { toast } from "../../ui/toast";

const SLOT = "clipmill.draft.";

export const kind = signal<TaskType>("baseVideoMix");
const drafts = signal<Partial<Record<TaskType, Draft>>>({});
export const draft = computed<Draft>(() => drafts.value[kind.value] ?? emptyDraft(kind.value));
export const request = computed(() => toRequest(draft.value));
export const root = computed<Schema>(() => schemas.value?.[kind.value] ?? {});

export interface Pricing {
  /** The request that this is about, as text. */
  of: string;
  estimate: Estimate | null;
  errors: FieldError[];
  failure: unknown;
  exact: boolean;
}

const NOTHING: Pricing = { of: "", estimate: null, errors: [], failure: null, exact: false };
export const pricing = signal<Pricing>(NOTHING);
export const pricingBusy = signal(false);

export const requestText = computed(() => JSON.stringify(request.value, null, 2));
export const curlText = computed(() => curl(location.origin, request.value));
/** Clips that are not there yet. */
export const unfinished = computed(() => pendingUploads(draft.value).length);
/** Clips that the service looked at and cannot use. */
export const badClips = computed(() => allClips(draft.value).filter((clip) => media.value.get(clipUrl(clip) ?? "")?.problem !== undefined));
export const clipCount = computed(() => allClips(draft.value).length);
/** Errors by pointer. */
export const errorsAt = computed(() => {
  const byPath = new Map<string, FieldError[]>();
  for (const error of pricing.value.errors) byPath.set(error.path, [...(byPath.get(error.path) ?? []), error]);
  return byPath;
});

export function openKind(next: TaskType): void {
  if (drafts.value[next] === undefined) drafts.value = { ...drafts.value, [next]: restored(next) };
  kind.value = next;
}

function restored(taskType: TaskType): Draft {
  try {
    const [kept] = storages().flatMap((storage) => storage.getItem(SLOT + taskType) ?? []);
    if (kept === undefined) return emptyDraft(taskType);
    const draft = JSON.parse(kept) as Draft;
    void sendAgain(draft);
    return draft;
  } catch {
    return emptyDraft(taskType);
  }
}

/** Sends what an earlier page did not finish; what is gone with it leaves the draft. */
async function sendAgain({ taskType, ...kept }: Draft): Promise<void> {
  const pending = pendingUploads({ taskType, ...kept }).filter((id) => !uploads.value.has(id));
  const files = await Promise.all(pending.map(keptFile));
  const lost = pending.filter((_, index) => files[index] === undefined);
  if (lost.length > 0) {
    change((before) => withoutUploads(before, lost), taskType);
    toast("info", t("new.lost", { n: lost.length }));
  }
  pending.forEach((id, index) => {
    const file = files[index];
    if (file !== undefined) startUpload(file, (upload) => change((before) => uploaded(before, id, upload), taskType), id);
  });
  void forgetOldFiles();
}

/** The draft with what this upload gave, wherever it is waited for. */
function uploaded(draft: Draft, id: string, upload: Upload): Draft {
  const duration = upload.media?.video?.duration ?? undefined;
  const clip = allClips(draft).find((clip) => clip._upload === id);
  if (clip !== undefined) {
    if (!upload.media?.video) noteMedia(upload.url, { problem: t("clips.notmedia") });
    return updateById(draft, clip._id, ({ _upload: _, ...rest }) => (
      { ...rest, [urlField(draft.taskType)]: upload.url, ...(duration === undefined ? {} : { duration }) }));
  }
  const scenes = (draft.params.scenes as { audioResources?: Clip[] }[] | undefined) ?? [];
  const sound = scenes.flatMap((scene) => scene.audioResources ?? []).find((sound) => sound._upload === id);
  if (sound !== undefined) return updateById(draft, sound._id, ({ _upload: _, ...rest }) => ({ ...rest, url: upload.url }));
  const pointer = Object.entries(draft._uploads ?? {}).find(([, job]) => job === id)?.[0];
  if (pointer === undefined) return draft;
  const { [pointer]: _, ...rest } = draft._uploads ?? {};
  return setIn({ ...draft, _uploads: rest }, parsePointer(pointer), upload.url);
}

export function change(next: (before: Draft) => Draft, of: TaskType = kind.value): void {
  const before = drafts.value[of] ?? emptyDraft(of);
  const after = next(before);
  if (after !== before) drafts.value = { ...drafts.value, [of]: after };
}

export function replaceDraft(next: Draft): void {
  drafts.value = { ...drafts.value, [next.taskType]: next };
  kind.value = next.taskType;
  pricing.value = NOTHING;
}

export function reset(): void {
  replaceDraft(emptyDraft(kind.value));
}

/** Forgets all drafts: another key is another user. */
export function forgetDrafts(): void {
  drafts.value = {};
  pricing.value = NOTHING;
}

export function valueAt(pointer: string): unknown {
  return getIn(draft.value, parsePointer(pointer));
}

export function setAt(pointer: string, value: unknown, of: TaskType = kind.value): void {
  change((before) => setIn(before, parsePointer(pointer), value), of);
}

export function schemaAt(pointer: string): Schema {
  return fieldAt(root.value, pointer);
}

/** Puts files into a row: each is there at once, and gets its url when it is uploaded. */
export function addFiles(listId: string, files: readonly File[]): void {
  const of = kind.value;
  const clips = files.map((file) => uploadedClip(file, of));
  change((before) => addClips(before, listId, clips), of);
}

function uploadedClip(file: File, of: TaskType): Clip {
  const id = newId();
  const done = (upload: Upload) => {
    change((before) => uploaded(before, job, upload), of);
    const thumb = media.value.get(`local:${id}`)?.thumb;
    if (thumb !== undefined) noteMedia(upload.url, { thumb });
  };
  const job = startUpload(file, done);
  void fileThumb(file).then((thumb) => {
    if (thumb === undefined) return;
    noteMedia(`local:${id}`, { thumb });
    const url = clipUrl(allClips(drafts.value[of] ?? emptyDraft(of)).find((clip) => clip._id === id) ?? { _id: "" });
    if (url !== undefined) noteMedia(url, { thumb });
  });
  return { _id: id, _upload: job, ...(of === "proVideoMix" ? { key: file.name.slice(0, 200) } : {}) };
}

export function addLinks(listId: string, links: readonly string[]): void {
  const of = kind.value;
  change((before) => addClips(before, listId, links.map((url) => ({ _id: newId(), [urlField(of)]: url }))), of);
}

/** A clip's picture and length, from wherever they are known; asks the service when they are not. */
export function clipFacts(clip: Clip) {
  const url = clipUrl(clip);
  const known = url === undefined ? media.value.get(`local:${clip._id}`) : media.value.get(url);
  if (url !== undefined && known?.problem === undefined && /^(https?|upload):\/\/./.test(url)) probeUrl(url);
  return known ?? {};
}

effect(() => {
  for (const [taskType, value] of Object.entries(drafts.value)) {
    try {
      for (const storage of storages()) storage.setItem(SLOT + taskType, JSON.stringify(value));
    } catch {
      // too large for this storage: the draft lives as long as the page
    }
  }
});

// Lengths that were found after a link was added price the task, as if they had been typed in.
effect(() => {
  const facts = media.value;
  const missing = allClips(draft.value).filter((clip) => {
    const url = clipUrl(clip);
    return clip.duration === undefined && url !== undefined && facts.get(url)?.duration !== undefined;
  });
  for (const clip of missing) {
    const duration = facts.get(clipUrl(clip) ?? "")?.duration;
    queueMicrotask(() => change((before) => updateById(before, clip._id, (found) => ({ duration, ...found }))));
  }
});

const PAUSE_MS = 350;
let stop = new AbortController();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Prices the draft whenever it has changed and stands still; returns what ends that. */
export function keepPriced(): () => void {
  return effect(() => {
    const text = requestText.value;
    const ready = clipCount.value > 0 && unfinished.value === 0;
    clearTimeout(timer);
    stop.abort();
    if (!ready) {
      pricing.value = NOTHING;
      pricingBusy.value = false;
      return;
    }
    const known = pricing.peek();
    if (known.of === text && known.failure === null) return;
    pricingBusy.value = true;
    timer = setTimeout(() => void price(text, false), PAUSE_MS);
  });
}

export async function price(text: string, exact: boolean): Promise<void> {
  stop = new AbortController();
  const { signal: stopped } = stop;
  pricingBusy.value = true;
  try {
    const estimate = await api.estimate(JSON.parse(text), { preflight: exact, signal: stopped });
    pricing.value = { of: text, estimate, errors: [], failure: null, exact };
  } catch (failure) {
    if (stopped.aborted) return;
    const errors = failure instanceof ApiFailure ? failure.fieldErrors : [];
    pricing.value = { of: text, estimate: null, errors, failure: errors.length > 0 ? null : failure, exact };
  }
  if (!stopped.aborted) pricingBusy.value = false;
}
