// Labels and short explanations of request fields, made from the service's table of fields (fields.json, by `make
// generate`). Ranges and defaults are not here: the running service describes those.

import { language } from "../lib/prefs";
import type { TaskType } from "../lib/types";
import table from "./fields.json";
import { extraFields } from "./extra-fields";

type Pair = readonly [en: string, zh: string];

export interface FieldWords {
  label?: Pair;
  hint?: Pair;
  /** Names of the values to choose from. */
  words?: Readonly<Record<string, Pair>>;
  /** The member that switches an option on. */
  switch?: string;
  /** The member without which an option does nothing. */
  needs?: string;
  /** The member beside it that is the upper bound of this range. */
  upTo?: string;
  /** What a url's file is used as. */
  file?: string;
}

const fields = table.fields as unknown as Readonly<Record<string, FieldWords>>;
const sections = table.sections as Readonly<Record<TaskType, Readonly<Record<string, readonly string[]>>>>;

/** By a pointer into a request; entries of lists are alike. */
export function wordsOf(pointer: string): FieldWords {
  const kind = pointer.replace(/\/\d+(?=\/|$)/g, "/0");
  const own = extraFields[kind];
  if (own === undefined) return fields[kind] ?? {};
  // A choice for one clip is called as that for all of them.
  const { words } = fields[`/params/options/${kind.split("/").at(-1)}`] ?? {};
  return { ...(words === undefined ? {} : { words }), ...own, ...fields[kind] };
}

/** The sections of a task type's options: pointers of the fields that stand in each, in order. */
export const sectionsOf = (kind: TaskType): Readonly<Record<string, readonly string[]>> => sections[kind];

/** Options by name with this property: `switch` or `needs`. */
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

/** The label of the field that a message about `pointer` calls `name`: the nearest one, or any of that name. */
export function labelNear(pointer: string, name: string): string | undefined {
  const tokens = pointer.split("/");
  const above = tokens.map((_, place) => tokens.slice(0, tokens.length - place).join("/"));
  const at = `/${name.replaceAll(".", "/")}`;
  const near = [...above, "/params/options", "/params"].map((base) => base + at);
  const match = [...near, ...Object.keys({ ...extraFields, ...fields }).filter((one) => one.endsWith(at))].find((one) => wordsOf(one).label !== undefined);
  return match === undefined ? undefined : label(match);
}

/** What a pointer leads to, as people call it: `Scene 2 · Clip 1 · Link`. */
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
