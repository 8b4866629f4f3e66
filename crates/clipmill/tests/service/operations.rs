//! Operations: metrics, logs, one trace per task; configuration, deletion, backup and restore.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

use crate::harness::{FAST, Service, clipmill, count, make, run};
use crate::http::Request;

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
/// Far longer than anything here takes.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Paths and bodies.
type Taken = Vec<(String, Vec<u8>)>;

/// Responds to every POST with 200 and records it: a collector of traces and a receiver of callbacks.
#[derive(Clone, Default)]
struct Sink {
    port: u16,
    taken: Arc<Mutex<Taken>>,
}

impl Sink {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let sink = Self { port: listener.local_addr().unwrap().port(), ..Self::default() };
        let serving = sink.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serving.clone().serve(stream));
            }
        });
        sink
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    async fn serve(self, mut stream: TcpStream) -> Option<()> {
        let mut bytes = Vec::new();
        while let Some(request) = Request::next(&mut stream, &mut bytes).await {
            let path = request.path().to_owned();
            self.taken.lock().unwrap().push((path, request.body));
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await.ok()?;
        }
        None
    }

    fn callbacks(&self) -> usize {
        self.taken.lock().unwrap().iter().filter(|(path, _)| path == "/hook").count()
    }

    /// The traces of all received spans, by name.
    fn spans(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut spans: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (path, body) in self.taken.lock().unwrap().iter() {
            if path != "/v1/traces" {
                continue;
            }
            let sent = ExportTraceServiceRequest::decode(body.as_slice()).unwrap();
            let scopes = sent.resource_spans.into_iter().flat_map(|resource| resource.scope_spans);
            for span in scopes.flat_map(|scope| scope.spans) {
                let kind = span.attributes.iter().find(|pair| pair.key == "kind");
                let kind =
                    kind.and_then(|pair| pair.value.as_ref()?.value.as_ref()).map(|v| format!(" {v:?}"));
                let trace = span.trace_id.iter().map(|byte| format!("{byte:02x}")).collect();
                spans.entry(span.name + &kind.unwrap_or_default()).or_default().insert(trace);
            }
        }
        spans
    }
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

async fn wait_for(what: &str, done: impl AsyncFn() -> bool) {
    let waiting = async {
        while !done().await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    assert!(tokio::time::timeout(TIMEOUT, waiting).await.is_ok(), "{what}");
}

async fn clip(service: &Service, colour: &str) -> String {
    let name = format!("{colour}.mp4");
    let args = format!("-f lavfi -i color={colour}:s=320x180:r=30:d=1 -pix_fmt yuv420p {name}");
    make(service.data.path(), &args);
    service.upload(&service.data.path().join(name)).await
}

fn mix(urls: &[&String]) -> Value {
    let videos: Vec<_> = urls.iter().map(|url| json!({ "url": url })).collect();
    json!({ "taskType": "baseVideoMix",
        "params": { "videoList": [{ "videos": videos }], "options": { "width": 320, "height": 180 } } })
}

/// The value of a line of `/metrics`.
fn figure(page: &str, series: &str) -> Option<f64> {
    page.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' ')?.parse().ok())
}

// The collector must respond while this waits for the program's end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_is_visible_in_metrics_logs_and_one_trace() {
    let (collector, metrics) = (Sink::start().await, free_port());
    let mut service = Service::start_with(
        500,
        &[
            ("CLIPMILL_METRICS_LISTEN", format!("127.0.0.1:{metrics}").as_str()),
            ("CLIPMILL_TRACING_OTLP_ENDPOINT", collector.url().as_str()),
            ("CLIPMILL_LOG_FORMAT", "json"),
            ("CLIPMILL_FETCH_ALLOW_NETWORKS", "127.0.0.0/8"),
            ("CLIPMILL_FETCH_ALLOW_PORTS", "*"),
        ],
    )
    .await;
    let mut request = mix(&[&clip(&service, "red").await]);
    request["callbackUrl"] = json!(format!("{}/hook", collector.url()));
    let traceparent = format!("00-{TRACE}-b7ad6b7169203331-01");
    let task_no = service.accepted_with(&request, &[("traceparent", &traceparent)]).await;
    let status = service.ended(&task_no).await;
    assert_eq!(status["status"], json!(3), "{status:#}");
    wait_for("the callback", async || collector.callbacks() == 1).await;

    let page = async || {
        let response = reqwest::get(format!("http://127.0.0.1:{metrics}/metrics")).await.unwrap();
        response.text().await.unwrap()
    };
    let delivered = "clipmill_deliveries_total{outcome=\"delivered\"}";
    wait_for("the delivery's figure", async || figure(&page().await, delivered) == Some(1.0)).await;
    // The points are read every few seconds.
    let settled = "clipmill_points_moved_total{type=\"settle\"}";
    let charged = status["consumedDotCount"].as_f64();
    wait_for("the points' figure", async || figure(&page().await, settled) == charged).await;
    check_page(&page().await, &task_no);

    assert_eq!(service.terminate(), 0);
    check_log(&service.log(), &task_no);
    let spans = collector.spans();
    let ours: BTreeSet<String> = [TRACE.to_owned()].into();
    for kind in ["preflight", "segment", "finish"] {
        let span = spans.iter().find(|(name, _)| name.starts_with("work") && name.contains(kind));
        assert_eq!(span.map(|(_, traces)| traces), Some(&ours), "{kind}: {spans:#?}");
    }
    assert_eq!(spans.get("callback"), Some(&ours), "{spans:#?}");
    assert!(spans["request"].contains(TRACE) && spans["request"].len() > 1, "{spans:#?}");
}

