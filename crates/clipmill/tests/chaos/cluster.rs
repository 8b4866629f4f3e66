//! The service as it runs on many machines: an API process and workers, on a database and a bucket.

use std::collections::BTreeSet;
use std::panic::Location;
use std::path::Path;
use std::process::Child;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client_host::ClientHost;
use crate::harness::{API, clipmill, make};
use crate::node::{Common, Node};
use crate::postgres_server::Server;
use crate::s3_server::{BUCKET, S3Server, s3_server};

/// Far longer than anything here takes.
pub const TIMEOUT: Duration = Duration::from_secs(120);
pub const POINTS: u64 = 1_000_000;
/// Two seconds each: name, picture, tone.
const CLIPS: [(&str, &str, u32); 3] =
    [("red.mp4", "color=red:", 300), ("blue.mp4", "color=blue:", 500), ("test.mp4", "testsrc2=", 700)];

pub struct Cluster {
    pub place: TempDir,
    pub database: String,
    pub client_host: ClientHost,
    pub api: Node,
    pub workers: Vec<Node>,
    pub common: Common,
    /// Addresses of clips of two seconds.
    pub clips: Vec<String>,
    key: String,
    http: reqwest::Client,
    count: AtomicU32,
    _s3: Arc<S3Server>,
}

/// A server that keeps every commit it has confirmed, whatever becomes of its processes.
pub fn postgres() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::start("-c synchronous_commit=on -c wal_sync_method=fdatasync"))
}

/// Waits until `condition` is true.
#[track_caller]
pub fn wait_for(what: &str, condition: impl FnMut() -> bool) -> impl Future<Output = ()> {
    let asked_at = std::panic::Location::caller();
    wait_until(what, asked_at, condition)
}

