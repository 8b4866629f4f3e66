// Response types, with the names of the API description (/openapi.json).

export type TaskType = "videoDeduplication" | "baseVideoMix" | "proVideoMix";

export interface Remark {
  path: string;
  message: string;
}

export interface FieldError extends Remark {
  got: unknown;
  allowed: string | null;
}

export interface TaskError {
  code: string;
  message: string;
  input: string | null;
  retryable: boolean;
  charged: boolean;
}

export interface Quality {
  framesPlanned: number;
  framesFound: number;
  durationErrorMs: number;
  avDifferenceMs: number | null;
  loudnessLufs: number | null;
  truePeakDbtp: number | null;
  blackSeconds: number;
  frozenSeconds: number;
  speed: number | null;
}

export interface Item {
  itemNo: number;
  status: number;
  statusName: string;
  progressPercent: number;
  url: string | null;
  coverUrl: string | null;
  expiresAt: string | null;
  fileExpiresAt: string | null;
  duration: number | null;
  width: number | null;
  height: number | null;
  fps: number | null;
  sizeBytes: number | null;
  sha256: string | null;
  videoCodec: string | null;
  audioCodec: string | null;
  seed: number;
  recipe: Record<string, unknown> | null;
  quality: Quality | null;
  warnings: Remark[];
  error: TaskError | null;
}

/** Two videos, the lower number first. */
export interface Pair {
  items: [number, number];
  sharedSeconds: number;
  /** 0 to 1; null until the task has ended. */
  similarity?: number | null;
}

export interface Diversity {
  /** All pairs, or those that share most if there are many. */
  pairs: Pair[];
  totalPairs?: number;
  mostSimilar: Pair | null;
  mostAlike?: Pair | null;
}

export interface TaskSummary {
  taskNo: string;
  taskType: TaskType;
  status: number;
  statusName: string;
  progressPercent: number;
  taskId: number;
  clientTaskId: string | null;
  totalItems: number;
  completedItems: number;
  failedItems: number;
  estimatedDotCount: number;
  consumedDotCount: number;
  queuePosition: number | null;
  etaSeconds: number | null;
  createTime: string;
  startTime: string | null;
  finishTime: string | null;
  errorMsg: string | null;
  warnings: Remark[];
  /** The operator has paused the queue, and the task is waiting. */
  paused?: { since: string; reason: string | null } | null;
  diversity: Diversity | null;
  name?: string | null;
  labels?: string[];
  /** Cover of the first finished video; not in live events. */
  coverUrl?: string | null;
}

export interface Task extends TaskSummary {
  /** Signed link to all files as one zip; null if there are no files. */
  downloadUrl?: string | null;
  items: Item[];
}

export interface Batch {
  batchNo: string;
  clientBatchId: string;
  name: string | null;
  template: { templateNo: string; version: number } | null;
  status: number;
  paused: boolean;
  progressPercent: number;
  etaSeconds: number | null;
  totalRows: number;
  waitingRows: number;
  madeRows: number;
  refusedRows: number;
  totalItems: number;
  completedItems: number;
  failedItems: number;
  estimatedDotCount: number;
  consumedDotCount: number;
  createTime: string;
  finishTime: string | null;
  downloadUrl?: string | null;
  warnings: Remark[];
}

export interface Page<T> {
  list: T[];
  total: number;
  pageNo: number;
  pageSize: number;
}

export interface Balance {
  balance: number;
  held: number;
  total: number;
  /** Scopes of the key, and where to ask for points: an email address or a URL. */
  account?: { scopes: string[]; contact: string | null };
}

export type RecordType = "grant" | "hold" | "settle" | "release" | "adjust";
export const RECORD_TYPES: readonly RecordType[] = ["grant", "hold", "settle", "release", "adjust"];

export interface PointsRecord {
  recordNo: number;
  type: RecordType;
  dotCount: number;
  amount: number;
  balanceAfter: number;
  taskNo: string | null;
  itemNo: number | null;
  remark: string;
  createTime: string;
}

export interface Estimate {
  estimatedDotCount: number;
  totalItems: number;
  distinctCombinations: number | null;
  uniqueSegments: number;
  outputSeconds: number;
  mostSimilar?: Pair | null;
  warnings: Remark[];
}

export interface Submitted {
  taskNo: string;
  taskId: number;
  estimatedDotCount: number;
  totalItems: number;
  duplicate?: boolean;
  warnings?: Remark[];
}

export interface Upload {
  url: string;
  sizeBytes: number;
  sha256: string;
  media: {
    format: string;
    video: { codec: string; width: number; height: number; duration: number | null; frameRate: number | null } | null;
    audio: { codec: string; duration?: number | null } | null;
  } | null;
}

export interface CatalogueEntry {
  name: string;
  title: { en: string; zh: string };
  description: { en: string; zh: string };
  previewUrl: string;
}

export interface CaptionStyle extends CatalogueEntry {
  /** The fields of `subtitle.style` that it sets. */
  style: Record<string, unknown>;
}

/** A voice of the speech service. */
export interface Voice {
  name: string;
  /** Its language; null if the service has its own names. */
  title: { en: string; zh: string } | null;
}

export interface VoiceCatalogue {
  /** The default voice is the first. */
  list: Voice[];
  /** Null if there is no speech service. */
  service: string | null;
  pointsPer1000Characters: number;
  /** Null if audio cannot be transcribed. */
  transcriptionService: string | null;
  pointsPerMinute: number;
}

export interface Attempt {
  time: string;
  durationMs: number | null;
  status: number | null;
  error: string | null;
}

export interface CallbackLog {
  taskNo: string;
  url: string | null;
  status: "none" | "waiting" | "due" | "sending" | "delivered" | "failed";
  eventId: string | null;
  type: string | null;
  createTime: string | null;
  nextAttemptTime: string | null;
  attempts: Attempt[];
}

/** Points of a task or batch in a list: estimated until it has ended, then spent. */
export function pointsOf({ status, consumedDotCount, estimatedDotCount }: Pick<TaskSummary, "status" | "consumedDotCount" | "estimatedDotCount">): number {
  return isFinal(status) ? consumedDotCount : estimatedDotCount;
}

export function isFinal(status: number): boolean {
  return status >= 3;
}
