//! Files in a bucket: uploads, segments and results go through a real S3 server.

use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use clipmill_store::Store;
use clipmill_store::installation::INSTALLATION;
use clipmill_store::sqlite::SqliteStore;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{Service, clipmill, count, probe, samples};
use crate::s3_server::{self, BUCKET, SECRET, respond, s3_server};

/// Starts a service whose files are below this prefix of the bucket.
async fn start(endpoint: &str, prefix: &str, more: &[(&str, &str)]) -> Service {
    start_in(tempfile::tempdir().unwrap(), endpoint, prefix, more).await
}

async fn start_in(data: TempDir, endpoint: &str, prefix: &str, more: &[(&str, &str)]) -> Service {
    let url = format!("s3://{BUCKET}/{prefix}");
    let mut environment = s3_server::variables(endpoint, SECRET);
    environment.push(("CLIPMILL_STORAGE_URL".into(), url));
    let environment: Vec<(&str, &str)> =
        environment.iter().map(|(name, value)| (&**name, &**value)).collect();
    Service::start_in(data, 200, &[&environment, more].concat()).await
}

/// A data folder whose database belongs to the installation of this one: processes that share a bucket are one.
async fn of_the_same_installation(service: &Service) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let database = async |folder: &Path| SqliteStore::open(&folder.join("clipmill.db")).await.unwrap();
    let id = database(service.data.path()).await.installation().identity().await.unwrap().id.unwrap();
    let own = database(folder.path()).await;
    own.installation().secret(INSTALLATION, id).await.unwrap();
    own.close().await;
    folder
}

fn task(clip: &Value, seconds: u32) -> Value {
    json!({ "taskType": "baseVideoMix", "params": {
        "videoList": [{ "videos": [{ "url": clip }], "totalDuration": seconds }],
        "options": { "resolution": "720:1280" } } })
}

/// Runs a task that must succeed; returns its only item.
async fn made(service: &Service, request: &Value) -> Value {
    let status = service.ended(&service.accepted(request).await).await;
    assert_eq!(status["status"], json!(3), "{status:#}\n{}", service.log());
    status["items"][0].clone()
}

fn rendered(service: &Service) -> usize {
    service.log().matches("made=Rendered").count()
}

/// Sends a file straight to storage and registers it; returns the confirmation.
async fn send_directly(service: &Service, file: &Path, multipart: bool) -> Value {
    let (bytes, http) = (std::fs::read(file).unwrap(), reqwest::Client::new());
    let wish = json!({ "sizeBytes": bytes.len(), "multipart": multipart });
    let (status, presigned) = service.post("/uploads/presign", &wish).await;
    assert_eq!(status, 200, "{presigned:#}");
    let presigned = &presigned["data"];
    let mut sent = json!({ "uploadId": presigned["uploadId"], "fileName": "clip.mp4" });
    let (status, early) = service.post("/uploads/confirm", &sent).await;
    assert_eq!(status, 400, "nothing was sent yet: {early:#}");
    if multipart {
        let mut etags = Vec::new();
        for part in presigned["parts"].as_array().unwrap() {
            assert_eq!(part["sizeBytes"], json!(bytes.len()), "one part is enough");
            let put = http.put(part["url"].as_str().unwrap()).body(bytes.clone()).send().await.unwrap();
            etags.push(put.error_for_status().unwrap().headers()["etag"].to_str().unwrap().to_owned());
        }
        sent["etags"] = json!(etags);
    } else {
        let put = http.put(presigned["url"].as_str().unwrap()).body(bytes.clone()).send().await.unwrap();
        put.error_for_status().unwrap();
    }
    let (status, confirmed) = service.post("/uploads/confirm", &sent).await;
    assert_eq!(status, 200, "{confirmed:#}");
    let (_, again) = service.post("/uploads/confirm", &sent).await;
    assert_eq!(confirmed, again, "confirming twice is harmless");
    if let Some(url) = presigned["url"].as_str() {
        // As after an interrupted confirmation: the upload is registered, and its file is still waiting in storage.
        // Then another file is waiting there.
        for waiting in [bytes.clone(), vec![0; bytes.len()]] {
            http.put(url).body(waiting).send().await.unwrap().error_for_status().unwrap();
            let (_, again) = service.post("/uploads/confirm", &sent).await;
            assert_eq!(confirmed, again, "what waits is looked at again");
        }
    }
    confirmed["data"].clone()
}

