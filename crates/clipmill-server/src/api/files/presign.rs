//! `POST /open-api/v1/uploads/presign` and `/confirm`: the client sends a file straight to storage, then it is
//! registered.
//!
//! Nothing is stored in between: the place of the file follows from its owner and its id. After the upload it is read
//! back once and stored again by its content, never moved within the bucket, because the client's link still works
//! and could replace its bytes at any moment.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use clipmill_blobs::{BlobError, Bucket, Good, MAX_PARTS, MAX_SINGLE_PUT, SignedPut, Stored, key};
use clipmill_core::ids::UserId;
use clipmill_core::message;
use clipmill_core::request::{
    CompletedUpload, DirectUpload, FieldError, parse_direct_upload, parse_sent_upload,
};
use clipmill_media::digest::digest;
use serde_json::json;

use crate::api::extract::body::read_json;
use crate::api::files::uploads::{CompleteUpload, RemainingStorage, StoredUpload, TempPath, register, view};
use crate::app::{App, SMALL_BODY};
use crate::auth::{Caller, Submit};
use crate::clock;
use crate::config::units::ByteSize;
use crate::error::{ApiError, ApiResult};
use crate::settings::request_policy;
use crate::view::{
    Answer, DirectUploadSchema, Envelope, PartView, PresignView, SentUploadSchema, UploadView, rfc3339,
};

/// How long a client may take to send a file.
const LIFETIME: Duration = Duration::from_secs(86_400);
/// The size of a part, unless there would be too many.
const PART: u64 = 64 << 20;

/// Get a link to upload a file straight to storage. Only if the service stores its files in S3. Send the file with
/// `PUT` to `url`, or its parts to the URLs in `parts`; then confirm it. Each link accepts exactly the number of
/// bytes it was created for.
#[utoipa::path(post, path = "/open-api/v1/uploads/presign", operation_id = "presignUpload", tag = "files",
    security(("apiKey" = ["submit"])),
    request_body(content = DirectUploadSchema, description = "Size of the file, and whether it is sent in parts."),
    responses((status = 200, description = "Links for sending the file.", body = Answer<PresignView>)))]
pub async fn presign(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Envelope<PresignView>> {
    let body = read_json(&app, caller.user, request, ByteSize(SMALL_BODY as u64)).await?;
    let (wish, warnings) = parse_direct_upload(&body.bytes, &request_policy(&app.config))?;
    let bucket = bucket(&app)?;
    let limit = app.config.limits.upload;
    if wish.size_bytes > limit.0 {
        return Err(ApiError::too_large(limit));
    }
    RemainingStorage::of(&app, caller.user).await?.take(wish.size_bytes)?;
    let pending = PendingUpload::new(caller.user, &wish, bucket).await?;
    let good = Good { now_ms: clock::now_ms(), lifetime: LIFETIME };
    let (url, parts) = pending.links(&wish, bucket, good).await.map_err(ApiError::unavailable)?;
    Ok(Envelope(PresignView {
        upload_id: pending.name(),
        method: "PUT",
        url,
        size_bytes: wish.size_bytes,
        parts,
        expires_at: rfc3339(good.now_ms.saturating_add(LIFETIME.as_millis() as i64)),
        warnings: warnings.into_iter().map(Into::into).collect(),
    }))
}

/// Register a file that was sent straight to storage.
/// The response is the same as for an upload. Confirming again returns the same response.
#[utoipa::path(post, path = "/open-api/v1/uploads/confirm", operation_id = "confirmUpload", tag = "files",
    security(("apiKey" = ["submit"])),
    request_body(content = SentUploadSchema, description = "The finished upload."),
    responses((status = 200, description = "The file's URL and the streams found in it.", body = Answer<UploadView>)))]
