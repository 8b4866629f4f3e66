//! Malformed files, as clips and as audio of a mix: each ends in an error that describes the problem, or in a
//! verified output; none in a crash, a hang, or left-over files. Some are generated here, always the same; others
//! were collected by other projects and are fetched if the registries are reachable.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "these are tests")]
#![allow(clippy::disallowed_methods, reason = "a test starts programs as a person would")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

#[path = "support/skipped.rs"]
mod skipped;

/// The error codes that may be reported about a file; any other is an error of the service.
const SAID: [&str; 7] = [
    "NOT_MEDIA",
    "FORMAT_NOT_ALLOWED",
    "CODEC_NOT_ALLOWED",
    "MEDIA_TOO_LARGE",
    "MEDIA_DAMAGED",
    "NO_VIDEO_STREAM",
    "DOWNLOAD_FAILED",
];
/// The outcome of a file that ends in an output.
const MADE: &str = "made";

/// A run takes seconds, on a busy machine minutes; a longer run counts as hanging.
const PATIENCE_S: &str = "1500";
/// How long processes of a run may live on after its end.
const END: Duration = Duration::from_secs(60);
/// Concurrent renders.
const RUNS: usize = 3;
/// Files of one kind that are mixed.
const OF_A_KIND: usize = 3;
/// The minimum number of files on every machine.
const MIN_FILES: usize = 60;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All files below a folder.
fn files_in(folder: PathBuf) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

/// Valid files of half a second each: several containers, video and audio codecs.
const GOOD: [(&str, &str); 8] = [
    ("a.mp4", "-f lavfi -i testsrc2=s=128x96:r=25:d=0.5 -f lavfi -i sine=d=0.5 -c:v libx264 -c:a aac"),
    ("b.mkv", "-f lavfi -i testsrc2=s=128x96:r=25:d=0.5 -c:v libx264"),
    ("c.avi", "-f lavfi -i smptebars=s=128x96:r=25:d=0.5 -c:v mpeg4"),
    ("d.wav", "-f lavfi -i sine=d=0.5"),
    ("e.m4a", "-f lavfi -i sine=d=0.5 -c:a aac"),
    ("f.caf", "-f lavfi -i sine=d=0.5 -c:a adpcm_ima_qt"),
    ("g.aiff", "-f lavfi -i sine=d=0.5"),
    ("h.ac3", "-f lavfi -i sine=d=0.5 -c:a eac3 -f eac3"),
];

/// Damages of a file: truncations and changed bytes.
fn damaged(good: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut made = Vec::new();
    let length = good.len();
    for (name, kept) in [("head", 64), ("third", length / 3), ("tail-less", length - length / 10)] {
        made.push((name.to_owned(), good[..kept].to_vec()));
    }
    made.push(("headless".to_owned(), good[length / 4..].to_vec()));
    made.push(("twice".to_owned(), [good, good].concat()));
    // Huge numbers in the headers, then random changes anywhere.
    for at in [4, 20, 40] {
        let mut bytes = good.to_vec();
        bytes[at..at + 4].fill(0xff);
        made.push((format!("huge-at-{at}"), bytes));
    }
    for seed in 1..=4_u64 {
        let (mut bytes, mut state) = (good.to_vec(), seed);
        for _ in 0..length.div_ceil(300) {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            bytes[(state >> 33) as usize % length] ^= (state >> 24) as u8 | 1;
        }
        made.push((format!("changed-{seed}"), bytes));
    }
    made
}

