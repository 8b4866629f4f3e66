//! The audio tracks of a timeline for editing programs, from the planned mix.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::transitions::fit_transitions;
use super::{MediaTable, audio_end_s, origin_s};
use crate::editorial::{
    ClipContent, EditorialClip, EditorialItem, EditorialTrack, EditorialTransition, Playback,
};
use crate::media::{Facts, MediaInfo};
use crate::plan::{AudioMix, MixTrack, PlannedSegment, TrackPart};
use crate::segment::{AudioSpec, SegmentKey, SegmentSpec};
use crate::time::{SAMPLE_RATE, Samples};

/// Fades up to this length only prevent clicks.
const SHORTEST_FADE: Samples = Samples(SAMPLE_RATE / 100);

/// Audio codecs end up to two of their frames before the video.
const SHORT_GAP: u64 = 2048;

/// The audio segments of a mix with the URLs of their files.
type AudioSegments<'s> = HashMap<&'s SegmentKey, (&'s AudioSpec, &'s str)>;

/// The tracks of a mix, with their names. Their segments are among `segments`.
pub(crate) fn audio_tracks<'a>(
    mix: &AudioMix,
    names: &[&str],
    segments: &[PlannedSegment],
    facts: &'a Facts,
    media: &mut MediaTable<'a>,
) -> Vec<EditorialTrack> {
    let audio = segments.iter().filter_map(|segment| match &segment.spec {
        SegmentSpec::Audio(spec) => {
            let url = segment.sources.first().map_or("", |source| source.url.as_str());
            Some((&segment.key, (spec, url)))
        }
        SegmentSpec::Video(_) => None,
    });
    let segments: AudioSegments = audio.collect();
    let named = mix.tracks.iter().zip(names);
    named.map(|(track, name)| one_track((track, name), mix, &segments, facts, media)).collect()
}

fn one_track<'a>(
    (track, name): (&MixTrack, &str),
    mix: &AudioMix,
    segments: &AudioSegments,
    facts: &'a Facts,
    media: &mut MediaTable<'a>,
) -> EditorialTrack {
    let mut result = EditorialTrack { name: name.to_owned(), items: Vec::new(), details: details(track) };
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
    add_fade_in(&mut result, track.fade_in);
    // A fade of the whole mix is on this track only if the track is heard until then.
    let mix_fade = fade_before_gap(mix.fade_out, mix.samples.0.saturating_sub(heard_until(&result)));
    let own_fade = fade_before_gap(track.fade_out, end.saturating_sub(heard_until(&result)));
    add_fade_out(&mut result, own_fade.max(mix_fade));
    fit_transitions(&mut result, media.media(), SAMPLE_RATE as f64);
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
    let available = available(spec, start_s, info);
    let mut remaining = length;
    let mut silent = 0;
    while remaining > 0 {
        let shown = remaining.min(period);
        let heard = shown.min(available);
        track.gap(silent);
        if heard > 0 {
            track.items.push(EditorialItem::Clip(EditorialClip {
                content: ClipContent::Media { index, start_s },
                length: heard,
                playback: Playback::Speed(f64::from(spec.tempo_permille) / 1000.0),
                gain,
                details: Value::Null,
            }));
        }
        silent = shown - heard;
        remaining -= shown;
    }
    let before = fade(crossed.fade_out).saturating_sub(silent);
    track.transition(EditorialTransition { name: "fade", before, after: 0 });
    track.gap(silent);
}

/// For how many samples of the output the file has audio that this segment plays.
fn available(spec: &AudioSpec, start_s: f64, info: &MediaInfo) -> u64 {
    let (start, end) = (Samples::nearest(start_s), Samples::nearest(audio_end_s(info)));
    let tempo = u64::from(spec.tempo_permille.max(1));
    let in_file = end.0.saturating_sub(start.0).saturating_mul(1000) / tempo;
    // As when it is rendered, the end of the used excerpt applies at the file's own speed.
    let sounding = spec.sounding.filter(|_| spec.tempo_permille == 1000);
    sounding.map_or(in_file, |(_, end)| in_file.min(end.0))
}

fn is_clip(item: &EditorialItem) -> bool {
    matches!(item, EditorialItem::Clip(_))
}

/// The sample at which the last clip of a track ends.
fn heard_until(track: &EditorialTrack) -> u64 {
    let last = track.items.iter().rposition(is_clip).map_or(0, |last| last + 1);
    track.items.iter().take(last).map(EditorialItem::length).sum()
}

/// How much of a fade is heard if its track is silent for the last `gap` samples of it. A clip that ends clearly earlier
/// does not fade to silence, which no transition can express.
fn fade_before_gap(fade: Samples, gap: u64) -> Samples {
    if fade > SHORTEST_FADE && gap <= SHORT_GAP { Samples(fade.0.saturating_sub(gap)) } else { Samples(0) }
}

/// Adds the fade at the beginning of a whole track, within its first clip.
fn add_fade_in(track: &mut EditorialTrack, fade: Samples) {
    let Some(first) = track.items.iter().position(is_clip).filter(|_| fade > SHORTEST_FADE) else { return };
    let previous = first.checked_sub(1).and_then(|previous| track.items.get_mut(previous));
    match previous {
        Some(EditorialItem::Transition(transition)) => transition.after = transition.after.max(fade.0),
        _ => {
            let fade = EditorialTransition { name: "fade", before: 0, after: fade.0 };
            track.items.insert(first, EditorialItem::Transition(fade));
        }
    }
}

/// Adds the fade at the end of a whole track, within its last clip. A crossfade there becomes a part of it.
fn add_fade_out(track: &mut EditorialTrack, fade: Samples) {
    let Some(last) = track.items.iter().rposition(is_clip).filter(|_| fade.0 > 0) else { return };
    match track.items.get_mut(last + 1) {
        Some(EditorialItem::Transition(transition)) => transition.before = transition.before.max(fade.0),
        _ => {
            let fade = EditorialTransition { name: "fade", before: fade.0, after: 0 };
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
