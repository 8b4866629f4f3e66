//! Arguments for one video segment without encoding: the packets of its source are copied.

use std::ffi::OsString;
use std::path::Path;

use clipmill_core::segment::VideoSpec;

use super::Args;
use super::video::segment;
use crate::ffmpeg::policy::input_args;

/// Copies all frames of `source` to `output`, the first one's time being 0. The headers of the first frame, at which
/// decoding begins, are written to the log; SEI messages, which may be long, are not.
pub fn copy(spec: &VideoSpec, source: &Path, output: &Path) -> Vec<OsString> {
    let stream = format!("0:{}", spec.stream_index);
    let mut args = Args::default();
    args.add(["-v", "info", "-copyts"]).extend(input_args(source));
    args.option("-map", &stream).add(["-c", "copy", "-an", "-sn", "-dn"]);
    args.add(["-bsf:v", "setts=pts=PTS-STARTPTS:dts=DTS-STARTPTS"]);
    segment(&mut args, spec, output);
    args.option("-map", &stream).add(["-c", "copy", "-frames:v", "1"]);
    args.add(["-bsf:v", "filter_units=remove_types=6,trace_headers", "-f", "null", "-"]);
    args.done()
}
