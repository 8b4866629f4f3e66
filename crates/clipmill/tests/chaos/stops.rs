//! Processes that stop for a while, are asked to end, or lose their ffmpeg.

use std::time::Duration;

use rustix::process::{Signal, kill_process};

use crate::checks::Expected;
use crate::cluster::{Cluster, wait_for};
use crate::fault_proxy::Fault;
use crate::kills::freeze;
use crate::rng::Rng;

/// Everything that a late attempt could change.
const ALL_ROWS: &str = "SELECT md5(string_agg(line, '' ORDER BY line)) FROM (
    SELECT 'w' || work::text AS line FROM work UNION ALL SELECT 'i' || items::text FROM items
    UNION ALL SELECT 't' || tasks::text FROM tasks UNION ALL SELECT 'h' || holds::text FROM holds
    UNION ALL SELECT 'b' || balances::text FROM balances UNION ALL SELECT 'm' || movements::text FROM movements
    UNION ALL SELECT 's' || segments::text FROM segments UNION ALL SELECT 'o' || event_id FROM outbox) everything";
/// What a worker says whose work has gone to another.
const LOST: &str = "the lease was lost; the result is discarded";

fn lost(cluster: &Cluster, worker: usize) -> usize {
    cluster.workers[worker].log().matches(LOST).count()
}

/// A worker that is stopped for twice its lease while it uploads an output.
pub async fn zombie(cluster: &mut Cluster, _: &mut Rng) {
    cluster.hold_uploads("results/");
    let task = cluster.submit_clips(&[1], 30).await;
    cluster.wait_until_held().await;
    let holder = cluster.holder("finish").expect("a holder of the output");
    let before = lost(cluster, holder);
    cluster.workers[holder].signal(Signal::STOP);
    // The files of others are stored normally.
    let others = cluster.workers.iter().enumerate().filter(|(place, _)| *place != holder);
    others.for_each(|(_, worker)| worker.bucket.release());
    tokio::time::sleep(2 * cluster.lease()).await;
    settled(cluster, &task).await;
    let rows = cluster.query(ALL_ROWS);
    cluster.workers[holder].signal(Signal::CONT);
    cluster.release();
    wait_for("it sees that it is late", || lost(cluster, holder) > before).await;
    assert_eq!(cluster.query(ALL_ROWS), rows, "the stale attempt changes nothing");
    cluster.check(&[task]).await;
}

/// A worker that cannot reach the database while it delivers; its report arrives after another worker has delivered.
pub async fn partition(cluster: &mut Cluster, _: &mut Rng) {
    cluster.hold_uploads("results/");
    let task = cluster.submit_clips(&[0], 30).await;
    cluster.wait_until_held().await;
    let holder = cluster.holder("finish").expect("a holder of the output");
    let before = lost(cluster, holder);
    cluster.workers[holder].database.set(Fault::Blocked);
    cluster.release();
    settled(cluster, &task).await;
    let rows = cluster.query(ALL_ROWS);
    cluster.workers[holder].database.set(Fault::None);
    wait_for("it sees that it is late", || lost(cluster, holder) > before).await;
    assert_eq!(cluster.query(ALL_ROWS), rows, "the stale attempt changes nothing");
    assert!(!cluster.workers[holder].has_ended(), "it continues by itself");
    cluster.check(&[task]).await;
}

/// Waits until the task is done and its event delivered: after that nothing changes by itself.
async fn settled(cluster: &Cluster, task: &Expected) {
    cluster.wait_for_end(&task.task_no).await;
    let open = "SELECT COUNT(*) FROM outbox WHERE state <> 'delivered'";
    wait_for("the event is delivered", || cluster.query_number(open) == 0).await;
}

/// SIGTERM while a job does not end.
pub async fn drain(cluster: &mut Cluster, _: &mut Rng) {
    let tasks = [cluster.submit_clips(&[0, 1, 2], 30).await, cluster.submit_clips(&[2, 1], 30).await];
    let stopped = freeze(cluster, &["libx264"]).await;
    let name = cluster.workers[stopped].name.clone();
    // Rendering jobs only; preflights have their own slot.
    let of_it = format!("FROM work WHERE worker = '{name}' AND stage <> 1");
    let has = format!("SELECT id || ' ' || lost_leases || ' ' || attempts {of_it}");
    let (had, lost_leases) = (cluster.query(&has), "SELECT COALESCE(SUM(lost_leases), 0)::bigint FROM work");
    let before = cluster.query_number(lost_leases);
    assert_eq!(had.lines().count(), 1, "one slot, one job: {had}");
    let asked = tokio::time::Instant::now();
    cluster.workers[stopped].signal(Signal::TERM);
    let claimed = format!("SELECT COUNT(*) {of_it}");
    while !cluster.workers[stopped].has_ended() {
        assert!(cluster.query_number(&claimed) <= 1, "nothing new is taken");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(asked.elapsed() < Duration::from_secs(40), "it took {:?}", asked.elapsed());
    assert_eq!(cluster.workers[stopped].ended(), Some(0), "{}", cluster.workers[stopped].log());
    assert_eq!(cluster.query_number(lost_leases), before, "handed back, not lost");
    let query = format!("SELECT COUNT(*) FROM workers WHERE name = '{name}'");
    assert_eq!(cluster.query_number(&query), 0, "it signed off");
    for task in &tasks {
        cluster.wait_for_end(&task.task_no).await;
    }
    cluster.workers[stopped].start();
    cluster.check(&tasks).await;
}

/// The kernel kills an ffmpeg, as it does when memory is short: the job is retried.
pub async fn ffmpeg_killed(cluster: &mut Cluster, _: &mut Rng) {
    let task = cluster.submit_clips(&[2, 0], 30).await;
    let of = freeze(cluster, &["libx264"]).await;
    let pid = cluster.workers[of].ffmpeg(&["libx264"]).expect("the ffmpeg that was stopped");
    kill_process(pid, Signal::KILL).unwrap();
    let attempts = "SELECT COALESCE(SUM(attempts), 0)::bigint FROM work WHERE state = 'delayed'";
    wait_for("the failure is told", || cluster.query_number(attempts) > 0).await;
    cluster.check(&[task]).await;
}

/// Every time: a clear error, and nothing is charged.
pub async fn ffmpeg_always_killed(cluster: &mut Cluster, _: &mut Rng) {
    let task_no = cluster.submit(&cluster.task(&[1], 30)).await;
    let mut killed = 0;
    let status = loop {
        for pid in cluster.workers.iter().filter_map(|worker| worker.ffmpeg(&["libx264"])) {
            killed += usize::from(kill_process(pid, Signal::KILL).is_ok());
        }
        match cluster.status(&task_no).await {
            Some(status) if status["status"].as_u64() >= Some(3) => break status,
            _ => {}
        }
        // Retried at once, as an operator can request.
        cluster.query("UPDATE work SET run_after = 0 WHERE state = 'delayed'");
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    assert!(killed >= 3, "tried three times: {killed}");
    let item = &status["items"][0];
    assert_eq!((&item["status"], &item["error"]["charged"]), (&4.into(), &false.into()), "{status:#}");
    assert!(!item["error"]["message"].as_str().unwrap_or_default().is_empty(), "{status:#}");
    cluster.check_books().await;
    cluster.check_rest().await;
}
