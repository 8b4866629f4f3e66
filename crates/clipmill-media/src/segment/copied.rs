//! Pictures that are in the output's form already: their packets as they are, checked like what was encoded.
//!
//! Whatever is not as planned, or not wholly in order, has the output encoded as a whole: what a damaged source is
//! worth, and what is to be said of it, shows there as it does for every other.

use std::path::{Path, PathBuf};

use clipmill_core::message;
use clipmill_core::segment::VideoSpec;

use crate::cache::Scratch;
use crate::ffmpeg::args;
use crate::ffmpeg::process::{Limits, ProcessError};
use crate::ingest::source_file::SourceFile;
use crate::output::verify;
use crate::segment::failure::{SegmentError, damaged, out_of_space};
use crate::segment::findings::Findings;
use crate::segment::limits::video_limits;
use crate::segment::renderer::Renderer;

/// Headers of one picture in words: a few hundred lines, some more where it has many slices.
const HEADER_BYTES: usize = 1 << 20;

impl Renderer {
    /// Makes the segment at `output`; tells what was found in it, and where a cover lies.
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
        let checked = verify::video(&self.ffmpeg, scratch, output, spec).await;
        self.judged(spec, output, checked)
    }
}

/// Whether it is the file that could not be copied, not the machine that could not copy.
fn is_its_own(error: &ProcessError) -> bool {
    match error {
        ProcessError::Failed { stderr, .. } => !out_of_space(stderr),
        ProcessError::TooMuchOutput { .. } | ProcessError::TimedOut { .. } => true,
        _ => false,
    }
}

/// What parameters may say of how pictures are shown, where they say anything: square, limited range, BT.709 or not
/// known.
const SHOWN: [(&str, &[&str]); 5] = [
    ("aspect_ratio_idc", &["0", "1"]),
    ("video_full_range_flag", &["0"]),
    ("colour_primaries", &["1", "2"]),
    ("transfer_characteristics", &["1", "2"]),
    ("matrix_coefficients", &["1", "2"]),
];

/// Players differ in whom they believe, so parameters must not contradict what the plan goes by.
fn is_shown_as_planned(log: &str) -> bool {
    SHOWN.iter().all(|(name, allowed)| values(log, name).all(|value| allowed.contains(&value)))
}

/// Whether a decoder that comes to the first picture still shows all that was decoded before it: no slice orders
/// otherwise, and the parameters tell how many pictures may wait for their turn, so that none is given up too early.
fn keeps_what_came_before(log: &str) -> bool {
    let mut orders = values(log, "no_output_of_prior_pics_flag").peekable();
    let waiting = values(log, "bitstream_restriction_flag").last();
    orders.peek().is_some() && orders.all(|order| order == "0") && waiting == Some("1")
}

/// Values of one field in what ffmpeg tells of headers: position, name, bits, `=`, value.
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
    fn only_what_leaves_others_alone_may_follow_them() {
        let check = |log: &str, expected| assert_eq!(keeps_what_came_before(log), expected, "{log}");
        check(&format!("{SET}{SLICE}{SLICE}"), true);
        check(&format!("{SET}{SLICE}{}", SLICE.replace("0 = 0", "1 = 1")), false);
        check(&format!("{}{SLICE}", SET.replace("1 = 1", "0 = 0")), false);
        check(SET, false);
        check(SLICE, false);
        check("", false);
    }
}
