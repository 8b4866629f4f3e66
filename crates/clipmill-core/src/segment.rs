//! Segments: stretches of video and audio that are rendered once and shared.
//!
//! A segment's key is a hash of everything that determines its bytes, so two outputs, two tasks or two days that need
//! the same segment find the same file.

use std::iter;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::filter_graph::Graph;
use crate::hashed_value::{HashedValue, digest, json, write};
pub use crate::key::{CacheKey, FrameKey, MixKey, RenditionKey, SegmentKey};
use crate::media::{ContentHash, Size};
use crate::subtitle::CaptionView;
use crate::time::{Fps, Frames, Samples};
use crate::volume::{full_volume, is_full_volume};

/// Raise this whenever a specification gives different bytes although its text does not change.
pub const PLANNER_VERSION: u32 = 6;

/// Versions of all programs outside clipmill that affect the bytes of a segment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toolchain {
    pub ffmpeg: String,
    pub x264: String,
    pub libass: String,
}

/// A segment of video (an MP4 with one H.264 stream) or of audio (a WAV, 32-bit float, stereo, 48 kHz).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum SegmentSpec {
    #[serde(rename = "picture")]
    Video(VideoSpec),
    #[serde(rename = "sound")]
    Audio(AudioSpec),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VideoSpec {
    pub source: ContentHash,
    pub stream_index: u32,
    /// The name of the decoder for the source, if the default one would lose data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decoder: Option<String>,
    pub fps: Fps,
    pub frames: Frames,
    pub size: Size,
    /// From the decoded source to exactly `frames` frames of `size` at `fps`.
    pub graph: HashedValue<Graph>,
    /// Inputs 1, 2, … of the graph; the source is input 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<ExtraInput>,
    pub captions: Option<CaptionView>,
    /// Texts below the captions, the lowest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<HashedValue<CaptionView>>,
    pub encoder: HashedValue<EncoderSettings>,
    /// Its position in a longer video that is rendered in parts; `None` if it is whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
}

/// One of several videos that follow each other as if they were one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its first frame, counted in the whole video.
    pub begin: Frames,
    /// Where reading of the source may begin, in microseconds after its first frame. The graph gives the same frames if
    /// reading begins earlier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seek_us: Option<i64>,
}

/// A further input of a video segment: a mask, a fill, a texture of an effect. Its audio is never used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtraInput {
    pub origin: InputOrigin,
    /// The stream with its video.
    pub stream_index: u32,
    /// Restarts whenever it ends, indefinitely: the graph must cut it.
    pub looped: bool,
    /// Its container cannot be read from the start again: the packets are copied into another one first.
    pub rewrapped: bool,
    /// Decodes keyframes only: a quick scan of the whole file.
    pub keyframes_only: bool,
    /// The name of a decoder, if the default one would lose data (the alpha channel of VP8 and VP9).
    pub decoder: Option<String>,
    /// Where reading may begin, in microseconds after the first frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seek_us: Option<i64>,
    /// All frames of an image that is otherwise read as a still one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub animated: bool,
    /// Whether it is the second clip of a split screen, whose damage is that of a clip.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_clip: bool,
}

/// The origin of an input's frames: a client's file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputOrigin {
    pub file: ContentHash,
}

/// Audio of one source, cut to exactly `samples`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AudioSpec {
    /// `None` is silence.
    pub source: Option<ContentHash>,
    pub stream_index: u32,
    /// Channels of the source: one channel goes to both sides at full level, more than two are mixed down.
    pub channels: u32,
    /// Whether the channels are ambisonics.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ambisonic: bool,
    /// The time on the container's clock, in microseconds, that becomes sample 0: the first frame's time for a clip's own
    /// audio, so that audio which starts late stays late and audio which starts early is cut.
    pub origin_us: i64,
    pub samples: Samples,
    /// The first samples up to this repeat until the end: for very short clips that loop.
    pub loop_period: Option<Samples>,
    /// Speed in thousandths, with the pitch kept; 1000 is unchanged.
    pub tempo_permille: u32,
    /// Fade at both edges against clicks where pieces are joined.
    pub edge_fade: Samples,
    /// First and last sample (exclusive) of the source's audio if it begins later or ends earlier than the segment: the
    /// fades are there. Used at unchanged speed only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sounding: Option<(Samples, Samples)>,
    /// Crossfades its end, or that of each period, into its beginning over this many samples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seam: Option<Samples>,
    /// Omits the fade at an edge where a neighbour has the adjacent audio of the source.
    #[serde(default, skip_serializing_if = "Continuation::is_nowhere")]
    pub continued: Continuation,
    /// Crossfades with the audio before and behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crossed: Option<CrossFade>,
    /// Volume in percent of amplitude.
    #[serde(default = "full_volume", skip_serializing_if = "is_full_volume")]
    pub volume_percent: u32,
}

