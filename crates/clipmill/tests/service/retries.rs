//! Temporarily failing downloads, deleted uploads, and several bad inputs.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

use crate::harness::{Service, clipmill, run, samples};

fn mix(groups: &[&[&str]]) -> Value {
    let group = |urls: &&[&str]| json!({ "videos": urls.iter().map(|url| json!({ "url": url })).collect::<Vec<_>>() });
    json!({ "taskType": "baseVideoMix",
        "params": { "videoList": groups.iter().map(group).collect::<Vec<_>>() } })
}

type Hits = Arc<Mutex<HashMap<String, usize>>>;

/// A web server with one clip. `/flaky…` returns 503 the first time, `/busy…` 429 the first time, `/down…` 503 always.
/// `/gated…` responds once for each permit.
struct Web {
    address: SocketAddr,
    hits: Hits,
    gate: Arc<Semaphore>,
}

async fn serve(mut stream: TcpStream, file: Arc<Vec<u8>>, hits: Hits, gate: Arc<Semaphore>) {
    let mut request = vec![0; 4096];
    let read = stream.read(&mut request).await.unwrap_or(0);
    let request = String::from_utf8_lossy(&request[..read]).into_owned();
    let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
    let hit = {
        let mut hits = hits.lock().unwrap();
        let hit = hits.entry(path.clone()).or_default();
        *hit += 1;
        *hit
    };
    if path.starts_with("/gated") {
        gate.acquire().await.unwrap().forget();
    }
    let (status, body): (_, &[u8]) = match (&path, hit) {
        (path, 1) if path.starts_with("/busy") => ("429 Too Many Requests", b""),
        (path, 1) if path.starts_with("/flaky") => ("503 Service Unavailable", b""),
        (path, _) if path.starts_with("/down") => ("503 Service Unavailable", b""),
        _ => ("200 OK", &file),
    };
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    let _ = stream.write_all(head.as_bytes()).await;
    let _ = stream.write_all(body).await;
}

impl Web {
    async fn start() -> Self {
        let file = Arc::new(std::fs::read(samples().join("city.mp4")).unwrap());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let web = Self {
            address: listener.local_addr().unwrap(),
            hits: Arc::default(),
            gate: Arc::new(Semaphore::new(0)),
        };
        let (hits, gate) = (web.hits.clone(), web.gate.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, file.clone(), hits.clone(), gate.clone()));
            }
        });
        web
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    fn hits(&self, path: &str) -> usize {
        self.hits.lock().unwrap().get(path).copied().unwrap_or(0)
    }
}

#[tokio::test]
async fn a_temporarily_failing_download_is_retried() {
    let allow = [("CLIPMILL_FETCH_ALLOW_NETWORKS", "127.0.0.0/8"), ("CLIPMILL_FETCH_ALLOW_PORTS", "*")];
    let service = Service::start_with(100, &allow).await;
    let web = Web::start().await;
    let [good, flaky, down] = ["/good.mp4", "/flaky.mp4", "/down.mp4"].map(|path| web.url(path));
    let flaky_task = service.accepted(&mix(&[&[&good, &flaky]])).await;
    let down_task = service.accepted(&mix(&[&[&down]])).await;

    let status = service.ended(&flaky_task).await;
    assert_eq!(status["status"], json!(3), "{status:#}");
    assert_eq!((web.hits("/good.mp4"), web.hits("/flaky.mp4")), (1, 2), "what came is not fetched again");

    let status = service.ended(&down_task).await;
    assert_eq!(status["status"], json!(6), "{status:#}");
    let error = &status["items"][0]["error"];
    assert_eq!((&error["code"], &error["retryable"]), (&json!("DOWNLOAD_FAILED"), &json!(true)));
    assert_eq!((&error["input"], &error["charged"]), (&json!(down), &json!(false)));
    assert_eq!(web.hits("/down.mp4"), 3, "three attempts");
    service.assert_audit();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_retries_downloads_like_a_service() {
    let folder = tempfile::tempdir().unwrap();
    let web = Web::start().await;
    let [good, flaky, busy] = ["/good.mp4", "/flaky.mp4", "/busy.mp4"].map(|path| web.url(path));
    let request = folder.path().join("request.json");
    std::fs::write(&request, mix(&[&[&good, &flaky, &busy]]).to_string()).unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (out, cache) = (path("out"), path("cache"));
    let mut command = clipmill(&["render", request.to_str().unwrap(), "-o", &out, "--cache", &cache]);
    command.env("CLIPMILL_FETCH_ALLOW_NETWORKS", "127.0.0.0/8").env("CLIPMILL_FETCH_ALLOW_PORTS", "*");
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && folder.path().join("out/1.mp4").exists(), "{stderr}");
    assert!(stderr.contains("Attempt 1 failed; retrying in 2 s."), "{stderr}");
    let hits = ["/good.mp4", "/flaky.mp4", "/busy.mp4"].map(|path| web.hits(path));
    assert_eq!(hits, [1, 2, 2], "a file that arrived is not fetched again");
}

