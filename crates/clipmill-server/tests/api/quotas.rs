//! Quotas per user, and the errors beyond them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::Body;
use axum::http::header;
use clipmill_media::cache::disk::Disk;
use clipmill_server::clock;
use clipmill_store::{NewUpload, Quota, UploadOutcome};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::harness::{API, ApiResponse, Service, User, keyed, named_task, task};

const UPLOADS: &str = "/open-api/v1/uploads";

fn message(response: &ApiResponse) -> String {
    response.json()["msg"].as_str().unwrap().to_owned()
}

async fn cancel(service: &Service, user: &User, task_no: &Value) {
    service.post(user, &format!("{API}/cancel/{}", task_no.as_str().unwrap()), "").await.data();
}

#[tokio::test]
async fn open_tasks_per_user_are_limited() {
    let service = Service::with(|config| config.limits.queued_tasks_per_user = 2).await;
    let (ann, bob) = (service.user("ann", 1_000).await, service.user("bob", 1_000).await);
    let first = service.submit(&ann, &named_task("first")).await.data()["taskNo"].clone();
    service.submit(&ann, &named_task("second")).await.data();

    let refused = service.submit(&ann, &named_task("third")).await;
    assert_eq!(refused.error(42901), json!({ "openTasks": 2, "limit": 2 }));
    assert!(
        message(&refused).starts_with("you have reached the limit for open tasks (2 open, at most 2)"),
        "{refused:?}"
    );
    assert_eq!(refused.header("retry-after"), "30");
    let balance = service.get(&ann, &format!("{API}/balance")).await.data();
    assert_eq!(balance["held"], 40, "a refused task costs nothing");

    let repeat = service.submit(&ann, &named_task("first")).await.data();
    assert_eq!((&repeat["taskNo"], &repeat["duplicate"]), (&first, &json!(true)));
    service.submit(&bob, &task()).await.data();
    cancel(&service, &ann, &first).await;
    service.submit(&ann, &named_task("third")).await.data();
    // Results of an ended task count too.
    service.submit(&ann, &named_task("first")).await.data();

    let request = keyed(&ann, "POST", &format!("{API}/submit"));
    let request = request.header(header::CONTENT_TYPE, "application/json").header("accept-language", "zh");
    let refused = service.call(request.body(Body::from(task().to_string())).unwrap()).await;
    assert!(message(&refused).contains("2 个作品尚未结束"), "{refused:?}");
}

#[tokio::test]
async fn without_a_quota_there_is_no_limit() {
    let service = Service::with(|config| {
        config.limits.queued_tasks_per_user = 0;
        config.limits.stored_bytes_per_user = "0B".parse().unwrap();
        config.limits.open_event_streams_per_user = 0;
    })
    .await;
    let ann = service.user("ann", 1_000).await;
    let task_no = service.submit(&ann, &task()).await.data()["taskNo"].clone();
    service.upload(&ann, UPLOADS, "MEDIA").await.data();
    cancel(&service, &ann, &task_no).await;
    service.get(&ann, &format!("{API}/events/{}", task_no.as_str().unwrap())).await;
}

