//! Segments that a device encodes: decoded in one process, encoded in another, and checked more strictly.

use std::path::Path;

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::message;
use clipmill_core::segment::VideoSpec;

use crate::cache::Scratch;
use crate::error::disk_full;
use crate::failure::{SegmentError, out_of_space};
use crate::ffmpeg::args::{self, Strictness, VideoFiles};
use crate::ffmpeg::limits::video_limits;
use crate::ffmpeg::process::{PipedError, ProcessError, RunReport};
use crate::segment::hardware::Hardware;
use crate::segment::renderer::Renderer;

impl Renderer {
    /// Decodes in one process and encodes in another. The inner result is the decoder's.
    pub(crate) async fn by_device(
        &self,
        scratch: &Scratch,
        spec: &VideoSpec,
        files: &VideoFiles<'_>,
        strictness: Strictness,
        on_frames: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Result<RunReport, ProcessError>, SegmentError> {
        let able = |hardware: &&Hardware| hardware.encoder.as_str() == spec.encoder.codec;
        let Some(hardware) = self.hardware.as_ref().filter(able) else {
            return Err(SegmentError::FallBack(message::no_encoder(&*spec.encoder.codec)));
        };
        let decode = args::frames(spec, files, strictness);
        let input = args::DeviceInput { encoder: hardware.encoder, node: hardware.node.as_deref() };
        let encode = args::device(spec, &input, files.output);
        let run = self.ffmpeg.run_piped(
            (&decode, &encode),
            &hardware.devices,
            scratch.path(),
            video_limits(spec),
            |progress| on_frames(progress.frame),
        );
        match run.await {
            Ok(finished) => Ok(Ok(finished)),
            Err(PipedError::Decoder(error)) => Ok(Err(error)),
            Err(PipedError::Encoder(error)) if out_of_space(error.stderr()) => Err(disk_full().into()),
            Err(PipedError::Encoder(error)) => {
                hardware.record(true);
                Err(SegmentError::FallBack(message::encoder_failed_for(
                    &*spec.encoder.codec,
                    error.to_string(),
                )))
            }
        }
    }

    /// The outcome of a rendered segment: errors of its format are blamed on the device if one encoded it, on the
    /// source if it was copied.
    pub(crate) fn judged<T>(
        &self,
        spec: &VideoSpec,
        output: &Path,
        checked: Result<T, TaskError>,
    ) -> Result<T, SegmentError> {
        if spec.encoder.fallback.is_none() {
            return checked.map_err(SegmentError::Failed);
        }
        let outcome = match checked {
            Ok(_) if is_too_large(spec, output) => {
                Err(SegmentError::FallBack(message::rate_exceeded(&*spec.encoder.codec)))
            }
            Ok(checked) => Ok(checked),
            Err(error) if error.code == ErrorCode::RenderFailed => {
                Err(SegmentError::FallBack(message::about_input(&*spec.encoder.codec, error.message)))
            }
            Err(error) => Err(SegmentError::Failed(error)),
        };
        if let Some(hardware) = self.hardware.as_ref().filter(|_| !spec.encoder.is_copy()) {
            hardware.record(matches!(outcome, Err(SegmentError::FallBack(_))));
        }
        outcome
    }
}

/// Whether it is larger than a rate control with a buffer of two seconds allows.
fn is_too_large(spec: &VideoSpec, output: &Path) -> bool {
    const INDEX_BYTES: u64 = 64 << 10;
    let per_second = u64::from(spec.encoder.max_rate_kbps) * 125;
    let limit = per_second * (spec.frames.started_seconds(spec.fps) + 2) + INDEX_BYTES;
    output.metadata().is_ok_and(|metadata| metadata.len() > limit)
}
