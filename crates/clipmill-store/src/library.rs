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

/// A file of the library. Uploads of the same content are one, under the id and the name of the last.
#[derive(Debug, Clone, PartialEq)]
pub struct LibraryFile {
    pub id: String,
    pub content_sha256: String,
    pub size_bytes: u64,
    pub name: Option<String>,
    pub facts: Option<UploadFacts>,
    pub created_at: Millis,
    /// When a task named it last.
    pub used_at: Option<Millis>,
}

#[derive(Debug, Clone, Default)]
pub struct LibraryFilter {
    /// Part of the name, in any case.
    pub part_of_name: Option<String>,
    pub kind: Option<MediaKind>,
    /// Only the file of this content.
    pub content_sha256: Option<String>,
}

/// The result of asking for a file's deletion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeleteOutcome {
    Deleted,
    /// Nothing was deleted, because this task (by its number) or other thing needs the file.
    InUse(String),
}

/// The limits of a user; 0 means no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Quota {
    /// Tasks that have not ended.
    pub open_tasks: u32,
    /// Bytes of all that is stored: results, uploads, requests, templates, batches, movements of points.
    pub stored_bytes: u64,
    /// Older uploads are no longer kept.
    pub uploads_since: Millis,
    /// Outputs of tasks and rows of batches that were cancelled or rejected within an hour, none of them delivered.
    pub given_up_hourly: u32,
}

/// There is no room for more files of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StorageFull {
    pub stored: u64,
    pub limit: u64,
}
