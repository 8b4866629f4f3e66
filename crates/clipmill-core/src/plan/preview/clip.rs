//! A few seconds of one output, small and quickly made: the same graphs on the same clock as in the finished file, and
//! a range of the same mix of the same audio.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use serde::Serialize;

use crate::media::{Facts, Size};
use crate::plan::build::Builder;
use crate::plan::division::Division;
use crate::plan::mix;
use crate::plan::mix::pools::draw_options;
use crate::plan::mix::scene_audio::ScenesAudio;
use crate::plan::model::MixRange;
use crate::plan::preview::frame::{counted_from, frame_inputs};
use crate::plan::preview::{ClipRange, FrameError, RegisteredClip};
use crate::plan::task_types::planner;
use crate::plan::timeline::Timeline;
use crate::plan::{
    AudioMix, Context, InputKind, MixTrack, Moment, NeededInput, PlannedSegment, Rendition, TrackPart,
};
use crate::pricing::Tier;
use crate::request::model::{MixOptions, TaskRequest};
use crate::seed::item_seed;
use crate::segment::{SegmentKey, SegmentSpec};
use crate::time::{Fps, Frames, SAMPLE_RATE, Samples};

/// Audio that ended this long before the clip has no effect on it: music that it lowered is back.
const REACH: Samples = Samples(3 * SAMPLE_RATE);

/// Clips up to this length are rendered before all other work. Longer ones wait for their share of the machine, and are
/// rendered in parts of [`PART_SECONDS`], so that another call continues where one was too slow.
const SHORT_S: f64 = 10.0;
const PART_SECONDS: u64 = 8;

/// A clip to be made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlannedClip {
    /// Segments of the clip, each once.
    pub segments: Vec<PlannedSegment>,
    pub rendition: Rendition,
    /// The time of its first frame in the output, and the output's length, in seconds.
    pub at_s: f64,
    pub length_s: f64,
}

impl PlannedClip {
    pub fn seconds(&self) -> f64 {
        self.rendition.frames.seconds(self.rendition.fps)
    }

    /// Whether it is too long to be rendered before all other work.
    pub fn is_long(&self) -> bool {
        self.rendition.frames > Frames::nearest(SHORT_S, self.rendition.fps)
    }
}

/// Files that the clip depends on and `facts` do not contain yet: all of its output. Ask again after each round.
pub fn clip_inputs(request: &TaskRequest, seed: u64, facts: &Facts, moment: &Moment) -> Vec<NeededInput> {
    let mut inputs = frame_inputs(request, seed, facts, &Moment { clip: None, ..*moment });
    let index = moment.item_no.saturating_sub(1) as usize;
    let draw = |options| draw_options(options, item_seed(seed, moment.item_no), facts);
    let mut audio_urls: Vec<String> = Vec::new();
    if let Some(options) = request.params.mix_options() {
        audio_urls.extend(draw(options).tracks().map(str::to_owned));
    }
    let choice = planner(&request.params).choices(seed, facts).into_iter().nth(index).flatten();
    let scene_audio = choice.iter().flat_map(|choice| request.params.scenes().iter().zip(&choice.audio));
    let scene_audio = scene_audio.filter_map(|(scene, index)| scene.audio.get((*index)?));
    audio_urls.extend(scene_audio.map(|audio| audio.url.to_string()));
    let audio_urls = audio_urls.into_iter().filter(|url| !facts.media.contains_key(url));
    inputs.extend(audio_urls.map(|url| NeededInput { url, kind: InputKind::Media }));
    let mut urls = BTreeSet::new();
    inputs.retain(|input| urls.insert(input.clone()));
    inputs
}

/// Plans `seconds` of the output from a moment on; less if the output ends before. All files that [`clip_inputs`] lists
/// must be in `facts`.
pub fn clip<'a>(
    request: &'a TaskRequest,
    seed: u64,
    facts: &'a Facts,
    context: &'a Context<'a>,
    moment: &Moment,
    seconds: f64,
) -> Result<PlannedClip, FrameError> {
    let items = request.params.total_items() as u32;
    if moment.item_no == 0 || moment.item_no > items {
        return Err(FrameError::NoSuchItem(items));
    }
    let part_seconds = if seconds > SHORT_S { PART_SECONDS } else { 0 };
    let mut builder = Builder::new(facts, context, Division { part_seconds, ..Division::whole(context) });
    builder.quick = true;
    let range = ClipRange { moment, seconds };
    let registered = planner(&request.params).clip(seed, range, &mut builder)?;
    Ok(planned(registered, builder))
}

