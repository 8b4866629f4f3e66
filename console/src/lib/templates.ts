// API calls for templates and batches, and the conversion of a request to a template.

import { BASE, call, fetchOk, query, type PageQuery } from "./api";
import { choice, label, wordsOf } from "../i18n/fields";
import { getIn, parsePointer, setIn } from "./pointer";
import { fieldAt, type Schema } from "./schema";
import type * as models from "../../../clients/typescript/src/models";
import type { Batch, FieldError, Page, Remark, Sent } from "./types";

export type Variable = models.Variable;
export type VariableType = Variable["type"];
export type TemplateOverview = models.TemplateOverview;
export type Template = models.Template;
export type BatchRow = Sent<models.BatchRow>;
export type BatchEstimate = models.BatchEstimate;

/** An error in a row of a table. */
export type RowError = FieldError & Required<Pick<FieldError, "row" | "column">>;

export interface BatchBody {
  clientBatchId: string;
  name?: string;
  template: string;
  version: number;
  rows: Record<string, string>[];
  partial: boolean;
}

const TEMPLATES = BASE + "/templates";
const BATCHES = BASE + "/batches";
const at = (root: string, number: string) => `${root}/${encodeURIComponent(number)}`;

export const templates = {
  list: (params: PageQuery & { q?: string }, signal?: AbortSignal) => call<Page<TemplateOverview>>(`${TEMPLATES}${query({ ...params })}`, { signal }),
  get: (templateNo: string, version?: number, signal?: AbortSignal) =>
    call<Template>(`${at(TEMPLATES, templateNo)}${query({ version })}`, { signal }),
  add: (body: unknown) => call<TemplateOverview & { warnings: Remark[] }>(TEMPLATES, { method: "POST", body }),
  replace: (templateNo: string, body: unknown) => call<TemplateOverview & { warnings: Remark[] }>(at(TEMPLATES, templateNo), { method: "PUT", body }),
  remove: (templateNo: string) => call<unknown>(at(TEMPLATES, templateNo), { method: "DELETE" }),
};

export const batches = {
  list: (params: PageQuery, signal?: AbortSignal) => call<Page<Batch>>(`${BATCHES}${query({ ...params })}`, { signal }),
  get: (batchNo: string, signal?: AbortSignal) => call<Batch>(at(BATCHES, batchNo), { signal }),
  rows: (batchNo: string, params: PageQuery & { state?: string }, signal?: AbortSignal) =>
    call<Page<BatchRow>>(`${at(BATCHES, batchNo)}/rows${query({ ...params })}`, { signal }),
  estimate: (body: BatchBody, signal?: AbortSignal) => call<BatchEstimate>(`${BATCHES}/estimate`, { method: "POST", body, signal }),
  submit: (body: BatchBody) => call<{ batchNo: string; refusedRows: number; totalRows: number; duplicate?: boolean }>(BATCHES, { method: "POST", body }),
  retry: (batchNo: string, row: number) => call<Batch>(`${at(BATCHES, batchNo)}/rows/${row}/retry`, { method: "POST" }),
  steer: (batchNo: string, what: "pause" | "resume" | "cancel") => call<Batch>(`${at(BATCHES, batchNo)}/${what}`, { method: "POST" }),
  /** The batch's table with the result of each row, in the language of the page. */
  results: (batchNo: string) => fetchOk(`${at(BATCHES, batchNo)}/results.csv?values=true`),
};

/** A value in a request that can become a variable. */
export interface Place {
  pointer: string;
  value: string | number;
  title: string;
  /** Its context, such as the clip or scene. */
  where: string;
  suggested: Omit<Variable, "name" | "default">;
}

/** Fields that are not worth varying, or that a batch sets itself. */
const LEFT_OUT = /^\/(taskType|clientTaskId|callbackUrl)$|^\/params\/(seed|combinations|starts)(\/|$)|^\/labels(\/|$)/;

/** All links, texts and numbers of a request, in this order. */
export function findPlaces(request: unknown, root: Schema, whereWords: (pointer: string) => string): Place[] {
  const places: Place[] = [];
  const walk = (value: unknown, pointer: string): void => {
    if (LEFT_OUT.test(pointer)) return;
    if (Array.isArray(value)) return value.forEach((part, index) => walk(part, `${pointer}/${index}`));
    if (value !== null && typeof value === "object") return Object.entries(value).forEach(([name, part]) => walk(part, `${pointer}/${name}`));
    if (typeof value !== "string" && typeof value !== "number") return;
    if (typeof value === "string" && variablesOf(value).length > 0) return;
    const suggested = suggest(fieldAt(root, pointer), value, pointer);
    places.push({ pointer, value, title: titleOf(pointer), where: whereWords(pointer), suggested });
  };
  walk(request, "");
  const rank = (place: Place) => (place.suggested.type === "url" ? 0 : place.suggested.type === "text" ? 1 : 2);
  return places.sort((a, b) => rank(a) - rank(b));
}

