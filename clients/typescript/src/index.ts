/** Client of the clipmill video-processing service. */
export type { Call, PageOptions } from "./call.js";
export type { OnProgress, Source } from "./body.js";
export { Client } from "./client.js";
export type { ClientOptions } from "./connection.js";
export { Content, Preview, Speech } from "./content.js";
export * from "./errors.js";
export type { BatchEvent, LiveEvent, Progress } from "./events.js";
export { Listing, type Page } from "./listing.js";
export type * as models from "./models.js";
export type * from "./options.js";
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
