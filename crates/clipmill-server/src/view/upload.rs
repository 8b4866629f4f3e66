//! Files of clients: uploaded through the service or straight to storage, and probed.

use clipmill_core::ids::UserId;
use clipmill_store::{LibraryFile, MediaKind};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{MediaSchema, WarningView, rfc3339};
use crate::links::Links;

/// `media` is null for a file that is not media, such as a subtitle.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadView {
    /// `upload://…`
    pub url: String,
    pub size_bytes: u64,
    /// Lower-case hexadecimal.
    pub sha256: String,
    #[schema(value_type = Option<MediaSchema>)]
    pub media: Option<Value>,
}

/// A file of your library. `media` is null for a file that is not media, such as a subtitle.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LibraryFileView {
    /// `upload://…`; URLs of earlier uploads of the same file remain valid.
    pub url: String,
    pub name: Option<String>,
    #[schema(value_type = Option<MediaKindName>)]
    pub kind: Option<&'static str>,
    pub size_bytes: u64,
    /// Lower-case hexadecimal.
    pub sha256: String,
    /// Seconds; null for images and files that are not media.
    pub duration: Option<f64>,
    #[schema(value_type = Option<MediaSchema>)]
    pub media: Option<Value>,
    /// Signed link to the file itself; no key is required.
    pub file_url: String,
    /// When that link stops working.
    #[schema(format = DateTime)]
    pub expires_at: String,
    /// Path of a thumbnail; requires your key. Null for audio and other files without video.
    pub thumbnail: Option<String>,
    /// When it was uploaded.
    #[schema(format = DateTime)]
    pub create_time: String,
    /// When a task last used it.
    #[schema(format = DateTime)]
    pub used_time: Option<String>,
}

impl LibraryFileView {
    /// With a link that is valid from `now_ms` on.
    pub fn of(file: LibraryFile, user: UserId, links: &Links, now_ms: i64) -> Self {
        let link = links.sign_upload(user, &file.id, now_ms);
        let kind = file.facts.as_ref().map(|facts| facts.kind);
        let has_thumbnail = matches!(kind, Some(MediaKind::Video | MediaKind::Image));
        let part = match kind {
            Some(MediaKind::Video) => "video",
            Some(MediaKind::Audio) => "audio",
            Some(MediaKind::Image) | None => "",
        };
        let media = file.facts.map(|facts| facts.media);
        Self {
            file_url: link.url,
            expires_at: rfc3339(link.expires_at),
            duration: media.as_ref().and_then(|media| media[part]["duration"].as_f64()),
            thumbnail: has_thumbnail.then(|| format!("/open-api/v1/uploads/{}/thumbnail", file.id)),
            url: format!("upload://{}", file.id),
            name: file.name,
            kind: kind.map(MediaKind::as_str),
            size_bytes: file.size_bytes,
            sha256: file.content_sha256,
            media,
            create_time: rfc3339(file.created_at),
            used_time: file.used_at.map(rfc3339),
        }
    }
}

/// Kind of a file.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum MediaKindName {
    Video,
    #[schema(rename = "picture")]
    Image,
    Audio,
}

/// A new name.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct UploadNameSchema {
    #[schema(min_length = 1, max_length = 255)]
    name: String,
}

/// A file and the streams found in it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProbeView {
    pub url: String,
    #[schema(value_type = MediaSchema)]
    pub media: Value,
}

/// Size of the file, and whether it is sent in parts.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct DirectUploadSchema {
    /// Exact size of the file.
    #[schema(minimum = 1, maximum = 5497558138880u64)]
    size_bytes: u64,
    /// Whether to upload in parts, which can be sent in parallel and retried individually. Files larger than 5 GiB
    /// are always sent in parts.
    #[schema(default = false)]
    multipart: Option<bool>,
}

/// The finished upload.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only describes what the body holds")]
pub struct SentUploadSchema {
    /// The ID that `presign` returned.
    #[schema(max_length = 2048)]
    upload_id: String,
    /// Display name of the file.
    #[schema(max_length = 255)]
    file_name: Option<String>,
    /// For parts: the `ETag` header of each response, in order.
    #[schema(max_items = 10000)]
    etags: Option<Vec<String>>,
}

/// Links for sending a file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PresignView {
    /// ID to send when you confirm the upload.
    pub upload_id: String,
    /// `PUT`
    pub method: &'static str,
    /// Accepts the whole file as its body; null if the file is sent in parts.
    pub url: Option<String>,
    /// Exact number of bytes that the link accepts.
    pub size_bytes: u64,
    /// The parts in order; empty if the file is sent whole.
    pub parts: Vec<PartView>,
    /// When the links stop working.
    #[schema(format = DateTime)]
    pub expires_at: String,
    pub warnings: Vec<WarningView>,
}

/// One part of a file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartView {
    /// From 1.
    pub part_number: u64,
    /// Exact number of bytes that the link accepts.
    pub size_bytes: u64,
    /// Accepts the part as its body.
    pub url: String,
}
