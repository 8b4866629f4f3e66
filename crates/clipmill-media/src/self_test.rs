//! The self-test: a built-in clip of two seconds is probed, rendered with captions and audio, checked and joined by the
//! code and in the sandbox of a task, and the result is measured.
//! It runs when a worker starts, unless it has passed with the same tools, fonts, kernel and settings before, and after
//! a crash of ffmpeg or ffprobe, to distinguish a fault of the machine from one of the file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clipmill_core::encoding::{Encoding, Preset};
use clipmill_core::error::TaskError;
use clipmill_core::media::{ContentHash, Facts, MediaInfo, Size};
use clipmill_core::message::Message;
use clipmill_core::plan::{Context, DivisionSettings, Plan, plan};
use clipmill_core::request::model::{
    BaseMixParams, Clip, Group, MixOptions, Params, Subtitle, SubtitleStyle, TaskRequest,
};
use clipmill_core::segment::Toolchain;
use clipmill_core::subtitle::{Cue, FontMetrics, Subtitles};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

use crate::cache::{Cache, DeliveryMethod};
use crate::ffmpeg::args::Args;
use crate::ffmpeg::policy::input_args;
use crate::ffmpeg::process::{CrashCheck, Ffmpeg, Limits, Program, inherited};
use crate::fonts::Fonts;
use crate::ingest::probe::probe;
use crate::machine::Machine;
use crate::output::assemble::Output;
use crate::segment::renderer::Renderer;
use crate::source_file::SourceFile;
use crate::toolchain;

/// 320×180 at 25 frames a second, dark but for a square in the upper half; a tone of 440 Hz with an amplitude of 0.25.
const CLIP: &[u8] = include_bytes!("self_test/clip.mp4");
const CLIP_SECONDS: f64 = 2.0;
const CLIP_SIZE: Size = Size::new(320, 180);
/// Its integrated loudness (ITU-R BS.1770).
const CLIP_LUFS: f64 = -12.0;
/// The tolerance of the loudness.
const LOUDNESS_TOLERANCE: f64 = 2.0;
/// The caption's times in the output.
const CAPTION_MS: (u64, u64) = (1_000, 2_000);
/// The lower half of the output is darker than the first without its caption, and brighter than the second somewhere with it.
const DARK: u8 = 100;
const BRIGHT: u8 = 180;
/// The delay before a failed test is repeated: initial and maximum, doubling in between.
const REPEAT_FIRST: Duration = Duration::from_secs(2);
const MAX_REPEAT_INTERVAL: Duration = Duration::from_secs(30);
/// The time limit of a test.
const TIMEOUT: Duration = Duration::from_secs(120);
/// The file that records a pass, below the cache's folder.
const VERDICT: &str = "self-test.json";

/// The stage at which the test failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Tools,
    Files,
    Probe,
    Plan,
    Render,
    Assemble,
    Measure,
    /// The test as a whole took too long.
    Whole,
}

impl std::fmt::Display for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Tools => "looking for codecs and filters",
            Self::Files => "writing the clip",
            Self::Probe => "probing the clip",
            Self::Plan => "planning the output",
            Self::Render => "rendering segments with captions and audio",
            Self::Assemble => "mixing audio and joining segments",
            Self::Measure => "measuring the output",
            Self::Whole => "working",
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the self-test failed while {stage}: {reason}")]
pub struct Failure {
    pub stage: Stage,
    pub reason: String,
}

/// A test that passed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Report {
    pub seconds: f64,
    /// Whether captions were drawn, which needs a font.
    pub captions: bool,
}

/// Whether this machine can process media.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// The test has not ended yet.
    Unknown,
    Passed,
    Failed(Failure),
}

impl Condition {
    /// Why no work can currently be done, for operators.
    pub fn obstacle(&self) -> Option<String> {
        match self {
            Self::Unknown => Some("the self-test has not finished yet".to_owned()),
            Self::Passed => None,
            Self::Failed(failure) => Some(failure.to_string()),
        }
    }
}

pub struct SelfTest {
    ffmpeg: Ffmpeg,
    toolchain: Result<Toolchain, String>,
    fonts: Arc<Result<Fonts, Message>>,
    cache: Cache,
    /// Where a pass is recorded.
    verdict: PathBuf,
    /// The inputs that a pass depends on.
    key: String,
    condition: watch::Sender<Condition>,
    /// When the last test in this process began, and its outcome; locked while one runs.
    last: Mutex<Option<(Instant, Result<(), Failure>)>>,
}

