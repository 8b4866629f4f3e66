//! The size and price of a task before its files are fetched.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::encoding::Encoding;
use crate::fonts::CaptionFont;
use crate::media::{AudioInfo, ContentHash, Cuts, Facts, MediaInfo, Size, VideoInfo};
use crate::message;
use crate::plan::assumptions::{UNKNOWN_CLIP_S, assumed_lengths, is_named_as_image};
use crate::plan::mix::images::is_image;
use crate::plan::parts::{self, part_count};
use crate::plan::task_types::planner;
use crate::plan::{Context, DivisionSettings, InputKind, Plan, Warning, needed_inputs, plan};
use crate::request::InputRole;
use crate::request::model::{Clip, MixOptions, TaskRequest, Weight};
use crate::segment::Toolchain;
use crate::speech::Speech;
use crate::subtitle::{FontFile, FontMetrics, Subtitles, Transcript};

/// The size of a plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The length of all outputs together.
    pub output_seconds: f64,
    /// Video segments to be encoded, which account for most of the work.
    pub unique_segments: u64,
}

impl Estimate {
    pub fn of(plan: &Plan) -> Self {
        Self::in_parts(plan, 0)
    }

    /// The size of a plan of whole videos when they are rendered in parts of so many seconds (0: whole). Counting parts
    /// costs nothing, while planning each part takes as long as planning its video. Shorter parts, which keep many cores
    /// busy, are not counted: they are no more work.
    pub fn in_parts(plan: &Plan, part_seconds: u64) -> Self {
        let renditions = plan.items.iter().filter_map(|item| item.outcome.as_ref().ok());
        Self {
            // An empty sum of floats would be -0.0.
            output_seconds: renditions
                .map(|r| r.frames.seconds(r.fps))
                .fold(0.0, |sum, seconds| sum + seconds),
            unique_segments: part_count(&plan.segments, parts::part_seconds(&plan.segments, part_seconds)),
        }
    }
}

/// The plan as far as it can be made without fetching files. Files in `known` are used as they are; every other file is
/// assumed to be usable, different from all others, and as long as declared (15 s if undeclared). Warnings concern
/// known files only. Videos are whole: [`Estimate::in_parts`]. For `is_wanted` see [`Context`].
pub fn assumed_plan(
    request: &TaskRequest,
    seed: u64,
    known: Facts,
    max_item_seconds: u64,
    is_wanted: &dyn Fn() -> bool,
) -> Plan {
    let toolchain = Toolchain { ffmpeg: String::new(), x264: String::new(), libass: String::new() };
    let context = Context {
        toolchain: &toolchain,
        font: Ok(&AssumedFont),
        encoding: Encoding::standard(1),
        max_item_seconds,
        max_input_bytes: u64::MAX,
        division: DivisionSettings::WHOLE,
        is_wanted,
    };
    let mut request = without_subtitles(request);
    let begins = begins_assumed(&mut request, &known);
    let looked_at: BTreeSet<String> = known.media.keys().cloned().collect();
    let facts = assumed_facts(&request, seed, known);
    // The assumed length of a file cannot contradict other declarations of the same file.
    let is_declared = |clip: &&mut Clip| !looked_at.contains(&clip.url) && !is_image(clip, &facts);
    for clip in request.params.clips_mut().into_iter().filter(is_declared) {
        clip.duration_s = None;
    }
    let mut plan = plan(&request, seed, &facts, &context);
    plan.warnings.extend(begins);
    if !facts.media.keys().all(|url| looked_at.contains(url)) {
        // Assumed lengths say nothing about the footage.
        let of_footage = [message::footage_repeats(), message::scene_footage_repeats()];
        plan.warnings.retain(|warning| !of_footage.contains(&warning.message));
    }
    plan
}

/// A stand-in for any font: texts have positions and are part of keys, but nothing is drawn.
pub(crate) struct AssumedFont;

impl FontMetrics for AssumedFont {
    fn family(&self) -> &str {
        ""
    }

    fn identity(&self) -> &str {
        ""
    }

    fn em_to_ass(&self) -> f64 {
        1.0
    }

    fn ascent(&self) -> f64 {
        1.0
    }

    fn descent(&self) -> f64 {
        0.25
    }

    fn advance(&self, _: char) -> Option<f64> {
        Some(0.5)
    }

    fn variant(&self, _: Option<CaptionFont>, _: Weight) -> Option<&dyn FontMetrics> {
        Some(self)
    }
}

/// Starts can be drawn only for known files: otherwise clips are assumed to start at their beginnings.
fn begins_assumed(request: &mut TaskRequest, known: &Facts) -> Option<Warning> {
    request.params = planner(&request.params).without_drawn_starts(known)?;
    Some(Warning { path: "/params/options/clipStart".to_owned(), message: message::begins_assumed() })
}

/// Distinct combinations of the scenes' resources, at most 2^53−1; `None` for other task types. When starts are drawn
/// and all clips are known, stretches of footage are counted instead.
pub fn distinct_combinations(request: &TaskRequest, known: &Facts) -> Option<u64> {
    planner(&request.params).distinct_combinations(known)
}

