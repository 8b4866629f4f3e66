//! Making one segment: run, verify, put in its place. Nothing is decided here; the plan says it all.

use std::path::PathBuf;
use std::time::Duration;

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::media::ContentHash;
use clipmill_core::plan::SourceRef;
use clipmill_core::segment::{Asset, InputOrigin, PictureSpec, SegmentHash, SegmentSpec, SoundSpec};
use clipmill_core::time::{Fps, Frames};

use tokio::time::Instant;

use crate::args::{self, Strictness};
use crate::cache::{Cache, Scratch, extension, publish};
use crate::check::Findings;
use crate::damage::{self, Damage};
use crate::disk;
use crate::error::MediaError;
use crate::hardware::Hardware;
use crate::process::{Ffmpeg, Finished, Limits, ProcessError};
use crate::progress::Progress;
use crate::{seam, verify, wav};

/// Whether a segment had to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    Rendered,
    Cached,
}

/// A file that a segment is made from: what is in it, what the client calls it, and where it lies.
#[derive(Debug, Clone)]
pub struct SourceFile {
    pub source: SourceRef,
    pub path: PathBuf,
}

/// What rendering needs beside the plan.
#[derive(Debug, Clone)]
pub struct Renderer {
    pub ffmpeg: Ffmpeg,
    pub cache: Cache,
    /// A device that encodes, where one was wanted and works.
    pub hardware: Option<Hardware>,
}

#[derive(Debug, thiserror::Error)]
pub enum SegmentError {
    /// The encoding device is missing, failed, or made something else than planned, or packets cannot be used as
    /// they are: the outputs that need the segment are to be planned again, as a whole, by what its settings fall
    /// back on.
    #[error("{0}")]
    FallBack(String),
    #[error(transparent)]
    Failed(#[from] TaskError),
}

impl From<MediaError> for SegmentError {
    fn from(error: MediaError) -> Self {
        Self::Failed(error.into())
    }
}

/// For those who cannot plan again.
impl From<SegmentError> for TaskError {
    fn from(error: SegmentError) -> Self {
        match error {
            SegmentError::Failed(error) => error,
            SegmentError::FallBack(reason) => {
                tracing::error!(reason, "a segment could not be made as planned");
                render_failed("the encoder failed; try again with libx264")
            }
        }
    }
}

/// A finished segment that is not in its place yet.
struct Segment {
    file: PathBuf,
    cover: Option<PathBuf>,
    findings: Findings,
}

impl Renderer {
    /// Makes the segment unless it lies in the cache. `attempt` names this try among all that are alive;
    /// `files` are all that the specification names. Dropping the future kills the process and removes its
    /// files.
    pub async fn segment(
        &self,
        attempt: &str,
        hash: &SegmentHash,
        spec: &SegmentSpec,
        files: &[SourceFile],
        on_frames: impl FnMut(u64) + Send,
    ) -> Result<Made, SegmentError> {
        let _in_use = self.cache.hold([hash.clone()]);
        if self.cache.bring(hash, extension(spec)).await? {
            return Ok(Made::Cached);
        }
        let _space = self.cache.reserve(planned_bytes(spec))?;
        let (scratch, started) = (self.cache.scratch(attempt).await?, Instant::now());
        let Segment { file, cover, findings } = match spec {
            SegmentSpec::Picture(picture) => self.picture(&scratch, picture, files, on_frames).await?,
            SegmentSpec::Sound(sound) => self.sound(&scratch, sound, files).await?,
        };
        let findings = Findings { made_ms: started.elapsed().as_millis() as u64, ..findings };
        // First what was found, so that nobody meets the segment without it.
        self.cache.keep_findings(&scratch, hash, &findings).await?;
        if let Some(cover) = cover {
            publish(&cover, &self.cache.cover(hash)).await?;
        }
        publish(&file, &self.cache.path(hash, spec)).await?;
        self.cache.share(hash, extension(spec)).await?;
        Ok(Made::Rendered)
    }

