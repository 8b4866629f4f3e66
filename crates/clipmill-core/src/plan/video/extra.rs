//! Inputs of a segment beside its source, collected while its graph is built.

use crate::filter_graph::Graph;
use crate::media::{MediaInfo, VideoInfo};
use crate::plan::SourceRef;
use crate::plan::parts::{Range, is_seekable};
use crate::plan::video::clip::{SAFE_LEAD_S, seek_us};
use crate::plan::video::source_key::frame_form;
use crate::segment::{ExtraInput, InputOrigin};
use crate::time::Fps;

/// Formats whose demuxers cannot seek back to the start: looping them ends early, or hangs.
const CANNOT_BEGIN_AGAIN: [&str; 2] = ["mpegts", "mpeg"];

/// Further inputs of one video segment. Each method returns the graph of one input's frames; an input that is requested
/// again is opened only once.
#[derive(Default)]
pub(crate) struct ExtraInputs {
    inputs: Vec<ExtraInput>,
    sources: Vec<SourceRef>,
    /// The range of the output that is made.
    range: Option<(Range, Fps)>,
}

/// The repetition of a loop that is current at the beginning of a range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pass {
    /// When it begins.
    begin_s: f64,
    /// How much of it has passed.
    over_s: f64,
    /// Whether further repetitions follow.
    repeats: bool,
}

impl Pass {
    /// `None` if everything is made from the loop's beginning.
    pub fn at(video: &VideoInfo, range: Range, fps: Fps) -> Option<Self> {
        let moment_s = range.begin.seconds(fps);
        if moment_s <= 0.0 {
            return None;
        }
        let frame_s = 1.0 / video.rate.max(0.1);
        if !range.is_part {
            let period = video.duration_s.max(1e-3);
            // The last frame lasts until the end of its repetition.
            let over_s = (moment_s % period).min((period - frame_s).max(0.0));
            return Some(Self { begin_s: moment_s - over_s, over_s, repeats: false });
        }
        let period = (video.frames as f64 * frame_s).max(1e-3);
        let begin_s = (moment_s / period + 1e-9).floor() * period;
        // One frame more than needed allows for rounding.
        let repeats = range.end.seconds(fps) + frame_s > begin_s + period;
        Some(Self { begin_s, over_s: (moment_s - begin_s).max(0.0), repeats })
    }

    /// An expression for the times of the file's frames in this and the following repetitions.
    pub fn clock(&self, video: &VideoInfo) -> String {
        format!("PTS+round({:.6}/TB)", self.begin_s - video.start_s)
    }
}

/// Whether the time at which a loop of the file starts again is known to the microsecond: its frames have a usual rate
/// and fill its length evenly.
pub(crate) fn is_steady(info: &MediaInfo, video: &VideoInfo) -> bool {
    const USUAL: f64 = 1e-6;
    const ROUNDED_S: f64 = 5e-6;
    let whole = |rate: f64| (rate - rate.round()).abs() < USUAL * rate;
    let even = (video.frames as f64 / video.rate.max(0.1) - video.duration_s).abs() < ROUNDED_S;
    let again = !CANNOT_BEGIN_AGAIN.contains(&info.format.as_str());
    again && even && (whole(video.rate) || whole(video.rate * 1.001))
}

impl ExtraInputs {
    /// Collects inputs that follow `inputs`, whose files come from `sources`.
    pub(crate) fn behind(inputs: Vec<ExtraInput>, sources: Vec<SourceRef>) -> Self {
        Self { inputs, sources, range: None }
    }

    /// Collects inputs of a segment that makes only `range`.
    pub(crate) fn within(self, range: Range, fps: Fps) -> Self {
        Self { range: Some((range, fps)), ..self }
    }

    /// The frames of a client's file: a still image as it is, a video repeated indefinitely.
    pub fn looped(&mut self, info: &MediaInfo, video: &VideoInfo, url: &str) -> Graph {
        let pass = self.range.and_then(|(range, fps)| Pass::at(video, range, fps));
        let pass = pass.filter(|_| !is_single(video));
        let looped = !is_single(video) && pass.is_none_or(|pass| pass.repeats);
        let entered = pass.filter(|_| !looped && is_seekable(info));
        let lead_s = if self.range.is_some_and(|(range, _)| range.is_part) { SAFE_LEAD_S } else { 0.0 };
        let seek_us = entered.and_then(|pass| seek_us(pass.over_s - lead_s, video.rate));
        let rewrapped = looped && CANNOT_BEGIN_AGAIN.contains(&info.format.as_str());
        let decoder = video.named_decoder().map(str::to_owned);
        let file = self.client_file(
            ExtraInput { looped, rewrapped, decoder, seek_us, ..plain(info, video) },
            info,
            url,
        );
        Graph::input_in(file, if rewrapped { 0 } else { video.stream_index }, frame_form(video))
    }

    /// The frames of a client's file, once.
    pub fn once(&mut self, info: &MediaInfo, video: &VideoInfo, url: &str) -> Graph {
        self.from(None, info, video, url)
    }

    /// The frames of a client's file once, read from this microsecond after its first frame, or from its beginning.
    pub fn from(&mut self, seek_us: Option<i64>, info: &MediaInfo, video: &VideoInfo, url: &str) -> Graph {
        let decoder = video.named_decoder().map(str::to_owned);
        let input = ExtraInput { decoder, seek_us, ..plain(info, video) };
        Graph::input_in(self.client_file(input, info, url), video.stream_index, frame_form(video))
    }

    /// The keyframes of a client's file, once.
    pub fn keyframes(&mut self, info: &MediaInfo, video: &VideoInfo, url: &str) -> Graph {
        let input = ExtraInput { keyframes_only: true, ..plain(info, video) };
        Graph::input_in(self.client_file(input, info, url), video.stream_index, frame_form(video))
    }

    /// All inputs in the order of their numbers, and where their files come from.
    pub fn parts(self) -> (Vec<ExtraInput>, Vec<SourceRef>) {
        (self.inputs, self.sources)
    }

    /// All inputs in the order of their numbers, and where `source` and their files come from.
    pub fn finish(self, source: SourceRef) -> (Vec<ExtraInput>, Vec<SourceRef>) {
        let mut sources = vec![source];
        let first = sources[0].content.clone();
        sources.extend(self.sources.into_iter().filter(|other| other.content != first));
        (self.inputs, sources)
    }

    fn client_file(&mut self, input: ExtraInput, info: &MediaInfo, url: &str) -> usize {
        if !self.sources.iter().any(|source| source.content == info.content) {
            self.sources.push(SourceRef::of(info, url));
        }
        self.number(input)
    }

    fn number(&mut self, input: ExtraInput) -> usize {
        let existing = self.inputs.iter().position(|other| *other == input);
        let index = existing.unwrap_or_else(|| {
            self.inputs.push(input);
            self.inputs.len() - 1
        });
        index + 1
    }
}

/// Whether it has a single frame, which needs no loop: filters hold the last frame.
pub(crate) fn is_single(video: &VideoInfo) -> bool {
    video.still || video.frames <= 1
}

fn plain(info: &MediaInfo, video: &VideoInfo) -> ExtraInput {
    ExtraInput {
        origin: InputOrigin { file: info.content.clone() },
        stream_index: video.stream_index,
        looped: false,
        rewrapped: false,
        keyframes_only: false,
        decoder: None,
        seek_us: None,
        animated: info.animation.as_deref().is_some_and(|animation| std::ptr::eq(animation, video)),
        is_clip: false,
    }
}
