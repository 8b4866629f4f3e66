//! A machine on which ffmpeg or ffprobe crashes: nothing is claimed, and no file is blamed.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Service, make};

/// A folder for `PATH` whose programs crash while a file with the program's name and `-broken` is beside them.
fn crashing_programs(folder: &Path) -> String {
    let path = std::env::var("PATH").unwrap();
    for name in ["ffmpeg", "ffprobe"] {
        let real = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
        let (program, real) = (folder.join(name), real.unwrap());
        let broken = folder.join(format!("{name}-broken"));
        let crash = format!("[ ! -e {} ] || kill -SEGV $$", broken.display());
        let script = format!(
            "#!/bin/sh\ncase \"$*\" in *-version*) ;; *) {crash};; esac\nexec {} \"$@\"\n",
            real.display()
        );
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    }
    format!("{}:{path}", folder.display())
}

fn mix(url: &str) -> Value {
    json!({ "taskType": "baseVideoMix", "params": {
        "videoList": [{ "videos": [{ "url": url }] }],
        "options": { "resolution": "720:1280", "fps": 30 } } })
}

fn clip(folder: &Path, name: &str, source: &str) -> PathBuf {
    let picture = format!("-f lavfi -i {source}=s=320x180:r=30:d=0.5 -c:v libx264 -preset ultrafast");
    make(folder, &format!("{picture} -pix_fmt yuv420p {name}"));
    folder.join(name)
}

async fn readyz(service: &Service) -> u16 {
    reqwest::get(format!("http://{}/readyz", service.host())).await.unwrap().status().as_u16()
}

async fn until_ready(service: &Service, expected: u16) {
    for _ in 0..2_400 {
        if readyz(service).await == expected {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("/readyz never is {expected}:\n{}", service.log());
}

#[tokio::test]
async fn a_machine_that_cannot_process_media_claims_nothing_and_blames_no_file() {
    let bin = tempfile::tempdir().unwrap();
    let (path, broken) = (crashing_programs(bin.path()), bin.path().join("ffprobe-broken"));
    let environment = [("PATH", path.as_str()), ("CLIPMILL_WORKER_SANDBOX", "off")];
    let mut service = Service::start_with(500, &environment).await;
    let first = service.upload(&clip(bin.path(), "first.mp4", "testsrc2")).await;
    let second = service.upload(&clip(bin.path(), "second.mp4", "smptebars")).await;
    until_ready(&service, 200).await;
    assert_eq!(service.terminate(), 0);

    // From the start: the API serves, and nothing is claimed until the machine works.
    std::fs::write(&broken, "").unwrap();
    std::fs::remove_file(service.data.path().join("cache/self-test.json")).unwrap();
    service.boot();
    let first = service.accepted(&mix(&first)).await;
    let failed = "the self-test failed while probing the clip";
    until_ready(&service, 503).await;
    while !service.log().contains(failed) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(service.get(&format!("/video-process/status/{first}")).await["status"], 0);
    std::fs::remove_file(&broken).unwrap();
    until_ready(&service, 200).await;
    assert_eq!(service.ended(&first).await["status"], 3, "{}", service.log());

    // Later: the crash is attributed to the machine, the item is retried, and nothing is charged for the failure.
    let broken = bin.path().join("ffmpeg-broken");
    std::fs::write(&broken, "").unwrap();
    let second = service.accepted(&mix(&second)).await;
    until_ready(&service, 503).await;
    std::fs::remove_file(&broken).unwrap();
    assert_eq!(service.ended(&second).await["status"], 3, "{}", service.log());
    assert!(!service.log().contains("MEDIA_DAMAGED"), "{}", service.log());
    service.assert_audit();

    // The result is stored: the next start does not test again.
    assert_eq!(service.terminate(), 0);
    let tests = service.log().matches("the self-test passed").count();
    service.boot();
    until_ready(&service, 200).await;
    assert_eq!(service.log().matches("the self-test passed").count(), tests);
}

#[tokio::test]
async fn without_a_worker_a_missing_ffmpeg_is_no_obstacle() {
    let bin = tempfile::tempdir().unwrap();
    let data = tempfile::tempdir().unwrap();
    let log = std::fs::File::create(bin.path().join("log")).unwrap();
    let mut process =
        crate::harness::clipmill(&["serve", "--no-worker", "--listen", "127.0.0.1:0", "--data"])
            .arg(data.path())
            .env("PATH", bin.path())
            .stdout(std::process::Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
    let lines = std::io::BufReader::new(process.stdout.take().unwrap());
    let mut lines = std::io::BufRead::lines(lines).map_while(Result::ok);
    let address = lines.find_map(|line| line.strip_prefix("clipmill listens on ").map(str::to_owned));
    let log = || std::fs::read_to_string(bin.path().join("log")).unwrap();
    let address = address.unwrap_or_else(|| panic!("the service does not start: {}", log()));
    let ready = reqwest::get(format!("{address}/readyz")).await.unwrap().status().as_u16();
    process.kill().unwrap();
    process.wait().unwrap();
    assert_eq!(ready, 200, "{}", log());
    assert!(log().contains("this process cannot probe or preview media"), "{}", log());
}
