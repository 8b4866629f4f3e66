//! Transitions that editing programs accept: within their clips, and only as far as the files of those clips go.

use serde_json::{Value, json};

use crate::editorial::{
    ClipContent, EditorialClip, EditorialItem, EditorialMedia, EditorialMediaKind, EditorialTrack, Playback,
};

/// Shortens transitions that reach beyond their clips or the files of their clips, and removes those that become empty. The details of the track list them as requested. `rate` is the unit of the lengths, per second.
pub(super) fn fit_transitions(track: &mut EditorialTrack, media: &[EditorialMedia], rate: f64) {
    let mut shortened = Vec::new();
    let mut items: Vec<EditorialItem> = Vec::with_capacity(track.items.len());
    // `used` is how far the last transition reaches into the last item.
    let (mut at, mut used) = (0, 0);
    for (index, item) in track.items.iter().enumerate() {
        let EditorialItem::Transition(requested) = item else {
            at += item.length();
            if !matches!(items.last(), Some(EditorialItem::Transition(_))) {
                used = 0;
            }
            items.push(item.clone());
            continue;
        };
        let (previous, next) = (items.last(), track.items.get(index + 1));
        let room = previous.map_or(0, EditorialItem::length).saturating_sub(used);
        let head = clip(next).map_or(u64::MAX, |clip| head(clip, media, rate));
        let tail = clip(previous).map_or(u64::MAX, |clip| tail(clip, media, rate));
        let mut fitted = requested.clone();
        fitted.before = fitted.before.min(room).min(head);
        fitted.after = fitted.after.min(next.map_or(0, EditorialItem::length)).min(tail);
        if fitted != *requested {
            shortened.push(json!({
                "transition": requested.name, "at": at, "before": requested.before, "after": requested.after,
            }));
        }
        used = fitted.after;
        if fitted.before + fitted.after > 0 {
            items.push(EditorialItem::Transition(fitted));
        }
    }
    track.items = items;
    if !shortened.is_empty() {
        if !track.details.is_object() {
            track.details = json!({});
        }
        track.details["shortenedTransitions"] = Value::Array(shortened);
    }
}

fn clip(item: Option<&EditorialItem>) -> Option<&EditorialClip> {
    match item {
        Some(EditorialItem::Clip(clip)) => Some(clip),
        _ => None,
    }
}

/// How far the file of a clip goes back before the clip begins.
fn head(clip: &EditorialClip, media: &[EditorialMedia], rate: f64) -> u64 {
    match range(clip, media, rate) {
        Some((start_s, _, speed)) => (start_s * rate / speed + 1e-3) as u64,
        None => u64::MAX,
    }
}

/// How far the file of a clip continues after the clip ends.
fn tail(clip: &EditorialClip, media: &[EditorialMedia], rate: f64) -> u64 {
    match range(clip, media, rate) {
        Some((start_s, end_s, speed)) => {
            (((end_s - start_s) * rate / speed + 1e-3).max(0.0) as u64).saturating_sub(clip.length)
        }
        None => u64::MAX,
    }
}

/// Where a clip begins in its file, where the file ends, and the speed; `None` if the clip can have any length.
fn range(clip: &EditorialClip, media: &[EditorialMedia], rate: f64) -> Option<(f64, f64, f64)> {
    let (ClipContent::Media { index, start_s }, Playback::Speed(speed)) = (&clip.content, clip.playback)
    else {
        return None;
    };
    let file = media.get(*index).filter(|file| file.kind != EditorialMediaKind::Image)?;
    let is_audio = rate == crate::time::SAMPLE_RATE as f64 && file.audio_end_s > 0.0;
    let end_s = if is_audio { file.audio_end_s } else { file.duration_s };
    Some((*start_s, end_s, speed.max(1e-3)))
}