#[derive(Serialize, Deserialize)]
struct Verdict {
    passed: String,
}

impl SelfTest {
    /// A test of these programs, which works in the cache's scratch folder. `settings` has all configuration that
    /// affects how they run.
    pub fn new(
        ffmpeg: Ffmpeg,
        toolchain: Result<Toolchain, String>,
        fonts: Arc<Result<Fonts, Message>>,
        cache: Cache,
        (folder, settings): (&Path, &str),
    ) -> Arc<Self> {
        let key = key(&ffmpeg, &toolchain, &fonts, settings);
        let condition = watch::Sender::new(Condition::Unknown);
        let (verdict, last) = (folder.join(VERDICT), Mutex::default());
        Arc::new(Self { ffmpeg, toolchain, fonts, cache, verdict, key, condition, last })
    }

    /// Whether the machine is known to work, as a watched value.
    pub fn condition(&self) -> watch::Receiver<Condition> {
        self.condition.subscribe()
    }

    /// Blames the machine for a crash if the test fails.
    pub fn crash_check(self: &Arc<Self>) -> CrashCheck {
        let test = self.clone();
        CrashCheck::new(move |_| {
            let (test, crashed) = (test.clone(), Instant::now());
            let previous = test.condition.borrow().clone();
            Box::pin(async move {
                test.since(crashed).await.map_err(|failure| failure.to_string())?;
                match previous {
                    // A later pass is no evidence about the moment of the crash.
                    Condition::Failed(_) => Err("it could not process media until a moment ago".to_owned()),
                    Condition::Unknown | Condition::Passed => Ok(()),
                }
            })
        })
    }

    /// Tests until it passes, and again whenever it fails later. Never returns.
    pub async fn watch(&self) {
        if self.has_passed_before() {
            tracing::debug!("the self-test has passed with these tools and settings before");
            self.condition.send_replace(Condition::Passed);
        }
        let (mut condition, mut wait) = (self.condition(), REPEAT_FIRST);
        loop {
            let now = condition.borrow_and_update().clone();
            match now {
                Condition::Passed => {
                    wait = REPEAT_FIRST;
                    // The sender lives as long as this.
                    let _ = condition.changed().await;
                    continue;
                }
                Condition::Unknown => {}
                Condition::Failed(_) => {
                    tokio::time::sleep(wait).await;
                    wait = (wait * 2).min(MAX_REPEAT_INTERVAL);
                }
            }
            let _ = self.since(Instant::now()).await;
        }
    }

    /// Runs the test unless one began after `moment`, and publishes the outcome. Crashes at about the same time share a
    /// test.
    async fn since(&self, moment: Instant) -> Result<(), Failure> {
        let mut last = self.last.lock().await;
        if let Some((_, outcome)) = last.as_ref().filter(|(began, _)| *began >= moment) {
            return outcome.clone();
        }
        let began = Instant::now();
        let outcome = match tokio::time::timeout(TIMEOUT, self.run()).await {
            Ok(outcome) => outcome,
            Err(_) => {
                let reason = format!("it was stopped after {} s", TIMEOUT.as_secs());
                Err(Failure { stage: Stage::Whole, reason })
            }
        };
        *last = Some((began, outcome.as_ref().map(drop).map_err(Clone::clone)));
        let previous = match &outcome {
            Ok(report) => {
                self.keep().await;
                let previous = self.condition.send_replace(Condition::Passed);
                if previous != Condition::Passed {
                    tracing::info!(
                        seconds = report.seconds,
                        captions = report.captions,
                        "the self-test passed"
                    );
                }
                return Ok(());
            }
            Err(failure) => self.condition.send_replace(Condition::Failed(failure.clone())),
        };
        if let Err(failure) = &outcome
            && previous != Condition::Failed(failure.clone())
        {
            tracing::error!(
                "{failure}. No work will start until it passes. Run `clipmill doctor` to repeat the test."
            );
        }
        outcome.map(drop)
    }

    fn has_passed_before(&self) -> bool {
        let text = std::fs::read(&self.verdict).ok();
        text.and_then(|text| serde_json::from_slice::<Verdict>(&text).ok())
            .is_some_and(|verdict| verdict.passed == self.key)
    }

