//! Conversions between the output's colours (BT.709, limited range) and RGB, with the matrix named: filters that work
//! in RGB would otherwise be given whatever matrix ffmpeg guesses.

use crate::filter_graph::Filter;

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
