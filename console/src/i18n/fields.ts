// Labels and hints of request fields. `make generate` creates fields.json from the service's table of fields. Ranges and
// defaults come from the running service.

import { language } from "../lib/prefs";
import type { TaskType } from "../lib/types";
import table from "./fields.json";
import { extraFields } from "./extra-fields";

type Pair = readonly [en: string, zh: string];

export interface FieldWords {
  label?: Pair;
  hint?: Pair;
  /** Labels of the choices. */
  words?: Readonly<Record<string, Pair>>;
  /** The field that switches the option on. */
  switch?: string;
  /** The field that the option requires. */
  needs?: string;
  /** The sibling field with the upper bound of this range. */
  upTo?: string;
  /** The use of the url's file. */
  file?: string;
}

const fields = table.fields as unknown as Readonly<Record<string, FieldWords>>;
const sections = table.sections as Readonly<Record<TaskType, Readonly<Record<string, readonly string[]>>>>;

/** The texts of a field. List entries share their texts. */
export function wordsOf(pointer: string): FieldWords {
  const kind = pointer.replace(/\/\d+(?=\/|$)/g, "/0");
  const own = extraFields[kind];
  if (own === undefined) return fields[kind] ?? {};
  // Choices of a clip have the labels of the option for all clips.
  const { words } = fields[`/params/options/${kind.split("/").at(-1)}`] ?? {};
  return { ...(words === undefined ? {} : { words }), ...own, ...fields[kind] };
}

/** The option sections of a task type, with the pointers of their fields in order. */
export const sectionsOf = (kind: TaskType): Readonly<Record<string, readonly string[]>> => sections[kind];

/** Options that have this property. */
export function optionsWith(property: "switch" | "needs"): Readonly<Record<string, string>> {
  const own = Object.entries(fields).filter(([pointer, words]) => /^\/params\/options\/\w+$/.test(pointer) && words[property] !== undefined);
  return Object.fromEntries(own.map(([pointer, words]) => [pointer.split("/").at(-1) ?? "", words[property] ?? ""]));
}

const inLanguage = (pair: Pair | undefined): string | undefined => pair?.[language.value === "zh" ? 1 : 0];

export function label(pointer: string): string {
  return inLanguage(wordsOf(pointer).label) ?? pointer.split("/").at(-1) ?? pointer;
}

export function hint(pointer: string): string | undefined {
  return inLanguage(wordsOf(pointer).hint);
}

export function choice(pointer: string, value: string | number): string {
  return inLanguage(wordsOf(pointer).words?.[String(value)]) ?? String(value);
}

/** The label of field `name` in a message about `pointer`: the nearest field, otherwise any field with this name. */
export function labelNear(pointer: string, name: string): string | undefined {
  const tokens = pointer.split("/");
  const above = tokens.map((_, place) => tokens.slice(0, tokens.length - place).join("/"));
  const at = `/${name.replaceAll("[]", ".0").replaceAll(".", "/")}`;
  const near = [...above, "/params/options", "/params"].map((base) => base + at);
  const match = [...near, ...Object.keys({ ...extraFields, ...fields }).filter((one) => one.endsWith(at))].find((one) => wordsOf(one).label !== undefined);
  return match === undefined ? undefined : label(match);
}

/** A readable name of a pointer: `Scene 2 · Clip 1 · Link`. */
export function titleOf(pointer: string): string {
  const tokens = pointer.split("/").slice(1);
  const words = tokens.flatMap((token, place) => {
    const here = "/" + tokens.slice(0, place + 1).join("/");
    const named = inLanguage(wordsOf(here).label);
    const isEntry = /^\d+$/.test(token);
    if (named === undefined || /^\d+$/.test(tokens[place + 1] ?? "")) return [];
    return here === "/params/options" && tokens.length > 2 ? [] : [isEntry ? `${named} ${Number(token) + 1}` : named];
  });
  return words.filter((word, place) => word !== words[place - 1]).join(" · ") || (tokens.at(-1) ?? pointer);
}