    async fn picture(
        &self,
        scratch: &Scratch,
        spec: &PictureSpec,
        files: &[SourceFile],
        mut on_frames: impl FnMut(u64) + Send,
    ) -> Result<Segment, SegmentError> {
        let source = find(files, Some(&spec.source))?;
        let output = scratch.file("segment.mp4");
        if spec.encoder.is_copy() {
            let (findings, cover) = self.copied(scratch, spec, source, &output).await?;
            return Ok(Segment { file: output, cover, findings });
        }
        let captions = write_captions(scratch, spec).await?;
        let inputs = self.inputs(scratch, spec, files).await?;
        let named = args::PictureFiles { source: &source.path, inputs: &inputs, captions, output: &output };
        let run = async |spec: &PictureSpec, strictness, on_frames: &mut (dyn FnMut(u64) + Send)| {
            if spec.encoder.fallback.is_some() {
                return self.by_device(scratch, spec, &named, strictness, on_frames).await;
            }
            let (args, limits) = (args::picture(spec, &named, strictness), picture_limits(spec));
            let on_progress = |progress: &Progress| on_frames(progress.frame);
            Ok(self.ffmpeg.run_ffmpeg(&args, Some(scratch.path()), limits, on_progress).await)
        };
        let mut strict = run(spec, Strictness::Strict, &mut on_frames).await?;
        let from_the_beginning = spec.from_the_beginning();
        if spec.is_entered() && is_doubtful(&strict, spec.frames) {
            // Not every stream can be entered in the middle; what the file is worth shows from its beginning.
            strict = run(&from_the_beginning, Strictness::Strict, &mut on_frames).await?;
        }
        let passed = strict.is_ok();
        if !passed {
            self.check_inputs(spec, files).await?;
        }
        let damage = self.damage(source, spec.stream_index, strict).await?;
        if !passed {
            let lenient = run(&from_the_beginning, Strictness::Lenient, &mut on_frames).await?;
            lenient.map_err(|error| damaged(&error, source))?;
        }
        let checked = verify::picture(&self.ffmpeg, scratch, &output, spec).await;
        let (findings, cover) = self.judged(spec, &output, checked)?;
        let damage = damage.map(|damage| damage.describe("picture"));
        Ok(Segment { file: output, cover, findings: Findings { damage, ..findings } })
    }

    /// Paths of a picture's further inputs, assets of ours made where they are missing.
    pub(crate) async fn inputs(
        &self,
        scratch: &Scratch,
        spec: &PictureSpec,
        files: &[SourceFile],
    ) -> Result<Vec<PathBuf>, TaskError> {
        let mut paths = Vec::with_capacity(spec.inputs.len());
        for input in &spec.inputs {
            paths.push(match &input.origin {
                InputOrigin::File(content) => {
                    let file = find(files, Some(content))?;
                    match input.rewrapped {
                        true => self.rewrapped(scratch, file, input.stream_index).await?,
                        false => file.path.clone(),
                    }
                }
                InputOrigin::Generated { asset, hash } => self.asset(scratch, asset, hash).await?,
            });
        }
        Ok(paths)
    }

    async fn rewrapped(
        &self,
        scratch: &Scratch,
        file: &SourceFile,
        stream: u32,
    ) -> Result<PathBuf, TaskError> {
        let path = &file.path;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let copy = scratch.file(&format!("{name}-{stream}.mkv"));
        let bytes = tokio::fs::metadata(path).await.map_err(MediaError::file("read", path))?.len();
        let limits = Limits::wall(Duration::from_secs(600)).file_bytes(2 * bytes + (64 << 20));
        let args = args::rewrap(path, stream, &copy);
        let run = self.ffmpeg.run_ffmpeg(&args, Some(scratch.path()), limits, |_| {});
        run.await.map_err(|error| damaged(&error, file))?;
        Ok(copy)
    }

    async fn asset(
        &self,
        scratch: &Scratch,
        asset: &Asset,
        hash: &SegmentHash,
    ) -> Result<PathBuf, TaskError> {
        let path = self.cache.asset(hash);
        let _in_use = self.cache.hold([hash.clone()]);
        if tokio::fs::try_exists(&path).await.unwrap_or(false) {
            return Ok(path);
        }
        let made = scratch.file("asset.mkv");
        let limits = Limits::wall(wall_limit(asset.frames, asset.fps));
        let args = args::asset(asset, &made);
        let run = self.ffmpeg.run_ffmpeg(&args, Some(scratch.path()), limits, |_| {});
        let found = run.await?.progress.frame;
        if found != asset.frames.0 {
            let message = format!("{} has {found} pictures instead of {}", asset.name, asset.frames.0);
            return Err(render_failed(message));
        }
        publish(&made, &path).await?;
        Ok(path)
    }

