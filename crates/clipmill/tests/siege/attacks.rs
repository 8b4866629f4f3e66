//! What the hostile user does by the interface.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::ammunition::unseen;
use crate::camp::{Camp, task};
use crate::client::Answer;
use crate::dice::Dice;
use crate::wires;

pub type Done<'c> = Pin<Box<dyn Future<Output = ()> + Send + 'c>>;

struct Attack {
    kind: &'static str,
    act: for<'c> fn(&'c Camp, &'c mut Dice, &'static str) -> Done<'c>,
}

macro_rules! attacks {
    ($($kind:literal $act:path;)+) => {
        &[$(Attack { kind: $kind, act: |camp, dice, kind| Box::pin($act(camp, dice, kind)) },)+]
    };
}

const ATTACKS: &[Attack] = attacks! {
    "bombs uploaded" bombs;
    "damaged files uploaded and used" damaged;
    "films submitted" films;
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
    "bodies sent by half" wires::half_bodies;
    "uploads that crawl or break off" wires::broken_uploads;
    "connections left open" wires::idle_connections;
    "answers nobody takes" wires::unread_responses;
    "requests that are no HTTP" wires::no_http;
};

/// The next attack begins after this time, even when there is no answer yet.
const MOST: Duration = Duration::from_secs(15);
const SOON: Duration = Duration::from_secs(5);
const LATER: Duration = Duration::from_secs(8);

