//! `make demo`: starts the service, uploads the samples, submits one task of each type, one with all features of a short
//! video, one with a voice and its script, and one with a script that a synthesized voice speaks. It shows progress,
//! downloads the finished files and adds a contact sheet. It uses only the HTTP API and the command line, like any client.

#![allow(clippy::print_stdout, reason = "the demo tells people what it does")]

mod ending;

use std::ffi::OsString;
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clipmill_media::ffmpeg::process::{Ffmpeg, Limits};
use serde_json::{Value, json};

const SAMPLES: [&str; 8] = [
    "bigbuckbunny.mp4",
    "city.mp4",
    "picture.jpg",
    "logo.png",
    "speech.wav",
    "pop.wav",
    "captions.srt",
    "captions.vtt",
];
const REQUESTS: [&str; 5] =
    ["base-video-mix", "pro-video-mix", "video-deduplication", "short-video", "voice-over"];
/// Needs a service that speaks texts.
const SPOKEN_REQUEST: &str = "spoken-text";
const API: &str = "/open-api/v1";
/// Frames of each output in the contact sheet.
const COLUMNS: usize = 6;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let program = PathBuf::from(std::env::args_os().nth(1).context("usage: demo PATH-OF-CLIPMILL")?);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let (data, out) = (root.join("demo-data"), root.join("out/demo"));
    let _ = std::fs::remove_dir_all(&data);
    let _ = std::fs::remove_dir_all(&out);
    std::fs::create_dir_all(&data)?;
    std::fs::create_dir_all(&out)?;

    let service = Service::start(&program, &data)?;
    let key = add_user(&program, &data)?;
    let client =
        Client { http: reqwest::Client::builder().no_proxy().build()?, base: service.address.clone(), key };
    println!("clipmill serves on {}", service.address);
    let urls = upload(&client, &root.join("samples")).await?;
    let mut tasks = Vec::new();
    for name in REQUESTS.into_iter().chain(speaks(&client).await?.then_some(SPOKEN_REQUEST)) {
        tasks.push((name, submit(&client, &root.join("samples/requests"), name, &urls).await?));
    }
    let mut files = Vec::new();
    for (name, status) in watch(&client, &tasks).await? {
        files.extend(download(&client, name, &status, &out).await?);
    }
    let sheet = out.join("contact-sheet.jpg");
    contact_sheet(&files, &sheet).await?;
    report(&client, &files, &sheet).await?;
    let numbers: Vec<&str> = tasks.iter().map(|(_, task_no)| task_no.as_str()).collect();
    println!("\nThe console shows the {} tasks ({}).", numbers.len(), numbers.join(", "));
    show_console(service, &program.canonicalize()?, &data, &client.key).await
}

/// The running service; it ends with the demo.
struct Service {
    process: Child,
    address: String,
}

impl Service {
    fn start(program: &Path, data: &Path) -> anyhow::Result<Self> {
        let log = std::fs::File::create(data.join("serve.log"))?;
        let mut process = command(program)
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .context("the service does not start")?;
        let stdout = process.stdout.take().context("the service has no output")?;
        let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
        let address = lines.find_map(|line| line.strip_prefix("clipmill listens on ").map(str::to_owned));
        match address {
            Some(address) => Ok(Self { process, address }),
            None => {
                let log = std::fs::read_to_string(data.join("serve.log")).unwrap_or_default();
                bail!("the service ended at once:\n{log}")
            }
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(pid) = rustix::process::Pid::from_raw(self.process.id() as i32) {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        }
        let _ = self.process.wait();
    }
}

#[allow(clippy::disallowed_methods, reason = "the demo is a client: it starts the service as a person would")]
fn command(program: &Path) -> std::process::Command {
    std::process::Command::new(program)
}

fn add_user(program: &Path, data: &Path) -> anyhow::Result<String> {
    let output = command(program)
        .args(["user", "add", "demo", "--points", "500", "--json", "--data"])
        .arg(data)
        .output()?;
    ensure!(output.status.success(), "no user could be added: {}", String::from_utf8_lossy(&output.stderr));
    let response: Value = serde_json::from_slice(&output.stdout)?;
    Ok(response["apiKey"].as_str().context("no API key")?.to_owned())
}

struct Client {
    http: reqwest::Client,
    base: String,
    key: String,
}

impl Client {
    async fn get(&self, path: &str) -> anyhow::Result<Value> {
        let request = self.http.get(format!("{}{API}{path}", self.base));
        self.send(request).await
    }

    async fn post(&self, path: &str, kind: &str, body: Vec<u8>) -> anyhow::Result<Value> {
        let request =
            self.http.post(format!("{}{API}{path}", self.base)).header("content-type", kind).body(body);
        self.send(request).await
    }

