//! Inputs of a picture beside its source: collected while its graph is built.

use crate::filter_graph::Graph;
use crate::media::{ContentHash, VideoInfo};
use crate::plan::SourceRef;
use crate::segment::{Asset, ExtraInput, InputOrigin, Toolchain};

/// Further inputs of one picture segment. Each method answers the graph of one input's pictures; the same
/// input is opened once, however often it is asked for.
pub struct ExtraInputs<'a> {
    toolchain: &'a Toolchain,
    inputs: Vec<ExtraInput>,
    sources: Vec<SourceRef>,
}

impl<'a> ExtraInputs<'a> {
    pub fn new(toolchain: &'a Toolchain) -> Self {
        Self { toolchain, inputs: Vec::new(), sources: Vec::new() }
    }

    /// The pictures of a client's file, from its first to its last, or for ever.
    pub fn file(&mut self, content: &ContentHash, video: &VideoInfo, url: &str, looped: bool) -> Graph {
        if !self.sources.iter().any(|source| source.content == *content) {
            self.sources.push(SourceRef { content: content.clone(), url: url.to_owned() });
        }
        let origin = InputOrigin::File(content.clone());
        let file = self.number(ExtraInput { origin, looped, decoder: alpha_decoder(video) });
        Graph::input(file, video.stream_index)
    }

    /// The pictures of an asset of ours.
    pub fn generated(&mut self, asset: Asset, looped: bool) -> Graph {
        let hash = asset.hash(self.toolchain);
        let origin = InputOrigin::Generated { asset, hash };
        let file = self.number(ExtraInput { origin, looped, decoder: None });
        Graph::input(file, 0)
    }

    /// All inputs in the order of their numbers, and where `source`'s and their files come from.
    pub fn finish(self, source: SourceRef) -> (Vec<ExtraInput>, Vec<SourceRef>) {
        let mut sources = vec![source];
        let first = sources[0].content.clone();
        sources.extend(self.sources.into_iter().filter(|other| other.content != first));
        (self.inputs, sources)
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

/// ffmpeg's own decoders of VP8 and VP9 leave alpha away.
fn alpha_decoder(video: &VideoInfo) -> Option<String> {
    let decoder = match (video.codec.as_str(), video.has_alpha()) {
        ("vp8", true) => "libvpx",
        ("vp9", true) => "libvpx-vp9",
        _ => return None,
    };
    Some(decoder.to_owned())
}
