//! Renders cases through the service.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::case::{Case, Kind};
use crate::harness::{Service, samples};

/// Without any progress for this long, the service counts as hanging.
const TIMEOUT: Duration = Duration::from_secs(600);
/// How long the image of a voice is shown.
const IMAGE_S: f64 = 5.0;

pub struct Output {
    pub path: PathBuf,
    pub warnings: Vec<String>,
}

/// Code and message of the error of an item.
pub type Refusal = String;

/// Renders cases of the same kind and options; the outputs are stored beside their sources.
pub async fn render(service: &Service, cases: &[(&Case, &Path)]) -> Vec<Result<Output, Refusal>> {
    let mut urls = Vec::new();
    for (_, path) in cases {
        urls.push(service.upload(path).await);
    }
    let extra = service.upload(&samples().join("logo.png")).await;
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    let (first, _) = cases[0];
    let requests = match first.kind {
        Kind::Video => vec![first.render.request(&urls, &extra)],
        Kind::Audio => {
            let image = service.upload(&samples().join("picture.jpg")).await;
            urls.iter().map(|url| voice(&image, url)).collect()
        }
    };
    let mut tasks = Vec::new();
    for request in requests {
        tasks.push(service.accepted(&request).await);
    }
    let mut items = Vec::new();
    for task in tasks {
        let status = ended(service, &task).await;
        items.extend(status["items"].as_array().unwrap().clone());
    }
    assert_eq!(items.len(), cases.len());
    let mut outputs = Vec::new();
    for (item, (_, path)) in items.iter().zip(cases) {
        outputs.push(match item["url"].is_string() {
            true => Ok(download(service, item, path).await),
            false => Err(refusal(item)),
        });
    }
    outputs
}

fn voice(image: &str, url: &str) -> Value {
    json!({ "taskType": "baseVideoMix", "params": {
        "seed": 1,
        "videoList": [{ "videos": [{ "url": image, "duration": IMAGE_S }] }],
        "options": { "preset": "draft", "resolution": "720:720",
            "audio": { "url": url, "volume": 100, "fadeIn": 0, "fadeOut": 0 } } } })
}

async fn ended(service: &Service, task: &str) -> Value {
    let (mut progress, mut since) = (json!(null), tokio::time::Instant::now());
    loop {
        let status = service.status(task).await;
        if status["status"].as_u64().unwrap() >= 3 {
            return status;
        }
        if progress != status["progressPercent"] {
            (progress, since) = (status["progressPercent"].clone(), tokio::time::Instant::now());
        }
        assert!(since.elapsed() < TIMEOUT, "no progress: {status:#}\n{}", service.log());
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn download(service: &Service, item: &Value, source: &Path) -> Output {
    let folder = source.parent().unwrap().join("output");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("output.mp4");
    service.download(&item["url"], &path).await;
    let warnings = item["warnings"].as_array().into_iter().flatten();
    Output { path, warnings: warnings.map(|warning| text(&warning["message"])).collect() }
}

fn refusal(item: &Value) -> Refusal {
    format!("{}: {}", text(&item["error"]["code"]), text(&item["error"]["message"]))
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
