//! One output of a mix: shots in order on a timeline, captions over the whole of it, audio tracks.

pub(crate) mod audio;
pub(crate) mod captions;
pub(crate) mod choices;
pub(crate) mod copy;
pub(crate) mod fill;
mod footage_ranges;
pub(crate) mod images;
pub(crate) mod layer_range;
pub(crate) mod layers;
mod mix_effects;
pub(crate) mod moving_overlay;
pub(crate) mod overlay_cache;
pub(crate) mod overlays;
pub(crate) mod pools;
pub(crate) mod resources;
pub(crate) mod scene_audio;
pub(crate) mod scene_fill;
pub(crate) mod scene_lengths;
pub(crate) mod second_clip_key;
pub(crate) mod shot;
pub(crate) mod split_screen;
pub(crate) mod starts;
pub(crate) mod transcripts;
pub(crate) mod transition_span;

use crate::error::{ErrorCode, TaskError};
use crate::filter_graph::Graph;
use crate::hashed_value::HashedValue;
use crate::message;
use crate::plan::build::{Builder, ShotGraphKey};
use crate::plan::mix::audio::{
    PlacedAudio, clip_audio, file_audio, heard_parts, music_track, plain_track, used_length, voice_track,
};
use crate::plan::mix::captions::captions;
use crate::plan::mix::copy::can_be_copied;
use crate::plan::mix::overlays::{OverlayView, Overlays};
use crate::plan::mix::scene_audio::{SceneScript, ScenesAudio};
use crate::plan::mix::shot::{ClipAdjustments, Shot};
use crate::plan::model::Planned;
use crate::plan::parts::{Range, can_be_parted, parts};
use crate::plan::timeline::{Timeline, TimelineSpan};
use crate::plan::video::clip::{FrameView, Timing, as_part, mix_graph};
use crate::plan::video::excerpt::Excerpt;
use crate::plan::video::source_key::SourceKey;
use crate::plan::{AudioMix, DuckingRole, MixTrack, Rendition, TrackPart, Warning};
use crate::pricing::Tier;
use crate::request::model::{MixOptions, Subtitle};
use crate::segment::{AudioSpec, Continuation, EncoderSettings, SegmentKey, SegmentSpec, VideoSpec};
use crate::subtitle::{CaptionTrack, CaptionView, MAX_EMOJI};
use crate::time::{Fps, Frames, Samples};

/// A clip that is shorter than its scene by less than this, or by less than this part of it, holds its last frame instead of
/// looping.
const HOLD_S: f64 = 0.5;
const HOLD_PART: f64 = 0.05;

/// Repeats a looping clip shorter than half a second inside one shot of about two seconds, so that no output has
/// thousands of segments.
pub(crate) fn looped_shots<'a>(shot: Shot<'a>, total: Frames, fps: Fps) -> Vec<Shot<'a>> {
    let natural = shot.natural.0;
    let rate = u64::from(fps.get());
    let merged = if natural * 2 < rate { (2 * rate).div_ceil(natural) } else { 1 };
    let period = natural * merged;
    let mut shots = Vec::new();
    let mut remaining = total.0;
    while remaining > 0 {
        let is_last = merged == 1 && is_held(natural, remaining, fps);
        let frames = if is_last { remaining } else { remaining.min(period) };
        shots.push(Shot { frames: Frames(frames), looped: frames > natural && !is_last, ..shot });
        remaining -= frames;
    }
    shots
}

/// Whether a clip, or its last repetition, holds its last frame for the rest of `frames` instead of repeating.
pub(crate) fn is_held(natural: u64, frames: u64, fps: Fps) -> bool {
    let short_by = frames.saturating_sub(natural) as f64;
    short_by <= (HOLD_S * f64::from(fps.get())).max(HOLD_PART * frames as f64)
}

