//! Attacks through the API.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::attacker::{Attacker, task};
use crate::client::Answer;
use crate::dice::Dice;
use crate::payloads::with_random_tail;
use crate::raw_connections;

pub type Done<'c> = Pin<Box<dyn Future<Output = ()> + Send + 'c>>;

struct Attack {
    kind: &'static str,
    act: for<'c> fn(&'c Attacker, &'c mut Dice, &'static str) -> Done<'c>,
}

macro_rules! attacks {
    ($($kind:literal $act:path;)+) => {
        &[$(Attack { kind: $kind, act: |attacker, dice, kind| Box::pin($act(attacker, dice, kind)) },)+]
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
const MOST: Duration = Duration::from_secs(15);
const SOON: Duration = Duration::from_secs(5);
const LATER: Duration = Duration::from_secs(8);

/// One attack after another until the siege is over. `CLIPMILL_SIEGE_ATTACKS` names some by parts of their names, with
/// commas between them.
pub async fn attack_until_over(attacker: Arc<Attacker>, mut dice: Dice) {
    let named = std::env::var("CLIPMILL_SIEGE_ATTACKS").unwrap_or_default();
    let chosen = |attack: &&Attack| named.split(',').any(|part| attack.kind.contains(part));
    let attacks: Vec<&Attack> = ATTACKS.iter().filter(chosen).collect();
    assert!(!attacks.is_empty(), "CLIPMILL_SIEGE_ATTACKS names none");
    while !attacker.is_over() {
        let Attack { kind, act } = attacks[dice.below(attacks.len())];
        // Attacks in progress when the siege ends are aborted, like all that take too long.
        let over = async {
            while !attacker.is_over() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        tokio::select! {
            done = tokio::time::timeout(MOST, act(&attacker, &mut dice, kind)) => {
                if done.is_err() {
                    attacker.tally.count(kind, "left");
                }
            }
            () = over => attacker.tally.count(kind, "left"),
        }
        tokio::time::sleep(Duration::from_millis(dice.between(50, 500))).await;
    }
}

async fn bombs(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
    let mut uploads = Vec::new();
    for _ in 0..10 {
        let bombs = &attacker.payloads.bombs;
        let bomb = with_random_tail(&bombs[dice.below(bombs.len())], dice);
        uploads.push(attacker.client.post("/uploads?fileName=bomb.mp4").body(bomb));
    }
    let taken = attacker.send_all(kind, uploads, LATER).await;
    let tasks: Vec<Value> = taken.iter().filter_map(|answer| used(&answer.data["url"])).take(3).collect();
    attacker.submit(kind, &tasks).await;
}

async fn damaged(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
    let files = &attacker.payloads.damaged;
    let mut uploads = Vec::new();
    for _ in 0..4 {
        let file = with_random_tail(&files[dice.below(files.len())], dice);
        uploads.push(attacker.client.post("/uploads?fileName=clip.mp4").body(file));
    }
    let taken = attacker.send_all(kind, uploads, LATER).await;
    let tasks: Vec<Value> = taken.iter().filter_map(|answer| used(&answer.data["url"])).collect();
    attacker.submit(kind, &tasks).await;
}

fn used(url: &Value) -> Option<Value> {
    Some(task(url.as_str()?, 0.5, "720:1280"))
}

/// A new video of some seconds.
fn clip(attacker: &Attacker, dice: &mut Dice) -> Value {
    let resolution = if dice.below(4) == 0 { "1080:1920" } else { "720:1280" };
    let mut task = task(&attacker.clip, dice.between(5, 40) as f64 / 10.0, resolution);
    task["params"]["videoList"][0]["videos"] = json!([{ "url": attacker.clip }, { "url": attacker.clip }]);
    // Another background makes other segments of the video.
    task["params"]["options"]["background"] = json!(if dice.below(2) == 0 { "blur" } else { "black" });
    task["params"]["options"]["fps"] = json!([25, 30, 50, 60][dice.below(4)]);
    task
}

async fn clips(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
    let tasks: Vec<Value> = (0..dice.between(1, 3)).map(|_| clip(attacker, dice)).collect();
    attacker.submit(kind, &tasks).await;
}

async fn submits_and_cancels(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
    let tasks: Vec<Value> = (0..8).map(|_| clip(attacker, dice)).collect();
    let accepted = attacker.submit(kind, &tasks).await;
    tokio::time::sleep(Duration::from_millis(dice.between(0, 1_500))).await;
    attacker.cancel(kind, &accepted).await;
}

async fn twins(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
    let mut twin = clip(attacker, dice);
    twin["clientTaskId"] = json!(format!("twin-{}", attacker.number()));
    let mut accepted = attacker.submit(kind, &vec![twin; 8]).await;
    accepted.dedup();
    assert!(accepted.len() <= 1, "one clientTaskId, several tasks: {accepted:?}");
    attacker.cancel(kind, &accepted).await;
}

/// Batches with waiting rows, streams of their events, and cancellations.
async fn batches(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
    let request = task(&attacker.clip, dice.between(5, 40) as f64 / 10.0, "720:1280");
    let mut requests = Vec::new();
    for _ in 0..4 {
        let rows: Vec<Value> =
            (0..dice.between(1, 200)).map(|row| json!({ "title": format!("{row}") })).collect();
        let mut request = request.clone();
        request["name"] = json!("{{title}}");
        requests.push(attacker.client.post("/batches").json(&json!({
            "clientBatchId": format!("batch-{}", attacker.number()),
            "request": request,
            "variables": [{ "name": "title", "type": "text" }],
            "rows": rows,
        })));
    }
    let answers = attacker.send_all(kind, requests, LATER).await;
    let made: Vec<String> =
        answers.iter().filter_map(|answer| Some(answer.data["batchNo"].as_str()?.to_owned())).collect();
    let watched = made.iter().flat_map(|batch| std::iter::repeat_n(format!("/batches/{batch}/events"), 10));
    let patience = Duration::from_millis(dice.between(100, 2_000));
    attacker.send_all(kind, watched.map(|path| attacker.client.get(&path)).collect(), patience).await;
    let cancels = made.iter().map(|batch| attacker.client.post(&format!("/batches/{batch}/cancel")));
    attacker.send_all(kind, cancels.collect(), LATER).await;
}

/// A template with many placeholders for long values.
async fn swelling_templates(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
    let places: Vec<Value> =
        (0..dice.between(100, 1_000)).map(|_| json!({ "videos": [{ "url": "{{clip}}" }] })).collect();
    let template = json!({
        "request": { "taskType": "baseVideoMix", "params": { "videoList": places, "options": {} } },
        "variables": [{ "name": "clip", "type": "url" }],
    });
    let long = format!("https://x.example/{}", "a".repeat(dice.between(1_000, 60_000) as usize));
    let rows: Vec<Value> = (0..50).map(|_| json!({ "clip": long })).collect();
    let mut requests = Vec::new();
    for _ in 0..3 {
        let mut batch = template.clone();
        batch["clientBatchId"] = json!(format!("swelling-{}", attacker.number()));
        batch["rows"] = json!(rows);
        requests.push(attacker.client.post("/batches/estimate").json(&batch));
    }
    attacker.send_all(kind, requests, LATER).await;
}

/// Estimates with the maximum outputs, hours and layers of a request. Half of them are abandoned at once.
async fn large_estimates(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
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
    let patience = if dice.below(2) == 0 { Duration::from_millis(300) } else { LATER };
    let requests = (0..10).map(|_| attacker.client.post("/video-process/estimate").json(&body));
    attacker.send_all(kind, requests.collect(), patience).await;
}

async fn requests_read(attacker: &Attacker, _: &mut Dice, kind: &'static str) {
    let path = format!("/video-process/request/{}", attacker.done);
    attacker.send_all(kind, (0..40).map(|_| attacker.client.get(&path)).collect(), SOON).await;
}

async fn bad_links(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
    let ways = ["hang", "stall", "slow", "drip", "endless", "short", "away", "refuse", "gone"];
    let mut tasks = Vec::new();
    for _ in 0..10 {
        let mut task = task(
            &attacker.hostile_server.url(ways[dice.below(ways.len())], attacker.number()),
            1.0,
            "720:1280",
        );
        task["callbackUrl"] =
            json!(attacker.hostile_server.url(["hang", "refuse"][dice.below(2)], attacker.number()));
        tasks.push(task);
    }
    let accepted = attacker.submit(kind, &tasks).await;
    let many = attacker.leave_hanging(accepted);
    attacker.cancel(kind, &many).await;
}

async fn forged_links(attacker: &Attacker, _: &mut Dice, kind: &'static str) {
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
fn pictures(attacker: &Attacker, dice: &mut Dice, count: usize) -> Vec<reqwest::RequestBuilder> {
    let picture = |dice: &mut Dice| {
        let url = if dice.below(4) == 0 { &attacker.large } else { &attacker.clip };
        let request = json!({ "taskType": "videoDeduplication", "params": {
            "videoList": [{ "filename": url, "duration": 1 }],
            "options": { "rotation": { "isRotate": true, "minAngle": 20, "maxAngle": 40 }, "isFilter": true,
                         "PIP": { "isPIP": true, "padding": 10, "fillMode": 2 } },
            "seed": dice.below(1 << 40) } });
        let body =
            json!({ "request": request, "atSeconds": dice.below(1_000) as f64 / 1_000.0, "width": 720 });
        attacker.client.post("/preview").json(&body)
    };
    (0..count).map(|_| picture(dice)).collect()
}

async fn previews(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
    attacker.send_all(kind, pictures(attacker, dice, 30), LATER).await;
}

async fn fleeting_previews(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
    let patience = Duration::from_millis(dice.between(5, 400));
    attacker.send_all(kind, pictures(attacker, dice, 40), patience).await;
}

async fn hanging_previews(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
    let requests = (0..20).map(|_| {
        let way = ["hang", "slow", "drip"][dice.below(3)];
        let body =
            json!({ "request": task(&attacker.hostile_server.url(way, attacker.number()), 1.0, "720:1280") });
        attacker.client.post("/preview").json(&body)
    });
    attacker.send_all(kind, requests.collect(), LATER).await;
}

async fn preflights(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
    let requests = (0..8).map(|_| {
        let way = ["hang", "slow", "endless"][dice.below(3)];
        let body = task(&attacker.hostile_server.url(way, attacker.number()), 1.0, "720:1280");
        attacker.client.post("/video-process/estimate?preflight=true").json(&body)
    });
    attacker.send_all(kind, requests.collect(), LATER).await;
}

async fn probes(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
    let requests = (0..30).map(|_| {
        let way = ["hang", "slow", "stall", "gone"][dice.below(4)];
        attacker
            .client
            .post("/probe")
            .json(&json!({ "url": attacker.hostile_server.url(way, attacker.number()) }))
    });
    attacker.send_all(kind, requests.collect(), LATER).await;
}

async fn thumbnails(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
    let requests = (0..30).map(|_| {
        let url = if dice.below(2) == 0 { &attacker.large } else { &attacker.clip };
        let body = json!({ "url": url, "atSeconds": dice.below(1_000) as f64 / 1_000.0, "width": 720 });
        attacker.client.post("/thumbnail").json(&body)
    });
    attacker.send_all(kind, requests.collect(), LATER).await;
}

async fn callback_tests(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
    let requests = (0..40).map(|_| {
        let way = ["hang", "drip", "refuse"][dice.below(3)];
        let body = json!({ "url": attacker.hostile_server.url(way, attacker.number()) });
        attacker.client.post("/video-process/callbacks/test").json(&body)
    });
    attacker.send_all(kind, requests.collect(), LATER).await;
}

async fn archives(attacker: &Attacker, _: &mut Dice, kind: &'static str) {
    let path = format!("/download/{}", attacker.done);
    attacker.send_all(kind, (0..40).map(|_| attacker.client.get(&path)).collect(), SOON).await;
}

async fn event_streams(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
    let hanging = attacker.hanging.lock().unwrap().clone();
    let task = hanging.last().unwrap_or(&attacker.done);
    let path = format!("/video-process/events/{task}");
    let patience = Duration::from_millis(dice.between(500, 5_000));
    attacker.send_all(kind, (0..80).map(|_| attacker.client.get(&path)).collect(), patience).await;
}

async fn readings(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
    let path = ["/video-process/list?pageSize=100", "/video-process/records?pageSize=100"][dice.below(2)];
    let status = format!("/video-process/status/{}", attacker.done);
    let requests = (0..100).map(|n| attacker.client.get(if n % 2 == 0 { path } else { &status }));
    attacker.send_all(kind, requests.collect(), SOON).await;
}

/// Four new files of eight mebibytes.
async fn hoard(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
    let requests = (0..4).map(|_| {
        let mut file = vec![dice.below(256) as u8; 8 << 20];
        file[..8].copy_from_slice(&attacker.number().to_be_bytes());
        attacker.client.post("/uploads").body(file)
    });
    attacker.send_all(kind, requests.collect(), LATER).await;
}

async fn large_bodies(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
    // Mostly calls that cost no points and count only against the read rate.
    let path = if dice.below(4) == 0 { "/video-process/submit" } else { "/video-process/estimate" };
    let bytes = attacker.payloads.bodies[dice.below(2)];
    let body = || attacker.client.post(path).header("content-type", "application/json").body(bytes);
    let answers = attacker.send_all(kind, (0..6).map(|_| body()).collect(), LATER).await;
    let taken = |answer: &Answer| Some(answer.data["taskNo"].as_str()?.to_owned());
    let taken: Vec<String> = answers.iter().filter_map(taken).collect();
    attacker.cancel(kind, &taken).await;
}

async fn wrong_json(attacker: &Attacker, _: &mut Dice, kind: &'static str) {
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
    attacker.send_all(kind, requests.collect(), SOON).await;
}

async fn trespass(attacker: &Attacker, dice: &mut Dice, kind: &'static str) {
    let others = attacker.others.lock().unwrap().clone();
    let mut requests = vec![attacker.client.get("/admin/queue"), attacker.client.get("/nowhere")];
    if let Some(task) = others.get(dice.below(others.len())) {
        requests.push(attacker.client.get(&format!("/video-process/status/{task}")));
        requests.push(attacker.client.get(&format!("/download/{task}")));
        requests.push(attacker.client.get(&format!("/video-process/events/{task}")));
        requests.push(attacker.client.post(&format!("/video-process/cancel/{task}")));
    }
    for answer in attacker.send_all(kind, requests, SOON).await {
        assert!(matches!(answer.status, 403 | 404 | 429 | 503), "{answer:?}");
    }
    let stranger =
        crate::client::Client::new(&attacker.client.host, "cm_live_000000000000000000000000000000000000");
    let requests = (0..50).map(|_| stranger.get("/video-process/balance"));
    attacker.send_all(kind, requests.collect(), SOON).await;
}
