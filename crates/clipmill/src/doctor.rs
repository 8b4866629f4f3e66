//! `clipmill doctor`: is everything here that clipmill needs? Each finding with its mend.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clipmill_blobs::BlobError;
use clipmill_media::fonts::Fonts;
use clipmill_media::process::{Ffmpeg, Limits, Program};
use clipmill_media::sandbox::{Sandbox, check_kernel};
use clipmill_media::toolchain;
use clipmill_server::config::Storage;
use clipmill_server::tls::Tls;
use clipmill_server::{Config, clock, settings};
use serde_json::json;

use crate::cli::DoctorArgs;
use crate::report::{say, say_json, wrong};
use crate::serve::open_store;

const SHORT: Limits = Limits::wall(Duration::from_secs(30));

struct Finding {
    what: &'static str,
    outcome: Result<String, String>,
}

pub async fn run(args: DoctorArgs) -> anyhow::Result<ExitCode> {
    let config = Config::load(args.place.config.as_deref(), std::env::vars());
    // With a configuration that cannot be read, the rest is examined as it is by default: confined.
    let sandbox = settings::sandbox(config.as_ref().unwrap_or(&Config::default()));
    let ffmpeg = Ffmpeg::confined(sandbox.clone());
    let stored = config.as_ref().map(|config| config.storage.clone()).unwrap_or_default();
    let tls = config.as_ref().ok().and_then(|config| config.server.tls_files());
    let mut findings = vec![Finding {
        what: "configuration",
        outcome: config.map(|_| "valid".into()).map_err(|e| e.to_string()),
    }];
    if let Some(files) = tls {
        let outcome = Tls::load(files).map(|_| "certificate and key fit".into()).map_err(|e| e.to_string());
        findings.push(Finding { what: "TLS", outcome });
    }
    let confined = confinement(&sandbox, &ffmpeg).await;
    // What it is and what it can do is told all the same: no file is opened for that.
    let ffmpeg = if confined.is_ok() { ffmpeg } else { Ffmpeg::default() };
    findings.push(Finding { what: "sandbox", outcome: confined });
    findings.push(Finding { what: "ffmpeg", outcome: versions(&ffmpeg).await });
    findings.push(Finding { what: "codecs and filters", outcome: capabilities(&ffmpeg).await });
    findings.push(Finding { what: "fonts", outcome: fonts() });
    findings.push(Finding { what: "storage", outcome: storage(&args.place.data, &stored).await });
    let database = match open_store(&args.place).await {
        Ok(store) => {
            let answer = store.ping().await.map(|()| "answers".into()).map_err(|error| error.to_string());
            store.close().await;
            answer
        }
        Err(error) => Err(format!("{error:#}")),
    };
    findings.push(Finding { what: "database", outcome: database });
    print(&findings, args.json);
    match findings.iter().find(|finding| finding.outcome.is_err()) {
        Some(Finding { what: "configuration", outcome: Err(message) }) => Err(wrong(message.clone())),
        Some(_) => Ok(ExitCode::FAILURE),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// Whether a confined program starts; it does not where any part of the confinement fails.
async fn confinement(sandbox: &Sandbox, ffmpeg: &Ffmpeg) -> Result<String, String> {
    if *sandbox == Sandbox::Off {
        return Ok("off, as it is written in the configuration; something else must isolate ffmpeg".into());
    }
    check_kernel().map_err(|error| error.to_string())?;
    let started = ffmpeg.output(Program::Ffprobe, &["-version".into()], SHORT).await;
    started.map_err(|error| format!("{error}; see Sandbox in docs/operations.md"))?;
    Ok("every ffmpeg is confined (Landlock, seccomp, limits)".into())
}

async fn versions(ffmpeg: &Ffmpeg) -> Result<String, String> {
    let found = toolchain::detect(ffmpeg).await;
    let mend = "install it (on Debian: apt install ffmpeg)";
    found
        .map(|t| format!("{}; x264 {}; libass {}", t.ffmpeg, t.x264, t.libass))
        .map_err(|error| format!("{error}; {mend}"))
}

async fn capabilities(ffmpeg: &Ffmpeg) -> Result<String, String> {
    let missing = toolchain::capabilities(ffmpeg).await.map_err(|error| error.to_string())?;
    if missing.is_empty() {
        return Ok("all there".into());
    }
    let lines: Vec<String> =
        missing.into_iter().map(|m| format!("{} {} is missing: {}", m.kind, m.name, m.mend)).collect();
    Err(lines.join("; "))
}

fn fonts() -> Result<String, String> {
    let fonts = Fonts::load(None).map_err(|error| error.to_string())?;
    match fonts.warning() {
        Some(warning) => Err(warning.to_owned()),
        None => Ok(clipmill_core::subtitle::FontMetrics::family(&fonts).to_owned()),
    }
}

/// Whether the data folder can be written to, and the bucket where there is one, by writing to it.
async fn storage(data: &Path, config: &Storage) -> Result<String, String> {
    let folder = data_folder(data)?;
    let told = |error: BlobError| format!("{}: {error}; {}", config.url, error.mend());
    let blobs = settings::blobs(config, data, std::env::vars()).map_err(told)?;
    if blobs.bucket().is_none() {
        return Ok(folder);
    }
    let scratch = data.join(format!(".doctor-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    let name = format!("doctor-{}-{}", std::process::id(), clock::now_ms());
    let checked = blobs.check(&name, &scratch).await;
    let _ = std::fs::remove_dir_all(&scratch);
    checked.map_err(told)?;
    Ok(format!("{blobs} takes, gives and removes files; {folder}"))
}

fn data_folder(data: &Path) -> Result<String, String> {
    let probe = data.join(".doctor");
    let written = std::fs::create_dir_all(data).and_then(|()| std::fs::write(&probe, b"ok"));
    let _ = std::fs::remove_file(&probe);
    let mend = "give the service a folder it may write to (--data)";
    written
        .map(|()| format!("{} can be written to", data.display()))
        .map_err(|e| format!("{}: {e}; {mend}", data.display()))
}

fn print(findings: &[Finding], as_json: bool) {
    if as_json {
        let list = findings.iter().map(|finding| {
            let (ok, text) = match &finding.outcome {
                Ok(text) => (true, text),
                Err(text) => (false, text),
            };
            json!({ "what": finding.what, "ok": ok, "text": text })
        });
        return say_json(&list.collect());
    }
    for Finding { what, outcome } in findings {
        match outcome {
            Ok(text) => say(format_args!("ok    {what}: {text}")),
            Err(text) => say(format_args!("WRONG {what}: {text}")),
        }
    }
}
