//! Retention and its effects for clients. Time is simulated by passing later times.

use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use clipmill_server::clock;
use clipmill_server::retention::{Amount, LEASE_MS, LocalResults, Mode, RETENTION, Report, Retention};
use clipmill_store::retention::Cutoffs;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::files::deliver;
use crate::harness::{API, Service, User, named_task, task};

const DAY: i64 = 86_400_000;
const CLIP: &[u8] = b"MEDIA of a client";

pub async fn pass(service: &Service, days: i64, mode: Mode) -> Report {
    let retention = Retention {
        store: service.store.clone(),
        results: Arc::new(LocalResults::new(service.data.results())),
        data: service.data.clone(),
        ages: service.app.config.retention.clone(),
        holder: "test".to_owned(),
    };
    retention.pass(clock::now_ms() + days * DAY, mode, &CancellationToken::new()).await.unwrap()
}

/// A delivered task whose file expires in this many days: its number and the file.
async fn delivered(service: &Service, user: &User, days: i64) -> (String, PathBuf) {
    let task_no = service.submit(user, &task()).await.data()["taskNo"].as_str().unwrap().to_owned();
    std::fs::create_dir_all(service.data.results().join(&task_no)).unwrap();
    let key = format!("{task_no}/1.mp4");
    deliver(service, &key, clock::now_ms() + days * DAY).await;
    let path = service.data.result(&key).unwrap();
    assert!(path.exists());
    (task_no, path)
}

async fn upload(service: &Service, user: &User, bytes: &'static [u8]) -> (String, PathBuf) {
    let response = service.upload(user, "/open-api/v1/uploads", bytes).await.data();
    let path = service.data.input(response["sha256"].as_str().unwrap());
    assert!(path.exists());
    (response["url"].as_str().unwrap().to_owned(), path)
}

