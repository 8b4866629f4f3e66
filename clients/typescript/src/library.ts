/** Uploads, templates, batches, shares, drafts and the brand: calls of one request and one response each. */
import { API, Connection } from "./connection.js";
import type { Listing } from "./listing.js";
import type * as model from "./models.js";
import type {
  RowListOptions,
  ShareOptions,
  ShareTasksOptions,
  TemplateListOptions,
  TemplateOptions,
  UploadListOptions,
} from "./options.js";
import type { PageOptions } from "./call.js";

/** The path of an upload, by its `upload://` URL. */
const ofUpload = (url: string) => `${API}/uploads/${encodeURIComponent(url.replace(/^upload:\/\//, ""))}`;

/** The calls of a client that concern uploads, templates, batches, shares, drafts and the brand. */
export abstract class Library extends Connection {
  /**
   * The uploaded files, the latest first; each content once.
   *
   * @param options - The files to list.
   */
  uploads(options: UploadListOptions = {}): Listing<model.LibraryFile> {
    const { pageSize, ...query } = options;
    return this.list({ path: `${API}/uploads`, query, pageSize }, ({ url }) => url);
  }

  /**
   * The details of an upload.
   *
   * @param url - The `upload://` URL of the file.
   */
  async uploaded(url: string): Promise<model.LibraryFile> {
    return this.call(ofUpload(url));
  }

  /**
   * Changes the name of an upload.
   *
   * @param url - The `upload://` URL of the file.
   * @param name - The new name.
   */
  async renameUpload(url: string, name: string): Promise<model.LibraryFile> {
    return this.call(ofUpload(url), { method: "PATCH", json: { name } });
  }

  /**
   * Deletes a file with all its uploads; throws Conflict while it is in use.
   *
   * @param url - The `upload://` URL of the file.
   */
  async deleteUpload(url: string): Promise<void> {
    await this.call(ofUpload(url), { method: "DELETE" });
  }

  /**
   * Templates, the most recently changed first, without their requests.
   *
   * @param options - The templates to list.
   */
  templates(options: TemplateListOptions = {}): Listing<model.TemplateOverview> {
    const { pageSize, ...query } = options;
    return this.list({ path: `${API}/templates`, query, pageSize }, ({ templateNo }) => templateNo);
  }

  /**
   * A template with its request and variables.
   *
   * @param templateNo - Number of the template.
   * @param options - The version.
   */
  async template(templateNo: string, options: TemplateOptions = {}): Promise<model.Template> {
    return this.call(`${API}/templates/${templateNo}`, { query: { ...options } });
  }

  /**
   * Saves a request with variables. Not retried if the response is lost, because that could create two templates.
   *
   * @param template - Name, request and variables.
   */
  async addTemplate(template: model.NewTemplate): Promise<model.SavedTemplate> {
    return this.call(`${API}/templates`, { method: "POST", json: template, repeatable: false });
  }

  /**
   * Saves the next version of a template.
   *
   * @param templateNo - Number of the template.
   * @param template - The new content; with `version`, throws Conflict unless that is still the newest.
   */
  async replaceTemplate(templateNo: string, template: model.NewTemplate): Promise<model.SavedTemplate> {
    return this.call(`${API}/templates/${templateNo}`, { method: "PUT", json: template, repeatable: false });
  }

  /**
   * Deletes a template.
   *
   * @param templateNo - Number of the template.
   */
  async deleteTemplate(templateNo: string): Promise<void> {
    await this.call(`${API}/templates/${templateNo}`, { method: "DELETE" });
  }

  /**
   * Estimates the price of a batch. The `errors` of InvalidRequest list every invalid row and column.
   *
   * @param batch - The batch, as for `submitBatch`.
   */
  async estimateBatch(batch: model.NewBatch): Promise<model.BatchEstimate> {
    return this.call(`${API}/batches/estimate`, { method: "POST", json: batch });
  }

  /**
   * Submits a task for each row. Retried if the response is lost: with its `clientBatchId` it never costs twice.
   *
   * @param batch - A template or a request, and the rows.
   */
  async submitBatch(batch: model.NewBatch): Promise<model.SubmittedBatch> {
    return this.call(`${API}/batches`, { method: "POST", json: batch });
  }

  /**
   * Batches, the newest first.
   *
   * @param options - Batches per call.
   */
  batches(options: PageOptions = {}): Listing<model.Batch> {
    return this.list({ path: `${API}/batches`, pageSize: options.pageSize }, ({ batchNo }) => batchNo);
  }

  /**
   * State and progress of a batch.
   *
   * @param batchNo - Number of the batch.
   */
  async batch(batchNo: string): Promise<model.Batch> {
    return this.call(`${API}/batches/${batchNo}`);
  }

  /**
   * The rows of a batch in order, with their tasks.
   *
   * @param batchNo - Number of the batch.
   * @param options - The rows to list.
   */
  batchRows(batchNo: string, options: RowListOptions = {}): Listing<model.BatchRow> {
    const { pageSize, ...query } = options;
    return this.list({ path: `${API}/batches/${batchNo}/rows`, query, pageSize }, ({ row }) => row);
  }

  /**
   * Pauses a batch: no further tasks are created.
   *
   * @param batchNo - Number of the batch.
   */
  async pauseBatch(batchNo: string): Promise<model.Batch> {
    return this.call(`${API}/batches/${batchNo}/pause`, { method: "POST" });
  }

  /**
   * Resumes a paused batch.
   *
   * @param batchNo - Number of the batch.
   */
  async resumeBatch(batchNo: string): Promise<model.Batch> {
    return this.call(`${API}/batches/${batchNo}/resume`, { method: "POST" });
  }

