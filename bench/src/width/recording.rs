//! The processes of one job, in the order in which a single slot runs them.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};
use serde_json::Value;

use super::Run;
use crate::run::{Cost, children_cpu_s};

/// One stretch of work: a process, or the program itself between two processes.
#[derive(Debug, Clone)]
pub struct ProcessRun {
    pub what: String,
    pub seconds: f64,
    /// The threads of an encode, or of the decode that checks it.
    pub threads: u32,
}

/// Work that is done by one slot, piece by piece.
#[derive(Debug, Clone, Default)]
pub struct Task {
    pub runs: Vec<ProcessRun>,
}

/// All work of one job. Tasks of a stage run side by side.
#[derive(Debug, Default)]
pub struct Recording {
    /// From the start of the program to the first probe.
    pub start_s: f64,
    pub probes: Vec<Task>,
    /// From the last probe to the first segment.
    pub plan_s: f64,
    pub audio: Vec<Task>,
    pub video: Vec<Task>,
    /// Mixing begins when all audio segments are ready.
    pub mixes: Vec<Task>,
    /// Outputs are assembled when all segments and mixes are ready.
    pub outputs: Vec<Task>,
    /// From the last process to the end of the program.
    pub end_s: f64,
    /// Processor time of all processes.
    pub cpu_s: f64,
}

/// A process as the log reports it, on the clock of the run.
struct Process {
    program: String,
    threads: u32,
    begin: f64,
    end: f64,
    /// The name of the span, and the value that distinguishes it.
    span: Option<(String, String)>,
}

impl Recording {
    /// Renders with one slot, so that every process runs alone, and reads the log.
    pub fn make(run: &Run) -> anyhow::Result<Self> {
        let config = run.folder.join("one-slot.toml");
        fs::write(&config, "[worker]\nslots = 1\n")?;
        let mut command = command(run)?;
        command.arg("--config").arg(&config).arg("--log-json").env("CLIPMILL_LOG", "trace");
        let (began, cpu_s) = (seconds_of_day(), children_cpu_s()?);
        let output = command.stdin(Stdio::null()).output()?;
        let (end, cpu_s) = (since(began, seconds_of_day()), children_cpu_s()? - cpu_s);
        let log = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "clipmill render failed:\n{log}");
        let processes: Vec<Process> = log.lines().filter_map(|line| process(line, began)).collect();
        Ok(Self { cpu_s, ..Self::of(processes, end)? })
    }

    fn of(processes: Vec<Process>, end: f64) -> anyhow::Result<Self> {
        let mut recording = Self::default();
        let first = |of: &[&Process]| of.iter().map(|process| process.begin).fold(f64::MAX, f64::min);
        let last = |of: &[&Process]| of.iter().map(|process| process.end).fold(0.0, f64::max);
        let before: Vec<&Process> = processes.iter().filter(|process| process.span.is_none()).collect();
        let within: Vec<&Process> = processes.iter().filter(|process| process.span.is_some()).collect();
        ensure!(!within.is_empty(), "the log has no process; was clipmill built from this state?");
        let probes: Vec<&Process> =
            before.iter().copied().filter(|process| process.program == "ffprobe").collect();
        let begin = first(&within);
        recording.start_s = if probes.is_empty() { begin } else { first(&probes) };
        recording.plan_s = begin - if probes.is_empty() { begin } else { last(&probes).min(begin) };
        recording.probes = probes.iter().map(|process| task(std::slice::from_ref(process))).collect();
        recording.end_s = (end - last(&within)).max(0.0);
        let mut tasks: Vec<((String, String), Vec<&Process>)> = Vec::new();
        for process in within {
            let span = process.span.clone().context("a span")?;
            match tasks.iter_mut().find(|(known, _)| *known == span) {
                Some((_, all)) => all.push(process),
                None => tasks.push((span, vec![process])),
            }
        }
        for ((stage, _), processes) in tasks {
            let task = task(&processes);
            match stage.as_str() {
                "mix" => recording.mixes.push(task),
                "output" => recording.outputs.push(task),
                // An audio segment is one process, a video segment is encoded and then checked.
                _ if processes.len() == 1 => recording.audio.push(task),
                _ => recording.video.push(task),
            }
        }
        Ok(recording)
    }
}

/// The processes of a task, and the work of the program between them.
fn task(processes: &[&Process]) -> Task {
    let mut runs: Vec<ProcessRun> = Vec::new();
    let mut at = None;
    for process in processes {
        if let Some(gap) = at.map(|end| process.begin - end).filter(|gap| *gap > 0.001) {
            runs.push(ProcessRun { what: "clipmill".to_owned(), seconds: gap, threads: 1 });
        }
        let seconds = process.end - process.begin;
        runs.push(ProcessRun { what: process.program.clone(), seconds, threads: process.threads });
        at = Some(process.end);
    }
    Task { runs }
}

/// The cost with all slots, and the recipe of the first output.
pub fn clock(run: &Run) -> anyhow::Result<(Cost, Value)> {
    let mut command = command(run)?;
    let (began, cpu_s) = (Instant::now(), children_cpu_s()?);
    let output = command.stdin(Stdio::null()).output()?;
    let cost = Cost { wall_s: began.elapsed().as_secs_f64(), cpu_s: children_cpu_s()? - cpu_s };
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let result: Value = serde_json::from_slice(&output.stdout)?;
    Ok((cost, result["items"][0]["recipe"].clone()))
}

fn command(run: &Run) -> anyhow::Result<Command> {
    let place = run.folder.join(&run.name);
    if place.exists() {
        fs::remove_dir_all(&place)?;
    }
    fs::create_dir_all(&place)?;
    let request = place.join("request.json");
    fs::write(&request, run.request.to_string())?;
    let mut command = Command::new(run.program);
    command.arg("render").arg(&request).args(["--json", "--width", &run.width.to_string()]);
    command.arg("--cache").arg(place.join("cache")).arg("--out").arg(place.join("out"));
    Ok(command)
}

fn process(line: &str, began: f64) -> Option<Process> {
    let event: Value = serde_json::from_str(line).ok()?;
    if event["message"] != "a process ended" {
        return None;
    }
    let end = since(began, seconds_in(event["timestamp"].as_str()?)?);
    let span = event["spans"].as_array().into_iter().flatten().find_map(|span| {
        let value = ["key", "keys", "item"].iter().find_map(|name| span.get(*name))?;
        Some((span["name"].as_str()?.to_owned(), value.to_string()))
    });
    let begin = end - event["ms"].as_f64()? / 1000.0;
    let threads = u32::try_from(event["threads"].as_u64()?).ok()?;
    Some(Process { program: event["program"].as_str()?.to_owned(), threads, begin, end, span })
}

/// Seconds since midnight in a time such as `2026-01-02T03:04:05.678Z`.
fn seconds_in(time: &str) -> Option<f64> {
    let (_, of_day) = time.trim_end_matches('Z').split_once('T')?;
    let mut parts = of_day.split(':').map(|part| part.parse::<f64>().ok());
    let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
    Some(hours * 3600.0 + minutes * 60.0 + seconds)
}

const DAY_S: f64 = 86_400.0;

/// Seconds since midnight UTC.
fn seconds_of_day() -> f64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0.0, |since| since.as_secs_f64() % DAY_S)
}

/// The time from one moment of the day to a later one, which may be on the next day.
fn since(began: f64, moment: f64) -> f64 {
    (moment - began).rem_euclid(DAY_S)
}