/// Plans one output from its timeline; `scenes` have audio and texts of their own (proVideoMix).
pub(crate) fn rendition<'a>(
    builder: &mut Builder<'a>,
    options: &MixOptions,
    timeline: &Timeline<'a>,
    scenes: ScenesAudio,
) -> Result<Planned, TaskError> {
    let frames = timeline.frames();
    builder.check_length(frames, options.fps)?;
    let (captions, overlays, mut warnings) = texts_and_images(builder, options, timeline, &scenes.scripts)?;
    let tier = Tier::of(options.size);
    let encoder = builder.encoder(options.preset, tier, options.fps);
    let overlaps = timeline.scene_overlaps().next().is_some();
    let video = if !overlaps && can_be_copied(options, timeline.shots(), &encoder) {
        copied(builder, options, timeline.shots(), &encoder)
    } else {
        encoded(builder, options, timeline, &(Frames(0)..frames), (captions.as_ref(), &overlays), &encoder)
    };
    let (audio, of_audio) = audio_mix(builder, options, timeline, scenes.tracks)?;
    warnings.extend(of_audio);
    warnings.extend(ducking_warning(options, &audio));
    warnings.extend(transition_span::warnings(options, timeline));
    warnings.extend(scenes.warnings);
    let rendition = Rendition {
        fps: options.fps,
        size: options.size,
        frames,
        tier,
        video,
        audio: Some(audio),
        speech: vec![],
        cover: None,
    };
    Ok(Planned { rendition, footage: timeline.footage(options.fps), warnings })
}

/// The video of all shots with copied packets. Copying is too fast to be worth splitting into parts.
fn copied<'a>(
    builder: &mut Builder<'a>,
    options: &MixOptions,
    shots: &[Shot<'a>],
    encoder: &EncoderSettings,
) -> Vec<SegmentKey> {
    let copying = encoder.clone().copying().into();
    let plain = OverlayView::default();
    let copied = |shot: &Shot<'a>| {
        shot_segment(builder, options, shot, Range::whole(shot.frames), (None, &plain), &copying)
    };
    shots.iter().map(copied).collect()
}

/// The video of these frames of the output.
pub(crate) fn encoded<'a>(
    builder: &mut Builder<'a>,
    options: &MixOptions,
    timeline: &Timeline<'a>,
    seen: &std::ops::Range<Frames>,
    (captions, overlays): (Option<&CaptionTrack>, &Overlays),
    encoder: &HashedValue<EncoderSettings>,
) -> Vec<SegmentKey> {
    let mut keys = Vec::with_capacity(timeline.shots().len());
    let view = |start, frames| {
        let captions = captions.and_then(|track| track.view(start, frames));
        (captions, overlays.view(start, frames))
    };
    for span in timeline.spans().filter_map(|span| span.within(seen)) {
        match span {
            TimelineSpan::Shot { start, shot, shown } => {
                for range in ranges(builder, options, shot, &shown) {
                    let start = Frames(start.0 + range.begin.0 - shown.start.0);
                    let (captions, over) = view(start, range.frames());
                    keys.push(shot_segment(builder, options, shot, range, (captions, &over), encoder));
                }
            }
            TimelineSpan::TransitionSpan { start, shown, scene_overlap, sides } => {
                let (captions, over) = view(start, Frames(shown.end.0 - shown.start.0));
                let graph_key = transition_span::graph_key(&sides, scene_overlap, &shown);
                let graph = || transition_span::graph(options, &sides, scene_overlap, &shown).into();
                let graph = builder.transition_graphs.entry(graph_key).or_insert_with(graph).clone();
                let transition_spec =
                    transition_span::video_spec(options, &sides, &shown, graph, captions, encoder);
                let (spec, sources) = over.overlaid(transition_spec, options.fps, Frames(0));
                let key = builder.segment_of(SegmentSpec::Video(spec), sources);
                builder.splits.add(&key, None);
                keys.push(key);
            }
        }
    }
    keys
}

/// The parts in which the video of a shot is made, as far as they are shown.
fn ranges(
    builder: &Builder,
    options: &MixOptions,
    shot: &Shot,
    shown: &std::ops::Range<Frames>,
) -> impl Iterator<Item = Range> + use<> {
    let part_seconds = match builder.division.part_seconds {
        wanted if wanted > 0 && is_divisible(shot) => wanted,
        _ => 0,
    };
    let ranges = parts(shot.frames, shot.natural, options.fps, part_seconds);
    let ranges = ranges.flat_map(|range| split_screen::divided(shot, range, options.fps)).collect::<Vec<_>>();
    let ranges = ranges.into_iter();
    let shown = shown.clone();
    ranges.filter_map(move |range| range.within(&shown))
}

