//! Many kills at random moments under load, with default leases.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::checks::Expected;
use crate::cluster::Cluster;
use crate::dice::Dice;

/// A job and its fence.
type Had = String;

/// Work of killed workers, and since when.
#[derive(Default)]
struct Widows {
    waiting: BTreeMap<Had, Instant>,
    longest: Duration,
}

impl Widows {
    /// The jobs of this worker, just before it is killed.
    fn add(&mut self, cluster: &Cluster, worker: usize) {
        let name = &cluster.workers[worker].name;
        let had = cluster.ask(&format!("SELECT id || ' ' || fence FROM work WHERE worker = '{name}'"));
        self.waiting.extend(had.lines().map(|had| (had.to_owned(), Instant::now())));
    }

    /// Removes jobs that another worker has, or has completed.
    fn look(&mut self, cluster: &Cluster) {
        let all = cluster.ask("SELECT id || ' ' || fence FROM work WHERE state IN ('running', 'ready')");
        self.waiting.retain(|had, since| {
            self.longest = self.longest.max(since.elapsed());
            all.lines().any(|line| line == had)
        });
    }
}

pub async fn two_hundred_kills(cluster: &mut Cluster, dice: &mut Dice) {
    let done = storm(cluster, dice, 500, 200, Duration::from_secs(6 * 60)).await;
    println!("    {done}");
}

/// At least this many tasks, and this many kills over all workers meanwhile, within a time limit; returns a summary.
async fn storm(cluster: &mut Cluster, dice: &mut Dice, tasks: usize, kills: usize, most: Duration) -> String {
    let (began, mut ordered, mut widows, mut killed) = (Instant::now(), Vec::new(), Widows::default(), 0);
    let (mut left, mut moved) = (u64::MAX, began);
    while ordered.len() < tasks || left > 0 {
        let storming = killed < kills && began.elapsed() < most;
        // A fast machine gets more tasks, so that each kill hits running work.
        let more = if storming && left < 20 { 20 } else { 0 };
        for _ in 0..tasks.saturating_sub(ordered.len()).min(20).max(more) {
            ordered.push(order(cluster, dice).await);
        }
        tokio::time::sleep(Duration::from_millis(dice.between(50, 500))).await;
        if storming {
            killed += kill_some(cluster, dice, &mut widows);
        }
        widows.look(cluster);
        // Even on a slow machine, tasks end from time to time.
        let unfinished = unfinished(cluster);
        if unfinished != left {
            (left, moved) = (unfinished, Instant::now());
        }
        assert!(moved.elapsed() < 4 * cluster.lease(), "{left} tasks do not end\n{}", cluster.logs());
    }
    assert!(widows.longest < Duration::from_secs(45), "work of the dead waited for {:?}", widows.longest);
    let busy = began.elapsed().as_secs();
    cluster.check_many(&ordered).await;
    assert!(killed >= kills, "{killed} kills in {most:?}, of {} tasks", ordered.len());
    format!(
        "{killed} kills, {} tasks in {busy} s, resumed after {:.0} s at most",
        ordered.len(),
        widows.longest.as_secs_f64()
    )
}

/// Submits a task. Some of its segments were made for another task already, some are its own.
async fn order(cluster: &Cluster, dice: &mut Dice) -> Expected {
    let videos: Vec<Value> =
        (0..=dice.below(2)).map(|_| json!({ "url": cluster.clips[dice.below(3)] })).collect();
    let frames = dice.between(13, 50);
    let group = json!([{ "videos": videos, "totalDuration": frames as f64 / 25.0 }]);
    let task_no = cluster.submit(&cluster.request(&group, 25)).await;
    Expected { task_no, frames }
}

fn unfinished(cluster: &Cluster) -> u64 {
    cluster.number("SELECT COUNT(*) FROM tasks WHERE state < 3")
}

/// Usually one worker, sometimes several at once, rarely the API process.
fn kill_some(cluster: &mut Cluster, dice: &mut Dice, widows: &mut Widows) -> usize {
    let count = if dice.below(12) == 0 { cluster.workers.len() } else { 1 };
    let first = dice.below(cluster.workers.len());
    let victims: Vec<usize> = (0..count).map(|n| (first + n) % cluster.workers.len()).collect();
    for worker in &victims {
        widows.add(cluster, *worker);
        cluster.workers[*worker].kill();
    }
    if dice.below(40) == 0 {
        cluster.api.kill();
        cluster.api.start();
    }
    victims.iter().for_each(|worker| cluster.workers[*worker].start());
    count
}