    /// Records the pass for later starts; if that fails, they test again.
    async fn keep(&self) {
        let text = serde_json::to_vec(&Verdict { passed: self.key.clone() }).unwrap_or_default();
        if let Err(error) = tokio::fs::write(&self.verdict, text).await {
            tracing::debug!(%error, "the pass of the self-test cannot be recorded");
        }
    }

    /// Runs the test once.
    pub async fn run(&self) -> Result<Report, Failure> {
        // A crash on the clip is the machine's fault, and the failure describes how the program crashed.
        let crash = Arc::new(std::sync::Mutex::new(None));
        let crash_report = crash.clone();
        let crash_check = CrashCheck::new(move |description: String| {
            if let Ok(mut crash_report) = crash_report.lock() {
                crash_report.get_or_insert(description);
            }
            Box::pin(async { Err("it is the built-in clip".to_owned()) })
        });
        let outcome = self.run_with(&self.ffmpeg.with_crash_check(crash_check)).await;
        let crash = crash.lock().ok().and_then(|mut crash| crash.take());
        outcome.map_err(|failure| match crash {
            Some(reason) => Failure { reason, ..failure },
            None => failure,
        })
    }

    async fn run_with(&self, ffmpeg: &Ffmpeg) -> Result<Report, Failure> {
        let began = Instant::now();
        let failed = |stage| move |reason: String| Failure { stage, reason };
        let toolchain = self.toolchain.as_ref().map_err(|reason| failed(Stage::Tools)(reason.clone()))?;
        let missing = toolchain::capabilities(ffmpeg).await;
        let missing = missing.map_err(|error| failed(Stage::Tools)(error.to_string()))?;
        if !missing.is_empty() {
            return Err(failed(Stage::Tools)(toolchain::sentence(&missing)));
        }
        let test_clip = self.write_clip().await.map_err(failed(Stage::Files))?;
        let info = probed(ffmpeg, &test_clip.file).await.map_err(failed(Stage::Probe))?;
        let plan = self.planned(info, toolchain);
        let renderer = Renderer { ffmpeg: ffmpeg.clone(), cache: test_clip.cache, hardware: None };
        render(&renderer, &plan, &test_clip.file)
            .await
            .map_err(|error| failed(Stage::Render)(error.to_string()))?;
        let path = test_clip.scratch.file("output.mp4");
        let output = assemble(&renderer, plan, &path).await;
        let output = output.map_err(|(stage, reason)| failed(stage)(reason))?;
        let captions = self.fonts.is_ok();
        measure(ffmpeg, &output, &path, captions).await.map_err(failed(Stage::Measure))?;
        Ok(Report { seconds: began.elapsed().as_secs_f64(), captions })
    }

    async fn write_clip(&self) -> Result<TestClip, String> {
        let scratch = self.cache.scratch(&self.cache.unique("self-test")).await;
        let scratch = scratch.map_err(|error| error.to_string())?;
        let file = scratch.file("clip.mp4");
        tokio::fs::write(&file, CLIP).await.map_err(|error| format!("{}: {error}", file.display()))?;
        let cache = Cache::open(&scratch.file("cache")).await.map_err(|error| error.to_string())?;
        Ok(TestClip { scratch, file, cache })
    }

    /// The clip twice, once from its middle, with a caption from 1 to 2 s.
    fn planned(&self, info: MediaInfo, toolchain: &Toolchain) -> Plan {
        const NAME: &str = "clip.mp4";
        const CAPTIONS: &str = "captions.srt";
        let (start_ms, end_ms) = CAPTION_MS;
        let cue = Cue { start_ms, end_ms, text: "MMMMMMMM".into(), times: Vec::new() };
        let subtitles = Subtitles { cues: vec![cue], ..Subtitles::default() };
        let facts = Facts {
            media: BTreeMap::from([(NAME.to_owned(), Ok(info))]),
            subtitles: BTreeMap::from([(CAPTIONS.to_owned(), Ok(subtitles))]),
            ..Facts::default()
        };
        let clip = |from_s| Clip { url: NAME.to_owned(), from_s, ..Clip::default() };
        let style = SubtitleStyle { font_size: 18, magnification: 5.0, ..SubtitleStyle::DEFAULT };
        let subtitle = Subtitle::of_file(CAPTIONS, style);
        let options = MixOptions {
            size: CLIP_SIZE,
            preset: Some(Preset::Draft),
            subtitle: self.fonts.is_ok().then_some(subtitle),
            ..MixOptions::default()
        };
        let groups = vec![Group { videos: vec![clip(None), clip(Some(1.0))], total_duration_s: None }];
        let params = Params::BaseVideoMix(BaseMixParams { groups, options, seed: Some(1) });
        let request = TaskRequest {
            params,
            callback_url: None,
            client_task_id: None,
            name: None,
            labels: Vec::new(),
            max_points: None,
        };
        let context = Context {
            toolchain,
            font: self.fonts.as_ref().as_ref().map(|fonts| fonts as _).map_err(Clone::clone),
            encoding: Encoding::standard(2),
            max_item_seconds: 60,
            max_input_bytes: u64::MAX,
            division: DivisionSettings::WHOLE,
            is_wanted: &|| true,
        };
        plan(&request, 1, &facts, &context)
    }
}

