//! Servers that are unreachable, slow, or return errors; disks that are full; clocks that are wrong.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::checks::Expected;
use crate::cluster::{Cluster, postgres, wait_for};
use crate::fault_proxy::Fault;
use crate::kills::freeze;
use crate::rng::Rng;
use crate::skipped::skipped;

async fn some_tasks(cluster: &Cluster, rng: &mut Rng, count: usize) -> Vec<Expected> {
    let mut tasks = Vec::new();
    for _ in 0..count {
        tasks.push(cluster.submit_clips(&[rng.below(3), rng.below(3)], 30).await);
    }
    tasks
}

fn set_databases(cluster: &Cluster, fault: Fault) {
    cluster.workers.iter().chain([&cluster.api]).for_each(|node| node.database.set(fault));
}

fn set_buckets(cluster: &Cluster, fault: Fault) {
    cluster.workers.iter().chain([&cluster.api]).for_each(|node| node.bucket.set(fault));
}

/// Nobody can reach the database, and nobody is told: for longer than a lease, in the long form for a minute.
pub async fn database_away(cluster: &mut Cluster, rng: &mut Rng) {
    let tasks = some_tasks(cluster, rng, 3).await;
    let holder = freeze(cluster, &["libx264"]).await;
    let began = tokio::time::Instant::now();
    set_databases(cluster, Fault::Blocked);
    wait_for("the worker ends its own ffmpeg", || cluster.workers[holder].ffmpeg(&["libx264"]).is_none())
        .await;
    assert!(began.elapsed() < cluster.lease(), "before another may have the work: {:?}", began.elapsed());
    tokio::time::sleep_until(began + 2 * cluster.lease()).await;
    set_databases(cluster, Fault::None);
    cluster.check(&tasks).await;
    assert!(cluster.workers.iter_mut().all(|worker| !worker.has_ended()), "without a restart");
}

/// Connections end, and no new one comes about.
pub async fn database_cut(cluster: &mut Cluster, rng: &mut Rng) {
    let tasks = some_tasks(cluster, rng, 3).await;
    tokio::time::sleep(Duration::from_millis(rng.between(0, 600))).await;
    set_databases(cluster, Fault::Cut);
    tokio::time::sleep(Duration::from_millis(rng.between(500, 2_500))).await;
    set_databases(cluster, Fault::None);
    cluster.check(&tasks).await;
    assert!(cluster.workers.iter_mut().all(|worker| !worker.has_ended()), "without a restart");
}

/// The server crashes and recovers.
pub async fn database_restarts(cluster: &mut Cluster, rng: &mut Rng) {
    let tasks = some_tasks(cluster, rng, 3).await;
    tokio::time::sleep(Duration::from_millis(rng.between(0, 600))).await;
    postgres().restart(if rng.below(2) == 0 { "fast" } else { "immediate" });
    cluster.check(&tasks).await;
    assert!(cluster.workers.iter_mut().all(|worker| !worker.has_ended()), "without a restart");
}

/// The server ends connections here and there.
pub async fn connections_ended(cluster: &mut Cluster, rng: &mut Rng) {
    let tasks = some_tasks(cluster, rng, 3).await;
    let mut ended = 0;
    while cluster.query_number("SELECT COUNT(*) FROM work WHERE state IN ('ready', 'waiting', 'running')") > 0
    {
        let one = "SELECT COUNT(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity
                    WHERE datname = current_database() AND application_name = 'clipmill'
                    ORDER BY random() LIMIT 2) chosen";
        ended += cluster.query_number(one);
        tokio::time::sleep(Duration::from_millis(rng.between(50, 400))).await;
    }
    assert!(ended > 0);
    cluster.check(&tasks).await;
}

