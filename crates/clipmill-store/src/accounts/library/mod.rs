//! The library: files that users uploaded, and the quota for everything that is stored of a user.

use async_trait::async_trait;
use clipmill_core::ids::UserId;
use clipmill_core::named_enum;

use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::page::{Page, Paged};

#[async_trait]
pub trait LibraryStore: Send + Sync + 'static {
    async fn add(&self, upload: NewUpload) -> StoreResult<UploadOutcome>;
    /// `None` also when it belongs to another user.
    async fn upload(&self, user: UserId, id: &str) -> StoreResult<Option<Upload>>;
    /// As [`LibraryStore::upload`], and keeps the upload from going soon.
    async fn use_upload(&self, user: UserId, id: &str, now: Millis) -> StoreResult<Option<Upload>>;
    /// Whether an upload of any user has this content.
    async fn is_uploaded(&self, content_sha256: &str) -> StoreResult<bool>;
    /// Bytes of the user's results that are kept, and of their uploads since a moment.
    async fn stored_bytes(&self, user: UserId, uploads_since: Millis, now: Millis) -> StoreResult<u64>;
    /// Stores the probe result of a file of the user.
    async fn describe(&self, user: UserId, content_sha256: &str, facts: UploadFacts) -> StoreResult<()>;
    /// The latest upload first. Of uploads with the same content, only the latest.
    async fn list(&self, user: UserId, filter: &LibraryFilter, page: Page)
    -> StoreResult<Paged<LibraryFile>>;
    async fn find(&self, user: UserId, id: &str) -> StoreResult<Option<LibraryFile>>;
    /// Renames all uploads of the same content; returns whether there is such a file.
    async fn rename(&self, user: UserId, id: &str, name: &str) -> StoreResult<bool>;
    /// Deletes all uploads of the same content. `None` if the user has no such file.
    async fn delete(&self, user: UserId, id: &str) -> StoreResult<Option<DeleteOutcome>>;
}

named_enum! {
    /// The kind of an uploaded file; other files, such as subtitles, have none.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum MediaKind {
        Video = "video",
        Image = "picture",
        Audio = "audio",
    }
}

/// The probe result of a file, as reported to its owner.
#[derive(Debug, Clone, PartialEq)]
pub struct UploadFacts {
    pub kind: MediaKind,
    pub media: serde_json::Value,
}

/// A file of the library. Uploads of the same content are one file, with the ID and the name of the latest.
#[derive(Debug, Clone, PartialEq)]
pub struct LibraryFile {
    pub id: String,
    pub content_sha256: String,
    pub size_bytes: u64,
    pub name: Option<String>,
    pub facts: Option<UploadFacts>,
    pub created_at: Millis,
    /// When a task last used it.
    pub used_at: Option<Millis>,
}

#[derive(Debug, Clone, Default)]
pub struct LibraryFilter {
    /// Part of the name (case-insensitive).
    pub part_of_name: Option<String>,
    pub kind: Option<MediaKind>,
    /// Only the file with this content.
    pub content_sha256: Option<String>,
}

/// The result of asking for a file's deletion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeleteOutcome {
    Deleted,
    /// Nothing was deleted, because the task, template, draft or batch with this number (or the user's `brand`) needs
    /// the file.
    InUse(String),
}

/// The limits of a user; 0 means no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Quota {
    /// Tasks that have not ended.
    pub open_tasks: u32,
    /// Total stored bytes: results, uploads, requests, templates, drafts, batches, ledger records.
    pub stored_bytes: u64,
    /// Older uploads have been deleted.
    pub uploads_since: Millis,
    /// Outputs of tasks and rows of batches that were cancelled or rejected within an hour without a delivered one.
    pub given_up_hourly: u32,
}

/// The storage quota of a user is exhausted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StorageFull {
    pub stored: u64,
    pub limit: u64,
}

#[derive(Debug, Clone)]
pub struct NewUpload {
    /// Unguessable; the part after `upload://`.
    pub id: String,
    pub user: UserId,
    pub content_sha256: String,
    pub size_bytes: u64,
    pub file_name: Option<String>,
    pub created_at: Millis,
    pub quota: Quota,
}

/// The result of registering an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UploadOutcome {
    Added,
    /// The upload was not registered.
    StorageFull(StorageFull),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    pub id: String,
    pub user: UserId,
    pub content_sha256: String,
    pub size_bytes: u64,
    /// Whether it contains video, audio or an image.
    pub is_media: bool,
}
