/** Callbacks: verification by the reference library of Standard Webhooks, and the types of messages. */
import { Webhook, WebhookVerificationError } from "standardwebhooks";
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

/** The headers of a request: those of `fetch`, of Node's `http`, or of Express. */
export type CallbackHeaders = Headers | { [name: string]: string | string[] | undefined };

/**
 * The event of a genuine message that is at most five minutes old; throws CallbackRefused otherwise.
 *
 * @param body - The original body, not parsed and serialized again.
 * @param headers - The headers of the request, in any case.
 * @param secret - `whsec_…`, or several secrets while one is replaced.
 */
export function verifyCallback(
  body: Uint8Array | string,
  headers: CallbackHeaders,
  secret: string | readonly string[],
): CallbackEvent {
  const text = typeof body === "string" ? body : Buffer.from(body).toString("utf8");
  const sent = plain(headers);
  let reason = "no secret was given";
  for (const webhook of (typeof secret === "string" ? [secret] : secret).map(webhookOf)) {
    try {
      webhook.verify(text, sent, { jsonParse: false });
      return parsed(text);
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      reason = error.message;
    }
  }
  throw new CallbackRefused(reason);
}

function parsed(text: string): CallbackEvent {
  try {
    return JSON.parse(text) as CallbackEvent;
  } catch {
    throw new CallbackRefused("the body is not JSON");
  }
}

function plain(headers: CallbackHeaders): { [name: string]: string } {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => {
      const first = Array.isArray(value) ? value[0] : value;
      return first === undefined ? [] : [[name, first]];
    }),
  );
}

function webhookOf(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch (cause) {
    // The library also rejects an empty secret, with which anybody could sign.
    throw new TypeError("the webhook secret must have the form whsec_ and base64, as issued by the service", { cause });
  }
}
