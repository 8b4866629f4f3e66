//! Malformed files that other projects collected: each one ends in an error that says what is wrong with it, or
//! in a checked output; none in a crash, a hang, or something left behind.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "these are tests")]
#![allow(clippy::disallowed_methods, reason = "a test starts programs as a person would")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// What may be said about a file; anything else is our fault.
const SAID: [&str; 7] = [
    "NOT_MEDIA",
    "FORMAT_NOT_ALLOWED",
    "CODEC_NOT_ALLOWED",
    "MEDIA_TOO_LARGE",
    "MEDIA_DAMAGED",
    "NO_VIDEO_STREAM",
    "DOWNLOAD_FAILED",
];

/// A run takes a few seconds; one that takes so long hangs.
const PATIENCE_S: &str = "300";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The files, fetched at the first run; empty where the registries cannot be reached.
fn corpora() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpora");
    let script = repository().join("scripts/fetch-corpora.sh");
    let fetched = Command::new(script).arg(&folder).stdin(Stdio::null()).status();
    assert!(fetched.is_ok_and(|status| status.success()), "scripts/fetch-corpora.sh failed");
    let (mut files, mut folders) = (Vec::new(), vec![folder]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let code = path.extension().is_some_and(|extension| extension == "rs");
            if path.is_dir() {
                folders.push(path);
            } else if !code {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A folder in which `clipmill render` runs, and keeps everything.
struct Run {
    folder: TempDir,
}

impl Run {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// Renders, and makes sure that nothing is left behind; answers the items.
    fn render(&self, request: &Value) -> Vec<Value> {
        let path = |name: &str| self.folder.path().join(name);
        std::fs::write(path("request.json"), request.to_string()).unwrap();
        let output = Command::new("timeout")
            .args(["--signal=KILL", PATIENCE_S, env!("CARGO_BIN_EXE_clipmill"), "render", "--json", "--out"])
            .args([path("out"), "--cache".into(), path("cache"), path("request.json")])
            .env("CLIPMILL_WORKER_SLOTS", "3")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{:?}: {stderr}", output.status);
        assert!(!stderr.contains("panicked"), "{stderr}");
        self.check_nothing_is_left();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{stderr}"));
        answer["items"].as_array().unwrap().clone()
    }

    fn check_nothing_is_left(&self) {
        let marks = [self.folder.path().as_os_str().as_encoded_bytes()];
        for process in std::fs::read_dir("/proc").unwrap() {
            let line = std::fs::read(process.unwrap().path().join("cmdline")).unwrap_or_default();
            let ours = line.windows(marks[0].len()).any(|part| part == marks[0]);
            assert!(!ours, "a process is left: {}", String::from_utf8_lossy(&line));
        }
        // The folder of the process and its lock stay until somebody sweeps; what it wrote there does not.
        let (mut left, mut folders) = (Vec::new(), vec![self.folder.path().join("cache").join("tmp")]);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_none_or(|extension| extension != "lock") {
                    left.push(path);
                }
            }
        }
        assert!(left.is_empty(), "files are left: {left:?}");
    }
}

fn check_output(item: &Value) {
    let quality = &item["quality"];
    assert!(item["path"].as_str().is_some_and(|path| Path::new(path).is_file()), "{item}");
    assert_eq!(quality["framesFound"], quality["framesPlanned"], "{item}");
    assert!(quality["framesFound"].as_u64().unwrap() > 0, "{item}");
}

/// How each file ended as a clip: a code, or `made`.
fn as_clips(files: &[PathBuf]) -> BTreeMap<PathBuf, String> {
    let videos: Vec<_> = files.iter().map(|path| json!({ "filename": path, "duration": 1 })).collect();
    let request = json!({ "taskType": "videoDeduplication", "params": { "videoList": videos } });
    let run = Run::new();
    let items = run.render(&request);
    assert_eq!(items.len(), files.len());
    let ends = files.iter().zip(&items).map(|(path, item)| {
        let end = match item["error"]["code"].as_str() {
            Some(code) => {
                assert!(SAID.contains(&code), "{}: {item}", path.display());
                assert!(!item["error"]["message"].as_str().unwrap().is_empty(), "{item}");
                code.to_owned()
            }
            None => {
                check_output(item);
                "made".to_owned()
            }
        };
        (path.clone(), end)
    });
    ends.collect()
}

#[test]
fn malformed_files_end_in_an_error_or_in_a_checked_output() {
    let files = corpora();
    if files.is_empty() {
        eprintln!("skipped: no corpus of malformed files can be fetched here");
        return;
    }
    let ends = as_clips(&files);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    ends.values().for_each(|end| *counts.entry(end).or_default() += 1);
    println!("{} files: {counts:?}", files.len());
    assert!(counts.contains_key("made") && counts.len() > 1, "{ends:?}");
}
