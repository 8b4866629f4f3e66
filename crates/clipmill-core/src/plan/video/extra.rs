//! Inputs of a picture beside its source: collected while its graph is built.

use crate::filter_graph::Graph;
use crate::media::{MediaInfo, VideoInfo};
use crate::plan::SourceRef;
use crate::plan::parts::{Range, is_seekable};
use crate::plan::video::clip::{SAFE_LEAD_S, seek_us};
use crate::segment::{ExtraInput, InputOrigin};
use crate::time::Fps;

/// Formats whose demuxers do not find back to the start: a loop of them ends, or hangs.
const CANNOT_BEGIN_AGAIN: [&str; 2] = ["mpegts", "mpeg"];

/// Further inputs of one picture segment. Each method answers the graph of one input's pictures; the same
/// input is opened once, however often it is asked for.
#[derive(Default)]
pub(crate) struct ExtraInputs {
    inputs: Vec<ExtraInput>,
    sources: Vec<SourceRef>,
    /// What is made of the output.
    range: Option<(Range, Fps)>,
}

/// The pass of a loop that a moment falls into, where not everything is made from the beginning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pass {
    /// When it begins.
    begin_s: f64,
    /// What of it is over.
    over_s: f64,
    /// Whether others follow it.
    repeats: bool,
}

impl Pass {
    /// `None` where all is made from the loop's beginning.
    pub fn at(video: &VideoInfo, range: Range, fps: Fps) -> Option<Self> {
        let moment_s = range.begin.seconds(fps);
        if moment_s <= 0.0 {
            return None;
        }
        let picture = 1.0 / video.rate.max(0.1);
        if !range.is_part {
            let period = video.duration_s.max(1e-3);
            // The last picture lasts to the end of its pass.
            let over_s = (moment_s % period).min((period - picture).max(0.0));
            return Some(Self { begin_s: moment_s - over_s, over_s, repeats: false });
        }
        let period = (video.frames as f64 * picture).max(1e-3);
        let begin_s = (moment_s / period + 1e-9).floor() * period;
        // A picture more than is needed, for whatever is rounded.
        let repeats = range.end.seconds(fps) + picture > begin_s + period;
        Some(Self { begin_s, over_s: (moment_s - begin_s).max(0.0), repeats })
    }

    /// The times of the file's pictures in this pass and in those that follow.
    pub fn clock(&self, video: &VideoInfo) -> String {
        format!("PTS+round({:.6}/TB)", self.begin_s - video.start_s)
    }
}

/// Whether it is known to the microsecond when a loop of the file begins again: its pictures have a usual rate
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
    /// Those that follow these, whose files come from `sources`.
    pub(crate) fn behind(inputs: Vec<ExtraInput>, sources: Vec<SourceRef>) -> Self {
        Self { inputs, sources, range: None }
    }

    /// For pictures of which not all are made.
    pub(crate) fn within(self, range: Range, fps: Fps) -> Self {
        Self { range: Some((range, fps)), ..self }
    }

    /// The pictures of a client's file: a still one as it is, moving ones again and again.
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
        Graph::input(file, if rewrapped { 0 } else { video.stream_index })
    }

    /// The pictures of a client's file, once.
    pub fn once(&mut self, info: &MediaInfo, video: &VideoInfo, url: &str) -> Graph {
        let decoder = video.named_decoder().map(str::to_owned);
        let input = ExtraInput { decoder, ..plain(info, video) };
        Graph::input(self.client_file(input, info, url), video.stream_index)
    }

    /// The keyframes of a client's file, once.
    pub fn keyframes(&mut self, info: &MediaInfo, video: &VideoInfo, url: &str) -> Graph {
        let input = ExtraInput { keyframes_only: true, ..plain(info, video) };
        Graph::input(self.client_file(input, info, url), video.stream_index)
    }

    /// All inputs in the order of their numbers, and where their files come from.
    pub fn parts(self) -> (Vec<ExtraInput>, Vec<SourceRef>) {
        (self.inputs, self.sources)
    }

    /// All inputs in the order of their numbers, and where `source`'s and their files come from.
    pub fn finish(self, source: SourceRef) -> (Vec<ExtraInput>, Vec<SourceRef>) {
        let mut sources = vec![source];
        let first = sources[0].content.clone();
        sources.extend(self.sources.into_iter().filter(|other| other.content != first));
        (self.inputs, sources)
    }

    fn client_file(&mut self, input: ExtraInput, info: &MediaInfo, url: &str) -> usize {
        if !self.sources.iter().any(|source| source.content == info.content) {
            self.sources.push(SourceRef { content: info.content.clone(), url: url.to_owned() });
        }
        self.number(input)
    }

    fn number(&mut self, input: ExtraInput) -> usize {
        let known = self.inputs.iter().position(|other| *other == input);
        let index = known.unwrap_or_else(|| {
            self.inputs.push(input);
            self.inputs.len() - 1
        });
        index + 1
    }
}

/// One picture, which needs no loop: filters hold the last one.
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
    }
}
