//! `clipmill gc`: deletes expired data, or lists what would be deleted; also works while `serve` runs.

use std::process::ExitCode;

use anyhow::Context;
use clipmill_server::DataDir;
use clipmill_server::clock;
use clipmill_server::config::units::ByteSize;
use clipmill_server::installation;
use clipmill_server::retention::{Mode, Report};
use clipmill_server::settings;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::cli::GcArgs;
use crate::database;
use crate::report::{print_json, print_line, wrong};
use crate::serve::{check_installation, judge, load, retention};

pub async fn run(args: GcArgs) -> anyhow::Result<ExitCode> {
    let config = load(&args.location)?;
    let data = DataDir::open(&args.location.data)
        .with_context(|| format!("cannot use {}", args.location.data.display()))?;
    let blobs = settings::blobs(&config.storage, data.root(), std::env::vars());
    let data = data.with_blobs(blobs.map_err(|error| wrong(format!("{error}; {}", error.remedy())))?);
    let store = database::open(&args.location, &config).await?;
    let retention = retention(&config, &store, &data);
    let mode = if args.dry_run { Mode::DryRun } else { Mode::Delete };
    match mode {
        Mode::Delete => check_installation(&*store, &data).await?,
        Mode::DryRun => judge(installation::verify(&*store, &data).await)?,
    }
    let now = store.now(clock::now_ms()).await?;
    let report = retention.pass(now, mode, &CancellationToken::new()).await;
    store.close().await;
    print(&report?, &args);
    Ok(ExitCode::SUCCESS)
}

fn print(report: &Report, args: &GcArgs) {
    if args.json {
        let amounts = report.amounts().map(|(what, amount)| (what.to_owned(), json!(amount)));
        let mut object: serde_json::Map<String, Value> = amounts.into_iter().collect();
        object.insert("dryRun".into(), json!(args.dry_run));
        object.insert("shared".into(), json!(report.shared));
        return print_json(&Value::Object(object));
    }
    for (what, amount) in report.amounts() {
        let bytes = if amount.bytes > 0 { readable(amount.bytes) } else { String::new() };
        print_line(
            format_args!("{:>9}  {:<44} {bytes}", amount.count, described(what)).to_string().trim_end(),
        );
    }
    if !report.shared {
        print_line("Another process is running retention: only files of this folder were checked.");
    }
    if args.dry_run {
        print_line("Nothing was deleted.");
    }
}

fn described(what: &str) -> &str {
    match what {
        "results" => "expired outputs",
        "uploads" => "unused uploads",
        "tasks" => "old tasks",
        "segments" => "unused segments",
        "attempts" => "old callback attempts",
        "inputs" => "uploaded and fetched files",
        "orphans" => "files without a database record",
        other => other,
    }
}

/// The size in the largest unit that leaves a few digits.
pub fn readable(bytes: u64) -> String {
    let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match units.into_iter().find(|(_, size)| bytes >= *size) {
        Some((name, size)) => format!("{:.1} {name}", bytes as f64 / size as f64),
        None => ByteSize(bytes).to_string(),
    }
}
