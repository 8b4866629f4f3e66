//! A disk that is full: work fails with a clear error and costs nothing, and goes on when there is space again.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::harness::{Service, samples};
use crate::skipped::skipped;

/// A small disk of its own; unmounted when dropped.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// Nothing where mounting is not allowed.
    fn mount(mebibytes: u32) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let size = format!("size={mebibytes}m");
        let mounted = run("mount", &["-t", "tmpfs", "-o", &size, "tmpfs"], folder.path());
        mounted.then(|| Self(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: whoever still has files open keeps them.
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
    let found = rustix::fs::statvfs(disk).unwrap();
    let filler = disk.join("filler");
    std::fs::write(&filler, vec![1; (found.f_bavail * found.f_frsize - leave_bytes) as usize]).unwrap();
    filler
}

#[tokio::test]
async fn a_full_disk_fails_the_item_and_the_service_recovers() {
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
    let status = service.ended(&service.accepted(&request).await).await;
    let error = &status["items"][0]["error"];
    assert_eq!((&status["status"], &error["code"]), (&json!(4), &json!("INTERNAL")), "{status:#}");
    assert_eq!((&error["retryable"], &error["charged"]), (&json!(true), &json!(false)));
    assert!(error["message"].as_str().unwrap().contains("disk space"), "{error}");
    let balance = service.get("/video-process/balance").await;
    assert_eq!(balance, json!({ "balance": 100, "held": 0, "total": 100 }));
    let (refused, answer) = service.try_upload(&samples().join("city.mp4")).await;
    assert_eq!((refused, &answer["code"]), (503, &json!(50300)), "{answer:#}");

    std::fs::remove_file(filler).unwrap();
    let status = service.ended(&service.accepted(&request).await).await;
    assert_eq!(status["status"], json!(3), "{status:#}");
    service.assert_audit();
}
