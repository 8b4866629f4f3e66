//! Pictures of our own that many segments use: made once by filters, kept without loss.

use std::ffi::OsString;
use std::path::Path;

use clipmill_core::segment::Asset;

use super::Args;

/// Arguments that make the asset at `output`. One thread and no metadata: the same bytes each time.
pub fn asset(asset: &Asset, output: &Path) -> Vec<OsString> {
    let mut args = Args::default();
    args.option("-filter_complex", asset.graph.to_text("out")).add(["-map", "[out]"]);
    args.option("-frames:v", asset.frames.0).option("-r", asset.fps.get());
    args.add(["-c:v", "ffv1", "-level", "3", "-slices", "4", "-slicecrc", "0", "-threads:v", "1"]);
    args.add(["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"]);
    args.add(["-f", "matroska"]).file(output);
    args.done()
}
