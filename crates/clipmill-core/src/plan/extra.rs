//! Inputs of a picture beside its source: collected while its graph is built.

use crate::filter_graph::Graph;
use crate::media::{MediaInfo, VideoInfo};
use crate::plan::SourceRef;
use crate::plan::picture::seek_us;
use crate::segment::{Asset, ExtraInput, InputOrigin, Toolchain};

/// Formats whose demuxers do not find back to the start: a loop of them ends, or hangs.
const CANNOT_BEGIN_AGAIN: [&str; 2] = ["mpegts", "mpeg"];

/// Formats whose files tell where their keyframes are.
const WITH_INDEX: [&str; 4] = ["mov", "mp4", "matroska", "webm"];

/// Further inputs of one picture segment. Each method answers the graph of one input's pictures; the same
/// input is opened once, however often it is asked for.
pub struct ExtraInputs<'a> {
    toolchain: &'a Toolchain,
    inputs: Vec<ExtraInput>,
    sources: Vec<SourceRef>,
    /// The moment of the output that pictures are made from, in seconds.
    begin_s: f64,
}

/// The pass of a loop that a moment falls into, where not everything is made from the beginning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pass {
    /// When it begins.
    begin_s: f64,
    /// What of it is over.
    over_s: f64,
}

impl Pass {
    /// `None` for a moment that the loop begins with.
    pub fn at(video: &VideoInfo, moment_s: f64) -> Option<Self> {
        if moment_s <= 0.0 {
            return None;
        }
        let period = video.duration_s.max(1e-3);
        // The last picture lasts to the end of its pass.
        let last = (period - 1.0 / video.rate.max(0.1)).max(0.0);
        let over_s = (moment_s % period).min(last);
        Some(Self { begin_s: moment_s - over_s, over_s })
    }

    /// The times of the file's pictures in this pass.
    pub fn clock(&self, video: &VideoInfo) -> String {
        let origin = ((video.start_s - self.begin_s) * 1e6).round() as i64;
        format!("PTS-({origin}/1000000)/TB")
    }
}

impl<'a> ExtraInputs<'a> {
    pub fn new(toolchain: &'a Toolchain) -> Self {
        Self { toolchain, inputs: Vec::new(), sources: Vec::new(), begin_s: 0.0 }
    }

    /// For pictures that are made from a later moment on.
    pub fn beginning(self, begin_s: f64) -> Self {
        Self { begin_s, ..self }
    }

    /// The pictures of a client's file: a still one as it is, moving ones again and again.
    pub fn looped(&mut self, info: &MediaInfo, video: &VideoInfo, url: &str) -> Graph {
        let pass = Pass::at(video, self.begin_s).filter(|_| !is_single(video));
        let looped = !is_single(video) && pass.is_none();
        let seek_us = pass.filter(|_| can_be_entered(info)).and_then(|pass| seek_us(pass.over_s, video.rate));
        let rewrapped = looped && CANNOT_BEGIN_AGAIN.contains(&info.format.as_str());
        let decoder = video.alpha_decoder().filter(|_| video.has_alpha()).map(str::to_owned);
        let file = self.client_file(
            ExtraInput { looped, rewrapped, decoder, seek_us, ..plain(info, video) },
            info,
            url,
        );
        Graph::input(file, if rewrapped { 0 } else { video.stream_index })
    }

    /// The keyframes of a client's file, once.
    pub fn keyframes(&mut self, info: &MediaInfo, video: &VideoInfo, url: &str) -> Graph {
        let input = ExtraInput { keyframes_only: true, ..plain(info, video) };
        Graph::input(self.client_file(input, info, url), video.stream_index)
    }

    /// The pictures of an asset of ours.
    pub fn generated(&mut self, asset: Asset, looped: bool) -> Graph {
        let hash = asset.hash(self.toolchain);
        let origin = InputOrigin::Generated { asset, hash };
        let file = self.number(ExtraInput { looped, ..once(origin, 0) });
        Graph::input(file, 0)
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

/// Whether reading can begin in the middle: without an index, a demuxer lands somewhere near, also behind what is
/// wanted.
pub(crate) fn can_be_entered(info: &MediaInfo) -> bool {
    WITH_INDEX.iter().any(|format| info.format.split(',').any(|name| name == *format))
}

/// One picture, which needs no loop: filters hold the last one.
pub(crate) fn is_single(video: &VideoInfo) -> bool {
    video.still || video.frames <= 1
}

fn plain(info: &MediaInfo, video: &VideoInfo) -> ExtraInput {
    once(InputOrigin::File(info.content.clone()), video.stream_index)
}

fn once(origin: InputOrigin, stream_index: u32) -> ExtraInput {
    ExtraInput {
        origin,
        stream_index,
        looped: false,
        rewrapped: false,
        keyframes_only: false,
        decoder: None,
        seek_us: None,
    }
}
