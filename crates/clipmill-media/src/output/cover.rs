//! The cover that a client sets: made from the finished output, or from an image, in the sandbox of all rendering.

use std::path::Path;
use std::time::Duration;

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::message;
use clipmill_core::plan::{CoverPlan, CoverSource, FrameSpec, SourceRef};

use crate::cache::{DeliveryMethod, hand_over};
use crate::digest::digest;
use crate::failure::{damaged, out_of_space, render_failed};
use crate::ffmpeg::args::{self, Strictness};
use crate::ffmpeg::process::Limits;
use crate::ingest::damage;
use crate::output::assemble::Cover;
use crate::segment::renderer::Renderer;
use crate::segment::texts::{TextFiles, write_texts};
use crate::source_file::{SourceFile, find};

/// The time limit for a cover. Decoding a large image takes most of it.
const WALL: Duration = Duration::from_secs(60);
const CPU: Duration = Duration::from_secs(30);
/// The largest JPEG of an output's size.
const MAX_BYTES: u64 = 32 << 20;

impl Renderer {
    /// Makes the planned cover of the output at `output` and puts it beside the output, in place of the automatic one.
    /// `files` are those of [`CoverPlan::sources`]. `attempt` must be unique among all attempts in progress.
    pub async fn make_cover(
        &self,
        attempt: &str,
        plan: &CoverPlan,
        output: &Path,
        files: &[SourceFile],
    ) -> Result<Cover, TaskError> {
        let cover = output.with_extension("jpg");
        let own = match plan.source {
            CoverSource::Output => Some(output.to_owned()),
            CoverSource::Automatic => Some(cover.clone()),
            CoverSource::Image => None,
        };
        let own = own.map(|path| {
            let source =
                SourceRef { content: plan.video.source.clone(), url: String::new(), condition: None };
            SourceFile { source, path }
        });
        let files: Vec<SourceFile> = own.into_iter().chain(files.iter().cloned()).collect();
        let source = find(&files, Some(&plan.video.source))?;
        let _space = self.cache.reserve(MAX_BYTES)?;
        let scratch = self.cache.scratch(attempt).await?;
        let made = scratch.file("cover.jpg");
        let TextFiles { captions, emoji } = write_texts(&scratch, &plan.video, &files).await?;
        let named = args::VideoFiles {
            source: &source.path,
            inputs: &[],
            captions,
            emoji: emoji.as_ref(),
            output: &made,
        };
        let spec = FrameSpec { video: plan.video.clone(), frame: plan.frame, seek_us: plan.seek_us };
        let limits = Limits::wall(WALL).cpu(CPU).file_bytes(MAX_BYTES);
        let run = async |strictness| {
            let args = args::frame(&spec, &named, plan.video.size, strictness);
            self.ffmpeg.run_ffmpeg(&args, Some(scratch.path()), limits, |_| {}).await
        };
        let is_made = match plan.source {
            // A lenient decoder fills what it cannot read with green.
            CoverSource::Image => match run(Strictness::Strict).await {
                Ok(finished) if finished.stderr.trim().is_empty() => true,
                Err(error) if !error.is_failure() || out_of_space(error.stderr()) => {
                    return Err(damaged(&error, source));
                }
                _ => {
                    self.check_image(plan, source).await?;
                    false
                }
            },
            CoverSource::Output | CoverSource::Automatic => false,
        };
        if !is_made {
            run(Strictness::Lenient).await.map_err(|error| damaged(&error, source))?;
        }
        if !tokio::fs::metadata(&made).await.is_ok_and(|file| file.len() > 0) {
            return Err(render_failed(message::no_picture_then()));
        }
        hand_over(&made, &cover, DeliveryMethod::Copy).await?;
        let (sha256, _) = digest(&cover).await?;
        Ok(Cover { path: cover, sha256 })
    }

    /// Fails if so much of an image is damaged that it would be refused as an overlay too.
    async fn check_image(&self, plan: &CoverPlan, source: &SourceFile) -> Result<(), TaskError> {
        let damage = damage::measure(&self.ffmpeg, &source.path, plan.video.stream_index).await?;
        if damage.is_some_and(|damage| damage.is_tolerable()) {
            return Ok(());
        }
        Err(TaskError::new(ErrorCode::MaskInvalid, message::undecodable()).input(&source.source.url))
    }
}
