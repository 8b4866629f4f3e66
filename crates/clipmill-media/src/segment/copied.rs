//! Video that already has the output's format: its packets are copied, and checked like encoded ones.
//!
//! If anything is not as planned or damaged, the whole output is encoded: then a damaged source is checked and reported
//! like every other source.

use std::path::{Path, PathBuf};

use clipmill_core::message;
use clipmill_core::segment::VideoSpec;

use crate::cache::Scratch;
use crate::failure::{SegmentError, damaged, out_of_space};
use crate::ffmpeg::args;
use crate::ffmpeg::limits::video_limits;
use crate::ffmpeg::process::{Limits, ProcessError};
use crate::findings::Findings;
use crate::segment::renderer::Renderer;
use crate::source_file::SourceFile;
use crate::verification;

/// The log of one frame's headers: a few hundred lines, more if it has many slices.
const HEADER_BYTES: usize = 1 << 20;

impl Renderer {
    /// Makes the segment at `output`; returns the findings, and the path of a cover.
    pub(crate) async fn copied(
        &self,
        scratch: &Scratch,
        spec: &VideoSpec,
        source: &SourceFile,
        output: &Path,
    ) -> Result<(Findings, Option<PathBuf>), SegmentError> {
        let args = args::copy(spec, &source.path, output);
        let limits = Limits { stderr_bytes: HEADER_BYTES, ..video_limits(spec) };
        let run = self.ffmpeg.run_ffmpeg(&args, Some(scratch.path()), limits, |_| {}).await;
        let log = match run {
            Ok(finished) => finished.stderr,
            Err(error) if is_its_own(&error) => {
                return Err(SegmentError::FallBack(message::packets_not_copied()));
            }
            Err(other) => return Err(damaged(&other, source).into()),
        };
        if !is_shown_as_planned(&log) {
            return Err(SegmentError::FallBack(message::parameters_contradict()));
        }
        if !keeps_what_came_before(&log) {
            return Err(SegmentError::FallBack(message::picture_costs_last()));
        }
        let checked = verification::video(&self.ffmpeg, scratch, output, spec).await;
        self.judged(spec, output, checked)
    }
}

/// Whether the file could not be copied, rather than the machine failing to copy it.
fn is_its_own(error: &ProcessError) -> bool {
    match error {
        ProcessError::Failed { stderr, .. } => !out_of_space(stderr),
        ProcessError::TooMuchOutput { .. } | ProcessError::TimedOut { .. } | ProcessError::Crashed { .. } => {
            true
        }
        _ => false,
    }
}

/// The allowed values of display parameters, if they are set: square pixels, limited range, BT.709 or unknown.
const SHOWN: [(&str, &[&str]); 5] = [
    ("aspect_ratio_idc", &["0", "1"]),
    ("video_full_range_flag", &["0"]),
    ("colour_primaries", &["1", "2"]),
    ("transfer_characteristics", &["1", "2"]),
    ("matrix_coefficients", &["1", "2"]),
];

/// Players differ in which parameters they use, so these must not contradict the plan.
fn is_shown_as_planned(log: &str) -> bool {
    SHOWN.iter().all(|(name, allowed)| values(log, name).all(|value| allowed.contains(&value)))
}

/// Whether a decoder that reaches the first frame still shows everything that it decoded before: no slice prevents it,
/// and the parameters state how many frames may wait for display, so that none is dropped too early.
fn keeps_what_came_before(log: &str) -> bool {
    let mut orders = values(log, "no_output_of_prior_pics_flag").peekable();
    let waiting = values(log, "bitstream_restriction_flag").last();
    orders.peek().is_some() && orders.all(|order| order == "0") && waiting == Some("1")
}

/// The values of one field in ffmpeg's log of headers: position, name, bits, `=`, value.
fn values<'a>(log: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let fields = log.lines().map(str::split_whitespace);
    fields.filter_map(move |mut fields| {
        fields.find(|field| *field == name)?;
        fields.skip_while(|field| *field != "=").nth(1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SET: &str = "[trace_headers @ 0x5] 160  bitstream_restriction_flag  1 = 1\n";
    const SLICE: &str = "[trace_headers @ 0x5] 28   no_output_of_prior_pics_flag  0 = 0\n";

    #[test]
    fn parameters_may_be_silent_but_not_contradict() {
        let check = |field: &str, expected| {
            assert_eq!(is_shown_as_planned(&format!("{SET}{field}")), expected, "{field}");
        };
        check("", true);
        check("[trace_headers @ 0x5] 80   aspect_ratio_idc   00000001 = 1", true);
        check("[trace_headers @ 0x5] 80   aspect_ratio_idc   11111111 = 255", false);
        check("[trace_headers @ 0x5] 94   video_full_range_flag   1 = 1", false);
        check("[trace_headers @ 0x5] 96   matrix_coefficients   00000110 = 6", false);
        check("[trace_headers @ 0x5] 96   matrix_coefficients   00000010 = 2", true);
    }

    #[test]
    fn only_harmless_segments_may_follow_others() {
        let check = |log: &str, expected| assert_eq!(keeps_what_came_before(log), expected, "{log}");
        check(&format!("{SET}{SLICE}{SLICE}"), true);
        check(&format!("{SET}{SLICE}{}", SLICE.replace("0 = 0", "1 = 1")), false);
        check(&format!("{}{SLICE}", SET.replace("1 = 1", "0 = 0")), false);
        check(SET, false);
        check(SLICE, false);
        check("", false);
    }
}