#[tokio::test]
async fn from_a_direct_upload_to_a_direct_link() {
    let server = s3_server();
    let service = start(&server.endpoint, "direct", &[("CLIPMILL_LIMITS_UPLOAD", "4MiB")]).await;
    let clip = samples().join("city.mp4");
    let upload = send_directly(&service, &clip, false).await;
    let parts = send_directly(&service, &clip, true).await;
    let whole = service.try_upload(&clip).await.1["data"].clone();
    for other in [&parts, &whole] {
        for field in ["sha256", "sizeBytes", "media"] {
            assert_eq!(upload[field], other[field], "{field}");
        }
        assert_ne!(upload["url"], other["url"]);
    }
    assert_eq!(upload["media"]["video"]["codec"], json!("h264"), "{upload:#}");
    let too_large = service.post("/uploads/presign", &json!({ "sizeBytes": 5 << 20 })).await;
    assert_eq!((too_large.0, &too_large.1["code"]), (413, &json!(41300)));

    let item = made(&service, &task(&upload["url"], 1)).await;
    for field in ["url", "coverUrl"] {
        let link = item[field].as_str().unwrap();
        assert!(link.starts_with(&format!("{}/{BUCKET}/direct/results/VP", server.endpoint)), "{link}");
    }
    let file = service.data.path().join("downloaded.mp4");
    service.download(&item["url"], &file).await;
    assert!(probe(&file, "stream=nb_read_packets").contains(&"nb_read_packets=30".to_owned()));
    assert_eq!(item["sizeBytes"].as_u64().unwrap(), std::fs::metadata(&file).unwrap().len());
    let task_no = item["url"].as_str().unwrap().split('/').find(|part| part.starts_with("VP")).unwrap();
    let archive = service.get(&format!("/video-process/status/{task_no}")).await["downloadUrl"].clone();
    let archived = service.data.path().join("all.zip");
    service.download(&archive, &archived).await;
    let around = std::fs::metadata(&archived).unwrap().len() - item["sizeBytes"].as_u64().unwrap();
    assert!((100..1_000).contains(&around), "the file, uncompressed, and {around} bytes around it");
    let part = reqwest::Client::new().get(item["url"].as_str().unwrap()).header("range", "bytes=4-7");
    let part = part.send().await.unwrap();
    assert_eq!((part.status().as_u16(), &part.bytes().await.unwrap()[..]), (206, &b"ftyp"[..]));
    service.download(&item["coverUrl"], &service.data.path().join("cover.jpg")).await;
    assert_eq!(count(&service.data.path().join("results"), "mp4"), 0, "results are in the bucket only");
    assert_eq!(count(&service.data.path().join("cache/tmp"), "mp4"), 0);
    service.assert_audit();
}

#[tokio::test]
async fn services_that_share_a_bucket_render_nothing_twice() {
    let server = s3_server();
    // Links for longer than the storage's own last lead through the service.
    let long = [("CLIPMILL_SERVER_LINK_LIFETIME", "10d"), ("CLIPMILL_RETENTION_RESULTS", "20d")];
    let first = start(&server.endpoint, "shared", &[]).await;
    let data = of_the_same_installation(&first).await;
    let mut second = start_in(data, &server.endpoint, "shared", &long).await;
    let clip = samples().join("bigbuckbunny.mp4");
    let urls = [json!(first.upload(&clip).await), json!(second.upload(&clip).await)];
    let [one, other] = urls.each_ref().map(|url| task(url, 1));
    let of_first = made(&first, &one).await;
    assert_eq!(rendered(&first), 2, "a picture and a sound");
    let of_second = made(&second, &other).await;
    assert_eq!(rendered(&second), 0, "all is there\n{}", second.log());
    assert_eq!(of_first["quality"]["framesFound"], of_second["quality"]["framesFound"]);
    let link = of_second["url"].as_str().unwrap();
    assert!(link.contains(second.host()), "{link}");
    let file = second.data.path().join("downloaded.mp4");
    second.download(&of_second["url"], &file).await;
    assert!(probe(&file, "stream=nb_read_packets").contains(&"nb_read_packets=30".to_owned()));
    second.download(&of_second["coverUrl"], &second.data.path().join("cover.jpg")).await;

    // A machine that lost its disk's caches takes inputs and segments from the bucket.
    second.terminate();
    for folder in ["cache", "inputs"] {
        std::fs::remove_dir_all(second.data.path().join(folder)).unwrap();
    }
    second.boot();
    made(&second, &other).await;
    assert_eq!(rendered(&second), 0, "{}", second.log());
    assert_eq!(
        count(&second.data.path().join("cache/segments"), "mp4"),
        2,
        "the picture that was brought, and what was joined of it"
    );
    made(&second, &task(&urls[1], 2)).await;
    assert_eq!(rendered(&second), 2, "made from the input in the bucket");
}

