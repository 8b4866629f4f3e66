/** Tasks, points, catalogues and callbacks. */
import { randomUUID } from "node:crypto";
import { API } from "./connection.js";
import { ConnectionFailed, TaskFailed } from "./errors.js";
import type { BatchEvent, LiveEvent } from "./events.js";
import { Library } from "./library.js";
import type { Listing } from "./listing.js";
import type * as model from "./models.js";
import type {
  BalanceOptions,
  EstimateOptions,
  OutputListOptions,
  RecordListOptions,
  TaskChanges,
  TaskListOptions,
} from "./options.js";
import type { PageOptions } from "./call.js";
import * as waiting from "./waiting.js";
import { FINAL, type WaitOptions } from "./waiting.js";

/** The calls of a client that concern tasks and the account. */
export abstract class Tasks extends Library {
  /**
   * Submits a task. If the response is lost, retries with the same `clientTaskId`, which never costs twice.
   *
   * If the request has no ID, one is generated: calling `submit` twice creates two tasks.
   *
   * @param request - The request, or `{ template: number, values: {…} }`.
   */
  async submit(request: model.Submission): Promise<model.Submit> {
    const clientTaskId = request.clientTaskId || `ts-${randomUUID()}`;
    try {
      return await this.call(`${API}/video-process/submit`, { method: "POST", json: { ...request, clientTaskId } });
    } catch (error) {
      if (error instanceof ConnectionFailed) error.clientTaskId = clientTaskId;
      throw error;
    }
  }

  /**
   * Estimates the price and the outputs of a submission.
   *
   * @param request - The request, as for `submit`.
   * @param options - Whether to probe the files.
   */
  async estimate(request: model.Submission, options: EstimateOptions = {}): Promise<model.Estimate> {
    const query = options.preflight ? { preflight: true } : {};
    return this.call(`${API}/video-process/estimate`, { method: "POST", json: request, query });
  }

  /**
   * The state of a task, with its items.
   *
   * @param taskNo - Number of the task.
   */
  async status(taskNo: string): Promise<model.Task> {
    return this.get(`status/${taskNo}`);
  }

  /**
   * The request of a task, for changing and submitting it again.
   *
   * @param taskNo - Number of the task.
   */
  async request(taskNo: string): Promise<model.TaskRequest> {
    return this.get(`request/${taskNo}`);
  }

  /**
   * All pairs of outputs with their shared footage, those that share most first.
   *
   * @param taskNo - Number of the task.
   * @param options - Pairs per call.
   */
  diversity(taskNo: string, options: PageOptions = {}): Listing<model.DiversityPair> {
    const path = `${API}/video-process/diversity/${taskNo}`;
    return this.list({ path, pageSize: options.pageSize ?? 1000 }, (pair) => pair.items.join());
  }

  /**
   * Renames a task or changes its labels. Omitted values are unchanged.
   *
   * @param taskNo - Number of the task.
   * @param to - The new name and labels.
   */
  async rename(taskNo: string, to: TaskChanges): Promise<model.Task> {
    return this.call(`${API}/video-process/${taskNo}`, { method: "PATCH", json: to });
  }

  /**
   * Cancels a task; throws Conflict (40901) if it has already ended.
   *
   * @param taskNo - Number of the task.
   */
  async cancel(taskNo: string): Promise<model.Task> {
    return this.call(`${API}/video-process/cancel/${taskNo}`, { method: "POST" });
  }

  /**
   * Returns the task once it has ended, in any final state. For many tasks use `waitAll`: it makes far fewer calls.
   *
   * @param taskNo - Number of the task.
   * @param options - Timeout, and what to do at a change.
   */
  async wait(taskNo: string, options: WaitOptions = {}): Promise<model.Task> {
    return waiting.wait(() => this.poll<model.Task>(`${API}/video-process/status/${taskNo}`), taskNo, options);
  }

  /**
   * Returns tasks in the order given, once all have ended, in any final state.
   *
   * Polls pages of 100 tasks and stays below the rate limit of the key. Throws WaitAllTimeout, which has the tasks that
   * have ended by then.
   *
   * @param taskNos - Numbers of the tasks.
   * @param options - Timeout, and what to do at a change; the task has no items until it has ended.
   */
  async waitAll(taskNos: Iterable<string>, options: WaitOptions = {}): Promise<model.Task[]> {
    const source: waiting.Source = {
      status: (taskNo) => this.poll(`${API}/video-process/status/${taskNo}`),
      list: (query) => this.poll(`${API}/video-process/list`, query),
    };
    return waiting.waitAll(source, [...taskNos], options);
  }

  /**
   * Returns the batch once it has ended, in any final state.
   *
   * @param batchNo - Number of the batch.
   * @param options - Timeout, and what to do at a change.
   */
  async waitForBatch(batchNo: string, options: WaitOptions<model.Batch> = {}): Promise<model.Batch> {
    return waiting.wait(() => this.poll<model.Batch>(`${API}/batches/${batchNo}`), batchNo, options);
  }