    async fn sound(
        &self,
        scratch: &Scratch,
        spec: &SoundSpec,
        files: &[SourceFile],
    ) -> Result<Segment, TaskError> {
        let source = find(files, spec.source.as_ref())?;
        let output = scratch.file("segment.wav");
        let run = async |strictness| {
            let args = args::sound(spec, &source.path, &output, strictness);
            let limits = Limits::wall(sound_wall_limit(spec)).file_bytes(2 * wav_bytes(spec) + (2 << 20));
            self.ffmpeg.run_ffmpeg(&args, Some(scratch.path()), limits, |_| {}).await
        };
        let strict = run(Strictness::Strict).await;
        let passed = strict.is_ok();
        let is_clean = strict.as_ref().is_ok_and(|run| run.stderr.trim().is_empty());
        let damage = self.damage(source, spec.stream_index, strict).await?;
        if !passed {
            run(Strictness::Lenient).await.map_err(|error| damaged(&error, source))?;
        }
        match wav::count_samples(&output).map_err(MediaError::file("read", &output))? {
            Some(found) if found == spec.samples => {
                if let Some(reach) = spec.seam {
                    let period = spec.loop_period.unwrap_or(spec.samples);
                    seam::close_all(&output, period, reach).map_err(MediaError::file("change", &output))?;
                }
                let damage = damage.map(|damage| damage.describe("sound"));
                let findings = Findings { damage, ..Findings::default() };
                Ok(Segment { file: output, cover: None, findings })
            }
            _ if !is_clean => Err(undecodable("its sound breaks off", source)),
            found => Err(render_failed(format!("sound has {found:?} samples instead of {}", spec.samples.0))),
        }
    }

    /// After a strict decode failed: is a mask or a fill to blame?
    async fn check_inputs(&self, spec: &PictureSpec, files: &[SourceFile]) -> Result<(), TaskError> {
        for input in &spec.inputs {
            let InputOrigin::File(content) = &input.origin else { continue };
            let file = find(files, Some(content))?;
            let damage = damage::measure(&self.ffmpeg, &file.path, input.stream_index).await?;
            if *content != spec.source && !damage.is_some_and(|damage| damage.is_tolerable()) {
                let message = "the file cannot be decoded; export or upload it again";
                return Err(TaskError::new(ErrorCode::MaskInvalid, message).input(&file.source.url));
            }
        }
        Ok(())
    }

    /// What a strict decode leaves to be said about the source: nothing, that a part is missing which a player
    /// would not mind, or that it cannot be used. A decoder passes over what stands before the first keyframe
    /// with a complaint only, so one that passed but complained is looked into as well.
    async fn damage(
        &self,
        source: &SourceFile,
        stream: u32,
        strict: Result<Finished, ProcessError>,
    ) -> Result<Option<Damage>, TaskError> {
        match strict {
            Ok(finished) if finished.stderr.trim().is_empty() => Ok(None),
            Ok(_) => {
                let damage = damage::measure(&self.ffmpeg, &source.path, stream).await?;
                let damage = damage.ok_or_else(|| undecodable("it cannot be read to its end", source))?;
                Ok(Some(damage).filter(|damage| !damage.is_none()))
            }
            Err(failed @ ProcessError::Failed { .. }) if !out_of_space(failed.stderr()) => {
                let damage = damage::measure(&self.ffmpeg, &source.path, stream).await?;
                let tolerable = damage.filter(Damage::is_tolerable);
                tolerable.map(Some).ok_or_else(|| damaged(&failed, source))
            }
            Err(other) => Err(damaged(&other, source)),
        }
    }
}

/// Whether a run that did not begin at a file's beginning may be to blame for what it says or lacks.
fn is_doubtful(run: &Result<Finished, ProcessError>, frames: Frames) -> bool {
    match run {
        Ok(finished) => !finished.stderr.trim().is_empty() || finished.progress.frame != frames.0,
        Err(failed) => matches!(failed, ProcessError::Failed { .. }) && !out_of_space(failed.stderr()),
    }
}

pub(crate) fn find<'a>(
    files: &'a [SourceFile],
    content: Option<&ContentHash>,
) -> Result<&'a SourceFile, TaskError> {
    let found = files.iter().find(|file| Some(&file.source.content) == content);
    found.ok_or_else(|| TaskError::new(ErrorCode::Internal, "a segment came without its source"))
}

