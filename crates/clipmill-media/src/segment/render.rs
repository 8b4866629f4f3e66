//! Renders one segment: runs ffmpeg, verifies the file and moves it into place. The plan makes all decisions.

use std::path::{Path, PathBuf};

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::message;
use clipmill_core::segment::{AudioSpec, SegmentKey, SegmentSpec, VideoSpec};
use clipmill_core::time::Frames;

use tokio::time::Instant;

use crate::audio::seam;
use crate::audio::wav;
use crate::cache::{Scratch, extension, publish};
use crate::error::MediaError;
use crate::failure::{SegmentError, damaged, out_of_space, reason, render_failed, undecodable};
use crate::ffmpeg::args::{self, Strictness};
use crate::ffmpeg::limits::{audio_wall_limit, planned_bytes, video_limits, wav_bytes};
use crate::ffmpeg::process::{Limits, ProcessError, Program, RunReport};
use crate::ffmpeg::progress::Progress;
use crate::findings::Findings;
use crate::ingest::damage::{self, Damage};
use crate::ingest::probe::repair;
use crate::segment::renderer::Renderer;
use crate::segment::texts::{TextFiles, write_texts};
use crate::source_file::{SourceFile, find};
use crate::verification;

/// Whether a segment had to be rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SegmentOrigin {
    Rendered,
    Cached,
}

/// A finished segment that is not in place yet.
struct Segment {
    file: PathBuf,
    cover: Option<PathBuf>,
    findings: Findings,
}

impl Renderer {
    /// Renders the segment unless it is in the cache. `attempt` must be unique among all attempts in progress; `files`
    /// are all files of the specification. Dropping the future kills the process and removes its files.
    pub async fn segment(
        &self,
        attempt: &str,
        key: &SegmentKey,
        spec: &SegmentSpec,
        files: &[SourceFile],
        on_frames: impl FnMut(u64) + Send,
    ) -> Result<SegmentOrigin, SegmentError> {
        let _in_use = self.cache.hold([key.clone()]);
        if self.cache.ensure_local(key, extension(spec)).await? {
            return Ok(SegmentOrigin::Cached);
        }
        let _space = self.cache.reserve(planned_bytes(spec))?;
        let (scratch, started) = (self.cache.scratch(attempt).await?, Instant::now());
        let Segment { file, cover, findings } = match spec {
            SegmentSpec::Video(picture) => self.video(&scratch, picture, files, on_frames).await?,
            SegmentSpec::Audio(sound) => self.audio(&scratch, sound, files).await?,
        };
        let findings = Findings { made_ms: started.elapsed().as_millis() as u64, ..findings };
        let mut conditions = files.iter().filter_map(|file| file.source.condition.as_ref());
        let findings = match conditions.find_map(|condition| condition.message()) {
            Some(message) => findings.with_damage(Some(&message)),
            None => findings,
        };
        // The findings come first, so that no process finds the segment without them.
        self.cache.keep_findings(&scratch, key, &findings).await?;
        if let Some(cover) = cover {
            publish(&cover, &self.cache.cover(key)).await?;
        }
        publish(&file, &self.cache.path(key, spec)).await?;
        self.cache.share(key, extension(spec)).await?;
        Ok(SegmentOrigin::Rendered)
    }

