use super::*;
use crate::cache::disk::Disk;
use sha2::{Digest, Sha256};
use std::sync::Mutex;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The server's behaviour on one connection: bytes to send, and the continuation.
struct CannedResponse {
    bytes: Vec<u8>,
    then: AfterResponse,
}

enum AfterResponse {
    Close,
    /// Keeps the connection open and sends nothing more.
    Hang,
    /// Sends without end.
    Endless,
}

fn response(head: &str, body: &[u8]) -> CannedResponse {
    let head = format!("HTTP/1.1 {head}\r\nConnection: close\r\n\r\n");
    CannedResponse { bytes: [head.as_bytes(), body].concat(), then: AfterResponse::Close }
}

/// A server that gives one response to each connection in turn, and records the requests.
struct Server {
    url: Url,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    async fn start(responses: Vec<CannedResponse>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://127.0.0.1:{}/clip.mp4", listener.local_addr().unwrap().port());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let recorded = Arc::clone(&requests);
        tokio::spawn(async move {
            for response in responses {
                let (stream, _) = listener.accept().await.unwrap();
                serve(stream, response, &recorded).await;
            }
        });
        Self { url: Url::parse(&url).unwrap(), requests }
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

async fn serve(mut stream: TcpStream, response: CannedResponse, seen: &Mutex<Vec<String>>) {
    let (mut request, mut buffer) = (String::new(), [0; 4096]);
    while !request.contains("\r\n\r\n") {
        let read = stream.read(&mut buffer).await.unwrap();
        assert_ne!(read, 0, "the client went away");
        request += &String::from_utf8_lossy(&buffer[..read]);
    }
    seen.lock().unwrap().push(request.to_lowercase());
    stream.write_all(&response.bytes).await.unwrap();
    match response.then {
        AfterResponse::Close => stream.shutdown().await.unwrap(),
        AfterResponse::Hang => drop(tokio::spawn(async move { stream.read(&mut buffer).await })),
        AfterResponse::Endless => while stream.write_all(&[0; 4096]).await.is_ok() {},
    }
}

fn policy() -> FetchPolicy {
    FetchPolicy {
        allow_networks: FetchPolicy::networks("127.0.0.1").unwrap(),
        allow_ports: AllowPorts::Any,
        max_bytes: 1 << 20,
        resume_pause: Duration::from_millis(1),
        ..FetchPolicy::default()
    }
}

/// Fetches with `policy`; returns the download, and checks that the outcome agrees with the file on the disk.
async fn fetch(policy: FetchPolicy, url: &Url) -> Result<Vec<u8>, TaskError> {
    fetch_as(FileKind::Media, policy, url).await
}

async fn fetch_as(kind: FileKind, policy: FetchPolicy, url: &Url) -> Result<Vec<u8>, TaskError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("download");
    let outcome = Fetcher::new(policy).unwrap().fetch(url, kind, &path, &Disk::new(folder.path(), 0)).await;
    let bytes = std::fs::read(&path).ok();
    assert_eq!(bytes.is_some(), outcome.is_ok(), "a file stays if and only if it is whole");
    let bytes = bytes.unwrap_or_default();
    outcome.map(|fetched| {
        assert_eq!(fetched.size_bytes, bytes.len() as u64);
        assert_eq!(*fetched.sha256.0, hex::encode(Sha256::digest(&bytes)));
        bytes
    })
}

async fn check_error(responses: Vec<CannedResponse>, code: ErrorCode, retryable: bool, part: &str) -> Server {
    let server = Server::start(responses).await;
    let error = fetch(policy(), &server.url).await.unwrap_err();
    assert_eq!((error.code, error.retryable), (code, retryable), "{error}");
    assert!(error.message.contains(part), "{error}");
    assert!(!error.message.contains("secret"), "{error}");
    server
}

#[tokio::test]
async fn a_file_arrives_with_its_hash() {
    let body = vec![7; 300_000];
    let server = Server::start(vec![response("200 OK\r\nContent-Length: 300000", &body)]).await;
    assert_eq!(fetch(policy(), &server.url).await.unwrap(), body);
    let request = server.requests().remove(0);
    assert!(request.contains("accept-encoding: identity"), "{request}");
    assert!(!request.contains("range:"), "{request}");
}

/// The file must stay, because a run of ffmpeg may be about to open it.
#[tokio::test]
async fn an_existing_file_stays_if_the_same_content_arrives() {
    use crate::ingest::sources::{SourceLocation, Sources};
    use std::os::unix::fs::MetadataExt;
    let folder = tempfile::tempdir().unwrap();
    let fetcher = Fetcher::new(policy()).unwrap();
    let sources =
        Sources::open(folder.path(), crate::ffmpeg::process::Ffmpeg::default(), fetcher).await.unwrap();
    let same = || response("200 OK\r\nContent-Length: 4", b"same");
    let server = Server::start(vec![same(), same(), same()]).await;
    let inode = async || {
        let content =
            sources.obtain(SourceLocation::Remote(server.url.clone()), FileKind::Media).await.unwrap();
        assert_eq!(std::fs::read(sources.path(&content)).unwrap(), b"same");
        (std::fs::metadata(sources.path(&content)).unwrap().ino(), sources.path(&content))
    };
    let (first, path) = inode().await;
    assert_eq!(inode().await.0, first, "it was replaced");
    // A file torn by a crash is replaced.
    std::fs::write(&path, b"sa").unwrap();
    inode().await;
}

#[tokio::test]
async fn an_empty_file_is_left_to_the_probe() {
    let server = Server::start(vec![response("200 OK\r\nContent-Length: 0", b"")]).await;
    assert_eq!(fetch(policy(), &server.url).await.unwrap(), b"");
}

#[tokio::test]
async fn the_status_decides_about_retries() {
    let status = |head: &str| vec![response(&format!("{head}\r\nContent-Length: 6"), b"secret")];
    check_error(status("404 Not Found"), ErrorCode::DownloadFailed, false, "404 Not Found").await;
    check_error(status("403 Forbidden"), ErrorCode::DownloadFailed, false, "403").await;
    check_error(status("429 Too Many Requests"), ErrorCode::DownloadFailed, true, "429").await;
    check_error(status("408 Request Timeout"), ErrorCode::DownloadFailed, true, "408").await;
    check_error(status("503 Service Unavailable"), ErrorCode::DownloadFailed, true, "503").await;
    check_error(status("302 Found"), ErrorCode::DownloadFailed, false, "302").await;
    check_error(status("206 Partial Content"), ErrorCode::DownloadFailed, false, "206").await;
}

#[tokio::test]
async fn compressed_media_is_refused() {
    let responses = vec![response("200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1", b"x")];
    check_error(responses, ErrorCode::DownloadFailed, false, "(Content-Encoding: gzip)").await;
}

#[tokio::test]
async fn codings_that_change_nothing_are_ignored() {
    for coding in ["aws-chunked", "aws-chunked,", "", "identity", "none"] {
        let head = format!("200 OK\r\nContent-Encoding: {coding}\r\nContent-Length: 4");
        let server = Server::start(vec![response(&head, b"clip")]).await;
        assert_eq!(fetch(policy(), &server.url).await.unwrap(), b"clip", "{coding}");
    }
}

fn gzip(text: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn compressed_text_is_decompressed() {
    let text = b"1\n00:00:01,000 --> 00:00:02,000\nHello\n".as_slice();
    let body = gzip(text);
    let head =
        |length| format!("200 OK\r\nETag: \"v\"\r\nContent-Encoding: gzip\r\nContent-Length: {length}");
    let server = Server::start(vec![response(&head(body.len()), &body)]).await;
    assert_eq!(fetch_as(FileKind::Text, policy(), &server.url).await.unwrap(), text);
    let plain = response("200 OK\r\nContent-Length: 5", b"plain");
    let server = Server::start(vec![plain]).await;
    assert_eq!(fetch_as(FileKind::Text, policy(), &server.url).await.unwrap(), b"plain");

    let check = async |head: &str, body: &[u8], part: &str, retryable: bool| {
        let server = Server::start(vec![response(head, body)]).await;
        let error = fetch_as(FileKind::Text, policy(), &server.url).await.unwrap_err();
        assert!(error.message.contains(part) && error.retryable == retryable, "{error}");
        // A part of compressed text is useless, so none is requested.
        assert_eq!(server.requests().len(), 1);
    };
    check(&head(body.len() + 1), &body, "closed before the end", true).await;
    check("200 OK\r\nContent-Encoding: gzip", &body[..20], "damaged", false).await;
    check("200 OK\r\nContent-Encoding: gzip", &gzip(&vec![b' '; 1 << 20]), "100 times", false).await;
    check("200 OK\r\nContent-Encoding: br", b"x", "Content-Encoding: br", false).await;
}

fn redirect(location: &str) -> CannedResponse {
    response(&format!("302 Found\r\nLocation: {location}\r\nContent-Length: 0"), b"")
}

#[tokio::test]
async fn redirects_are_followed_ten_times() {
    let redirects = |count: usize| (1..=count).map(|n| redirect(&n.to_string()));
    let server = Server::start(redirects(10).chain([found()]).collect()).await;
    assert_eq!(fetch(policy(), &server.url).await.unwrap(), b"ok");
    assert!(server.requests()[10].starts_with("get /10 "), "{:?}", server.requests());
    let too_many = redirects(11).collect();
    check_error(too_many, ErrorCode::DownloadFailed, false, "redirects more than 10 times").await;
}

fn found() -> CannedResponse {
    response("200 OK\r\nContent-Length: 2", b"ok")
}

#[tokio::test]
async fn a_redirect_target_can_be_raw_utf_8() {
    let server = Server::start(vec![redirect("/视频 é.mp4?名=é"), found()]).await;
    assert_eq!(fetch(policy(), &server.url).await.unwrap(), b"ok");
    let expected = "get /%e8%a7%86%e9%a2%91%20%c3%a9.mp4?%e5%90%8d=%c3%a9 ";
    assert!(server.requests()[1].starts_with(expected), "{:?}", server.requests());
    let mut latin = response("302 Found\r\nLocation: /?", b"");
    latin.bytes.iter_mut().for_each(|byte| *byte = if *byte == b'?' { 0xe9 } else { *byte });
    check_error(vec![latin], ErrorCode::DownloadFailed, false, "302").await;
}

#[tokio::test]
async fn a_redirects_cookie_reaches_its_target_and_no_other_host() {
    let set = |location: &str| redirect(&format!("{location}\r\nSet-Cookie: a=1; Path=/\r\nSet-Cookie: b=2"));
    let server = Server::start(vec![set("/clip.mp4"), found()]).await;
    assert_eq!(fetch(policy(), &server.url).await.unwrap(), b"ok");
    let requests = server.requests();
    assert!(!requests[0].contains("cookie:") && requests[1].contains("cookie: a=1; b=2\r\n"), "{requests:?}");

    let other = Server::start(vec![found()]).await;
    let elsewhere = format!("http://localhost:{}/", other.url.port().unwrap());
    let server = Server::start(vec![set(&elsewhere)]).await;
    assert_eq!(fetch(policy(), &server.url).await.unwrap(), b"ok");
    let requests = other.requests();
    assert!(!requests[0].contains("cookie:") && !requests[0].contains("authorization:"), "{requests:?}");
}

/// The next download from the same host begins without cookies; a resumed one keeps them.
#[tokio::test]
async fn cookies_end_with_their_download() {
    let cut = response("200 OK\r\nSet-Cookie: a=1\r\nETag: \"v\"\r\nContent-Length: 4", b"cl");
    let rest = response("206 Partial Content\r\nContent-Range: bytes 2-3/4\r\nContent-Length: 2", b"ip");
    let server = Server::start(vec![cut, rest, found()]).await;
    let folder = tempfile::tempdir().unwrap();
    let (fetcher, disk) = (Fetcher::new(policy()).unwrap(), Disk::new(folder.path(), 0));
    for name in ["first", "second"] {
        fetcher.fetch(&server.url, FileKind::Media, &folder.path().join(name), &disk).await.unwrap();
    }
    let has_cookie: Vec<bool> =
        server.requests().iter().map(|request| request.contains("cookie: a=1")).collect();
    assert_eq!(has_cookie, [false, true, false]);
}

#[tokio::test]
async fn redirects_are_checked_like_the_first_url() {
    let canary = Server::start(vec![response("200 OK\r\nContent-Length: 2", b"in")]).await;
    let port = canary.url.port().unwrap();
    for host in
        ["127.0.0.2", "localhost.", "0.0.0.0", "[::1]", "2130706434", "[::ffff:127.0.0.2]", "user@127.0.0.1"]
    {
        // `localhost` may also resolve to the exempt 127.0.0.1, so it uses a port without a listener.
        let port = if host == "localhost." { 1 } else { port };
        let code = if host == "localhost." { ErrorCode::DownloadFailed } else { ErrorCode::UrlBlocked };
        let location = format!("http://{host}:{port}/");
        check_error(vec![redirect(&location)], code, code == ErrorCode::DownloadFailed, "").await;
    }
    check_error(vec![redirect("file:///etc/passwd")], ErrorCode::UrlScheme, false, "`file:`").await;
    assert_eq!(canary.requests(), Vec::<String>::new());
}

#[tokio::test]
async fn a_name_that_resolves_to_an_internal_address_is_blocked() {
    let canary = Server::start(vec![response("200 OK\r\nContent-Length: 2", b"in")]).await;
    let url = Url::parse(&format!("http://localhost:{}/", canary.url.port().unwrap())).unwrap();
    let closed = FetchPolicy { allow_networks: vec![], ..policy() };
    let error = fetch(closed.clone(), &url).await.unwrap_err();
    assert_eq!((error.code, error.retryable), (ErrorCode::UrlBlocked, false), "{error}");
    let error = fetch(closed, &canary.url).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::UrlBlocked);
    assert_eq!(canary.requests(), Vec::<String>::new());
}

#[tokio::test]
async fn a_refused_connection_is_retryable() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
    drop(listener);
    let error = fetch(policy(), &url).await.unwrap_err();
    assert_eq!((error.code, error.retryable), (ErrorCode::DownloadFailed, true));
    assert!(error.message.contains("cannot connect to 127.0.0.1"), "{error}");
}

