//! Transition spans, where two clips overlap: a transition leads from the frames of one to those of the other, and their audio
//! crossfades.
//!
//! A transition span is a segment of its own, so that the segment between two transition spans does not depend on the neighbouring
//! clips.

use crate::filter_graph::{Filter, Graph};
use crate::hashed_value::HashedValue;
use crate::message;
use crate::plan::build::{Builder, TransitionGraphKey};
use crate::plan::mix::audio::{AdjacentParts, clip_audio, heard_parts, plain_track};
use crate::plan::mix::pools::DrawnOptions;
use crate::plan::mix::shot::Shot;
use crate::plan::mix::{self, split_screen};
use crate::plan::parts::Range;
use crate::plan::timeline::{AudibleScene, SceneOverlap, Side, Timeline};
use crate::plan::video::clip::{finish, numbered};
use crate::plan::{MixTrack, SourceRef, TrackPart, Warning};
use crate::request::model::MixOptions;
use crate::segment::{AudioSpec, CrossFade, EncoderSettings, VideoSpec};
use crate::subtitle::CaptionView;
use crate::time::{Fps, Frames, Samples};
use crate::transitions::Overlap;

/// The timeline with its scenes overlapping, if the options ask for it.
pub(crate) fn overlapped<'a>(timeline: Timeline<'a>, dealt: &DrawnOptions, fps: Fps) -> Timeline<'a> {
    let Some(transition) = dealt.options.transition.as_ref() else { return timeline };
    let changes = timeline.scenes().count().saturating_sub(1);
    let transitions = dealt.transitions(changes);
    timeline.overlapped(Frames::nearest(transition.duration_s, fps), transitions)
}

/// Warns of transitions that are shorter than requested, and of those for which there is no frame.
pub(crate) fn warnings(options: &MixOptions, timeline: &Timeline) -> Vec<Warning> {
    let Some(transition) = options.transition.as_ref() else { return Vec::new() };
    let requested = Frames::nearest(transition.duration_s, options.fps);
    let changes = timeline.scenes().count().saturating_sub(1);
    let lengths =
        timeline.scene_overlaps().map(|scene_overlap| scene_overlap.frames).filter(|frames| frames.0 > 0);
    let lengths: Vec<Frames> = lengths.collect();
    let short = lengths.iter().filter(|frames| **frames < requested).count();
    let shortest = lengths.iter().min().copied().filter(|_| short > 0);
    let missing = changes.saturating_sub(lengths.len());
    let shortened = shortest.map(|shortest| {
        message::transitions_shortened(short, changes, format!("{:.2}", shortest.seconds(options.fps)))
    });
    let omitted = (missing > 0).then(|| message::transitions_omitted(missing, changes));
    let warning = |message| Warning { path: "/params/options/transition/duration".into(), message };
    shortened.into_iter().chain(omitted).map(warning).collect()
}

/// What determines [`graph`] beside the options.
pub(crate) fn graph_key<'a>(
    sides: &[Side<'a>; 2],
    scene_overlap: SceneOverlap,
    shown: &std::ops::Range<Frames>,
) -> TransitionGraphKey<'a> {
    let shots = [0, 1].map(|side| mix::graph_key(&sides[side].shot, range(&sides[side])));
    (shots, scene_overlap.transition.name, scene_overlap.frames, shown.clone())
}

/// The filter graph that makes the `shown` frames of the overlap from the two files.
pub(crate) fn graph(
    options: &MixOptions,
    [from, to]: &[Side; 2],
    scene_overlap: SceneOverlap,
    shown: &std::ops::Range<Frames>,
) -> Graph {
    let fps = options.fps;
    let inputs = 1 + split_screen::inputs(&from.shot, range(from), fps).len();
    let second = mix::graph(options, &to.shot, range(to)).after_inputs(inputs);
    let first = mix::graph(options, &from.shot, range(from));
    let overlap = Overlap { size: options.size, fps, frames: scene_overlap.frames, before: Frames(0) };
    // Filters with two inputs lose the durations of frames.
    let joined_graph = scene_overlap.transition.apply(first, second, &overlap).then(numbered(Frames(0), fps));
    let cut = || [Filter::new("trim").arg("start_frame", shown.start.0)].into_iter();
    let later = (shown.start.0 > 0).then(|| cut().chain(numbered(Frames(0), fps)));
    joined_graph.then(later.into_iter().flatten()).then(finish())
}

