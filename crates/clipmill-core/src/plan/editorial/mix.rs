//! The timeline of an output of a mix for editing programs.

use std::ops::Range;

use serde_json::{Value, json};

use super::audio::audio_tracks;
use super::transitions::fit_transitions;
use super::{MediaTable, frame_start_s};
use crate::editorial::{
    ClipContent, EditorialCaption, EditorialClip, EditorialItem, EditorialTimeline, EditorialTrack,
    EditorialTransition, Playback,
};
use crate::error::TaskError;
use crate::plan::build::Builder;
use crate::plan::mix;
use crate::plan::mix::captions::caption_cues;
use crate::plan::mix::layers;
use crate::plan::mix::scene_audio::ScenesAudio;
use crate::plan::mix::shot::{SecondClip, Shot};
use crate::plan::timeline::Timeline;
use crate::plan::video::extra::is_single;
use crate::request::model::{MixOptions, Overlay, OverlayContent, VideoLayer};
use crate::subtitle::Cue;
use crate::time::{Fps, Frames};

pub(crate) fn of_mix<'a>(
    options: &MixOptions,
    timeline: &Timeline<'a>,
    scenes: ScenesAudio,
    builder: &mut Builder<'a>,
) -> Result<EditorialTimeline, TaskError> {
    let (fps, frames) = (options.fps, timeline.frames());
    builder.check_length(frames, fps)?;
    let mut media = MediaTable::default();
    let mut video = vec![clips_track(timeline, fps, &mut media)];
    video.extend(second_clips_track(timeline, fps, &mut media));
    // As rendered: texts are above all images and videos.
    let is_text = |overlay: &Overlay| matches!(overlay.shown, OverlayContent::Text { .. });
    let numbered = || (1..).zip(&options.overlays);
    let below = numbered().filter(|(_, overlay)| !is_text(overlay));
    for (number, overlay) in below.chain(numbered().filter(|(_, overlay)| is_text(overlay))) {
        video.extend(overlay_track(number, overlay, (fps, frames), builder, &mut media)?);
    }
    let captions = match caption_cues(builder, options, timeline, &scenes.scripts)? {
        Some((cues, _)) => shown_captions(&cues, fps, frames),
        None => Vec::new(),
    };
    let (mix, names, _) = mix::named_audio_mix(builder, options, timeline, scenes.tracks)?;
    let audio = audio_tracks(&mix, &names, builder.segments(), builder.facts, &mut media);
    for track in &mut video {
        fit_transitions(track, media.media(), f64::from(fps.get()));
    }
    let details = json!({
        "fillMode": options.fill,
        "background": options.background,
        "ducking": options.ducking,
        "loudness": options.loudness_lufs,
        "fadeOut": options.fade_out_s,
        "effects": options.effects,
        "subtitleStyle": options.subtitle.as_ref().map(|subtitle| &subtitle.style),
    });
    let media = media.into_media();
    Ok(EditorialTimeline { fps, size: options.size, frames, video, audio, captions, media, details })
}

/// The clips in order. Each transition is at the cut in its middle.
fn clips_track<'a>(timeline: &Timeline<'a>, fps: Fps, media: &mut MediaTable<'a>) -> EditorialTrack {
    let mut track = EditorialTrack { name: "Clips".to_owned(), items: Vec::new(), details: Value::Null };
    for scene in timeline.edited_scenes() {
        for (start, shot) in scene.shots {
            let from = scene.shown.start.max(start);
            let to = scene.shown.end.min(start + shot.frames);
            if from < to {
                let shown = Frames(from.0 - start.0)..Frames(to.0 - start.0);
                track.items.extend(shot_clips(shot, shown, fps, media).map(EditorialItem::Clip));
            }
        }
        if let Some((transition, [before, after])) = scene.transition {
            let (before, after) = (before.0, after.0);
            track.transition(EditorialTransition { name: transition.name, before, after });
        }
    }
    track
}

