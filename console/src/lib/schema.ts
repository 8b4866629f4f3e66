// Ranges, defaults and choices of every field, read from the running service (/openapi.json), so that the console does
// not repeat them.

import { signal } from "@preact/signals";
import { TASK_TYPES } from "./task-types";
import { parsePointer } from "./pointer";
import type { TaskType } from "./types";

export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: (string | number)[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  "x-step"?: number;
  minItems?: number;
  maxItems?: number;
  maxLength?: number;
  pattern?: string;
  description?: string;
}

type Schemas = Record<TaskType, Schema>;

export const schemas = signal<Schemas | null>(null);
export const version = signal<string | null>(null);

interface Description {
  info: { version: string };
  components: { schemas: Record<string, Schema> };
}

export async function loadSchemas(): Promise<void> {
  if (schemas.value !== null) return;
  const response = await fetch("/openapi.json");
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const description = (await response.json()) as Description;
  version.value = description.info.version;
  schemas.value = requestSchemas(description.components.schemas);
}

export function requestSchemas(all: Record<string, Schema>): Schemas {
  const of = (name: string) => withoutReferences(all[`${name[0]?.toUpperCase()}${name.slice(1)}Request`] ?? {}, all);
  return Object.fromEntries(TASK_TYPES.map((name) => [name, of(name)])) as Schemas;
}

/** The schema with the schemas that it refers to in their places. */
function withoutReferences<T>(schema: T, all: Record<string, Schema>): T {
  if (Array.isArray(schema)) return schema.map((entry: unknown) => withoutReferences(entry, all)) as T;
  if (typeof schema !== "object" || schema === null) return schema;
  const name = "$ref" in schema && typeof schema.$ref === "string" ? schema.$ref.split("/").pop() : undefined;
  if (name !== undefined) return withoutReferences(all[name] ?? {}, all) as T;
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withoutReferences(value as unknown, all)])) as T;
}

/** The properties of an object, even if another type is allowed in its place. */
const members = (schema: Schema | undefined) => schema?.properties ?? schema?.anyOf?.find((one) => one.properties !== undefined)?.properties;

/** The schema of the field at a pointer into a request. */
export function fieldAt(root: Schema, pointer: string): Schema {
  let here: Schema | undefined = root;
  for (const token of parsePointer(pointer)) here = /^\d+$/.test(token) ? here?.items : members(here)?.[token];
  return here ?? {};
}

/** The step of a number control: `x-step`, 1 for integers, otherwise 0.01. */
export function stepOf(schema: Schema): number {
  return schema["x-step"] ?? (schema.type === "integer" ? 1 : 0.01);
}

/** Rounds a value to the field's step, without binary rounding errors. */
export function onGrid(schema: Schema, value: number): number {
  const step = stepOf(schema);
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  return Number((Math.round(value / step) * step).toFixed(digits));
}
