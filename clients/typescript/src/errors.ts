/** Errors of the client, with the data that a program needs to handle them. */
import type { Batch, FieldError, Task, Upload } from "./models.js";

/** Base of all errors of this package. */
export class ClipmillError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The URL of the service or the API key was neither passed to the client nor set in the environment. */
export class NotConfigured extends ClipmillError {}

/** An error response. */
export interface Refusal {
  /** The HTTP status. */
  status: number;
  /** The code of the error, such as 40001. */
  code: number;
  /** The message, in the language of the client. */
  message: string;
  /** Facts about the error, which depend on the code. */
  data: { [key: string]: unknown };
  /** The ID of the request. */
  requestId: string | undefined;
  /** `Retry-After`, in seconds. */
  retryAfter: number | undefined;
}

/** The service refused a call. See docs/api/errors.md of the service for the codes. */
export class ApiError extends ClipmillError {
  /** The HTTP status. */
  readonly status: number;
  /** The code of the error, such as 40001. */
  readonly code: number;
  /** Facts about the error, which depend on the code. */
  readonly data: { [key: string]: unknown };
  /** Quote it when you report a problem. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next attempt, as requested by the service. */
  readonly retryAfter: number | undefined;
  /** Error 40001: every invalid field with its JSON Pointer. */
  readonly errors: FieldError[];

  constructor(refusal: Refusal) {
    const errors = Array.isArray(refusal.data["errors"]) ? (refusal.data["errors"] as FieldError[]) : [];
    const fields = errors.map((field) => `\n  ${field.path}: ${field.message}`).join("");
    super(`${refusal.code}: ${refusal.message} (request ${refusal.requestId})${fields}`);
    this.status = refusal.status;
    this.code = refusal.code;
    this.data = refusal.data;
    this.requestId = refusal.requestId;
    this.retryAfter = refusal.retryAfter;
    this.errors = errors;
  }
}

/** The request must be fixed: 400, 413, 415, 422; see `errors`. */
export class InvalidRequest extends ApiError {}
/** The key is missing, unknown, revoked or has expired. */
export class NotAuthenticated extends ApiError {}
/** `data` has `needed` and `available`, or, for code 40201, `price` and `maxPoints`. */
export class NotEnoughPoints extends ApiError {}
/** The key's scopes do not cover the call, or a link has expired. */
export class NotAllowed extends ApiError {}
/** The user has no such task, or the file no longer exists. */
export class NotFound extends ApiError {}
/** `clientTaskId` was used with another body, the task has ended, or storage is full; see `code` and `data`. */
export class Conflict extends ApiError {}
/** Too many calls, open tasks or streams, even after all retries; see `retryAfter`. */
export class TooManyRequests extends ApiError {}
/** An error of the service or of a proxy in front of it; the same call may succeed later. */
export class ServiceUnavailable extends ApiError {}

/**
 * The service could not be reached, or its response was lost, at every attempt.
 *
 * After a submission, `clientTaskId` is the ID that was sent: submitting again with it never costs twice.
 */
export class ConnectionFailed extends ClipmillError {
  /** The ID of a submission, to submit it again. */
  clientTaskId: string | undefined;
}

/** The task ended in a state other than completed; `task` has the state and the reason. */
export class TaskFailed extends ClipmillError {
  /** The task, with state and reason. */
  readonly task: Task;
  constructor(task: Task) {
    super(`task ${task.taskNo} is ${task.statusName}: ${task.errorMsg ?? "no reason given"}`);
    this.task = task;
  }
}

/** The task has not ended within the timeout; it continues. `task` is its last known state. */
export class WaitTimeout extends ClipmillError {
  /** Number of the task or batch. */
  readonly taskNo: string;
  /** The task or batch in its last known state; undefined if it is unknown. */
  readonly task: Task | Batch | undefined;
  constructor(taskNo: string, task: Task | Batch | undefined) {
    super(`${taskNo} has not ended in time (${task ? `${task.statusName}, ${task.progressPercent} %` : "unknown"})`);
    this.taskNo = taskNo;
    this.task = task;
  }
}

/** Some tasks have not ended within the timeout; they continue. */
export class WaitAllTimeout extends WaitTimeout {
  /** Unfinished tasks by number, in their last known state; undefined if it is unknown. */
  readonly open: Map<string, Task | undefined>;
  /** Ended tasks by number. */
  readonly ended: Map<string, Task>;
  constructor(open: Map<string, Task | undefined>, ended: Map<string, Task>) {
    const numbers = [...open.keys()];
    super(numbers[0] ?? "", open.get(numbers[0] ?? ""));
    const names = numbers.slice(0, 3).join(", ") + (numbers.length > 3 ? ", …" : "");
    this.message = `${open.size} of ${open.size + ended.size} tasks have not ended in time: ${names}`;
    this.open = open;
    this.ended = ended;
  }
}

/** Some files could not be uploaded. Repeating the call sends only the missing files. */
export class UploadIncomplete extends ClipmillError {
  /** Uploads by the path of their file. */
  readonly done: Map<string, Upload>;
  /** Errors by the path of their file. */
  readonly failed: Map<string, unknown>;
  constructor(done: Map<string, Upload>, failed: Map<string, unknown>) {
    const reasons = [...failed].map(([name, error]) => `\n  ${name}: ${String(error)}`).join("");
    super(`${failed.size} of ${done.size + failed.size} files could not be uploaded${reasons}`);
    this.done = done;
    this.failed = failed;
  }
}

/** A file could not be downloaded, or did not match its description. `path` is its intended path. */
export class DownloadFailed extends ClipmillError {
  /** Where the file would have been stored. */
  readonly path: string;
  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`);
    this.path = path;
  }
}

/** A message is not a callback of this service, was altered, or is too old: respond with 400 and ignore it. */
export class CallbackRefused extends ClipmillError {}

const BY_STATUS = new Map<number, typeof ApiError>([
  [401, NotAuthenticated],
  [402, NotEnoughPoints],
  [403, NotAllowed],
  [404, NotFound],
  [409, Conflict],
  [429, TooManyRequests],
]);

/**
 * The error of a response, including responses of proxies without an envelope.
 *
 * @internal
 */
export async function apiError(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => "");
  const body = parsed(text);
  const kind = response.status >= 500 ? ServiceUnavailable : (BY_STATUS.get(response.status) ?? InvalidRequest);
  return new kind({
    status: response.status,
    code: typeof body?.["code"] === "number" ? body["code"] : response.status * 100,
    message: typeof body?.["msg"] === "string" ? body["msg"] : `${response.statusText}: ${text.slice(0, 200)}`,
    data: isObject(body?.["data"]) ? body["data"] : {},
    requestId: response.headers.get("x-request-id") ?? undefined,
    retryAfter: retryAfter(response),
  });
}

/**
 * The header `Retry-After` in seconds, which the service writes as a number.
 *
 * @internal
 */
export function retryAfter(response: Response): number | undefined {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

function parsed(text: string): { [key: string]: unknown } | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