#[tokio::test]
async fn uploads_share_one_storage_quota() {
    let service = Service::with(|config| {
        config.limits.stored_bytes_per_user = "1MiB".parse().unwrap();
        config.server.stall_timeout = "60s".parse().unwrap();
    })
    .await;
    let (ann, bob) = (service.user("ann", 1_000).await, service.user("bob", 1_000).await);
    const KIB: usize = 1024;
    service.upload(&ann, UPLOADS, vec![1; 600 * KIB]).await.data();

    // The points granted to the user are a ledger record.
    let stored = 600 * KIB + 500;
    let full = json!({ "storedBytes": stored, "limit": 1024 * KIB });
    let unsent = Body::from_stream(futures_util::stream::pending::<std::io::Result<Vec<u8>>>());
    let announced = keyed(&ann, "POST", UPLOADS).header(header::CONTENT_LENGTH, "434177");
    let refused = service.call(announced.body(unsent).unwrap()).await;
    assert_eq!(refused.error(40902), full, "before anything arrives");
    assert!(message(&refused).contains(&format!("{stored} of 1048576 bytes are used")), "{refused:?}");
    let pieces =
        || futures_util::stream::iter([Ok::<_, std::io::Error>(vec![2; 300 * KIB]), Ok(vec![2; 300 * KIB])]);
    let endless = pieces().chain(futures_util::stream::pending());
    let refused = service.upload(&ann, UPLOADS, Body::from_stream(endless)).await;
    assert_eq!(refused.error(40902), full, "while it arrives");
    assert_eq!(std::fs::read_dir(service.data.uploads()).unwrap().count(), 0);

    service.upload(&bob, UPLOADS, vec![3; 1000 * KIB]).await.data();
    service.submit(&ann, &named_task("with room")).await.data();
    // The task uses some storage as well.
    let now = clock::now_ms();
    let stored = service.store.library().stored_bytes(ann.id, 0, now).await.unwrap() as usize;
    assert!((601 * KIB..620 * KIB).contains(&stored), "{stored}");
    service.upload(&ann, UPLOADS, vec![4; 1024 * KIB - stored]).await.data();
    let full = json!({ "storedBytes": 1024 * KIB, "limit": 1024 * KIB });
    assert_eq!(service.upload(&ann, UPLOADS, "x").await.error(40902), full);
    assert_eq!(service.submit(&ann, &task()).await.error(40902), full);
    let repeat = service.submit(&ann, &named_task("with room")).await.data();
    assert_eq!(repeat["duplicate"], true);
    service.upload(&ann, UPLOADS, Body::empty()).await.error(40902);
}

#[tokio::test]
async fn concurrent_uploads_are_counted_together() {
    let service = Service::with(|config| config.limits.stored_bytes_per_user = "1KiB".parse().unwrap()).await;
    let ann = service.user("ann", 0).await;
    let pending = Body::from_stream(futures_util::stream::pending::<std::io::Result<Vec<u8>>>());
    let slow = keyed(&ann, "POST", UPLOADS).header(header::CONTENT_LENGTH, "1000").body(pending).unwrap();
    let slow = tokio::spawn(service.router.clone().oneshot(slow));
    // The slow upload has reserved its storage once its file exists.
    let started = async {
        while std::fs::read_dir(service.data.uploads()).unwrap().count() == 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(120), started).await.unwrap();
    let refused = service.upload(&ann, UPLOADS, vec![1; 25]).await;
    assert_eq!(refused.error(40902)["storedBytes"], 1_000);
    slow.abort();
    assert!(slow.await.unwrap_err().is_cancelled());
    service.upload(&ann, UPLOADS, vec![1; 25]).await.data();
}

/// Another process uses up the quota while a file arrives here.
#[tokio::test]
async fn a_late_refusal_leaves_nothing_behind() {
    let service = Service::with(|config| config.limits.stored_bytes_per_user = "1KiB".parse().unwrap()).await;
    let ann = service.user("ann", 0).await;
    let (store, user) = (service.store.clone(), ann.id);
    let elsewhere = async move {
        let record = NewUpload {
            id: "0".repeat(32),
            user,
            content_sha256: "0".repeat(64),
            size_bytes: 600,
            file_name: None,
            created_at: clock::now_ms(),
            quota: Quota::default(),
        };
        assert_eq!(store.library().add(record).await.unwrap(), UploadOutcome::Added);
        Ok(vec![2; 300])
    };
    let arriving = futures_util::stream::iter([Ok::<_, std::io::Error>(vec![1; 300])])
        .chain(futures_util::stream::once(elsewhere));
    let refused = service.upload(&ann, UPLOADS, Body::from_stream(arriving)).await;
    assert_eq!(refused.error(40902), json!({ "storedBytes": 600, "limit": 1024 }));
    for folder in [service.data.uploads(), service.data.inputs()] {
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "{}", folder.display());
    }
}

