/** Waiting for tasks and batches. */
import { ConnectionFailed, ServiceUnavailable, TooManyRequests, WaitAllTimeout, WaitTimeout } from "./errors.js";
import type * as model from "./models.js";
import { jittered, pollPauses, sleep } from "./retry.js";

/** This state (`completed`) and all higher ones are final. */
export const FINAL = 3;
/** How long waiting tolerates a service that does not respond, for instance during an upgrade; seconds. */
const UNREACHABLE = 300;
/** The largest page of a list. */
const PAGE = 100;

/** Options of waiting. */
export interface WaitOptions<Seen = model.Task> {
  /** Seconds after which WaitTimeout is thrown; the task or batch continues. Default: no limit. */
  timeout?: number;
  /** Receives each change of state or percentage. */
  onChange?: (seen: Seen) => void;
  /** Ends the waiting; the task or batch continues. */
  signal?: AbortSignal;
}

/** A response: its data and its headers. */
export interface Answer<T> {
  data: T;
  headers: Headers;
}

/** The calls of waiting, without retries: the next poll is the retry. */
export interface Source {
  status(taskNo: string): Promise<Answer<model.Task>>;
  list(query: { [name: string]: string | number }): Promise<Answer<model.PageTask>>;
}

/** Repeats a call for a task or a batch until it has ended. */
export async function wait<Seen extends model.Task | model.Batch>(
  ask: () => Promise<Answer<Seen>>,
  number: string,
  options: WaitOptions<Seen>,
): Promise<Seen> {
  const clock = new Clock(options.timeout);
  let seen: Seen | undefined;
  for (let pause of pollPauses()) {
    options.signal?.throwIfAborted();
    try {
      const { data: now } = await ask();
      clock.responded();
      if (hasMoved(seen, now)) options.onChange?.(now);
      seen = now;
      if (now.status >= FINAL) return now;
    } catch (error) {
      pause = clock.pauseAfter(error, pause);
    }
    if (clock.remaining() <= 0) break;
    await sleep(Math.min(pause, clock.remaining()), options.signal);
  }
  throw new WaitTimeout(number, seen);
}

/** Polls pages of the list until all tasks have ended. */
export async function waitAll(source: Source, taskNos: readonly string[], options: WaitOptions): Promise<model.Task[]> {
  const waiting = new Waiting(source, taskNos, options);
  for (const pause of pollPauses()) {
    await waiting.poll();
    if (waiting.open.size === 0) break;
    if (waiting.clock.remaining() <= 0) waiting.giveUp();
    await sleep(Math.min(pause, waiting.clock.remaining()), options.signal);
  }
  return taskNos.map((number) => waiting.ended.get(number) as model.Task);
}

/** Tasks that are awaited in one call. */
class Waiting {
  readonly clock: Clock;
  readonly open: Map<string, model.Task | undefined>;
  readonly ended = new Map<string, model.Task>();
  readonly #source: Source;
  readonly #options: WaitOptions;
  readonly #pacer = new Pacer();

  constructor(source: Source, taskNos: readonly string[], options: WaitOptions) {
    this.#source = source;
    this.#options = options;
    this.clock = new Clock(options.timeout);
    this.open = new Map(taskNos.map((number) => [number, undefined]));
  }

  /** Requests the state of every open task once. */
  async poll(): Promise<void> {
    const missing = new Set(this.open.keys());
    // Tasks that are far apart in the list need fewer calls one by one.
    const pages = missing.size > 2 ? Math.ceil(missing.size / PAGE) + 1 + Math.floor(missing.size / 10) : 0;
    const window = this.#window();
    for (let pageNo = 1; pageNo <= pages; pageNo += 1) {
      const { list } = await this.#ask(() => this.#source.list({ pageNo, pageSize: PAGE, ...window }));
      for (const task of list) {
        if (!missing.delete(task.taskNo)) continue;
        // Lists omit the items, so an ended task is read individually.
        this.#note(task.status < FINAL ? task : await this.#ask(() => this.#source.status(task.taskNo)));
      }
      if (missing.size === 0 || list.length < PAGE) break;
    }
    for (const number of missing) this.#note(await this.#ask(() => this.#source.status(number)));
  }

  giveUp(): never {
    throw new WaitAllTimeout(this.open, this.ended);
  }

