//! One user never blocks another: while one holds as many permits as possible, the other is served.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use clipmill_server::Config;
use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::harness::{API, ApiResponse, Service, User, task};

/// More than a user can have in progress of anything.
const CROWD: usize = 70;
/// Far longer than any response takes.
const LONG: Duration = Duration::from_secs(300);

/// Files at addresses with `slow` never arrive.
const SLOW: &str = "https://media.example/slow.mp4";
const GONE: &str = "https://media.example/gone.mp4";

fn naming(url: &str) -> Value {
    let mut task = task();
    task["params"]["videoList"][0]["filename"] = json!(url);
    task
}

/// Lets ann make `slow` calls until the service starts no more of them, then waits for bob's single call.
async fn check(
    change: impl FnOnce(&mut Config),
    path: &'static str,
    slow: impl Fn() -> Body,
    quick: impl Fn() -> Body,
    is_full: impl Fn(&Service, &User) -> bool,
) -> ApiResponse {
    let service = Arc::new(Service::with(change).await);
    let [ann, bob] = [service.user("ann", 100).await, service.user("bob", 100).await];
    let ann = Arc::new(ann);
    let mut crowd = tokio::task::JoinSet::new();
    for _ in 0..CROWD {
        let (service, ann, body) = (service.clone(), ann.clone(), slow());
        crowd.spawn(async move { service.post(&ann, path, body).await });
    }
    let full = async {
        while !is_full(&service, &ann) {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(LONG, full).await.unwrap();
    // The service lets a call wait up to 30 s for its permit; bob's call does not wait at all.
    let response = tokio::time::timeout(LONG, service.post(&bob, path, quick())).await.unwrap();
    assert!(!is_full(&service, &bob), "{path}");
    crowd.abort_all();
    while crowd.join_next().await.is_some() {}
    assert!(!is_full(&service, &ann), "{path}: what was cut off holds no place");
    response
}

fn text(value: &Value) -> Body {
    Body::from(value.to_string())
}

#[tokio::test]
async fn slow_probes_do_not_block_other_users() {
    let full = |service: &Service, user: &User| service.app.semaphores.looks.try_acquire(user.id).is_err();
    for path in ["/open-api/v1/probe", "/open-api/v1/thumbnail"] {
        let body = |url: &str| text(&json!({ "url": url }));
        check(|_| (), path, || body(SLOW), || body(GONE), full).await.error(40001);
    }
    let preview = |url: &str| text(&json!({ "request": naming(url) }));
    check(|_| (), "/open-api/v1/preview", || preview(SLOW), || preview(GONE), full).await.error(40001);
}

#[tokio::test]
async fn slow_estimates_do_not_block_other_users() {
    let full =
        |service: &Service, user: &User| service.app.semaphores.preflights.try_acquire(user.id).is_err();
    let path = "/open-api/v1/video-process/estimate?preflight=true";
    check(|_| (), path, || text(&naming(SLOW)), || text(&naming(GONE)), full).await.data();
}

#[tokio::test]
async fn hanging_receivers_do_not_block_other_users() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let hanging = format!("http://{}/", silent.local_addr().unwrap());
    let full =
        |service: &Service, user: &User| service.app.semaphores.callback_tests.try_acquire(user.id).is_err();
    let allow = |config: &mut Config| {
        config.fetch.allow_networks = vec!["127.0.0.1".parse().unwrap()];
        config.fetch.allow_ports = "*".parse().unwrap();
    };
    let path = "/open-api/v1/video-process/callbacks/test";
    let body = |url: &str| text(&json!({ "url": url }));
    // Nobody listens at this address.
    check(allow, path, || body(&hanging), || body("http://127.0.0.1:1/"), full).await.data();
}

/// Sends half of a body, and then nothing more.
fn half(bytes: usize) -> Body {
    let sent = futures_util::stream::iter([Ok::<_, std::io::Error>(Bytes::from(vec![b' '; bytes]))]);
    Body::from_stream(sent.chain(futures_util::stream::pending()))
}

#[tokio::test]
async fn half_sent_bodies_do_not_block_other_users() {
    let path = "/open-api/v1/video-process/submit";
    let whole = |bytes: usize| Body::from(format!("{}{}", " ".repeat(bytes), task()));
    let full =
        |service: &Service, user: &User| service.app.semaphores.large_bodies.try_acquire(user.id).is_err();
    check(|_| (), path, || half(2 << 20), || whole(2 << 20), full).await.data();
    let full = |service: &Service, user: &User| service.app.semaphores.bodies.try_acquire(user.id).is_err();
    check(|_| (), path, || half(100 << 10), || whole(100 << 10), full).await.data();
}

#[tokio::test]
async fn uploads_and_frames_do_not_block_other_users() {
    let full = |service: &Service, user: &User| service.app.semaphores.looks.try_acquire(user.id).is_err();
    let service = Arc::new(Service::start().await);
    let [ann, bob] = [service.user("ann", 0).await, service.user("bob", 0).await];
    let ann = Arc::new(ann);
    let mut crowd = tokio::task::JoinSet::new();
    for _ in 0..CROWD {
        let (service, ann) = (service.clone(), ann.clone());
        crowd.spawn(async move { service.upload(&ann, "/open-api/v1/uploads", "SLOW").await });
    }
    while !full(&service, &ann) {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let quick = service.upload(&bob, "/open-api/v1/uploads", "MEDIA");
    let url = tokio::time::timeout(LONG, quick).await.expect("bob's upload").data()["url"].clone();
    assert!(service.get(&bob, &format!("{API}/list")).await.data()["total"] == 0);
    let shown = service.post(&bob, "/open-api/v1/thumbnail", json!({ "url": url }).to_string());
    assert_eq!(tokio::time::timeout(LONG, shown).await.expect("bob's picture").status, 200);
}

#[tokio::test]
async fn a_user_with_too_many_waiting_calls_gets_retry_after() {
    let service = Arc::new(Service::start().await);
    let ann = Arc::new(service.user("ann", 0).await);
    let looks = &service.app.semaphores.looks;
    let _held: Vec<_> = std::iter::from_fn(|| looks.try_acquire(ann.id).ok()).collect();
    let probe = async |service: &Service, ann: &User| {
        service.post(ann, "/open-api/v1/probe", json!({ "url": GONE }).to_string()).await
    };
    let mut crowd = tokio::task::JoinSet::new();
    for _ in 0..200 {
        let (service, ann) = (service.clone(), ann.clone());
        crowd.spawn(async move { probe(&service, &ann).await });
    }
    while !looks.is_crowded(ann.id) {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let refused = probe(&service, &ann).await;
    assert_eq!(refused.error(42903), json!({ "seconds": 5 }));
    assert_eq!(refused.header("retry-after"), "5");
    service.upload(&ann, "/open-api/v1/uploads", "MEDIA").await.error(42903);
}

#[tokio::test]
async fn large_requests_of_one_user_do_not_block_other_users() {
    let service = Service::start().await;
    let [ann, bob] = [service.user("ann", 0).await, service.user("bob", 0).await];
    let estimate = |outputs: u32| {
        let clips: Vec<Value> = (0..50)
            .map(|n| json!({ "url": format!("https://media.example/{n}.mp4"), "duration": 9 }))
            .collect();
        let scene =
            |key: &str| json!({ "sceneKey": key, "sceneName": key, "duration": 2, "resources": clips });
        let params =
            json!({ "audioMode": "split", "outputCount": outputs, "scenes": [scene("a"), scene("b")] });
        json!({ "taskType": "proVideoMix", "params": params }).to_string()
    };
    let path = format!("{API}/estimate");
    let plans = &service.app.semaphores.plans;
    let permits: Vec<_> = std::iter::from_fn(|| plans.try_acquire(ann.id).ok()).collect();
    assert!(!permits.is_empty());
    assert_eq!(
        service.post(&ann, &path, estimate(2)).await.data()["totalItems"],
        2,
        "a small one needs no turn"
    );
    assert_eq!(service.post(&bob, &path, estimate(200)).await.data()["totalItems"], 200);
    let mut waiting = std::pin::pin!(service.post(&ann, &path, estimate(200)));
    assert!(
        tokio::time::timeout(Duration::from_millis(50), &mut waiting).await.is_err(),
        "she has all of hers"
    );
    drop(permits);
    assert_eq!(waiting.await.data()["totalItems"], 200);
}

/// Even with a minimal limit, a slow frame never holds the only permit.
#[tokio::test]
async fn a_slow_frame_does_not_block_other_users() {
    let service = Service::with(|config| config.limits.previews = 1).await;
    let [ann, bob] = [service.user("ann", 0).await, service.user("bob", 0).await];
    let url = service.upload(&bob, "/open-api/v1/uploads", "MEDIA").await.data()["url"].clone();
    let semaphore = &service.app.semaphores.frames;
    let permits = std::iter::from_fn(|| semaphore.try_acquire(ann.id).ok()).collect::<Vec<_>>();
    assert!(!permits.is_empty());
    let shown = service.post(&bob, "/open-api/v1/thumbnail", json!({ "url": url }).to_string());
    assert_eq!(tokio::time::timeout(LONG, shown).await.unwrap().status, 200);
}
