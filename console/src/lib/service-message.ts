// Renders messages of the service from their codes and parameters: file names in place of URLs, and labels in place of
// pointers and names of fields.

import { signal } from "@preact/signals";
import { t } from "../i18n";
import { labelNear, titleOf } from "../i18n/fields";
import type { templates as allTemplates } from "../i18n/messages";
import { ApiFailure } from "./api";
import { nameOf } from "./media";
import { language } from "./prefs";
import type { FieldError, ItemError, Message, MessageParam } from "./types";

const templates = signal<typeof allTemplates>({});
/** They are loaded after the page, which shows the texts of the service until then, or if that fails. */
export const templatesLoaded: Promise<void> = import("../i18n/messages").then((module) => void (templates.value = module.templates), () => undefined);

/** Parameters that name a field. Other parameters in code formatting are values, even if a field has the same name. */
const FIELDS = new Set(["other", "high", "first", "second", "third", "place", "names", "kind"]);

/** `pointer` is the field that the message is about; names of fields refer to its siblings. */
export function messageText({ message, code, params }: Message, pointer = ""): string {
  const template = templates.value[code ?? ""];
  // Messages of earlier versions have no code, and most others need no other words.
  return template === undefined || params == null ? message : render(template[language.value === "zh" ? 1 : 0], params, pointer);
}

const MARKUP = /`([^`]*)`|\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g;

function render(template: string, params: Readonly<Record<string, MessageParam>>, pointer: string): string {
  const value = (name: string) => paramText(params[name] ?? "", pointer);
  return template.replace(MARKUP, (_, quoted: string | undefined, name: string, one?: string, many?: string) => {
    if (quoted === undefined) return one === undefined ? value(name) : params[name] === "1" ? one : (many ?? "");
    const param = /^\{(\w+)\}$/.exec(quoted)?.[1];
    if (param === undefined) return `“${labelNear(pointer, quoted) ?? quoted.replace(/\{(\w+)\}/g, (_, name: string) => value(name))}”`;
    if (!FIELDS.has(param)) return `“${value(param)}”`;
    return String(params[param]).split("`, `").map((field) => `“${labelNear(pointer, field) ?? field}”`).join(", ");
  });
}

function paramText(param: MessageParam, pointer: string): string {
  if (Array.isArray(param)) return param.map((entry) => paramText(entry, pointer)).join(language.value === "zh" ? "；" : "; ");
  if (typeof param !== "string") return messageText(param, pointer);
  if (/^\/(?:params|name|labels|callbackUrl|clientTaskId|maxPoints)(?:\/|$)/.test(param)) return titleOf(param);
  return param.replace(/upload:\/\/\w+/g, (url) => `“${nameOf(url)}”`).replace(/`([^`]*)`/g, "“$1”");
}

/** The message of an item's error, whose own code is that of the failure. */
export function itemErrorText({ message, messageCode, messageParams }: Pick<ItemError, "message" | "messageCode" | "messageParams">): string {
  return messageText({ message, code: messageCode, params: messageParams });
}

/** The message about the first invalid field of a failed call. */
export function fieldErrorText(error: unknown): string | undefined {
  const [first] = error instanceof ApiFailure ? error.fieldErrors : [];
  return first && messageText(first, first.path);
}

const ABOVE_PRICE_LIMIT = 40201;
const OTHER_TASK = 40900;

/** The message of a failed call, without terms of the API. */
export function failureText(error: ApiFailure): string {
  const { data, fieldErrors: [first, ...more] } = error;
  if (first !== undefined) {
    const text = `${placeOf(first)}: ${messageText(first, first.path)}`;
    return more.length === 0 ? text : t("error.field.more", { text, n: Number(data?.total ?? more.length + 1) - 1 });
  }
  if (error.code === ABOVE_PRICE_LIMIT) return t("error.price", { price: Number(data?.price), limit: titleOf("/maxPoints"), n: Number(data?.maxPoints) });
  if (error.code === OTHER_TASK && typeof data?.taskNo === "string") return t("error.id", { id: titleOf("/clientTaskId"), task: data.taskNo });
  const cause = data?.cause as Message | undefined;
  return cause === undefined ? error.message : error.message.replace(cause.message, () => messageText(cause));
}

function placeOf({ path, row, column }: FieldError): string {
  if (row === undefined) return path === "" ? t("error.request") : titleOf(path);
  return column == null ? t("error.row", { n: row }) : t("error.cell", { n: row, column });
}
