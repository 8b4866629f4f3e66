/** Client of the clipmill video-processing service. */
export type { Call, PageOptions } from "./call.js";
export { Client, type ClientOptions } from "./client.js";
export * from "./errors.js";
export type { LiveEvent, Progress } from "./events.js";
export type * as models from "./models.js";
export type { Retry } from "./retry.js";
export { VERSION } from "./version.js";
export type { WaitOptions } from "./waiting.js";
export {
  type BatchCallbackEvent,
  type CallbackEvent,
  type CallbackHeaders,
  type TaskCallbackEvent,
  verifyCallback,
} from "./webhooks.js";
