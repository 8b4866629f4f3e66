//! Arguments that copy the video of a file into a container that can be read from the start again.

use std::ffi::OsString;
use std::path::Path;

use super::Args;
use crate::ingest::probe::input_args;

/// Copies the video stream `stream` of `source` to `output`.
pub fn rewrap(source: &Path, stream: u32, output: &Path) -> Vec<OsString> {
    let mut args = Args::default();
    args.add(["-fflags", "+genpts"]).extend(input_args(source));
    args.option("-map", format!("0:{stream}")).add(["-c", "copy", "-map_metadata", "-1"]);
    args.add(["-f", "matroska"]).file(output);
    args.done()
}
