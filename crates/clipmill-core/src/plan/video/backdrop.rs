//! Masks and fills of videoDeduplication: a file that covers the frame, or its predominant colour.

use crate::color_space::to_rgb;
use crate::filter_graph::{Filter, Graph};
use crate::media::{Size, VideoInfo};

use super::clip::{scaled, tags};
use super::region::Region;
use super::source_color::{Color, to_srgb};

/// Scales a file of any size and shape to cover `size`, keeping alpha, in the output's colours once it is YUV. The region
/// is computed from the decoded frames, whatever a header says about size and rotation.
pub(crate) fn covering(video: &VideoInfo, size: Size) -> Vec<Filter> {
    let aspect = format!("{}/{}", size.width, size.height);
    let crop = Filter::new("crop")
        .arg("w", format!("max(min(iw,ih*({aspect})/sar),1)"))
        .arg("h", format!("max(min(ih,iw*sar/({aspect})),1)"));
    let scale = Filter::new("scale")
        .arg("w", size.width)
        .arg("h", size.height)
        .arg("flags", "bicubic+accurate_rnd+full_chroma_int");
    let color = Color::of(video);
    let scale = match color.swscale_matrix(video.still) {
        Some(matrix) => {
            scale.arg("in_color_matrix", matrix).arg("in_range", if color.full { "pc" } else { "tv" })
        }
        None => scale,
    };
    let to_709 = |scale: Filter| scale.arg("out_color_matrix", "bt709").arg("out_range", "tv");
    let square = Filter::new("setsar").arg("sar", 1);
    let Some(profile) = color.profile else { return vec![crop, to_709(scale), square] };
    let deep = Filter::new("format").arg("pix_fmts", color.deep_rgb());
    let converted = [crop, scale, deep].into_iter().chain(to_srgb(profile));
    converted.chain([to_709(Filter::new("scale")), square]).collect()
}

/// A small frame of a video's predominant colour: the mean of the most typical of its first keyframes, so that a black
/// beginning does not count.
pub(crate) fn typical_colour(keyframes: Graph, video: &VideoInfo) -> Graph {
    const SMALL: Size = Size::new(32, 18);
    let area = |width: u32, height: u32, how: &str| {
        Filter::new("scale").arg("w", width).arg("h", height).arg("flags", how)
    };
    keyframes
        .then([Filter::new("setpts").arg("expr", "N/TB")])
        .then(scaled(video, Region::whole(video.upright()), SMALL))
        .then(to_rgb())
        .then([
            Filter::new("thumbnail").arg("n", 64),
            Filter::new("trim").arg("end_frame", 1),
            Filter::new("setpts").arg("expr", 0),
            area(1, 1, "area"),
            area(16, 16, "neighbor").arg("out_color_matrix", "bt709").arg("out_range", "tv"),
            Filter::new("format").arg("pix_fmts", "yuv420p"),
            tags(),
        ])
}