/// Every piece takes a while.
pub async fn all_is_slow(cluster: &mut Cluster, rng: &mut Rng) {
    set_databases(cluster, Fault::Slow(Duration::from_millis(15)));
    set_buckets(cluster, Fault::Slow(Duration::from_millis(40)));
    let tasks = some_tasks(cluster, rng, 2).await;
    for task in &tasks {
        cluster.wait_for_end(&task.task_no).await;
    }
    set_databases(cluster, Fault::None);
    set_buckets(cluster, Fault::None);
    cluster.check(&tasks).await;
}

/// The bucket does not respond for a while, and work waits for it.
pub async fn bucket_away(cluster: &mut Cluster, rng: &mut Rng) {
    let fault = if rng.below(2) == 0 { Fault::Blocked } else { Fault::Cut };
    set_buckets(cluster, fault);
    let tasks = some_tasks(cluster, rng, 2).await;
    tokio::time::sleep(Duration::from_millis(rng.between(500, 2_000))).await;
    set_buckets(cluster, Fault::None);
    cluster.check(&tasks).await;
}

/// The bucket answers 500 to everything until the task gives up.
pub async fn bucket_failing(cluster: &mut Cluster, _: &mut Rng) {
    set_buckets(cluster, Fault::Failing);
    let task_no = cluster.submit(&cluster.task(&[0], 30)).await;
    let status = impatiently(cluster, &task_no).await;
    set_buckets(cluster, Fault::None);
    check_refund(cluster, &status, "storage").await;
    let task = cluster.submit_clips(&[0], 30).await;
    cluster.check(&[task]).await;
}

/// Delayed work is retried at once.
async fn impatiently(cluster: &Cluster, task_no: &str) -> serde_json::Value {
    loop {
        match cluster.status(task_no).await {
            Some(status) if status["status"].as_u64() >= Some(3) => return status,
            _ => {}
        }
        cluster.query("UPDATE work SET run_after = 0 WHERE state = 'delayed'");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn check_refund(cluster: &Cluster, status: &serde_json::Value, word: &str) {
    let error = &status["items"][0]["error"];
    assert_eq!((&error["code"], &error["charged"]), (&"INTERNAL".into(), &false.into()), "{status:#}");
    assert!(error["message"].as_str().unwrap_or_default().contains(word), "{error:#}");
    cluster.check_books().await;
}

/// The disk of the only worker is full.
pub async fn disk_full(cluster: &mut Cluster, _: &mut Rng) {
    let folder = cluster.place.path().join("small");
    std::fs::create_dir_all(&folder).unwrap();
    if !run("mount", &["-t", "tmpfs", "-o", "size=96m", "tmpfs"], &folder) {
        return skipped("a full disk", "no disk can be mounted here; run the tests as root");
    }
    let _mounted = Mounted(folder.clone());
    cluster.workers.iter_mut().for_each(|worker| worker.kill());
    let small = cluster.add_worker(&[]).await;
    small.data = folder.join("data");
    small.set("CLIPMILL_STORAGE_KEEP_FREE", "16MiB");
    small.start();
    let disk = rustix::fs::statvfs(&folder).unwrap();
    let filler = folder.join("filler");
    std::fs::write(&filler, vec![1; (disk.f_bavail * disk.f_frsize - (12 << 20)) as usize]).unwrap();
    let task = cluster.submit_clips(&[0], 30).await;
    // Long enough for three failures, if it failed.
    tokio::time::sleep(Duration::from_secs(25)).await;
    std::fs::remove_file(filler).unwrap();
    cluster.check(&[task]).await;
    cluster.workers.pop();
    cluster.workers.iter_mut().for_each(|worker| worker.start());
}

struct Mounted(PathBuf);

impl Drop for Mounted {
    fn drop(&mut self) {
        // Lazily: processes keep their open files.
        run("umount", &["-l"], &self.0);
    }
}

fn run(program: &str, args: &[&str], folder: &Path) -> bool {
    #[allow(clippy::disallowed_methods, reason = "a test makes its own disk")]
    let output = std::process::Command::new(program).args(args).arg(folder).output();
    output.is_ok_and(|output| output.status.success())
}