fn check_page(page: &str, task_no: &str) {
    let submitted = "clipmill_http_requests_total{route=\"/open-api/v1/video-process/submit\",method=\"POST\",\
                     status=\"200\"}";
    for (series, value) in [
        ("clipmill_items_delivered_total", 1.0),
        ("clipmill_output_seconds_total", 1.0),
        ("clipmill_segments_total{from=\"rendered\"}", 1.0),
        ("clipmill_points{account=\"held\"}", 0.0),
        ("clipmill_tasks{state=\"executing\"}", 0.0),
        ("clipmill_work_seconds_count{kind=\"finish\",outcome=\"done\"}", 1.0),
        ("clipmill_callbacks{state=\"due\"}", 0.0),
        ("clipmill_queue_paused", 0.0),
        ("clipmill_uploads_total", 1.0),
        (submitted, 1.0),
    ] {
        assert_eq!(figure(page, series), Some(value), "{series}:\n{page}");
    }
    for series in
        ["clipmill_database_seconds_count{op=\"write\"}", "process_open_fds", "clipmill_disk_free_bytes"]
    {
        assert!(figure(page, series).is_some_and(|value| value > 0.0), "{series}:\n{page}");
    }
    assert!(!page.contains(task_no) && !page.contains("tester"), "no series of one task or user");
}

/// Every log line is an object; lines about the task contain its number.
fn check_log(log: &str, task_no: &str) {
    let lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect();
    let spans = |line: &Value| line["spans"].as_array().cloned().unwrap_or_default();
    let log_field = |message: &str, field: &str| {
        let line = lines.iter().find(|line| line["message"] == message);
        let line = line.unwrap_or_else(|| panic!("`{message}` is not in the log:\n{log}"));
        spans(line).iter().find_map(|span| span.get(field).cloned())
    };
    assert_eq!(log_field("delivered", "task"), Some(json!(task_no)));
    assert!(log_field("segment ready", "segment").is_some());
    assert!(
        log_field("request completed", "id").is_some_and(|id| id.as_str().is_some_and(|id| !id.is_empty()))
    );
    assert_eq!(log_field("request completed", "client"), Some(json!("127.0.0.1")));
    // Numbers are numbers, and spans have one name.
    let answered = lines.iter().find(|line| line["message"] == "request completed").unwrap();
    assert!(
        answered["status"].is_u64() && answered["ms"].is_u64() && answered["span"].is_null(),
        "{answered}"
    );
    assert!(log_field("segment ready", "work").is_some_and(|work| work.is_i64()));
    let is_health = |span: &Value| span["path"] == "/healthz" || span["path"] == "/readyz";
    assert!(!lines.iter().flat_map(spans).any(|span| is_health(&span)), "health checks are not logged");
    let finished = lines.iter().flat_map(spans).find(|span| span["kind"] == "finish");
    let finished = finished.expect("a line about the finishing");
    assert_eq!((&finished["task"], &finished["item"]), (&json!(task_no), &json!(1)));
}