fn planned(clip: RegisteredClip, builder: Builder) -> PlannedClip {
    let RegisteredClip { mut rendition, shown, total } = clip;
    let all = builder.finish(Vec::new()).0.segments;
    rendition.audio = rendition.audio.map(|mix| stretch(mix, &shown, rendition.fps, &lengths(&all)));
    let used: BTreeSet<SegmentKey> = rendition.segments().into_iter().collect();
    let segments = all.into_iter().filter(|segment| used.contains(&segment.key)).collect();
    let (at_s, length_s) = (shown.start.seconds(rendition.fps), total.seconds(rendition.fps));
    PlannedClip { segments, rendition, at_s, length_s }
}

pub(crate) fn of_mix<'a>(
    options: &MixOptions,
    timeline: &Timeline<'a>,
    scenes: ScenesAudio,
    wanted: ClipRange,
    builder: &mut Builder<'a>,
) -> Result<RegisteredClip, FrameError> {
    let options = small(options, builder.rendered_size(options.size));
    let (fps, size, total) = (options.fps, options.size, timeline.frames());
    builder.check_length(total, fps)?;
    let (origin, _) = counted_from(timeline, wanted.moment)?;
    let range = wanted.frames(origin, total, fps);
    let (captions, overlays, _) = mix::texts_and_images(builder, &options, timeline, &scenes.scripts)?;
    let tier = Tier::of(size);
    let encoder = builder.encoder(options.preset, tier, fps);
    let over = (captions.as_ref(), &overlays);
    let video = mix::encoded(builder, &options, timeline, &range, over, &encoder);
    let (audio, _) = mix::audio_mix(builder, &options, timeline, scenes.tracks)?;
    let audio = Some(audio);
    let frames = Frames(range.end.0 - range.start.0);
    Ok(RegisteredClip {
        rendition: Rendition { fps, size, frames, tier, video, audio, speech: vec![], cover: None },
        shown: range,
        total,
    })
}

/// The options of an output of another size that looks the same.
fn small(options: &MixOptions, size: Size) -> MixOptions {
    let mut small = MixOptions { size, ..options.clone() };
    if let Some(subtitle) = &mut small.subtitle {
        // The only length in pixels.
        let scale = f64::from(size.short_side()) / f64::from(options.size.short_side());
        subtitle.style.bottom = (f64::from(subtitle.style.bottom) * scale).round() as u32;
    }
    small
}

fn lengths(segments: &[PlannedSegment]) -> HashMap<SegmentKey, Samples> {
    let sound = |segment: &PlannedSegment| match &segment.spec {
        SegmentSpec::Audio(sound) => Some((segment.key.clone(), sound.samples)),
        SegmentSpec::Video(_) => None,
    };
    segments.iter().filter_map(sound).collect()
}

/// The audio of these frames. Segments that are inaudible in them are silence and need not be made, unless the level of
/// the whole mix must be measured from all of it.
fn stretch(
    mix: AudioMix,
    shown: &Range<Frames>,
    fps: Fps,
    lengths: &HashMap<SegmentKey, Samples>,
) -> AudioMix {
    let (begin, end) = (shown.start.samples(fps), shown.end.samples(fps));
    let near = Samples(begin.0.saturating_sub(REACH.0))..end;
    let heard = |track: MixTrack| MixTrack { parts: heard(track.parts, &near, lengths), ..track };
    let tracks = match mix.loudness_lufs {
        Some(_) => mix.tracks,
        None => mix.tracks.into_iter().map(heard).collect(),
    };
    let stretch = Some(MixRange { begin, of: mix.samples });
    AudioMix { samples: Samples(end.0 - begin.0), tracks, stretch, ..mix }
}

/// The parts of a track up to the end of `near`, with silence for those before it.
fn heard(
    parts: Vec<TrackPart>,
    near: &Range<Samples>,
    lengths: &HashMap<SegmentKey, Samples>,
) -> Vec<TrackPart> {
    let mut at = 0;
    let mut audible_parts = Vec::new();
    for part in parts {
        let samples = match &part {
            TrackPart::Silence(samples) => *samples,
            TrackPart::Audio(key) => lengths.get(key).copied().unwrap_or_default(),
        };
        let (begin, end) = (at, at + samples.0);
        at = end;
        if begin >= near.end.0 {
            break;
        }
        audible_parts.push(if end <= near.start.0 { TrackPart::Silence(samples) } else { part });
    }
    audible_parts
}
