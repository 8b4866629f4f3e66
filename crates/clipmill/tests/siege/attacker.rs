//! The hostile user's resources: a key, files, servers, tasks, and counts of responses.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::HOSTILE_POINTS;
use crate::client::{ApiResponse, Client, Tally, call};
use crate::hostile_server::HostileServer;
use crate::payloads::Payloads;

/// A few hundred tasks are cancelled at five a second.
const CLEARED: Duration = Duration::from_secs(600);
/// For a submit or a cancel.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Links of this user that hang at the same time, at most.
const HANGING: usize = 50;

pub struct Attacker {
    pub client: Client,
    pub tally: Tally,
    pub payloads: Payloads,
    pub hostile_server: HostileServer,
    /// Valid uploads.
    pub clip: String,
    pub large: String,
    /// A task that was delivered before the siege.
    pub done: String,
    /// Tasks of the regular user, which this user must not access.
    pub others: Mutex<Vec<String>>,
    /// Tasks whose links hang.
    pub hanging: Mutex<Vec<String>>,
    pub over: AtomicBool,
    number: AtomicUsize,
}

/// The final state of the hostile user's tasks and points.
#[derive(Debug)]
pub struct FinalState {
    pub states: BTreeMap<u64, usize>,
    pub held: u64,
    pub spent: u64,
    pub consumed: u64,
}