#[tokio::test]
async fn size_is_counted_not_believed() {
    let announced = response("200 OK\r\nContent-Length: 1048577", b"");
    check_error(vec![announced], ErrorCode::MediaTooLarge, false, "1048576 bytes").await;
    let endless = CannedResponse { then: AfterResponse::Endless, ..response("200 OK", b"") };
    check_error(vec![endless], ErrorCode::MediaTooLarge, false, "1048576 bytes").await;
}

#[tokio::test]
async fn a_body_shorter_than_announced_is_rejected() {
    let short = response("200 OK\r\nContent-Length: 100", b"only this");
    check_error(vec![short], ErrorCode::DownloadFailed, true, "closed before the end").await;
}

#[tokio::test]
async fn a_download_resumes_where_it_was_interrupted() {
    let cut = response("200 OK\r\nETag: \"v1\"\r\nContent-Length: 10", b"0123");
    let rest = response("206 Partial Content\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6", b"456789");
    let server = Server::start(vec![cut, rest]).await;
    assert_eq!(fetch(policy(), &server.url).await.unwrap(), b"0123456789");
    let second = server.requests().remove(1);
    assert!(second.contains("range: bytes=4-") && second.contains("if-range: \"v1\""), "{second}");
}

#[tokio::test]
async fn a_changed_file_is_downloaded_again() {
    let cut =
        response("200 OK\r\nLast-Modified: Mon, 01 Jan 2024 00:00:00 GMT\r\nContent-Length: 10", b"old!");
    let new = response("200 OK\r\nContent-Length: 3", b"new");
    let server = Server::start(vec![cut, new]).await;
    assert_eq!(fetch(policy(), &server.url).await.unwrap(), b"new");
}

