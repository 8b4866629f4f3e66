//! Arguments that copy streams of a file into another container.

use std::ffi::OsString;
use std::path::Path;

use clipmill_core::media::Repair;

use super::Args;
use crate::ingest::probe::input_args;

/// Copies streams of `source` to `output`, with timestamps as ffmpeg corrects them.
pub fn rewrap(source: &Path, repair: &Repair, output: &Path) -> Vec<OsString> {
    let mut args = Args::default();
    args.add(["-fflags", "+genpts"]);
    if let Some(demuxer) = &repair.demuxer {
        args.option("-f", demuxer);
    }
    args.extend(input_args(source));
    for stream in &repair.streams {
        args.option("-map", format!("0:{stream}"));
    }
    args.add(["-c", "copy", "-map_metadata", "-1"]).option("-f", &repair.muxer).file(output);
    args.done()
}
