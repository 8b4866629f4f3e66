//! Mistakes of operators: mixed-up folders, removed folders, a leaked secret.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Service, clipmill, count, make, run};

/// Far longer than anything here takes.
const TIMEOUT: Duration = Duration::from_secs(120);

async fn finished(service: &Service, colour: &str) -> Value {
    let name = format!("{colour}.mp4");
    let args = format!("-f lavfi -i color={colour}:s=320x180:r=30:d=1 -pix_fmt yuv420p {name}");
    make(service.data.path(), &args);
    let url = service.upload(&service.data.path().join(name)).await;
    let request =
        json!({ "taskType": "baseVideoMix", "params": { "videoList": [{ "videos": [{ "url": url }] }] } });
    let status = service.ended(&service.accepted(&request).await).await;
    assert_eq!(status["status"], 3, "{status:#}");
    status
}

async fn wait_for(what: &str, done: impl AsyncFn() -> bool) {
    let waiting = async {
        while !done().await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    assert!(tokio::time::timeout(TIMEOUT, waiting).await.is_ok(), "{what}");
}

#[tokio::test]
async fn a_new_database_on_an_old_folder_deletes_nothing() {
    let mut service = Service::start(500).await;
    finished(&service, "red").await;
    service.terminate();
    let (folder, results) = (service.data.path().to_str().unwrap(), service.data.path().join("results"));
    let id = std::fs::read_to_string(service.data.path().join("installation")).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let other = format!("sqlite:{}", elsewhere.path().join("other.db").display());
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["gc"][..]] {
        let args = [command, &["--data", folder][..]].concat();
        let output = clipmill(&args).env("CLIPMILL_DATABASE_URL", &other).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(folder) && error.contains(id.trim()) && error.contains("database"), "{error}");
    }
    assert_eq!(count(&results, "mp4"), 1);
    service.boot();
    service.assert_audit();
}

#[tokio::test]
async fn removed_folders_are_re_created_while_the_service_runs() {
    let service = Service::start(500).await;
    finished(&service, "red").await;
    let root = service.data.path();
    let folders = ["uploads", "inputs", "results", "cache"].map(|name| root.join(name));
    for folder in &folders {
        // A file that is written in this moment makes it not empty.
        wait_for("the folder to go", async || std::fs::remove_dir_all(folder).is_ok()).await;
    }
    let back =
        [root.join("uploads"), root.join("inputs/partial"), root.join("results"), root.join("cache/tmp")];
    wait_for("the folders to come back", async || back.iter().all(|folder| folder.is_dir())).await;
    finished(&service, "blue").await;
    service.assert_audit();
}

#[tokio::test]
async fn links_end_when_their_secret_is_replaced_at_once() {
    let service = Service::start(500).await;
    let status = finished(&service, "red").await;
    let task_no = status["taskNo"].as_str().unwrap();
    let link = |status: &Value| status["items"][0]["url"].as_str().unwrap().to_owned();
    let open = async |link: &str| reqwest::get(link).await.unwrap().status();
    let (before, data) = (link(&status), service.data.path().to_str().unwrap());
    assert_eq!(open(&before).await, 200);
    let (code, output, error) = run(&["rotate-links", "--data", data]);
    assert!(code == 0 && output.contains("remain valid"), "{output}{error}");
    assert_eq!(open(&before).await, 200);

    let (code, _, error) = run(&["rotate-links", "--overlap", "0s", "--data", data]);
    assert_eq!(code, 0, "{error}");
    wait_for("the link to end", async || open(&before).await == 403).await;
    let after = link(&service.status(task_no).await);
    assert_eq!(open(&after).await, 200);
}