  #note(task: model.Task): void {
    const before = this.open.get(task.taskNo);
    if (task.status >= FINAL) {
      this.open.delete(task.taskNo);
      this.ended.set(task.taskNo, task);
    } else this.open.set(task.taskNo, task);
    if (hasMoved(before, task)) this.#options.onChange?.(task);
  }

  /** The time range in which the open tasks were submitted, once all of them have been seen. */
  #window(): { from: string; to: string } | undefined {
    const times = [...this.open.values()].map((task) => Date.parse(task?.createTime ?? ""));
    if (times.length === 0 || times.some(Number.isNaN)) return undefined;
    const [first, last] = times.reduce(([low, high], time) => [Math.min(low, time), Math.max(high, time)], [
      Number.MAX_SAFE_INTEGER,
      0,
    ] as [number, number]);
    return { from: new Date(first).toISOString(), to: new Date(last + 1000).toISOString() };
  }

  /** The data of a response, repeating the call as often as necessary. */
  async #ask<T>(call: () => Promise<Answer<T>>): Promise<T> {
    for (const pause of pollPauses()) {
      await this.#sleep(this.#pacer.pause());
      try {
        const { data, headers } = await call();
        this.#pacer.note(headers);
        this.clock.responded();
        return data;
      } catch (error) {
        await this.#sleep(this.clock.pauseAfter(error, pause));
      }
    }
    throw new Error("the intervals between polls are endless");
  }

  async #sleep(seconds: number): Promise<void> {
    this.#options.signal?.throwIfAborted();
    const remaining = this.clock.remaining();
    if (seconds > 0) await sleep(Math.max(0, Math.min(seconds, remaining)), this.#options.signal);
    if (seconds > remaining) this.giveUp();
  }
}

/** Keeps polling below the rate limit of the key; a quarter of the burst remains for other calls. */
class Pacer {
  /** Interval of calls to a service that does not report its limit; seconds. */
  static readonly UNKNOWN = 0.2;
  #pause = 0;
  #since = Date.now();

  /** Reads the headers `RateLimit-Policy` and `RateLimit` of a response. */
  note(headers: Headers): void {
    this.#since = Date.now();
    const [policy, state] = [headers.get("ratelimit-policy"), headers.get("ratelimit")];
    const [burst, seconds, remaining] = [parameter(policy, "q"), parameter(policy, "w"), parameter(state, "r")];
    const pause = (Math.max(0, burst / 4 + 1 - remaining) * seconds) / burst;
    this.#pause = Number.isFinite(pause) ? pause : Pacer.UNKNOWN;
  }

  /** Seconds until the next call fits. */
  pause(): number {
    return Math.max(0, this.#pause - (Date.now() - this.#since) / 1000);
  }
}

function parameter(header: string | null, name: string): number {
  const part = header?.split(";").find((one) => one.trim().startsWith(`${name}=`));
  return part ? Number(part.split("=")[1]) : Number.NaN;
}

/** The deadline of a wait, and since when the service has not responded. */
class Clock {
  readonly #deadline: number;
  #responded = Date.now();

  constructor(timeout: number | undefined) {
    this.#deadline = timeout === undefined ? Number.POSITIVE_INFINITY : Date.now() + timeout * 1000;
  }

  remaining(): number {
    return (this.#deadline - Date.now()) / 1000;
  }

  responded(): void {
    this.#responded = Date.now();
  }

  /** Seconds until the next attempt; throws errors that no later attempt can change. */
  pauseAfter(error: unknown, pause: number): number {
    const refusal = error instanceof TooManyRequests || error instanceof ServiceUnavailable ? error : undefined;
    if (!refusal && !(error instanceof ConnectionFailed)) throw error;
    if (refusal instanceof TooManyRequests) this.responded();
    if (Date.now() - this.#responded > UNREACHABLE * 1000) throw error;
    const requested = refusal?.retryAfter;
    return Math.max(pause, requested ? requested + jittered(pause) - pause : 0);
  }
}

/** Whether a task or a batch is in another state or has made progress. */
function hasMoved(before: model.Task | model.Batch | undefined, after: model.Task | model.Batch): boolean {
  return before?.status !== after.status || before.progressPercent !== after.progressPercent;
}