/// Files generated below `folder`: valid ones, damaged ones, and some that are not media.
fn ours(folder: &Path) -> Vec<PathBuf> {
    for (name, arguments) in GOOD {
        let mut ffmpeg = Command::new("ffmpeg");
        ffmpeg.args(["-nostdin", "-v", "error"]).args(arguments.split(' ')).arg(name).current_dir(folder);
        assert!(ffmpeg.status().unwrap().success(), "{name}");
        let good = std::fs::read(folder.join(name)).unwrap();
        let (stem, kind) = name.split_once('.').unwrap();
        for (how, bytes) in damaged(&good) {
            std::fs::write(folder.join(format!("{stem}-{how}.{kind}")), bytes).unwrap();
        }
    }
    std::fs::write(folder.join("empty.mp4"), "").unwrap();
    std::fs::write(folder.join("zeros.mp4"), [0; 5_000]).unwrap();
    std::fs::write(folder.join("page.mp4"), "<!DOCTYPE html><title>Not found</title>").unwrap();
    std::fs::write(folder.join("list.mp4"), "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n").unwrap();
    std::fs::copy(repository().join("samples/captions.srt"), folder.join("captions.mp4")).unwrap();
    files_in(folder.to_owned())
}

/// Files collected by other projects, fetched at the first run; empty if the registries cannot be reached.
fn corpora() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpora");
    let script = repository().join("scripts/fetch-corpora.sh");
    let fetched = Command::new(script).arg(&folder).stdin(Stdio::null()).status();
    assert!(fetched.is_ok_and(|status| status.success()), "scripts/fetch-corpora.sh failed");
    let is_code = |path: &Path| path.extension().is_some_and(|extension| extension == "rs");
    files_in(folder).into_iter().filter(|path| !is_code(path)).collect()
}

/// A folder in which `clipmill render` runs with a shared cache.
struct Runs {
    folder: TempDir,
}

impl Runs {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// Renders and returns the items.
    fn render(&self, name: &str, request: &Value) -> Vec<Value> {
        let path = |name: &str| self.folder.path().join(name);
        let file = path(&format!("{name}.json"));
        std::fs::write(&file, request.to_string()).unwrap();
        let output = Command::new("timeout")
            .args(["--signal=KILL", PATIENCE_S, env!("CARGO_BIN_EXE_clipmill"), "render", "--json", "--out"])
            .args([path(name), "--cache".into(), path("cache"), file])
            .env("CLIPMILL_WORKER_SLOTS", "3")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{name}: {:?}: {stderr}", output.status);
        assert!(!stderr.contains("panicked"), "{name}: {stderr}");
        let response: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{name}: {stderr}"));
        response["items"].as_array().unwrap().clone()
    }

    fn check_nothing_is_left(&self) {
        let started = Instant::now();
        loop {
            let left = self.processes();
            if left.is_empty() {
                break;
            }
            assert!(started.elapsed() < END, "processes are left: {left:?}");
            std::thread::sleep(Duration::from_millis(50));
        }
        // The folder of a process and its lock remain until a cleanup; its files do not.
        let is_lock = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "lock");
        let tmp = self.folder.path().join("cache").join("tmp");
        let left: Vec<_> = files_in(tmp).into_iter().filter(|path| !is_lock(path)).collect();
        assert!(left.is_empty(), "files are left: {left:?}");
    }

    /// Command lines that contain the folder.
    fn processes(&self) -> Vec<String> {
        let mark = self.folder.path().to_str().unwrap();
        let line = |process: PathBuf| std::fs::read(process.join("cmdline")).unwrap_or_default();
        let all = std::fs::read_dir("/proc").unwrap().flatten().map(|process| line(process.path()));
        all.map(|line| String::from_utf8_lossy(&line).into_owned())
            .filter(|line| line.contains(mark))
            .collect()
    }
}

/// How an item ended: the code of its error, or [`MADE`].
fn end(path: &Path, item: &Value) -> String {
    let path = path.display();
    if let Some(code) = item["error"]["code"].as_str() {
        assert!(SAID.contains(&code), "{path}: {item}");
        assert!(!item["error"]["message"].as_str().unwrap().is_empty(), "{path}: {item}");
        return code.to_owned();
    }
    let quality = &item["quality"];
    assert!(item["path"].as_str().is_some_and(|output| Path::new(output).is_file()), "{path}: {item}");
    assert_eq!(quality["framesFound"], quality["framesPlanned"], "{path}: {item}");
    assert!(quality["framesFound"].as_u64().unwrap() > 0, "{path}: {item}");
    MADE.to_owned()
}

