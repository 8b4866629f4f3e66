// Response types. The types of the TypeScript client, which `make generate` creates from the API description, describe
// them; this file adds what the console knows beyond them.

import type * as models from "../../../clients/typescript/src/models";

/** The service sends all members of these; those without a value are null. */
export type Sent<T> = { [K in keyof T]-?: Sent<Exclude<T[K], undefined>> };

export type TaskType = models.TaskTypeName;
export type RecordType = models.RecordType;
export const RECORD_TYPES: readonly RecordType[] = ["grant", "hold", "settle", "release", "adjust"];

/** The code and the parameters are null in messages of early versions. */
export type Message = models.Message;
export type MessageParams = models.MessageParams;
export type MessageParam = MessageParams[string];
export type Remark = models.Remark;
export type FieldError = models.FieldError;
export type ItemError = Sent<models.ItemError>;

export type Quality = Sent<models.Quality>;
export type Item = Sent<models.Item>;

/** Two videos, the lower number first. The similarity is null until the task has ended. */
export type Pair = Omit<models.DiversityPair, "items"> & { items: [number, number] };
export interface Diversity {
  /** All pairs, or those that share most if there are many. */
  pairs: Pair[];
  totalPairs?: number;
  mostSimilar: Pair | null;
  mostAlike?: Pair | null;
}

/** Members that only some responses have. */
type SometimesSent = "coverUrl" | "downloadUrl" | "items";

export type TaskSummary = Sent<Omit<models.Task, SometimesSent | "diversity">> & Pick<models.Task, "coverUrl"> & { diversity: Diversity | null };
export type Task = TaskSummary & Pick<models.Task, "downloadUrl"> & { items: Item[] };
export type Batch = Sent<Omit<models.Batch, "downloadUrl">> & Pick<models.Batch, "downloadUrl">;

export interface Page<T> {
  list: T[];
  total: number;
  pageNo: number;
  pageSize: number;
}

export type Balance = models.Balance;
export type PointsRecord = Sent<models.PointsRecord>;
export type Estimate = Sent<Omit<models.Estimate, "mostSimilar">> & { mostSimilar?: Pair | null };
export type Submitted = models.Submit;
export type Upload = Sent<models.Upload>;
export type CatalogueEntry = models.CatalogueEntry;
/** `style` contains the fields of `subtitle.style` that it sets. */
export type CaptionStyle = Omit<models.CaptionStyleEntry, "style"> & { style: Record<string, unknown> };
export type Voice = Sent<models.VoiceEntry>;
export type VoiceCatalogue = Sent<models.VoiceCatalogue>;
export type Attempt = Sent<models.Attempt>;
export type CallbackLog = Sent<models.Callback>;

/** Points of a task or batch in a list: estimated until it has ended, then spent. */
export function pointsOf({ status, consumedDotCount, estimatedDotCount }: Pick<TaskSummary, "status" | "consumedDotCount" | "estimatedDotCount">): number {
  return isFinal(status) ? consumedDotCount : estimatedDotCount;
}

export function isFinal(status: number): boolean {
  return status >= 3;
}
