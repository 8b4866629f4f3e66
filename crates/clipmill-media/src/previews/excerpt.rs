//! An excerpt of a file's unprocessed audio, for listening before a task is submitted.

use std::future::Future;
use std::path::Path;
use std::time::Duration;

use clipmill_core::error::TaskError;
use clipmill_core::media::{AudioInfo, MediaInfo};
use clipmill_core::plan::SourceRef;

use crate::engine::Engine;
use crate::error::MediaError;
use crate::failure::damaged;
use crate::ffmpeg::args::excerpt_args;
use crate::ffmpeg::process::Limits;
use crate::ingest::sources::SourceLocation;
use crate::source_file::SourceFile;

/// The time limit. The file may have to be read from its beginning.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Larger than any excerpt that a request can contain.
const MAX_BYTES: u64 = 4 << 20;

/// A planned excerpt of a file's audio.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedAudioExcerpt {
    pub source: SourceRef,
    pub audio: AudioInfo,
    pub at_s: f64,
    pub seconds: f64,
    /// The length of the whole audio.
    pub length_s: f64,
}

impl PlannedAudioExcerpt {
    /// The excerpt of `seconds` from `at_s`, limited to the length of the audio; `None` for a file without audio.
    pub fn of(info: &MediaInfo, url: &str, at_s: f64, seconds: f64) -> Option<Self> {
        let audio = info.audio.clone()?;
        let duration_s = audio.duration_s;
        let at_s = at_s.clamp(0.0, (duration_s - 0.1).max(0.0));
        let source = SourceRef::of(info, url);
        let seconds = seconds.min(duration_s - at_s).max(0.1);
        Some(Self { source, audio, at_s, seconds, length_s: duration_s })
    }
}

impl Engine {
    /// Probes the file and plans the excerpt. `locate` resolves the url.
    pub async fn plan_audio_excerpt<F>(
        &self,
        url: &str,
        at_s: f64,
        seconds: f64,
        locate: impl Fn(String) -> F,
    ) -> Result<PlannedAudioExcerpt, TaskError>
    where
        F: Future<Output = Result<SourceLocation, TaskError>>,
    {
        let info = self.probe_one(url, locate).await?;
        PlannedAudioExcerpt::of(&info, url, at_s, seconds).ok_or_else(|| clipmill_core::plan::no_audio(url))
    }

    /// Encodes the excerpt as AAC in MP4. `attempt` is unique among running attempts. Dropping the future kills the process.
    pub async fn make_audio_excerpt(
        &self,
        attempt: &str,
        planned: &PlannedAudioExcerpt,
    ) -> Result<Vec<u8>, TaskError> {
        let path = self.sources.path_of(&planned.source);
        let file = SourceFile { source: planned.source.clone(), path };
        let _space = self.renderer.cache.reserve(MAX_BYTES)?;
        let scratch = self.renderer.cache.scratch(attempt).await?;
        let output = scratch.file("sound.m4a");
        let args = excerpt_args(&file.path, &planned.audio, (planned.at_s, planned.seconds), &output);
        let limits = Limits::wall(TIMEOUT).file_bytes(MAX_BYTES).urgent();
        let run = self.renderer.ffmpeg.run_ffmpeg(&args, Some(scratch.path()), limits, |_| {});
        run.await.map_err(|error| damaged(&error, &file))?;
        Ok(read(&output).await?)
    }
}

async fn read(path: &Path) -> Result<Vec<u8>, MediaError> {
    tokio::fs::read(path).await.map_err(MediaError::file("read", path))
}
