//! A few seconds of one output, small and quickly made: the same graphs on the same clock as in the finished file, and
//! a range of the same mix of the same audio.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use serde::Serialize;

use crate::media::Facts;
use crate::plan::build::Builder;
use crate::plan::division::Division;
use crate::plan::mix;
use crate::plan::mix::base_mix;
use crate::plan::mix::choices::choices;
use crate::plan::mix::pools::draw_options;
use crate::plan::mix::pro_mix;
use crate::plan::mix::scene_audio::ScenesAudio;
use crate::plan::model::MixRange;
use crate::plan::parts;
use crate::plan::preview::frame::{FrameError, counted_from, frame_inputs, no_more_than};
use crate::plan::timeline::Timeline;
use crate::plan::vary::dedup::{self, DedupValues};
use crate::plan::{
    AudioMix, Context, InputKind, MixTrack, Moment, NeededInput, PlannedSegment, Rendition, TrackPart,
};
use crate::pricing::Tier;
use crate::request::model::{DedupParams, MixOptions, Params, TaskRequest};
use crate::seed::item_seed;
use crate::segment::{SegmentKey, SegmentSpec};
use crate::time::{Fps, Frames, SAMPLE_RATE, Samples};

/// At least this much of an output that is as long is played, wherever the clip would begin.
const LEAST_S: f64 = 1.0;

/// Audio that ended this long before the clip has no effect on it: music that it lowered is back.
const REACH: Samples = Samples(3 * SAMPLE_RATE);

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

/// Files that the clip depends on and `facts` do not contain yet: all of its output. Ask again after each round.
pub fn clip_inputs(request: &TaskRequest, seed: u64, facts: &Facts, moment: &Moment) -> Vec<NeededInput> {
    let mut inputs = frame_inputs(request, seed, facts, &Moment { clip: None, ..*moment });
    let index = moment.item_no.saturating_sub(1) as usize;
    let draw = |options| draw_options(options, item_seed(seed, moment.item_no), facts);
    let mut audio_urls: Vec<String> = Vec::new();
    if let Some(options) = request.params.mix_options() {
        audio_urls.extend(draw(options).tracks().map(str::to_owned));
    }
    if let Params::ProVideoMix(params) = &request.params {
        let choice = choices(params, seed, facts).into_iter().nth(index).flatten();
        let scene_audio = choice.iter().flat_map(|choice| params.scenes.iter().zip(&choice.audio));
        let scene_audio = scene_audio.filter_map(|(scene, index)| scene.audio.get((*index)?));
        audio_urls.extend(scene_audio.map(|audio| audio.url.to_string()));
    }
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
    let none = || FrameError::NoSuchItem(items);
    if moment.item_no == 0 || moment.item_no > items {
        return Err(none());
    }
    let mut builder = Builder::new(facts, context, Division::whole(context));
    builder.quick = true;
    let index = moment.item_no as usize - 1;
    let wanted = ClipRange { moment, seconds };
    let draw = |options| draw_options(options, item_seed(seed, moment.item_no), facts);
    let registered = match &request.params {
        Params::VideoDeduplication(params) => of_dedup(params, seed, wanted, &mut builder)?,
        Params::BaseVideoMix(params) => {
            no_more_than(params.groups.get(index).ok_or_else(none)?.videos.len(), moment)?;
            let dealt = draw(&params.options);
            let timeline = base_mix::output_timeline(params, index, &dealt, &mut builder)?;
            of_mix(&dealt.options, &timeline, ScenesAudio::default(), wanted, &mut builder)?
        }
        Params::ProVideoMix(params) => {
            no_more_than(params.scenes.len(), moment)?;
            let choices = choices(params, seed, facts);
            let row_count = choices.iter().flatten().count();
            let choice = choices.into_iter().nth(index).flatten();
            let choice = choice.ok_or_else(|| pro_mix::too_few(params, row_count, facts))?;
            let dealt = draw(&params.options);
            let (timeline, audio, _) = pro_mix::output_timeline(params, &choice, &dealt, &mut builder)?;
            of_mix(&dealt.options, &timeline, audio, wanted, &mut builder)?
        }
    };
    Ok(registered.planned(builder))
}

/// The requested range of the output.
#[derive(Clone, Copy)]
struct ClipRange<'m> {
    moment: &'m Moment,
    seconds: f64,
}

impl ClipRange<'_> {
    /// Its frames, if the output has so many and the moment counts from `origin`.
    fn frames(self, origin: Frames, total: Frames, fps: Fps) -> Range<Frames> {
        let least = Frames::nearest(LEAST_S, fps).min(total);
        let latest = Frames(total.0 - least.0);
        let begin = (origin + Frames::nearest(self.moment.at_s.unwrap_or(0.0), fps)).min(latest);
        let length = Frames::nearest(self.seconds, fps).max(Frames(1));
        begin..(begin + length).min(total)
    }
}

/// A clip whose segments are registered.
struct RegisteredClip {
    rendition: Rendition,
    shown: Range<Frames>,
    total: Frames,
}

impl RegisteredClip {
    fn planned(self, builder: Builder) -> PlannedClip {
        let Self { mut rendition, shown, total } = self;
        let all = builder.finish(Vec::new()).0.segments;
        rendition.audio = rendition.audio.map(|mix| stretch(mix, &shown, rendition.fps, &lengths(&all)));
        let used: BTreeSet<SegmentKey> = rendition.segments().into_iter().collect();
        let segments = all.into_iter().filter(|segment| used.contains(&segment.key)).collect();
        let (at_s, length_s) = (shown.start.seconds(rendition.fps), total.seconds(rendition.fps));
        PlannedClip { segments, rendition, at_s, length_s }
    }
}

fn of_mix<'a>(
    options: &MixOptions,
    timeline: &Timeline<'a>,
    scenes: ScenesAudio,
    wanted: ClipRange,
    builder: &mut Builder<'a>,
) -> Result<RegisteredClip, FrameError> {
    let options = MixOptions { size: builder.rendered_size(options.size), ..options.clone() };
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
        rendition: Rendition { fps, size, frames, tier, video, audio, speech: vec![] },
        shown: range,
        total,
    })
}

fn of_dedup(
    params: &DedupParams,
    seed: u64,
    wanted: ClipRange,
    builder: &mut Builder,
) -> Result<RegisteredClip, FrameError> {
    no_more_than(1, wanted.moment)?;
    let clip = params.items().nth(wanted.moment.item_no as usize - 1);
    let (_, clip) = clip.ok_or(FrameError::NoSuchItem(params.total_items() as u32))?;
    let values = DedupValues::new(&params.options, item_seed(seed, wanted.moment.item_no));
    let (info, video, excerpt) = builder.moving_clip(clip)?;
    let fps = params.options.fps;
    let total = dedup::length((video, excerpt), &values, fps);
    let shown_frames = wanted.frames(Frames(0), total, fps);
    let range = parts::Range {
        begin: shown_frames.start,
        end: shown_frames.end,
        is_part: shown_frames != (Frames(0)..total),
    };
    let dedup_video = dedup::video_spec(params, clip, &values, range, builder)?;
    let (size, frames) = (dedup_video.spec.size, dedup_video.spec.frames);
    let keys = vec![builder.segment_of(SegmentSpec::Video(dedup_video.spec), dedup_video.sources)];
    let speed = values.speed.unwrap_or(1.0);
    let audio = dedup::audio_mix(builder, info, (clip, excerpt), total.samples(fps), speed);
    let rendition = Rendition { fps, size, frames, tier: Tier::of(size), video: keys, audio, speech: vec![] };
    Ok(RegisteredClip { rendition, shown: shown_frames, total })
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
