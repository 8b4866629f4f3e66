// Price and errors of the draft, estimated by the service while the user edits. A draft that is sent as several tasks
// costs their sum.

import { computed, effect, signal } from "@preact/signals";
import { api, ApiFailure } from "../../lib/api";
import { allClips, clipLists, clipUrl, curl, pendingUploads } from "../../lib/draft";
import { media } from "../../lib/media";
import { partsOf, partWith, wholePointer, type Part } from "../../lib/draft-parts";
import type { Estimate, FieldError } from "../../lib/types";
import { voiceLength, type VoiceAudio } from "../../lib/voices";
import { draft } from "./drafts";
import { optionScope } from "./option-scope";

export interface Pricing {
  /** The priced requests as text. */
  of: string;
  estimate: Estimate | null;
  errors: FieldError[];
  failure: unknown;
  exact: boolean;
}

export const NOTHING: Pricing = { of: "", estimate: null, errors: [], failure: null, exact: false };
export const pricing = signal<Pricing>(NOTHING);
export const pricingBusy = signal(false);

export const parts = computed(() => partsOf(draft.value));
const pretty = (value: unknown) => JSON.stringify(value, null, 2);
export const requestText = computed(() => pretty(parts.value.length === 1 ? parts.value[0]?.request : parts.value.map((part) => part.request)));
export const curlText = computed(() => parts.value.map((part) => curl(location.origin, part.request)).join("\n\n"));
export const partShowing = (clip: string | null): Part => partWith(parts.value, clip) ?? { set: null, draft: draft.value, request: {}, places: [] };

export const pendingUploadCount = computed(() => pendingUploads(draft.value).length);
/** Clips that the service cannot use. */
export const badClips = computed(() => allClips(draft.value).filter((clip) => media.value.get(clipUrl(clip) ?? "")?.problem !== undefined));
/** Whether links are still being probed. */
export const probing = computed(() => allClips(draft.value).some((clip) => {
  const facts = media.value.get(clipUrl(clip) ?? "");
  return facts?.probing === true || (/^https?:/.test(clipUrl(clip) ?? "") && facts?.duration === undefined && facts?.thumb === undefined && facts?.problem === undefined);
}));
export const clipCount = computed(() => allClips(draft.value).length);

/** Errors by pointer. Pointers of the visible option set are mapped to `/params/options`. */
export const errorsAt = computed(() => {
  const byPath = new Map<string, FieldError[]>();
  const own = optionScope.value === null ? null : `/_sets/${optionScope.value}`;
  for (const error of pricing.value.errors) {
    if (own !== null && /^\/params\/options(\/|$)/.test(error.path)) continue;
    const path = own !== null && error.path.startsWith(own) ? "/params/options" + error.path.slice(own.length) : error.path;
    byPath.set(path, [...(byPath.get(path) ?? []), error]);
  }
  return byPath;
});

/** The accuracy of a price: the lengths of uploads are known, those of links are not. */
export type Certainty = "real" | "most" | "about";

interface VoiceOptions {
  length?: string;
  audio?: VoiceAudio;
  voicePool?: { audio?: VoiceAudio }[];
  audioResources?: VoiceAudio[];
}

/** Voices that determine the length of outputs or scenes. */
const followedVoices = computed<VoiceAudio[]>(() => {
  const { params, _sets } = draft.value;
  const owners = [params.options, ...Object.values(_sets ?? {}), ...((params.scenes as object[] | undefined) ?? [])] as (VoiceOptions | undefined)[];
  return owners.flatMap((owner) => (owner?.length !== "voice" ? [] : [
    owner.audio ?? {}, ...(owner.voicePool ?? []).map(({ audio }) => audio ?? {}), ...(owner.audioResources ?? []),
  ]));
});

