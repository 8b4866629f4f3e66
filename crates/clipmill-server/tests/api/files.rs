//! Result files by signed links: whole, in parts, and not at all.

use axum::body::Body;
use axum::http::Request;
use clipmill_blobs::{About, key};
use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::media::Size;
use clipmill_core::message::Message;
use clipmill_core::plan::{Rendition, Warning};
use clipmill_core::pricing::Tier;
use clipmill_core::time::{Fps, Frames};
use clipmill_server::clock;
use clipmill_server::retention::{Amount, Mode};
use clipmill_store::{
    Claim, ClaimLimits, Cover, ItemPlan, ItemResult, Job, Lease, PreflightItem, PreflightResult, StoreError,
};
use serde_json::{Value, json};

use crate::harness::{API, ApiResponse, Service, User, task};
use crate::retention::pass;

const LEASE_MS: i64 = 60_000;
const DAY_MS: i64 = 86_400_000;
const CONTENT: &[u8] = b"0123456789";

/// Plans a submitted task of one item: it is ready to be finished.
async fn plan(service: &Service) {
    let claim = claim(service).await;
    assert!(matches!(claim.job, Job::Preflight { .. }), "{claim:?}");
    let (footage, outcome) = (Default::default(), Ok(item_plan()));
    let item = PreflightItem { item_no: 1, recipe: json!({}), footage, warnings: Vec::new(), outcome };
    let preflight = PreflightResult { items: vec![item], ..PreflightResult::default() };
    service.store.jobs().complete_preflight(claim.lease, preflight, clock::now_ms()).await.unwrap();
}

/// The plan of an output that costs 10 points and has no segments.
pub fn item_plan() -> ItemPlan {
    let rendition = Rendition {
        fps: Fps::DEFAULT,
        size: Size::new(720, 1280),
        frames: Frames(300),
        tier: Tier::Hd,
        video: Vec::new(),
        audio: None,
        speech: Vec::new(),
        cover: None,
    };
    ItemPlan { points: 10, rendition, segments: Vec::new() }
}

pub fn damaged() -> TaskError {
    TaskError::new(ErrorCode::MediaDamaged, Message::without_code("broken"))
}

/// Executes the work of a submitted task of one item: the file's content is [`CONTENT`].
pub async fn deliver(service: &Service, key: &str, expires_at: i64) {
    plan(service).await;
    let claim = self::claim(service).await;
    assert!(matches!(claim.job, Job::Assemble { .. }), "{claim:?}");
    if let Some(path) = service.data.result(key) {
        std::fs::write(path, CONTENT).unwrap();
    }
    service
        .store
        .jobs()
        .complete_item(claim.lease, result(key, expires_at), 10, clock::now_ms())
        .await
        .unwrap();
}

/// A worker that was considered dead returns after another has delivered.
#[tokio::test]
async fn a_late_attempt_changes_nothing_and_leaves_an_orphan_to_collect() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let task_no = service.submit(&ann, &task()).await.data()["taskNo"].as_str().unwrap().to_owned();
    plan(&service).await;
    let late = claim(&service).await.lease;
    assert_eq!(service.store.leases().rescue_all(clock::now_ms()).await.unwrap(), 1);
    let timely = claim(&service).await.lease;
    assert!(timely.fence > late.fence);

    let (blobs, folder) = (service.data.blobs(), tempfile::tempdir().unwrap());
    let put = async |lease: Lease, content: &str| {
        let (file, key) = (folder.path().join(content), format!("{task_no}/1-{}.mp4", lease.fence));
        std::fs::write(&file, content).unwrap();
        blobs.put(&key::result(&key), &file, &About::default()).await.unwrap();
        let result = ItemResult { cover: None, ..result(&key, clock::now_ms() + 7 * DAY_MS) };
        service.store.jobs().complete_item(lease, result, 10, clock::now_ms()).await
    };
    put(timely, "0123456789").await.unwrap();
    assert!(matches!(put(late, "late bytes").await, Err(StoreError::LeaseLost)));
    let status = service.get(&ann, &format!("{API}/status/{task_no}")).await.data();
    assert_eq!(&ask(&service, "GET", &link(&status), &[]).await.body[..], CONTENT);

    let (of_others, mine) =
        (service.data.results().join("notes.txt"), service.data.results().join("mine/1.mp4"));
    std::fs::create_dir(mine.parent().unwrap()).unwrap();
    for path in [&of_others, &mine] {
        std::fs::write(path, "of somebody else").unwrap();
    }
    let left = service.data.result(&format!("{task_no}/1-{}.mp4", late.fence)).unwrap();
    assert_eq!(
        pass(&service, 0, Mode::Delete).await.orphans,
        Amount::default(),
        "what is young is left alone"
    );
    assert_eq!(pass(&service, 2, Mode::Delete).await.orphans, Amount { count: 1, bytes: 10 });
    assert_eq!([&left, &of_others, &mine].map(|path| path.exists()), [false, true, true]);
    assert_eq!(&ask(&service, "GET", &link(&status), &[]).await.body[..], CONTENT);
}

