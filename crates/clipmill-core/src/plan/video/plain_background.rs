//! A colour behind a clip that does not fill the frame.

use crate::color_space::ycc;
use crate::filter_graph::{Filter, Graph};
use crate::media::Size;
use crate::request::model::Rgba;

/// Places the video, changed by `front`, over a frame of this colour, which is changed by `behind`. The frame has the times
/// of the video. It is a table's result because the filters that take colours convert them as SD video in ffmpeg 5.
pub(crate) fn over_color(
    picture: Graph,
    front: Vec<Filter>,
    behind: Vec<Filter>,
    color: Rgba,
    size: Size,
) -> Graph {
    let [y, u, v] = ycc(color);
    let [y, u, v] = [y, u + 128.0, v + 128.0].map(f64::round);
    let plain = vec![
        Filter::new("format").arg("pix_fmts", "yuv420p"),
        Filter::new("crop").arg("w", 2).arg("h", 2),
        Filter::new("scale").arg("w", size.width).arg("h", size.height).arg("flags", "neighbor"),
        Filter::new("lutyuv").arg("y", y).arg("u", u).arg("v", v),
    ];
    let overlay = Filter::new("overlay").arg("x", "(W-w)/4*2").arg("y", "(H-h)/4*2");
    picture.fork([plain, behind].concat(), front, overlay)
}
