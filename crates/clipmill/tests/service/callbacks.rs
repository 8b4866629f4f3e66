//! Callbacks of the real program: pending callbacks are delivered after a kill and the next start.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::harness::{Service, run, samples};
use crate::http::Request;

const LOCAL: [(&str, &str); 3] = [
    ("CLIPMILL_FETCH_ALLOW_NETWORKS", "127.0.0.0/8"),
    ("CLIPMILL_FETCH_ALLOW_PORTS", "*"),
    (
        "CLIPMILL_CALLBACKS_SCHEDULE",
        "0s,100ms,100ms,100ms,100ms,100ms,100ms,100ms,100ms,100ms,100ms,100ms,100ms",
    ),
];

/// By task number, the ID and body of each accepted message.
type Taken = BTreeMap<String, Vec<(String, Value)>>;

/// Responds with 200 when it is open, otherwise not at all; records the IDs of messages.
#[derive(Clone, Default)]
struct Receiver {
    port: u16,
    open: Arc<AtomicBool>,
    calls: Arc<AtomicUsize>,
    taken: Arc<Mutex<Taken>>,
}

impl Receiver {
    async fn start(open: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let receiver = Self {
            port: listener.local_addr().unwrap().port(),
            open: Arc::new(AtomicBool::new(open)),
            ..Self::default()
        };
        let serving = receiver.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serving.clone().serve(stream));
            }
        });
        receiver
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook", self.port)
    }

    async fn serve(self, mut stream: TcpStream) {
        let mut bytes = Vec::new();
        let Some(request) = Request::next(&mut stream, &mut bytes).await else { return };
        self.calls.fetch_add(1, Ordering::SeqCst);
        if self.open.load(Ordering::SeqCst) {
            let id = request.header("webhook-id").unwrap().to_owned();
            let body: Value = serde_json::from_slice(&request.body).unwrap();
            let task_no = body["data"]["taskNo"].as_str().unwrap().to_owned();
            self.taken.lock().unwrap().entry(task_no).or_default().push((id, body));
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
        } else {
            let _ = stream.read(&mut [0; 1]).await;
        }
    }

    fn taken(&self) -> Taken {
        self.taken.lock().unwrap().clone()
    }

    async fn wait_until(&self, what: &str, reached: impl Fn(&Self) -> bool) {
        let waiting = async {
            while !reached(self) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        assert!(tokio::time::timeout(Duration::from_secs(240), waiting).await.is_ok(), "{what}");
    }
}

#[tokio::test]
async fn killed_between_commit_and_delivery_it_is_delivered_after_the_next_start() {
    let mut service = Service::start_with(100, &LOCAL).await;
    let receiver = Receiver::start(false).await;
    let city = service.upload(&samples().join("city.mp4")).await;
    let task_no = service
        .accepted(&json!({ "taskType": "baseVideoMix", "callbackUrl": receiver.url(),
            "params": { "videoList": [{ "videos": [{ "url": city }], "totalDuration": 1 }] } }))
        .await;
    // The final state is committed, the message is being sent, there is no response yet.
    receiver.wait_until("a first attempt", |receiver| receiver.calls.load(Ordering::SeqCst) > 0).await;
    assert_eq!(service.status(&task_no).await["status"], json!(3));
    service.kill();
    assert_eq!(receiver.taken().len(), 0);
    let (status, stdout, _) = run(&["callbacks", "--json", "--data", service.data.path().to_str().unwrap()]);
    let open: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((status, &open[0]["taskNo"], &open[0]["status"]), (0, &json!(task_no), &json!("sending")));

    receiver.open.store(true, Ordering::SeqCst);
    service.boot();
    receiver.wait_until("the delivery", |receiver| receiver.taken().contains_key(&task_no)).await;
    let (id, body) = receiver.taken()[&task_no][0].clone();
    assert_eq!((id, &body["type"]), (format!("evt_{task_no}"), &json!("task.completed")));
    let file = service.data.path().join("by-callback.mp4");
    service.download(&body["data"]["items"][0]["url"], &file).await;
    assert!(std::fs::metadata(&file).unwrap().len() > 1000, "the link in the message works");
    let log = service.get(&format!("/video-process/callbacks/{task_no}")).await;
    let first = log["attempts"][0]["error"].as_str().unwrap();
    assert_eq!(first, "the service stopped during the attempt");
    let (_, stdout, _) = run(&["callbacks", "--data", service.data.path().to_str().unwrap()]);
    assert!(stdout.contains("is pending") || stdout.contains("sending"), "{stdout}");
}