/// One attack after another until the siege is over. `CLIPMILL_SIEGE_ATTACKS` names some by parts of their names, with
/// commas between them.
pub async fn hand(camp: Arc<Camp>, mut dice: Dice) {
    let named = std::env::var("CLIPMILL_SIEGE_ATTACKS").unwrap_or_default();
    let chosen = |attack: &&Attack| named.split(',').any(|part| attack.kind.contains(part));
    let attacks: Vec<&Attack> = ATTACKS.iter().filter(chosen).collect();
    assert!(!attacks.is_empty(), "CLIPMILL_SIEGE_ATTACKS names none");
    while !camp.is_over() {
        let Attack { kind, act } = attacks[dice.below(attacks.len())];
        // Attacks in progress when the siege ends are aborted, like all that take too long.
        let over = async {
            while !camp.is_over() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        tokio::select! {
            done = tokio::time::timeout(MOST, act(&camp, &mut dice, kind)) => {
                if done.is_err() {
                    camp.tally.count(kind, "left");
                }
            }
            () = over => camp.tally.count(kind, "left"),
        }
        tokio::time::sleep(Duration::from_millis(dice.between(50, 500))).await;
    }
}

async fn bombs(camp: &Camp, dice: &mut Dice, kind: &'static str) {
    let mut uploads = Vec::new();
    for _ in 0..10 {
        let bombs = &camp.ammunition.bombs;
        let bomb = unseen(&bombs[dice.below(bombs.len())], dice);
        uploads.push(camp.client.post("/uploads?fileName=bomb.mp4").body(bomb));
    }
    let taken = camp.volley(kind, uploads, LATER).await;
    let tasks: Vec<Value> = taken.iter().filter_map(|answer| used(&answer.data["url"])).take(3).collect();
    camp.submit(kind, &tasks).await;
}

async fn damaged(camp: &Camp, dice: &mut Dice, kind: &'static str) {
    let files = &camp.ammunition.damaged;
    let mut uploads = Vec::new();
    for _ in 0..4 {
        let file = unseen(&files[dice.below(files.len())], dice);
        uploads.push(camp.client.post("/uploads?fileName=clip.mp4").body(file));
    }
    let taken = camp.volley(kind, uploads, LATER).await;
    let tasks: Vec<Value> = taken.iter().filter_map(|answer| used(&answer.data["url"])).collect();
    camp.submit(kind, &tasks).await;
}

fn used(url: &Value) -> Option<Value> {
    Some(task(url.as_str()?, 0.5, "720:1280"))
}

/// A new video of some seconds.
fn film(camp: &Camp, dice: &mut Dice) -> Value {
    let resolution = if dice.below(4) == 0 { "1080:1920" } else { "720:1280" };
    let mut task = task(&camp.film, dice.between(5, 40) as f64 / 10.0, resolution);
    task["params"]["videoList"][0]["videos"] = json!([{ "url": camp.film }, { "url": camp.film }]);
    // Another background makes other segments of the video.
    task["params"]["options"]["background"] = json!(if dice.below(2) == 0 { "blur" } else { "black" });
    task["params"]["options"]["fps"] = json!([25, 30, 50, 60][dice.below(4)]);
    task
}

async fn films(camp: &Camp, dice: &mut Dice, kind: &'static str) {
    let tasks: Vec<Value> = (0..dice.between(1, 3)).map(|_| film(camp, dice)).collect();
    camp.submit(kind, &tasks).await;
}

async fn submits_and_cancels(camp: &Camp, dice: &mut Dice, kind: &'static str) {
    let tasks: Vec<Value> = (0..8).map(|_| film(camp, dice)).collect();
    let accepted = camp.submit(kind, &tasks).await;
    tokio::time::sleep(Duration::from_millis(dice.between(0, 1_500))).await;
    camp.cancel(kind, &accepted).await;
}

async fn twins(camp: &Camp, dice: &mut Dice, kind: &'static str) {
    let mut twin = film(camp, dice);
    twin["clientTaskId"] = json!(format!("twin-{}", camp.number()));
    let mut accepted = camp.submit(kind, &vec![twin; 8]).await;
    accepted.dedup();
    assert!(accepted.len() <= 1, "one clientTaskId, several tasks: {accepted:?}");
    camp.cancel(kind, &accepted).await;
}

/// Batches with waiting rows, streams of their events, and cancellations.
async fn batches(camp: &Camp, dice: &mut Dice, kind: &'static str) {
    let request = task(&camp.film, dice.between(5, 40) as f64 / 10.0, "720:1280");
    let mut requests = Vec::new();
    for _ in 0..4 {
        let rows: Vec<Value> =
            (0..dice.between(1, 200)).map(|row| json!({ "title": format!("{row}") })).collect();
        let mut request = request.clone();
        request["name"] = json!("{{title}}");
        requests.push(camp.client.post("/batches").json(&json!({
            "clientBatchId": format!("batch-{}", camp.number()),
            "request": request,
            "variables": [{ "name": "title", "type": "text" }],
            "rows": rows,
        })));
    }
    let answers = camp.volley(kind, requests, LATER).await;
    let made: Vec<String> =
        answers.iter().filter_map(|answer| Some(answer.data["batchNo"].as_str()?.to_owned())).collect();
    let watched = made.iter().flat_map(|batch| std::iter::repeat_n(format!("/batches/{batch}/events"), 10));
    let patience = Duration::from_millis(dice.between(100, 2_000));
    camp.volley(kind, watched.map(|path| camp.client.get(&path)).collect(), patience).await;
    let cancels = made.iter().map(|batch| camp.client.post(&format!("/batches/{batch}/cancel")));
    camp.volley(kind, cancels.collect(), LATER).await;
}

/// A template with many placeholders for long values.
async fn swelling_templates(camp: &Camp, dice: &mut Dice, kind: &'static str) {
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
        batch["clientBatchId"] = json!(format!("swelling-{}", camp.number()));
        batch["rows"] = json!(rows);
        requests.push(camp.client.post("/batches/estimate").json(&batch));
    }
    camp.volley(kind, requests, LATER).await;
}

/// Estimates with the maximum outputs, hours and layers of a request. Half of them are abandoned at once.
async fn large_estimates(camp: &Camp, dice: &mut Dice, kind: &'static str) {
    let videos: Vec<Value> = (0..1_000)
        .map(|_| json!({ "filename": camp.outside.url("hang", camp.number()), "duration": 3_600 }))
        .collect();
    let files: Vec<String> = (0..10).map(|_| camp.outside.url("hang", camp.number())).collect();
    let body = json!({ "taskType": "videoDeduplication", "params": {
        "videoList": videos,
        "options": { "picMask": { "isMask": true, "picFiles": files, "layerCount": 10 },
                     "videoMask": { "isMask": true, "videoFiles": files, "layerCount": 10 },
                     "rotation": { "isRotate": true, "minAngle": 1, "maxAngle": 40 }, "isFilter": true } } });
    let patience = if dice.below(2) == 0 { Duration::from_millis(300) } else { LATER };
    let requests = (0..10).map(|_| camp.client.post("/video-process/estimate").json(&body));
    camp.volley(kind, requests.collect(), patience).await;
}