pub async fn confirm(
    caller: Caller<Submit>,
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Envelope<UploadView>> {
    let body = read_json(&app, caller.user, request, ByteSize(SMALL_BODY as u64)).await?;
    let (completed, _) = parse_sent_upload(&body.bytes, &request_policy(&app.config))?;
    let bucket = bucket(&app)?;
    let pending =
        PendingUpload::parse(caller.user, &completed.upload_id).ok_or_else(|| nothing_came(&completed))?;
    if let Some(upload) = app.store.library().upload(caller.user, &pending.id).await? {
        keep_what_waits(&app, bucket, &pending, &upload.content_sha256).await?;
        let arrived = StoredUpload::existing(&app, upload.content_sha256, upload.size_bytes);
        return Ok(Envelope(view(&app, caller.user, &pending.id, arrived).await));
    }
    let object = pending.find(&completed, bucket).await?;
    let limit = app.config.limits.upload;
    if object.size_bytes > limit.0 || object.size_bytes == 0 {
        // The file can never be used; the client may send another.
        bucket.delete(vec![object.key]).await.map_err(ApiError::unavailable)?;
        return Err(if object.size_bytes == 0 {
            nothing_came(&completed)
        } else {
            ApiError::too_large(limit)
        });
    }
    let mut room = RemainingStorage::of(&app, caller.user).await?;
    room.take(object.size_bytes)?;
    let upload = fetch(&app, bucket, &object).await?.ok_or_else(|| nothing_came(&completed))?;
    let registered = register(&app, caller.user, pending.id.clone(), upload, completed.file_name).await?;
    forget(bucket, object.key).await;
    Ok(Envelope(registered))
}

/// Finishes a confirmation that was interrupted: the file is registered but may not be in its place, because the
/// waiting copy is removed last.
async fn keep_what_waits(app: &App, bucket: &Bucket, pending: &PendingUpload, sha256: &str) -> ApiResult<()> {
    let Some(object) = bucket.head(&pending.key).await.map_err(ApiError::unavailable)? else { return Ok(()) };
    // The link still works for a while: another file sent by it belongs to no upload.
    if let Some(held) = fetch(app, bucket, &object).await?
        && held.sha256 == sha256
    {
        held.keep(app).await?;
    }
    forget(bucket, object.key).await;
    Ok(())
}

async fn forget(bucket: &Bucket, waiting: String) {
    if let Err(error) = bucket.delete(vec![waiting]).await {
        tracing::warn!(%error, "a confirmed upload could not be deleted; a lifecycle rule of the bucket deletes it later");
    }
}

/// A file that is being sent to storage.
struct PendingUpload {
    id: String,
    key: String,
    /// The storage's id of an upload in parts.
    parts: Option<String>,
}

impl PendingUpload {
    async fn new(user: UserId, wish: &DirectUpload, bucket: &Bucket) -> ApiResult<Self> {
        let id = format!("{:032x}", u128::from_be_bytes(clock::random()?));
        let key = key::upload(user.0, &id);
        let parts = match wish.multipart || wish.size_bytes > MAX_SINGLE_PUT {
            true => Some(bucket.begin_parts(&key).await.map_err(ApiError::unavailable)?),
            false => None,
        };
        Ok(Self { id, key, parts })
    }

    /// Reads what [`PendingUpload::name`] wrote; the key is always one of this user's.
    fn parse(user: UserId, name: &str) -> Option<Self> {
        let (id, parts) = name.split_once('.').map_or((name, None), |(id, parts)| (id, Some(parts)));
        if id.len() != 32 || !id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return None;
        }
        let parts = match parts {
            None => None,
            Some(parts) => Some(String::from_utf8(URL_SAFE_NO_PAD.decode(parts).ok()?).ok()?),
        };
        Some(Self { id: id.to_owned(), key: key::upload(user.0, id), parts })
    }

    fn name(&self) -> String {
        match &self.parts {
            None => self.id.clone(),
            Some(parts) => format!("{}.{}", self.id, URL_SAFE_NO_PAD.encode(parts)),
        }
    }

    async fn links(
        &self,
        wish: &DirectUpload,
        bucket: &Bucket,
        good: Good,
    ) -> Result<(Option<String>, Vec<PartView>), BlobError> {
        let Some(upload) = &self.parts else {
            let SignedPut { url, .. } = bucket.sign_put(&self.key, wish.size_bytes, good).await?;
            return Ok((Some(url), Vec::new()));
        };
        let mut parts = Vec::new();
        for (number, size_bytes) in (1..).zip(part_sizes(wish.size_bytes)) {
            let SignedPut { url, .. } = bucket.sign_part(&self.key, upload, number, size_bytes, good).await?;
            parts.push(PartView { part_number: number, size_bytes, url });
        }
        Ok((None, parts))
    }

    /// Finds the file in storage, and joins its parts.
    async fn find(&self, sent: &CompletedUpload, bucket: &Bucket) -> ApiResult<Stored> {
        let head = async || bucket.head(&self.key).await.map_err(ApiError::unavailable);
        if let Some(object) = head().await? {
            return Ok(object);
        }
        if let Some(upload) = &self.parts {
            // An upload without parts would be completed as an empty file.
            if sent.etags.is_empty() {
                return Err(wrong_parts(sent));
            }
            match bucket.complete_parts(&self.key, upload, sent.etags.clone()).await {
                Ok(()) => {}
                Err(error @ BlobError::Rejected(_)) => {
                    tracing::info!(%error, "the storage rejected the multipart upload");
                    return Err(wrong_parts(sent));
                }
                Err(error) => return Err(ApiError::unavailable(error)),
            }
        }
        head().await?.ok_or_else(|| nothing_came(sent))
    }
}

