//! Live events: content, frequency, and the end of a stream.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::http::StatusCode;
use clipmill_core::ids::TaskNo;
use futures_util::StreamExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::harness::{API, ApiResponse, Service, User, keyed, task};

/// An open stream, read event by event.
struct Stream {
    pieces: BodyDataStream,
    text: String,
}

#[derive(Debug, Clone)]
struct Event {
    id: String,
    name: String,
    data: Value,
}

impl Stream {
    async fn open(service: &Service, user: &User, task_no: &str, last: Option<&str>) -> Self {
        let mut request = keyed(user, "GET", &format!("{API}/events/{task_no}"));
        if let Some(last) = last {
            request = request.header("Last-Event-ID", last);
        }
        let request = request.body(Body::empty()).unwrap();
        let response = service.router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { pieces: response.into_body().into_data_stream(), text: String::new() }
    }

    /// The next event; `None` at the stream's end.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let fields: std::collections::HashMap<_, _> =
                    block.lines().filter_map(|line| line.split_once(": ")).collect();
                let event = fields.get("event").map(|name| Event {
                    id: fields["id"].to_owned(),
                    name: (*name).to_owned(),
                    data: serde_json::from_str(fields["data"]).unwrap(),
                });
                self.text = rest.to_owned();
                if event.is_some() {
                    return event;
                }
                continue;
            }
            let piece = tokio::time::timeout(Duration::from_secs(120), self.pieces.next()).await.unwrap()?;
            self.text += std::str::from_utf8(&piece.unwrap()).unwrap();
        }
    }

    async fn rest(mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
        }
        events
    }
}

async fn submitted(service: &Service, user: &User) -> String {
    service.submit(user, &task()).await.data()["taskNo"].as_str().unwrap().to_owned()
}

async fn cancel(service: &Service, user: &User, task_no: &str) {
    service.post(user, &format!("{API}/cancel/{task_no}"), "").await.data();
}

async fn resumed(service: &Service, user: &User, task_no: &str, last: &str) -> ApiResponse {
    let request = keyed(user, "GET", &format!("{API}/events/{task_no}")).header("Last-Event-ID", last);
    service.call(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_stream_reports_the_state_the_items_and_the_end() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let task_no = submitted(&service, &ann).await;
    let mut stream = Stream::open(&service, &ann, &task_no, None).await;
    let first = stream.next().await.unwrap();
    assert_eq!((first.name.as_str(), &first.data["status"]), ("state", &json!(0)));
    assert!(first.data.get("items").is_none());
    cancel(&service, &ann, &task_no).await;
    let rest = stream.rest().await;
    let received: Vec<_> =
        rest.iter().map(|event| (event.name.as_str(), event.data["status"].clone())).collect();
    assert_eq!(received, [("item", json!(5)), ("state", json!(5))]);
    assert_eq!(rest[0].data["error"]["code"], "CANCELLED");

    // A client that reconnects gets the remaining events, and after the last one an empty response.
    let after_item = Stream::open(&service, &ann, &task_no, Some(&rest[0].id)).await.rest().await;
    assert_eq!(after_item.iter().map(|event| event.name.as_str()).collect::<Vec<_>>(), ["state"]);
    assert_eq!(resumed(&service, &ann, &task_no, &rest[1].id).await.status, StatusCode::NO_CONTENT);
    for strange in ["", "x", "7-7-7-7"] {
        let all = Stream::open(&service, &ann, &task_no, Some(strange)).await.rest().await;
        assert_eq!(all.len(), 2, "{strange:?}: {all:?}");
    }
    let bob = service.user("bob", 0).await;
    resumed(&service, &bob, &task_no, "0--0").await.error(40400);
}

#[tokio::test]
async fn messages_in_a_stream_are_in_the_requested_language() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let task_no = submitted(&service, &ann).await;
    cancel(&service, &ann, &task_no).await;
    let request = keyed(&ann, "GET", &format!("{API}/events/{task_no}")).header("accept-language", "zh");
    let response = service.call(request.body(Body::empty()).unwrap()).await;
    let text = String::from_utf8(response.body.to_vec()).unwrap();
    assert!(text.contains("取消"), "{text}");
}

#[tokio::test]
async fn open_streams_end_when_the_service_stops() {
    let service = Service::start().await;
    let ann = service.user("ann", 100).await;
    let task_no = submitted(&service, &ann).await;
    let mut stream = Stream::open(&service, &ann, &task_no, None).await;
    stream.next().await.unwrap();
    service.app.stopping.cancel();
    assert_eq!(stream.rest().await.len(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_thousand_streams_stay_open_and_all_receive_the_end() {
    const STREAMS: usize = 2_000;
    const TASKS: usize = 100;
    let service = std::sync::Arc::new(Service::start().await);
    let ann = service.user("ann", 100_000).await;
    let mut tasks = Vec::new();
    for _ in 0..TASKS {
        tasks.push(submitted(&service, &ann).await);
    }
    let opened = std::sync::Arc::new(AtomicUsize::new(0));
    let mut watching = tokio::task::JoinSet::new();
    for n in 0..STREAMS {
        let (service, task_no, opened) = (service.clone(), tasks[n % TASKS].clone(), opened.clone());
        let ann = User { id: ann.id, key: ann.key.clone() };
        watching.spawn(async move {
            let mut stream = Stream::open(&service, &ann, &task_no, None).await;
            stream.next().await.unwrap();
            opened.fetch_add(1, Ordering::SeqCst);
            stream.rest().await.last().unwrap().data["status"].clone()
        });
    }
    let all_open = async {
        while opened.load(Ordering::SeqCst) < STREAMS {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(240), all_open).await.unwrap();
    // Other calls succeed while the streams are open.
    service.get(&ann, &format!("{API}/balance")).await.data();
    for task_no in &tasks {
        let task_no = TaskNo::parse(task_no).unwrap();
        service.store.tasks().cancel(ann.id, &task_no, clipmill_server::clock::now_ms()).await.unwrap();
    }
    let ends = tokio::time::timeout(Duration::from_secs(240), watching.join_all()).await.unwrap();
    assert_eq!(ends, vec![json!(5); STREAMS]);
}
