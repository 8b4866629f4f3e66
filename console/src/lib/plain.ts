// What the service says, for people: files by their names rather than their urls, fields by theirs rather than by
// pointers, and no word about its data.

import { titleOf } from "../i18n/fields";
import { nameOf } from "./media";

const REPLACED: readonly (readonly [RegExp, string | ((found: string) => string)])[] = [
  [/^(?:invalid request: |请求无效：)/, ""],
  [/[;；]\s*(?:all in|全部见)\s*data\.errors/g, ""],
  [/\bhttp:\/\/, https:\/\/ or upload:\/\/ URL/g, "http:// or https:// link"],
  [/http:\/\/、https:\/\/ 或 upload:\/\/ 链接/g, "http:// 或 https:// 链接"],
  [/upload:\/\/\w+/g, (url) => `“${nameOf(url)}”`],
  [/\/(?:params|name|labels|callbackUrl|clientTaskId)\b[\w/]*/g, (pointer) => titleOf(pointer)],
];

export function plain(message: string): string {
  return REPLACED.reduce((text, [what, by]) => (typeof by === "string" ? text.replace(what, by) : text.replace(what, by)), message);
}