#[tokio::test]
async fn a_backup_of_a_busy_service_is_restored_and_continues() {
    let mut service = Service::start(500).await;
    let (red, blue) = (clip(&service, "red").await, clip(&service, "blue").await);
    let done = service.accepted(&mix(&[&red])).await;
    let status = service.ended(&done).await;
    assert_eq!(status["status"], json!(3), "{status:#}");
    let mut open = Vec::new();
    for urls in [vec![&blue], vec![&blue, &red], vec![&red, &blue]] {
        open.push(service.accepted(&mix(&urls)).await);
    }
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let data = service.data.path().to_str().unwrap().to_owned();
    let (code, output, error) = run(&["backup", "--data", &data, "-o", &path("backup")]);
    assert_eq!(code, 0, "{output}{error}");
    assert!(!output.contains("missing"), "{output}");
    let (code, _, error) = run(&["backup", "--data", &data, "-o", &path("backup")]);
    assert!(code == 2 && error.contains("not empty"), "{error}");
    // The installation is lost.
    service.kill();

    let (code, _, error) = run(&["restore", &path("backup"), "--data", &data]);
    assert!(code == 2 && error.contains("not empty"), "{error}");
    let restored = tempfile::tempdir().unwrap();
    let (code, output, error) =
        run(&["restore", &path("backup"), "--data", restored.path().to_str().unwrap()]);
    assert_eq!(code, 0, "{output}{error}");
    check_damage(Path::new(&path("backup")));

    service.move_to(restored);
    service.assert_audit();
    let item = service.status(&done).await["items"][0].clone();
    assert_eq!(item["sha256"], status["items"][0]["sha256"]);
    service.download(&item["url"], &place.path().join("again.mp4")).await;
    for task_no in &open {
        let status = service.ended(task_no).await;
        assert_eq!(status["status"], json!(3), "{status:#}");
    }
    service.assert_audit();
}

/// A changed file in a backup is detected, and an unfinished backup is refused.
fn check_damage(backup: &Path) {
    let results = std::fs::read_dir(backup.join("results")).unwrap().next().unwrap().unwrap().path();
    let file = std::fs::read_dir(results).unwrap().next().unwrap().unwrap().path();
    let (whole, target) = (std::fs::read(&file).unwrap(), tempfile::tempdir().unwrap());
    let restore =
        || run(&["restore", backup.to_str().unwrap(), "--data", target.path().join("x").to_str().unwrap()]);
    // The original shares its bytes by a link, and is no longer needed.
    let mut broken = whole.clone();
    broken[whole.len() / 2] ^= 1;
    std::fs::write(&file, broken).unwrap();
    let (code, _, error) = restore();
    assert!(code == 1 && error.contains("is damaged"), "{error}");
    assert!(!target.path().join("x/clipmill.db").exists(), "the database comes last");
    std::fs::write(&file, whole).unwrap();
    let manifest = backup.join("manifest.json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::remove_dir_all(target.path().join("x")).unwrap();
    std::fs::write(&manifest, text.replace("\"schema\": ", "\"schema\": 9")).unwrap();
    let (code, _, error) = restore();
    assert!(code == 2 && error.contains("later one"), "{error}");
    std::fs::remove_file(&manifest).unwrap();
    let (code, _, error) = restore();
    assert!(code == 2 && error.contains("not a complete backup"), "{error}");
}

#[tokio::test]
async fn expired_data_is_deleted_while_the_service_runs() {
    let service =
        Service::start_with(500, &[("CLIPMILL_RETENTION_RESULTS", "1s"), ("CLIPMILL_RETENTION_EVERY", "1s")])
            .await;
    let task_no = service.accepted(&mix(&[&clip(&service, "red").await])).await;
    service.ended(&task_no).await;
    let results = service.data.path().join("results");
    wait_for("the result to go", async || count(&results, "mp4") + count(&results, "jpg") == 0).await;
    let item = service.status(&task_no).await["items"][0].clone();
    assert_eq!((&item["status"], &item["url"]), (&json!(3), &json!(null)), "{item:#}");

    let data = service.data.path().to_str().unwrap();
    let (code, output, error) = run(&["gc", "--dry-run", "--json", "--data", data]);
    let report: Value = serde_json::from_str(&output).unwrap_or_else(|_| panic!("{output}{error}"));
    assert_eq!((code, &report["dryRun"], &report["results"]["count"]), (0, &json!(true), &json!(0)));
    let (code, output, _) = run(&["gc", "--dry-run", "--data", data]);
    assert!(code == 0 && output.contains("Nothing was deleted."), "{output}");
}

/// A dry run in a folder that was named by mistake does not claim it for the database.
#[test]
fn a_dry_run_does_not_mark_the_data_folder() {
    let data = tempfile::tempdir().unwrap();
    let marked = || data.path().join("installation").exists();
    let gc = |options: &[&str]| run(&[&["gc", "--data", data.path().to_str().unwrap()], options].concat());
    let (code, output, error) = gc(&["--dry-run"]);
    assert!(code == 0 && !marked(), "{output}{error}");
    let (code, output, error) = gc(&[]);
    assert!(code == 0 && marked(), "{output}{error}");
}

#[test]
fn a_configuration_is_checked_and_shown() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("clipmill.toml");
    let ask = |command: &str, text: &str| {
        std::fs::write(&file, text).unwrap();
        let output = clipmill(&["config", command, "--config", file.to_str().unwrap()])
            .env("CLIPMILL_DATABASE_URL", "postgres://u:geheim@db/clips")
            .env_remove(FAST.0)
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, output, _) = ask("check", "[worker]\nslots = 3");
    assert!(code == Some(0) && output.starts_with("valid; 2 of "), "{output}");
    let (code, output, error) = ask("check", "[worker]\nslot = 3\n[server]\nlisten = 9\n");
    assert_eq!((code, output.as_str()), (Some(2), ""), "{error}");
    assert!(error.contains("did you mean worker.slots?") && error.contains("server.listen"), "{error}");
    let (code, output, _) = ask("show", "[worker]\nslots = 3");
    let line =
        output.lines().find(|line| line.starts_with("slots = 3")).unwrap_or_else(|| panic!("{output}"));
    assert!(code == Some(0) && line.ends_with("# configuration file"), "{line}");
    assert!(output.contains("# CLIPMILL_DATABASE_URL") && !output.contains("geheim"), "{output}");
}

