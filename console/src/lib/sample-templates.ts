// The templates of samples/templates. Their files are not part of the console: they are left out of a new task, and
// become columns of a table.

import type { Template, Variable } from "./templates";

type Json = Record<string, unknown>;
type SampleFile = Pick<Template, "name" | "variables"> & { request: Json };

const files = import.meta.glob<SampleFile>("../../../samples/templates/*.json", { eager: true, import: "default" });
const pictures = import.meta.glob<string>("../assets/templates/*.webp", { eager: true, import: "default", query: "?url" });

/** In the order of the page. */
const NAMES = ["product-video", "slideshow", "seasonal-sale", "news-short", "voiceover", "script", "quote", "variations"] as const;
export type SampleName = (typeof NAMES)[number];

export interface SampleTemplate extends SampleFile {
  id: SampleName;
  /** An animated image of its video. */
  picture: string;
}

export const SAMPLE_TEMPLATES: readonly SampleTemplate[] = NAMES.flatMap((id) => {
  const file = files[`../../../samples/templates/${id}.json`];
  const picture = pictures[`../assets/templates/${id}.webp`];
  return file === undefined || picture === undefined ? [] : [{ ...file, id, picture }];
});

const LOCAL = /^\.\.?\//;
const isLocal = (value: unknown): boolean => (Array.isArray(value) ? value.some(isLocal) : typeof value === "string" && LOCAL.test(value));
const isFile = ({ type }: Pick<Variable, "type">) => type === "url" || type === "urls";
const WHOLE = /^\{\{([^{}]+)\}\}$/;
const FILE_FIELDS = ["url", "filename"];

/** Without objects for which `drop` is true; lists keep the others. */
function without(value: unknown, drop: (part: Json) => boolean): unknown {
  const isDropped = (part: unknown) => part !== null && typeof part === "object" && !Array.isArray(part) && drop(part as Json);
  if (Array.isArray(value)) return value.filter((part) => !isDropped(part)).map((part) => without(part, drop));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).filter(([, part]) => !isDropped(part)).map(([name, part]) => [name, without(part, drop)]));
}

const fileOf = (part: Json): unknown => FILE_FIELDS.map((field) => part[field]).find((value) => value !== undefined);

/** The request of a new task: without files, and with the other defaults. */
export function sampleRequest({ request, variables }: SampleFile): Json {
  const files = new Set(variables.filter(isFile).map(({ name }) => name));
  const needsFile = (part: Json) => {
    const file = fileOf(part);
    return isLocal(file) || files.has(WHOLE.exec(String(file))?.[1] ?? "");
  };
  const isOff = (part: Json) => typeof part.$if === "string" && isEmptyValue(variables.find(({ name }) => `{{${name}}}` === part.$if)?.default);
  const values = new Map(variables.map((variable) => [variable.name, variable.default ?? ""]));
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill);
    if (value !== null && typeof value === "object") return Object.fromEntries(Object.entries(value).filter(([name]) => name !== "$if").map(([name, part]) => [name, fill(part)]));
    if (typeof value !== "string") return value;
    const whole = WHOLE.exec(value)?.[1];
    return whole !== undefined && values.has(whole) ? values.get(whole) : value.replace(/\{\{([^{}]+)\}\}/g, (text, name: string) => String(values.get(name) ?? text));
  };
  const { name: _, labels: __, ...rest } = fill(without(request, (part) => needsFile(part) || isOff(part))) as Json;
  // A video cannot follow a voice that it does not have.
  const { length: ___, ...options } = ((rest.params as Json).options ?? {}) as Json;
  const own = options.audio === undefined ? options : (rest.params as Json).options;
  return { ...rest, params: { ...(rest.params as Json), options: own } };
}

const isEmptyValue = (value: unknown) => value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** The template to save on the server: files of the samples are required columns, or optional ones for logos and music. */
export function templateBody({ request, variables }: SampleFile, name: string, titleOf: (column: string) => string): { name: string; request: Json; variables: Variable[] } {
  const optional = new Set<string>();
  const mark = (value: unknown, field = ""): unknown => {
    if (Array.isArray(value)) return value.map((part) => mark(part, field));
    if (value === null || typeof value !== "object") return value;
    const part = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mark(inner, key)])) as Json;
    const variable = WHOLE.exec(String(fileOf(part) ?? ""))?.[1];
    if (variable === undefined || !["overlays", "backgroundMusic"].includes(field)) return part;
    optional.add(variable);
    return { $if: `{{${variable}}}`, ...part };
  };
  const marked = mark(without(request, (part) => isLocal(fileOf(part)))) as Json;
  return {
    name, request: marked,
    variables: variables.map(({ default: value, ...rest }) => {
      const variable = { ...rest, label: titleOf(rest.name) };
      if (!isFile(variable) || !isLocal(value)) return value === undefined ? variable : { ...variable, default: value };
      return optional.has(variable.name) ? { ...variable, default: "" } : variable;
    }),
  };
}
