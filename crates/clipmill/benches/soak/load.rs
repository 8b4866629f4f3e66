//! Clients: many concurrent tasks of all kinds, valid and invalid, each followed to its end.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::footage::CLIPS;
use super::service::Service;
use super::web::Web;

const API: &str = "/open-api/v1";
/// How often the same request is sent before another one, so that caches are both hit and missed.
const REPEATS: usize = 4;
/// Far longer than any of these tasks takes.
const TIMEOUT: Duration = Duration::from_secs(300);
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// How a task must end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    Completed,
    /// Completed, with one item that failed.
    Partly,
    Rejected,
    /// Cancelled, or completed where cancelling came too late.
    Cancelled,
}

#[derive(Debug, Clone)]
pub struct Outcome {
    pub what: &'static str,
    pub task_no: String,
    pub status: String,
    /// What is wrong with it.
    pub wrong: Option<String>,
}

pub struct Load {
    http: reqwest::Client,
    base: String,
    key: String,
    web: Web,
    clips: PathBuf,
    ended: AtomicUsize,
}

impl Load {
    pub fn new(service: &Service, web: Web, clips: &Path) -> Self {
        Self {
            http: reqwest::Client::builder().no_proxy().build().unwrap(),
            base: service.address.clone(),
            key: service.key.clone(),
            web,
            clips: clips.to_owned(),
            ended: AtomicUsize::new(0),
        }
    }

    /// Tasks that have ended so far.
    pub fn ended(&self) -> usize {
        self.ended.load(Ordering::Relaxed)
    }

    /// Runs until the time is over and this many tasks have been started, at most for twice the time.
    pub async fn run(self: Arc<Self>, time: Duration, tasks: usize, open: usize) -> Vec<Outcome> {
        let (began, mut running, mut outcomes, mut number) = (Instant::now(), JoinSet::new(), Vec::new(), 0);
        loop {
            let enough = began.elapsed() >= time && number >= tasks || began.elapsed() >= time * 2;
            if running.len() < open && !enough {
                running.spawn(self.clone().one(number));
                number += 1;
                continue;
            }
            match running.join_next().await {
                Some(outcome) => outcomes.push(outcome.expect("a client to end")),
                None => return outcomes,
            }
        }
    }

    async fn one(self: Arc<Self>, number: usize) -> Outcome {
        let (what, expected) = kind(number);
        let mut outcome = Outcome { what, task_no: String::new(), status: "lost".into(), wrong: None };
        let followed = tokio::time::timeout(TIMEOUT, self.follow(number, what, expected, &mut outcome)).await;
        outcome.wrong = match followed {
            Ok(Ok(())) => None,
            Ok(Err(wrong)) => Some(wrong),
            Err(_) => Some(format!("did not end within {} s", TIMEOUT.as_secs())),
        };
        self.ended.fetch_add(1, Ordering::Relaxed);
        outcome
    }

    async fn follow(
        &self,
        number: usize,
        what: &str,
        expected: Expected,
        outcome: &mut Outcome,
    ) -> Result<(), String> {
        let body = self.body(number, what).await?;
        let data = self.call(self.http.post(self.url("/video-process/submit")).json(&body)).await?;
        let task_no = data["taskNo"].as_str().ok_or("no task number")?.to_owned();
        outcome.task_no.clone_from(&task_no);
        if expected == Expected::Cancelled {
            sleep(Duration::from_millis(number as u64 % 7 * 300)).await;
            // Cancelling too late is an error of no interest: the task is completed then.
            let _ = self.call(self.http.post(self.url(&format!("/video-process/cancel/{task_no}")))).await;
        }
        let status = loop {
            let status =
                self.call(self.http.get(self.url(&format!("/video-process/status/{task_no}")))).await?;
            if status["status"].as_u64().is_some_and(|code| code >= 3) {
                break status;
            }
            sleep(POLL_INTERVAL).await;
        };
        outcome.status = status["statusName"].as_str().unwrap_or("?").to_owned();
        self.judge(&status, expected).await
    }

    async fn judge(&self, status: &Value, expected: Expected) -> Result<(), String> {
        let (code, failed) =
            (status["status"].as_u64().unwrap_or(0), status["failedItems"].as_u64().unwrap_or(0));
        let good = match expected {
            Expected::Completed => code == 3 && failed == 0,
            Expected::Partly => code == 3 && failed == 1,
            Expected::Rejected => code == 6,
            Expected::Cancelled => code == 5 || code == 3,
        };
        if !good {
            return Err(format!("ended otherwise than expected ({expected:?}): {status}"));
        }
        let items = status["items"].as_array().map(Vec::as_slice).unwrap_or_default();
        for url in items.iter().filter_map(|item| item["url"].as_str()) {
            let response = self.http.get(url).send().await.map_err(|error| error.to_string())?;
            let bytes = response.bytes().await.map_err(|error| error.to_string())?;
            if bytes.get(4..8) != Some(b"ftyp") {
                return Err(format!("{url} is no film of {} bytes", bytes.len()));
            }
        }
        Ok(())
    }