pub async fn claim(service: &Service) -> Claim {
    service
        .store
        .queue()
        .claim("test", clock::now_ms(), LEASE_MS, ClaimLimits::default())
        .await
        .unwrap()
        .unwrap()
}

pub fn result(key: &str, expires_at: i64) -> ItemResult {
    ItemResult {
        key: key.to_owned(),
        duration_ms: 10_000,
        width: 720,
        height: 1280,
        fps: 30,
        size_bytes: CONTENT.len() as u64,
        sha256: "abc".to_owned(),
        video_codec: "h264".to_owned(),
        audio_codec: None,
        quality: Value::Null,
        cover: Some(Cover { key: "cover.jpg".to_owned(), sha256: "def".to_owned() }),
        pictures: None,
        warnings: vec![Warning { path: String::new(), message: Message::without_code("a damaged file") }],
        expires_at,
    }
}

/// A delivered task; returns its status.
async fn delivered(service: &Service, user: &User, key: &str, lives_ms: i64) -> Value {
    let task_no = service.submit(user, &task()).await.data()["taskNo"].as_str().unwrap().to_owned();
    deliver(service, key, clock::now_ms() + lives_ms).await;
    service.get(user, &format!("{API}/status/{task_no}")).await.data()
}

/// The number of a delivered task of one item whose file exists.
pub async fn finished(service: &Service, user: &User) -> String {
    let status = delivered(service, user, "one.mp4", 3_600_000).await;
    status["taskNo"].as_str().unwrap().to_owned()
}

/// Path and query of the first item's link.
fn link(status: &Value) -> String {
    let url = status["items"][0]["url"].as_str().unwrap();
    url.strip_prefix("http://127.0.0.1:8080").unwrap().to_owned()
}

