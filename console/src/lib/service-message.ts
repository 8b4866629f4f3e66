// Makes messages of the service readable: replaces urls by file names, and pointers and API names by field labels.

import { labelNear, titleOf } from "../i18n/fields";
import { nameOf } from "./media";

const REPLACED: readonly (readonly [RegExp, string | ((found: string) => string)])[] = [
  [/^(?:invalid request: |请求无效：)/, ""],
  [/[;；]\s*(?:all in|全部见)\s*data\.errors/g, ""],
  [/[;；]?\s*(?:GET \S+ lists them|可用音色见 GET \S+)/g, ""],
  [/\bhttp:\/\/, https:\/\/ or upload:\/\/ URL/g, "http:// or https:// link"],
  [/http:\/\/、https:\/\/ 或 upload:\/\/ 链接/g, "http:// 或 https:// 链接"],
  [/\ban upload:\/\/ URL/g, "an uploaded file"],
  [/upload:\/\/ 链接/g, "已上传的文件"],
  [/upload:\/\/\w+/g, (url) => `“${nameOf(url)}”`],
  [/\/(?:params|name|labels|callbackUrl|clientTaskId|maxPoints)\b[\w/]*/g, (pointer) => titleOf(pointer)],
];

/** `pointer` is the field that the message is about; other names in the message refer to its siblings. */
export function readableMessage(message: string, pointer = ""): string {
  const text = REPLACED.reduce((text, [what, by]) => (typeof by === "string" ? text.replace(what, by) : text.replace(what, by)), message);
  // A suggestion is a value, even if a field has the same name.
  const quoted = text.replace(/(did you mean |是否想写 )`([^`]+)`/g, "$1“$2”");
  return quoted.replace(/`([^`]+)`|\b(?:maxPoints|clientTaskId)\b/g, (whole, name: string = whole) => `“${labelNear(pointer, name) ?? name}”`);
}
