//! A service in its own folder, a user, and helpers to call it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

pub const API: &str = "/open-api/v1";
/// Longer than anything here takes: a test that waits this long has failed.
const TIMEOUT: Duration = Duration::from_secs(240);

pub struct Service {
    pub data: TempDir,
    process: Option<Child>,
    address: String,
    key: String,
    http: reqwest::Client,
    environment: Vec<(String, String)>,
}

pub fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

/// The fastest preset.
pub const FAST: (&str, &str) = ("CLIPMILL_WORKER_PRESET", "draft");

pub fn clipmill(args: &[&str]) -> Command {
    #[allow(clippy::disallowed_methods, reason = "a test starts the program as a person would")]
    let mut command = Command::new(env!("CARGO_BIN_EXE_clipmill"));
    // These tests are about everything but quality.
    command.args(args).envs([FAST]);
    command
}

/// Runs the program to its end; returns exit status, standard output, standard error.
pub fn run(args: &[&str]) -> (i32, String, String) {
    let output = clipmill(args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

impl Service {
    pub async fn start(points: u64) -> Self {
        Self::start_with(points, &[]).await
    }

    pub async fn start_with(points: u64, environment: &[(&str, &str)]) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), points, environment).await
    }

    pub async fn start_in(data: TempDir, points: u64, environment: &[(&str, &str)]) -> Self {
        let folder = data.path().to_str().unwrap().to_owned();
        let (status, stdout, stderr) =
            run(&["user", "add", "tester", "--points", &points.to_string(), "--json", "--data", &folder]);
        assert_eq!(status, 0, "{stderr}");
        let user: Value = serde_json::from_str(&stdout).unwrap();
        let mut service = Self {
            data,
            process: None,
            address: String::new(),
            key: user["apiKey"].as_str().unwrap().to_owned(),
            // The service closes idle connections, on a slow machine while a request is on its way.
            http: reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build().unwrap(),
            environment: environment.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
        };
        service.boot();
        service
    }

    /// Starts the program on the same folder.
    pub fn boot(&mut self) {
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(self.data.path().join("serve.log"))
            .unwrap();
        let mut process =
            clipmill(&["serve", "--listen", "127.0.0.1:0", "--data", self.data.path().to_str().unwrap()])
                .envs(self.environment.iter().cloned())
                .stdout(Stdio::piped())
                .stderr(log)
                .spawn()
                .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
        let address = lines.find_map(|line| line.strip_prefix("clipmill listens on ").map(str::to_owned));
        self.address = address.unwrap_or_else(|| panic!("the service does not start:\n{}", self.log()));
        self.process = Some(process);
    }

    /// `kill -9`: without any shutdown.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
    }

    /// SIGTERM; returns the exit status.
    pub fn terminate(&mut self) -> i32 {
        self.signal();
        self.process.take().unwrap().wait().unwrap().code().unwrap_or(-1)
    }

    /// SIGTERM, without waiting for the end.
    pub fn signal(&self) {
        let pid = rustix::process::Pid::from_raw(self.process_id() as i32).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.data.path().join("serve.log")).unwrap_or_default()
    }

    /// Address and port.
    pub fn host(&self) -> &str {
        self.address.trim_start_matches("http://")
    }

    pub fn process_id(&self) -> u32 {
        self.process.as_ref().unwrap().id()
    }

    pub async fn send(&self, request: reqwest::RequestBuilder) -> (u16, Value) {
        let response = request.header("X-API-Key", &self.key).send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }

    /// The data at `path`; waits if the key has sent too many requests, because a slow machine polls for longer.
    pub async fn get(&self, path: &str) -> Value {
        loop {
            let (status, response) = self.send(self.http.get(format!("{}{API}{path}", self.address))).await;
            if status == 429 {
                tokio::time::sleep(std::time::Duration::from_secs(1)).await;
                continue;
            }
            assert_eq!((status, &response["code"]), (200, &json!(0)), "{response:#}");
            return response["data"].clone();
        }
    }

    /// Sends JSON; returns status and body.
    pub async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.send(self.http.post(format!("{}{API}{path}", self.address)).json(body)).await
    }

    /// A response that is read in chunks.
    pub async fn open(&self, path: &str) -> reqwest::Response {
        let request = self.http.get(format!("{}{API}{path}", self.address)).header("X-API-Key", &self.key);
        request.send().await.unwrap().error_for_status().unwrap()
    }

    /// Sends JSON; returns the response with any status.
    pub async fn post_raw(&self, path: &str, body: &Value) -> reqwest::Response {
        self.post_raw_as(&self.key, path, body).await
    }

    /// The same with another key.
    pub async fn post_raw_as(&self, key: &str, path: &str, body: &Value) -> reqwest::Response {
        let request = self.http.post(format!("{}{API}{path}", self.address)).header("X-API-Key", key);
        request.json(body).send().await.unwrap()
    }

    pub async fn cancel(&self, task_no: &str) -> (u16, Value) {
        self.send(self.http.post(format!("{}{API}/video-process/cancel/{task_no}", self.address))).await
    }

    /// Uses this key from now on; returns the previous one.
    pub fn use_key(&mut self, key: &str) -> String {
        std::mem::replace(&mut self.key, key.to_owned())
    }

    /// Uploads a file; returns the response.
    pub async fn try_upload(&self, path: &Path) -> (u16, Value) {
        let name = path.file_name().unwrap().as_encoded_bytes();
        let name: String = url::form_urlencoded::byte_serialize(name).collect();
        let url = format!("{}{API}/uploads?fileName={name}", self.address);
        self.send(self.http.post(url).body(std::fs::read(path).unwrap())).await
    }

    /// Uploads these pieces without a length.
    pub async fn stream(&self, pieces: Vec<Vec<u8>>) -> (u16, Value) {
        let pieces = futures_util::stream::iter(pieces.into_iter().map(Ok::<_, std::io::Error>));
        let url = format!("{}{API}/uploads", self.address);
        self.send(self.http.post(url).body(reqwest::Body::wrap_stream(pieces))).await
    }

    pub async fn upload(&self, path: &Path) -> String {
        let (_, response) = self.try_upload(path).await;
        response["data"]["url"].as_str().unwrap_or_else(|| panic!("{response:#}")).to_owned()
    }

    pub async fn submit(&self, request: &Value) -> (u16, Value) {
        self.send(self.http.post(format!("{}{API}/video-process/submit", self.address)).json(request)).await
    }

    /// Submits and returns the task number.
    pub async fn accepted(&self, request: &Value) -> String {
        let (_, response) = self.submit(request).await;
        response["data"]["taskNo"].as_str().unwrap_or_else(|| panic!("{response:#}")).to_owned()
    }

    /// The same with further headers.
    pub async fn accepted_with(&self, request: &Value, headers: &[(&str, &str)]) -> String {
        let url = format!("{}{API}/video-process/submit", self.address);
        let call = headers
            .iter()
            .fold(self.http.post(url).json(request), |call, (name, value)| call.header(*name, *value));
        let (_, response) = self.send(call).await;
        response["data"]["taskNo"].as_str().unwrap_or_else(|| panic!("{response:#}")).to_owned()
    }

    /// Starts on another folder.
    pub fn move_to(&mut self, data: TempDir) {
        self.kill();
        self.data = data;
        self.boot();
    }

    pub async fn status(&self, task_no: &str) -> Value {
        self.get(&format!("/video-process/status/{task_no}")).await
    }

    /// Waits until the task's status satisfies `wanted`; progress must never decrease meanwhile.
    pub async fn wait_until(&self, task_no: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let (mut progress, mut last) = (0, Value::Null);
        let waiting = async {
            loop {
                last = self.status(task_no).await;
                let now = last["progressPercent"].as_u64().unwrap();
                assert!(now >= progress, "progress fell from {progress} to {now}");
                progress = now;
                if wanted(&last) {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        if tokio::time::timeout(TIMEOUT, waiting).await.is_err() {
            panic!("the task does not get there: {last:#}\n{}", self.log());
        }
        last
    }

    pub async fn ended(&self, task_no: &str) -> Value {
        self.wait_until(task_no, |status| status["status"].as_u64().unwrap() >= 3).await
    }

    /// Downloads a link's file.
    pub async fn download(&self, url: &Value, to: &Path) {
        let response = self.http.get(url.as_str().unwrap()).send().await.unwrap();
        assert_eq!(response.status().as_u16(), 200);
        std::fs::write(to, response.bytes().await.unwrap()).unwrap();
    }

    /// The ledger matches all balances, whether or not the service runs.
    pub fn assert_audit(&self) {
        let (status, stdout, stderr) =
            run(&["points", "audit", "--data", self.data.path().to_str().unwrap()]);
        assert_eq!(status, 0, "{stdout}{stderr}");
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.kill();
    }
}

/// ffmpeg processes that work on a task, and whose command line mentions this folder.
pub fn ffmpegs(folder: &Path) -> usize {
    let name = folder.to_str().unwrap();
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    let lines = lines.filter(|line| line.starts_with(b"ffmpeg"));
    let lines = lines.map(|line| String::from_utf8_lossy(&line).into_owned());
    lines.filter(|line| line.contains(name) && !line.contains("/self-test-")).count()
}

/// Returns the number of files with this extension below a folder.
pub fn count(folder: &Path, extension: &str) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let count = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            count(&path, extension)
        } else {
            usize::from(path.extension().is_some_and(|e| e == extension))
        }
    };
    entries.map(count).sum()
}