    async fn video(
        &self,
        scratch: &Scratch,
        spec: &VideoSpec,
        files: &[SourceFile],
        mut on_frames: impl FnMut(u64) + Send,
    ) -> Result<Segment, SegmentError> {
        let source = find(files, Some(&spec.source))?;
        let output = scratch.file("segment.mp4");
        if spec.encoder.is_copy() {
            let (findings, cover) = self.copied(scratch, spec, source, &output).await?;
            return Ok(Segment { file: output, cover, findings });
        }
        let TextFiles { captions, emoji } = write_texts(scratch, spec, files).await?;
        let inputs = self.inputs(scratch, spec, files).await?;
        let named = args::VideoFiles {
            source: &source.path,
            inputs: &inputs,
            captions,
            emoji: emoji.as_ref(),
            output: &output,
        };
        let run = async |spec: &VideoSpec, strictness, on_frames: &mut (dyn FnMut(u64) + Send)| {
            if spec.encoder.fallback.is_some() {
                return self.by_device(scratch, spec, &named, strictness, on_frames).await;
            }
            let (args, limits) = (args::video(spec, &named, strictness), video_limits(spec));
            let on_progress = |progress: &Progress| on_frames(progress.frame);
            Ok(self.ffmpeg.run_ffmpeg(&args, Some(scratch.path()), limits, on_progress).await)
        };
        let mut strict = run(spec, Strictness::Strict, &mut on_frames).await?;
        let from_the_beginning = spec.from_the_beginning();
        if spec.is_entered() && is_doubtful(&strict, spec.frames) {
            // Not every stream can be decoded from the middle; its beginning shows whether the file is usable.
            strict = run(&from_the_beginning, Strictness::Strict, &mut on_frames).await?;
        }
        // After an error in the middle, ffmpeg 6.1 ends early and reports success.
        let is_complete = strict.as_ref().is_ok_and(|run| run.progress.frame == spec.frames.0);
        let has_failed = !is_complete || strict.as_ref().is_ok_and(|run| !run.stderr.trim().is_empty());
        let of_inputs = if has_failed { self.check_inputs(spec, files, is_complete).await? } else { None };
        let damage = self.damage(source, spec.stream_index, strict, is_complete).await?;
        if !is_complete
            && let Err(error) = run(&from_the_beginning, Strictness::Lenient, &mut on_frames).await?
        {
            let is_intact = damage.as_ref().is_none_or(Damage::is_none);
            let error = match is_intact && error.is_failure() {
                true => self.ffmpeg.unexplained(Program::Ffmpeg, error).await,
                false => error,
            };
            return Err(damaged(&error, source).into());
        }
        self.must_be_there(&output, source).await?;
        let checked = verification::video(&self.ffmpeg, scratch, &output, spec).await;
        let (findings, cover) = self.judged(spec, &output, checked)?;
        let damage = damage.filter(Damage::lost_something).or(of_inputs);
        let damage = damage.map(|damage| damage.describe(message::the_picture()));
        Ok(Segment { file: output, cover, findings: findings.with_damage(damage.as_ref()) })
    }

