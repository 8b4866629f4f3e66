//! The regular user: small tasks, their status, prices, previews. None of it may fail.

use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use crate::REGULAR_POINTS;
use crate::attacker::task;
use crate::client::{Client, call};
use crate::harness::{Service, make, run};

const EVERY: Duration = Duration::from_secs(10);
/// Between two rounds of calls, and between two status calls for a running task.
const ROUND: Duration = Duration::from_millis(500);
/// Far longer than a small task takes: a task that is not delivered by then is lost.
const TIMEOUT: Duration = Duration::from_secs(300);
const CLIP_SECONDS: u64 = 2;
/// Attempts of a call that is rate-limited.
const MAX_RETRIES: u32 = 20;

/// Durations of calls and tasks in milliseconds, and errors.
#[derive(Debug, Default)]
pub struct Life {
    pub status: Vec<f64>,
    pub estimate: Vec<f64>,
    pub preview: Vec<f64>,
    /// Uploads and submits: a task begins with one of each.
    pub orders: Vec<f64>,
    /// From submit to delivery.
    pub tasks: Vec<f64>,
    /// The same tasks, with the times after which they were queued (the preflight had ended), executed and delivered.
    pub steps: Vec<[f64; 3]>,
    pub wrong: Vec<String>,
    /// Rate-limited calls (429).
    pub rate_limited: u64,
}

impl Life {
    /// Calls that are made all the time.
    pub fn calls(&self) -> Vec<f64> {
        [&self.status[..], &self.estimate, &self.preview].concat()
    }
}

pub struct RegularUser {
    client: Client,
    /// Clips that the service has not seen, the next one last.
    clips: Vec<Vec<u8>>,
    tasks: Arc<Mutex<Vec<String>>>,
    delivered: Arc<Mutex<Vec<Value>>>,
}

/// The regular user's ledger.
#[derive(Debug)]
pub struct Balance {
    pub held: u64,
    pub spent: u64,
    /// Tasks that were not charged once, and by what they consumed.
    pub wrong: Vec<String>,
    pub charged: u64,
}

impl RegularUser {
    pub async fn new(service: &Service, seconds: u64) -> Self {
        let data = service.data.path().to_str().unwrap();
        let (status, output, error) = run(&[
            "user",
            "add",
            "regular",
            "--points",
            &REGULAR_POINTS.to_string(),
            "--json",
            "--data",
            data,
        ]);
        assert_eq!(status, 0, "{error}");
        let user: Value = serde_json::from_str(&output).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let count = seconds / EVERY.as_secs() + 5;
        Self {
            client: Client::new(service.host(), user["apiKey"].as_str().unwrap()),
            clips: (0..count).map(|number| clip(folder.path(), number)).collect(),
            tasks: Arc::default(),
            delivered: Arc::default(),
        }
    }

    /// Excludes effects of the first calls from the reference.
    pub async fn warm_up(&mut self) {
        let warm = self.live(Duration::from_secs(1), |_| ()).await;
        assert!(warm.wrong.is_empty(), "{:?}", warm.wrong);
    }

    /// Makes calls and tasks for a while, then waits until all tasks have ended.
    pub async fn live(&mut self, long: Duration, told: impl Fn(&str)) -> Life {
        let life = Arc::<Mutex<Life>>::default();
        let (began, mut orders, mut next) = (Instant::now(), Vec::new(), Instant::now());
        let mut latest = String::new();
        let mut moment = 0;
        while began.elapsed() < long {
            if next <= Instant::now() {
                next += EVERY;
                let clip = self.clips.pop().expect("enough clips");
                let Some((url, task_no)) = self.order(&life, clip).await else { continue };
                told(&task_no);
                latest = url;
                self.tasks.lock().unwrap().push(task_no.clone());
                orders.push(tokio::spawn(self.follow(life.clone(), task_no)));
            }
            moment += 1;
            self.look(&life, &latest, moment).await;
            tokio::time::sleep(ROUND).await;
        }
        for order in orders {
            order.await.unwrap();
        }
        Arc::try_unwrap(life).unwrap().into_inner().unwrap()
    }

    /// Uploads a clip and submits a task of it.
    async fn order(&self, life: &Mutex<Life>, clip: Vec<u8>) -> Option<(String, String)> {
        let upload = self.client.post("/uploads?fileName=clip.mp4").body(clip);
        let url =
            timed_call(life, "upload", |life| &mut life.orders, upload).await?["url"].as_str()?.to_owned();
        let submit =
            self.client.post("/video-process/submit").json(&task(&url, CLIP_SECONDS as f64, "720:1280"));
        let task_no = timed_call(life, "submit", |life| &mut life.orders, submit).await?;
        Some((url, task_no["taskNo"].as_str()?.to_owned()))
    }

    /// Estimate, preview and status, one after another.
    async fn look(&self, life: &Mutex<Life>, url: &str, moment: u64) {
        let request = task(url, CLIP_SECONDS as f64, "720:1280");
        let estimate = self.client.post("/video-process/estimate").json(&request);
        timed_call(life, "estimate", |life| &mut life.estimate, estimate).await;
        // A new time.
        let at_s = (moment * 17 % 59) as f64 / 30.0;
        let body = json!({ "request": request, "atSeconds": at_s, "width": 360 });
        timed_call(life, "preview", |life| &mut life.preview, self.client.post("/preview").json(&body)).await;
        let latest = self.tasks.lock().unwrap().last().cloned();
        if let Some(task_no) = latest {
            let status = self.client.get(&format!("/video-process/status/{task_no}"));
            timed_call(life, "status", |life| &mut life.status, status).await;
        }
    }

