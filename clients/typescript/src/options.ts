/** Options of calls. */
import type { PageOptions } from "./call.js";
import type * as model from "./models.js";
import type { OnProgress } from "./body.js";

/** A range of times of submission. */
export interface TimeRange {
  /** Only tasks submitted at this time or later: RFC 3339, or a date (UTC). */
  from?: string;
  /** Only tasks submitted before this time. */
  to?: string;
}

/** Selects tasks by their content. */
export interface Search {
  /** Only tasks of this type. */
  taskType?: model.TaskTypeName;
  /** Prefixes of words in names, numbers and IDs; every word must match. */
  q?: string;
  /** Only tasks with this label. */
  label?: string;
}

/** Options of `tasks`. */
export interface TaskListOptions extends PageOptions, Search, TimeRange {
  /** Only tasks in this state. */
  status?: number;
}

/** Options of `outputs`, which select their tasks. */
export interface OutputListOptions extends PageOptions, Search, TimeRange {}

/** Options of `records`. */
export interface RecordListOptions extends PageOptions {
  /** Only records of this type. */
  type?: model.RecordType;
  /** Only records of this task. */
  taskNo?: string;
}

/** Options of `uploads`. */
export interface UploadListOptions extends PageOptions {
  /** Only files whose name contains this. */
  q?: string;
  /** Only files of this kind. */
  kind?: model.MediaKindName;
  /** Only the file with this content. */
  sha256?: string;
}

/** Options of `templates`. */
export interface TemplateListOptions extends PageOptions {
  /** Only templates whose name contains this. */
  q?: string;
}

/** Options of `batchRows`. */
export interface RowListOptions extends PageOptions {
  /** Only rows in this state; `failed`: rejected rows, and rows with failed videos. */
  state?: model.RowFilterName;
}

/** Options of `estimate`. */
export interface EstimateOptions {
  /** Whether to probe the files, for an exact estimate. */
  preflight?: boolean;
}

/** Options of `balance`. */
export interface BalanceOptions {
  /** Whether to add the scopes of the key and the operator's contact, as `account`. */
  details?: boolean;
}

/** Changes of a task. */
export interface TaskChanges {
  /** The new name; an empty one clears it. */
  name?: string;
  /** The new labels; an empty list clears them. */
  labels?: string[];
}

/** Options of `template`. */
export interface TemplateOptions {
  /** Default: the newest version. */
  version?: number;
}

/** Options of `shareTasks`. */
export interface ShareTasksOptions {
  /** When the page expires, RFC 3339. Default: with the files. */
  expiresAt?: string;
  /** Title of the page. */
  title?: string;
  /** Text on the page. */
  message?: string;
  /** Whether viewers can pick videos and comment. Default: no. */
  feedback?: boolean;
}

/** Options of `share`. */
export interface ShareOptions extends ShareTasksOptions {
  /** Numbers of the items to show. Default: all. */
  items?: number[];
}

/** Options of `upload`. */
export interface UploadOptions {
  /** The name of the upload. Default: the name of the file. */
  name?: string;
  /** Receives the number of bytes sent, and their total unless it is unknown. A retry starts from 0. */
  onProgress?: OnProgress;
}

/** Options of `uploadFolder`. */
export interface FolderOptions {
  /** Whether to send a file, by its path relative to the folder. Default: all, without hidden files and folders. */
  accept?: (name: string) => boolean;
  /** How many files are sent at a time. Default 4. */
  concurrency?: number;
  /** Receives the number of bytes sent and the total of all files. */
  onProgress?: OnProgress;
}

/** A time in a file. */
export interface ThumbnailOptions {
  /** Time of the frame. Default: near the beginning. */
  atSeconds?: number;
  /** Maximum width in pixels. */
  width?: number;
}

interface Place {
  /** Number of the output. */
  itemNo?: number;
  /** Clip or scene of the output, from 0; `atSeconds` then counts from its beginning. */
  clip?: number;
  /** Time in the output. */
  atSeconds?: number;
}

/** The frame of an output. */
export interface PreviewOptions extends Place {
  /** Maximum width in pixels. */
  width?: number;
}

/** The clip of an output. */
export interface PreviewClipOptions extends Place {
  /** Length of the clip. */
  seconds?: number;
}

/** The excerpt of a file's audio. */
export interface SoundOptions {
  /** Start of the excerpt. */
  atSeconds?: number;
  /** Length of the excerpt. */
  seconds?: number;
}

/** How a text is spoken. */
export interface SpeakOptions {
  /** A name of `voices`. Default: the first one. */
  voice?: string;
  /** 0.5 to 2. */
  speed?: number;
}

/** Options of `download`. */
export interface DownloadOptions {
  /** Whether to download the cover images, too. */
  covers?: boolean;
  /** How many files are downloaded at a time. Default 4. */
  concurrency?: number;
}