/// Writes the captions in view as our own ASS; the working directory makes its plain name enough.
pub(crate) async fn write_captions(
    scratch: &Scratch,
    spec: &PictureSpec,
) -> Result<Option<&'static str>, MediaError> {
    const NAME: &str = "captions.ass";
    let Some(view) = &spec.captions else { return Ok(None) };
    let path = scratch.file(NAME);
    tokio::fs::write(&path, view.to_ass()).await.map_err(MediaError::file("read", &path))?;
    Ok(Some(NAME))
}

/// Generous for a slow machine, far below for ever: two minutes and half a minute per second of output.
pub(crate) fn wall_limit(frames: Frames, fps: Fps) -> Duration {
    Duration::from_secs(120 + 30 * frames.started_seconds(fps))
}

pub(crate) fn picture_limits(spec: &PictureSpec) -> Limits {
    // What lies before a part may have to be read as well.
    let before = spec.part.map_or(Frames(0), |part| part.begin);
    Limits::wall(wall_limit(before + spec.frames, spec.fps)).file_bytes(2 * args::max_bytes(spec))
}

fn sound_wall_limit(spec: &SoundSpec) -> Duration {
    Duration::from_secs(120 + spec.samples.0 / 24_000)
}

fn planned_bytes(spec: &SegmentSpec) -> u64 {
    match spec {
        SegmentSpec::Picture(picture) => args::max_bytes(picture),
        SegmentSpec::Sound(sound) => wav_bytes(sound),
    }
}

/// Stereo in 32 bit floats.
fn wav_bytes(spec: &SoundSpec) -> u64 {
    spec.samples.0.saturating_mul(8)
}

pub(crate) fn render_failed(message: impl Into<String>) -> TaskError {
    TaskError::new(ErrorCode::RenderFailed, message)
}

/// A decoder's complaint in the client's terms.
pub(crate) fn damaged(error: &ProcessError, source: &SourceFile) -> TaskError {
    match error {
        ProcessError::TimedOut { after } => {
            let message =
                format!("the work was stopped after {} s; try a shorter or smaller file", after.as_secs());
            TaskError::new(ErrorCode::RenderTimeout, message)
        }
        ProcessError::Failed { stderr, .. } if out_of_space(stderr) => disk::full(),
        ProcessError::TooMuchOutput { limit } => {
            render_failed(format!("the result grew beyond the {limit} bytes that were planned for it"))
        }
        ProcessError::Failed { stderr, .. } if stderr.contains("Cannot allocate memory") => {
            render_failed("the file needs more memory than one piece of work may have; use a smaller picture")
        }
        ProcessError::Failed { stderr, .. } => {
            let reason = stderr.lines().next().unwrap_or("no reason given");
            let reason = reason.rsplit_once("] ").map_or(reason, |(_, text)| text);
            undecodable(reason, source)
        }
        // It says nothing about the file.
        ProcessError::Killed => {
            tracing::error!(%error, "ffmpeg was ended");
            TaskError::new(ErrorCode::Internal, "the renderer was ended from outside; memory may be short")
        }
        _ => {
            tracing::error!(%error, "ffmpeg could not be run");
            TaskError::new(ErrorCode::Internal, "the renderer could not be run")
        }
    }
}

fn undecodable(reason: &str, source: &SourceFile) -> TaskError {
    let message = format!("the file cannot be decoded ({reason}); export or upload it again");
    TaskError::new(ErrorCode::MediaDamaged, message).input(&source.source.url)
}

pub(crate) fn out_of_space(stderr: &str) -> bool {
    stderr.contains("No space left on device")
}
