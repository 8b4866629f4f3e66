//! Attacks through the API.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::attacker::{Attacker, task};
use crate::client::ApiResponse;
use crate::payloads::with_random_tail;
use crate::raw_connections;
use crate::rng::Rng;

pub type Done<'c> = Pin<Box<dyn Future<Output = ()> + Send + 'c>>;

struct Attack {
    kind: &'static str,
    act: for<'c> fn(&'c Attacker, &'c mut Rng, &'static str) -> Done<'c>,
}

macro_rules! attacks {
    ($($kind:literal $act:path;)+) => {
        &[$(Attack { kind: $kind, act: |attacker, rng, kind| Box::pin($act(attacker, rng, kind)) },)+]
    };
}

const ATTACKS: &[Attack] = attacks! {
    "bombs uploaded" bombs;
    "damaged files uploaded and used" damaged;
    "clips submitted" clips;
    "submits, then cancels" submits_and_cancels;
    "one clientTaskId, many times" twins;
    "batches, submitted, watched and cancelled" batches;
    "templates that fill to too much" swelling_templates;
    "estimates at the limits" large_estimates;
    "requests read again" requests_read;
    "links that hang or crawl" bad_links;
    "links that are none" forged_links;
    "previews" previews;
    "previews, left at once" fleeting_previews;
    "previews of links that hang" hanging_previews;
    "estimates with preflight" preflights;
    "probes of links that hang" probes;
    "thumbnails" thumbnails;
    "callback tests" callback_tests;
    "archives" archives;
    "event streams" event_streams;
    "status and lists" readings;
    "uploads until nothing fits" hoard;
    "large bodies" large_bodies;
    "wrong JSON" wrong_json;
    "others' tasks, unknown keys" trespass;
    "bodies sent by half" raw_connections::half_bodies;
    "uploads that crawl or break off" raw_connections::broken_uploads;
    "connections left open" raw_connections::idle_connections;
    "answers nobody takes" raw_connections::unread_responses;
    "requests that are no HTTP" raw_connections::no_http;
};

/// The next attack begins after this time, even when there is no answer yet.
const ATTACK_TIMEOUT: Duration = Duration::from_secs(15);
const CALL_TIMEOUT: Duration = Duration::from_secs(5);
const SLOW_CALL_TIMEOUT: Duration = Duration::from_secs(8);