#[tokio::test]
async fn resuming_ends_after_three_times() {
    let cut = |n: usize| {
        let range =
            format!("206 Partial Content\r\nContent-Range: bytes {n}-99/100\r\nContent-Length: {}", 100 - n);
        response(&range, b"x")
    };
    let first = response("200 OK\r\nETag: \"v1\"\r\nContent-Length: 100", b"x");
    let responses = vec![first, cut(1), cut(2), cut(3), cut(4)];
    let server = check_error(responses, ErrorCode::DownloadFailed, true, "closed before the end").await;
    assert_eq!(server.requests().len(), 4);
}

#[tokio::test]
async fn without_a_strong_mark_nothing_is_resumed() {
    let cut = response("200 OK\r\nETag: W/\"v1\"\r\nContent-Length: 100", b"x");
    let server = check_error(vec![cut], ErrorCode::DownloadFailed, true, "closed").await;
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn an_unrequested_range_is_not_a_continuation() {
    let cut = response("200 OK\r\nETag: \"v1\"\r\nContent-Length: 10", b"0123");
    let other =
        response("206 Partial Content\r\nContent-Range: bytes 0-9/10\r\nContent-Length: 10", b"0123456789");
    check_error(vec![cut, other], ErrorCode::DownloadFailed, false, "206").await;
}

#[tokio::test]
async fn slow_downloads_are_aborted() {
    let quick = || FetchPolicy { slow_window: Duration::from_secs(1), ..policy() };
    let stalls = CannedResponse {
        then: AfterResponse::Hang,
        ..response("200 OK\r\nContent-Length: 100000", b"a few bytes")
    };
    let server = Server::start(vec![stalls]).await;
    let error = fetch(quick(), &server.url).await.unwrap_err();
    assert_eq!((error.code, error.retryable), (ErrorCode::DownloadFailed, true));
    assert!(error.message.contains("too slow"), "{error}");

    let silent = CannedResponse { bytes: vec![], then: AfterResponse::Hang };
    let server = Server::start(vec![silent]).await;
    let error = fetch(quick(), &server.url).await.unwrap_err();
    assert!(error.message.contains("does not respond"), "{error}");
}

#[tokio::test]
async fn a_download_has_a_time_limit() {
    let stalls =
        CannedResponse { then: AfterResponse::Hang, ..response("200 OK\r\nContent-Length: 100000", b"x") };
    let server = Server::start(vec![stalls]).await;
    let error = fetch(FetchPolicy { max_time: Duration::from_millis(200), ..policy() }, &server.url)
        .await
        .unwrap_err();
    assert!(error.message.contains("took longer"), "{error}");
}