/// The clip in a scratch folder, with a cache of its own.
struct TestClip {
    scratch: crate::cache::Scratch,
    file: PathBuf,
    cache: Cache,
}

fn content() -> ContentHash {
    ContentHash(hex::encode(Sha256::digest(CLIP)).into())
}

async fn probed(ffmpeg: &Ffmpeg, file: &Path) -> Result<MediaInfo, String> {
    let info = probe(ffmpeg, file, content()).await.map_err(|error| error.to_string())?;
    let (Some(video), Some(audio)) = (&info.video, &info.audio) else {
        return Err(format!("video and audio are expected, but the result is {info:?}"));
    };
    let lasts = |seconds: f64| (seconds - CLIP_SECONDS).abs() < 0.05;
    if video.coded != CLIP_SIZE || !lasts(video.duration_s) || !lasts(audio.duration_s) {
        return Err(format!("2 s of 320×180 are expected, but the result is {info:?}"));
    }
    Ok(info)
}

async fn render(renderer: &Renderer, plan: &Plan, file: &Path) -> Result<(), TaskError> {
    for (number, segment) in plan.segments.iter().enumerate() {
        let sources = segment.sources.iter();
        let files: Vec<SourceFile> =
            sources.map(|source| SourceFile { source: source.clone(), path: file.to_owned() }).collect();
        let attempt = format!("segment{number}");
        renderer.segment(&attempt, &segment.key, &segment.spec, &files, |_| {}).await?;
    }
    Ok(())
}

async fn assemble(renderer: &Renderer, plan: Plan, to: &Path) -> Result<Output, (Stage, String)> {
    let Some(item) = plan.items.into_iter().next() else {
        return Err((Stage::Plan, "there is no output".to_owned()));
    };
    let rendition = item.outcome.map_err(|error| (Stage::Plan, error.to_string()))?;
    let output = renderer.assemble("assemble", &rendition, to, DeliveryMethod::Copy).await;
    output.map_err(|error| (Stage::Assemble, error.to_string()))
}

/// Checks the visible and audible content of the output.
async fn measure(ffmpeg: &Ffmpeg, output: &Output, path: &Path, captions: bool) -> Result<(), String> {
    let loudness = output.quality.loudness_lufs.ok_or("the audio is silent")?;
    if (loudness - CLIP_LUFS).abs() > LOUDNESS_TOLERANCE {
        return Err(format!("the loudness is {loudness:.1} LUFS instead of {CLIP_LUFS}"));
    }
    // The brightest pixel of each frame's lower half.
    let half = (CLIP_SIZE.width * CLIP_SIZE.height / 2) as usize;
    let mut args = Args::default();
    args.add(["-nostdin", "-v", "error"]).extend(input_args(path));
    args.add(["-vf", "crop=iw:ih/2:0:ih/2,format=gray"]);
    args.add(["-fps_mode", "passthrough", "-f", "rawvideo", "pipe:1"]);
    let luma = ffmpeg.output(Program::Ffmpeg, &args.done(), Limits::wall(Duration::from_secs(60))).await;
    let luma = luma.map_err(|error| error.to_string())?;
    let frames: Vec<u8> =
        luma.chunks_exact(half).map(|frame| frame.iter().copied().max().unwrap_or(0)).collect();
    let planned = output.quality.frames_planned;
    if frames.len() as u64 != planned {
        return Err(format!("{} frames can be decoded instead of {planned}", frames.len()));
    }
    let at = |ms: u64| frames.get((ms * planned / 3_000) as usize).copied().unwrap_or(0);
    let (before, during) = (at(CAPTION_MS.0 / 2), at(CAPTION_MS.0.midpoint(CAPTION_MS.1)));
    if before > DARK {
        return Err(format!("the video is too bright ({before} of 255)"));
    }
    if captions && during < BRIGHT {
        return Err("the caption is not drawn".to_owned());
    }
    Ok(())
}