/// The sizes of the parts, which are equal except for the last.
fn part_sizes(size_bytes: u64) -> impl Iterator<Item = u64> {
    let part = PART.max(size_bytes.div_ceil(MAX_PARTS));
    let count = size_bytes.div_ceil(part);
    (0..count).map(move |index| part.min(size_bytes - index * part))
}

/// Fetches the file to probe it; `None` if it is gone or was replaced.
async fn fetch(app: &App, bucket: &Bucket, found: &Stored) -> ApiResult<Option<CompleteUpload>> {
    let _space = app.disk.reserve(found.size_bytes)?;
    let name = format!("{:032x}.part", u128::from_be_bytes(clock::random()?));
    let path = app.data.uploads().join(name);
    let temp_path = TempPath::new(path.clone());
    let came = bucket.get(&found.key, &path).await.map_err(ApiError::unavailable)?;
    // The client may have replaced the file since its size was read.
    if came.is_none_or(|came| came.size_bytes != found.size_bytes) {
        return Ok(None);
    }
    let (sha256, size_bytes) = digest(&path).await.map_err(ApiError::internal)?;
    Ok(Some(CompleteUpload::new(temp_path, sha256, size_bytes)))
}

fn bucket(app: &App) -> ApiResult<&Bucket> {
    app.data.bucket().ok_or_else(|| {
        ApiError::invalid(vec![FieldError {
            path: String::new(),
            message: message::no_direct_uploads(),
            got: None,
            allowed: Some(message::allowed_values("POST /open-api/v1/uploads")),
        }])
    })
}

fn nothing_came(sent: &CompletedUpload) -> ApiError {
    ApiError::invalid(vec![FieldError {
        path: "/uploadId".to_owned(),
        message: message::nothing_arrived(),
        got: Some(json!(sent.upload_id)),
        allowed: Some(message::allowed_upload_id()),
    }])
}

fn wrong_parts(sent: &CompletedUpload) -> ApiError {
    ApiError::invalid(vec![FieldError {
        path: "/etags".to_owned(),
        message: message::wrong_parts(),
        got: Some(json!(sent.etags.len())),
        allowed: Some(message::allowed_etags()),
    }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_the_file() {
        let check = |size: u64, count: usize, last: u64| {
            let parts: Vec<u64> = part_sizes(size).collect();
            assert_eq!((parts.len(), parts.last()), (count, Some(&last)), "{size}");
            assert_eq!(parts.iter().sum::<u64>(), size);
        };
        check(1, 1, 1);
        check(PART, 1, PART);
        check(PART + 1, 2, 1);
        check(2 << 30, 32, PART);
        check(5 << 40, 10_000, (5 << 40) - 9_999 * 549_755_814);
    }

    #[test]
    fn names_come_back_and_lead_nowhere_else() {
        let id = "0123456789abcdef0123456789abcdef";
        for parts in [None, Some("up/load+id==".to_owned())] {
            let pending = PendingUpload { id: id.to_owned(), key: String::new(), parts: parts.clone() };
            let read = PendingUpload::parse(UserId(7), &pending.name()).unwrap();
            assert_eq!((read.key, read.parts), (format!("uploads/7/{id}"), parts));
        }
        for name in ["", "../x", &id[1..], &format!("{id}.%"), &id.to_uppercase(), &format!("{id}/x")] {
            assert!(PendingUpload::parse(UserId(7), name).is_none(), "{name}");
        }
    }
}