#[tokio::test]
async fn under_random_kills_every_task_has_one_event_id() {
    const TASKS: usize = 500;
    const KILLS: usize = 10;
    let quick = ("CLIPMILL_LIMITS_SUBMIT_BURST", "10000");
    let mut service = Service::start_with(10_000, &[&LOCAL[..], &[quick]].concat()).await;
    let receiver = Receiver::start(true).await;
    let mut tasks = Vec::new();
    for n in 0..TASKS {
        // Cancelled: the quickest way to a final state.
        let mut request = json!({ "taskType": "baseVideoMix", "callbackUrl": receiver.url(),
            "params": { "videoList": [{ "videos": [{ "url": "http://127.0.0.1:1/nothing.mp4" }] }] } });
        request["clientTaskId"] = json!(format!("task {n}"));
        let task_no = service.accepted(&request).await;
        service.cancel(&task_no).await;
        tasks.push(task_no);
        if n % (TASKS / KILLS) == TASKS / KILLS - 1 {
            // Some are committed and sent, some are being sent, some are waiting.
            tokio::time::sleep(Duration::from_millis(7 * (n as u64 % 13))).await;
            service.kill();
            service.boot();
        }
    }
    receiver.wait_until("all deliveries", |receiver| receiver.taken().len() == TASKS).await;
    for (task_no, calls) in receiver.taken() {
        assert!(tasks.contains(&task_no));
        assert!(calls.iter().all(|(id, _)| *id == format!("evt_{task_no}")), "{calls:?}");
        assert!(calls.iter().all(|(_, body)| body["type"] == json!("task.cancelled")));
    }
    service.assert_audit();
}

#[tokio::test]
async fn a_stop_does_not_wait_for_open_streams() {
    let mut service = Service::start(100).await;
    let clip = crate::harness::long_clip(service.data.path());
    let long = service.upload(&clip).await;
    let task_no = service
        .accepted(
            &json!({ "taskType": "baseVideoMix", "params": { "videoList": [{ "videos": [{ "url": long }] }],
            "options": { "resolution": "1080:1920", "fps": 60 } } }),
        )
        .await;
    let mut stream = service.open(&format!("/video-process/events/{task_no}")).await;
    assert!(stream.chunk().await.unwrap().is_some());
    service.signal();
    // Well before the 30 s that open requests have.
    let ended = async { while let Ok(Some(_)) = stream.chunk().await {} };
    assert!(tokio::time::timeout(Duration::from_secs(20), ended).await.is_ok());
    service.signal();
    assert_eq!(service.terminate(), 0, "{}", service.log());
}

#[tokio::test]
async fn a_secret_is_replaced_with_an_overlap() {
    let service = Service::start(0).await;
    let data = service.data.path().to_str().unwrap();
    let rotate = |more: &[&str]| {
        let (status, stdout, stderr) =
            run(&[&["user", "rotate-secret", "tester", "--json", "--data", data], more].concat());
        assert_eq!(status, 0, "{stderr}");
        serde_json::from_str::<Value>(&stdout).unwrap()
    };
    let (first, second) = (rotate(&[]), rotate(&["--overlap", "0s"]));
    assert!(first["webhookSecret"].as_str().unwrap().starts_with("whsec_"));
    assert_ne!(first["webhookSecret"], second["webhookSecret"]);
    assert!(first["earlierUntil"].as_str() > second["earlierUntil"].as_str());
    let (status, _, stderr) = run(&["user", "rotate-secret", "nobody", "--data", data]);
    assert_eq!((status, stderr.contains("no user is called nobody")), (2, true), "{stderr}");
}