/// A hash of everything that a pass depends on.
fn key(
    ffmpeg: &Ffmpeg,
    toolchain: &Result<Toolchain, String>,
    fonts: &Result<Fonts, Message>,
    settings: &str,
) -> String {
    let kernel = rustix::system::uname();
    let kernel = [kernel.release(), kernel.version(), kernel.machine()].map(|part| part.to_bytes().to_vec());
    let programs = [&ffmpeg.ffmpeg, &ffmpeg.ffprobe].map(|program| {
        let file = crate::ffmpeg::sandbox::find(program);
        let about = file.as_ref().and_then(|file| std::fs::metadata(file).ok());
        (file, about.map(|about| (about.len(), about.modified().ok())))
    });
    let fonts = fonts.as_ref().map(|fonts| (fonts.family(), fonts.missing_scripts()));
    let version = env!("CARGO_PKG_VERSION");
    let limits = [rustix::process::Resource::As, rustix::process::Resource::Nproc];
    let limits = limits.map(|limit| rustix::process::getrlimit(limit).current);
    let surroundings = (kernel, inherited(), limits, Machine::this());
    let all = (version, programs, toolchain, fonts.ok(), settings, surroundings);
    hex::encode(Sha256::digest(format!("{all:?}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn test_in(folder: &Path, ffmpeg: Ffmpeg) -> Arc<SelfTest> {
        let toolchain = toolchain::detect(&ffmpeg).await.map_err(|error| error.to_string());
        test_of(folder, ffmpeg, toolchain).await
    }

    async fn test_of(folder: &Path, ffmpeg: Ffmpeg, toolchain: Result<Toolchain, String>) -> Arc<SelfTest> {
        let fonts = Fonts::load(None).map_err(|_| clipmill_core::message::no_font());
        let cache = Cache::open(folder).await.unwrap();
        SelfTest::new(ffmpeg, toolchain, Arc::new(fonts), cache, (folder, "of a test"))
    }

    #[tokio::test]
    async fn the_self_test_passes_and_is_cached() {
        let folder = tempfile::tempdir().unwrap();
        let test = test_in(folder.path(), Ffmpeg::default()).await;
        assert!(!test.has_passed_before());
        assert_eq!(test.since(Instant::now()).await, Ok(()));
        assert_eq!(*test.condition().borrow(), Condition::Passed);
        let again = test_in(folder.path(), Ffmpeg::default()).await;
        assert!(again.has_passed_before(), "the same tools and settings");
        assert!(std::fs::read_dir(folder.path().join("tmp")).unwrap().all(|entry| {
            let path = entry.unwrap().path();
            !path.is_dir() || std::fs::read_dir(path).unwrap().all(|file| !file.unwrap().path().is_dir())
        }));
    }

    #[tokio::test]
    async fn tools_without_effect_fail_the_self_test() {
        let folder = tempfile::tempdir().unwrap();
        let mut nothing = Ffmpeg::default();
        (nothing.ffmpeg, nothing.ffprobe) = ("/bin/true".into(), "/bin/true".into());
        let test = test_in(folder.path(), nothing).await;
        let failure = test.since(Instant::now()).await.unwrap_err();
        assert_eq!(failure.stage, Stage::Tools, "{failure}");
        assert_eq!(test.condition().borrow().obstacle(), Some(failure.to_string()));
    }

    #[tokio::test]
    async fn a_crashing_probe_fails_the_self_test_at_the_probe() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("crashing");
        std::fs::write(&script, "#!/bin/sh\nkill -SEGV $$\n").unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&script, mode).unwrap();
        let mut crashing = Ffmpeg::default();
        let toolchain = toolchain::detect(&crashing).await.map_err(|error| error.to_string());
        crashing.ffprobe = script;
        let test = test_of(folder.path(), crashing, toolchain).await;
        let failure = test.run().await.unwrap_err();
        assert_eq!(failure.stage, Stage::Probe, "{failure}");
        assert!(failure.reason.starts_with("ffprobe crashed (signal 11)"), "{failure}");
    }
}