#[tokio::test]
async fn open_event_streams_per_user_are_limited() {
    let service = Service::with(|config| config.limits.open_event_streams_per_user = 2).await;
    let (ann, bob) = (service.user("ann", 1_000).await, service.user("bob", 1_000).await);
    let events = async |user: &User| {
        let task_no = service.submit(user, &task()).await.data()["taskNo"].as_str().unwrap().to_owned();
        format!("{API}/events/{task_no}")
    };
    let (of_ann, of_bob) = (events(&ann).await, events(&bob).await);
    let open = async |user: &User, path: &str| {
        let request = keyed(user, "GET", path).body(Body::empty()).unwrap();
        let response = service.router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), 200);
        response.into_body()
    };
    let first = open(&ann, &of_ann).await;
    let _second = open(&ann, &of_ann).await;
    let refused = service.get(&ann, &of_ann).await;
    assert_eq!(refused.error(42902), json!({ "openStreams": 2, "limit": 2 }));
    assert_eq!(refused.header("retry-after"), "30");
    drop(open(&bob, &of_bob).await);
    drop(first);
    drop(open(&ann, &of_ann).await);
}

#[tokio::test]
async fn streams_of_events_leave_connections_for_calls() {
    let service = Service::with(|config| config.server.max_connections = 4).await;
    let (ann, bob) = (service.user("ann", 1_000).await, service.user("bob", 1_000).await);
    let task_no = service.submit(&ann, &task()).await.data()["taskNo"].as_str().unwrap().to_owned();
    let path = format!("{API}/events/{task_no}");
    let open = async || {
        let request = keyed(&ann, "GET", &path).body(Body::empty()).unwrap();
        service.router.clone().oneshot(request).await.unwrap().into_body()
    };
    let mut streams = vec![open().await, open().await, open().await];
    let refused = service.get(&ann, &path).await;
    refused.error(42903);
    assert!(!refused.header("retry-after").is_empty());
    service.submit(&bob, &task()).await.data();
    streams.pop();
    streams.push(open().await);
    service.get(&ann, &path).await.error(42903);
}

#[tokio::test]
async fn nothing_more_is_stored_on_a_disk_that_is_nearly_full() {
    let free = Arc::new(AtomicU64::new(20 << 20));
    let seen = free.clone();
    let disk = move |_: &clipmill_server::DataDir, keep_free| {
        Disk::measured(keep_free, None, move || Ok(seen.load(Ordering::SeqCst)))
    };
    let service = Service::on_disk(|config| config.storage.keep_free = "16MiB".parse().unwrap(), disk).await;
    let ann = service.user("ann", 100).await;
    service.get(&ann, "/readyz").await.data();
    service.submit(&ann, &named_task("first")).await.data();
    free.store(7 << 20, Ordering::SeqCst);
    service.get(&ann, "/readyz").await.error(50300);
    service.submit(&ann, &named_task("second")).await.error(50300);
    service.get(&ann, &format!("{API}/balance")).await.data();
    free.store(9 << 20, Ordering::SeqCst);
    service.get(&ann, "/readyz").await.data();
    service.submit(&ann, &named_task("second")).await.data();
}

#[tokio::test]
async fn cancelled_and_rejected_outputs_are_limited() {
    let service = Service::with(|config| config.limits.given_up_per_hour = 2).await;
    let ann = service.user("ann", 100).await;
    for name in ["a", "b"] {
        let task = service.submit(&ann, &named_task(name)).await.data();
        let path = format!("{API}/cancel/{}", task["taskNo"].as_str().unwrap());
        service.post(&ann, &path, "").await.data();
    }
    let refused = service.submit(&ann, &named_task("c")).await;
    assert_eq!(refused.headers["retry-after"], "300");
    assert_eq!(refused.error(42905), json!({ "givenUp": 2, "limit": 2 }));
    service.submit(&ann, &named_task("a")).await.data();
}