/// Video of the `shown` frames of the overlap, which may be truncated, and the files that it is made from.
pub(crate) fn video_spec(
    options: &MixOptions,
    [from, to]: &[Side; 2],
    shown: &std::ops::Range<Frames>,
    graph: HashedValue<Graph>,
    captions: Option<CaptionView>,
    encoder: &HashedValue<EncoderSettings>,
) -> (VideoSpec, Vec<SourceRef>) {
    let fps = options.fps;
    let (range, next) = (range(from), range(to));
    let spec = mix::shot_spec(options, &from.shot, range, graph, captions, encoder);
    let frames = Frames(shown.end.0 - shown.start.0);
    let mut inputs = spec.inputs;
    inputs.push(split_screen::input(&to.shot, next, fps));
    inputs.extend(split_screen::inputs(&to.shot, next, fps));
    let spec = VideoSpec { frames, inputs, ..spec };
    let mut sources = split_screen::sources(&from.shot);
    for source in split_screen::sources(&to.shot) {
        if sources.iter().all(|other| other.content != source.content) {
            sources.push(source);
        }
    }
    (spec, sources)
}

fn range(side: &Side) -> Range {
    Range { begin: side.shown.start, end: side.shown.end, is_part: true }
}

/// The clips' own audio on two tracks in turn, each segment exactly as long as its video and crossfaded with its
/// neighbours at equal power; no tracks if no clip has audio.
pub(crate) fn clips_tracks<'a>(
    builder: &mut Builder<'a>,
    options: &MixOptions,
    timeline: &Timeline<'a>,
) -> Vec<MixTrack> {
    if timeline.shots().iter().all(|shot| shot.info.audio.is_none()) {
        return Vec::new();
    }
    let mut tracks = [AdjacentParts::default(), AdjacentParts::default()];
    for (index, scene) in timeline.audible_scenes().enumerate() {
        let track = &mut tracks[index % 2];
        let at = scene.start.samples(options.fps).0;
        track.fill_until(at);
        track.parts.extend(scene_parts(builder, &scene, options.fps));
        track.until = at + scene.length().samples(options.fps).0;
    }
    let total = timeline.frames().samples(options.fps);
    let track = |track: AdjacentParts| {
        plain_track(track.parts, Samples(track.until).min(total), options.original_volume)
    };
    tracks.into_iter().filter(|track| track.parts.iter().any(is_heard)).map(track).collect()
}

fn is_heard(part: &TrackPart) -> bool {
    matches!(part, TrackPart::Audio(_))
}

/// The own audio of a scene: one segment if its clip repeats, however often, otherwise one for each clip. The first and the
/// last are crossfaded with the neighbours of the scene.
fn scene_parts<'a>(builder: &mut Builder<'a>, scene: &AudibleScene<'_, 'a>, fps: Fps) -> Vec<TrackPart> {
    let [first, .., last] = scene.shots else { return vec![scene_part(builder, scene, fps)] };
    let repeats = |shot: &Shot| {
        let is_same = shot.info.content == first.info.content && shot.excerpt == first.excerpt;
        is_same && shot.adjustments == first.adjustments
    };
    if scene.shots.iter().all(repeats) {
        return vec![scene_part(builder, scene, fps)];
    }
    let mut parts = Vec::with_capacity(scene.shots.len());
    for (shot, (excerpt, continued)) in scene.shots.iter().zip(heard_parts(scene.shots, fps)) {
        let edge = |is_edge, overlap: Frames| if is_edge { overlap.samples(fps) } else { Samples(0) };
        let fade_in = edge(std::ptr::eq(shot, first), scene.before);
        let fade_out = edge(std::ptr::eq(shot, last), scene.after);
        let crossed = (fade_in.0 + fade_out.0 > 0).then_some(CrossFade { fade_in, fade_out });
        let samples = shot.frames.samples(fps);
        let spec = clip_audio(shot.info, excerpt, samples, shot.natural.samples(fps), None);
        let spec = spec.map(|spec| AudioSpec { crossed, continued, ..shot.adjustments.treated(spec) });
        parts.push(builder.audio_part(spec, samples, shot.url));
    }
    parts
}

/// The own audio of a clip that is the only one of its scene, as one segment.
fn scene_part<'a>(builder: &mut Builder<'a>, scene: &AudibleScene<'_, 'a>, fps: Fps) -> TrackPart {
    let samples = scene.length().samples(fps);
    let Some(shot) = scene.shots.first() else { return TrackPart::Silence(samples) };
    let available = shot.natural.samples(fps);
    let repeats = scene.shots.len() > 1 || shot.looped;
    let (fade_in, fade_out) = (scene.before.samples(fps), scene.after.samples(fps));
    let crossed = (fade_in.0 + fade_out.0 > 0).then_some(CrossFade { fade_in, fade_out });
    let spec = clip_audio(shot.info, shot.excerpt, samples, available, repeats.then_some(available));
    builder.audio_part(
        spec.map(|spec| AudioSpec { crossed, ..shot.adjustments.treated(spec) }),
        samples,
        shot.url,
    )
}