  /**
   * Submits and waits. Throws TaskFailed unless the task is completed. Check `failedItems` in any case.
   *
   * @param request - The request, as for `submit`.
   * @param options - Timeout, and what to do at a change.
   */
  async run(request: model.Submission, options: WaitOptions = {}): Promise<model.Task> {
    const { taskNo } = await this.submit(request);
    const task = await this.wait(taskNo, options);
    if (task.status !== FINAL) throw new TaskFailed(task);
    return task;
  }

  /**
   * Live events until the task has ended; resumes interrupted connections without gaps.
   *
   * @param taskNo - Number of the task.
   */
  async *watch(taskNo: string): AsyncGenerator<LiveEvent> {
    yield* this.#watch<LiveEvent>(`${API}/video-process/events/${taskNo}`);
  }

  /**
   * Live events until the batch has ended; resumes interrupted connections.
   *
   * @param batchNo - Number of the batch.
   */
  async *watchBatch(batchNo: string): AsyncGenerator<BatchEvent> {
    yield* this.#watch<BatchEvent>(`${API}/batches/${batchNo}/events`);
  }

  async *#watch<Event extends LiveEvent | BatchEvent>(path: string): AsyncGenerator<Event> {
    const isLast = ({ event, data }: { event?: string | undefined; data: string }) =>
      event === "state" && (JSON.parse(data) as { status: number }).status >= FINAL;
    for await (const { event, id, data } of this.events(path, isLast)) {
      yield { event: event ?? "message", id: id ?? "", data: JSON.parse(data) as unknown } as Event;
    }
  }

  /**
   * Tasks, the newest first, without their items.
   *
   * @param options - The tasks to list.
   */
  tasks(options: TaskListOptions = {}): Listing<model.Task> {
    const { pageSize, ...query } = options;
    return this.list({ path: `${API}/video-process/list`, query, pageSize }, ({ taskNo }) => taskNo);
  }

  /**
   * The finished videos of all tasks, those of the newest task first; at most 10,000.
   *
   * @param options - The outputs to list.
   */
  outputs(options: OutputListOptions = {}): Listing<model.Output> {
    const { pageSize, ...query } = options;
    const path = `${API}/video-process/outputs`;
    return this.list({ path, query, pageSize }, ({ taskNo, itemNo }) => `${taskNo} ${itemNo}`);
  }

  /**
   * The points of the account.
   *
   * @param options - Whether to add details.
   */
  async balance(options: BalanceOptions = {}): Promise<model.Balance> {
    return this.get("balance", options.details ? { details: true } : {});
  }

  /**
   * Movements of points, the newest first.
   *
   * @param options - The records to list.
   */
  records(options: RecordListOptions = {}): Listing<model.PointsRecord> {
    const { pageSize, ...query } = options;
    return this.list({ path: `${API}/video-process/records`, query, pageSize }, ({ recordNo }) => recordNo);
  }

  /** Effects for clips. */
  async effects(): Promise<model.Catalogue> {
    return this.get("effects");
  }

  /** Colour looks. */
  async looks(): Promise<model.Catalogue> {
    return this.get("looks");
  }

  /** Transitions between clips. */
  async transitions(): Promise<model.Catalogue> {
    return this.get("transitions");
  }

  /** Fonts for captions. */
  async fonts(): Promise<model.FontCatalogue> {
    return this.get("fonts");
  }

  /** Named styles of captions. */
  async captionStyles(): Promise<model.CaptionStyleCatalogue> {
    return this.get("caption-styles");
  }

  /** Voices for spoken texts, the default first; the list is empty if the service speaks no texts. */
  async voices(): Promise<model.VoiceCatalogue> {
    return this.get("voices");
  }

  /**
   * The delivery status of a task's callback, with every attempt.
   *
   * @param taskNo - Number of the task.
   */
  async callback(taskNo: string): Promise<model.Callback> {
    return this.get(`callbacks/${taskNo}`);
  }

  /**
   * Delivers the callback of a task once more.
   *
   * @param taskNo - Number of the task.
   */
  async redeliverCallback(taskNo: string): Promise<model.Callback> {
    return this.call(`${API}/video-process/callbacks/${taskNo}/redeliver`, { method: "POST" });
  }

  /**
   * Sends one signed sample to a URL and returns the response of the receiver.
   *
   * @param url - The URL of the receiver.
   * @param type - The event to simulate. Default: `task.completed`.
   */
  async testCallback(url: string, type?: model.EventType): Promise<model.CallbackTest> {
    const json = type ? { url, type } : { url };
    return this.call(`${API}/video-process/callbacks/test`, { method: "POST", json, repeatable: false });
  }
}