async fn ask(service: &Service, method: &str, link: &str, headers: &[(&str, &str)]) -> ApiResponse {
    let request = Request::builder().method(method).uri(link);
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    service.call(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_link_returns_the_file_whole_or_in_part() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let status = delivered(&service, &ann, "one.mp4", 3_600_000).await;
    assert_eq!((&status["status"], &status["progressPercent"]), (&json!(3), &json!(100)));
    assert_eq!(status["consumedDotCount"], 10);
    let link = link(&status);

    let whole = ask(&service, "GET", &link, &[]).await;
    assert_eq!((whole.status.as_u16(), whole.body.as_ref()), (200, CONTENT));
    assert_eq!(whole.header("content-type"), "video/mp4");
    assert_eq!(whole.header("accept-ranges"), "bytes");
    assert_eq!(whole.header("content-length"), "10");
    assert_eq!(whole.header("etag"), "\"abc\"");
    assert_eq!(whole.header("x-content-type-options"), "nosniff");
    let name = format!("inline; filename=\"{}-1.mp4\"", status["taskNo"].as_str().unwrap());
    assert_eq!(whole.header("content-disposition"), name);

    let head = ask(&service, "HEAD", &link, &[]).await;
    assert_eq!((head.status.as_u16(), head.body.len(), head.header("content-length")), (200, 0, "10"));

    let check = async |headers: &[(&str, &str)], status: u16, body: &str, range: &str| {
        let response = ask(&service, "GET", &link, headers).await;
        let reply = (response.status.as_u16(), response.body.as_ref(), response.header("content-range"));
        assert_eq!(reply, (status, body.as_bytes(), range), "{headers:?}");
    };
    check(&[("range", "bytes=2-4")], 206, "234", "bytes 2-4/10").await;
    check(&[("range", "bytes=7-")], 206, "789", "bytes 7-9/10").await;
    check(&[("range", "bytes=-2")], 206, "89", "bytes 8-9/10").await;
    check(&[("range", "bytes=10-")], 416, "", "bytes */10").await;
    check(&[("range", "bytes=0-1,3-4")], 200, "0123456789", "").await;
    check(&[("range", "bytes=2-4"), ("if-range", "\"abc\"")], 206, "234", "bytes 2-4/10").await;
    check(&[("range", "bytes=2-4"), ("if-range", "\"other\"")], 200, "0123456789", "").await;
    check(&[("if-none-match", "\"x\", W/\"abc\"")], 304, "", "").await;
    ask(&service, "POST", &link, &[]).await.error(40500);
}

#[tokio::test]
async fn a_cover_has_a_link_of_its_own() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let status = delivered(&service, &ann, "one.mp4", 3_600_000).await;
    let message = &status["items"][0]["warnings"][0]["message"];
    assert_eq!(message, "a damaged file", "found when the file was made");
    let url = status["items"][0]["coverUrl"].as_str().unwrap();
    let cover = url.strip_prefix("http://127.0.0.1:8080").unwrap();
    ask(&service, "GET", cover, &[]).await.error(40400);
    std::fs::write(service.data.result("cover.jpg").unwrap(), b"jpeg").unwrap();
    let whole = ask(&service, "GET", cover, &[]).await;
    assert_eq!((whole.status.as_u16(), whole.body.as_ref()), (200, b"jpeg".as_slice()));
    assert_eq!((whole.header("content-type"), whole.header("etag")), ("image/jpeg", "\"def\""));
    let name = format!("inline; filename=\"{}-1.jpg\"", status["taskNo"].as_str().unwrap());
    assert_eq!(whole.header("content-disposition"), name);
    // Neither link opens the other's file.
    ask(&service, "GET", &cover.replace(".jpg", ".mp4"), &[]).await.error(40300);
    ask(&service, "GET", &link(&status).replace(".mp4", ".jpg"), &[]).await.error(40300);

    let expired = delivered(&service, &ann, "two.mp4", -1).await;
    assert_eq!(expired["items"][0]["coverUrl"], Value::Null);
}

#[tokio::test]
async fn a_link_with_a_wrong_signature_is_refused() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let link = link(&delivered(&service, &ann, "one.mp4", 3_600_000).await);
    let (path, _) = link.split_once('?').unwrap();
    for wrong in [
        path.to_owned(),
        link.replace("expires=1", "expires=2"),
        link.replace("expires=", "expires=0"),
        link.replace("expires=", "expires=%2B"),
        link.replace("/1.mp4", "/01.mp4"),
        link.replace("/1.mp4", "/%2B1.mp4"),
        link.replace("/1.mp4", "/2.mp4"),
        link.replace("/1.mp4", "/1"),
        link.replace("signature=", "signature=A"),
        format!("{path}?expires=x&signature=y"),
        "/files/%ff/1.mp4".to_owned(),
    ] {
        ask(&service, "GET", &wrong, &[]).await.error(40300);
    }
}

#[tokio::test]
async fn a_file_that_is_gone_is_not_found() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let link = link(&delivered(&service, &ann, "one.mp4", 3_600_000).await);
    std::fs::remove_file(service.data.result("one.mp4").unwrap()).unwrap();
    ask(&service, "GET", &link, &[]).await.error(40400);

    let expired = delivered(&service, &ann, "two.mp4", -1).await;
    assert_eq!(expired["items"][0]["url"], Value::Null);
    assert!(expired["items"][0]["fileExpiresAt"].is_string());
}

