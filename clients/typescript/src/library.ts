import type { Call, PageOptions } from "./call.js";
import type * as model from "./models.js";

const API = "/open-api/v1";
/** The path of an upload, by its `upload://` URL. */
const ofUpload = (url: string) => `${API}/uploads/${encodeURIComponent(url.replace(/^upload:\/\//, ""))}`;

/** Uploads, templates, batches and shares: calls of one request and one response each. */
export abstract class Library {
  abstract call<T>(path: string, call?: Call): Promise<T>;

  /** A page of the uploaded files, the latest first; each content once. */
  async uploads(
    options: PageOptions & { q?: string; kind?: model.MediaKindName; sha256?: string } = {},
  ): Promise<model.PageLibraryFile> {
    return this.call(`${API}/uploads`, { query: { ...options } });
  }

  /** The details of an upload, by its URL. */
  async uploaded(url: string): Promise<model.LibraryFile> {
    return this.call(ofUpload(url));
  }

  async renameUpload(url: string, name: string): Promise<model.LibraryFile> {
    return this.call(ofUpload(url), { method: "PATCH", json: { name } });
  }

  /** Deletes a file with all its uploads; Conflict while it is in use. */
  async deleteUpload(url: string): Promise<void> {
    await this.call(ofUpload(url), { method: "DELETE" });
  }

  /** A page of templates, the most recently changed first, without their requests. */
  async templates(options: PageOptions & { q?: string } = {}): Promise<model.PageTemplateOverview> {
    return this.call(`${API}/templates`, { query: { ...options } });
  }

  /** A template with its request and variables; the newest version by default. */
  async template(templateNo: string, options: { version?: number } = {}): Promise<model.Template> {
    return this.call(`${API}/templates/${templateNo}`, { query: { ...options } });
  }

  /** Saves a request with variables. Not retried if the response is lost, because that could create two templates. */
  async addTemplate(template: model.NewTemplate): Promise<model.SavedTemplate> {
    return this.call(`${API}/templates`, { method: "POST", json: template, repeatable: false });
  }

  /** Saves the next version of a template; with `version`, Conflict unless that is still the newest. */
  async replaceTemplate(templateNo: string, template: model.NewTemplate): Promise<model.SavedTemplate> {
    return this.call(`${API}/templates/${templateNo}`, { method: "PUT", json: template, repeatable: false });
  }

  async deleteTemplate(templateNo: string): Promise<void> {
    await this.call(`${API}/templates/${templateNo}`, { method: "DELETE" });
  }

  /** Estimates the price of a batch; InvalidRequest lists every invalid row and column. */
  async estimateBatch(batch: model.NewBatch): Promise<model.BatchEstimate> {
    return this.call(`${API}/batches/estimate`, { method: "POST", json: batch });
  }

  /** Submits a task for each row. Retried if the response is lost: with its `clientBatchId` it never costs twice. */
  async submitBatch(batch: model.NewBatch): Promise<model.SubmittedBatch> {
    return this.call(`${API}/batches`, { method: "POST", json: batch });
  }

  /** A page of batches, the newest first. */
  async batches(options: PageOptions = {}): Promise<model.PageBatch> {
    return this.call(`${API}/batches`, { query: { ...options } });
  }

  /** State and progress of a batch. */
  async batch(batchNo: string): Promise<model.Batch> {
    return this.call(`${API}/batches/${batchNo}`);
  }

  /** Rows in order with their tasks. `state` `failed`: rejected rows, and rows with failed videos. */
  async batchRows(
    batchNo: string,
    options: PageOptions & { state?: model.RowFilterName } = {},
  ): Promise<model.PageBatchRow> {
    return this.call(`${API}/batches/${batchNo}/rows`, { query: { pageSize: 100, ...options } });
  }

  /** Pauses the batch: no further tasks are created. */
  async pauseBatch(batchNo: string): Promise<model.Batch> {
    return this.call(`${API}/batches/${batchNo}/pause`, { method: "POST" });
  }

  async resumeBatch(batchNo: string): Promise<model.Batch> {
    return this.call(`${API}/batches/${batchNo}/resume`, { method: "POST" });
  }

  /** Cancels all undelivered videos; Conflict if the batch has ended. */
  async cancelBatch(batchNo: string): Promise<model.Batch> {
    return this.call(`${API}/batches/${batchNo}/cancel`, { method: "POST" });
  }

  /** The delivery status of a batch's callback, with every attempt. */
  async batchCallback(batchNo: string): Promise<model.BatchCallback> {
    return this.call(`${API}/batches/${batchNo}/callbacks`);
  }

  async redeliverBatchCallback(batchNo: string): Promise<model.BatchCallback> {
    return this.call(`${API}/batches/${batchNo}/callbacks/redeliver`, { method: "POST" });
  }

  /** Creates a page with a task's videos (all, or these items), visible without a key to everyone who has its `url`. */
  async share(taskNo: string, options: { items?: number[]; expiresAt?: string } = {}): Promise<model.Share> {
    return this.call(`${API}/share/${taskNo}`, { method: "POST", json: options, repeatable: false });
  }

  /** A page with videos of several tasks, each `{ taskNo, items }`; all videos without `items`. */
  async shareTasks(tasks: model.TaskToShare[], options: { expiresAt?: string } = {}): Promise<model.Share> {
    return this.call(`${API}/share`, { method: "POST", json: { tasks, ...options }, repeatable: false });
  }

  async shares(taskNo: string): Promise<model.Share[]> {
    return this.call(`${API}/share/${taskNo}`);
  }

  /** Removes the page immediately. */
  async revokeShare(taskNo: string, shareId: number): Promise<void> {
    await this.call(`${API}/share/${taskNo}/${shareId}`, { method: "DELETE" });
  }
}