    async fn body(&self, number: usize, what: &str) -> Result<Value, String> {
        // Repeated elements: clips, seeds and addresses.
        let turn = number / REPEATS;
        let clip = |offset: usize| {
            let file = (turn * 5 + offset * 7) % CLIPS;
            format!("http://127.0.0.1:{}/clip-{file}.mp4?v={}", self.web.port, turn % 40)
        };
        let bad = |name: &str| format!("http://127.0.0.1:{}/{name}?v={number}", self.web.port);
        let size = ["720:1280", "1280:720"][turn % 2];
        let options = json!({ "resolution": size, "resolutionMode": "crop", "fps": 25, "preset": "draft" });
        let mix = |groups: Value| json!({ "taskType": "baseVideoMix", "params": { "videoList": groups, "options": options } });
        let videos = |urls: &[String]| json!({ "videos": urls.iter().map(|url| json!({ "url": url })).collect::<Vec<_>>() });
        let mut body = match what {
            "bad input" => mix(json!([videos(&[bad("bad.mp4")])])),
            "torn input" => mix(json!([videos(&[bad("torn.mp4")])])),
            "missing input" => mix(json!([videos(&[bad("missing.mp4")])])),
            "partly bad" => mix(json!([videos(&[clip(0), clip(1)]), videos(&[clip(2), bad("bad.mp4")])])),
            "scenes" => scenes(turn, size, &clip),
            "variants" | "cancelled" => variants(turn, &[clip(0), clip(1)]),
            "upload" => variants(turn, &[self.upload(turn % CLIPS).await?]),
            _ => mix(json!([videos(&[clip(0), clip(1)]), videos(&[clip(1), clip(2)])])),
        };
        body["callbackUrl"] = json!(format!("http://127.0.0.1:{}/hook", self.web.port));
        body["clientTaskId"] = json!(format!("soak-{number}"));
        Ok(body)
    }

    async fn upload(&self, clip: usize) -> Result<String, String> {
        let bytes =
            std::fs::read(self.clips.join(format!("clip-{clip}.mp4"))).map_err(|error| error.to_string())?;
        let request = self.http.post(self.url("/uploads?fileName=clip.mp4"));
        let data = self.call(request.header("content-type", "application/octet-stream").body(bytes)).await?;
        data["url"].as_str().map(str::to_owned).ok_or_else(|| "an upload without url".to_owned())
    }

    fn url(&self, path: &str) -> String {
        format!("{}{API}{path}", self.base)
    }

    /// The `data` of a successful answer.
    async fn call(&self, request: reqwest::RequestBuilder) -> Result<Value, String> {
        let response =
            request.header("X-API-Key", &self.key).send().await.map_err(|error| error.to_string())?;
        let mut response: Value = response.json().await.map_err(|error| error.to_string())?;
        if response["code"] == 0 { Ok(response["data"].take()) } else { Err(response.to_string()) }
    }
}

/// The next of twenty kinds of task, and its expected end.
fn kind(number: usize) -> (&'static str, Expected) {
    match number % 20 {
        3 => ("bad input", Expected::Rejected),
        7 | 18 => ("upload", Expected::Completed),
        9 => ("partly bad", Expected::Partly),
        11 if number % 100 == 11 => ("missing input", Expected::Rejected),
        11 => ("torn input", Expected::Rejected),
        13 | 16 => ("cancelled", Expected::Cancelled),
        n if n.is_multiple_of(3) => ("mix", Expected::Completed),
        n if n % 3 == 1 => ("scenes", Expected::Completed),
        _ => ("variants", Expected::Completed),
    }
}

fn scenes(turn: usize, size: &str, clip: &impl Fn(usize) -> String) -> Value {
    let scene = |key: usize| {
        let resource = |n: usize| json!({ "key": format!("{key}-{n}"), "url": clip(key + n) });
        json!({ "sceneKey": key.to_string(), "sceneName": key.to_string(), "duration": 0.8, "resources": [resource(0), resource(1)] })
    };
    json!({ "taskType": "proVideoMix", "params": { "seed": turn, "generateCount": 2, "audioMode": "split",
        "scenes": [scene(0), scene(2)],
        "options": { "resolution": size, "resolutionMode": "stretch", "fps": 25, "preset": "draft" } } })
}

fn variants(turn: usize, urls: &[String]) -> Value {
    let videos: Vec<Value> = urls.iter().map(|url| json!({ "filename": url, "duration": 0.7 })).collect();
    json!({ "taskType": "videoDeduplication", "params": { "seed": turn, "videoList": videos, "options": {
        "isMirror": turn.is_multiple_of(2), "isFilter": turn.is_multiple_of(3),
        "speed": { "isSpeed": true, "start": 1.0, "end": 1.2 },
        "zoom": { "isZoom": true, "minScale": 1.0, "maxScale": 1.1 },
        "PIP": { "isPIP": turn.is_multiple_of(4), "padding": 12, "fillMode": 2 } } } })
}