#[tokio::test]
async fn an_archive_contains_the_existing_files() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let status = delivered(&service, &ann, "one.mp4", 3_600_000).await;
    let task_no = status["taskNo"].as_str().unwrap();
    let url = status["downloadUrl"].as_str().unwrap();
    let link = url.strip_prefix("http://127.0.0.1:8080").unwrap();
    let by_key = service.get(&ann, &format!("/open-api/v1/download/{task_no}")).await;
    for response in [ask(&service, "GET", link, &[]).await, by_key] {
        assert_eq!((response.status.as_u16(), response.header("content-type")), (200, "application/zip"));
        assert_eq!(response.header("content-length"), response.body.len().to_string());
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&response.body[..])).unwrap();
        let mut file = archive.by_index(0).unwrap();
        assert_eq!(file.name().unwrap(), format!("{task_no}-1.mp4"));
        let mut content = Vec::new();
        std::io::copy(&mut file, &mut content).unwrap();
        assert_eq!(content, CONTENT);
    }
    let bob = service.user("bob", 0).await;
    service.get(&bob, &format!("/open-api/v1/download/{task_no}")).await.error(40400);
}

#[tokio::test]
async fn a_storage_key_outside_of_the_folder_is_an_internal_error() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let link = link(&delivered(&service, &ann, "../db", 3_600_000).await);
    let response = ask(&service, "GET", &link, &[("x-request-id", "abc")]).await;
    response.error(50000);
    let message = response.json()["msg"].as_str().unwrap().to_owned();
    assert!(message.contains("abc") && !message.contains("folder"), "{message}");
}

/// The name of the only file of an archive.
pub fn only_entry(archive: &ApiResponse) -> String {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&archive.body[..])).unwrap();
    assert_eq!(archive.len(), 1);
    archive.by_index(0).unwrap().name().unwrap().into_owned()
}

#[tokio::test]
async fn a_file_has_the_current_name_of_its_task() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let mut named = task();
    named["name"] = json!("Summer / sale");
    let task_no = service.submit(&ann, &named).await.data()["taskNo"].as_str().unwrap().to_owned();
    deliver(&service, "one.mp4", clock::now_ms() + 3_600_000).await;
    std::fs::write(service.data.result("cover.jpg").unwrap(), b"jpeg").unwrap();
    let status = service.get(&ann, &format!("{API}/status/{task_no}")).await.data();
    let video = link(&status);
    let path = |url: &Value| url.as_str().unwrap().strip_prefix("http://127.0.0.1:8080").unwrap().to_owned();
    let name = async |link: &str, headers: &[(&str, &str)]| {
        ask(&service, "GET", link, headers).await.header("content-disposition").to_owned()
    };
    let encoded = "filename*=UTF-8''Summer%20-%20sale%20%E2%80%93%201";
    let expected = format!("inline; filename=\"{task_no}-1.mp4\"; {encoded}.mp4");
    assert_eq!(name(&video, &[]).await, expected);
    assert_eq!(name(&video, &[("range", "bytes=2-4")]).await, expected);
    assert_eq!(name(&video, &[("range", "bytes=10-")]).await, expected, "of what is complete already");
    let cover = path(&status["items"][0]["coverUrl"]);
    assert_eq!(name(&cover, &[]).await, expected.replace("mp4", "jpg"));
    let archive = ask(&service, "GET", &path(&status["downloadUrl"]), &[]).await;
    let expected = format!("attachment; filename=\"{task_no}.zip\"; filename*=UTF-8''Summer%20-%20sale.zip");
    assert_eq!(archive.header("content-disposition"), expected);
    assert_eq!(only_entry(&archive), "Summer - sale – 1.mp4");

    let renamed = json!({ "name": "蓝色" });
    service.send("PATCH", &ann, &format!("{API}/{task_no}"), &renamed).await.data();
    assert!(name(&video, &[]).await.ends_with("filename*=UTF-8''%E8%93%9D%E8%89%B2%20%E2%80%93%201.mp4"));
    let archive = service.get(&ann, &format!("/open-api/v1/download/{task_no}")).await;
    assert_eq!(only_entry(&archive), "蓝色 – 1.mp4");
    // Without a name, the file name consists of numbers.
    service.send("PATCH", &ann, &format!("{API}/{task_no}"), &json!({ "name": "" })).await.data();
    assert_eq!(name(&video, &[]).await, format!("inline; filename=\"{task_no}-1.mp4\""));
}