impl Attacker {
    pub async fn new(client: Client, start: usize) -> Self {
        let payloads = Payloads::load();
        let mut links = Vec::new();
        for file in [&payloads.clip, &payloads.large] {
            let request = client.post("/uploads?fileName=clip.mp4").body(file.clone());
            links.push(call(request).await.unwrap().data["url"].as_str().unwrap().to_owned());
        }
        let [clip, large] = [0, 1].map(|at| links[at].clone());
        let request = client.post("/video-process/submit").json(&task(&clip, 1.0, "720:1280"));
        let done = call(request).await.unwrap().data["taskNo"].as_str().unwrap().to_owned();
        while call(client.get(&format!("/video-process/status/{done}"))).await.unwrap().data["status"] != 3 {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        Self {
            client,
            tally: Tally::default(),
            payloads,
            hostile_server: HostileServer::open().await,
            clip,
            large,
            done,
            others: Mutex::default(),
            hanging: Mutex::default(),
            over: AtomicBool::new(false),
            number: AtomicUsize::new(start),
        }
    }

    /// Numbers that were not used before.
    pub fn number(&self) -> usize {
        self.number.fetch_add(1, Ordering::Relaxed)
    }

    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Sends one request and counts the response; disconnects if there is none in time.
    pub async fn send(
        &self,
        kind: &'static str,
        request: RequestBuilder,
        timeout: Duration,
    ) -> Option<ApiResponse> {
        let (outcome, response) = match tokio::time::timeout(timeout, call(request)).await {
            Err(_) => ("left".to_owned(), None),
            Ok(Err(_)) => ("closed".to_owned(), None),
            Ok(Ok(response)) => {
                let ApiResponse { status, code, .. } = &response;
                let result =
                    if *code == 0 { status.to_string() } else { format!("{status}/{:02}", code % 100) };
                (result, Some(response))
            }
        };
        self.tally.count(kind, &outcome);
        response
    }

    /// All at once.
    pub async fn send_all(
        &self,
        kind: &'static str,
        requests: Vec<RequestBuilder>,
        timeout: Duration,
    ) -> Vec<ApiResponse> {
        let responses = requests.into_iter().map(|request| self.send(kind, request, timeout));
        futures_util::future::join_all(responses).await.into_iter().flatten().collect()
    }

    /// Submits all at once; returns the numbers of those accepted.
    pub async fn submit(&self, kind: &'static str, tasks: &[Value]) -> Vec<String> {
        let requests = tasks.iter().map(|task| self.client.post("/video-process/submit").json(task));
        let answers = self.send_all(kind, requests.collect(), TIMEOUT).await;
        answers.iter().filter_map(|response| Some(response.data["taskNo"].as_str()?.to_owned())).collect()
    }

    pub async fn cancel(&self, kind: &'static str, tasks: &[String]) {
        let requests = tasks.iter().map(|task| self.client.post(&format!("/video-process/cancel/{task}")));
        self.send_all(kind, requests.collect(), TIMEOUT).await;
    }

    /// Keeps hanging tasks, and returns those that are too many by now.
    pub fn leave_hanging(&self, tasks: Vec<String>) -> Vec<String> {
        let mut hanging = self.hanging.lock().unwrap();
        hanging.extend(tasks);
        let many = hanging.len().saturating_sub(HANGING);
        hanging.drain(..many).collect()
    }

    /// Cancels what has not ended, until all has.
    pub async fn cancel_all(&self) {
        let began = Instant::now();
        for page in 1.. {
            let open_tasks =
                self.patient(|| self.client.get(&format!("/batches?pageSize=100&pageNo={page}"))).await;
            for batch in
                open_tasks.data["list"].as_array().unwrap().iter().filter(|batch| batch["status"] == 2)
            {
                let path = format!("/batches/{}/cancel", batch["batchNo"].as_str().unwrap());
                let cancelled = self.patient(|| self.client.post(&path)).await;
                assert!([200, 409].contains(&cancelled.status), "{cancelled:?}");
            }
            if page * 100 >= open_tasks.data["total"].as_u64().unwrap() {
                break;
            }
        }
        loop {
            let mut open = Vec::new();
            for state in 0..=2 {
                open.extend(self.list(&format!("status={state}&")).await);
            }
            if open.is_empty() {
                return;
            }
            assert!(began.elapsed() < CLEARED, "{} tasks neither end nor are cancelled", open.len());
            for task in open {
                let path = format!("/video-process/cancel/{}", task["taskNo"].as_str().unwrap());
                let cancelled = self.patient(|| self.client.post(&path)).await;
                assert!([200, 409].contains(&cancelled.status), "{cancelled:?}");
            }
        }
    }

    /// All tasks that a filter finds.
    async fn list(&self, filter: &str) -> Vec<Value> {
        let mut tasks = Vec::new();
        for page in 1.. {
            let path = format!("/video-process/list?{filter}pageSize=100&pageNo={page}");
            let reply = self.patient(|| self.client.get(&path)).await;
            assert_eq!(reply.status, 200, "{reply:?}");
            tasks.extend(reply.data["list"].as_array().unwrap().iter().cloned());
            if tasks.len() as u64 >= reply.data["total"].as_u64().unwrap() {
                break;
            }
        }
        tasks
    }

    /// Repeats a request until it is no longer refused by the rate limit.
    async fn patient(&self, request: impl Fn() -> RequestBuilder) -> ApiResponse {
        loop {
            let response = call(request()).await.unwrap();
            if response.status != 429 {
                return response;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    pub async fn final_state(&self) -> FinalState {
        let (mut states, mut consumed) = (BTreeMap::new(), 0);
        for task in self.list("").await {
            *states.entry(task["status"].as_u64().unwrap()).or_default() += 1;
            consumed += task["consumedDotCount"].as_u64().unwrap();
        }
        let points = self.patient(|| self.client.get("/video-process/balance")).await.data;
        let [held, total] = ["held", "total"].map(|name| points[name].as_u64().unwrap());
        FinalState { states, held, spent: HOSTILE_POINTS - total, consumed }
    }
}

/// One output of so many seconds.
pub fn task(url: &str, seconds: f64, resolution: &str) -> Value {
    json!({ "taskType": "baseVideoMix", "params": {
        "videoList": [{ "videos": [{ "url": url }], "totalDuration": seconds }],
        "options": { "resolution": resolution } } })
}
