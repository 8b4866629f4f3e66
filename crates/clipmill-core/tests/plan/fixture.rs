//! Fictitious files, and readers for the plans made of them.

use std::sync::Arc;

use clipmill_core::encoding::Encoding;
use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::media::{AudioInfo, ContentHash, Cuts, Facts, MediaInfo, Size, VideoInfo};
use clipmill_core::message::Message;
use clipmill_core::plan::{
    Context, DivisionSettings, FrameError, MixTrack, Moment, Plan, PlannedFrame, PlannedItem, Rendition,
    TrackPart, frame, plan,
};
use clipmill_core::request::model::*;
use clipmill_core::segment::{AudioSpec, SegmentKey, SegmentSpec, Toolchain, VideoSpec};
use clipmill_core::subtitle::{Cue, FontFile, FontMetrics, Pauses, Subtitles};
use clipmill_core::time::Fps;

/// The files of requests, by name.
pub struct Fixture {
    pub facts: Facts,
    pub max_item_seconds: u64,
    pub max_input_bytes: u64,
    pub part_seconds: u64,
    pub width: u32,
    pub encoding: Encoding,
}

impl Fixture {
    pub fn new() -> Self {
        let encoding = Encoding::standard(0);
        let (max_item_seconds, max_input_bytes, part_seconds, width) = (3600, u64::MAX, 0, 2);
        Self { facts: Facts::default(), max_item_seconds, max_input_bytes, part_seconds, width, encoding }
    }

    /// A landscape clip with audio.
    pub fn clip(self, name: &str, seconds: f64) -> Self {
        self.file(name, Some(video(seconds)), Some(audio(seconds)))
    }

    pub fn silent_clip(self, name: &str, seconds: f64) -> Self {
        self.file(name, Some(video(seconds)), None)
    }

    /// An image, which has no length.
    pub fn image(self, name: &str) -> Self {
        let still = VideoInfo { still: true, frames: 1, rate: 0.0, codec: "png".into(), ..video(0.0) };
        self.file(name, Some(still), None)
    }

    pub fn audio(self, name: &str, seconds: f64) -> Self {
        self.file(name, None, Some(audio(seconds)))
    }

    pub fn file(mut self, name: &str, video: Option<VideoInfo>, audio: Option<AudioInfo>) -> Self {
        let content = ContentHash(format!("content of {name}").into());
        let info = MediaInfo {
            content,
            size_bytes: 1,
            format: "mov".into(),
            video,
            audio,
            animation: None,
            condition: None,
        };
        self.facts.media.insert(name.into(), Ok(info));
        self
    }

    pub fn bad(mut self, name: &str) -> Self {
        let error = TaskError::new(ErrorCode::MediaDamaged, Message::without_code("broken")).input(name);
        self.facts.media.insert(name.into(), Err(error));
        self
    }

    pub fn pauses(mut self, name: &str, pauses: &[(u32, u32)], end_ms: u32) -> Self {
        self.facts.pauses.insert(name.into(), Ok(Pauses { pauses: pauses.to_vec(), end_ms }));
        self
    }

    pub fn cuts(mut self, name: &str, cuts: Cuts) -> Self {
        self.facts.cuts.insert(name.into(), Ok(cuts));
        self
    }

    pub fn cues(mut self, name: &str, cues: &[(u64, u64, &str)]) -> Self {
        let cue = |&(start_ms, end_ms, text): &(u64, u64, &str)| Cue {
            start_ms,
            end_ms,
            text: text.into(),
            times: vec![],
        };
        let subtitles = Subtitles { cues: cues.iter().map(cue).collect(), ..Subtitles::default() };
        self.facts.subtitles.insert(name.into(), Ok(subtitles));
        self
    }

    /// A font file of the client.
    pub fn font(mut self, name: &str) -> Self {
        let content = ContentHash(format!("content of {name}").into());
        self.facts.fonts.insert(name.into(), Ok(FontFile(Arc::new(OwnFont(content)))));
        self
    }

    pub fn plan(&self, params: Params) -> Plan {
        let seed = params.seed().unwrap_or(1);
        self.within(|context| plan(&request(params), seed, &self.facts, context))
    }

    pub fn still(&self, params: Params, moment: &Moment) -> Result<PlannedFrame, FrameError> {
        let seed = params.seed().unwrap_or(1);
        self.within(|context| frame(&request(params), seed, &self.facts, context, moment))
    }

    pub fn within<T>(&self, act: impl FnOnce(&Context) -> T) -> T {
        let toolchain = toolchain();
        act(&Context {
            toolchain: &toolchain,
            font: Ok(&HalfEm),
            encoding: self.encoding,
            max_item_seconds: self.max_item_seconds,
            max_input_bytes: self.max_input_bytes,
            division: DivisionSettings { width: self.width, part_seconds: self.part_seconds },
            is_wanted: &|| true,
        })
    }
}

pub fn toolchain() -> Toolchain {
    Toolchain { ffmpeg: "ffmpeg".into(), x264: "x264".into(), libass: "libass".into() }
}

pub fn request(params: Params) -> TaskRequest {
    TaskRequest {
        params,
        callback_url: None,
        client_task_id: None,
        name: None,
        labels: Vec::new(),
        max_points: None,
    }
}

pub fn video(seconds: f64) -> VideoInfo {
    VideoInfo::plain(Size::new(1280, 720), seconds, 25.0)
}

pub fn audio(seconds: f64) -> AudioInfo {
    AudioInfo::plain(seconds)
}

/// A font of a client, whose characters are a whole em wide.
struct OwnFont(ContentHash);

impl FontMetrics for OwnFont {
    fn family(&self) -> &str {
        "Own"
    }

