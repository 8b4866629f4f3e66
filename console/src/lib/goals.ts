// Goals of the home page, and the drafts that they start with.

import { allClips, emptyDraft, pendingUploads, toRequest, type Draft } from "./draft";
import { GOAL_TYPES, type Goal } from "./task-types";

type Json = Record<string, unknown>;

/** The number of videos that a draft starts with. */
const START_COUNT = 10;

/** Strengths of variations: sets of options. The ranges are wider from one to the next. */
export const STRENGTHS = {
  light: {
    zoom: { isZoom: true, minScale: 1, maxScale: 1.1 },
    colourMixing: { isMixing: true },
  },
  medium: {
    speed: { isSpeed: true, start: 0.9, end: 1.1 },
    rotation: { isRotate: true, minAngle: 0.2, maxAngle: 1.2 },
    zoom: { isZoom: true, minScale: 1, maxScale: 1.1 },
    colourMixing: { isMixing: true },
  },
  strong: {
    isMirror: true,
    isFilter: true,
    speed: { isSpeed: true, start: 0.8, end: 1.2 },
    rotation: { isRotate: true, minAngle: 0.5, maxAngle: 3 },
    zoom: { isZoom: true, minScale: 1, maxScale: 1.2 },
    colourMixing: { isMixing: true, brightnessMin: -0.2, brightnessMax: 0.2, contrastMin: 0.8, contrastMax: 1.2, saturationMin: 0.7, saturationMax: 1.3 },
  },
} as const satisfies Record<string, Json>;
export type Strength = keyof typeof STRENGTHS;

const MANAGED = new Set(Object.values(STRENGTHS).flatMap((options) => Object.keys(options)));

/** The options with another strength; options that no strength sets are kept. */
export function withStrength(options: Json, strength: Strength): Json {
  const others = Object.entries(options).filter(([name]) => !MANAGED.has(name));
  return { ...Object.fromEntries(others), ...STRENGTHS[strength] };
}

const sorted = (value: unknown): unknown => (value !== null && typeof value === "object" && !Array.isArray(value)
  ? Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined).sort(([a], [b]) => a.localeCompare(b)).map(([name, part]) => [name, sorted(part)])) : value);

/** Options that are switched off, or equal to those of no strength, do not count. */
const managedPart = (options: Json) => JSON.stringify(sorted(Object.fromEntries(Object.entries(options).filter(([name, value]) => MANAGED.has(name) && value !== false))));

/** The strength that the options have; null if the user has set other values. */
export function strengthOf(options: Json): Strength | null {
  const part = managedPart(options);
  return (Object.keys(STRENGTHS) as Strength[]).find((strength) => managedPart(STRENGTHS[strength]) === part) ?? null;
}

/** A new draft for a goal. */
export function goalDraft(goal: Goal): Draft {
  const draft: Draft = { ...emptyDraft(GOAL_TYPES[goal]), _goal: goal };
  const { params } = draft;
  const options = (params.options ?? {}) as Json;
  switch (goal) {
    case "one": return draft;
    case "script": return { ...draft, params: { ...params, options: { ...options, subtitle: { ...(options.subtitle as Json), text: "", timing: "even" } } } };
    case "vary": return { ...draft, _copies: START_COUNT, params: { ...params, options: { ...STRENGTHS.medium } } };
    case "many": {
      const { generateCount: _, ...rest } = params;
      return { ...draft, params: { ...rest, outputCount: START_COUNT, options: { ...options, clipStart: "random" } } };
    }
  }
}

const textOf = (draft: Draft) => JSON.stringify(toRequest(draft));

/** Whether the draft equals a new one. */
export function isEmpty(draft: Draft): boolean {
  return allClips(draft).length === 0 && pendingUploads(draft).length === 0 && textOf(draft) === textOf(draft._goal === undefined ? emptyDraft(draft.taskType) : goalDraft(draft._goal));
}