async fn wait_until(what: &str, asked_at: &Location<'_>, mut condition: impl FnMut() -> bool) {
    let waiting = async {
        while !condition() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    assert!(tokio::time::timeout(TIMEOUT, waiting).await.is_ok(), "timed out at {asked_at}: {what}");
}

impl Cluster {
    /// With so many workers of one slot.
    pub async fn open(workers: usize, settings: &[(&str, &str)]) -> Self {
        Self::open_with(workers, settings, false).await
    }

    /// All in one folder, or each in its own.
    pub async fn open_with(workers: usize, settings: &[(&str, &str)], one_folder: bool) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let database = format!("chaos{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        postgres().run("postgres", &format!("CREATE DATABASE {database}"));
        let (place, s3, client_host) = (tempfile::tempdir().unwrap(), s3_server(), ClientHost::open().await);
        let always = [
            ("CLIPMILL_STORAGE_URL", format!("s3://{BUCKET}/{database}")),
            ("CLIPMILL_FETCH_ALLOW_NETWORKS", "127.0.0.0/8".to_owned()),
            ("CLIPMILL_FETCH_ALLOW_PORTS", "*".to_owned()),
            ("CLIPMILL_LOG_FILTER", "info".to_owned()),
            // One key orders and asks for all.
            ("CLIPMILL_LIMITS_SUBMIT_RATE", "1000/s".to_owned()),
            ("CLIPMILL_LIMITS_READ_RATE", "1000/s".to_owned()),
        ];
        let settings = settings.iter().map(|(name, value)| (*name, (*value).to_owned()));
        let common = Common {
            socket: postgres().socket(),
            database: database.clone(),
            s3: s3.endpoint.trim_start_matches("http://").to_owned(),
            one_folder,
            variables: always.into_iter().chain(settings).map(|(n, v)| (n.to_owned(), v)).collect(),
        };
        let api = ["serve", "--no-worker", "--listen", "127.0.0.1:0"];
        let folder = place.path();
        let data = folder.join(if one_folder { "all" } else { "api" });
        let api = Node::new(&common, data, &folder.join("api.log"), &api).await;
        let http = reqwest::Client::builder()
            .no_proxy()
            .pool_max_idle_per_host(0)
            .timeout(Duration::from_secs(30))
            .build()
            .unwrap();
        let (key, clips) = (String::new(), Vec::new());
        let (workers_now, count) = (Vec::new(), AtomicU32::new(0));
        let mut cluster = Self {
            place,
            database,
            client_host,
            api,
            workers: workers_now,
            common,
            clips,
            key,
            http,
            count,
            _s3: s3,
        };
        cluster.set_up();
        cluster.api.start();
        for _ in 0..workers {
            cluster.add_worker(&[]).await.start();
        }
        cluster
    }

    /// A schema, a user, and clips.
    fn set_up(&mut self) {
        let (status, output) = self.command(&["migrate"]);
        assert_eq!(status, 0, "{output}");
        let (status, output) =
            self.command(&["user", "add", "tester", "--points", &POINTS.to_string(), "--json"]);
        assert_eq!(status, 0, "{output}");
        let user: Value = serde_json::from_str(&output).unwrap();
        self.key = user["apiKey"].as_str().unwrap().to_owned();
        let folder = self.place.path();
        for (name, picture, tone) in CLIPS {
            let args = format!(
                "-f lavfi -i {picture}s=320x180:r=30:d=2 -f lavfi -i sine={tone}:r=48000:d=2 -pix_fmt yuv420p \
                 -c:v libx264 -preset ultrafast -c:a aac -movflags faststart {name}"
            );
            make(folder, &args);
            self.clips.push(self.client_host.offer(name, std::fs::read(folder.join(name)).unwrap()));
        }
    }

    /// A further worker of one slot, not started yet.
    pub async fn add_worker(&mut self, arguments: &[&str]) -> &mut Node {
        let name = format!("worker{}", self.workers.len());
        let folder = self.place.path();
        let (data, log) = (
            folder.join(if self.common.one_folder { "all" } else { &name }),
            folder.join(format!("{name}.log")),
        );
        let slots: &[&str] = if arguments.contains(&"--slots") { &[] } else { &["--slots", "1"] };
        let arguments = [&["worker"], slots, arguments].concat();
        let worker = Node::new(&self.common, data, &log, &arguments).await;
        self.workers.push(worker);
        self.workers.last_mut().unwrap()
    }

    /// Runs the program to its end; returns its exit status and output.
    pub fn command(&self, arguments: &[&str]) -> (i32, String) {
        let data = self.place.path().join("operator");
        std::fs::create_dir_all(&data).unwrap();
        let mut command = clipmill(arguments);
        if arguments.first() != Some(&"migrate") {
            command.arg("--data").arg(data);
        }
        let output = command
            .envs(self.common.variables.iter().cloned())
            .env("CLIPMILL_DATABASE_URL", postgres().url(&self.database))
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        (output.status.code().unwrap_or(-1), text.concat())
    }

    /// Result of a query that no proxy disturbs.
    pub fn query(&self, sql: &str) -> String {
        postgres().run(&self.database, sql)
    }

    pub fn query_number(&self, sql: &str) -> u64 {
        self.query(sql).parse().unwrap_or_else(|_| panic!("{sql} is not a number"))
    }

    /// Locks a row until the returned guard is dropped: units that change it wait.
    pub fn lock(&self, row: &str) -> Lock {
        use std::io::{BufRead, BufReader, Write};
        let mut session = postgres().session(&self.database);
        let input = session.stdin.as_mut().unwrap();
        writeln!(input, "BEGIN; SELECT 'locked' FROM ({row} FOR UPDATE) locked;").unwrap();
        let mut output = String::new();
        BufReader::new(session.stdout.as_mut().unwrap()).read_line(&mut output).unwrap();
        assert_eq!(output.trim(), "locked");
        Lock(session)
    }

    fn url(&self, path: &str) -> String {
        format!("{}{API}{path}", self.api.name)
    }

    /// `None` when the service does not respond.
    async fn send(&self, request: reqwest::RequestBuilder) -> Option<(u16, Value)> {
        let response = request.header("X-API-Key", &self.key).send().await.ok()?;
        let status = response.status().as_u16();
        Some((status, response.json().await.ok()?))
    }

    /// Submits until it is accepted, always under the same number of the client's, as clients should.
    pub async fn submit(&self, request: &Value) -> String {
        let waiting = async {
            loop {
                if let Some(task_no) = self.try_submit(request).await {
                    return task_no;
                }
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        };
        let submitted = tokio::time::timeout(TIMEOUT, waiting).await;
        submitted.unwrap_or_else(|_| panic!("no task is accepted:\n{}", self.api.log()))
    }

    pub async fn try_submit(&self, request: &Value) -> Option<String> {
        let call = self.http.post(self.url("/video-process/submit")).json(request);
        let (status, response) = self.send(call).await?;
        assert!(!(400..500).contains(&status), "{response:#}");
        Some(response["data"]["taskNo"].as_str()?.to_owned())
    }

    /// `None` when the service does not respond, or fails.
    pub async fn status(&self, task_no: &str) -> Option<Value> {
        let call = self.http.get(self.url(&format!("/video-process/status/{task_no}")));
        let (status, response) = self.send(call).await?;
        (status == 200).then(|| response["data"].clone())
    }

    pub async fn balance(&self) -> Value {
        let call = self.http.get(self.url("/video-process/balance"));
        self.send(call).await.expect("a response").1["data"].clone()
    }

    /// A response that is read in chunks.
    pub async fn watch(&self, task_no: &str) -> reqwest::Response {
        let call = self.http.get(self.url(&format!("/video-process/events/{task_no}")));
        call.header("X-API-Key", &self.key).send().await.unwrap().error_for_status().unwrap()
    }

    pub async fn download(&self, url: &str) -> Option<Vec<u8>> {
        let response = self.http.get(url).send().await.ok()?.error_for_status().ok()?;
        Some(response.bytes().await.ok()?.to_vec())
    }

    /// Waits for the task's end.
    pub async fn wait_for_end(&self, task_no: &str) -> Value {
        let mut last = Value::Null;
        let waiting = async {
            loop {
                last = self.status(task_no).await.unwrap_or(last.take());
                if last["status"].as_u64() >= Some(3) {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        if tokio::time::timeout(TIMEOUT, waiting).await.is_err() {
            panic!("{task_no} does not end: {last:#}\n{}", self.logs());
        }
        last
    }

    /// The worker that has work of this kind now.
    pub fn holder(&self, kind: &str) -> Option<usize> {
        let sql = format!("SELECT worker FROM work WHERE state = 'running' AND kind = '{kind}' LIMIT 1");
        let name = self.query(&sql);
        self.workers.iter().position(|worker| worker.runs() && worker.name == name)
    }

    /// Whether this worker has work of this kind now.
    pub fn has(&self, worker: usize, kind: &str) -> bool {
        let name = &self.workers[worker].name;
        let sql = format!(
            "SELECT COUNT(*) FROM work WHERE state = 'running' AND kind = '{kind}' AND worker = '{name}'"
        );
        self.query_number(&sql) > 0
    }

    /// Lines of all workers' logs about segments they made, by worker.
    pub fn rendered(&self) -> Vec<Vec<String>> {
        let of = |worker: &Node| {
            let log = worker.log();
            let lines = log.lines().filter(|line| line.contains("made=Rendered"));
            lines.filter_map(|line| line.split("segment ready segment=").nth(1)).map(word).collect()
        };
        self.workers.iter().map(of).collect()
    }

    pub fn hold_uploads(&self, beginning: &str) {
        let beginning = format!("PUT /{BUCKET}/{}/{beginning}", self.database);
        self.workers.iter().for_each(|worker| worker.bucket.hold(&beginning));
    }

    /// Waits until a worker uploads a file that the proxy keeps back.
    pub async fn wait_until_held(&self) {
        let holding = || self.workers.iter().any(|worker| worker.bucket.is_holding());
        wait_for("a file is being uploaded", holding).await;
    }

    pub fn release(&self) {
        self.workers.iter().for_each(|worker| worker.bucket.release());
    }

    pub fn logs(&self) -> String {
        let nodes = std::iter::once(&self.api).chain(&self.workers);
        let ends = nodes.map(|node| {
            let log = node.log();
            let lines: Vec<&str> =
                log.lines().filter(|line| !line.contains(": request completed ")).collect();
            format!("--- {}\n{}", node.name, lines[lines.len().saturating_sub(20)..].join("\n"))
        });
        ends.collect::<Vec<_>>().join("\n")
    }

    /// A task of one item: these clips one after the other, at this rate. They are files of their own, so that no
    /// other task has their segments.
    pub fn task(&self, clips: &[usize], fps: u64) -> Value {
        let videos: Vec<Value> = clips.iter().map(|clip| json!({ "url": self.fresh(*clip) })).collect();
        self.request(&json!([{ "videos": videos }]), fps)
    }

    pub fn request(&self, groups: &Value, fps: u64) -> Value {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        json!({ "taskType": "baseVideoMix", "clientTaskId": format!("chaos-{number}"),
            "callbackUrl": self.client_host.hook(),
            "params": { "videoList": groups,
                "options": { "resolution": "720:1280", "fps": fps, "preset": "draft" } } })
    }

    /// The address of a file that shows the same as this clip, and is another.
    fn fresh(&self, clip: usize) -> String {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let mut bytes = std::fs::read(self.place.path().join(CLIPS[clip].0)).unwrap();
        // A box `free`, which players ignore.
        bytes.extend_from_slice(&[0, 0, 0, 16, b'f', b'r', b'e', b'e']);
        bytes.extend_from_slice(&u64::from(number).to_be_bytes());
        self.client_host.offer(&format!("fresh{number}.mp4"), bytes)
    }

    /// How long a lease on a job lasts.
    pub fn lease(&self) -> Duration {
        let given = self.common.variables.iter().find(|(name, _)| name == "CLIPMILL_WORKER_LEASE");
        let seconds = given.map_or(30, |(_, lease)| lease.trim_end_matches('s').parse().unwrap());
        Duration::from_secs(seconds)
    }

    /// Keys below a folder of the bucket.
    pub async fn stored(&self, below: &str) -> BTreeSet<String> {
        use futures_util::TryStreamExt;
        let url = format!("s3://{BUCKET}/{}", self.database);
        let variables = crate::s3_server::variables(&self._s3.endpoint, crate::s3_server::SECRET);
        let blobs = clipmill_blobs::Blobs::open(&url, None, Path::new("/"), variables.into_iter()).unwrap();
        blobs.list(below).map_ok(|stored| stored.key).try_collect().await.unwrap()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}\n{}", self.logs(), self.command(&["queue"]).1);
        }
        self.workers.iter_mut().for_each(Node::kill);
        self.api.kill();
        let _ = postgres()
            .try_run("postgres", &format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.database));
    }
}

/// A session that holds locks; they go with it.
pub struct Lock(Child);

impl Drop for Lock {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

fn word(text: &str) -> String {
    text.split_whitespace().next().unwrap_or_default().to_owned()
}
