//! The audio tracks of a timeline for editing programs, from the planned mix.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{MediaTable, origin_s};
use crate::editorial::{
    ClipContent, EditorialClip, EditorialItem, EditorialTrack, EditorialTransition, Playback,
};
use crate::media::{Facts, MediaInfo};
use crate::plan::{AudioMix, MixTrack, PlannedSegment, TrackPart};
use crate::segment::{AudioSpec, SegmentKey, SegmentSpec};
use crate::time::{SAMPLE_RATE, Samples};

/// Fades up to this length only prevent clicks.
const SHORTEST_FADE: Samples = Samples(SAMPLE_RATE / 100);

/// The audio segments of a mix with the URLs of their files.
type AudioSegments<'s> = HashMap<&'s SegmentKey, (&'s AudioSpec, &'s str)>;

/// The tracks of a mix whose segments are among `segments`; `name_of` names a track by the URL of its first file.
pub(crate) fn audio_tracks<'a>(
    mix: &AudioMix,
    segments: &[PlannedSegment],
    facts: &'a Facts,
    media: &mut MediaTable<'a>,
    name_of: impl Fn(&str) -> &'static str,
) -> Vec<EditorialTrack> {
    let audio = segments.iter().filter_map(|segment| match &segment.spec {
        SegmentSpec::Audio(spec) => {
            let url = segment.sources.first().map_or("", |source| source.url.as_str());
            Some((&segment.key, (spec, url)))
        }
        SegmentSpec::Video(_) => None,
    });
    let segments: AudioSegments = audio.collect();
    mix.tracks.iter().map(|track| one_track(track, mix, &segments, facts, media, &name_of)).collect()
}

fn one_track<'a>(
    track: &MixTrack,
    mix: &AudioMix,
    segments: &AudioSegments,
    facts: &'a Facts,
    media: &mut MediaTable<'a>,
    name_of: &impl Fn(&str) -> &'static str,
) -> EditorialTrack {
    let mut result = EditorialTrack { name: String::new(), items: Vec::new(), details: details(track) };
    let end = track.heard.min(mix.samples).0;
    let mut at = 0;
    for part in &track.parts {
        let room = end.saturating_sub(at);
        let added = match part {
            TrackPart::Silence(samples) => {
                let length = samples.0.min(room);
                result.gap(length);
                length
            }
            TrackPart::Audio(key) => {
                let Some((spec, url)) = segments.get(key) else { continue };
                let length = spec.samples.0.min(room);
                if length == 0 {
                    break;
                }
                match facts.media.get_key_value(*url) {
                    Some((url, Ok(info))) if spec.source.is_some() => {
                        if result.name.is_empty() {
                            result.name = name_of(url).to_owned();
                        }
                        let index = media.index(url, info);
                        add_part(&mut result, (spec, info, index), length, track.volume_percent);
                    }
                    _ => result.gap(length),
                }
                length
            }
        };
        at += added;
    }
    let mix_fade = if end == mix.samples.0 { mix.fade_out } else { Samples(0) };
    add_fades(&mut result, track.fade_in, Samples(track.fade_out.0.max(mix_fade.0)));
    result
}

/// Adds one segment: a clip, or one for each repetition.
fn add_part(
    track: &mut EditorialTrack,
    (spec, info, index): (&AudioSpec, &MediaInfo, usize),
    length: u64,
    track_volume: u32,
) {
    let start_s = (spec.origin_us as f64 / 1e6 - origin_s(info)).max(0.0);
    let gain = f64::from(track_volume) * f64::from(spec.volume_percent) / 10_000.0;
    let period = spec.loop_period.map_or(length, |period| period.0).max(1);
    let fade = |fade: Samples| fade.0.min(length.min(period));
    let crossed = spec.crossed.unwrap_or_default();
    track.transition(EditorialTransition { name: "fade", before: 0, after: fade(crossed.fade_in) });
    let mut remaining = length;
    while remaining > 0 {
        let shown = remaining.min(period);
        track.items.push(EditorialItem::Clip(EditorialClip {
            content: ClipContent::Media { index, start_s },
            length: shown,
            playback: Playback::Speed(f64::from(spec.tempo_permille) / 1000.0),
            gain,
            details: Value::Null,
        }));
        remaining -= shown;
    }
    track.transition(EditorialTransition { name: "fade", before: fade(crossed.fade_out), after: 0 });
}

/// Adds the fades of a whole track, each within its first or last clip.
fn add_fades(track: &mut EditorialTrack, fade_in: Samples, fade_out: Samples) {
    let is_clip = |item: &EditorialItem| matches!(item, EditorialItem::Clip(_));
    let length = |item: Option<&EditorialItem>| match item {
        Some(EditorialItem::Clip(clip)) => clip.length,
        _ => 0,
    };
    let Some(first) = track.items.iter().position(is_clip) else { return };
    if fade_in > SHORTEST_FADE {
        let after = fade_in.0.min(length(track.items.get(first)));
        let fade = EditorialTransition { name: "fade", before: 0, after };
        track.items.insert(first, EditorialItem::Transition(fade));
    }
    let Some(last) = track.items.iter().rposition(is_clip) else { return };
    if fade_out > SHORTEST_FADE {
        // A clip that fades in too keeps both fades apart.
        let fading_in = if last == first + 1 { fade_in.0 } else { 0 };
        let before = fade_out.0.min(length(track.items.get(last)).saturating_sub(fading_in));
        if before > 0 {
            let fade = EditorialTransition { name: "fade", before, after: 0 };
            track.items.insert(last + 1, EditorialItem::Transition(fade));
        }
    }
}

/// The level and the fades of a track as requested.
fn details(track: &MixTrack) -> Value {
    let seconds = |samples: Samples| samples.0 as f64 / SAMPLE_RATE as f64;
    json!({
        "volume": track.volume_percent,
        "fadeIn": seconds(track.fade_in),
        "fadeOut": seconds(track.fade_out),
        "ducking": track.ducking,
    })
}
