//! Uploads as a user's library.

use crate::clock::Millis;

/// The kind of an uploaded file; other files, such as subtitles, have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaKind {
    Video,
    Image,
    Audio,
}

impl MediaKind {
    pub const ALL: [Self; 3] = [Self::Video, Self::Image, Self::Audio];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Video => "video",
            Self::Image => "picture",
            Self::Audio => "audio",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
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
    /// Nothing was deleted, because the task, batch or template with this number needs the file.
    InUse(String),
}

/// The limits of a user; 0 means no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Quota {
    /// Tasks that have not ended.
    pub open_tasks: u32,
    /// Total stored bytes: results, uploads, requests, templates, batches, ledger records.
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