    fn identity(&self) -> &str {
        &self.0.0
    }

    fn file(&self) -> Option<&ContentHash> {
        Some(&self.0)
    }

    fn em_to_ass(&self) -> f64 {
        1.5
    }

    fn ascent(&self) -> f64 {
        1.0
    }

    fn descent(&self) -> f64 {
        0.25
    }

    fn advance(&self, _: char) -> Option<f64> {
        Some(1.0)
    }
}

/// A font whose characters are all half an em wide; its only emoji is a dog.
struct HalfEm;

impl FontMetrics for HalfEm {
    fn family(&self) -> &str {
        "Half"
    }

    fn identity(&self) -> &str {
        "half-1"
    }

    fn em_to_ass(&self) -> f64 {
        1.4
    }

    fn ascent(&self) -> f64 {
        1.1
    }

    fn descent(&self) -> f64 {
        0.3
    }

    fn advance(&self, c: char) -> Option<f64> {
        (c != '\u{1f600}').then_some(0.5)
    }

    fn emoji_font(&self) -> Option<&str> {
        Some("dogs-1")
    }

    fn is_emoji(&self, grapheme: &str) -> bool {
        grapheme == "🐶"
    }
}

pub fn fps(rate: u32) -> Fps {
    Fps::new(rate).unwrap()
}

pub fn options() -> MixOptions {
    MixOptions::default()
}

pub fn subtitle(url: &str) -> Option<Subtitle> {
    Some(Subtitle::of_file(url, SubtitleStyle::DEFAULT))
}

pub fn track(url: &str, duration_s: Option<f64>, fade_in_s: f64, fade_out_s: f64) -> Option<Track> {
    Some(Track {
        url: url.into(),
        duration_s,
        volume_percent: 80,
        fade_in_s,
        fade_out_s,
        from_s: None,
        start_s: None,
    })
}

pub fn clips(names: &[&str]) -> Vec<Clip> {
    names.iter().map(|name| Clip { url: (*name).into(), duration_s: None, ..Clip::default() }).collect()
}

pub fn group(names: &[&str]) -> Group {
    Group { videos: clips(names), total_duration_s: None }
}

pub fn base(groups: Vec<Group>, options: MixOptions) -> Params {
    Params::BaseVideoMix(BaseMixParams { groups, options, seed: Some(1) })
}

/// A scene without audio of its own.
pub fn scene(duration_s: f64, resources: &[&str]) -> Scene {
    Scene {
        key: "k".into(),
        name: "n".into(),
        duration_s,
        length: SceneLength::Duration,
        text: None,
        clip_start: None,
        resources: clips(resources),
        audio: vec![],
    }
}

pub fn pro(scenes: Vec<Scene>, generate_count: u32) -> ProMixParams {
    ProMixParams {
        scenes,
        audio_mode: AudioMode::Split,
        generate_count,
        combinations: vec![],
        starts: vec![],
        fill: vec![],
        options: options(),
        seed: Some(1),
    }
}

/// A plan with methods for reading it.
pub struct PlanReader(pub Plan);

impl PlanReader {
    pub fn item(&self, index: usize) -> &PlannedItem {
        &self.0.items[index]
    }

    pub fn rendition(&self, index: usize) -> &Rendition {
        self.item(index).outcome.as_ref().unwrap()
    }

    pub fn error(&self, index: usize) -> (ErrorCode, Option<&str>) {
        let error = self.item(index).outcome.as_ref().unwrap_err();
        (error.code, error.input.as_deref())
    }

    pub fn spec(&self, key: &SegmentKey) -> &SegmentSpec {
        &self.0.segments.iter().find(|segment| &segment.key == key).unwrap().spec
    }

    pub fn video(&self, index: usize) -> Vec<&VideoSpec> {
        let spec = |key| match self.spec(key) {
            SegmentSpec::Video(spec) => spec,
            SegmentSpec::Audio(_) => panic!("audio among the video segments"),
        };
        self.rendition(index).video.iter().map(spec).collect()
    }

    /// Frames of each video segment of an output, in order.
    pub fn frames(&self, index: usize) -> Vec<u64> {
        self.video(index).iter().map(|spec| spec.frames.0).collect()
    }

    /// The sources of each video segment of an output.
    pub fn sources(&self, index: usize) -> Vec<&str> {
        self.video(index).into_iter().map(|spec| name(&spec.source)).collect()
    }

    pub fn tracks(&self, index: usize) -> &[MixTrack] {
        &self.rendition(index).audio.as_ref().unwrap().tracks
    }

    pub fn audio(&self, part: &TrackPart) -> Option<&AudioSpec> {
        match part {
            TrackPart::Silence(_) => None,
            TrackPart::Audio(key) => match self.spec(key) {
                SegmentSpec::Audio(spec) => Some(spec),
                SegmentSpec::Video(_) => panic!("video among the audio segments"),
            },
        }
    }

    /// An audio track as `name from..to` in samples.
    pub fn placed(&self, track: &MixTrack) -> Vec<String> {
        let mut at = 0;
        let mut placed = Vec::new();
        for part in &track.parts {
            match (part, self.audio(part)) {
                (_, Some(spec)) => {
                    let name = name(spec.source.as_ref().unwrap());
                    placed.push(format!("{name} {at}..{}", at + spec.samples.0));
                    at += spec.samples.0;
                }
                (TrackPart::Silence(samples), _) => at += samples.0,
                (TrackPart::Audio(_), None) => unreachable!(),
            }
        }
        placed
    }
}

fn name(content: &ContentHash) -> &str {
    content.0.strip_prefix("content of ").unwrap()
}
