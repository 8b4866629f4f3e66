//! One frame of an output as a JPEG: probes the files it needs, plans and renders it, in the same sandbox as outputs.

use std::future::Future;
use std::path::Path;
use std::time::Duration;

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::media::{Facts, MediaInfo, Size};
use clipmill_core::message;
use clipmill_core::plan::{
    FrameError, FrameSpec, InputKind, Moment, NeededInput, PlannedFrame, SourceRef, frame, frame_inputs,
    thumbnail,
};
use clipmill_core::request::model::TaskRequest;

use tokio::time::Instant;

use crate::cache::Scratch;
use crate::engine::Engine;
use crate::error::MediaError;
use crate::failure::{damaged, render_failed};
use crate::ffmpeg::args::{self, Strictness};
use crate::ffmpeg::process::Limits;
use crate::ingest::sources::SourceLocation;
use crate::segment::texts::{TextFiles, write_texts};
use crate::source_file::{SourceFile, find};

/// The processor time of one run.
const CPU: Duration = Duration::from_secs(5);
/// The time for a frame on a busy machine: less than others wait for a permit.
const WALL: Duration = Duration::from_secs(20);
/// The largest JPEG of this width.
const MAX_BYTES: u64 = 8 << 20;

impl Engine {
    /// Plans a frame from no more files than it needs. `locate` resolves a URL.
    pub async fn plan_frame<F>(
        &self,
        request: &TaskRequest,
        seed: u64,
        moment: &Moment,
        locate: impl Fn(String) -> F,
    ) -> Result<PlannedFrame, FrameError>
    where
        F: Future<Output = Result<SourceLocation, TaskError>>,
    {
        let mut facts = Facts::default();
        loop {
            let inputs = frame_inputs(request, seed, &facts, moment);
            if inputs.is_empty() {
                return frame(request, seed, &facts, &self.context(), moment);
            }
            self.probe_cached(inputs, &mut facts, &locate).await;
        }
    }

    /// A frame of one file, and the facts about the file.
    pub async fn plan_thumbnail<F>(
        &self,
        url: &str,
        at_s: Option<f64>,
        locate: impl Fn(String) -> F,
    ) -> Result<PlannedFrame, TaskError>
    where
        F: Future<Output = Result<SourceLocation, TaskError>>,
    {
        let info = self.probe_one(url, locate).await?;
        thumbnail(&info, url, &self.context(), at_s)
    }

    /// The facts about one file.
    pub async fn probe_one<F>(&self, url: &str, locate: impl Fn(String) -> F) -> Result<MediaInfo, TaskError>
    where
        F: Future<Output = Result<SourceLocation, TaskError>>,
    {
        let needed = NeededInput { url: url.to_owned(), kind: InputKind::Media };
        let mut facts = Facts::default();
        self.probe_cached(vec![needed], &mut facts, &locate).await;
        let unseen = || Err(render_failed(message::not_looked_at()));
        facts.media.remove(url).unwrap_or_else(unseen)
    }

    /// Probes files, except those that were probed a short while ago and still exist.
    pub(crate) async fn probe_cached<F>(
        &self,
        needed: Vec<NeededInput>,
        facts: &mut Facts,
        locate: &impl Fn(String) -> F,
    ) where
        F: Future<Output = Result<SourceLocation, TaskError>>,
    {
        let requested = needed.clone();
        let mut unknown = self.probe_cache.recall(needed, facts, Instant::now());
        for input in requested {
            if let Some(Ok(info)) = facts.media.get(&input.url)
                && !unknown.contains(&input)
                && !tokio::fs::try_exists(self.sources.path(&info.content)).await.unwrap_or(false)
            {
                facts.media.remove(&input.url);
                unknown.push(input);
            }
        }
        self.sources.probe_inputs(unknown.clone(), facts, locate).await;
        self.probe_cache.remember(&unknown, facts, Instant::now());
    }

    /// Makes the frame, no wider than `width`. `attempt` must be unique among all attempts in progress. Dropping the future
    /// kills the process.
    pub async fn make_frame(
        &self,
        attempt: &str,
        planned: &PlannedFrame,
        width: u32,
    ) -> Result<Vec<u8>, TaskError> {
        let file =
            |source: &SourceRef| SourceFile { source: source.clone(), path: self.sources.path_of(source) };
        let files: Vec<SourceFile> = planned.sources.iter().map(file).collect();
        let _space = self.renderer.cache.reserve(MAX_BYTES)?;
        let scratch = self.renderer.cache.scratch(attempt).await?;
        let deadline = Instant::now() + WALL;
        if let Some(quick) = &planned.quick {
            match self.frame(&scratch, quick, &files, width, deadline).await {
                Ok(Some(jpeg)) => return Ok(jpeg),
                // Reading it from the beginning takes even longer.
                Err(error) if error.code == ErrorCode::RenderTimeout => return Err(error),
                // The container has no index, or the stream cannot be decoded from here: read it from the beginning.
                Ok(None) => tracing::debug!("a frame could not be read from the middle of its file"),
                Err(error) => tracing::debug!(%error, "a frame could not be rendered quickly"),
            }
        }
        let jpeg = self.frame(&scratch, &planned.exact, &files, width, deadline).await?;
        jpeg.ok_or_else(|| render_failed(message::no_picture_then()))
    }

    /// `None` if the run succeeded without a frame.
    async fn frame(
        &self,
        scratch: &Scratch,
        spec: &FrameSpec,
        files: &[SourceFile],
        width: u32,
        deadline: Instant,
    ) -> Result<Option<Vec<u8>>, TaskError> {
        let source = find(files, Some(&spec.video.source))?;
        let output = scratch.file("still.jpg");
        let TextFiles { captions, emoji } = write_texts(scratch, &spec.video, files).await?;
        let inputs = self.renderer.inputs(scratch, &spec.video, files).await?;
        let named = args::VideoFiles {
            source: &source.path,
            inputs: &inputs,
            captions,
            emoji: emoji.as_ref(),
            output: &output,
        };
        let args = args::frame(spec, &named, shown(spec.video.size, width), Strictness::Lenient);
        let wall = deadline.saturating_duration_since(Instant::now());
        let limits = Limits::wall(wall).cpu(CPU).file_bytes(MAX_BYTES).urgent();
        let run = self.renderer.ffmpeg.run_ffmpeg(&args, Some(scratch.path()), limits, |_| {});
        run.await.map_err(|error| damaged(&error, source))?;
        Ok(read(&output).await?.filter(|picture| !picture.is_empty()))
    }
}

async fn read(path: &Path) -> Result<Option<Vec<u8>>, MediaError> {
    match tokio::fs::read(path).await {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(MediaError::file("read", path)(error)),
    }
}

/// The frame's size, or a smaller one of its shape.
fn shown(size: Size, width: u32) -> Size {
    if size.width <= width {
        return size;
    }
    let scale = f64::from(width) / f64::from(size.width);
    let even = |side: u32| ((f64::from(side) * scale / 2.0).round() as u32 * 2).max(2);
    Size::new(width / 2 * 2, even(size.height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_scaled_down_never_up() {
        let check = |(w, h), width, expected| {
            assert_eq!(
                shown(Size::new(w, h), width),
                Size::new(expected, shown(Size::new(w, h), width).height)
            );
        };
        check((1920, 1080), 720, 720);
        check((320, 180), 720, 320);
        check((1080, 1920), 361, 360);
        assert_eq!(shown(Size::new(1080, 1920), 720), Size::new(720, 1280));
        assert_eq!(shown(Size::new(3840, 2), 16), Size::new(16, 2));
    }
}
