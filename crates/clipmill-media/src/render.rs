//! Making one segment: run, verify, put in its place. Nothing is decided here; the plan says it all.

use std::path::Path;
use std::time::Duration;

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::segment::{PictureSpec, SegmentHash, SegmentSpec, SoundSpec};

use crate::args::{self, Strictness};
use crate::cache::{Cache, Scratch, publish};
use crate::error::MediaError;
use crate::process::{Ffmpeg, Limits, ProcessError};
use crate::{damage, disk, verify, wav};

/// Whether a segment had to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    Rendered,
    Cached,
}

/// What rendering needs beside the plan.
#[derive(Debug, Clone)]
pub struct Renderer {
    pub ffmpeg: Ffmpeg,
    pub cache: Cache,
}

impl Renderer {
    /// Makes the segment unless it lies in the cache. `attempt` names this try among all that are alive;
    /// `source` is the file with the content that the specification names. Dropping the future kills the
    /// process and removes its files.
    pub async fn segment(
        &self,
        attempt: &str,
        hash: &SegmentHash,
        spec: &SegmentSpec,
        source: Option<&Path>,
        on_frames: impl FnMut(u64) + Send,
    ) -> Result<Made, TaskError> {
        if self.cache.has(hash, spec).await {
            return Ok(Made::Cached);
        }
        let _space = self.cache.reserve(planned_bytes(spec))?;
        let scratch = self.cache.scratch(attempt).await?;
        let made = match (spec, source) {
            (SegmentSpec::Picture(picture), Some(source)) => {
                self.picture(&scratch, picture, source, on_frames).await?
            }
            (SegmentSpec::Sound(sound), Some(source)) => self.sound(&scratch, sound, source).await?,
            (_, None) => {
                return Err(TaskError::new(ErrorCode::Internal, "a segment came without its source"));
            }
        };
        publish(&made, &self.cache.path(hash, spec)).await?;
        Ok(Made::Rendered)
    }

    async fn picture(
        &self,
        scratch: &Scratch,
        spec: &PictureSpec,
        source: &Path,
        mut on_frames: impl FnMut(u64) + Send,
    ) -> Result<std::path::PathBuf, TaskError> {
        let output = scratch.file("segment.mp4");
        let captions = write_captions(scratch, spec).await?;
        let run = async |strictness, on_frames: &mut (dyn FnMut(u64) + Send)| {
            let args = args::picture(spec, source, captions, &output, strictness);
            let limits = Limits::wall(wall_limit(spec)).file_bytes(2 * args::max_bytes(spec));
            self.ffmpeg
                .run_ffmpeg(&args, Some(scratch.path()), limits, |progress| on_frames(progress.frame))
                .await
        };
        if let Err(strict) = run(Strictness::Strict, &mut on_frames).await {
            self.check_tolerable(source, spec.stream_index, strict).await?;
            run(Strictness::Lenient, &mut on_frames).await.map_err(|error| damaged(&error))?;
        }
        verify::picture(&self.ffmpeg, &output, spec).await?;
        Ok(output)
    }

    async fn sound(
        &self,
        scratch: &Scratch,
        spec: &SoundSpec,
        source: &Path,
    ) -> Result<std::path::PathBuf, TaskError> {
        let output = scratch.file("segment.wav");
        let run = async |strictness| {
            let args = args::sound(spec, source, &output, strictness);
            let limits = Limits::wall(sound_wall_limit(spec)).file_bytes(wav_bytes(spec) + (1 << 20));
            self.ffmpeg.run_ffmpeg(&args, Some(scratch.path()), limits, |_| {}).await
        };
        if let Err(strict) = run(Strictness::Strict).await {
            self.check_tolerable(source, spec.stream_index, strict).await?;
            run(Strictness::Lenient).await.map_err(|error| damaged(&error))?;
        }
        match wav::count_samples(&output).map_err(MediaError::file("read", &output))? {
            Some(found) if found == spec.samples => Ok(output),
            found => Err(render_failed(format!("sound has {found:?} samples instead of {}", spec.samples.0))),
        }
    }

    /// After a strict decode failed: is so little of the stream unreadable that a player would not mind?
    async fn check_tolerable(
        &self,
        source: &Path,
        stream: u32,
        strict: ProcessError,
    ) -> Result<(), TaskError> {
        if !matches!(&strict, ProcessError::Failed { stderr, .. } if !out_of_space(stderr)) {
            return Err(damaged(&strict));
        }
        let damage = damage::measure(&self.ffmpeg, source, stream).await?;
        if damage.is_tolerable() { Ok(()) } else { Err(damaged(&strict)) }
    }
}

/// Writes the captions in view as our own ASS; the working directory makes its plain name enough.
async fn write_captions(scratch: &Scratch, spec: &PictureSpec) -> Result<Option<&'static str>, MediaError> {
    const NAME: &str = "captions.ass";
    let Some(view) = &spec.captions else { return Ok(None) };
    let path = scratch.file(NAME);
    tokio::fs::write(&path, view.to_ass()).await.map_err(MediaError::file("read", &path))?;
    Ok(Some(NAME))
}

/// Generous for a slow machine, far below for ever: two minutes and half a minute per second of output.
fn wall_limit(spec: &PictureSpec) -> Duration {
    Duration::from_secs(120 + 30 * spec.frames.started_seconds(spec.fps))
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
fn damaged(error: &ProcessError) -> TaskError {
    match error {
        ProcessError::TimedOut { after } => {
            let message =
                format!("the work was stopped after {} s; try a shorter or smaller file", after.as_secs());
            TaskError::new(ErrorCode::RenderTimeout, message)
        }
        ProcessError::Failed { stderr, .. } if out_of_space(stderr) => {
            disk::full()
        }
        ProcessError::TooMuchOutput { limit } => {
            render_failed(format!("the result grew beyond the {limit} bytes that were planned for it"))
        }
        ProcessError::Failed { stderr, .. } if stderr.contains("Cannot allocate memory") => {
            render_failed("the file needs more memory than one piece of work may have; use a smaller picture")
        }
        ProcessError::Failed { stderr, .. } => {
            let reason = stderr.lines().next().unwrap_or("no reason given");
            let reason = reason.rsplit_once("] ").map_or(reason, |(_, text)| text);
            let message = format!("the file cannot be decoded ({reason}); export or upload it again");
            TaskError::new(ErrorCode::MediaDamaged, message)
        }
        _ => {
            tracing::error!(%error, "ffmpeg could not be run");
            TaskError::new(ErrorCode::Internal, "the renderer could not be run")
        }
    }
}

pub(crate) fn out_of_space(stderr: &str) -> bool {
    stderr.contains("No space left on device")
}