    /// Until the task has ended.
    fn follow(&self, life: Arc<Mutex<Life>>, task_no: String) -> impl Future<Output = ()> + Send + 'static {
        let (client, delivered) = (self.client.clone(), self.delivered.clone());
        async move {
            let began = Instant::now();
            let mut steps = [None; 3];
            loop {
                let request = client.get(&format!("/video-process/status/{task_no}"));
                let Some(status) = timed_call(&life, "status", |life| &mut life.status, request).await else {
                    return;
                };
                let state = status["status"].as_u64().unwrap();
                let took = began.elapsed().as_secs_f64() * 1e3;
                for step in steps.iter_mut().take(state as usize) {
                    step.get_or_insert(took);
                }
                if state >= 3 {
                    let mut life = life.lock().unwrap();
                    if status["status"] == 3 && status["completedItems"] == 1 {
                        life.tasks.push(took);
                        life.steps.push(steps.map(|step| step.unwrap_or(took)));
                        delivered.lock().unwrap().push(status);
                    } else {
                        life.wrong.push(format!("{task_no} ended otherwise: {status}"));
                    }
                    return;
                }
                if began.elapsed() > TIMEOUT {
                    life.lock().unwrap().wrong.push(format!("{task_no} is not delivered: {status}"));
                    return;
                }
                tokio::time::sleep(ROUND / 2).await;
            }
        }
    }

    /// Every delivered file exists, and is as planned.
    pub async fn check_outputs(&self) {
        let delivered = self.delivered.lock().unwrap().clone();
        for status in delivered {
            let item = &status["items"][0];
            let response = self.client.link(item["url"].as_str().unwrap()).send().await.unwrap();
            assert_eq!(response.status().as_u16(), 200, "{item:#}");
            let bytes = response.bytes().await.unwrap();
            let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(item["sha256"], hash.as_str(), "{item:#}");
            let frames = &item["quality"]["framesFound"];
            assert_eq!(frames.as_u64(), Some(CLIP_SECONDS * 30), "{item:#}");
        }
    }

    pub async fn balance(&self) -> Balance {
        let points = call(self.client.get("/video-process/balance")).await.unwrap().data;
        let [held, total] = ["held", "total"].map(|name| points[name].as_u64().unwrap());
        let mut balance = Balance { held, spent: REGULAR_POINTS - total, wrong: Vec::new(), charged: 0 };
        let tasks = self.tasks.lock().unwrap().clone();
        for task_no in tasks {
            // Twenty reading calls a second are theirs.
            tokio::time::sleep(Duration::from_millis(60)).await;
            let path = format!("/video-process/records?pageSize=100&type=settle&taskNo={task_no}");
            let settled = call(self.client.get(&path)).await.unwrap().data["list"].clone();
            let amounts: Vec<u64> =
                settled.as_array().into_iter().flatten().filter_map(|line| line["amount"].as_u64()).collect();
            balance.charged += amounts.iter().sum::<u64>();
            if amounts != [CLIP_SECONDS] {
                balance.wrong.push(format!("{task_no}: {amounts:?}"));
            }
        }
        balance
    }
}

/// One call with its duration; `None` if it fails. A rate-limited call is repeated and counted: how long calls wait
/// depends on the machine.
async fn timed_call(
    life: &Mutex<Life>,
    what: &str,
    times: impl Fn(&mut Life) -> &mut Vec<f64>,
    request: reqwest::RequestBuilder,
) -> Option<Value> {
    let mut answered = call(request.try_clone().unwrap()).await;
    for _ in 0..MAX_RETRIES {
        if !matches!(&answered, Ok(response) if response.status == 429) {
            break;
        }
        life.lock().unwrap().rate_limited += 1;
        tokio::time::sleep(ROUND).await;
        answered = call(request.try_clone().unwrap()).await;
    }
    let mut life = life.lock().unwrap();
    match answered {
        Ok(response) if response.status == 200 && response.length > 0 => {
            times(&mut life).push(response.took.as_secs_f64() * 1e3);
            Some(response.data)
        }
        failed => {
            life.wrong.push(format!("{what}: {failed:?}"));
            None
        }
    }
}

/// Two unique seconds of video.
fn clip(folder: &Path, number: u64) -> Vec<u8> {
    let (hue, tone) = (number * 37 % 360, 200 + number * 13);
    make(
        folder,
        &format!(
            "-f lavfi -i testsrc2=s=640x360:r=30:d={CLIP_SECONDS} -f lavfi -i sine=frequency={tone}:duration={CLIP_SECONDS} \
             -vf hue=h={hue},noise=alls=12:allf=t:all_seed={} -c:v libx264 -preset ultrafast -crf 28 -pix_fmt yuv420p clip.mp4",
            number + 1
        ),
    );
    std::fs::read(folder.join("clip.mp4")).unwrap()
}
