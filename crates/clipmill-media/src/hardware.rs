//! Encoders of graphics devices: found by a trial when the service starts, used through a pipe.
//!
//! Nothing is believed about them. What a device made is checked like everything else; what it cannot do, or not
//! well, is [`SegmentError::FallBack`], and whoever asked has the whole output made by libx264. One that fails again
//! and again is not planned with any more.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use clipmill_core::encoding::{Encoder, EncoderChoice, Encoding};
use clipmill_core::error::ErrorCode;
use clipmill_core::segment::PictureSpec;

use crate::args::{self, PictureFiles, Strictness};
use crate::cache::Scratch;
use crate::disk;
use crate::process::{Finished, PipedError, ProcessError};
use crate::render::{Renderer, SegmentError, out_of_space, picture_limits};

mod trial;

/// So many failures one after the other, and a device is left alone until the next start.
const PATIENCE: u32 = 3;

/// A device that passed the trial.
#[derive(Debug, Clone)]
pub struct Hardware {
    pub encoder: Encoder,
    /// Its render node, where the encoder wants one named.
    pub node: Option<PathBuf>,
    devices: Vec<PathBuf>,
    failures: Arc<AtomicU32>,
}

/// An encoder that did not pass, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub encoder: Encoder,
    pub reason: String,
}

impl Hardware {
    /// The first of the wanted encoders that works here, and those that do not.
    pub async fn find(
        renderer: &Renderer,
        choice: EncoderChoice,
        encoding: &Encoding,
    ) -> (Option<Self>, Vec<Refused>) {
        let mut refused = Vec::new();
        for encoder in choice.candidates() {
            for node in nodes(*encoder, Path::new("/dev/dri")) {
                let hardware = Self {
                    encoder: *encoder,
                    node,
                    devices: devices(Path::new("/dev")),
                    failures: Arc::default(),
                };
                match trial::pass(renderer, &hardware, encoding).await {
                    Ok(()) => return (Some(hardware), refused),
                    Err(reason) => refused.push(Refused { encoder: *encoder, reason }),
                }
            }
        }
        (None, refused)
    }

    /// Whether it is worth planning with.
    pub fn is_well(&self) -> bool {
        self.failures.load(Ordering::Relaxed) < PATIENCE
    }

    fn note(&self, failed: bool) {
        if !failed {
            self.failures.store(0, Ordering::Relaxed);
        } else if self.failures.fetch_add(1, Ordering::Relaxed) + 1 == PATIENCE {
            let encoder = self.encoder.as_str();
            tracing::error!(
                encoder,
                "the encoder failed again and again; libx264 is used until the next start"
            );
        }
    }
}

/// Render nodes to try. An encoder that is not told which finds its device by itself.
fn nodes(encoder: Encoder, folder: &Path) -> Vec<Option<PathBuf>> {
    let mut nodes = match encoder {
        Encoder::H264Vaapi | Encoder::H264Qsv => listed(folder, &["renderD"]),
        Encoder::H264Nvenc | Encoder::Libx264 => Vec::new(),
    };
    nodes.sort();
    if nodes.is_empty() { vec![None] } else { nodes.into_iter().map(Some).collect() }
}

/// All that the encoding process may open beside its own folder.
fn devices(folder: &Path) -> Vec<PathBuf> {
    let mut found = listed(folder, &["nvidia"]);
    // Where it is not there, naming it allows nothing; without any device, a run would be confined as a decoder is.
    found.push(folder.join("dri"));
    found.sort();
    found
}

fn listed(folder: &Path, beginnings: &[&str]) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let wanted = |entry: &std::fs::DirEntry| {
        let name = entry.file_name();
        beginnings.iter().any(|beginning| name.to_string_lossy().starts_with(beginning))
    };
    entries.filter(wanted).map(|entry| entry.path()).collect()
}

impl Renderer {
    /// Decodes in one process and encodes in another. The answer within is the decoder's.
    pub(crate) async fn by_device(
        &self,
        scratch: &Scratch,
        spec: &PictureSpec,
        files: &PictureFiles<'_>,
        strictness: Strictness,
        on_frames: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Result<Finished, ProcessError>, SegmentError> {
        let able = |hardware: &&Hardware| hardware.encoder.as_str() == spec.encoder.codec;
        let Some(hardware) = self.hardware.as_ref().filter(able) else {
            return Err(SegmentError::FallBack(format!("there is no {} here", spec.encoder.codec)));
        };
        let decode = args::frames(spec, files, strictness);
        let input = args::Input { encoder: hardware.encoder, node: hardware.node.as_deref() };
        let encode = args::device(spec, &input, files.output);
        let run = self.ffmpeg.run_piped(
            (&decode, &encode),
            &hardware.devices,
            scratch.path(),
            picture_limits(spec),
            |progress| on_frames(progress.frame),
        );
        match run.await {
            Ok(finished) => Ok(Ok(finished)),
            Err(PipedError::Decoder(error)) => Ok(Err(error)),
            Err(PipedError::Encoder(error)) if out_of_space(error.stderr()) => Err(disk::full().into()),
            Err(PipedError::Encoder(error)) => {
                hardware.note(true);
                Err(SegmentError::FallBack(format!("{} failed: {error}", spec.encoder.codec)))
            }
        }
    }

    /// What became of a segment that was made: errors of its form are the device's where one made it, the source's
    /// where it was copied.
    pub(crate) fn judged<T>(
        &self,
        spec: &PictureSpec,
        output: &Path,
        checked: Result<T, clipmill_core::error::TaskError>,
    ) -> Result<T, SegmentError> {
        if spec.encoder.fallback.is_none() {
            return checked.map_err(SegmentError::Failed);
        }
        let outcome = match checked {
            Ok(_) if is_too_large(spec, output) => {
                Err(SegmentError::FallBack(format!("{} exceeded the greatest rate", spec.encoder.codec)))
            }
            Ok(checked) => Ok(checked),
            Err(error) if error.code == ErrorCode::RenderFailed => {
                Err(SegmentError::FallBack(format!("{}: {}", spec.encoder.codec, error.message)))
            }
            Err(error) => Err(SegmentError::Failed(error)),
        };
        if let Some(hardware) = self.hardware.as_ref().filter(|_| !spec.encoder.is_copy()) {
            hardware.note(matches!(outcome, Err(SegmentError::FallBack(_))));
        }
        outcome
    }
}

/// More than a rate control with a buffer of two seconds lets pass.
fn is_too_large(spec: &PictureSpec, output: &Path) -> bool {
    const INDEX_BYTES: u64 = 64 << 10;
    let per_second = u64::from(spec.encoder.max_rate_kbps) * 125;
    let limit = per_second * (spec.frames.started_seconds(spec.fps) + 2) + INDEX_BYTES;
    output.metadata().is_ok_and(|found| found.len() > limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_is_tried_and_nothing_else_is_opened() {
        let dev = tempfile::tempdir().unwrap();
        let folder = dev.path();
        std::fs::create_dir(folder.join("dri")).unwrap();
        for name in ["dri/renderD129", "dri/renderD128", "dri/card0", "nvidia0", "nvidiactl", "sda"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        let dri = folder.join("dri");
        let both = ["renderD128", "renderD129"].map(|name| Some(dri.join(name)));
        assert_eq!(nodes(Encoder::H264Vaapi, &dri), both);
        assert_eq!(nodes(Encoder::H264Nvenc, &dri), [None]);
        assert_eq!(nodes(Encoder::H264Qsv, &folder.join("none")), [None]);
        assert_eq!(devices(folder), ["dri", "nvidia0", "nvidiactl"].map(|name| folder.join(name)));
    }
}
