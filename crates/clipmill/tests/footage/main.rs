//! A differential test: small files of many kinds are rendered through the service and compared with what plain
//! ffmpeg decodes from them. A file that `ffmpeg -i FILE out.mp4` plays is accepted and produces the same frames and
//! audio at the same times; [`table::INTENDED`] lists the exceptions.
//!
//! `make test` runs a fixed tenth of the cases, `make footage` all of them. `CLIPMILL_FOOTAGE_CASES="mkv*;*cover art*"`
//! selects cases by patterns, and `CLIPMILL_FOOTAGE_KEEP` names a folder that keeps the files of cases that differ.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "these are tests")]

mod case;
mod cases;
mod comparison;
mod generator;
#[allow(dead_code, reason = "shared with the tests of one process")]
#[path = "../service/harness.rs"]
mod harness;
mod material;
mod observation;
mod rendering;
#[path = "../support/skipped.rs"]
mod skipped;
mod table;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::stream::{self, StreamExt};

use crate::case::{Case, Kind, Region, Warning};
use crate::harness::Service;
use crate::observation::observe;
use crate::skipped::skipped;

/// Cases that are rendered by one task.
const GROUP_SIZE: usize = 8;
/// Groups of cases in progress: while one is rendered, others are generated and compared.
const GROUPS: usize = 3;

/// No rate limits: the test is a single busy client.
const SETTINGS: &[(&str, &str)] = &[
    ("CLIPMILL_WORKER_PRESET", "standard"),
    ("CLIPMILL_LIMITS_READ_RATE", "10000/s"),
    ("CLIPMILL_LIMITS_READ_BURST", "10000"),
    ("CLIPMILL_LIMITS_SUBMIT_RATE", "10000/s"),
    ("CLIPMILL_LIMITS_SUBMIT_BURST", "10000"),
];