/// The clips beside others, with gaps where there is none; `None` if there are none.
fn second_clips_track<'a>(
    timeline: &Timeline<'a>,
    fps: Fps,
    media: &mut MediaTable<'a>,
) -> Option<EditorialTrack> {
    timeline.shots().iter().find(|shot| shot.second.is_some())?;
    let mut track =
        EditorialTrack { name: "Second clips".to_owned(), items: Vec::new(), details: Value::Null };
    let mut scenes = timeline.edited_scenes().peekable();
    while let Some(scene) = scenes.next() {
        let has_second = |shots: &[(Frames, &Shot)]| shots.iter().any(|(_, shot)| shot.second.is_some());
        let of_transition =
            has_second(&scene.shots) || scenes.peek().is_some_and(|next| has_second(&next.shots));
        for (start, shot) in scene.shots {
            let from = scene.shown.start.max(start);
            let to = scene.shown.end.min(start + shot.frames);
            if from >= to {
                continue;
            }
            let shown = Frames(from.0 - start.0)..Frames(to.0 - start.0);
            match &shot.second {
                Some(second) => track.items.extend(second_clips(shot, second, shown, fps, media)),
                None => track.gap(to.0 - from.0),
            }
        }
        if let Some((transition, [before, after])) = scene.transition.filter(|_| of_transition) {
            let (before, after) = (before.0, after.0);
            track.transition(EditorialTransition { name: transition.name, before, after });
        }
    }
    Some(track)
}

/// The clip beside the one of a shot during these frames of it: one clip for each repetition.
fn second_clips<'a>(
    shot: &Shot<'a>,
    second: &SecondClip<'a>,
    shown: Range<Frames>,
    fps: Fps,
    media: &mut MediaTable<'a>,
) -> Vec<EditorialItem> {
    let index = media.index(second.url, second.info);
    let speed = second.adjustments.speed();
    let details = half_details(second, 1, second.adjustments.look);
    let mut items = Vec::new();
    for repetition in second.repetitions(shot.frames, &shown, fps) {
        let frames = repetition.shown.begin..repetition.shown.end;
        for (start, length, playback) in played(frames, second.natural, second.video.still, second.looped) {
            let begin_s = second.excerpt.begin_s();
            let start_s = frame_start_s(second.video, begin_s, (Frames(start), speed), fps);
            let playback = if playback == Playback::PLAIN { Playback::Speed(speed) } else { playback };
            let content = ClipContent::Media { index, start_s };
            let clip = EditorialClip { content, length, playback, gain: 1.0, details: details.clone() };
            items.push(EditorialItem::Clip(clip));
        }
    }
    items
}

/// The half of the frame that a clip fills.
fn half_details(second: &SecondClip, half: usize, look: Option<&str>) -> Value {
    json!({ "layout": second.layout.as_str(), "half": second.layout.sides()[half], "look": look })
}

/// These frames of a shot: one clip, one for each repetition, or one and its held last frame.
fn shot_clips<'a>(
    shot: &Shot<'a>,
    shown: Range<Frames>,
    fps: Fps,
    media: &mut MediaTable<'a>,
) -> impl Iterator<Item = EditorialClip> {
    let index = media.index(shot.url, shot.info);
    let details = shot_details(shot);
    let speed = if shot.video.still { 1.0 } else { shot.adjustments.speed() };
    let clip = move |start: u64, length: u64, playback| EditorialClip {
        content: ClipContent::Media {
            index,
            start_s: frame_start_s(shot.video, shot.excerpt.begin_s(), (Frames(start), speed), fps),
        },
        length,
        playback: if playback == Playback::PLAIN { Playback::Speed(speed) } else { playback },
        gain: 1.0,
        details: details.clone(),
    };
    let parts = played(shown, shot.natural, shot.video.still, shot.looped);
    parts.map(move |(start, length, playback)| clip(start, length, playback))
}

/// What is played of a file during these frames: where each part of it starts, its length, and how it is played.
fn played(
    shown: Range<Frames>,
    natural: Frames,
    is_still: bool,
    is_looped: bool,
) -> impl Iterator<Item = (u64, u64, Playback)> {
    let natural = natural.0.max(1);
    let (mut at, end) = (shown.start.0, shown.end.0);
    std::iter::from_fn(move || {
        let remaining = end.saturating_sub(at);
        if remaining == 0 {
            return None;
        }
        let (start, length, playback) = if is_still {
            (0, remaining, Playback::PLAIN)
        } else if is_looped {
            let start = at % natural;
            (start, remaining.min(natural - start), Playback::PLAIN)
        } else if at < natural {
            (at, remaining.min(natural - at), Playback::PLAIN)
        } else {
            (natural - 1, remaining, Playback::Freeze)
        };
        at += length;
        Some((start, length, playback))
    })
}

