import type { Call, PageOptions } from "./call.js";
import type * as model from "./models.js";

const API = "/open-api/v1";
/** An upload's own address, by its url as requests have it. */
const ofUpload = (url: string) => `${API}/uploads/${encodeURIComponent(url.replace(/^upload:\/\//, ""))}`;

/** Uploads, templates, batches and shares: calls that are one question and one answer each. */
export abstract class Library {
  abstract call<T>(path: string, call?: Call): Promise<T>;

  /** A page of the files that were uploaded, the last first; each content once. */
  async uploads(
    options: PageOptions & { q?: string; kind?: model.MediaKindName; sha256?: string } = {},
  ): Promise<model.PageLibraryFile> {
    return this.call(`${API}/uploads`, { query: { ...options } });
  }

  /** What is known of an upload, by its url. */
  async uploaded(url: string): Promise<model.LibraryFile> {
    return this.call(ofUpload(url));
  }

  async renameUpload(url: string, name: string): Promise<model.LibraryFile> {
    return this.call(ofUpload(url), { method: "PATCH", json: { name } });
  }

  /** Deletes a file with all its uploads; a Conflict while something needs it. */
  async deleteUpload(url: string): Promise<void> {
    await this.call(ofUpload(url), { method: "DELETE" });
  }

  /** A page of templates, the last changed first, without their requests. */
  async templates(options: PageOptions & { q?: string } = {}): Promise<model.PageTemplateOverview> {
    return this.call(`${API}/templates`, { query: { ...options } });
  }

  /** A template with its request and variables; its newest version unless one is named. */
  async template(templateNo: string, options: { version?: number } = {}): Promise<model.Template> {
    return this.call(`${API}/templates/${templateNo}`, { query: { ...options } });
  }

  /** Keeps a request with variables. Not made again after a lost answer: there may be two then. */
  async addTemplate(template: model.NewTemplate): Promise<model.SavedTemplate> {
    return this.call(`${API}/templates`, { method: "POST", json: template, repeatable: false });
  }

  /** The next version of a template; with `version`, a Conflict unless that is still the newest. */
  async replaceTemplate(templateNo: string, template: model.NewTemplate): Promise<model.SavedTemplate> {
    return this.call(`${API}/templates/${templateNo}`, { method: "PUT", json: template, repeatable: false });
  }

  async deleteTemplate(templateNo: string): Promise<void> {
    await this.call(`${API}/templates/${templateNo}`, { method: "DELETE" });
  }

  /** What a batch would cost; InvalidRequest names every wrong row and column. */
  async estimateBatch(batch: model.NewBatch): Promise<model.BatchEstimate> {
    return this.call(`${API}/batches/estimate`, { method: "POST", json: batch });
  }

  /** Submits a task for each row. Made again after a lost answer: its `clientBatchId` lets nothing be paid twice. */
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

  /** Rows in order with their tasks. `state`: only rows in this state; `failed` means refused rows and those with failed videos. */
  async batchRows(
    batchNo: string,
    options: PageOptions & { state?: model.RowFilterName } = {},
  ): Promise<model.PageBatchRow> {
    return this.call(`${API}/batches/${batchNo}/rows`, { query: { pageSize: 100, ...options } });
  }

  /** Makes no further tasks for now. */
  async pauseBatch(batchNo: string): Promise<model.Batch> {
    return this.call(`${API}/batches/${batchNo}/pause`, { method: "POST" });
  }

  async resumeBatch(batchNo: string): Promise<model.Batch> {
    return this.call(`${API}/batches/${batchNo}/resume`, { method: "POST" });
  }

  /** Gives up what is not delivered; one that has ended is a Conflict. */
  async cancelBatch(batchNo: string): Promise<model.Batch> {
    return this.call(`${API}/batches/${batchNo}/cancel`, { method: "POST" });
  }

  /** Where a batch's callback stands, with every attempt. */
  async batchCallback(batchNo: string): Promise<model.BatchCallback> {
    return this.call(`${API}/batches/${batchNo}/callbacks`);
  }

  async redeliverBatchCallback(batchNo: string): Promise<model.BatchCallback> {
    return this.call(`${API}/batches/${batchNo}/callbacks/redeliver`, { method: "POST" });
  }

  /** A page that shows a task's videos (all, or these items) to whoever has its `url`, without a key. */
  async share(taskNo: string, options: { items?: number[]; expiresAt?: string } = {}): Promise<model.Share> {
    return this.call(`${API}/share/${taskNo}`, { method: "POST", json: options, repeatable: false });
  }

  /** One page for videos of several tasks: of each `{ taskNo, items }`, all without `items`. */
  async shareTasks(tasks: model.TaskToShare[], options: { expiresAt?: string } = {}): Promise<model.Share> {
    return this.call(`${API}/share`, { method: "POST", json: { tasks, ...options }, repeatable: false });
  }

  async shares(taskNo: string): Promise<model.Share[]> {
    return this.call(`${API}/share/${taskNo}`);
  }

  /** The page is gone at once. */
  async revokeShare(taskNo: string, shareId: number): Promise<void> {
    await this.call(`${API}/share/${taskNo}/${shareId}`, { method: "DELETE" });
  }
}
