//! `kill -9`, in every phase of the work.

use std::time::Duration;

use rustix::process::{Signal, kill_process};

use crate::checks::Expected;
use crate::cluster::{Cluster, wait_for};
use crate::rng::Rng;

/// Kills the worker that has work of this kind.
fn kill_holder(cluster: &mut Cluster, kind: &str) -> usize {
    let holder = cluster.holder(kind).unwrap_or_else(|| panic!("nobody has a {kind}\n{}", cluster.logs()));
    cluster.workers[holder].kill();
    holder
}

/// While a clip is being fetched.
pub async fn fetching(cluster: &mut Cluster, _: &mut Rng) {
    cluster.client_host.set_stuck(true);
    let task = cluster.submit_clips(&[2], 30).await;
    wait_for("a clip is being fetched", || cluster.client_host.is_waited_for()).await;
    let killed = kill_holder(cluster, "preflight");
    cluster.client_host.set_stuck(false);
    after(cluster, killed, &[task]).await;
}

/// While ffmpeg renders. It is stopped, so that it cannot be done before; its end comes with its worker's.
pub async fn rendering(cluster: &mut Cluster, _: &mut Rng) {
    let task = cluster.submit_clips(&[0, 2], 60).await;
    let killed = freeze(cluster, &["libx264"]).await;
    assert!(cluster.has(killed, "segment"));
    cluster.workers[killed].kill();
    after(cluster, killed, &[task]).await;
}

/// While the sound of an output is mixed.
pub async fn joining(cluster: &mut Cluster, _: &mut Rng) {
    let task = cluster.submit_clips(&[0, 1], 30).await;
    let killed = freeze(cluster, &["-c:a aac"]).await;
    assert!(cluster.has(killed, "finish"));
    cluster.workers[killed].kill();
    after(cluster, killed, &[task]).await;
}

/// While a segment is being uploaded.
pub async fn storing(cluster: &mut Cluster, _: &mut Rng) {
    cluster.hold_uploads("segments/");
    kill_while_held(cluster, "segment").await;
}

/// While an output is being uploaded.
pub async fn publishing(cluster: &mut Cluster, _: &mut Rng) {
    cluster.hold_uploads("results/");
    kill_while_held(cluster, "finish").await;
}

async fn kill_while_held(cluster: &mut Cluster, kind: &str) {
    let task = cluster.submit_clips(&[2], 30).await;
    cluster.wait_until_held().await;
    let killed = kill_holder(cluster, kind);
    // What was sent before the end comes in late.
    cluster.release();
    after(cluster, killed, &[task]).await;
}

/// After the output is stored, before it is settled: the points of the user are kept from being changed.
pub async fn settling(cluster: &mut Cluster, _: &mut Rng) {
    cluster.hold_uploads("results/");
    let task = cluster.submit_clips(&[1], 30).await;
    cluster.wait_until_held().await;
    let lock = cluster.lock("SELECT 1 FROM balances");
    cluster.release();
    let waits = "SELECT COUNT(*) FROM pg_stat_activity
                  WHERE wait_event_type = 'Lock' AND datname = current_database()";
    wait_for("the points cannot be settled", || cluster.query_number(waits) > 0).await;
    let stored = cluster.stored("results").await;
    assert!(stored.iter().any(|key| key.contains(&task.task_no)), "the output is there, and nobody knows");
    let killed = kill_holder(cluster, "finish");
    drop(lock);
    after(cluster, killed, &[task]).await;
}

/// The process that takes requests, in the middle of many of them.
pub async fn api(cluster: &mut Cluster, rng: &mut Rng) {
    let mut tasks = Vec::new();
    for _ in 0..3 {
        tasks.push(cluster.submit_clips(&[rng.below(3)], 25).await);
    }
    // The response to this one is never read.
    let (request, frames) = (cluster.task(&[1], 25), 50);
    let asked = cluster.try_submit(&request);
    let _ = tokio::time::timeout(Duration::from_millis(rng.between(0, 30)), asked).await;
    cluster.api.kill();
    cluster.api.start();
    let task_no = cluster.submit(&request).await;
    let once = format!("SELECT COUNT(*) FROM tasks WHERE task_no = '{task_no}'");
    assert_eq!(cluster.query_number(&once), 1);
    tasks.push(Expected { task_no, frames });
    cluster.check(&tasks).await;
}

/// Everybody at once.
pub async fn all(cluster: &mut Cluster, rng: &mut Rng) {
    let mut tasks = Vec::new();
    for _ in 0..4 {
        tasks.push(cluster.submit_clips(&[rng.below(3), rng.below(3)], 30).await);
    }
    tokio::time::sleep(Duration::from_millis(rng.between(100, 1_500))).await;
    cluster.workers.iter_mut().for_each(|worker| worker.kill());
    cluster.api.kill();
    cluster.api.start();
    cluster.workers.iter_mut().for_each(|worker| worker.start());
    cluster.check(&tasks).await;
}

/// Stops the first ffmpeg that any worker starts with these arguments; returns whose it is.
pub async fn freeze(cluster: &Cluster, with: &[&str]) -> usize {
    let mut frozen = None;
    let mut look = || {
        let all = cluster.workers.iter().enumerate();
        frozen = all.filter_map(|(place, worker)| Some((place, worker.ffmpeg(with)?))).next();
        let Some((_, pid)) = frozen else { return false };
        // It may have ended in this very moment.
        kill_process(pid, Signal::STOP).is_ok()
    };
    let waiting = async {
        while !look() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(crate::cluster::TIMEOUT, waiting).await.expect("an ffmpeg of this kind");
    frozen.unwrap().0
}

async fn after(cluster: &mut Cluster, killed: usize, tasks: &[Expected]) {
    // The others do it; the killed one comes back when that is seen, as it would on its machine.
    for task in tasks {
        cluster.wait_for_end(&task.task_no).await;
    }
    cluster.workers[killed].start();
    cluster.check(tasks).await;
}