fn shot_details(shot: &Shot) -> Value {
    let motion = shot.movement().map(|movement| json!(movement.motion));
    if let Some(second) = &shot.second {
        let mut details = half_details(second, 0, shot.adjustments.look);
        details["imageMotion"] = json!(motion);
        return details;
    }
    match (shot.adjustments.look, motion) {
        (None, None) => Value::Null,
        (look, motion) => json!({ "look": look, "imageMotion": motion }),
    }
}

/// A track for one overlay; `None` if it is never shown.
fn overlay_track<'a>(
    number: usize,
    overlay: &Overlay,
    (fps, total): (Fps, Frames),
    builder: &Builder<'a>,
    media: &mut MediaTable<'a>,
) -> Result<Option<EditorialTrack>, TaskError> {
    let (shown, natural) = match &overlay.shown {
        OverlayContent::Video(layer) => {
            let (_, video) = layers::file_of(layer, builder)?;
            let limit = layers::limit(layer, video, fps);
            (layers::shown(overlay, limit, fps, total), Some(layers::natural(video, fps)))
        }
        _ => (layers::shown(overlay, None, fps, total), None),
    };
    if shown.start >= shown.end {
        return Ok(None);
    }
    let (mut is_still, mut is_looped, mut moving) = (true, false, None);
    let (content, size) = match &overlay.shown {
        OverlayContent::Video(layer) => {
            let (info, video) = layers::file_of(layer, builder)?;
            (is_still, is_looped, moving) = (is_single(video), layer.looped, Some(video));
            let Some((url, _)) = builder.facts.media.get_key_value(&layer.url) else { return Ok(None) };
            let content = ClipContent::Media { index: media.index(url, info), start_s: 0.0 };
            let VideoLayer { width_percent, opacity_percent, key, .. } = layer;
            (content, json!({ "width": width_percent, "opacity": opacity_percent, "key": key }))
        }
        OverlayContent::Image { url, width_percent, opacity_percent } => {
            let (info, _) = builder.overlay(url)?;
            // The URL as long as the facts live: options that were drawn for an output are a copy.
            let Some((url, _)) = builder.facts.media.get_key_value(url) else { return Ok(None) };
            let content = ClipContent::Media { index: media.index(url, info), start_s: 0.0 };
            (content, json!({ "width": width_percent, "opacity": opacity_percent }))
        }
        OverlayContent::Text { texts, style, max_width_percent } => {
            let text = texts.first().cloned().unwrap_or_default();
            (ClipContent::Text(text), json!({ "maxWidth": max_width_percent, "style": style }))
        }
    };
    let motions = (!overlay.motions.is_none()).then_some(overlay.motions);
    let details = json!({
        "place": overlay.place, "margin": overlay.margin_percent, "motions": motions, "content": size,
    });
    let mut track =
        EditorialTrack { name: format!("Overlay {number}"), items: Vec::new(), details: Value::Null };
    track.gap(shown.start.0);
    let length = Frames(shown.end.0 - shown.start.0);
    for (start, length, playback) in played(Frames(0)..length, natural.unwrap_or(length), is_still, is_looped)
    {
        let content = match &content {
            ClipContent::Media { index, .. } => {
                let start_s =
                    moving.map_or(0.0, |video| frame_start_s(video, 0.0, (Frames(start), 1.0), fps));
                ClipContent::Media { index: *index, start_s }
            }
            content => content.clone(),
        };
        let clip = EditorialClip { content, length, playback, gain: 1.0, details: details.clone() };
        track.items.push(EditorialItem::Clip(clip));
    }
    Ok(Some(track))
}

/// The captions that are shown before the end of the output.
fn shown_captions(cues: &[Cue], fps: Fps, total: Frames) -> Vec<EditorialCaption> {
    let frame = |ms: u64| Frames::nearest(ms as f64 / 1000.0, fps).min(total);
    let caption = |cue: &Cue| EditorialCaption {
        shown: frame(cue.start_ms)..frame(cue.end_ms),
        text: cue.text.clone(),
    };
    cues.iter().map(caption).filter(|caption| caption.shown.start < caption.shown.end).collect()
}
