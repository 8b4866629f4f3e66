/** Callbacks: verification (Standard Webhooks) and parsing of messages. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { CallbackRefused } from "./errors.js";
import type { Batch, BatchEventType, EventType, Task } from "./models.js";

interface Message<Type, Data> {
  type: Type;
  /** When the task or batch ended. */
  timestamp: string;
  data: Data;
  /** Only in a message that `testCallback` requested. */
  test?: true;
}

// One member for each type, so that both branches of a comparison are narrowed.
/** A task has ended. */
export type TaskCallbackEvent = { [Type in EventType]: Message<Type, Task> }[EventType];
/** A batch has ended. */
export type BatchCallbackEvent = { [Type in BatchEventType]: Message<Type, Batch> }[BatchEventType];

/**
 * A callback; `type` determines `data`: a task, or for `batch.…` a batch. Store the header `webhook-id`, because the
 * same message can come twice.
 */
export type CallbackEvent = TaskCallbackEvent | BatchCallbackEvent;

export type CallbackHeaders = Headers | { [name: string]: string | string[] | undefined };

/**
 * The event of a genuine and recent message; throws CallbackRefused otherwise.
 *
 * `body` must be the original body, not parsed and serialized again. `secret` is `whsec_…`, or several while one is replaced.
 */
export function verifyCallback(
  body: Uint8Array | string,
  headers: CallbackHeaders,
  secret: string | readonly string[],
  options: { toleranceSeconds?: number } = {},
): CallbackEvent {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => {
    const value = headerOf(headers, name);
    if (!value) throw new CallbackRefused(`the header ${name} is missing`);
    return value;
  }) as [string, string, string];
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= (options.toleranceSeconds ?? 300))) throw new CallbackRefused("too old, or a clock is wrong");
  const secrets = typeof secret === "string" ? [secret] : secret;
  const expected = secrets.map((one) => createHmac("sha256", keyOf(one)).update(`${id}.${timestamp}.`).update(body).digest());
  const signed = signatures
    .split(" ")
    .filter((signature) => signature.startsWith("v1,"))
    .map((signature) => Buffer.from(signature.slice(3), "base64"));
  const genuine = expected.some((right) => signed.some((one) => one.length === right.length && timingSafeEqual(one, right)));
  if (!genuine) throw new CallbackRefused("not signed with this secret");
  try {
    return JSON.parse(typeof body === "string" ? body : Buffer.from(body).toString("utf8")) as CallbackEvent;
  } catch {
    throw new CallbackRefused("the body is not JSON");
  }
}

function headerOf(headers: CallbackHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(found) ? found[0] : found;
}

function keyOf(secret: string): Buffer {
  const text = secret.replace(/^whsec_/, "");
  const key = Buffer.from(text, "base64");
  // With an empty key anybody could sign.
  if (key.length === 0 || !/^[A-Za-z0-9+/]+=*$/.test(text)) {
    throw new TypeError("the webhook secret must have the form whsec_ and base64, as issued by the service");
  }
  return key;
}
