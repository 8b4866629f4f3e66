//! The form of a source's frames: the properties that its graph depends on, and the one form that all frames are
//! converted to.

use crate::filter_graph::{FrameForm, Graph};
use crate::media::{ColorInfo, Size, Turn, VideoInfo};

/// Everything about a source that its graph depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct SourceKey<'a> {
    stream_index: u32,
    coded: Size,
    pix_fmt: &'a str,
    rotation: u32,
    sample_aspect: (u32, u32),
    color: &'a ColorInfo,
    interlaced: bool,
    still: bool,
    oriented: bool,
    turn: Option<Turn>,
    alone: bool,
    /// The bits of a floating-point number, which are only compared.
    start: u64,
    rate: u64,
}

impl<'a> SourceKey<'a> {
    pub fn of(video: &'a VideoInfo) -> Self {
        let VideoInfo {
            stream_index,
            // The graph depends on these only through the timing.
            codec: _,
            duration_s: _,
            frames,
            // How packets are arranged does not change the graph.
            avc: _,
            keyframe_interval_s: _,
            coded,
            pix_fmt,
            rotation,
            sample_aspect,
            color,
            interlaced,
            start_s,
            rate,
            still,
            oriented,
            turn,
        } = video;
        Self {
            stream_index: *stream_index,
            coded: *coded,
            pix_fmt,
            rotation: *rotation,
            sample_aspect: *sample_aspect,
            color,
            interlaced: *interlaced,
            still: *still,
            oriented: *oriented,
            turn: *turn,
            alone: *frames <= 1,
            start: start_s.to_bits(),
            rate: rate.to_bits(),
        }
    }
}

/// The frames of a segment's source.
pub(crate) fn frames_of(video: &VideoInfo) -> Graph {
    Graph::input_in(0, video.stream_index, frame_form(video))
}

/// The matrices that `scale` accepts; ffmpeg 7 and later fail with others.
const SCALED_MATRICES: [&str; 7] = ["gbr", "bt709", "fcc", "bt470bg", "smpte170m", "smpte240m", "bt2020nc"];

/// The form that all frames are converted to: files from video calls and broadcasts change it in mid-stream. `None` if
/// there is one frame only, if the filter does not know the colour matrix, or if ffmpeg turns the frames by an odd
/// angle: the filters that turn them then come first, and they expect the same size throughout.
pub(crate) fn frame_form(video: &VideoInfo) -> Option<FrameForm> {
    let is_turned_here = video.turn.is_some() || (video.rotation == 0 && !video.oriented);
    let may_change = !video.still && video.frames > 1 && is_turned_here;
    let is_known = video.color.matrix.as_deref().is_none_or(|matrix| SCALED_MATRICES.contains(&matrix));
    let form = || FrameForm { size: video.coded, pix_fmt: video.pix_fmt.clone(), turn: video.turn };
    (may_change && is_known && !video.pix_fmt.is_empty()).then(form)
}
