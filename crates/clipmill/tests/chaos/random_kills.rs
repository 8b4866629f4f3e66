//! Many kills at random moments under load, with default leases.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::checks::Expected;
use crate::cluster::Cluster;
use crate::rng::Rng;

/// Running jobs of killed workers, by ID and fence, and when they were killed.
#[derive(Default)]
struct AbandonedJobs {
    waiting: BTreeMap<String, Instant>,
    longest: Duration,
}

impl AbandonedJobs {
    /// The jobs of this worker, just before it is killed.
    fn add(&mut self, cluster: &Cluster, worker: usize) {
        let name = &cluster.workers[worker].name;
        let jobs = cluster.query(&format!("SELECT id || ' ' || fence FROM work WHERE worker = '{name}'"));
        self.waiting.extend(jobs.lines().map(|job| (job.to_owned(), Instant::now())));
    }

    /// Removes jobs that another worker has, or has completed.
    fn remove_resumed(&mut self, cluster: &Cluster) {
        let all = cluster.query("SELECT id || ' ' || fence FROM work WHERE state IN ('running', 'ready')");
        self.waiting.retain(|job, since| {
            self.longest = self.longest.max(since.elapsed());
            all.lines().any(|line| line == job)
        });
    }
}

pub async fn two_hundred_kills(cluster: &mut Cluster, rng: &mut Rng) {
    let done = random_kills(cluster, rng, 500, 200, Duration::from_secs(6 * 60)).await;
    println!("    {done}");
}

/// At least this many tasks, and this many kills over all workers meanwhile, within a time limit; returns a summary.
async fn random_kills(
    cluster: &mut Cluster,
    rng: &mut Rng,
    tasks: usize,
    kills: usize,
    most: Duration,
) -> String {
    let (began, mut ordered, mut abandoned, mut killed) =
        (Instant::now(), Vec::new(), AbandonedJobs::default(), 0);
    let (mut left, mut moved) = (u64::MAX, began);
    while ordered.len() < tasks || left > 0 {
        let killing = killed < kills && began.elapsed() < most;
        // A fast machine gets more tasks, so that each kill hits running work.
        let more = if killing && left < 20 { 20 } else { 0 };
        for _ in 0..tasks.saturating_sub(ordered.len()).min(20).max(more) {
            ordered.push(order(cluster, rng).await);
        }
        tokio::time::sleep(Duration::from_millis(rng.between(50, 500))).await;
        if killing {
            killed += kill_some(cluster, rng, &mut abandoned);
        }
        abandoned.remove_resumed(cluster);
        // Even on a slow machine, tasks end from time to time.
        let unfinished = unfinished(cluster);
        if unfinished != left {
            (left, moved) = (unfinished, Instant::now());
        }
        assert!(moved.elapsed() < 4 * cluster.lease(), "{left} tasks do not end\n{}", cluster.logs());
    }
    assert!(
        abandoned.longest < Duration::from_secs(45),
        "work of killed workers waited for {:?}",
        abandoned.longest
    );
    let busy = began.elapsed().as_secs();
    cluster.check_many(&ordered).await;
    assert!(killed >= kills, "{killed} kills in {most:?}, of {} tasks", ordered.len());
    format!(
        "{killed} kills, {} tasks in {busy} s, resumed after {:.0} s at most",
        ordered.len(),
        abandoned.longest.as_secs_f64()
    )
}

/// Submits a task. Some of its segments were made for another task already, some are its own.
async fn order(cluster: &Cluster, rng: &mut Rng) -> Expected {
    let videos: Vec<Value> =
        (0..=rng.below(2)).map(|_| json!({ "url": cluster.clips[rng.below(3)] })).collect();
    let frames = rng.between(13, 50);
    let group = json!([{ "videos": videos, "totalDuration": frames as f64 / 25.0 }]);
    let task_no = cluster.submit(&cluster.request(&group, 25)).await;
    Expected { task_no, frames }
}

fn unfinished(cluster: &Cluster) -> u64 {
    cluster.query_number("SELECT COUNT(*) FROM tasks WHERE state < 3")
}

/// Usually one worker, sometimes several at once, rarely the API process.
fn kill_some(cluster: &mut Cluster, rng: &mut Rng, abandoned: &mut AbandonedJobs) -> usize {
    let count = if rng.below(12) == 0 { cluster.workers.len() } else { 1 };
    let first = rng.below(cluster.workers.len());
    let victims: Vec<usize> = (0..count).map(|n| (first + n) % cluster.workers.len()).collect();
    for worker in &victims {
        abandoned.add(cluster, *worker);
        cluster.workers[*worker].kill();
    }
    if rng.below(40) == 0 {
        cluster.api.kill();
        cluster.api.start();
    }
    victims.iter().for_each(|worker| cluster.workers[*worker].start());
    count
}