async fn requests_read(camp: &Camp, _: &mut Dice, kind: &'static str) {
    let path = format!("/video-process/request/{}", camp.done);
    camp.volley(kind, (0..40).map(|_| camp.client.get(&path)).collect(), SOON).await;
}

async fn bad_links(camp: &Camp, dice: &mut Dice, kind: &'static str) {
    let ways = ["hang", "stall", "slow", "drip", "endless", "short", "away", "refuse", "gone"];
    let mut tasks = Vec::new();
    for _ in 0..10 {
        let mut task = task(&camp.outside.url(ways[dice.below(ways.len())], camp.number()), 1.0, "720:1280");
        task["callbackUrl"] = json!(camp.outside.url(["hang", "refuse"][dice.below(2)], camp.number()));
        tasks.push(task);
    }
    let accepted = camp.submit(kind, &tasks).await;
    let many = camp.leave_hanging(accepted);
    camp.cancel(kind, &many).await;
}

async fn forged_links(camp: &Camp, _: &mut Dice, kind: &'static str) {
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
    camp.submit(kind, &tasks).await;
}

/// New preview frames; some of them large.
fn pictures(camp: &Camp, dice: &mut Dice, count: usize) -> Vec<reqwest::RequestBuilder> {
    let picture = |dice: &mut Dice| {
        let url = if dice.below(4) == 0 { &camp.large } else { &camp.film };
        let request = json!({ "taskType": "videoDeduplication", "params": {
            "videoList": [{ "filename": url, "duration": 1 }],
            "options": { "rotation": { "isRotate": true, "minAngle": 20, "maxAngle": 40 }, "isFilter": true,
                         "PIP": { "isPIP": true, "padding": 10, "fillMode": 2 } },
            "seed": dice.below(1 << 40) } });
        let body =
            json!({ "request": request, "atSeconds": dice.below(1_000) as f64 / 1_000.0, "width": 720 });
        camp.client.post("/preview").json(&body)
    };
    (0..count).map(|_| picture(dice)).collect()
}

async fn previews(camp: &Camp, dice: &mut Dice, kind: &'static str) {
    camp.volley(kind, pictures(camp, dice, 30), LATER).await;
}

async fn fleeting_previews(camp: &Camp, dice: &mut Dice, kind: &'static str) {
    let patience = Duration::from_millis(dice.between(5, 400));
    camp.volley(kind, pictures(camp, dice, 40), patience).await;
}

async fn hanging_previews(camp: &Camp, dice: &mut Dice, kind: &'static str) {
    let requests = (0..20).map(|_| {
        let way = ["hang", "slow", "drip"][dice.below(3)];
        let body = json!({ "request": task(&camp.outside.url(way, camp.number()), 1.0, "720:1280") });
        camp.client.post("/preview").json(&body)
    });
    camp.volley(kind, requests.collect(), LATER).await;
}

async fn preflights(camp: &Camp, dice: &mut Dice, kind: &'static str) {
    let requests = (0..8).map(|_| {
        let way = ["hang", "slow", "endless"][dice.below(3)];
        let body = task(&camp.outside.url(way, camp.number()), 1.0, "720:1280");
        camp.client.post("/video-process/estimate?preflight=true").json(&body)
    });
    camp.volley(kind, requests.collect(), LATER).await;
}

async fn probes(camp: &Camp, dice: &mut Dice, kind: &'static str) {
    let requests = (0..30).map(|_| {
        let way = ["hang", "slow", "stall", "gone"][dice.below(4)];
        camp.client.post("/probe").json(&json!({ "url": camp.outside.url(way, camp.number()) }))
    });
    camp.volley(kind, requests.collect(), LATER).await;
}

async fn thumbnails(camp: &Camp, dice: &mut Dice, kind: &'static str) {
    let requests = (0..30).map(|_| {
        let url = if dice.below(2) == 0 { &camp.large } else { &camp.film };
        let body = json!({ "url": url, "atSeconds": dice.below(1_000) as f64 / 1_000.0, "width": 720 });
        camp.client.post("/thumbnail").json(&body)
    });
    camp.volley(kind, requests.collect(), LATER).await;
}