  /**
   * Cancels all undelivered videos; throws Conflict if the batch has ended.
   *
   * @param batchNo - Number of the batch.
   */
  async cancelBatch(batchNo: string): Promise<model.Batch> {
    return this.call(`${API}/batches/${batchNo}/cancel`, { method: "POST" });
  }

  /**
   * Retries a failed row, which becomes a new task in place of its earlier one. Returns the batch, which is open again;
   * throws Conflict if the row has not failed.
   *
   * @param batchNo - Number of the batch.
   * @param row - Number of the row, from 1.
   */
  async retryBatchRow(batchNo: string, row: number): Promise<model.Batch> {
    return this.call(`${API}/batches/${batchNo}/rows/${row}/retry`, { method: "POST" });
  }

  /**
   * The delivery status of a batch's callback, with every attempt.
   *
   * @param batchNo - Number of the batch.
   */
  async batchCallback(batchNo: string): Promise<model.BatchCallback> {
    return this.call(`${API}/batches/${batchNo}/callbacks`);
  }

  /**
   * Delivers the callback of a batch once more.
   *
   * @param batchNo - Number of the batch.
   */
  async redeliverBatchCallback(batchNo: string): Promise<model.BatchCallback> {
    return this.call(`${API}/batches/${batchNo}/callbacks/redeliver`, { method: "POST" });
  }

  /**
   * Creates a page with a task's videos. Everyone with its `url` can see it without a key.
   *
   * @param taskNo - Number of the task.
   * @param options - The items, and when the page expires.
   */
  async share(taskNo: string, options: ShareOptions = {}): Promise<model.Share> {
    return this.call(`${API}/share/${taskNo}`, { method: "POST", json: options, repeatable: false });
  }

  /**
   * Creates a page with videos of several tasks.
   *
   * @param tasks - Each `{ taskNo, items }`; without `items`, all videos of the task.
   * @param options - When the page expires.
   */
  async shareTasks(tasks: model.TaskToShare[], options: ShareTasksOptions = {}): Promise<model.Share> {
    return this.call(`${API}/share`, { method: "POST", json: { tasks, ...options }, repeatable: false });
  }

  /**
   * The pages that show videos of a task.
   *
   * @param taskNo - Number of the task.
   */
  shares(taskNo: string): Listing<model.Share> {
    return this.list({ path: `${API}/share/${taskNo}`, pageSize: "whole" }, ({ shareId }) => shareId);
  }

  /**
   * Removes a page immediately.
   *
   * @param taskNo - Number of the task.
   * @param shareId - `shareId` of the page.
   */
  async revokeShare(taskNo: string, shareId: number): Promise<void> {
    await this.call(`${API}/share/${taskNo}/${shareId}`, { method: "DELETE" });
  }

  /**
   * The videos that viewers of a page picked, and their comments.
   *
   * @param taskNo - Number of a task on the page.
   * @param shareId - `shareId` of the page.
   */
  async shareFeedback(taskNo: string, shareId: number): Promise<model.ShareFeedback> {
    return this.call(`${API}/share/${taskNo}/${shareId}/feedback`);
  }

  /**
   * Deletes a comment of a viewer.
   *
   * @param taskNo - Number of a task on the page.
   * @param shareId - `shareId` of the page.
   * @param commentId - `commentId` of the comment.
   */
  async deleteComment(taskNo: string, shareId: number, commentId: number): Promise<void> {
    await this.call(`${API}/share/${taskNo}/${shareId}/comments/${commentId}`, { method: "DELETE" });
  }

  /**
   * Drafts, the most recently changed first, without their bodies.
   *
   * @param options - Drafts per call.
   */
  drafts(options: PageOptions = {}): Listing<model.DraftOverview> {
    return this.list({ path: `${API}/drafts`, pageSize: options.pageSize }, ({ draftNo }) => draftNo);
  }

  /**
   * A draft with its body.
   *
   * @param draftNo - Number of the draft.
   */
  async draft(draftNo: string): Promise<model.Draft> {
    return this.call(`${API}/drafts/${draftNo}`);
  }

  /**
   * Saves an unfinished request. Not retried if the response is lost, because that could create two drafts.
   *
   * @param draft - Name and body.
   */
  async addDraft(draft: model.NewDraft): Promise<model.DraftOverview> {
    return this.call(`${API}/drafts`, { method: "POST", json: draft, repeatable: false });
  }

  /**
   * Saves a change of a draft. Not retried if the response is lost, because the repetition would be a conflict.
   *
   * @param draftNo - Number of the draft.
   * @param draft - The new content; throws Conflict unless its `updateTime` is still that of the stored draft.
   */
  async replaceDraft(draftNo: string, draft: model.ChangedDraft): Promise<model.DraftOverview> {
    return this.call(`${API}/drafts/${draftNo}`, { method: "PUT", json: draft, repeatable: false });
  }

  /**
   * Deletes a draft.
   *
   * @param draftNo - Number of the draft.
   */
  async deleteDraft(draftNo: string): Promise<void> {
    await this.call(`${API}/drafts/${draftNo}`, { method: "DELETE" });
  }

  /** The user's logo, fonts, colours, intro, outro and caption style. */
  async brand(): Promise<model.Brand> {
    return this.call(`${API}/brand`);
  }

  /**
   * Saves the brand as a whole.
   *
   * @param brand - The new content; absent fields are cleared.
   */
  async replaceBrand(brand: model.BrandRequest): Promise<model.Brand> {
    return this.call(`${API}/brand`, { method: "PUT", json: brand });
  }
}
