// Which places of a request become variables, while it is being decided.

import { freshName, isName, withVariables, type Place, type Template, type Variable, type VariableType } from "../../lib/templates";
import { getIn, parsePointer } from "../../lib/pointer";

/** Where it is kept which template the task in hand was opened from. */
export const FROM_TEMPLATE = "clipmill.template";

export interface Choice {
  name: string;
  type: VariableType;
  /** What an empty cell means: `null` that it must be filled in. */
  fallback: string | null;
}

export type Choices = ReadonlyMap<string, Choice>;

/** A place chosen for the first time; its present value is the default, except that of a file. */
export function choose(place: Place, choices: Choices, written: readonly string[]): Choice {
  const taken = [...[...choices.values()].map((one) => one.name), ...written];
  const { type } = place.suggested;
  return { name: freshName(place.title, taken), type, fallback: type === "url" ? null : String(place.value) };
}

/** What is chosen where a template of before had its variables, as far as the request still has these places. */
export function chosenBefore(template: Template, places: readonly Place[]): Map<string, Choice> {
  const known = new Map(template.variables.map((variable) => [variable.name, variable]));
  const chosen = new Map<string, Choice>();
  for (const place of places) {
    const was = getIn(template.request, parsePointer(place.pointer));
    const name = typeof was === "string" ? /^\{\{([^{}]+)\}\}$/.exec(was)?.[1]?.trim() : undefined;
    const variable = name === undefined ? undefined : known.get(name);
    if (variable !== undefined) chosen.set(place.pointer, { name: variable.name, type: variable.type, fallback: fallbackOf(variable) });
  }
  return chosen;
}

const fallbackOf = (variable: Variable): string | null => (variable.default === undefined || variable.default === null ? null : String(variable.default));

export interface Wrong {
  name?: boolean;
  value?: boolean;
}

export function wrongs(choice: Choice): Wrong {
  const value = choice.fallback !== null && choice.type === "number" && !Number.isFinite(Number(choice.fallback || "x"));
  return { ...(isName(choice.name) ? {} : { name: true }), ...(value ? { value: true } : {}) };
}

/** What is sent: the request with its variables, each declared once. */
export function asTemplate(
  name: string, request: Record<string, unknown>, choices: Choices, places: readonly Place[], written: ReadonlyMap<string, string | null>, old: Template | null,
): { name: string; request: Record<string, unknown>; variables: Variable[] } {
  const byPointer = new Map(places.map((place) => [place.pointer, place]));
  const before = new Map((old?.variables ?? []).map((variable) => [variable.name, variable]));
  const variables = new Map<string, Variable>();
  for (const [pointer, choice] of choices) {
    if (variables.has(choice.name)) continue;
    const { type: suggested, ...limits } = byPointer.get(pointer)?.suggested ?? { type: "text" as const };
    const kept = before.get(choice.name);
    const own = kept?.type === choice.type ? limitsOf(kept) : suggested === choice.type ? limits : {};
    variables.set(choice.name, { name: choice.name, type: choice.type, ...own, ...defaultOf(choice) });
  }
  for (const [variable, fallback] of written) {
    if (!variables.has(variable)) variables.set(variable, { name: variable, type: "text", ...(fallback === null ? {} : { default: fallback }) });
  }
  const chosen = new Map([...choices].map(([pointer, choice]) => [pointer, choice.name]));
  return { name, request: withVariables(request, chosen), variables: [...variables.values()] };
}

function limitsOf({ maxLength, minimum, maximum, choices, label }: Variable): Partial<Variable> {
  return Object.fromEntries(Object.entries({ maxLength, minimum, maximum, choices, label }).filter(([, value]) => value !== null && value !== undefined));
}

function defaultOf(choice: Choice): Partial<Variable> {
  if (choice.fallback === null) return {};
  return { default: choice.type === "number" ? Number(choice.fallback) : choice.fallback };
}

/** The request of a template with its defaults filled in; parts of texts and what has none stay variables. */
export function withDefaults(template: Template): Record<string, unknown> {
  const known = new Map(template.variables.map((variable) => [variable.name, variable.default ?? null]));
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill);
    if (value !== null && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fill(part)]));
    if (typeof value !== "string") return value;
    const whole = /^\{\{([^{}]+)\}\}$/.exec(value)?.[1]?.trim();
    if (whole !== undefined) return known.get(whole) ?? value;
    // A part of a text stays: only so it is a part when the task is saved again.
    return value;
  };
  return fill(template.request) as Record<string, unknown>;
}

/** Where something stands: its clip, its scene. */
export function whereOf(pointer: string, words: { group: (n: number) => string; clip: (n: number) => string }): string {
  const path = parsePointer(pointer);
  const parts: string[] = [];
  path.forEach((token, index) => {
    if (!/^\d+$/.test(token)) return;
    const list = path[index - 1] ?? "";
    const n = Number(token) + 1;
    parts.push(list === "scenes" || (list === "videoList" && path[index + 1] === "videos") ? words.group(n) : words.clip(n));
  });
  return parts.join(" · ");
}
