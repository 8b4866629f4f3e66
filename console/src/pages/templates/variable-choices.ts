// The user's choice of request fields that become variables.

import { freshName, isName, withVariables, type Place, type Template, type Variable, type VariableType, type WrittenVariable } from "../../lib/templates";
import { cellOf, isListType, splitCell } from "../../lib/lists";
import type { TaskType } from "../../lib/types";
import { getIn, parsePointer } from "../../lib/pointer";

/** Storage key of the template from which the current task was opened. */
export const FROM_TEMPLATE = "clipmill.template";

export interface Choice {
  name: string;
  type: VariableType;
  /** Value of an empty cell; `null` if the cell is required. */
  fallback: string | null;
}

/** Settings of variables that the task already contains by name. */
export type WrittenChoices = ReadonlyMap<string, Pick<Choice, "type" | "fallback">>;

export type Choices = ReadonlyMap<string, Choice>;

/** A new choice. The current value is the default, except for files. */
export function newChoice(place: Place, choices: Choices, written: readonly string[]): Choice {
  const usedNames = [...[...choices.values()].map((one) => one.name), ...written];
  const { type } = place.suggested;
  return { name: freshName(place.title, usedNames), type, fallback: type === "url" ? null : String(place.value) };
}

/** Choices from the variables of an earlier template, if the request still has these fields. */
export function earlierChoices(template: Template, places: readonly Place[]): Map<string, Choice> {
  const variables = new Map(template.variables.map((variable) => [variable.name, variable]));
  const choices = new Map<string, Choice>();
  for (const place of places) {
    const was = getIn(template.request, parsePointer(place.pointer));
    const name = typeof was === "string" ? /^\{\{([^{}]+)\}\}$/.exec(was)?.[1]?.trim() : undefined;
    const variable = name === undefined ? undefined : variables.get(name);
    if (variable !== undefined) choices.set(place.pointer, { name: variable.name, type: variable.type, fallback: fallbackOf(variable) });
  }
  return choices;
}

/** Settings of written variables from an earlier template. */
export function earlierDeclarations(written: readonly WrittenVariable[], template: Template | null): WrittenChoices {
  const variables = new Map(template?.variables.map((variable) => [variable.name, variable]));
  return new Map(written.map(({ name, suggested }) => {
    const variable = variables.get(name);
    return [name, variable === undefined ? { type: suggested.type, fallback: null } : { type: variable.type, fallback: fallbackOf(variable) }];
  }));
}

/** The name of a task without variables; null if nothing remains. */
export function nameWithoutVariables(name: string): string | null {
  const rest = name.replace(/\{\{[^{}]*\}\}/g, " ").replace(/\s+/g, " ").replace(/^[\s\-–—:;,·|/]+|[\s\-–—:;,·|/]+$/g, "");
  return rest === "" ? null : rest;
}

const fallbackOf = (variable: Variable): string | null => (variable.default === undefined || variable.default === null ? null : cellOf(variable.default));

export interface ChoiceErrors {
  name?: boolean;
  value?: boolean;
}

export function choiceErrors(choice: Choice): ChoiceErrors {
  const value = choice.fallback !== null && choice.type === "number" && !Number.isFinite(Number(choice.fallback || "x"));
  return { ...(isName(choice.name) ? {} : { name: true }), ...(value ? { value: true } : {}) };
}

/** The template: the request with its variables, each declared once. */
export function toTemplate(
  name: string, request: Record<string, unknown>, choices: Choices, places: readonly Place[], written: WrittenChoices, old: Template | null, limits: ReadonlyMap<string, Place["suggested"]> = new Map(),
): { name: string; request: Record<string, unknown>; variables: Variable[] } {
  const byPointer = new Map(places.map((place) => [place.pointer, place]));
  const before = new Map((old?.variables ?? []).map((variable) => [variable.name, variable]));
  const variables = new Map<string, Variable>();
  for (const [pointer, choice] of choices) {
    if (variables.has(choice.name)) continue;
    const { type: suggested, ...bounds } = byPointer.get(pointer)?.suggested ?? { type: "text" as const };
    const previous = before.get(choice.name);
    const own = previous?.type === choice.type ? limitsOf(previous) : suggested === choice.type ? bounds : {};
    variables.set(choice.name, { name: choice.name, type: choice.type, ...own, ...defaultOf(choice) });
  }
  for (const [name, choice] of written) {
    if (variables.has(name)) continue;
    const { type: suggested, ...bounds } = limits.get(name) ?? { type: "text" as const };
    const previous = before.get(name);
    const own = previous?.type === choice.type ? limitsOf(previous) : suggested === choice.type ? bounds : {};
    variables.set(name, { name, type: choice.type, ...own, ...defaultOf(choice) });
  }
  const names = new Map([...choices].map(([pointer, choice]) => [pointer, choice.name]));
  return { name, request: withVariables(request, names), variables: [...variables.values()] };
}

function limitsOf({ maxLength, minimum, maximum, choices, minItems, maxItems, label }: Variable): Partial<Variable> {
  return Object.fromEntries(Object.entries({ maxLength, minimum, maximum, choices, minItems, maxItems, label }).filter(([, value]) => value !== null && value !== undefined));
}

function defaultOf(choice: Pick<Choice, "type" | "fallback">): Partial<Variable> {
  if (choice.fallback === null) return {};
  if (isListType(choice.type)) return { default: splitCell(choice.fallback) };
  return { default: choice.type === "number" ? Number(choice.fallback) : choice.fallback };
}

/**
 * The request of a template with its defaults. Variables within texts, lists, conditions, and variables without default
 * or with an empty one are kept.
 */
export function withDefaults(template: Template): Record<string, unknown> {
  const replaced = template.variables.filter(({ type, default: value }) => !Array.isArray(value) && (value !== "" || type === "text"));
  const defaults = new Map(replaced.map((variable) => [variable.name, variable.default ?? null]));
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill);
    if (value !== null && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, name === "$if" ? part : fill(part)]));
    if (typeof value !== "string") return value;
    const whole = /^\{\{([^{}]+)\}\}$/.exec(value)?.[1]?.trim();
    if (whole !== undefined) return defaults.get(whole) ?? value;
    // A variable within a text is kept, so that it remains a variable when the task is saved again.
    return value;
  };
  return fill(template.request) as Record<string, unknown>;
}

/** The list entry of a field, such as its clip, scene or text. */
export function whereOf(pointer: string, taskType: TaskType, words: { group: (n: number) => string; clip: (n: number) => string; entry: (pointer: string, n: number) => string }): string {
  const path = parsePointer(pointer);
  const parts: string[] = [];
  path.forEach((token, index) => {
    if (!/^\d+$/.test(token)) return;
    const list = path[index - 1] ?? "";
    const n = Number(token) + 1;
    if (GROUP_LISTS[taskType].includes(list)) parts.push(words.group(n));
    else if (["videoList", "videos", "resources"].includes(list)) parts.push(words.clip(n));
    else parts.push(words.entry(`/${path.slice(0, index + 1).join("/")}`, n));
  });
  return parts.join(" · ");
}

const GROUP_LISTS: Record<TaskType, readonly string[]> = { baseVideoMix: ["videoList"], proVideoMix: ["scenes"], videoDeduplication: [] };
