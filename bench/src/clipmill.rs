//! A running clipmill with its own data folder, driven through its HTTP API like by any client.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use serde_json::Value;
use tempfile::TempDir;

/// Every measurement ends long before this.
const TIMEOUT: Duration = Duration::from_secs(900);
pub struct Clipmill {
    process: Child,
    pub data: TempDir,
    pub address: String,
    pub key: String,
    http: reqwest::Client,
}

/// A task that has ended.
pub struct Done {
    pub status: Value,
    /// Seconds from before the request until the task was reported as completed.
    pub wall_s: f64,
    /// Seconds until its first item was reported as delivered.
    pub first_s: f64,
}

impl Clipmill {
    /// Starts the program on a fresh folder below `place`.
    pub fn start(program: &Path, place: &Path) -> anyhow::Result<Self> {
        let data = tempfile::tempdir_in(place)?;
        let mut add = Command::new(program);
        add.args(["user", "add", "bench", "--points", "1000000000", "--json", "--data"]).arg(data.path());
        let output = add.stdin(Stdio::null()).output().context("clipmill does not start")?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let user: Value = serde_json::from_slice(&output.stdout)?;
        let log = std::fs::File::create(data.path().join("serve.log"))?;
        let mut serve = Command::new(program);
        serve.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data.path());
        // The rate limits of a key must not affect the measurement.
        for limit in ["READ", "SUBMIT"] {
            serve.env(format!("CLIPMILL_LIMITS_{limit}_RATE"), "1000000/s");
            serve.env(format!("CLIPMILL_LIMITS_{limit}_BURST"), "1000000");
        }
        serve.env("CLIPMILL_LOG", "warn").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log);
        let mut process = serve.spawn()?;
        let stdout = process.stdout.take().context("no output")?;
        let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
        let address = lines.find_map(|line| line.strip_prefix("clipmill listens on ").map(str::to_owned));
        let Some(address) = address else {
            bail!("{}", std::fs::read_to_string(data.path().join("serve.log"))?);
        };
        wait_until_ready(program, &address)?;
        let key = user["apiKey"].as_str().context("no key")?.to_owned();
        let http = reqwest::Client::builder().no_proxy().build()?;
        Ok(Self { process, data, address, key, http })
    }

    /// Uploads a file; returns its URL.
    pub async fn upload(&self, path: &Path) -> anyhow::Result<String> {
        let name = path.file_name().and_then(|name| name.to_str()).context("a file without a name")?;
        let request =
            self.http.post(self.url(&format!("uploads?fileName={name}"))).body(std::fs::read(path)?);
        let response = self.send(request).await?;
        Ok(response["url"].as_str().context("no url")?.to_owned())
    }

    pub async fn uploads(&self, paths: &[PathBuf]) -> anyhow::Result<Vec<String>> {
        let mut urls = Vec::with_capacity(paths.len());
        for path in paths {
            urls.push(self.upload(path).await?);
        }
        Ok(urls)
    }

    /// Submits a task and follows its live events until it has ended: polling its status every few milliseconds would disturb
    /// the measurement.
    pub async fn make(&self, request: &Value) -> anyhow::Result<Done> {
        let start = Instant::now();
        let submit = self.http.post(self.url("video-process/submit")).json(request);
        let response = self.send(submit).await?;
        let task_no = response["taskNo"].as_str().context("no task number")?.to_owned();
        let ended = tokio::time::timeout(TIMEOUT, self.hear(&task_no, start)).await;
        let (first_s, wall_s) = ended.with_context(|| format!("task {task_no} does not end"))??;
        let status = self.send(self.http.get(self.url(&format!("video-process/status/{task_no}")))).await?;
        ensure!(status["status"] == 3 && status["failedItems"] == 0, "the task failed: {status:#}");
        Ok(Done { status, wall_s, first_s: first_s.unwrap_or(wall_s) })
    }

    /// Seconds from `start` until the first item of a task was reported as ended, and the task itself.
    async fn hear(&self, task_no: &str, start: Instant) -> anyhow::Result<(Option<f64>, f64)> {
        let events = self.http.get(self.url(&format!("video-process/events/{task_no}")));
        let events = events.header("X-API-Key", &self.key).send().await?;
        let (mut events, mut text, mut first_s) = (events.error_for_status()?, Vec::new(), None);
        while let Some(chunk) = events.chunk().await? {
            text.extend_from_slice(&chunk);
            while let Some(end) = text.windows(2).position(|two| two == b"\n\n") {
                let event: Vec<u8> = text.drain(..end + 2).collect();
                let event = std::str::from_utf8(&event)?;
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
                match field("event: ") {
                    Some("item") => {
                        first_s.get_or_insert_with(|| start.elapsed().as_secs_f64());
                    }
                    Some("state") => {
                        let task: Value =
                            serde_json::from_str(field("data: ").context("an event without data")?)?;
                        if task["status"].as_u64().is_some_and(|status| status >= 3) {
                            return Ok((first_s, start.elapsed().as_secs_f64()));
                        }
                    }
                    _ => {}
                }
            }
        }
        bail!("the events of task {task_no} end before it does")
    }

    /// Downloads the output of an item.
    pub async fn download(&self, item: &Value, to: &Path) -> anyhow::Result<()> {
        let url = item["url"].as_str().context("the item has no url")?;
        let response = self.http.get(url).send().await?.error_for_status()?;
        std::fs::write(to, response.bytes().await?)?;
        Ok(())
    }

    /// Seconds until a preview has arrived.
    pub async fn preview(&self, path: &str, request: &Value) -> anyhow::Result<f64> {
        let start = Instant::now();
        let call = self.http.post(self.url(path)).header("X-API-Key", &self.key).json(request);
        let preview = call.send().await?.error_for_status()?.bytes().await?;
        ensure!(!preview.is_empty(), "the preview is empty");
        Ok(start.elapsed().as_secs_f64())
    }

    /// Resident memory in MiB.
    pub fn memory_mib(&self) -> anyhow::Result<f64> {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
        let kib: f64 = line.trim().trim_end_matches(" kB").parse()?;
        Ok(kib / 1024.0)
    }

    fn url(&self, path: &str) -> String {
        format!("{}/open-api/v1/{path}", self.address)
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> anyhow::Result<Value> {
        let response: Value = request.header("X-API-Key", &self.key).send().await?.json().await?;
        ensure!(response["code"] == 0, "{response:#}");
        Ok(response["data"].clone())
    }
}

/// A service that has just started tests itself, which would slow the first task.
fn wait_until_ready(program: &Path, address: &str) -> anyhow::Result<()> {
    let listen = address.trim_start_matches("http://");
    let start = Instant::now();
    while start.elapsed() < TIMEOUT {
        let mut health = Command::new(program);
        health.args(["health", "--listen", listen]).stdout(Stdio::null()).stderr(Stdio::null());
        if health.status()?.success() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    bail!("the service does not get ready")
}

impl Drop for Clipmill {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
