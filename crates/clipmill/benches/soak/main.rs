//! `make soak`: the real program at full load for a long time, checking that nothing grows unexpectedly.
//!
//! Small tasks of all kinds, good and bad, go through the HTTP API; retention periods are so short that retention
//! works all the time. The resources of the service are sampled every few seconds; at the end every task must have
//! ended, the ledger must be consistent, and nothing may be left. It is a bench, so that building and testing the
//! service do not include it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a tool of its own")]

mod footage;
#[path = "../../tests/support/http.rs"]
mod http;
mod load;
mod rows;
mod sample;
mod service;
mod verdict;
mod web;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use load::Load;
use rows::Rows;
use sample::Sample;
use service::Service;
use verdict::Verdict;
use web::Web;

/// How long tasks, results and callback attempts are kept, and how often retention runs; seconds.
const AGE_S: u64 = 45;
const EVERY_S: u64 = 5;
const SAMPLE: Duration = Duration::from_secs(3);

struct Settings {
    program: PathBuf,
    time: Duration,
    tasks: usize,
    /// Tasks that have not ended, at most.
    open: usize,
}

impl Settings {
    fn read() -> Self {
        let number = |name: &str, default: u64| {
            let text = std::env::var(name).unwrap_or_default();
            if text.is_empty() {
                default
            } else {
                text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number"))
            }
        };
        // `cargo bench` adds arguments of its own, which begin with dashes.
        let given = std::env::args().skip(1).find(|word| !word.starts_with("--"));
        Self {
            program: given.map_or_else(|| env!("CARGO_BIN_EXE_clipmill").into(), PathBuf::from),
            time: Duration::from_secs(number("SECONDS", 1_800)),
            tasks: number("TASKS", 2_000) as usize,
            open: number("OPEN", 24) as usize,
        }
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let settings = Settings::read();
    let clips = footage::make();
    let web = Web::start(clips.path()).await;
    let mut service = Service::start(&settings.program, AGE_S, EVERY_S);
    println!("clipmill serves on {} from {}", service.address, service.folder().display());
    let rows = Rows::open(&service.folder().join("clipmill.db")).await;
    // The service is idle, and retention has run once.
    sleep(SAMPLE).await;
    let mut samples = vec![sample::take(&service, &rows, 0, Instant::now()).await];
    let load = Arc::new(Load::new(&service, web.clone(), clips.path()));
    let began = Instant::now();
    let working = tokio::spawn(load.clone().run(settings.time, settings.tasks, settings.open));
    while !working.is_finished() {
        sleep(SAMPLE).await;
        let mut sample = sample::take(&service, &rows, load.ended(), began).await;
        let since = sample.at_s - (AGE_S + EVERY_S) as f64;
        let before = samples.iter().rev().find(|earlier: &&Sample| earlier.at_s <= since);
        sample.lately = sample.ended - before.map_or(0, |earlier| earlier.ended);
        sample.show(samples.len());
        samples.push(sample);
    }
    let outcomes = working.await.expect("the load to end");
    let loaded = began.elapsed();
    println!("{} tasks have ended; waiting until what was kept has had its time", outcomes.len());
    let after = emptied(&service, &rows, began, load.ended()).await;
    let log = service.log();
    let left = service.stop();
    let verdict =
        Verdict { samples, after, outcomes, hooks: web.hooks(), left, log, loaded, tasks: settings.tasks };
    if verdict.tell() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Waits until retention is complete, or far longer than it needs.
async fn emptied(service: &Service, rows: &Rows, began: Instant, ended: usize) -> Sample {
    let timeout = Instant::now() + Duration::from_secs(AGE_S * 2 + EVERY_S * 6 + 60);
    // Idle threads end after a while.
    sleep(Duration::from_secs(15)).await;
    loop {
        let sample = sample::take(service, rows, ended, began).await;
        if sample.unkept_rows() == 0 && sample.results == 0 || Instant::now() > timeout {
            return sample;
        }
        sleep(SAMPLE).await;
    }
}
