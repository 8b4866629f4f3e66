//! Results of tasks as inputs of others: who may use one, its size for estimates, and its file. The file is copied (by a
//! link, where possible) from the storage of results into the folder of inputs, under the name of its content.

use clipmill_blobs::{Blobs, key};
use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::UserId;
use clipmill_core::media::{ContentHash, Facts, MediaInfo};
use clipmill_core::message::{self, Message};
use clipmill_core::request::{FieldError, InputRole};
use clipmill_core::results::{ExpectedOutput, MAX_CHAIN, ResultRef};
use clipmill_core::task::TaskState;
use clipmill_media::ingest::sources::{SourceLocation, Sources};
use clipmill_store::{ItemResult, Millis, ResultSource, Store, StoreResult};
use serde_json::json;

/// The result, if it is one of this user's that exists or may still exist later.
pub async fn find(
    store: &dyn Store,
    user: UserId,
    result: &ResultRef,
    now: Millis,
) -> StoreResult<Option<ResultSource>> {
    let source = store.tasks().result_source(result).await?;
    Ok(source.filter(|source| source.user == user && (source.result.is_none() || is_stored(source, now))))
}

fn is_stored(source: &ResultSource, now: Millis) -> bool {
    source.stored_until.is_some_and(|until| until > now)
}

/// The error about a URL in a request, if the result cannot be used there. It does not depend on tasks of other users.
pub fn refusal(source: Option<&ResultSource>, role: InputRole) -> Option<Message> {
    let Some(source) = source else { return Some(message::no_such_result()) };
    if !role.is_media() {
        return Some(message::result_has_no_text());
    }
    (source.chain_length >= MAX_CHAIN).then(|| message::result_chain_too_long(MAX_CHAIN))
}

/// The error about a result without a file, at a place where it must exist.
pub fn missing(result: &ResultRef, source: &ResultSource) -> Option<Message> {
    match source.state {
        TaskState::Completed => None,
        state if state.is_final() => Some(message::result_not_made(result.to_string())),
        _ => Some(message::result_not_ready()),
    }
}

pub fn field_error(path: String, message: Message, url: &str) -> FieldError {
    FieldError { path, message, got: Some(json!(url)), allowed: None }
}

/// The content of the result, once it exists.
pub fn content(source: &ResultSource) -> Option<ContentHash> {
    source.result.as_ref().map(|result| ContentHash(result.sha256.as_str().into()))
}

/// Adds facts about a result that was not probed: its size as delivered, planned or estimated.
pub fn add_facts(facts: &mut Facts, url: &str, source: &ResultSource) {
    let delivered = source.result.as_ref();
    let expected = delivered.map(delivered_size).or(source.expected);
    let Some(expected) = expected.filter(|_| !facts.media.contains_key(url)) else { return };
    let info = expected.media_info(url);
    let is_silent = delivered.is_some_and(|result| result.audio_codec.is_none());
    let info = if is_silent { MediaInfo { audio: None, ..info } } else { info };
    facts.media.insert(url.to_owned(), Ok(info));
}

fn delivered_size(result: &ItemResult) -> ExpectedOutput {
    let frames = (result.duration_ms.saturating_mul(u64::from(result.fps)) + 500) / 1000;
    ExpectedOutput { frames, fps: result.fps, width: result.width, height: result.height }
}

/// Brings the file of a result into the folder of inputs. `user` is the user whose result it must be; `None` if that was
/// checked before.
pub async fn locate(
    store: &dyn Store,
    blobs: &Blobs,
    sources: &Sources,
    result: &ResultRef,
    user: Option<UserId>,
) -> Result<SourceLocation, TaskError> {
    let source = store.tasks().result_source(result).await.map_err(|error| {
        tracing::error!(%error, "a result could not be read from the database");
        let failed = TaskError::new(ErrorCode::Internal, message::result_not_looked_up());
        if error.cannot_write() { failed.with_disk_full() } else { failed }
    })?;
    let gone = || unusable(message::result_gone(result.to_string()));
    let source = source.filter(|source| user.is_none_or(|user| user == source.user)).ok_or_else(gone)?;
    if let Some(message) = missing(result, &source) {
        return Err(unusable(message));
    }
    let delivered = source.result.as_ref().filter(|_| source.stored_until.is_some()).ok_or_else(gone)?;
    let content = ContentHash(delivered.sha256.as_str().into());
    if !sources.import(&content, blobs, &key::result(&delivered.key), delivered.size_bytes).await? {
        return Err(gone());
    }
    Ok(SourceLocation::Stored(content))
}

fn unusable(message: Message) -> TaskError {
    TaskError::new(ErrorCode::DownloadFailed, message).retryable(false)
}
