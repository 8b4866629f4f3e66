//! `clipmill doctor`: checks whether everything that clipmill needs is available and works. Each finding explains
//! what to do. Nothing is changed.

mod database;
mod machine;
mod tools;

use std::process::ExitCode;

use clipmill_media::ffmpeg::process::Ffmpeg;
use clipmill_server::Config;
use clipmill_server::http::tls::Tls;
use clipmill_server::settings;
use serde_json::json;

use crate::cli::DoctorArgs;
use crate::report::{print_json, print_line, wrong};

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Well,
    /// The service works, but the operator should know.
    Note,
    /// The service does not start, or does not work.
    Wrong,
}

#[derive(Debug)]
struct Finding {
    what: &'static str,
    level: Level,
    text: String,
}

impl Finding {
    fn well(what: &'static str, text: impl Into<String>) -> Self {
        Self { what, level: Level::Well, text: text.into() }
    }

    fn note(what: &'static str, text: impl Into<String>) -> Self {
        Self { what, level: Level::Note, text: text.into() }
    }

    fn wrong(what: &'static str, text: impl Into<String>) -> Self {
        Self { what, level: Level::Wrong, text: text.into() }
    }

    fn of(what: &'static str, outcome: Result<String, String>) -> Self {
        match outcome {
            Ok(text) => Self::well(what, text),
            Err(text) => Self::wrong(what, text),
        }
    }
}

pub async fn run(args: DoctorArgs) -> anyhow::Result<ExitCode> {
    let loaded = Config::load(args.location.config.as_deref(), std::env::vars());
    let load_error = loaded.as_ref().err().map(ToString::to_string);
    // If the configuration cannot be read, the rest is checked with the defaults, which confine ffmpeg.
    let config = loaded.unwrap_or_default();
    let sandbox = settings::sandbox(&config);
    let ffmpeg = Ffmpeg::confined(sandbox.clone());
    let mut findings = vec![match &load_error {
        None => Finding::well("configuration", "valid"),
        Some(message) => Finding::wrong("configuration", message.clone()),
    }];
    if let Some(files) = config.server.tls_files() {
        let outcome = Tls::load(files).map(|_| "certificate and key match".into()).map_err(|e| e.to_string());
        findings.push(Finding::of("TLS", outcome));
    }
    findings.extend(machine::exposure(&config));
    let confined = tools::confinement(&sandbox, &ffmpeg).await;
    let runs = confined.is_ok();
    findings.push(Finding::of("sandbox", confined));
    if runs {
        findings.push(Finding::of("ffmpeg", tools::versions(&ffmpeg).await));
        findings.push(Finding::of("codecs and filters", tools::capabilities(&ffmpeg).await));
        findings.extend(tools::remarks(&ffmpeg).await);
        findings.extend(tools::encoder(&ffmpeg, &config).await);
        findings.push(tools::self_test(&ffmpeg).await);
    } else {
        findings.push(Finding::note("ffmpeg", "not checked: clipmill never runs it unconfined"));
    }
    findings.push(tools::fonts());
    findings.extend(machine::limits(&config));
    findings.extend(machine::storage(&args.location.data, &config));
    findings.extend(
        tools::bucket(&args.location.data, &config.storage).await.map(|of| Finding::of("bucket", of)),
    );
    findings.extend(database::examine(&args.location, &config).await);
    print(&findings, args.json);
    match load_error {
        Some(message) => Err(wrong(message)),
        None if findings.iter().any(|finding| finding.level == Level::Wrong) => Ok(ExitCode::FAILURE),
        None => Ok(ExitCode::SUCCESS),
    }
}

fn print(findings: &[Finding], as_json: bool) {
    if as_json {
        let list = findings.iter().map(|Finding { what, level, text }| {
            let note = *level == Level::Note;
            json!({ "what": what, "ok": *level != Level::Wrong, "note": note, "text": text })
        });
        return print_json(&list.collect());
    }
    for Finding { what, level, text } in findings {
        let word = match level {
            Level::Well => "ok   ",
            Level::Note => "note ",
            Level::Wrong => "WRONG",
        };
        print_line(format_args!("{word} {what}: {text}"));
    }
}