#[tokio::test]
async fn the_bucket_of_another_installation_is_refused() {
    let server = s3_server();
    let first = start(&server.endpoint, "owned", &[]).await;
    made(&first, &task(&json!(first.upload(&samples().join("bigbuckbunny.mp4")).await), 1)).await;
    let other = tempfile::tempdir().unwrap();
    let url = format!("s3://{BUCKET}/owned");
    let output = clipmill(&["serve", "--listen", "127.0.0.1:0", "--data", other.path().to_str().unwrap()])
        .envs(s3_server::variables(&server.endpoint, SECRET))
        .env("CLIPMILL_STORAGE_URL", &url)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code() == Some(2) && error.contains(&url) && error.contains("installation"),
        "{error}"
    );
    assert!(first.post("/cancel/VP0", &json!({})).await.0 == 404, "the first continues");
}

/// Forwards everything to the S3 server until it is configured to respond with 500.
struct Proxy {
    endpoint: String,
    broken: Arc<AtomicBool>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Proxy {
    fn start(upstream: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let upstream = upstream.trim_start_matches("http://").to_owned();
        let (broken, open) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
        let proxy = Self { endpoint, broken, open };
        let (broken, open) = (proxy.broken.clone(), proxy.open.clone());
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if broken.load(Ordering::SeqCst) {
                    std::thread::spawn(move || respond(&client, "500 Internal Server Error", ""));
                    continue;
                }
                let server = TcpStream::connect(&upstream).unwrap();
                open.lock().unwrap().push(client.try_clone().unwrap());
                pass(client.try_clone().unwrap(), server.try_clone().unwrap());
                pass(server, client);
            }
        });
        proxy
    }

    fn set_broken(&self, broken: bool) {
        self.broken.store(broken, Ordering::SeqCst);
        for connection in self.open.lock().unwrap().drain(..) {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream) {
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut from, &mut to);
        let _ = to.shutdown(Shutdown::Write);
    });
}

#[tokio::test]
async fn storage_that_fails_fails_the_item_and_the_service_recovers() {
    let server = s3_server();
    let proxy = Proxy::start(&server.endpoint);
    let service = start(&proxy.endpoint, "failing", &[]).await;
    let request = task(&json!(service.upload(&samples().join("city.mp4")).await), 1);

    proxy.set_broken(true);
    let status = service.ended(&service.accepted(&request).await).await;
    let error = &status["items"][0]["error"];
    assert_eq!(error["code"], json!("INTERNAL"), "{status:#}");
    assert_eq!((&error["retryable"], &error["charged"]), (&json!(true), &json!(false)), "{status:#}");
    assert!(error["message"].as_str().unwrap().contains("storage"), "{error}");
    let balance = service.get("/video-process/balance").await;
    assert_eq!(balance, json!({ "balance": 200, "held": 0, "total": 200 }));
    let ready = reqwest::get(format!("http://{}/readyz", service.host())).await.unwrap();
    assert_eq!(ready.status().as_u16(), 503);
    let (status, refused) =
        service.post("/uploads/presign", &json!({ "sizeBytes": 5, "multipart": true })).await;
    assert_eq!((status, &refused["code"]), (503, &json!(50300)), "{refused:#}");

    proxy.set_broken(false);
    let ready = reqwest::get(format!("http://{}/readyz", service.host())).await.unwrap();
    assert_eq!(ready.status().as_u16(), 200);
    made(&service, &request).await;
    service.assert_audit();
}

#[test]
fn the_doctor_tests_the_bucket() {
    let (server, data) = (s3_server(), tempfile::tempdir().unwrap());
    let storage = |secret: &str| {
        let output = clipmill(&["doctor", "--json", "--data", data.path().to_str().unwrap()])
            .envs(s3_server::variables(&server.endpoint, secret))
            .env("CLIPMILL_STORAGE_URL", format!("s3://{BUCKET}/doctor"))
            .output()
            .unwrap();
        let findings: Value = serde_json::from_slice(&output.stdout).unwrap();
        findings.as_array().unwrap().iter().find(|finding| finding["what"] == "bucket").unwrap().clone()
    };
    let well = storage(SECRET);
    assert_eq!(well["ok"], json!(true), "{well}");
    assert!(well["text"].as_str().unwrap().contains("s3://clips/doctor"), "{well}");
    let wrong = storage("another-secret");
    assert_eq!(wrong["ok"], json!(false), "{wrong}");
    let text = wrong["text"].as_str().unwrap();
    assert!(text.contains("AWS_SECRET_ACCESS_KEY") && !text.contains("another-secret"), "{text}");
    assert_eq!(count(data.path(), "out"), 0);
}
