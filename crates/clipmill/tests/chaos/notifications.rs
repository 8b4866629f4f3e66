//! Signals between processes: workers and watchers are notified of what happens in other processes, and poll for what
//! they were not notified of.

use std::time::Duration;

use tokio::time::Instant;

use crate::cluster::{Cluster, wait_for};
use crate::kills::freeze;

/// Nobody finds anything by polling.
const NEVER: (&str, &str) = ("CLIPMILL_WORKER_POLL", "1h");

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_workers_are_notified_of_work() {
    let cluster = Cluster::open(2, &[NEVER]).await;
    // Workers have polled once by now, and will not again.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let asked = Instant::now();
    let task = cluster.submit_clips(&[0], 30).await;
    cluster.wait_for_end(&task.task_no).await;
    println!("submitted, planned, made and joined in {:?} without a look", asked.elapsed());

    // Signals that were sent while nobody listened are made up for.
    let listeners = "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity
                      WHERE datname = current_database() AND query LIKE 'LISTEN%'";
    assert_eq!(cluster.query_number(listeners), 3, "two workers and the API");
    let deaf = cluster.submit_clips(&[1], 30).await;
    cluster.check(&[task, deaf]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_workers_poll_without_notifications() {
    let mut cluster = Cluster::open(1, &[("CLIPMILL_WORKER_POLL", "300ms")]).await;
    let (status, output) = cluster.command(&["queue", "pause"]);
    assert_eq!(status, 0, "{output}");
    let task = cluster.submit_clips(&[0], 30).await;
    tokio::time::sleep(Duration::from_millis(900)).await;
    // This sends no signal, as if the signal had been lost.
    cluster.query("DELETE FROM pauses");
    cluster.check(&[task]).await;

    // The same without polling: nothing happens. So it was polling that found the work above.
    cluster.workers[0].kill();
    cluster.workers[0].set(NEVER.0, NEVER.1);
    cluster.command(&["queue", "pause"]);
    cluster.workers[0].start();
    let task = cluster.submit_clips(&[1], 30).await;
    tokio::time::sleep(Duration::from_millis(900)).await;
    cluster.query("DELETE FROM pauses");
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(cluster.status(&task.task_no).await.unwrap()["status"], 0);
    cluster.command(&["queue", "pause"]);
    let (status, output) = cluster.command(&["queue", "resume"]);
    assert_eq!(status, 0, "{output}");
    cluster.check(&[task]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_of_one_process_reports_changes_of_another() {
    let cluster = Cluster::open(1, &[]).await;
    let task = cluster.submit_clips(&[2], 30).await;
    let holder = freeze(&cluster, &["libx264"]).await;
    let mut stream = cluster.watch(&task.task_no).await;
    let mut events = String::new();
    while !events.contains("event: state") {
        events += &String::from_utf8_lossy(&stream.chunk().await.unwrap().unwrap());
    }
    let pid = cluster.workers[holder].ffmpeg(&["libx264"]).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::CONT).unwrap();
    let ended = "SELECT COUNT(*) FROM tasks WHERE state = 3";
    wait_for("the task ends", || cluster.query_number(ended) == 1).await;
    let since = Instant::now();
    while !events.contains("event: item") || !events.contains("\"completedItems\":1") {
        events += &String::from_utf8_lossy(&stream.chunk().await.unwrap().expect("the end is reported"));
    }
    println!("reported after {:?}", since.elapsed());
    assert!(stream.chunk().await.unwrap().is_none(), "the stream ends with the task: {events}");
    cluster.check(&[task]).await;
}