    /// The paths of a video segment's further inputs.
    pub(crate) async fn inputs(
        &self,
        scratch: &Scratch,
        spec: &VideoSpec,
        files: &[SourceFile],
    ) -> Result<Vec<PathBuf>, TaskError> {
        let mut paths = Vec::with_capacity(spec.inputs.len());
        for input in &spec.inputs {
            let file = find(files, Some(&input.origin.file))?;
            paths.push(match input.rewrapped {
                true => self.rewrapped(scratch, file, input.stream_index).await?,
                false => file.path.clone(),
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
        let name = file.path.file_stem().unwrap_or_default().to_string_lossy();
        let copy = scratch.file(&format!("{name}-{stream}.mkv"));
        let repair = repair::copy_of(stream);
        let outcome = repair::make(&self.ffmpeg, &file.path, &repair, scratch.path(), &copy).await;
        outcome.map_err(|error| damaged(&error, file))?;
        Ok(copy)
    }

    async fn audio(
        &self,
        scratch: &Scratch,
        spec: &AudioSpec,
        files: &[SourceFile],
    ) -> Result<Segment, TaskError> {
        let source = find(files, spec.source.as_ref())?;
        let output = scratch.file("segment.wav");
        let run = async |strictness| {
            let args = args::audio(spec, &source.path, &output, strictness);
            let limits = Limits::wall(audio_wall_limit(spec)).file_bytes(2 * wav_bytes(spec) + (2 << 20));
            self.ffmpeg.run_ffmpeg(&args, Some(scratch.path()), limits, |_| {}).await
        };
        let strict = run(Strictness::Strict).await;
        let has_succeeded = strict.is_ok();
        let mut is_clean = strict.as_ref().is_ok_and(|run| run.stderr.trim().is_empty());
        let damage = self.damage(source, spec.stream_index, strict, has_succeeded).await?;
        if !has_succeeded {
            run(Strictness::Lenient).await.map_err(|error| damaged(&error, source))?;
        }
        self.must_be_there(&output, source).await?;
        let count = || wav::count_samples(&output).map_err(MediaError::file("read", &output));
        let mut sample_count = count()?;
        if sample_count != Some(spec.samples) {
            // Filters begin again, at time 0, when the audio changes its format in mid-stream.
            is_clean = self.audio_in_one_form(scratch, spec, source, &output).await?;
            sample_count = count()?;
        }
        match sample_count {
            Some(sample_count) if sample_count == spec.samples => {
                if let Some(reach) = spec.seam {
                    let period = spec.loop_period.unwrap_or(spec.samples);
                    seam::close_all(&output, period, reach).map_err(MediaError::file("change", &output))?;
                }
                let damage = damage.filter(Damage::lost_something);
                let damage = damage.map(|damage| damage.describe(message::the_sound()));
                let findings = Findings::default().with_damage(damage.as_ref());
                Ok(Segment { file: output, cover: None, findings })
            }
            _ if !is_clean => Err(undecodable(message::sound_breaks_off(), source)),
            sample_count => {
                Err(render_failed(message::sound_samples(format!("{sample_count:?}"), spec.samples.0)))
            }
        }
    }

    /// Makes the WAV at `output` from a copy of the audio that is first converted to one format. Returns whether ffmpeg
    /// reported no errors.
    async fn audio_in_one_form(
        &self,
        scratch: &Scratch,
        spec: &AudioSpec,
        source: &SourceFile,
        output: &Path,
    ) -> Result<bool, TaskError> {
        let copy = scratch.file("audio.mkv");
        let wall = Limits::wall(audio_wall_limit(spec));
        let args = args::audio_in_one_form(spec, &source.path, &copy);
        let run = self.ffmpeg.run_ffmpeg(&args, Some(scratch.path()), wall, |_| {}).await;
        let first = run.map_err(|error| damaged(&error, source))?;
        let spec = AudioSpec { stream_index: 0, channels: 2, ambisonic: false, origin_us: 0, ..spec.clone() };
        let args = args::audio(&spec, &copy, output, Strictness::Lenient);
        let limits = wall.file_bytes(2 * wav_bytes(&spec) + (2 << 20));
        let run = self.ffmpeg.run_ffmpeg(&args, Some(scratch.path()), limits, |_| {}).await;
        run.map_err(|error| damaged(&error, source))?;
        Ok(first.stderr.trim().is_empty())
    }

    /// An ffmpeg that reports success without a result has crashed in a way of its own.
    async fn must_be_there(&self, output: &Path, source: &SourceFile) -> Result<(), TaskError> {
        if tokio::fs::try_exists(output).await.unwrap_or(false) {
            return Ok(());
        }
        let error = self.ffmpeg.silent(Program::Ffmpeg, String::new()).await;
        Err(damaged(&error, source))
    }

    /// Checks after a strict decode with errors whether another input than the source is to blame: a mask, a fill or a
    /// second clip. Returns what a second clip lost. Masks matter only if the decode was not complete.
    async fn check_inputs(
        &self,
        spec: &VideoSpec,
        files: &[SourceFile],
        is_complete: bool,
    ) -> Result<Option<Damage>, TaskError> {
        let mut lost = None;
        let mut checked = Vec::new();
        for input in spec.inputs.iter().filter(|input| input.is_clip || !is_complete) {
            let content = &input.origin.file;
            if checked.contains(&content) {
                continue;
            }
            checked.push(content);
            let file = find(files, Some(content))?;
            let damage = damage::measure(&self.ffmpeg, &file.path, input.stream_index).await?;
            let tolerable = damage.filter(Damage::is_tolerable);
            if *content != spec.source && tolerable.is_none() {
                return Err(match input.is_clip {
                    true => undecodable(message::not_read_to_end(), file),
                    false => {
                        TaskError::new(ErrorCode::MaskInvalid, message::undecodable()).input(&file.source.url)
                    }
                });
            }
            lost = lost.or(tolerable.filter(|damage| input.is_clip && damage.lost_something()));
        }
        Ok(lost)
    }

    /// The result of a strict decode of the source: intact, damaged so little that a player would not mind, or
    /// unusable. A decoder only logs an error for data before the first keyframe, so a run that succeeded with errors
    /// is examined as well. `is_complete` is whether the run produced the complete planned result.
    async fn damage(
        &self,
        source: &SourceFile,
        stream: u32,
        strict: Result<RunReport, ProcessError>,
        is_complete: bool,
    ) -> Result<Option<Damage>, TaskError> {
        match strict {
            Ok(finished) if finished.stderr.trim().is_empty() => Ok(None),
            Ok(finished) if !is_complete => {
                let damage = damage::measure(&self.ffmpeg, &source.path, stream).await?;
                let tolerable = damage.filter(Damage::is_tolerable);
                tolerable.map(Some).ok_or_else(|| undecodable(reason(&finished.stderr), source))
            }
            Ok(_) => {
                let damage = damage::measure(&self.ffmpeg, &source.path, stream).await?;
                let damage = damage.ok_or_else(|| undecodable(message::not_read_to_end(), source))?;
                Ok(Some(damage).filter(|damage| !damage.is_none()))
            }
            Err(failed) if failed.is_failure() && !out_of_space(failed.stderr()) => {
                let damage = damage::measure(&self.ffmpeg, &source.path, stream).await?;
                let tolerable = damage.filter(Damage::is_tolerable);
                tolerable.map(Some).ok_or_else(|| damaged(&failed, source))
            }
            Err(other) => Err(damaged(&other, source)),
        }
    }
}

/// Whether starting in the middle of a file may have caused the errors or gaps of a run.
fn is_doubtful(run: &Result<RunReport, ProcessError>, frames: Frames) -> bool {
    match run {
        Ok(finished) => !finished.stderr.trim().is_empty() || finished.progress.frame != frames.0,
        Err(failed) => failed.is_failure() && !out_of_space(failed.stderr()),
    }
}