enum Outcome {
    Compared(Vec<String>),
    Skipped(String),
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_render_as_ffmpeg_plays_them() {
    let full = std::env::var_os("CLIPMILL_FOOTAGE").is_some();
    let patterns = std::env::var("CLIPMILL_FOOTAGE_CASES").ok();
    let is_selected = |case: &Case| match &patterns {
        Some(patterns) => {
            patterns.split(';').any(|pattern| table::matches(pattern.as_bytes(), case.name.as_bytes()))
        }
        None => full || case.in_tenth(),
    };
    let cases: Vec<Case> = cases::all().into_iter().filter(is_selected).collect();
    let files = cases.len();
    let service = Arc::new(Service::start_with(100_000_000, SETTINGS).await);
    let folder = tempfile::tempdir().unwrap();
    let groups = stream::iter(groups(cases).into_iter().enumerate());
    let mut outcomes = groups
        .map(|(number, cases)| run(service.clone(), folder.path().to_owned(), number * GROUP_SIZE, cases))
        .buffer_unordered(GROUPS);
    let mut summary = Summary { used: vec![false; table::INTENDED.len()], ..Summary::default() };
    while let Some(group) = outcomes.next().await {
        group.into_iter().for_each(|(case, outcome)| summary.add(&case.name, outcome));
    }
    println!("{files} files: {}", summary.line());
    summary.check(files, full && patterns.is_none());
}

/// Cases that one kind of request renders, a few at a time.
fn groups(cases: Vec<Case>) -> Vec<Vec<Case>> {
    let mut groups: Vec<Vec<Case>> = Vec::new();
    for case in cases {
        let fits = |group: &&mut Vec<Case>| {
            group.len() < GROUP_SIZE && group[0].kind == case.kind && group[0].render == case.render
        };
        match groups.iter_mut().find(fits) {
            Some(group) => group.push(case),
            None => groups.push(vec![case]),
        }
    }
    groups
}

/// Cases are numbered from `first`.
async fn run(service: Arc<Service>, folder: PathBuf, first: usize, cases: Vec<Case>) -> Vec<(Case, Outcome)> {
    let generate = move || {
        let generate = |(number, case): (usize, Case)| {
            let file = generator::generate(&case, first + number, &folder);
            (case, file)
        };
        cases.into_iter().enumerate().map(generate).collect::<Vec<_>>()
    };
    let cases = tokio::task::spawn_blocking(generate).await.unwrap();
    let generated: Vec<(&Case, &Path)> =
        cases.iter().filter_map(|(case, file)| Some((case, file.as_deref().ok()?))).collect();
    let mut outputs = match generated.is_empty() {
        true => Vec::new(),
        false => rendering::render(&service, &generated).await,
    }
    .into_iter();
    let compare = move || {
        let compare = |(case, file): (Case, Result<PathBuf, String>)| {
            let outcome = match file {
                Ok(file) => {
                    let differences = compare(&case, &file, outputs.next().unwrap());
                    keep(&case, &file, &differences);
                    Outcome::Compared(differences)
                }
                Err(why) => Outcome::Skipped(why),
            };
            (case, outcome)
        };
        cases.into_iter().map(compare).collect()
    };
    tokio::task::spawn_blocking(compare).await.unwrap()
}

fn compare(case: &Case, file: &Path, output: Result<rendering::Output, String>) -> Vec<String> {
    let source = observe(file, case.kind == Kind::Video, Region::At([0.0, 0.0, 1.0, 1.0]), case.matrix);
    match (source, output) {
        (Ok(_), Err(refusal)) => vec![refusal],
        (Err(_), Err(_)) => Vec::new(),
        (Err(why), Ok(_)) => vec![format!("rendered, although ffmpeg does not play it: {why}")],
        (Ok(source), Ok(output)) => {
            let rendered = observe(&output.path, true, case.region, None).unwrap();
            let mut differences = comparison::differences(&source, &rendered, case);
            match (case.warning, output.warnings.as_slice()) {
                (Warning::Required, []) => differences.push("rendered without a warning".to_owned()),
                (Warning::Never, [first, ..]) => differences.push(format!("warning: {first}")),
                _ => {}
            }
            differences
        }
    }
}

/// Keeps the source and the output of a case that differs, or removes them.
fn keep(case: &Case, file: &Path, differences: &[String]) {
    let folder = file.parent().unwrap();
    if let Some(kept) = std::env::var_os("CLIPMILL_FOOTAGE_KEEP").filter(|_| !differences.is_empty()) {
        let kept = PathBuf::from(kept);
        std::fs::create_dir_all(&kept).unwrap();
        std::fs::copy(file, kept.join(case.file_name())).unwrap();
        let output = folder.join("output/output.mp4");
        if output.exists() {
            std::fs::copy(output, kept.join(format!("{} rendered.mp4", case.file_name()))).unwrap();
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[derive(Default)]
struct Summary {
    equal: usize,
    intended: usize,
    skipped: usize,
    failed: usize,
    used: Vec<bool>,
}

impl Summary {
    fn add(&mut self, case: &str, outcome: Outcome) {
        let differences = match outcome {
            Outcome::Compared(differences) => differences,
            Outcome::Skipped(why) => {
                skipped(case, &why);
                self.skipped += 1;
                return;
            }
        };
        if differences.is_empty() {
            self.equal += 1;
            return;
        }
        let mut is_intended = |difference: &String| {
            let row = table::INTENDED.iter().position(|row| row.allows(case, difference));
            row.inspect(|row| self.used[*row] = true).is_some()
        };
        let unexpected: Vec<_> =
            differences.into_iter().filter(|difference| !is_intended(difference)).collect();
        if unexpected.is_empty() {
            self.intended += 1;
        } else {
            println!("{case}: {}", unexpected.join("; "));
            self.failed += 1;
        }
    }

    fn line(&self) -> String {
        format!(
            "{} equal, {} intended differences, {} failed, {} skipped",
            self.equal, self.intended, self.failed, self.skipped
        )
    }

    fn check(&self, files: usize, full: bool) {
        assert!(self.skipped * 4 <= files, "more than a quarter of the files cannot be generated here");
        let unused = table::INTENDED.iter().zip(&self.used).filter(|(_, used)| full && !**used);
        let unused: Vec<_> = unused.map(|(row, _)| format!("{}: {}", row.cases, row.difference)).collect();
        assert!(unused.is_empty(), "rows of the table that match no difference: {unused:#?}");
        assert!(self.failed == 0, "{} files differ, see above", self.failed);
    }
}