/// A clip of more than half a minute, in one piece: rendering it takes long.
pub fn long_clip(folder: &Path) -> PathBuf {
    let path = folder.join("long.mp4");
    #[allow(clippy::disallowed_methods, reason = "a test makes its own clip")]
    let made = Command::new("ffmpeg")
        .args(["-v", "error", "-nostdin", "-stream_loop", "4", "-i"])
        .arg(samples().join("city.mp4"))
        .args(["-c", "copy"])
        .arg(&path)
        .status()
        .expect("ffmpeg must be installed: run scripts/install-deps.sh");
    assert!(made.success());
    path
}

/// Creates a file in `folder`; `args` are ffmpeg's, split at white space.
pub fn make(folder: &Path, args: &str) {
    #[allow(clippy::disallowed_methods, reason = "a test makes its own clips")]
    let output = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "error", "-y"])
        .args(args.split_whitespace())
        .current_dir(folder)
        .output()
        .expect("ffmpeg must be installed: run scripts/install-deps.sh");
    assert!(output.status.success(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The output of ffprobe for a file, one value per line.
pub fn probe(path: &Path, entries: &str) -> Vec<String> {
    #[allow(clippy::disallowed_methods, reason = "a ruler independent of the program under test")]
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-count_packets", "-show_entries", entries, "-of", "default=nw=1"])
        .arg(path)
        .output()
        .expect("ffprobe must be installed: run scripts/install-deps.sh");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}
