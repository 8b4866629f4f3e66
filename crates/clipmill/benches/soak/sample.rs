//! Resources of the service at one moment.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use tokio::time::Instant;

use super::rows::{Counts, Rows, is_kept};
use super::service::Service;

#[derive(Debug, Clone, Default)]
pub struct Sample {
    pub at_s: f64,
    /// Tasks that have ended so far.
    pub ended: usize,
    /// How many of them ended so recently that their results are kept.
    pub lately: usize,
    pub memory_mib: f64,
    pub descriptors: usize,
    pub threads: usize,
    pub children: usize,
    /// Folders and files of running work.
    pub scratch: usize,
    pub results: usize,
    pub segments: usize,
    pub inputs: usize,
    pub disk_mib: f64,
    pub rows: Counts,
}

pub async fn take(service: &Service, rows: &Rows, ended: usize, began: Instant) -> Sample {
    let status = fs::read_to_string(format!("/proc/{}/status", service.id())).unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<f64>().ok()
    };
    let data = service.folder();
    let files = |folder: &str| walk(&data.join(folder)).files;
    // Folders in tmp are named by process; their content is running work.
    let scratch = walk(&data.join("cache/tmp")).files;
    Sample {
        at_s: began.elapsed().as_secs_f64(),
        ended,
        lately: 0,
        memory_mib: field("VmRSS:").unwrap_or(0.0) / 1024.0,
        descriptors: fs::read_dir(format!("/proc/{}/fd", service.id())).map_or(0, Iterator::count),
        threads: field("Threads:").unwrap_or(0.0) as usize,
        children: children(service.id()),
        scratch: scratch + files("uploads"),
        results: files("results"),
        segments: files("cache/segments"),
        inputs: files("inputs"),
        disk_mib: walk(data).bytes as f64 / f64::from(1 << 20),
        rows: rows.count().await,
    }
}

impl Sample {
    /// Tasks that ended so recently that their results are kept; at least one, because figures are divided by it.
    pub fn recent(&self) -> f64 {
        self.lately.max(1) as f64
    }

    /// Rows that retention should have deleted when everything has had its time.
    pub fn unkept_rows(&self) -> i64 {
        self.rows.iter().filter(|(table, _)| !is_kept(table)).map(|(_, count)| count).sum()
    }

    pub fn show(&self, number: usize) {
        if number % 20 == 1 {
            println!(
                "{:>6} {:>6} {:>8} {:>5} {:>7} {:>8} {:>7} {:>7} {:>8} {:>6} {:>8} {:>8} {:>8}",
                "s",
                "ended",
                "MiB",
                "fds",
                "threads",
                "children",
                "scratch",
                "results",
                "segments",
                "inputs",
                "disk",
                "rows",
                "ledger"
            );
        }
        let ledger =
            ["movements", "entries", "holds"].map(|table| self.rows.get(table).copied().unwrap_or(0));
        println!(
            "{:>6.0} {:>6} {:>8.1} {:>5} {:>7} {:>8} {:>7} {:>7} {:>8} {:>6} {:>8.1} {:>8} {:>8}",
            self.at_s,
            self.ended,
            self.memory_mib,
            self.descriptors,
            self.threads,
            self.children,
            self.scratch,
            self.results,
            self.segments,
            self.inputs,
            self.disk_mib,
            self.unkept_rows(),
            ledger.iter().sum::<i64>()
        );
    }
}

#[derive(Default)]
struct Walked {
    files: usize,
    bytes: u64,
}

fn walk(folder: &Path) -> Walked {
    let mut walked = Walked::default();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(metadata) = entry.metadata() else { continue };
        if metadata.is_dir() {
            let below = walk(&entry.path());
            walked.files += below.files;
            walked.bytes += below.bytes;
        } else {
            walked.files += 1;
            walked.bytes += metadata.blocks() * 512;
        }
    }
    walked
}

fn children(parent: u32) -> usize {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let stats = processes.filter_map(|process| fs::read_to_string(process.path().join("stat")).ok());
    let parents =
        stats.filter_map(|stat| stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse::<u32>().ok());
    parents.filter(|of| *of == parent).count()
}