/// The edges at which the audio of a source continues in a neighbour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Continuation {
    pub at_begin: bool,
    pub at_end: bool,
}

impl Continuation {
    pub fn is_nowhere(&self) -> bool {
        *self == Self::default()
    }
}

/// Samples at both ends that overlap with a neighbour's, at equal power.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct CrossFade {
    pub fade_in: Samples,
    pub fade_out: Samples,
}

/// All settings of the encode. Threads are part of them, because another thread count gives another stream.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EncoderSettings {
    pub codec: String,
    pub preset: String,
    /// Constant rate factor in tenths.
    pub crf_tenths: u32,
    pub params: String,
    pub max_rate_kbps: u32,
    pub keyframe_interval: u32,
    pub threads: u32,
    /// The settings for making the whole output if this encoder (hardware) or copying fails, so that no output comes from
    /// two encoders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Box<EncoderSettings>>,
}

/// Takes the place of an encoder's name when a source's packets are copied.
const COPY: &str = "copy";

impl EncoderSettings {
    /// Copies packets instead of encoding, with these settings as the fallback if that turns out to be impossible.
    pub fn copying(self) -> Self {
        Self {
            codec: COPY.to_owned(),
            preset: String::new(),
            crf_tenths: 0,
            params: String::new(),
            fallback: Some(Box::new(self.clone())),
            ..self
        }
    }

    pub fn is_copy(&self) -> bool {
        self.codec == COPY
    }
}

impl SegmentSpec {
    /// The key of this segment when made with `toolchain`.
    pub fn key(&self, toolchain: &Toolchain) -> SegmentKey {
        SegmentKey(hex::encode(SegmentHasher::new(toolchain).digest(self)).into())
    }

    /// The progress weight in frames; audio counts as none.
    pub fn frames(&self) -> Frames {
        match self {
            Self::Video(picture) => picture.frames,
            Self::Audio(_) => Frames(0),
        }
    }

    /// The content hash of its main source file.
    pub fn source(&self) -> Option<&ContentHash> {
        match self {
            Self::Video(picture) => Some(&picture.source),
            Self::Audio(sound) => sound.source.as_ref(),
        }
    }

    /// The content hashes of all files it is made from, each once, the main source first.
    pub fn sources(&self) -> Vec<&ContentHash> {
        match self {
            Self::Video(picture) => picture.sources(),
            Self::Audio(sound) => sound.source.iter().collect(),
        }
    }
}

impl VideoSpec {
    /// All texts that are drawn, the lowest first.
    pub fn drawn(&self) -> impl Iterator<Item = &CaptionView> + Clone {
        self.texts.iter().map(|text| &**text).chain(&self.captions)
    }

    /// Whether one of its files is read from a position after its beginning.
    pub fn is_entered(&self) -> bool {
        let source = self.part.and_then(|part| part.seek_us);
        source.is_some() || self.inputs.iter().any(|input| input.seek_us.is_some())
    }

    /// The same segment, with every file read from its beginning.
    pub fn from_the_beginning(&self) -> Self {
        let mut same = self.clone();
        same.part.iter_mut().for_each(|part| part.seek_us = None);
        same.inputs.iter_mut().for_each(|input| input.seek_us = None);
        same
    }

    /// Writes the input of the key as a JSON list. The graph is replaced by its hash, because many segments have the
    /// same one, and the encoder by a text that all segments of an output share.
    fn write_named(&self, text: &mut Vec<u8>) {
        let Self {
            source,
            stream_index,
            decoder,
            fps,
            frames,
            size,
            graph,
            inputs,
            captions,
            texts,
            encoder,
            part,
        } = self;
        let form = (source, stream_index, decoder, fps, frames, size, graph.digest());
        write(text, &(form, inputs, captions));
        // Removes the closing bracket, because the list continues with the encoder.
        text.pop();
        text.push(b',');
        text.extend_from_slice(encoder.json());
        text.push(b',');
        write(text, part);
        if !texts.is_empty() {
            text.push(b',');
            for (before, view) in iter::once(b'[').chain(iter::repeat(b',')).zip(texts) {
                text.push(before);
                text.extend_from_slice(view.json());
            }
            text.push(b']');
        }
        text.push(b']');
    }