export const certainty = computed<Certainty>(() => {
  const unknownVoices = followedVoices.value.filter((voice) => voiceLength(voice)?.estimated);
  // A check of the files speaks no texts.
  if (unknownVoices.some((voice) => voice.text)) return "about";
  if (pricing.value.exact) return "real";
  if (unknownVoices.length > 0 || followedVoices.value.some((voice) => voice.text)) return "about";
  const { taskType, params } = draft.value;
  const clips = clipLists(draft.value).flatMap((list) => list.clips);
  const links = clips.filter((clip) => !/^(upload|result):/.test(clipUrl(clip) ?? ""));
  if (links.some((clip) => clip.duration === undefined)) return "about";
  if (taskType === "videoDeduplication") return links.length > 0 ? "most" : "real";
  const options = [params.options, ...Object.values(draft.value._sets ?? {})] as { introPool?: unknown; outroPool?: unknown }[];
  const unknown = JSON.stringify(options.map((option) => [option?.introPool, option?.outroPool])).includes("http");
  return unknown ? "about" : "real";
});

const DEBOUNCE_MS = 350;
let stop = new AbortController();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Prices the draft after each change, with a delay; returns a function that stops it. */
export function keepPriced(): () => void {
  return effect(() => {
    const text = requestText.value;
    const ready = clipCount.value > 0 && pendingUploadCount.value === 0;
    clearTimeout(timer);
    stop.abort();
    if (!ready) {
      pricing.value = NOTHING;
      pricingBusy.value = false;
      return;
    }
    const current = pricing.peek();
    if (current.of === text && current.failure === null) return;
    pricingBusy.value = true;
    timer = setTimeout(() => void price(false), DEBOUNCE_MS);
  });
}

export async function price(exact: boolean): Promise<void> {
  stop = new AbortController();
  const { signal: stopped } = stop;
  const [of, asked] = [requestText.peek(), parts.peek()];
  pricingBusy.value = true;
  const results = await Promise.all(asked.map((part) => estimatePart(part, exact, stopped)));
  if (stopped.aborted) return;
  const failure = results.find((response) => response.failure !== null)?.failure ?? null;
  const errors = results.flatMap((response) => response.errors);
  const estimates = results.flatMap((response) => response.estimate ?? []);
  pricing.value = { of, estimate: estimates.length === asked.length ? sumEstimates(estimates) : null, errors, failure, exact };
  pricingBusy.value = false;
}

type EstimateResult = Pick<Pricing, "estimate" | "errors" | "failure">;

/** Earlier estimates, because usually only one of several parts has changed. */
const estimateCache = new Map<string, Estimate>();
const REMEMBERED = 100;

async function estimatePart(part: Part, exact: boolean, signal: AbortSignal): Promise<EstimateResult> {
  const text = JSON.stringify(part.request);
  const before = exact || parts.peek().length === 1 ? undefined : estimateCache.get(text);
  try {
    const estimate = before ?? await api.estimate(part.request, { preflight: exact, signal });
    if (!exact) remember(text, estimate);
    const warnings = estimate.warnings.map((warning) => ({ ...warning, path: wholePointer(part, warning.path) }));
    return { estimate: { ...estimate, warnings }, errors: [], failure: null };
  } catch (failure) {
    const errors = failure instanceof ApiFailure ? failure.fieldErrors : [];
    const whole = errors.map((error) => ({ ...error, path: wholePointer(part, error.path) }));
    return { estimate: null, errors: whole, failure: whole.length > 0 ? null : failure };
  }
}

function remember(text: string, estimate: Estimate): void {
  estimateCache.delete(text);
  estimateCache.set(text, estimate);
  const [oldest] = estimateCache.keys();
  if (estimateCache.size > REMEMBERED && oldest !== undefined) estimateCache.delete(oldest);
}

export function sumEstimates(estimates: readonly Estimate[]): Estimate | null {
  const [only, ...others] = estimates;
  if (only === undefined || others.length === 0) return only ?? null;
  const sum = (of: (estimate: Estimate) => number) => estimates.reduce((total, estimate) => total + of(estimate), 0);
  return {
    estimatedDotCount: sum((estimate) => estimate.estimatedDotCount),
    totalItems: sum((estimate) => estimate.totalItems),
    distinctCombinations: null,
    uniqueSegments: sum((estimate) => estimate.uniqueSegments),
    outputSeconds: sum((estimate) => estimate.outputSeconds),
    warnings: estimates.flatMap((estimate) => estimate.warnings),
  };
}