/// Runs the program with a PostgreSQL database that refuses connections: a socket on which nobody listens.
fn without_postgres(data: &Path, args: &[&str]) -> std::process::Output {
    let socket = data.join(".s.PGSQL.5432");
    drop(std::os::unix::net::UnixListener::bind(&socket).unwrap());
    let url = format!("postgres:///clips?host={}&user=clipmill&password=geheim", data.display());
    let output = clipmill(args).arg("--data").arg(data).env("CLIPMILL_DATABASE_URL", url).output().unwrap();
    std::fs::remove_file(socket).unwrap();
    let shown = format!("{output:?}");
    assert!(!shown.contains("geheim"), "{shown}");
    output
}

#[test]
fn a_backup_of_postgres_refers_to_its_own_tool() {
    let (data, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let out = out.path().join("backup");
    let output = without_postgres(data.path(), &["backup", "-o", out.to_str().unwrap()]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("pg_dump") && !error.contains("clipmill.db"), "{error}");
    assert!(!out.exists());
    // The same from a configuration file, beside a database that is not used.
    let config = data.path().join("clipmill.toml");
    std::fs::write(&config, "[database]\nurl = \"postgres://clipmill@127.0.0.1:1/clipmill\"\n").unwrap();
    std::fs::write(data.path().join("clipmill.db"), "").unwrap();
    let place = ["--data", data.path().to_str().unwrap(), "--config", config.to_str().unwrap()];
    let (code, _, error) = run(&[&["backup", "-o", out.to_str().unwrap()], &place[..]].concat());
    assert!(code == 2 && error.contains("pg_dump"), "{error}");
    assert!(!out.exists());
}

/// The user who checks a machine before the first start must not own its data folder.
#[test]
fn the_doctor_creates_nothing() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("above/data");
    let (_, output, _) = run(&["doctor", "--data", data.to_str().unwrap()]);
    assert!(output.contains("ok    storage: ") && output.contains("does not exist yet"), "{output}");
    assert_eq!(place.path().read_dir().unwrap().count(), 0);
}

#[test]
fn the_doctor_reports_why_it_has_no_connection_to_postgres() {
    let data = tempfile::tempdir().unwrap();
    let output = without_postgres(data.path(), &["doctor", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let findings: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = findings.as_array().unwrap();
    let database = findings.iter().find(|finding| finding["what"] == "database").unwrap();
    assert_eq!(database["ok"], json!(false), "{database}");
    let text = database["text"].as_str().unwrap();
    assert!(text.contains("Connection refused") && !text.contains("timed out"), "{text}");
}