type Ends = BTreeMap<PathBuf, String>;

/// How each file ends as a clip.
fn as_clips(runs: &Runs, files: &[PathBuf]) -> Ends {
    let videos: Vec<_> = files.iter().map(|path| json!({ "filename": path, "duration": 1 })).collect();
    let request = json!({ "taskType": "videoDeduplication", "params": { "videoList": videos } });
    let items = runs.render("clips", &request);
    assert_eq!(items.len(), files.len());
    files.iter().zip(&items).map(|(path, item)| (path.clone(), end(path, item))).collect()
}

/// How a mix over a good clip ends whose music and voice are this file.
fn as_audio_of_a_mix(runs: &Runs, name: &str, path: &Path) -> String {
    let clip = repository().join("samples/city.mp4");
    let sound = json!({ "url": path, "volume": 50, "fadeOut": 0.1 });
    let request = json!({ "taskType": "baseVideoMix", "params": {
        "videoList": [{ "videos": [{ "url": clip, "duration": 8 }], "totalDuration": 0.5 }],
        "options": { "fps": 25, "backgroundMusic": sound, "audio": sound } } });
    let items = runs.render(name, &request);
    assert_eq!(items.len(), 1);
    if items[0]["error"].is_null() {
        assert_eq!(items[0]["audioCodec"], json!("aac"), "{}: {}", path.display(), items[0]);
    }
    end(path, &items[0])
}

fn as_audio_of_mixes(runs: &Runs, files: &[PathBuf]) -> Ends {
    let (waiting, ends) = (Mutex::new(files.iter().enumerate()), Mutex::new(Ends::new()));
    let next = || waiting.lock().unwrap().next();
    std::thread::scope(|scope| {
        let work = || {
            while let Some((index, path)) = next() {
                let end = as_audio_of_a_mix(runs, &format!("sound{index}"), path);
                ends.lock().unwrap().insert(path.clone(), end);
            }
        };
        (0..RUNS).for_each(|_| drop(scope.spawn(work)));
    });
    ends.into_inner().unwrap()
}

/// A few files of each kind, spread over the list: a mix takes most of a second. Files that are not recognised as
/// clips are left out; they are refused in the same way.
fn varied<'a>(files: impl Iterator<Item = &'a PathBuf>) -> Vec<PathBuf> {
    let mut kinds: BTreeMap<_, Vec<_>> = BTreeMap::new();
    files.for_each(|path| kinds.entry(path.extension()).or_default().push(path));
    let some = |files: Vec<&PathBuf>| {
        let step = files.len().div_ceil(OF_A_KIND);
        files.into_iter().step_by(step).cloned().collect::<Vec<_>>()
    };
    kinds.into_values().flat_map(some).collect()
}

fn counts(ends: &Ends) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    ends.values().for_each(|end| *counts.entry(end.as_str()).or_default() += 1);
    counts
}

#[test]
fn malformed_files_end_in_an_error_or_in_a_verified_output() {
    let folder = tempfile::tempdir().unwrap();
    let (mut files, collected) = (ours(folder.path()), corpora());
    assert!(files.len() >= MIN_FILES, "only {} files were made", files.len());
    if collected.is_empty() {
        skipped::skipped("malformed files that others collected", "they cannot be fetched here");
    }
    println!("{} files made here, {} collected by others", files.len(), collected.len());
    files.extend(collected);
    let runs = Runs::new();
    let clips = as_clips(&runs, &files);
    println!("{} files as clips: {:?}", clips.len(), counts(&clips));
    assert!(counts(&clips).contains_key(MADE) && counts(&clips).len() > 1, "{clips:?}");

    let files = varied(clips.iter().filter(|(_, end)| *end == "NO_VIDEO_STREAM").map(|(path, _)| path));
    let sounds = as_audio_of_mixes(&runs, &files);
    println!("{} files as sound: {:?}", sounds.len(), counts(&sounds));
    assert!(counts(&sounds).contains_key(MADE), "{sounds:?}");
    runs.check_nothing_is_left();
}
