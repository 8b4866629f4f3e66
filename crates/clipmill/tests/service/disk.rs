//! A full disk: calls report it, work waits, and everything continues when there is space again.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::json;

use crate::harness::{Service, samples};
use crate::skipped::skipped;

/// A small separate disk; unmounted when dropped.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// `None` if mounting is not allowed.
    fn mount(mebibytes: u32) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let size = format!("size={mebibytes}m");
        let mounted = run("mount", &["-t", "tmpfs", "-o", &size, "tmpfs"], folder.path());
        mounted.then(|| Self(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: processes keep their open files.
        run("umount", &["-l"], self.0.path());
    }
}

fn run(program: &str, args: &[&str], folder: &Path) -> bool {
    #[allow(clippy::disallowed_methods, reason = "a test makes its own disk")]
    let output = Command::new(program).args(args).arg(folder).output();
    output.is_ok_and(|output| output.status.success())
}

/// Leaves this much free.
fn fill(disk: &Path, leave_bytes: u64) -> std::path::PathBuf {
    let filler = disk.join("filler");
    std::fs::write(&filler, vec![1; (free(disk) - leave_bytes) as usize]).unwrap();
    filler
}

/// Leaves nothing free.
fn fill_up(disk: &Path) -> std::path::PathBuf {
    let filler = disk.join("filler");
    let mut file = std::fs::File::create(&filler).unwrap();
    while std::io::Write::write_all(&mut file, &[1; 4096]).is_ok() {}
    filler
}

#[tokio::test]
async fn work_waits_for_disk_space_and_calls_report_it() {
    let Some(disk) = SmallDisk::mount(96) else {
        return skipped("a full disk", "no disk can be mounted here; run the tests as root");
    };
    let data = tempfile::tempdir_in(disk.0.path()).unwrap();
    let service = Service::start_in(data, 100, &[("CLIPMILL_STORAGE_KEEP_FREE", "16MiB")]).await;
    let city = service.upload(&samples().join("city.mp4")).await;
    let request = json!({ "taskType": "baseVideoMix", "params": {
        "videoList": [{ "videos": [{ "url": city }], "totalDuration": 1 }],
        "options": { "resolution": "720:1280" } } });

    let filler = fill(disk.0.path(), 12 << 20);
    let task_no = service.accepted(&request).await;
    while !service.log().contains("job waits for disk space") {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let (refused, response) = service.try_upload(&samples().join("city.mp4")).await;
    assert_eq!((refused, &response["code"]), (503, &json!(50300)), "{response:#}");
    let status = service.status(&task_no).await;
    assert_eq!(
        (&status["errorMsg"], &status["items"][0]["error"]),
        (&json!(null), &json!(null)),
        "{status:#}"
    );

    std::fs::remove_file(filler).unwrap();
    let status = service.ended(&task_no).await;
    assert_eq!(status["status"], json!(3), "{status:#}");
    assert!(!service.log().contains("work failed"), "no attempt is counted");
    service.assert_audit();
}

fn free(disk: &Path) -> u64 {
    let usage = rustix::fs::statvfs(disk).unwrap();
    usage.f_bavail * usage.f_frsize
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_uploads_respect_the_space_to_keep_free() {
    const FLOOR: u64 = 16 << 20;
    // The database may use the space that is kept free.
    const OURS: u64 = 4 << 20;
    let Some(disk) = SmallDisk::mount(96) else {
        return skipped("a full disk", "no disk can be mounted here; run the tests as root");
    };
    let data = tempfile::tempdir_in(disk.0.path()).unwrap();
    let service = Service::start_in(data, 100, &[("CLIPMILL_STORAGE_KEEP_FREE", "16MiB")]).await;
    let (path, done) = (disk.0.path().to_owned(), Arc::new(AtomicBool::new(false)));
    let over = done.clone();
    let min = std::thread::spawn(move || {
        let mut min = u64::MAX;
        while !over.load(Ordering::Relaxed) {
            min = min.min(free(&path));
            std::thread::sleep(Duration::from_millis(1));
        }
        min
    });
    let uploads = (0..50_u8).map(|number| {
        let pieces = (0..64_u8).map(|piece| vec![number ^ piece; 128 << 10]);
        service.stream(pieces.collect())
    });
    let answers = futures_util::future::join_all(uploads).await;
    done.store(true, Ordering::Relaxed);
    let min = min.join().unwrap();
    assert!(min + OURS >= FLOOR, "{min} bytes were free");
    let (kept, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|(status, _)| *status == 200);
    assert!(!kept.is_empty() && !refused.is_empty(), "{} kept", kept.len());
    assert!(
        refused.iter().all(|(status, response)| *status == 503 && response["code"] == 50300),
        "{refused:?}"
    );
}

/// `true` if the service reports that it is ready.
async fn is_ready(service: &Service) -> bool {
    reqwest::get(format!("http://{}/readyz", service.host())).await.unwrap().status() == 200
}

#[tokio::test]
async fn the_database_survives_a_disk_without_room() {
    let Some(disk) = SmallDisk::mount(64) else {
        return skipped("a full disk", "no disk can be mounted here; run the tests as root");
    };
    let data = tempfile::tempdir_in(disk.0.path()).unwrap();
    let service = Service::start_in(data, 10_000, &[("CLIPMILL_STORAGE_KEEP_FREE", "1B")]).await;
    while !is_ready(&service).await {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    // Fails at once, for the address is private.
    let request = json!({ "taskType": "baseVideoMix", "params": {
        "videoList": [{ "videos": [{ "url": "http://10.0.0.1/a.mp4" }] }],
        "options": { "resolution": "720:1280" } } });
    let mut accepted = vec![service.accepted(&request).await];
    let filler = fill_up(disk.0.path());
    // Writes that fit in the database's log are still accepted.
    let response = loop {
        let (status, response) = service.submit(&request).await;
        match status {
            200 => accepted.push(response["data"]["taskNo"].as_str().unwrap().to_owned()),
            429 => tokio::time::sleep(Duration::from_millis(200)).await,
            _ => break (status, response["code"].clone()),
        }
    };
    assert_eq!(response, (503, json!(50300)));
    while is_ready(&service).await {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    // Reads still work, and repeated failures do not block anything.
    service.status(&accepted[0]).await;
    for _ in 0..5 {
        let (_, response) = service.submit(&request).await;
        assert!(response["code"] == 50300 || response["code"] == 42900, "{response:#}");
    }

    std::fs::remove_file(filler).unwrap();
    while !is_ready(&service).await {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    // The log file had no space for the earlier lines.
    assert!(service.log().contains("the database is writable again"));
    accepted.push(service.accepted(&request).await);
    for task_no in &accepted {
        let status = service.ended(task_no).await;
        assert_eq!(status["status"], json!(6), "{status:#}");
    }
    service.assert_audit();
}