/** A variable that the request contains in double braces. */
export interface WrittenVariable {
  name: string;
  /** Pointer of its first occurrence. */
  pointer: string;
  /** The value at the pointer: the variable, or a text that contains it. */
  value: string;
  suggested: Omit<Variable, "name" | "default">;
}

/** Each variable once. A variable that is a whole value has the type of its field. */
export function findWrittenVariables(request: unknown, root: Schema): WrittenVariable[] {
  const variables = new Map<string, WrittenVariable>();
  const walk = (value: unknown, pointer: string): void => {
    if (value !== null && typeof value === "object") return Object.entries(value).forEach(([name, part]) => walk(part, `${pointer}/${name}`));
    if (typeof value !== "string") return;
    for (const name of variablesOf(value)) {
      const whole = !pointer.endsWith(CONDITION) && value.trim() === value && /^\{\{[^{}]*\}\}$/.test(value);
      if (variables.has(name) && !whole) continue;
      variables.set(name, { name, pointer, value, suggested: whole ? suggest(fieldAt(root, pointer), value, pointer) : { type: "text" } });
    }
  };
  walk(request, "");
  return [...variables.values()];
}

/** The field of a file is named after the file's purpose. */
function titleOf(pointer: string): string {
  const parent = /^(.*)\/(url|filename)$/.exec(pointer)?.[1];
  if (parent === undefined) return label(pointer);
  return wordsOf(parent).label === undefined ? FILE : label(parent);
}

/** The member of an object that decides whether it is dropped. */
const CONDITION = "/$if";

const CLIP = /\/(videos|resources)\/\d+\/url$|\/videoList\/\d+\/filename$/;

/** Whether a field is the file of a clip, which a list can repeat. */
export const isClip = (pointer: string): boolean => CLIP.test(pointer);

/** Title of a clip's file, which pages translate. */
export const FILE = "url";

const LINK = /^(https?|upload):\/\//;

function suggest(schema: Schema, value: string | number, pointer: string): Omit<Variable, "name" | "default"> {
  if (schema.enum !== undefined) return { type: "choice", choices: schema.enum };
  const words = Object.keys(wordsOf(pointer).words ?? {});
  if (words.includes(String(value))) return { type: "choice", choices: words };
  if (typeof value === "number" || schema.type === "number" || schema.type === "integer") {
    const { minimum, maximum } = schema;
    return { type: "number", ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
  }
  if (LINK.test(value) || /\/(url|filename)$/.test(pointer)) return { type: "url" };
  if (/^#[0-9a-f]{6}([0-9a-f]{2})?$/i.test(value)) return { type: "color" };
  return { type: "text", ...(schema.maxLength === undefined ? {} : { maxLength: schema.maxLength }) };
}

export const choiceName = (pointer: string, value: models.VariableValue): string => choice(pointer, typeof value === "boolean" ? String(value) : value);

/** Names of the variables in a text. */
export function variablesOf(text: string): string[] {
  return [...text.matchAll(/(\\?)\{\{([^{}]*)\}\}/g)].filter((found) => found[1] === "").map((found) => (found[2] ?? "").trim());
}

/** Whether a text is a valid variable name. */
export const isName = (name: string): boolean => name.length <= 60 && /^[\p{L}\p{N}_.-]+( [\p{L}\p{N}_.-]+)*$/u.test(name);

/** A unique variable name, derived from the field's label. */
export function freshName(fieldLabel: string, usedNames: readonly string[]): string {
  const base = fieldLabel.replace(/[^\p{L}\p{N}_.-]+/gu, " ").trim().slice(0, 50).trim().replace(/ +/g, " ") || "value";
  if (!usedNames.includes(base)) return base;
  let n = 2;
  while (usedNames.includes(`${base} ${n}`)) n += 1;
  return `${base} ${n}`;
}

/**
 * The request with variables at these pointers. The declared duration of a variable file is removed, because it
 * differs, and so is the client task ID, which a batch sets for each task.
 */
export function withVariables(request: Record<string, unknown>, chosen: ReadonlyMap<string, string>): Record<string, unknown> {
  const { clientTaskId: _, ...remaining } = request;
  let next: Record<string, unknown> = remaining;
  for (const [pointer, name] of chosen) {
    const path = parsePointer(pointer);
    next = setIn(next, path, `{{${name}}}`) as Record<string, unknown>;
    const last = path.at(-1);
    const beside = [...path.slice(0, -1), "duration"];
    if ((last === "url" || last === "filename") && !chosen.has(`/${beside.join("/")}`) && getIn(next, beside) !== undefined) {
      next = setIn(next, beside, undefined) as Record<string, unknown>;
    }
  }
  return JSON.parse(JSON.stringify(next)) as Record<string, unknown>;
}
