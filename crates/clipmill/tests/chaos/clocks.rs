//! Clocks that are wrong, or jump. Files are in a folder that all processes share, because a bucket refuses clients
//! whose clock is wrong.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::Instant;

use crate::cluster::Cluster;
use crate::harness::{Service, long_clip};
use crate::kills::freeze;
use crate::rng::Rng;
use crate::skipped::skipped;

/// Shows a program another time (Debian's package `libfaketime`).
fn faketime() -> Option<PathBuf> {
    let places = std::fs::read_dir("/usr/lib").ok()?.flatten().map(|place| place.path());
    let libraries = places.map(|place| place.join("faketime/libfaketime.so.1"));
    let library =
        libraries.filter(|path| path.exists()).chain([PathBuf::from("/usr/lib/faketime/libfaketime.so.1")]);
    library.into_iter().find(|path| path.exists())
}

fn preload(library: &Path) -> [(&'static str, String); 3] {
    [
        ("LD_PRELOAD", library.to_string_lossy().into_owned()),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
        ("DONT_FAKE_MONOTONIC", "1".to_owned()),
    ]
}

/// Workers an hour ahead and an hour behind: no work is reclaimed early, and that of a dead worker is not reclaimed
/// late.
pub async fn wrong(cluster: &mut Cluster, _: &mut Rng) {
    let Some(library) = faketime() else {
        return skipped("clocks that are wrong", "libfaketime is not installed");
    };
    let mut other = Cluster::open_with(
        0,
        &[
            ("CLIPMILL_STORAGE_URL", "file:"),
            ("CLIPMILL_WORKER_LEASE", "6s"),
            ("CLIPMILL_WORKER_HEARTBEAT", "2s"),
            ("CLIPMILL_WORKER_RESCUE", "500ms"),
        ],
        true,
    )
    .await;
    for ahead in ["+1h", "-1h", "+0"] {
        let worker = other.add_worker(&[]).await;
        preload(&library).iter().for_each(|(name, value)| worker.set(name, value));
        worker.set("FAKETIME", ahead);
        worker.start();
    }
    let mut tasks = Vec::new();
    for _ in 0..3 {
        tasks.push(other.submit_clips(&[0, 1], 30).await);
    }
    let holder = freeze(&other, &["libx264"]).await;
    let lost = "SELECT COALESCE(SUM(lost_leases), 0)::bigint FROM work";
    // The holder is alive and renews its lease, so nobody may take its work.
    tokio::time::sleep(other.lease() * 5 / 2).await;
    assert_eq!(other.query_number(lost), 0, "reclaimed early");
    other.workers[holder].kill();
    let killed = Instant::now();
    while other.query_number(lost) == 0 {
        assert!(killed.elapsed() < other.lease() + Duration::from_secs(15), "reclaimed late");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // It had been renewed at most a heartbeat before, by the second.
    assert!(killed.elapsed() > other.lease() / 2, "reclaimed early: {:?}", killed.elapsed());
    other.workers[holder].start();
    other.check(&tasks).await;
    let _ = cluster;
}

/// The only process on a database of its own, whose clock is set forward by an hour while it works.
pub async fn jump(_: &mut Cluster, _: &mut Rng) {
    let Some(library) = faketime() else {
        return skipped("a clock that jumps", "libfaketime is not installed");
    };
    let place = tempfile::tempdir().unwrap();
    let time_file = place.path().join("time");
    std::fs::write(&time_file, "+0").unwrap();
    let mut environment: Vec<(&str, String)> = preload(&library).into();
    environment.extend([
        ("FAKETIME_TIMESTAMP_FILE", time_file.to_string_lossy().into_owned()),
        ("FAKETIME_NO_CACHE", "1".to_owned()),
        ("CLIPMILL_WORKER_LEASE", "4s".to_owned()),
        ("CLIPMILL_WORKER_HEARTBEAT", "2s".to_owned()),
        ("CLIPMILL_WORKER_RESCUE", "100ms".to_owned()),
    ]);
    let environment: Vec<(&str, &str)> =
        environment.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let service = Service::start_with(1_000, &environment).await;
    let clip = service.upload(&long_clip(place.path())).await;
    let request = serde_json::json!({ "taskType": "baseVideoMix", "params": {
        "videoList": [{ "videos": [{ "url": clip }], "totalDuration": 20 }],
        "options": { "resolution": "1080:1920", "fps": 60 } } });
    let task_no = service.accepted(&request).await;
    let rendering = || crate::node::ffmpegs_in(service.data.path()) > 0;
    crate::cluster::wait_for("it renders", rendering).await;
    for time in ["+1h", "-1h"] {
        std::fs::write(&time_file, time).unwrap();
        tokio::time::sleep(Duration::from_millis(700)).await;
    }
    let status = service.ended(&task_no).await;
    assert_eq!(status["status"], 3, "{status:#}");
    let log = service.log();
    assert!(!log.contains("jobs of lost workers returned to the queue"), "{log}");
    let made: Vec<&str> = log.lines().filter(|line| line.contains("made=Rendered")).collect();
    assert_eq!(made.len(), 1, "the only segment, once: {made:#?}");
    service.assert_audit();
}
