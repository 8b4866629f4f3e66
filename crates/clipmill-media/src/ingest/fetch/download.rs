//! One download: requests the file, streams it to disk, and resumes it after an interruption.

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::message::{self, Message};
use futures_util::StreamExt;
use reqwest::header::{CONTENT_RANGE, ETAG, HeaderMap, HeaderValue, IF_RANGE, LAST_MODIFIED, RANGE};
use reqwest::{Response, StatusCode};
use std::path::Path;
use tokio::time::Instant;
use url::Url;

use super::cookies::Cookies;
use super::encoding::Decoder;
use super::policy::FetchPolicy;
use super::sink::Sink;
use super::{DownloadFailure, FetchedFile, Fetcher, FileKind, failed};
use crate::cache::disk::Disk;

/// Identifies the bytes received so far: the server's own tag of that version of the file.
type Validator = HeaderValue;

/// The state of a download between its requests.
struct Download {
    sink: Sink,
    validator: Option<Validator>,
    cookies: Cookies,
}

pub async fn run(
    fetcher: &Fetcher,
    url: &Url,
    kind: FileKind,
    into: &Path,
    disk: &Disk,
) -> Result<FetchedFile, TaskError> {
    let sink = Sink::create(into, disk.arriving(0)?).await?;
    let mut download = Download { sink, validator: None, cookies: Cookies::default() };
    let mut resumes_left = fetcher.policy.max_resumes;
    loop {
        match attempt(fetcher, url, kind, disk, &mut download).await {
            Ok(()) => return Ok(download.sink.finish().await?),
            Err(DownloadFailure::Cut(_)) if download.validator.is_some() && resumes_left > 0 => {
                resumes_left -= 1
            }
            Err(interrupted) => return Err(interrupted.into_error()),
        }
        tokio::time::sleep(fetcher.policy.resume_pause).await;
    }
}

async fn attempt(
    fetcher: &Fetcher,
    url: &Url,
    kind: FileKind,
    disk: &Disk,
    download: &mut Download,
) -> Result<(), DownloadFailure> {
    let Download { sink, validator, cookies } = download;
    let headers = range_headers(sink.size_bytes(), validator.as_ref());
    let response = fetcher.get(url, &headers, cookies).await?;
    let continues = continues(&response, sink.size_bytes());
    if !continues {
        check_status(&response)?;
        sink.restart().await.map_err(internal_failure)?;
    }
    // A part of a compressed file cannot be decompressed by itself.
    let kind = if continues { FileKind::Media } else { kind };
    let decoder = Decoder::new(response.headers(), kind).map_err(refused)?;
    if !continues {
        let whole = matches!(decoder, Decoder::Plain);
        *validator = validator_of(response.headers()).filter(|_| whole);
    }
    let announced = response.content_length().unwrap_or(0);
    check_size(sink.size_bytes().saturating_add(announced), &fetcher.policy)?;
    // The reservation grows while the file arrives; a file that cannot fit is not started.
    disk.could_hold(announced).map_err(DownloadFailure::Final)?;
    drop(disk.reserve(announced).map_err(DownloadFailure::Final)?);
    receive(response, decoder, sink, &fetcher.policy).await
}

/// Headers that request the rest only if the file is still the same; none for a first request.
fn range_headers(have: u64, validator: Option<&Validator>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    if let Some(validator) = validator.filter(|_| have > 0)
        && let Ok(range) = HeaderValue::from_str(&format!("bytes={have}-"))
    {
        headers.insert(RANGE, range);
        headers.insert(IF_RANGE, validator.clone());
    }
    headers
}

/// Whether the response has the bytes from `have` on. Any other successful response starts from the beginning.
fn continues(response: &Response, have: u64) -> bool {
    let range = response.headers().get(CONTENT_RANGE).and_then(|range| range.to_str().ok());
    let start = range.and_then(|range| range.strip_prefix("bytes ")?.split('-').next()?.parse().ok());
    response.status() == StatusCode::PARTIAL_CONTENT && have > 0 && start == Some(have)
}

fn check_status(response: &Response) -> Result<(), DownloadFailure> {
    let status = response.status();
    if status.is_success() && status != StatusCode::PARTIAL_CONTENT {
        return Ok(());
    }
    let temporary = status.is_server_error()
        || matches!(status, StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS);
    let status_text = status.to_string();
    let error = failed(if temporary {
        message::answered_for_now(status_text)
    } else {
        message::answered(status_text)
    });
    Err(DownloadFailure::Final(error.retryable(temporary)))
}

fn check_size(size_bytes: u64, policy: &FetchPolicy) -> Result<(), DownloadFailure> {
    if size_bytes <= policy.max_bytes {
        return Ok(());
    }
    let message = message::download_too_large(policy.max_bytes);
    Err(DownloadFailure::Final(TaskError::new(ErrorCode::MediaTooLarge, message)))
}

/// Strong tags only: a weak one promises the same meaning, not the same bytes.
fn validator_of(headers: &HeaderMap) -> Option<Validator> {
    let strong = headers.get(ETAG).filter(|etag| !etag.as_bytes().starts_with(b"W/"));
    strong.or_else(|| headers.get(LAST_MODIFIED)).cloned()
}

/// Streams the body. A download that does not meet its quota of bytes in each window of time is aborted.
async fn receive(
    response: Response,
    mut decoder: Decoder,
    sink: &mut Sink,
    policy: &FetchPolicy,
) -> Result<(), DownloadFailure> {
    let window_bytes = policy.window_bytes(response.content_length());
    let mut body = response.bytes_stream();
    let (mut deadline, mut quota) = (Instant::now() + policy.slow_window, window_bytes);
    loop {
        let chunk = match tokio::time::timeout_at(deadline, body.next()).await {
            Ok(None) => {
                let rest = decoder.finish().map_err(refused)?;
                return sink.write(&rest).await.map_err(internal_failure);
            }
            Ok(Some(Ok(chunk))) => chunk,
            Ok(Some(Err(_))) => return Err(DownloadFailure::Cut(failed(message::download_broke()))),
            Err(_) => {
                return Err(DownloadFailure::Final(failed(message::download_too_slow())));
            }
        };
        let decoded = decoder.decode(&chunk).map_err(refused)?;
        check_size(sink.size_bytes().saturating_add(decoded.len() as u64), policy)?;
        sink.write(&decoded).await.map_err(internal_failure)?;
        quota = quota.saturating_sub(chunk.len() as u64);
        if quota == 0 {
            (deadline, quota) = (Instant::now() + policy.slow_window, window_bytes);
        }
    }
}

/// The file cannot be used as the server sends it.
fn refused(why: Message) -> DownloadFailure {
    DownloadFailure::Final(failed(why).retryable(false))
}

fn internal_failure(error: crate::error::MediaError) -> DownloadFailure {
    DownloadFailure::Final(error.into())
}