fn is_divisible(shot: &Shot) -> bool {
    !shot.looped
        && can_be_parted(shot.info, shot.video)
        && shot.second.is_none_or(|second| second.is_divisible())
}

/// Registers the video of a shot or of a part of it. A shot without captions that was registered before is looked up:
/// serialising and hashing its specification would be most of the work of planning a large task.
fn shot_segment<'a>(
    builder: &mut Builder<'a>,
    options: &MixOptions,
    shot: &Shot<'a>,
    range: Range,
    (captions, over): (Option<CaptionView>, &OverlayView),
    encoder: &HashedValue<EncoderSettings>,
) -> SegmentKey {
    let plain = (captions.is_none() && over.is_empty()).then_some((
        &shot.info.content,
        shot.video.stream_index,
        shot.excerpt,
        shot.natural,
        range,
        shot.looped,
        encoder.is_copy(),
        shot.movement(),
        shot.adjustments.look_and_speed(),
        shot.second_clip_key(),
    ));
    if let Some(existing) = plain.as_ref().and_then(|plain| builder.plain_shots.get(plain)) {
        return existing.clone();
    }
    let graph = builder
        .graphs
        .entry(graph_key(shot, range))
        .or_insert_with(|| graph(options, shot, range).into())
        .clone();
    let spec = shot_spec(options, shot, range, graph, captions, encoder);
    let sources = split_screen::sources(shot);
    let (spec, sources) = over.overlaid((spec, sources), options.fps, Frames(0));
    let key = builder.segment_of(SegmentSpec::Video(spec), sources);
    builder.splits.add(&key, is_divisible(shot).then_some(shot.video));
    if let Some(plain) = plain {
        builder.plain_shots.insert(plain, key.clone());
    }
    key
}

/// A range of the video of one shot.
pub(crate) fn shot_spec(
    options: &MixOptions,
    shot: &Shot,
    range: Range,
    graph: HashedValue<Graph>,
    captions: Option<CaptionView>,
    encoder: &HashedValue<EncoderSettings>,
) -> VideoSpec {
    let MixOptions { fps, size, .. } = *options;
    VideoSpec {
        source: shot.info.content.clone(),
        stream_index: shot.video.stream_index,
        decoder: shot.video.named_decoder().map(str::to_owned),
        fps,
        frames: if range.is_part { range.frames() } else { range.end },
        size,
        graph,
        inputs: split_screen::inputs(shot, range, fps),
        captions,
        texts: Vec::new(),
        encoder: encoder.clone(),
        part: timing(shot, range, fps).part(range, shot.info, shot.video),
    }
}

pub(crate) fn graph_key<'a>(shot: &Shot<'a>, range: Range) -> ShotGraphKey<'a> {
    let Shot { video, excerpt, natural, looped, adjustments, .. } = *shot;
    (
        SourceKey::of(video),
        excerpt,
        natural,
        range,
        looped,
        shot.movement(),
        adjustments.look_and_speed(),
        shot.second_clip_key(),
    )
}

/// The filter graph that makes a range of a shot's video from its source.
pub(crate) fn graph(options: &MixOptions, shot: &Shot, range: Range) -> Graph {
    let MixOptions { fps, size, fill, background, .. } = *options;
    let view = FrameView { size, fill, background, look: shot.adjustments.look };
    let graph = match &shot.second {
        Some(second) => split_screen::graph(options, shot, second, range),
        None => mix_graph(shot.video, &timing(shot, range, fps), view),
    };
    if range.is_part { as_part(graph, fps) } else { graph }
}

pub(crate) fn timing(shot: &Shot, range: Range, fps: Fps) -> Timing {
    let plain = Timing::plain(fps, shot.natural, range.end);
    let (movement, speed) = (shot.movement(), shot.adjustments.speed());
    Timing { excerpt: shot.excerpt, looped: shot.looped, begin: range.begin, movement, speed, ..plain }
}

