//! Picture-in-picture: the video at a smaller size, over a background that fills the frame.

use crate::error::TaskError;
use crate::filter_graph::{Filter, Graph};
use crate::media::{MediaInfo, Size, VideoInfo};
use crate::plan::build::Builder;
use crate::plan::vary::layers::{Canvas, following};
use crate::plan::video::backdrop::{covering, typical_colour};
use crate::plan::video::clip::{fps_filter, numbered, scale, small_blur, twice};
use crate::plan::video::extra::ExtraInputs;
use crate::plan::video::extra::is_single;
use crate::request::model::Pip;

/// The output's own source, whose colour may fill the frame.
pub(crate) struct Source<'a> {
    pub info: &'a MediaInfo,
    pub video: &'a VideoInfo,
    pub url: &'a str,
    /// The colour filters that were applied to the video.
    pub colours: Vec<Filter>,
}

/// Places `graph`, at (100 − padding) percent, in the centre of its frame.
pub(crate) fn lay(
    graph: Graph,
    pip: &Pip,
    source: &Source,
    canvas: Canvas,
    builder: &Builder,
    inputs: &mut ExtraInputs,
) -> Result<Graph, TaskError> {
    let (x, y) = border(canvas.size, pip.padding_percent);
    let inner = scale(Size::new(canvas.size.width - 2 * x, canvas.size.height - 2 * y));
    let overlay = Filter::new("overlay").arg("x", x).arg("y", y).arg("eof_action", "repeat");
    let filled = match &pip.fill_url {
        Some(url) => Some(fill(url, pip.blurred, canvas, builder, inputs)?),
        None => None,
    };
    Ok(match (filled, pip.blurred) {
        (Some(fill), _) => fill.join(graph.then([inner]), overlay),
        (None, true) => graph.fork(blurred(canvas.size), vec![inner], overlay),
        (None, false) => {
            let keyframes = inputs.keyframes(source.info, source.video, source.url);
            let colour = typical_colour(keyframes, source.video).then(source.colours.clone());
            let colour = colour.then(single(canvas));
            let flat = Filter::new("scale")
                .arg("w", canvas.size.width)
                .arg("h", canvas.size.height)
                .arg("flags", "neighbor");
            colour.then([flat, opaque()]).join(graph.then([inner]), overlay)
        }
    })
}

/// A client's file that fills the frame, repeated indefinitely.
fn fill(
    url: &str,
    is_blurred: bool,
    canvas: Canvas,
    builder: &Builder,
    inputs: &mut ExtraInputs,
) -> Result<Graph, TaskError> {
    let (info, video) = builder.overlay(url)?;
    let mut change = covering(video, canvas.size);
    change.push(opaque());
    if is_blurred {
        change.extend(blurred(canvas.size));
    }
    let fill = inputs.looped(info, video, url);
    Ok(match is_single(video) {
        true => fill.then(single(canvas)).then(change),
        false => following(fill, video, canvas, change),
    })
}

/// Filters that keep one frame at the beginning, at the output's rate: the lower input sets the rate of an overlay.
fn single(canvas: Canvas) -> Vec<Filter> {
    let mut filters = twice().to_vec();
    filters.extend([fps_filter(canvas.fps.get().to_string()), Filter::new("trim").arg("end_frame", 1)]);
    if canvas.range.begin.0 > 0 {
        filters.extend(numbered(canvas.range.begin, canvas.fps));
    }
    filters
}

fn opaque() -> Filter {
    Filter::new("format").arg("pix_fmts", "yuv420p")
}

/// Filters that blur, and darken to 60 percent of light and colour.
fn blurred(size: Size) -> Vec<Filter> {
    let dark = Filter::new("lutyuv")
        .arg("y", "16+(val-16)*0.6")
        .arg("u", "128+(val-128)*0.6")
        .arg("v", "128+(val-128)*0.6");
    let [small, blur] = small_blur(size);
    vec![small, blur, dark, scale(size)]
}

/// The width of the border at the sides and at the top and bottom; even, so that chroma stays in place.
fn border(size: Size, padding_percent: f64) -> (u32, u32) {
    let one = |side: u32| {
        let most = (side.saturating_sub(2) / 4) * 2;
        ((f64::from(side) * padding_percent / 400.0).round() as u32 * 2).min(most)
    };
    (one(size.width), one(size.height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_border_is_half_the_padding_and_leaves_a_video() {
        assert_eq!(border(Size::new(1920, 1080), 10.0), (96, 54));
        assert_eq!(border(Size::new(1280, 720), 80.0), (512, 288));
        assert_eq!(border(Size::new(4, 2), 80.0), (0, 0));
        for (side, padding) in (1..200).flat_map(|half| [1.0, 33.0, 80.0].map(|padding| (2 * half, padding)))
        {
            let (x, _) = border(Size::new(side, side), padding);
            assert!(x % 2 == 0 && 2 * x < side, "{side} {padding}: {x}");
        }
    }
}
