//! The pictures of a file in a container that can be begun again, not decoded.

use std::ffi::OsString;
use std::path::Path;

use super::Args;
use crate::ingest::probe::input_args;

/// Arguments that copy the picture stream `stream` of `source` to `output`.
pub fn rewrap(source: &Path, stream: u32, output: &Path) -> Vec<OsString> {
    let mut args = Args::default();
    args.add(["-fflags", "+genpts"]).extend(input_args(source));
    args.option("-map", format!("0:{stream}")).add(["-c", "copy", "-map_metadata", "-1"]);
    args.add(["-f", "matroska"]).file(output);
    args.done()
}
