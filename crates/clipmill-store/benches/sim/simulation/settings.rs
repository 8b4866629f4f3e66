//! Settings of the simulation; each is an environment variable with its name in capitals.

use std::ops::RangeInclusive;
use std::str::FromStr;

#[derive(Debug, Clone)]
pub struct Settings {
    /// Numbers of workers, each with a slot that runs one job at a time, for which the load is measured.
    pub steps: Vec<usize>,
    /// Slots of one worker process, and the most connections it has to the database.
    pub slots: usize,
    pub connections: u32,
    /// Items in the queue before anything is measured.
    pub items: u64,
    /// Outputs of a task, clips of an output, and outputs that share a clip.
    pub items_per_task: usize,
    pub clips: usize,
    pub shared: usize,
    /// Shares of users in the queue, in thousandths; one user each.
    pub shares: Vec<u64>,
    /// How long a video segment takes to render, and an item to assemble, in milliseconds.
    pub render_ms: RangeInclusive<u64>,
    pub finish_ms: RangeInclusive<u64>,
    /// How long each step is measured.
    pub seconds: u64,
    /// How long an idle fleet is measured, without and with an occasional small task.
    pub idle_s: u64,
    /// Slots that work without sleeping at the end, to measure the maximum load of the database.
    pub flood_slots: usize,
    /// Milliseconds between tasks of new users with one item.
    pub arrivals_ms: u64,
}

impl Settings {
    pub fn from_environment() -> Self {
        let workers: usize = read("WORKERS", 1_000);
        let steps = list("STEPS", vec![workers.div_ceil(10), workers.div_ceil(3), workers]);
        // One user with nine tenths of everything, some with less and less.
        let mut shares = vec![900, 50];
        shares.extend([10; 4]);
        shares.extend([1; 10]);
        Self {
            steps,
            slots: read("SLOTS", 8),
            connections: read("CONNECTIONS", 3),
            items: read("ITEMS", 1_000_000),
            items_per_task: read("ITEMS_PER_TASK", 100),
            clips: read("CLIPS", 2),
            shared: read("SHARED", 4),
            shares: list("SHARES", shares),
            render_ms: range("RENDER_MS", 2_000..=5_000),
            finish_ms: range("FINISH_MS", 300..=900),
            seconds: read("SECONDS", 60),
            idle_s: read("IDLE", 20),
            flood_slots: read("FLOOD", 32),
            arrivals_ms: read("ARRIVALS_MS", 1_000),
        }
    }

    /// All connections of the largest phase, including the API's processes and monitoring.
    pub fn most_connections(&self) -> u64 {
        let max = self.steps.iter().copied().max().unwrap_or(0).max(self.flood_slots);
        max.div_ceil(self.slots.max(1)) as u64 * u64::from(self.connections) + 60
    }
}

fn read<T: FromStr>(name: &str, default: T) -> T {
    let Ok(text) = std::env::var(name) else { return default };
    text.replace('_', "").parse().unwrap_or_else(|_| panic!("{name}={text} is not a number"))
}

/// Numbers with commas between them.
fn list<T: FromStr>(name: &str, default: Vec<T>) -> Vec<T> {
    let Ok(text) = std::env::var(name) else { return default };
    let number =
        |part: &str| part.parse().unwrap_or_else(|_| panic!("{name}={text} is not a list of numbers"));
    text.split(',').filter(|part| !part.is_empty()).map(number).collect()
}

/// `2000-5000`
fn range(name: &str, default: RangeInclusive<u64>) -> RangeInclusive<u64> {
    let Ok(text) = std::env::var(name) else { return default };
    let ends = text.split_once('-').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    ends.map(|(min, max)| min..=max).unwrap_or_else(|| panic!("{name}={text} is not like 2000-5000"))
}