/// One attack after another until the siege is over. `CLIPMILL_SIEGE_ATTACKS` names some by parts of their names, with
/// commas between them.
pub async fn attack_until_over(attacker: Arc<Attacker>, mut rng: Rng) {
    let named = std::env::var("CLIPMILL_SIEGE_ATTACKS").unwrap_or_default();
    let chosen = |attack: &&Attack| named.split(',').any(|part| attack.kind.contains(part));
    let attacks: Vec<&Attack> = ATTACKS.iter().filter(chosen).collect();
    assert!(!attacks.is_empty(), "CLIPMILL_SIEGE_ATTACKS names none");
    while !attacker.is_over() {
        let Attack { kind, act } = attacks[rng.below(attacks.len())];
        // Attacks in progress when the siege ends are aborted, like all that take too long.
        let over = async {
            while !attacker.is_over() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        tokio::select! {
            done = tokio::time::timeout(ATTACK_TIMEOUT, act(&attacker, &mut rng, kind)) => {
                if done.is_err() {
                    attacker.tally.count(kind, "left");
                }
            }
            () = over => attacker.tally.count(kind, "left"),
        }
        tokio::time::sleep(Duration::from_millis(rng.between(50, 500))).await;
    }
}

async fn bombs(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let mut uploads = Vec::new();
    for _ in 0..10 {
        let bombs = &attacker.payloads.bombs;
        let bomb = with_random_tail(&bombs[rng.below(bombs.len())], rng);
        uploads.push(attacker.client.post("/uploads?fileName=bomb.mp4").body(bomb));
    }
    let taken = attacker.send_all(kind, uploads, SLOW_CALL_TIMEOUT).await;
    let tasks: Vec<Value> = taken.iter().filter_map(|response| used(&response.data["url"])).take(3).collect();
    attacker.submit(kind, &tasks).await;
}

async fn damaged(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let files = &attacker.payloads.damaged;
    let mut uploads = Vec::new();
    for _ in 0..4 {
        let file = with_random_tail(&files[rng.below(files.len())], rng);
        uploads.push(attacker.client.post("/uploads?fileName=clip.mp4").body(file));
    }
    let taken = attacker.send_all(kind, uploads, SLOW_CALL_TIMEOUT).await;
    let tasks: Vec<Value> = taken.iter().filter_map(|response| used(&response.data["url"])).collect();
    attacker.submit(kind, &tasks).await;
}

fn used(url: &Value) -> Option<Value> {
    Some(task(url.as_str()?, 0.5, "720:1280"))
}

/// A new video of some seconds.
fn clip(attacker: &Attacker, rng: &mut Rng) -> Value {
    let resolution = if rng.below(4) == 0 { "1080:1920" } else { "720:1280" };
    let mut task = task(&attacker.clip, rng.between(5, 40) as f64 / 10.0, resolution);
    task["params"]["videoList"][0]["videos"] = json!([{ "url": attacker.clip }, { "url": attacker.clip }]);
    // Another background makes other segments of the video.
    task["params"]["options"]["background"] = json!(if rng.below(2) == 0 { "blur" } else { "black" });
    task["params"]["options"]["fps"] = json!([25, 30, 50, 60][rng.below(4)]);
    task
}

async fn clips(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let tasks: Vec<Value> = (0..rng.between(1, 3)).map(|_| clip(attacker, rng)).collect();
    attacker.submit(kind, &tasks).await;
}

async fn submits_and_cancels(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let tasks: Vec<Value> = (0..8).map(|_| clip(attacker, rng)).collect();
    let accepted = attacker.submit(kind, &tasks).await;
    tokio::time::sleep(Duration::from_millis(rng.between(0, 1_500))).await;
    attacker.cancel(kind, &accepted).await;
}

async fn twins(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let mut twin = clip(attacker, rng);
    twin["clientTaskId"] = json!(format!("twin-{}", attacker.number()));
    let mut accepted = attacker.submit(kind, &vec![twin; 8]).await;
    accepted.dedup();
    assert!(accepted.len() <= 1, "one clientTaskId, several tasks: {accepted:?}");
    attacker.cancel(kind, &accepted).await;
}

/// Batches with waiting rows, streams of their events, and cancellations.
async fn batches(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let request = task(&attacker.clip, rng.between(5, 40) as f64 / 10.0, "720:1280");
    let mut requests = Vec::new();
    for _ in 0..4 {
        let rows: Vec<Value> =
            (0..rng.between(1, 200)).map(|row| json!({ "title": format!("{row}") })).collect();
        let mut request = request.clone();
        request["name"] = json!("{{title}}");
        requests.push(attacker.client.post("/batches").json(&json!({
            "clientBatchId": format!("batch-{}", attacker.number()),
            "request": request,
            "variables": [{ "name": "title", "type": "text" }],
            "rows": rows,
        })));
    }
    let answers = attacker.send_all(kind, requests, SLOW_CALL_TIMEOUT).await;
    let made: Vec<String> =
        answers.iter().filter_map(|response| Some(response.data["batchNo"].as_str()?.to_owned())).collect();
    let watched = made.iter().flat_map(|batch| std::iter::repeat_n(format!("/batches/{batch}/events"), 10));
    let timeout = Duration::from_millis(rng.between(100, 2_000));
    attacker.send_all(kind, watched.map(|path| attacker.client.get(&path)).collect(), timeout).await;
    let cancels = made.iter().map(|batch| attacker.client.post(&format!("/batches/{batch}/cancel")));
    attacker.send_all(kind, cancels.collect(), SLOW_CALL_TIMEOUT).await;
}

/// A template with many placeholders for long values.
async fn swelling_templates(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let places: Vec<Value> =
        (0..rng.between(100, 1_000)).map(|_| json!({ "videos": [{ "url": "{{clip}}" }] })).collect();
    let template = json!({
        "request": { "taskType": "baseVideoMix", "params": { "videoList": places, "options": {} } },
        "variables": [{ "name": "clip", "type": "url" }],
    });
    let long = format!("https://x.example/{}", "a".repeat(rng.between(1_000, 60_000) as usize));
    let rows: Vec<Value> = (0..50).map(|_| json!({ "clip": long })).collect();
    let mut requests = Vec::new();
    for _ in 0..3 {
        let mut batch = template.clone();
        batch["clientBatchId"] = json!(format!("swelling-{}", attacker.number()));
        batch["rows"] = json!(rows);
        requests.push(attacker.client.post("/batches/estimate").json(&batch));
    }
    attacker.send_all(kind, requests, SLOW_CALL_TIMEOUT).await;
}

/// Estimates with the maximum outputs, hours and layers of a request. Half of them are abandoned at once.
async fn large_estimates(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let videos: Vec<Value> = (0..1_000)
        .map(|_| json!({ "filename": attacker.hostile_server.url("hang", attacker.number()), "duration": 3_600 }))
        .collect();
    let files: Vec<String> =
        (0..10).map(|_| attacker.hostile_server.url("hang", attacker.number())).collect();
    let body = json!({ "taskType": "videoDeduplication", "params": {
        "videoList": videos,
        "options": { "picMask": { "isMask": true, "picFiles": files, "layerCount": 10 },
                     "videoMask": { "isMask": true, "videoFiles": files, "layerCount": 10 },
                     "rotation": { "isRotate": true, "minAngle": 1, "maxAngle": 40 }, "isFilter": true } } });
    let timeout = if rng.below(2) == 0 { Duration::from_millis(300) } else { SLOW_CALL_TIMEOUT };
    let requests = (0..10).map(|_| attacker.client.post("/video-process/estimate").json(&body));
    attacker.send_all(kind, requests.collect(), timeout).await;
}

async fn requests_read(attacker: &Attacker, _: &mut Rng, kind: &'static str) {
    let path = format!("/video-process/request/{}", attacker.done);
    attacker.send_all(kind, (0..40).map(|_| attacker.client.get(&path)).collect(), CALL_TIMEOUT).await;
}

async fn bad_links(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let ways = ["hang", "stall", "slow", "drip", "endless", "short", "away", "refuse", "gone"];
    let mut tasks = Vec::new();
    for _ in 0..10 {
        let mut task = task(
            &attacker.hostile_server.url(ways[rng.below(ways.len())], attacker.number()),
            1.0,
            "720:1280",
        );
        task["callbackUrl"] =
            json!(attacker.hostile_server.url(["hang", "refuse"][rng.below(2)], attacker.number()));
        tasks.push(task);
    }
    let accepted = attacker.submit(kind, &tasks).await;
    let many = attacker.leave_hanging(accepted);
    attacker.cancel(kind, &many).await;
}

async fn forged_links(attacker: &Attacker, _: &mut Rng, kind: &'static str) {
    let links = [
        "file:///etc/passwd",
        "concat:a.mp4|b.mp4",
        "data:video/mp4;base64,AAAA",
        "-i",
        "http://169.254.169.254/latest/meta-data",
        "http://10.0.0.1/a.mp4",
        "http://[fe80::1]/a.mp4",
        "upload://5e7733e68080962c44d8019ac26fca9e",
    ];
    let tasks: Vec<Value> = links.iter().map(|link| task(link, 1.0, "720:1280")).collect();
    attacker.submit(kind, &tasks).await;
}

/// New preview frames; some of them large.
fn pictures(attacker: &Attacker, rng: &mut Rng, count: usize) -> Vec<reqwest::RequestBuilder> {
    let picture = |rng: &mut Rng| {
        let url = if rng.below(4) == 0 { &attacker.large } else { &attacker.clip };
        let request = json!({ "taskType": "videoDeduplication", "params": {
            "videoList": [{ "filename": url, "duration": 1 }],
            "options": { "rotation": { "isRotate": true, "minAngle": 20, "maxAngle": 40 }, "isFilter": true,
                         "PIP": { "isPIP": true, "padding": 10, "fillMode": 2 } },
            "seed": rng.below(1 << 40) } });
        let body =
            json!({ "request": request, "atSeconds": rng.below(1_000) as f64 / 1_000.0, "width": 720 });
        attacker.client.post("/preview").json(&body)
    };
    (0..count).map(|_| picture(rng)).collect()
}

async fn previews(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    attacker.send_all(kind, pictures(attacker, rng, 30), SLOW_CALL_TIMEOUT).await;
}

async fn fleeting_previews(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let timeout = Duration::from_millis(rng.between(5, 400));
    attacker.send_all(kind, pictures(attacker, rng, 40), timeout).await;
}

async fn hanging_previews(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let requests = (0..20).map(|_| {
        let way = ["hang", "slow", "drip"][rng.below(3)];
        let body =
            json!({ "request": task(&attacker.hostile_server.url(way, attacker.number()), 1.0, "720:1280") });
        attacker.client.post("/preview").json(&body)
    });
    attacker.send_all(kind, requests.collect(), SLOW_CALL_TIMEOUT).await;
}

async fn preflights(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let requests = (0..8).map(|_| {
        let way = ["hang", "slow", "endless"][rng.below(3)];
        let body = task(&attacker.hostile_server.url(way, attacker.number()), 1.0, "720:1280");
        attacker.client.post("/video-process/estimate?preflight=true").json(&body)
    });
    attacker.send_all(kind, requests.collect(), SLOW_CALL_TIMEOUT).await;
}

async fn probes(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let requests = (0..30).map(|_| {
        let way = ["hang", "slow", "stall", "gone"][rng.below(4)];
        attacker
            .client
            .post("/probe")
            .json(&json!({ "url": attacker.hostile_server.url(way, attacker.number()) }))
    });
    attacker.send_all(kind, requests.collect(), SLOW_CALL_TIMEOUT).await;
}

async fn thumbnails(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let requests = (0..30).map(|_| {
        let url = if rng.below(2) == 0 { &attacker.large } else { &attacker.clip };
        let body = json!({ "url": url, "atSeconds": rng.below(1_000) as f64 / 1_000.0, "width": 720 });
        attacker.client.post("/thumbnail").json(&body)
    });
    attacker.send_all(kind, requests.collect(), SLOW_CALL_TIMEOUT).await;
}

async fn callback_tests(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let requests = (0..40).map(|_| {
        let way = ["hang", "drip", "refuse"][rng.below(3)];
        let body = json!({ "url": attacker.hostile_server.url(way, attacker.number()) });
        attacker.client.post("/video-process/callbacks/test").json(&body)
    });
    attacker.send_all(kind, requests.collect(), SLOW_CALL_TIMEOUT).await;
}

async fn archives(attacker: &Attacker, _: &mut Rng, kind: &'static str) {
    let path = format!("/download/{}", attacker.done);
    attacker.send_all(kind, (0..40).map(|_| attacker.client.get(&path)).collect(), CALL_TIMEOUT).await;
}

async fn event_streams(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let hanging = attacker.hanging.lock().unwrap().clone();
    let task = hanging.last().unwrap_or(&attacker.done);
    let path = format!("/video-process/events/{task}");
    let timeout = Duration::from_millis(rng.between(500, 5_000));
    attacker.send_all(kind, (0..80).map(|_| attacker.client.get(&path)).collect(), timeout).await;
}

async fn readings(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let path = ["/video-process/list?pageSize=100", "/video-process/records?pageSize=100"][rng.below(2)];
    let status = format!("/video-process/status/{}", attacker.done);
    let requests = (0..100).map(|n| attacker.client.get(if n % 2 == 0 { path } else { &status }));
    attacker.send_all(kind, requests.collect(), CALL_TIMEOUT).await;
}

/// Four new files of eight mebibytes.
async fn hoard(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let requests = (0..4).map(|_| {
        let mut file = vec![rng.below(256) as u8; 8 << 20];
        file[..8].copy_from_slice(&attacker.number().to_be_bytes());
        attacker.client.post("/uploads").body(file)
    });
    attacker.send_all(kind, requests.collect(), SLOW_CALL_TIMEOUT).await;
}

async fn large_bodies(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    // Mostly calls that cost no points and count only against the read rate.
    let path = if rng.below(4) == 0 { "/video-process/submit" } else { "/video-process/estimate" };
    let bytes = attacker.payloads.bodies[rng.below(2)];
    let body = || attacker.client.post(path).header("content-type", "application/json").body(bytes);
    let answers = attacker.send_all(kind, (0..6).map(|_| body()).collect(), SLOW_CALL_TIMEOUT).await;
    let taken = |response: &ApiResponse| Some(response.data["taskNo"].as_str()?.to_owned());
    let taken: Vec<String> = answers.iter().filter_map(taken).collect();
    attacker.cancel(kind, &taken).await;
}

async fn wrong_json(attacker: &Attacker, _: &mut Rng, kind: &'static str) {
    let deep = format!("{}{}", "[".repeat(1_000), "]".repeat(1_000));
    let many = format!(r#"{{"taskType":"baseVideoMix","params":{{"seed":[{}1]}}}}"#, "1,".repeat(200_000));
    let bodies = [
        "",
        "{",
        "nothing",
        "{\"taskType\":1e308}",
        "{\"taskType\":\"baseVideoMix\",\"taskType\":\"proVideoMix\"}",
        "{\"taskType\":\"\\ud800\"}",
        "{\"taskType\":\"baseVideoMix\",\"params\":{\"seed\":-1,\"videoList\":{}}}",
        &deep,
        &many,
    ];
    let requests = bodies.iter().map(|body| {
        let request =
            attacker.client.post("/video-process/estimate").header("content-type", "application/json");
        request.body((*body).to_owned())
    });
    attacker.send_all(kind, requests.collect(), CALL_TIMEOUT).await;
}

async fn trespass(attacker: &Attacker, rng: &mut Rng, kind: &'static str) {
    let others = attacker.others.lock().unwrap().clone();
    let mut requests = vec![attacker.client.get("/admin/queue"), attacker.client.get("/nowhere")];
    if let Some(task) = others.get(rng.below(others.len())) {
        requests.push(attacker.client.get(&format!("/video-process/status/{task}")));
        requests.push(attacker.client.get(&format!("/download/{task}")));
        requests.push(attacker.client.get(&format!("/video-process/events/{task}")));
        requests.push(attacker.client.post(&format!("/video-process/cancel/{task}")));
    }
    for response in attacker.send_all(kind, requests, CALL_TIMEOUT).await {
        assert!(matches!(response.status, 403 | 404 | 429 | 503), "{response:?}");
    }
    let stranger =
        crate::client::Client::new(&attacker.client.host, "cm_live_000000000000000000000000000000000000");
    let requests = (0..50).map(|_| stranger.get("/video-process/balance"));
    attacker.send_all(kind, requests.collect(), CALL_TIMEOUT).await;
}
