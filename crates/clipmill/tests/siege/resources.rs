//! Resources of the service: its own memory, that of its children, and its open files.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;

const EVERY: Duration = Duration::from_millis(500);
/// Idle threads end after ten seconds, and unused memory is returned within the same time.
const IDLE_THREADS: Duration = Duration::from_secs(25);
/// How long the remains of a siege may last: idle connections and hanging links time out.
const REST: Duration = Duration::from_secs(180);
/// Connections to the database stay open, and so do those of the regular user.
pub const MORE_DESCRIPTORS: usize = 24;

#[derive(Debug, Clone, Copy, Default)]
pub struct Reading {
    pub at_s: f64,
    pub own_mib: f64,
    pub children_mib: f64,
    pub children: usize,
    pub descriptors: usize,
}

pub struct ResourceMonitor {
    process: u32,
    /// When the process was started, as the kernel counts.
    start_time: String,
    began: Instant,
    readings: Arc<Mutex<Vec<Reading>>>,
}

impl ResourceMonitor {
    /// Samples until it is dropped.
    pub fn watch(process: u32) -> Self {
        let readings = Arc::<Mutex<Vec<Reading>>>::default();
        let began = Instant::now();
        let looking = Arc::downgrade(&readings);
        std::thread::spawn(move || {
            while let Some(readings) = looking.upgrade() {
                let reading = read(process, began);
                readings.lock().unwrap().push(reading);
                drop(readings);
                std::thread::sleep(EVERY);
            }
        });
        Self { process, start_time: start_time(process).expect("it runs"), began, readings }
    }

    pub fn now(&self) -> Reading {
        read(self.process, self.began)
    }

    /// The number of readings so far, as a reference.
    pub fn mark(&self) -> usize {
        self.readings.lock().unwrap().len()
    }

    pub fn since(&self, mark: usize) -> Vec<Reading> {
        self.readings.lock().unwrap()[mark..].to_vec()
    }

    /// Checks that the process was never restarted.
    pub fn is_same_process(&self) -> bool {
        start_time(self.process).is_some_and(|start_time| start_time == self.start_time)
    }

    /// Waits until usage is as low as before; returns the last reading.
    pub async fn settle(&self, before: &Reading) -> Reading {
        let began = Instant::now();
        loop {
            let now = self.now();
            let calm = now.descriptors <= before.descriptors + MORE_DESCRIPTORS && now.children == 0;
            if calm && began.elapsed() > IDLE_THREADS || began.elapsed() > REST {
                return now;
            }
            tokio::time::sleep(EVERY).await;
        }
    }
}

fn read(process: u32, began: Instant) -> Reading {
    let mut reading = Reading {
        at_s: began.elapsed().as_secs_f64(),
        own_mib: resident_mib(process),
        descriptors: std::fs::read_dir(format!("/proc/{process}/fd")).map_or(0, Iterator::count),
        ..Reading::default()
    };
    for child in descendants(process) {
        reading.children += 1;
        reading.children_mib += resident_mib(child);
    }
    reading
}

fn resident_mib(process: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kib.unwrap_or(0.0) / 1024.0
}

/// The fields of a process behind its name, the state first.
fn fields(process: u32) -> Option<Vec<String>> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    Some(stat.rsplit_once(") ")?.1.split(' ').map(str::to_owned).collect())
}

fn start_time(process: u32) -> Option<String> {
    fields(process).filter(|fields| fields[0] != "Z").map(|fields| fields[19].clone())
}

fn descendants(ancestor: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let processes = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let parents: HashMap<u32, u32> =
        processes.filter_map(|process| Some((process, fields(process)?[1].parse().ok()?))).collect();
    let mut processes = vec![ancestor];
    let mut next = 0;
    while next < processes.len() {
        let of = processes[next];
        processes.extend(parents.iter().filter(|(_, parent)| **parent == of).map(|(process, _)| *process));
        next += 1;
    }
    processes.split_off(1)
}