    /// The `data` of a successful answer.
    async fn send(&self, request: reqwest::RequestBuilder) -> anyhow::Result<Value> {
        let mut response: Value = request.header("X-API-Key", &self.key).send().await?.json().await?;
        ensure!(response["code"] == 0, "the service answered: {response:#}");
        Ok(response["data"].take())
    }
}

/// Uploads every sample; returns file name and url.
async fn upload(client: &Client, samples: &Path) -> anyhow::Result<Vec<(&'static str, String)>> {
    let mut urls = Vec::new();
    for name in SAMPLES {
        let body = std::fs::read(samples.join(name)).with_context(|| format!("samples/{name}"))?;
        let response =
            client.post(&format!("/uploads?fileName={name}"), "application/octet-stream", body).await?;
        urls.push((name, response["url"].as_str().context("an upload without url")?.to_owned()));
    }
    println!("uploaded {} samples", urls.len());
    Ok(urls)
}

/// Whether the service speaks texts: by `espeak-ng`, unless it is configured otherwise. If not, prints how to change that.
async fn speaks(client: &Client) -> anyhow::Result<bool> {
    let voices = client.get("/video-process/voices").await?;
    let has_voices = !voices["service"].is_null();
    if !has_voices {
        println!(
            "skipped {SPOKEN_REQUEST}: no voice speaks texts, because espeak-ng is not installed. Install it \
             (apt-get install espeak-ng) and run make demo again."
        );
    }
    Ok(has_voices)
}

/// Submits a sample request with its relative paths replaced by the uploads.
async fn submit(
    client: &Client,
    folder: &Path,
    name: &str,
    urls: &[(&str, String)],
) -> anyhow::Result<String> {
    let mut body = std::fs::read_to_string(folder.join(format!("{name}.json")))?;
    for (file, url) in urls {
        body = body.replace(&format!("\"../{file}\""), &json!(url).to_string());
    }
    let data = client.post("/video-process/submit", "application/json", body.into_bytes()).await?;
    let task_no = data["taskNo"].as_str().context("no task number")?.to_owned();
    println!(
        "submitted {name}: {task_no}, {} outputs, about {} points",
        data["totalItems"], data["estimatedDotCount"]
    );
    Ok(task_no)
}

/// Polls until every task has ended; returns their last status.
async fn watch<'a>(client: &Client, tasks: &[(&'a str, String)]) -> anyhow::Result<Vec<(&'a str, Value)>> {
    let mut shown = String::new();
    loop {
        let mut states = Vec::new();
        for (name, task_no) in tasks {
            states.push((*name, client.get(&format!("/video-process/status/{task_no}")).await?));
        }
        let text = |(name, status): &(&str, Value)| {
            format!("{name} {} {}%", status["statusName"].as_str().unwrap_or("?"), status["progressPercent"])
        };
        let line = states.iter().map(text).collect::<Vec<_>>().join("   ");
        if line != shown {
            println!("  {line}");
            std::io::stdout().flush()?;
            shown = line;
        }
        if states.iter().all(|(_, status)| status["status"].as_u64().is_some_and(|code| code >= 3)) {
            return Ok(states);
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// A finished file and how long it is, in seconds.
type Finished = (PathBuf, f64);

async fn download(client: &Client, name: &str, status: &Value, out: &Path) -> anyhow::Result<Vec<Finished>> {
    ensure!(status["status"] == 3, "{name} did not complete: {status:#}");
    let mut files = Vec::new();
    for item in status["items"].as_array().into_iter().flatten() {
        let url = item["url"].as_str().with_context(|| format!("an item of {name} has no file: {item:#}"))?;
        let bytes = client.http.get(url).send().await?.error_for_status()?.bytes().await?;
        let path = out.join(format!("{name}-{}.mp4", item["itemNo"]));
        std::fs::write(&path, &bytes)?;
        files.push((path, item["duration"].as_f64().context("no duration")?));
    }
    Ok(files)
}

/// One row per output, frames evenly spread over it.
async fn contact_sheet(files: &[Finished], sheet: &Path) -> anyhow::Result<()> {
    let mut args: Vec<OsString> = Vec::new();
    let mut graph = String::new();
    for (i, (file, seconds)) in files.iter().enumerate() {
        args.extend(["-i".into(), file.into()]);
        let rate = COLUMNS as f64 / seconds;
        graph.push_str(&format!(
            "[{i}:v]fps={rate:.4},scale=180:240:force_original_aspect_ratio=decrease,pad=180:240:-1:-1:0x202020,\
             tile={COLUMNS}x1:padding=4:color=0x202020,trim=end_frame=1[r{i}];"
        ));
    }
    let rows: String = (0..files.len()).map(|i| format!("[r{i}]")).collect();
    graph.push_str(&format!("{rows}vstack=inputs={}[sheet]", files.len()));
    args.extend(["-filter_complex".into(), graph.into(), "-map".into(), "[sheet]".into()]);
    args.extend(["-frames:v".into(), "1".into(), "-q:v".into(), "3".into(), sheet.into()]);
    Ffmpeg::default().run_ffmpeg(&args, None, Limits::wall(Duration::from_secs(120)), |_| {}).await?;
    Ok(())
}

/// On a terminal the service runs until Ctrl-C. Otherwise it ends with the demo.
async fn show_console(service: Service, program: &Path, data: &Path, key: &str) -> anyhow::Result<()> {
    let address = service.address.clone();
    let place = ending::Place { program, data, address: &address };
    if std::io::stdout().is_terminal() {
        println!("{}", place.running(key));
        tokio::signal::ctrl_c().await?;
    } else {
        drop(service);
        println!("{}", place.stopped(key));
    }
    Ok(())
}

async fn report(client: &Client, files: &[Finished], sheet: &Path) -> anyhow::Result<()> {
    let balance = client.get("/video-process/balance").await?;
    println!("\nfinished files:");
    for (file, _) in files {
        println!("  {}", file.display());
    }
    println!("contact sheet: {}", sheet.display());
    println!("points left: {} of 500, {} held", balance["balance"], balance["held"]);
    Ok(())
}
