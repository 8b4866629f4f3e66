//! Conversions between the output's colours (BT.709, limited range) and RGB, with an explicit matrix: for filters that
//! work in RGB, ffmpeg would otherwise guess the matrix.

use crate::filter_graph::Filter;

/// Lets one thread run `zscale` on frames with alpha: with several, ffmpeg 9 leaves the lower part of the alpha channel
/// empty.
pub(crate) fn with_alpha(scale: Filter) -> Filter {
    scale.arg("threads", 1)
}

/// From the output's colours to full-range planar RGB.
pub(crate) fn to_rgb() -> [Filter; 2] {
    [
        Filter::new("zscale")
            .arg("matrixin", 709)
            .arg("rangein", "limited")
            .arg("matrix", "gbr")
            .arg("range", "full"),
        Filter::new("format").arg("pix_fmts", "gbrp"),
    ]
}

/// From planar RGB back to the output's colours.
pub(crate) fn from_rgb() -> [Filter; 2] {
    [
        Filter::new("zscale")
            .arg("matrixin", "gbr")
            .arg("rangein", "full")
            .arg("matrix", 709)
            .arg("range", "limited"),
        Filter::new("format").arg("pix_fmts", "yuv420p"),
    ]
}