    fn sources(&self) -> Vec<&ContentHash> {
        let mut sources = vec![&self.source];
        let fonts = self.drawn().flat_map(CaptionView::font_files).map(|(file, _)| file);
        for file in self.inputs.iter().map(|input| &input.origin.file).chain(fonts) {
            if !sources.contains(&file) {
                sources.push(file);
            }
        }
        sources
    }
}

/// Computes the keys of many segments: the common part is serialised once, and one buffer is reused for all texts.
pub(crate) struct SegmentHasher {
    text: Vec<u8>,
    /// The length of the prefix that all texts share.
    common: usize,
}

impl SegmentHasher {
    pub fn new(toolchain: &Toolchain) -> Self {
        let mut text = json(&(PLANNER_VERSION, toolchain));
        // Removes the closing bracket, because the list continues with the segment.
        text.pop();
        text.push(b',');
        Self { common: text.len(), text }
    }

    /// The digest that [`SegmentSpec::key`] writes in hexadecimal.
    pub fn digest(&mut self, spec: &SegmentSpec) -> [u8; 32] {
        self.text.truncate(self.common);
        match spec {
            SegmentSpec::Video(picture) => {
                self.text.extend_from_slice(br#"["picture","#);
                picture.write_named(&mut self.text);
                self.text.push(b']');
            }
            SegmentSpec::Audio(sound) => write(&mut self.text, &("sound", sound)),
        }
        self.text.push(b']');
        Sha256::digest(&self.text).into()
    }
}

/// The key of a file made of segments, whose keys already depend on the toolchain.
pub(crate) fn composed(kind: &str, what: &impl Serialize) -> Arc<str> {
    digest(&(PLANNER_VERSION, kind, what)).into()
}

pub(crate) fn name(toolchain: &Toolchain, what: &impl Serialize) -> Arc<str> {
    digest(&(PLANNER_VERSION, toolchain, what)).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Encoding;
    use crate::plan::estimate::AssumedFont;
    use crate::pricing::Tier;
    use crate::request::model::SubtitleStyle;
    use crate::subtitle::{TextPlace, lay_out_text};

    fn view_of(text: &str) -> CaptionView {
        let place = TextPlace { parts: (0.5, 0.5), margin: None, max_width: 1.0 };
        let (form, shown) = ((Size::new(720, 1280), Fps::DEFAULT), Frames(0)..Frames(30));
        let track = lay_out_text(text, &SubtitleStyle::DEFAULT, place, form, (shown, &[]), &AssumedFont);
        track.view(Frames(0), Frames(30)).unwrap()
    }

    #[test]
    fn the_key_of_a_video_segment_hashes_one_list() {
        let encoder = Encoding::standard(1).settings(None, Tier::Hd, Fps::DEFAULT);
        let input = ExtraInput {
            origin: InputOrigin { file: ContentHash("of a mask".into()) },
            stream_index: 1,
            looped: true,
            rewrapped: false,
            keyframes_only: false,
            decoder: Some("libvpx".into()),
            seek_us: None,
            animated: false,
            is_clip: false,
        };
        let plain = VideoSpec {
            source: ContentHash("of a \"clip\"".into()),
            stream_index: 0,
            decoder: None,
            fps: Fps::DEFAULT,
            frames: Frames(30),
            size: Size::new(720, 1280),
            graph: Graph::input(0, 0).into(),
            inputs: vec![],
            captions: None,
            texts: vec![],
            encoder: encoder.into(),
            part: None,
        };
        let part = Part { begin: Frames(900), seek_us: Some(29_000_000) };
        let decoder = Some("libvpx".into());
        let rich = VideoSpec { inputs: vec![input], part: Some(part), decoder, ..plain.clone() };
        let texts = ["one", "two"].map(|text| HashedValue::from(view_of(text))).to_vec();
        let written_over = VideoSpec { texts, ..plain.clone() };
        for spec in [plain, rich, written_over] {
            let VideoSpec {
                source,
                stream_index,
                decoder,
                fps,
                frames,
                size,
                graph,
                inputs,
                captions,
                texts,
                encoder,
                part,
            } = &spec;
            let form = (source, stream_index, decoder, fps, frames, size, graph.digest());
            let list = match texts.is_empty() {
                true => json(&(form, inputs, captions, encoder, part)),
                false => json(&(form, inputs, captions, encoder, part, texts)),
            };
            let mut text = Vec::new();
            spec.write_named(&mut text);
            assert_eq!(String::from_utf8(text), String::from_utf8(list));
        }
    }
}
