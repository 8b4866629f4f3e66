//! Conversions between the output's colours (BT.709, limited range) and RGB, with an explicit matrix: for filters that
//! work in RGB, ffmpeg would otherwise guess the matrix.

use crate::filter_graph::Filter;
use crate::subtitle::Rgba;

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

/// Y, Cb and Cr of a colour by BT.709, in limited range; chroma counts from its middle.
pub(crate) fn ycc(color: Rgba) -> [f64; 3] {
    let [r, g, b] = [color.r, color.g, color.b].map(|part| f64::from(part) / 255.0);
    let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    [16.0 + 219.0 * y, 224.0 * (b - y) / 1.8556, 224.0 * (r - y) / 1.5748]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_those_of_bt709() {
        let of = |r, g, b| ycc(Rgba { r, g, b, a: 255 }).map(f64::round);
        assert_eq!(of(0, 255, 0), [173.0, -86.0, -102.0]);
        assert_eq!(of(255, 255, 255), [235.0, 0.0, 0.0]);
        assert_eq!(of(0, 0, 255), [32.0, 112.0, -10.0]);
    }
}