/// The captions and the overlays of an output.
pub(crate) fn texts_and_images<'a>(
    builder: &Builder<'a>,
    options: &'a MixOptions,
    timeline: &Timeline,
    scripts: &[SceneScript],
) -> Result<(Option<CaptionTrack>, Overlays<'a>, Vec<Warning>), TaskError> {
    let total = timeline.frames();
    let (captions, mut warnings) = captions(builder, options, timeline, scripts)?;
    let (overlays, of_overlays) = Overlays::of(&options.overlays, options, total, builder)?;
    warnings.extend(of_overlays);
    let emoji = captions.as_ref().map_or(0, CaptionTrack::emoji_count) + overlays.emoji_count();
    if emoji > MAX_EMOJI {
        let error = TaskError::new(ErrorCode::SubtitleInvalid, message::too_many_emoji(emoji, MAX_EMOJI));
        let url = options.subtitle.as_ref().and_then(Subtitle::url);
        return Err(url.into_iter().fold(error, |error, url| error.input(url)));
    }
    Ok((captions, overlays, warnings))
}

/// Warnings about a text at `path` of the request.
pub(crate) fn text_warnings(track: &CaptionTrack, path: &str) -> Vec<Warning> {
    let unsupported = track
        .missing_glyphs()
        .iter()
        .map(|c| message::no_glyph(format!("{c:?}"), format!("U+{:04X}", u32::from(*c))));
    let other = track.warnings().iter().cloned();
    unsupported.chain(other).map(|message| Warning { path: path.into(), message }).collect()
}

pub(crate) fn audio_mix<'a>(
    builder: &mut Builder<'a>,
    options: &MixOptions,
    timeline: &Timeline<'a>,
    scene_audio: Vec<MixTrack>,
) -> Result<(AudioMix, Vec<Warning>), TaskError> {
    let (mix, _, warnings) = named_audio_mix(builder, options, timeline, scene_audio)?;
    Ok((mix, warnings))
}

/// The mix with a name for each of its tracks.
pub(crate) fn named_audio_mix<'a>(
    builder: &mut Builder<'a>,
    options: &MixOptions,
    timeline: &Timeline<'a>,
    scene_audio: Vec<MixTrack>,
) -> Result<(AudioMix, Vec<&'static str>, Vec<Warning>), TaskError> {
    let mut warnings = Vec::new();
    let mut names = Vec::new();
    // Tracks are only added, so those without a name are the last ones.
    let mut name = |tracks: &[MixTrack], role| names.resize(tracks.len(), role);
    let total = timeline.frames().samples(options.fps);
    let mut tracks = match options.original_volume {
        0 => Vec::new(),
        _ if timeline.scene_overlaps().next().is_some() => {
            transition_span::clips_tracks(builder, options, timeline)
        }
        _ => clips_track(builder, options, timeline).into_iter().collect(),
    };
    name(&tracks, "Clips");
    if options.original_volume > 0 {
        tracks.extend(split_screen::tracks(builder, options, timeline));
    }
    name(&tracks, "Second clips");
    let mut voice_tracks: Vec<MixTrack> =
        scene_audio.into_iter().filter(|track| !track.parts.is_empty()).collect();
    let of_scenes = voice_tracks.len();
    if let Some(track) = &options.voice {
        let info = builder.media(&track.url)?;
        let start = Samples::nearest(track.start_s.unwrap_or(0.0)).0;
        let begin = Samples(timeline.lead().samples(options.fps).0.saturating_add(start));
        match begin < total {
            true => voice_tracks.push(voice_track(builder, track, info, begin, total)?),
            false => warnings.push(Warning {
                path: format!("{}/start", pools::voice_path(options, track)),
                message: message::sound_after_video(),
            }),
        }
    }
    // Without voice-over and scene audio, speech means the people in the clips.
    let speech = if voice_tracks.is_empty() {
        0..tracks.len()
    } else {
        tracks.len()..tracks.len() + voice_tracks.len()
    };
    for (index, track) in voice_tracks.into_iter().enumerate() {
        tracks.push(track);
        name(&tracks, if index < of_scenes { "Scene audio" } else { "Voice" });
    }
    if let Some(track) = &options.music {
        let info = builder.media(&track.url)?;
        let music = music_track(builder, track, info, total)?;
        if options.ducking && !speech.is_empty() {
            tracks[speech].iter_mut().for_each(|track| track.ducking = Some(DuckingRole::Speech));
            tracks.push(MixTrack { ducking: Some(DuckingRole::Music), ..music });
        } else {
            tracks.push(music);
        }
    }
    name(&tracks, "Music");
    tracks.extend(sounds(builder, options, total, &mut warnings)?);
    name(&tracks, "Sounds");
    tracks.extend(layers::tracks(builder, options, timeline.frames(), &mut warnings)?);
    name(&tracks, "Overlays");
    let fade_out = Samples::nearest(options.fade_out_s).min(total);
    let loudness_lufs = options.loudness_lufs;
    Ok((AudioMix { samples: total, tracks, loudness_lufs, fade_out, stretch: None }, names, warnings))
}