async fn callback_tests(camp: &Camp, dice: &mut Dice, kind: &'static str) {
    let requests = (0..40).map(|_| {
        let way = ["hang", "drip", "refuse"][dice.below(3)];
        let body = json!({ "url": camp.outside.url(way, camp.number()) });
        camp.client.post("/video-process/callbacks/test").json(&body)
    });
    camp.volley(kind, requests.collect(), LATER).await;
}

async fn archives(camp: &Camp, _: &mut Dice, kind: &'static str) {
    let path = format!("/download/{}", camp.done);
    camp.volley(kind, (0..40).map(|_| camp.client.get(&path)).collect(), SOON).await;
}

async fn event_streams(camp: &Camp, dice: &mut Dice, kind: &'static str) {
    let hanging = camp.hanging.lock().unwrap().clone();
    let task = hanging.last().unwrap_or(&camp.done);
    let path = format!("/video-process/events/{task}");
    let patience = Duration::from_millis(dice.between(500, 5_000));
    camp.volley(kind, (0..80).map(|_| camp.client.get(&path)).collect(), patience).await;
}

async fn readings(camp: &Camp, dice: &mut Dice, kind: &'static str) {
    let path = ["/video-process/list?pageSize=100", "/video-process/records?pageSize=100"][dice.below(2)];
    let status = format!("/video-process/status/{}", camp.done);
    let requests = (0..100).map(|n| camp.client.get(if n % 2 == 0 { path } else { &status }));
    camp.volley(kind, requests.collect(), SOON).await;
}

/// Four new files of eight mebibytes.
async fn hoard(camp: &Camp, dice: &mut Dice, kind: &'static str) {
    let requests = (0..4).map(|_| {
        let mut file = vec![dice.below(256) as u8; 8 << 20];
        file[..8].copy_from_slice(&camp.number().to_be_bytes());
        camp.client.post("/uploads").body(file)
    });
    camp.volley(kind, requests.collect(), LATER).await;
}

async fn large_bodies(camp: &Camp, dice: &mut Dice, kind: &'static str) {
    // Mostly calls that cost no points and count only against the read rate.
    let path = if dice.below(4) == 0 { "/video-process/submit" } else { "/video-process/estimate" };
    let bytes = camp.ammunition.bodies[dice.below(2)];
    let body = || camp.client.post(path).header("content-type", "application/json").body(bytes);
    let answers = camp.volley(kind, (0..6).map(|_| body()).collect(), LATER).await;
    let taken = |answer: &Answer| Some(answer.data["taskNo"].as_str()?.to_owned());
    let taken: Vec<String> = answers.iter().filter_map(taken).collect();
    camp.cancel(kind, &taken).await;
}

async fn wrong_json(camp: &Camp, _: &mut Dice, kind: &'static str) {
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
        let request = camp.client.post("/video-process/estimate").header("content-type", "application/json");
        request.body((*body).to_owned())
    });
    camp.volley(kind, requests.collect(), SOON).await;
}

async fn trespass(camp: &Camp, dice: &mut Dice, kind: &'static str) {
    let others = camp.others.lock().unwrap().clone();
    let mut requests = vec![camp.client.get("/admin/queue"), camp.client.get("/nowhere")];
    if let Some(task) = others.get(dice.below(others.len())) {
        requests.push(camp.client.get(&format!("/video-process/status/{task}")));
        requests.push(camp.client.get(&format!("/download/{task}")));
        requests.push(camp.client.get(&format!("/video-process/events/{task}")));
        requests.push(camp.client.post(&format!("/video-process/cancel/{task}")));
    }
    for answer in camp.volley(kind, requests, SOON).await {
        assert!(matches!(answer.status, 403 | 404 | 429 | 503), "{answer:?}");
    }
    let stranger =
        crate::client::Client::new(&camp.client.host, "cm_live_000000000000000000000000000000000000");
    let requests = (0..50).map(|_| stranger.get("/video-process/balance"));
    camp.volley(kind, requests.collect(), SOON).await;
}