#[tokio::test]
async fn a_result_is_deleted_when_it_expires() {
    let service = Service::start().await;
    let user = service.user("ann", 100).await;
    let (task_no, path) = delivered(&service, &user, 7).await;
    assert!(pass(&service, 6, Mode::Delete).await.is_empty());
    let expected = Amount { count: 1, bytes: 10 };
    // Files of tests are older than a day as soon as time passes; files with a row are not orphans.
    let planned = pass(&service, 8, Mode::DryRun).await;
    assert_eq!((planned.results, planned.orphans, path.exists()), (expected, Amount::default(), true));
    let done = pass(&service, 8, Mode::Delete).await;
    assert_eq!((done.results, path.exists()), (expected, false));
    assert!(!path.parent().unwrap().exists(), "the folder goes with its last file");
    assert!(pass(&service, 8, Mode::Delete).await.is_empty());
    let status = service.get(&user, &format!("{API}/status/{task_no}")).await.data();
    assert_eq!(status["items"][0]["sizeBytes"], json!(10), "{status}");
    assert_eq!(service.store.points().audit().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn an_expired_result_has_no_link() {
    let service = Service::start().await;
    let user = service.user("ann", 100).await;
    let (task_no, _) = delivered(&service, &user, -1).await;
    pass(&service, 0, Mode::Delete).await;
    let status = service.get(&user, &format!("{API}/status/{task_no}")).await.data();
    let item = &status["items"][0];
    assert_eq!(
        (&item["url"], &item["coverUrl"], &item["expiresAt"]),
        (&json!(null), &json!(null), &json!(null))
    );
    assert!(item["fileExpiresAt"].is_string(), "{item}");
}

#[tokio::test]
async fn a_link_whose_file_was_deleted_is_not_found() {
    let service = Service::start().await;
    let user = service.user("ann", 100).await;
    let (task_no, _) = delivered(&service, &user, 7).await;
    let status = service.get(&user, &format!("{API}/status/{task_no}")).await.data();
    let url = status["items"][0]["url"].as_str().unwrap().to_owned();
    let path = url.split_once("8080").unwrap().1.to_owned();
    let fetch = async || service.call(Request::get(path.as_str()).body(Body::empty()).unwrap()).await;
    assert_eq!(fetch().await.status.as_u16(), 200);
    pass(&service, 8, Mode::Delete).await;
    fetch().await.error(40400);
}

#[tokio::test]
async fn old_files_without_a_row_are_deleted() {
    let service = Service::start().await;
    let user = service.user("ann", 100).await;
    let (task_no, known) = delivered(&service, &user, 90).await;
    let lost = known.with_file_name("1-7.mp4");
    let stranger = service.data.results().join("VP00000000000000000000000000/1.mp4");
    let part = service.data.uploads().join("0123.part");
    std::fs::create_dir_all(stranger.parent().unwrap()).unwrap();
    for path in [&lost, &stranger, &part] {
        std::fs::write(path, "12345").unwrap();
    }
    // A process died between deleting rows and files.
    let (crashed, left) = delivered(&service, &user, 1).await;
    let later = clock::now_ms() + 2 * DAY;
    let lease = service
        .store
        .retention()
        .claim_maintenance(RETENTION, "dies", clock::now_ms(), 1)
        .await
        .unwrap()
        .unwrap();
    let cutoffs = Cutoffs {
        now: later,
        uploads_used_before: 0,
        tasks_ended_before: 0,
        attempts_before: 0,
        undelivered_before: 0,
    };
    let expired = service.store.retention().expire_results(&lease, &cutoffs, 9).await.unwrap();
    assert_eq!(expired[0].keys[0], format!("{crashed}/1.mp4"));

    assert_eq!(pass(&service, 0, Mode::Delete).await.orphans, Amount::default(), "too new");
    assert_eq!(pass(&service, 2, Mode::DryRun).await.orphans, Amount { count: 4, bytes: 25 });
    assert_eq!(pass(&service, 2, Mode::Delete).await.orphans, Amount { count: 4, bytes: 25 });
    let there = [&known, &lost, &stranger, &part, &left].map(|path| path.exists());
    assert_eq!(there, [true, false, false, false, false], "{task_no}");
}

#[tokio::test]
async fn uploads_and_inputs_are_deleted_unless_in_use() {
    let service = Service::start().await;
    let user = service.user("ann", 100).await;
    let (url, path) = upload(&service, &user, CLIP).await;
    let (_, unused) = upload(&service, &user, b"MEDIA that nobody wants").await;
    let fetched = service.data.input(&"a".repeat(64));
    let note = fetched.with_extension("json");
    let foreign = service.data.inputs().join("README");
    for path in [&fetched, &note, &foreign] {
        std::fs::write(path, "123").unwrap();
    }
    let mut body = named_task("mine");
    body["params"]["videoList"][0]["filename"] = json!(url);
    let first = service.submit(&user, &body).await.data();

    assert!(pass(&service, 6, Mode::Delete).await.is_empty());
    let planned = pass(&service, 8, Mode::DryRun).await;
    assert_eq!((planned.uploads.count, planned.inputs.count), (1, 1), "rows stay in a dry run: {planned}");
    let done = pass(&service, 8, Mode::Delete).await;
    assert_eq!((done.uploads.count, done.inputs), (1, Amount { count: 2, bytes: 26 }), "{done}");
    let there = [&path, &unused, &fetched, &note, &foreign].map(|path| path.exists());
    assert_eq!(there, [true, false, false, false, true]);

    let task_no = first["taskNo"].as_str().unwrap();
    service.post(&user, &format!("{API}/cancel/{task_no}"), Body::empty()).await.data();
    assert_eq!(pass(&service, 8, Mode::Delete).await.inputs.count, 1);
    assert!(!path.exists());
    // A repeated submission still succeeds; a new one with that upload does not.
    let again = service.submit(&user, &body).await.data();
    assert_eq!((&again["taskNo"], &again["duplicate"]), (&first["taskNo"], &json!(true)));
    body["clientTaskId"] = json!("another");
    service.submit(&user, &body).await.error(40001);
}

#[tokio::test]
async fn a_task_is_deleted_with_its_files_and_its_records_remain() {
    let mut days = 0;
    let service = Service::with(|config| days = config.retention.tasks.as_millis() / DAY).await;
    let user = service.user("ann", 100).await;
    let (task_no, path) = delivered(&service, &user, 365).await;
    let records = service.get(&user, &format!("{API}/records")).await.data();
    assert!(pass(&service, days - 1, Mode::Delete).await.is_empty());
    assert_eq!(pass(&service, days + 1, Mode::DryRun).await.tasks.count, 1);
    let done = pass(&service, days + 1, Mode::Delete).await;
    assert_eq!((done.tasks.count, done.results.count, path.exists()), (1, 1, false));
    service.get(&user, &format!("{API}/status/{task_no}")).await.error(40400);
    assert_eq!(service.get(&user, &format!("{API}/records")).await.data(), records);
    assert_eq!(service.store.points().audit().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn only_one_process_deletes_shared_data() {
    let service = Service::start().await;
    let user = service.user("ann", 100).await;
    let (_, path) = delivered(&service, &user, 1).await;
    let later = clock::now_ms() + 8 * DAY;
    let other = service
        .store
        .retention()
        .claim_maintenance(RETENTION, "other", later, LEASE_MS)
        .await
        .unwrap()
        .unwrap();
    let report = pass(&service, 8, Mode::Delete).await;
    assert!(!report.shared && report.is_empty() && path.exists());
    service.store.retention().end_maintenance(&other, later).await.unwrap();
    assert!(pass(&service, 8, Mode::Delete).await.shared && !path.exists());
}