/// The sounds that begin before the end of the output.
fn sounds(
    builder: &mut Builder,
    options: &MixOptions,
    total: Samples,
    warnings: &mut Vec<Warning>,
) -> Result<impl Iterator<Item = MixTrack> + use<>, TaskError> {
    let mut placed = PlacedAudio::default();
    for (index, sound) in options.sounds.iter().enumerate() {
        let info = builder.media(&sound.url)?;
        let from = Samples::nearest(sound.at_s);
        let room = Samples(total.0.saturating_sub(from.0));
        let heard = used_length(info, sound.from_s, sound.duration_s, &sound.url)?.min(room);
        if heard.0 == 0 {
            let path = format!("/params/options/sounds/{index}/at");
            warnings.push(Warning { path, message: message::sound_after_video() });
            continue;
        }
        let spec = file_audio(info, sound.from_s, heard);
        let spec = spec.map(|spec| AudioSpec { volume_percent: sound.volume_percent, ..spec });
        placed.add(builder.audio_part(spec, heard, &sound.url), from, heard);
    }
    Ok(placed.tracks())
}

/// Warns when ducking was requested but the output has no speech.
fn ducking_warning(options: &MixOptions, sound: &AudioMix) -> Option<Warning> {
    let ducked = sound.tracks.iter().any(|track| track.ducking.is_some());
    (options.ducking && options.music.is_some() && !ducked)
        .then(|| Warning { path: "/params/options/ducking".into(), message: message::music_not_lowered() })
}

/// The clips' own audio, each segment exactly as long as its video; `None` if no clip has any.
fn clips_track<'a>(
    builder: &mut Builder<'a>,
    options: &MixOptions,
    timeline: &Timeline<'a>,
) -> Option<MixTrack> {
    let shots = timeline.shots();
    shots.iter().find(|shot| shot.info.audio.is_some())?;
    let fps = options.fps;
    let parts = shots.iter().zip(heard_parts(shots, fps));
    let parts = parts.map(|(shot, heard)| clip_part(builder, shot, heard, fps)).collect();
    Some(plain_track(parts, timeline.frames().samples(fps), options.original_volume))
}

/// Registers the own audio of a clip; one that was registered before is looked up, as with video.
fn clip_part<'a>(
    builder: &mut Builder<'a>,
    shot: &Shot<'a>,
    (excerpt, continued): (Excerpt, Continuation),
    fps: Fps,
) -> TrackPart {
    let samples = shot.frames.samples(fps);
    let Some(audio) = &shot.info.audio else { return TrackPart::Silence(samples) };
    let available = shot.natural.samples(fps);
    let period = shot.looped.then_some(available);
    let ClipAdjustments { volume_percent, speed_permille, .. } = shot.adjustments;
    let adjustments = (volume_percent, speed_permille);
    let cache_key =
        (&shot.info.content, audio.stream_index, excerpt, continued, samples, period, adjustments);
    if let Some(key) = builder.clip_audio.get(&cache_key) {
        return TrackPart::Audio(key.clone());
    }
    let spec = clip_audio(shot.info, excerpt, samples, available, period);
    let part = builder.audio_part(
        spec.map(|spec| AudioSpec { continued, ..shot.adjustments.treated(spec) }),
        samples,
        shot.url,
    );
    if let TrackPart::Audio(key) = &part {
        builder.clip_audio.insert(cache_key, key.clone());
    }
    part
}
