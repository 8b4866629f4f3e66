//! Keeps large responses for slow clients on disk instead of in memory.

use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use clipmill_media::cache::disk::Disk;
use clipmill_store::read_limits;
use futures_util::StreamExt;
use tokio_util::io::ReaderStream;

use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::http::usage::Share;

/// Responses up to this size stay in memory.
const IN_MEMORY: u64 = 64 << 10;
/// The most bytes of responses that one user has not read yet.
const MAX_UNREAD_BYTES: u64 = 128 << 20;
/// How much of a spooled response is read at once.
const PIECE: usize = 32 << 10;

/// Moves large responses to an unnamed file on disk, which is deleted when the connection closes.
pub async fn spool(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let share = app.unread.share(read_limits::reader());
    spooled(response, app.data.uploads(), &app.disk, share).await.unwrap_or_else(IntoResponse::into_response)
}

async fn spooled(response: Response, folder: PathBuf, disk: &Disk, mut share: Share) -> ApiResult<Response> {
    // Files and event streams are read piece by piece already.
    let Some(size) = response.body().size_hint().exact().filter(|size| *size > IN_MEMORY) else {
        return Ok(response);
    };
    // A single response is always sent, regardless of its size.
    share.grow_to(size, MAX_UNREAD_BYTES.max(size)).map_err(|_| ApiError::busy())?;
    let space = disk.reserve(size)?;
    let (mut parts, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.map_err(ApiError::internal)?;
    let file =
        tokio::task::spawn_blocking(move || written(&folder, &bytes)).await.map_err(ApiError::internal)?;
    let file = tokio::fs::File::from_std(file.map_err(ApiError::unavailable)?);
    drop(space);
    let chunks = ReaderStream::with_capacity(file, PIECE).inspect(move |_| {
        let _until_it_is_sent = &share;
    });
    parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(size));
    Ok(Response::from_parts(parts, Body::from_stream(chunks)))
}

fn written(folder: &Path, bytes: &Bytes) -> io::Result<std::fs::File> {
    let mut file = tempfile::tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use clipmill_core::ids::UserId;

    use super::*;
    use crate::http::usage::Usage;

    const FREE: u64 = 10 << 20;

    async fn sent(bytes: Vec<u8>, folder: &Path, usage: &Arc<Usage>) -> ApiResult<Response> {
        let disk = Disk::measured(0, None, || Ok(FREE));
        spooled(Response::new(Body::from(bytes)), folder.to_owned(), &disk, usage.share(UserId(1))).await
    }

    #[tokio::test]
    async fn large_responses_are_spooled_and_small_ones_stay_in_memory() {
        let (folder, usage) = (tempfile::tempdir().unwrap(), Arc::default());
        for (size, on_disk) in [(100, false), (64 << 10, false), (200_000, true)] {
            let bytes: Vec<u8> = (0..size).map(|at| (at % 251) as u8).collect();
            let response = sent(bytes.clone(), folder.path(), &usage).await.unwrap();
            assert_eq!(response.body().size_hint().exact().is_none(), on_disk, "{size}");
            if on_disk {
                assert_eq!(response.headers()[header::CONTENT_LENGTH], size.to_string());
            }
            assert_eq!(to_bytes(response.into_body(), usize::MAX).await.unwrap(), bytes);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the file has no name");
        assert!(sent(vec![1; 100_000], &folder.path().join("missing"), &usage).await.is_err());
    }

    #[tokio::test]
    async fn unread_responses_are_limited_by_disk_space_and_per_user() {
        let (folder, usage) = (tempfile::tempdir().unwrap(), Arc::<Usage>::default());
        assert!(sent(vec![1; FREE as usize + 1], folder.path(), &usage).await.is_err(), "no room for it");
        let mut unread = Vec::new();
        while let Ok(response) = sent(vec![1; 8 << 20], folder.path(), &usage).await {
            unread.push(response);
        }
        assert_eq!(unread.len() as u64, MAX_UNREAD_BYTES / (8 << 20));
        let disk = Disk::measured(0, None, || Ok(FREE));
        let of_another = Response::new(Body::from(vec![1; 1 << 20]));
        assert!(spooled(of_another, folder.path().to_owned(), &disk, usage.share(UserId(2))).await.is_ok());
        unread.pop();
        assert!(sent(vec![1; 8 << 20], folder.path(), &usage).await.is_ok());
    }
}