/// Removes the input files of tasks; the facts about them remain, as when only large files are evicted.
fn evict(service: &Service) -> usize {
    let mut removed = 0;
    for entry in std::fs::read_dir(service.data.path().join("inputs")).unwrap().map(Result::unwrap) {
        if entry.path().is_file() && entry.path().extension().is_none() {
            std::fs::remove_file(entry.path()).unwrap();
            removed += 1;
        }
    }
    removed
}

/// The only slot renders for others while an evicted input is fetched again.
#[tokio::test]
async fn refetching_an_input_occupies_no_slot() {
    let environment = [
        ("CLIPMILL_FETCH_ALLOW_NETWORKS", "127.0.0.0/8"),
        ("CLIPMILL_FETCH_ALLOW_PORTS", "*"),
        ("CLIPMILL_WORKER_SLOTS", "1"),
    ];
    let service = Service::start_with(100, &environment).await;
    let data = service.data.path().to_str().unwrap();
    let queue = |change: &str| assert_eq!(run(&["queue", change, "--data", data]).0, 0);
    let web = Web::start().await;
    let gated = web.url("/gated.mp4");
    let task = service.accepted(&mix(&[&[&gated]])).await;
    let comes = async |number: usize| {
        while web.hits("/gated.mp4") < number {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    };
    comes(1).await;
    // Running work continues: the task is planned, and nothing of it is rendered.
    queue("pause");
    web.gate.add_permits(1);
    service.wait_until(&task, |status| status["status"] == json!(1)).await;
    assert_eq!(evict(&service), 1);
    queue("resume");
    comes(2).await;

    let city = service.upload(&samples().join("bigbuckbunny.mp4")).await;
    let other = service.ended(&service.accepted(&mix(&[&[&city]])).await).await;
    assert_eq!(other["status"], json!(3), "{other:#}");
    assert!(service.status(&task).await["status"].as_u64().unwrap() < 3);
    web.gate.add_permits(1);
    let status = service.ended(&task).await;
    assert_eq!(status["status"], json!(3), "{status:#}");
    assert_eq!(web.hits("/gated.mp4"), 2);
    service.assert_audit();
}

#[tokio::test]
async fn a_deleted_upload_has_to_be_uploaded_again() {
    let service = Service::start(100).await;
    let city = service.upload(&samples().join("city.mp4")).await;
    assert_eq!(evict(&service), 1);
    let status = service.ended(&service.accepted(&mix(&[&[&city]])).await).await;
    let error = &status["items"][0]["error"];
    assert_eq!((&status["status"], &error["code"]), (&json!(6), &json!("DOWNLOAD_FAILED")), "{status:#}");
    assert_eq!((&error["retryable"], &error["input"]), (&json!(false), &json!(city)));
    assert!(error["message"].as_str().unwrap().contains("upload it again"), "{error}");
    service.assert_audit();
}

#[tokio::test]
async fn all_bad_inputs_of_a_task_are_named() {
    let service = Service::start(100).await;
    let page = service.data.path().join("page.mp4");
    std::fs::write(&page, "<!DOCTYPE html><html><body>Not found</body></html>").unwrap();
    let (html, speech) = (service.upload(&page).await, service.upload(&samples().join("speech.wav")).await);
    let city = service.upload(&samples().join("city.mp4")).await;
    let blocked = "http://127.0.0.1:9/clip.mp4";
    let mut request = mix(&[&[&city, &html, &speech]]);
    request["params"]["options"] = json!({ "backgroundMusic": { "url": blocked } });
    let status = service.ended(&service.accepted(&request).await).await;
    assert_eq!(status["status"], json!(6), "{status:#}");
    let message = status["errorMsg"].as_str().unwrap();
    for url in [html.as_str(), &speech, blocked] {
        assert_eq!(message.matches(url).count(), 1, "{url} in {message}");
    }
    assert!(!message.contains(&city), "{message}");
    let message = status["items"][0]["error"]["message"].as_str().unwrap();
    assert!(message.contains(&speech), "the second bad clip is named too: {message}");
    service.assert_audit();
}