/// Unread captions change neither the length nor, as far as is known, the number of segments.
fn without_subtitles(request: &TaskRequest) -> TaskRequest {
    let mut request = request.clone();
    if let Some(options) = request.params.mix_options_mut() {
        options.subtitle = None;
        options.voice_pool.iter_mut().for_each(|voice| voice.subtitle = None);
    }
    request
}

pub(crate) fn assumed_facts(request: &TaskRequest, seed: u64, mut facts: Facts) -> Facts {
    let lengths = lengths(request);
    let takes_pictures = request.params.mix_options().is_some();
    let overlays = request.urls_of(InputRole::Overlay).chain(request.urls_of(InputRole::Cover));
    let overlays: BTreeSet<&str> = overlays.collect();
    let layers = request.params.mix_options().into_iter().flat_map(|options| &options.overlays);
    let layers: BTreeSet<&str> =
        layers.filter_map(|overlay| overlay.video()).map(|layer| layer.url.as_str()).collect();
    loop {
        let inputs = needed_inputs(request, seed, &facts);
        // Captions are spread evenly over a voice whose pauses are unknown.
        if inputs.iter().all(|input| input.kind == InputKind::Pauses) {
            return facts;
        }
        for input in inputs {
            match input.kind {
                InputKind::Subtitle => _ = facts.subtitles.insert(input.url, Ok(Subtitles::default())),
                InputKind::Cuts => _ = facts.cuts.insert(input.url, Ok(Cuts::default())),
                InputKind::Pauses => {}
                InputKind::Transcript => _ = facts.transcripts.insert(input.url, Ok(Transcript::default())),
                InputKind::Font => _ = facts.fonts.insert(input.url, Ok(FontFile(Arc::new(AssumedFont)))),
                InputKind::Media => {
                    let spoken_s = Speech::of_url(&input.url).map(|speech| speech.estimated_s());
                    let known_s = || lengths.get(input.url.as_str()).copied().unwrap_or(UNKNOWN_CLIP_S);
                    let seconds = spoken_s.unwrap_or_else(known_s);
                    let url = input.url.as_str();
                    let is_overlay = overlays.contains(url) && !layers.contains(url);
                    let is_image = is_overlay || takes_pictures && is_named_as_image(&input.url);
                    let info = if is_image { image_info(&input.url) } else { assumed(&input.url, seconds) };
                    facts.media.insert(input.url, Ok(info));
                }
            }
        }
    }
}

/// The assumed lengths of all files.
fn lengths(request: &TaskRequest) -> BTreeMap<&str, f64> {
    let mut lengths = assumed_lengths(request.clips());
    let Some(options) = request.params.mix_options() else { return lengths };
    let audio = request.params.scenes().iter().flat_map(|scene| &scene.audio);
    let audio = audio.map(|audio| (audio.url.as_str(), audio.duration_s));
    let mut of_audio = BTreeMap::<&str, f64>::new();
    for (url, seconds) in audio.chain(tracks(options)) {
        if let Some(seconds) = seconds {
            let longest = of_audio.entry(url).or_insert(seconds);
            *longest = longest.max(seconds);
        }
    }
    of_audio.into_iter().for_each(|(url, seconds)| _ = lengths.entry(url).or_insert(seconds));
    lengths
}

fn tracks(options: &MixOptions) -> impl Iterator<Item = (&str, Option<f64>)> {
    let pools = options.voice_pool.iter().map(|voice| &voice.audio).chain(&options.music_pool);
    let all = [&options.voice, &options.music].into_iter().flatten().chain(pools);
    // A file is long enough for the part that is used of it.
    let length = |from_s: Option<f64>, duration_s: Option<f64>| match from_s {
        Some(from_s) => Some(from_s + duration_s.unwrap_or(UNKNOWN_CLIP_S)),
        None => duration_s,
    };
    let tracks = all.map(move |track| (track.url.as_str(), length(track.from_s, track.duration_s)));
    let sounds = options.sounds.iter();
    tracks.chain(sounds.map(move |sound| (sound.url.as_str(), length(sound.from_s, sound.duration_s))))
}

/// A file that is an image.
fn image_info(url: &str) -> MediaInfo {
    let mut info = assumed(url, 0.0);
    if let Some(video) = &mut info.video {
        (video.frames, video.rate, video.still) = (1, 0.0, true);
    }
    MediaInfo { audio: None, ..info }
}

/// A file with video and audio of this length.
fn assumed(url: &str, seconds: f64) -> MediaInfo {
    const RATE: f64 = 30.0;
    let video = VideoInfo::plain(Size::new(1920, 1080), seconds, RATE);
    let frames = (seconds * RATE).ceil().max(2.0) as u64;
    MediaInfo {
        content: ContentHash(url.into()),
        size_bytes: 0,
        format: "mov,mp4,m4a,3gp,3g2,mj2".to_owned(),
        video: Some(VideoInfo { frames, ..video }),
        audio: Some(AudioInfo::plain(seconds)),
        animation: None,
        condition: None,
    }
}
