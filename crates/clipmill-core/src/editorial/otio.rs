//! A timeline as OpenTimelineIO, in schemas that all of its releases since 0.14 read.

use serde_json::{Value, json};

use super::{
    ClipContent, EditorialCaption, EditorialClip, EditorialItem, EditorialMedia, EditorialMediaKind,
    EditorialTimeline, EditorialTrack, EditorialTransition, Playback,
};
use crate::speech::input_name;
use crate::time::SAMPLE_RATE;

/// Where a program finds the file of a clip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MediaTarget {
    /// The path relative to the timeline.
    File(String),
    Missing,
}

/// The kind of a track, and the unit of its lengths.
#[derive(Clone, Copy)]
struct Clock<'t> {
    kind: &'static str,
    rate: f64,
    media: &'t [EditorialMedia],
    targets: &'t [MediaTarget],
}

/// The timeline with this name. `targets` has one entry for each file of [`EditorialTimeline::media`]; files without one
/// count as missing. `details` is added to the timeline's metadata.
pub fn to_otio(timeline: &EditorialTimeline, name: &str, targets: &[MediaTarget], details: &Value) -> Value {
    let fps = f64::from(timeline.fps.get());
    let video = Clock { kind: "Video", rate: fps, media: &timeline.media, targets };
    let audio = Clock { kind: "Audio", rate: SAMPLE_RATE as f64, ..video };
    let tracks = timeline.video.iter().map(|one| track(one, video));
    let tracks: Vec<Value> = tracks.chain(timeline.audio.iter().map(|one| track(one, audio))).collect();
    let markers: Vec<Value> = timeline.captions.iter().map(|caption| marker(caption, fps)).collect();
    let metadata = json!({ "clipmill": {
        "fps": timeline.fps.get(),
        "width": timeline.size.width,
        "height": timeline.size.height,
        "frames": timeline.frames.0,
        "options": timeline.details,
        "output": details,
    } });
    json!({
        "OTIO_SCHEMA": "Timeline.1",
        "name": name,
        "metadata": metadata,
        "global_start_time": time(0.0, fps),
        "tracks": {
            "OTIO_SCHEMA": "Stack.1",
            "name": "tracks",
            "metadata": {},
            "source_range": null,
            "effects": [],
            "markers": markers,
            "enabled": true,
            "children": tracks,
        },
    })
}

fn track(track: &EditorialTrack, clock: Clock) -> Value {
    let children: Vec<Value> = track.items.iter().map(|one| item(one, clock)).collect();
    json!({
        "OTIO_SCHEMA": "Track.1",
        "name": track.name,
        "metadata": metadata(&track.details),
        "source_range": null,
        "effects": [],
        "markers": [],
        "enabled": true,
        "kind": clock.kind,
        "children": children,
    })
}

fn item(item: &EditorialItem, clock: Clock) -> Value {
    match item {
        EditorialItem::Gap(length) => json!({
            "OTIO_SCHEMA": "Gap.1",
            "name": "",
            "metadata": {},
            "source_range": range(time(0.0, clock.rate), time(*length as f64, clock.rate)),
            "effects": [],
            "markers": [],
            "enabled": true,
        }),
        EditorialItem::Clip(one) => clip(one, clock),
        EditorialItem::Transition(EditorialTransition { name, before, after }) => json!({
            "OTIO_SCHEMA": "Transition.1",
            "name": name,
            // Programs know only this one by name.
            "transition_type": if *name == "fade" { "SMPTE_Dissolve" } else { "Custom_Transition" },
            "metadata": { "clipmill": { "transition": name } },
            "in_offset": time(*before as f64, clock.rate),
            "out_offset": time(*after as f64, clock.rate),
        }),
    }
}

fn clip(clip: &EditorialClip, clock: Clock) -> Value {
    let length = time(clip.length as f64, clock.rate);
    let (name, start, reference) = match &clip.content {
        ClipContent::Text(text) => {
            let reference = json!({
                "OTIO_SCHEMA": "GeneratorReference.1",
                "name": "",
                "metadata": {},
                "available_range": null,
                "generator_kind": "Text",
                "parameters": { "text": text },
            });
            (text.clone(), time(0.0, clock.rate), reference)
        }
        ClipContent::Media { index, start_s } => {
            let Some(media) = clock.media.get(*index) else { return Value::Null };
            let target = clock.targets.get(*index).unwrap_or(&MediaTarget::Missing);
            let rate = media_rate(media, clock);
            let start = time((start_s * rate).round(), rate);
            (media_name(media, target), start, media_reference(media, target, clock))
        }
    };
    json!({
        "OTIO_SCHEMA": "Clip.1",
        "name": name,
        "metadata": metadata(&clip.details),
        "source_range": range(start, length),
        "effects": effects(clip),
        "markers": [],
        "enabled": true,
        "media_reference": reference,
    })
}

fn effects(clip: &EditorialClip) -> Vec<Value> {
    let warp = match clip.playback {
        Playback::Freeze => Some(json!({
            "OTIO_SCHEMA": "FreezeFrame.1",
            "name": "",
            "metadata": {},
            "effect_name": "FreezeFrame",
            "time_scalar": 0.0,
        })),
        Playback::Speed(speed) if (speed - 1.0).abs() > 1e-9 => Some(json!({
            "OTIO_SCHEMA": "LinearTimeWarp.1",
            "name": "",
            "metadata": {},
            "effect_name": "LinearTimeWarp",
            "time_scalar": speed,
        })),
        Playback::Speed(_) => None,
    };
    let level = ((clip.gain - 1.0).abs() > 1e-9).then(|| {
        let decibels = (clip.gain > 0.0).then(|| (200.0 * clip.gain.log10()).round() / 10.0);
        json!({
            "OTIO_SCHEMA": "Effect.1",
            "name": "Volume",
            "metadata": { "clipmill": { "gain": clip.gain, "decibels": decibels } },
            "effect_name": "AudioLevel",
        })
    });
    warp.into_iter().chain(level).collect()
}

fn media_reference(media: &EditorialMedia, target: &MediaTarget, clock: Clock) -> Value {
    let rate = media_rate(media, clock);
    let available = match media.kind {
        EditorialMediaKind::Image => Value::Null,
        EditorialMediaKind::Video(_) | EditorialMediaKind::Audio => {
            let is_audio = clock.kind == "Audio" && media.audio_end_s > 0.0;
            let end_s = if is_audio { media.audio_end_s } else { media.duration_s };
            range(time(0.0, rate), time((end_s * rate).round(), rate))
        }
    };
    let source = json!({ "clipmill": { "url": input_name(&media.url), "sha256": media.content.0 } });
    let name = media_name(media, target);
    match target {
        MediaTarget::File(path) => json!({
            "OTIO_SCHEMA": "ExternalReference.1",
            "name": name,
            "metadata": source,
            "available_range": available,
            "target_url": path,
        }),
        MediaTarget::Missing => json!({
            "OTIO_SCHEMA": "MissingReference.1",
            "name": name,
            "metadata": source,
            "available_range": available,
        }),
    }
}

/// The unit of positions in a file: its frames on video tracks, samples on audio tracks.
fn media_rate(media: &EditorialMedia, clock: Clock) -> f64 {
    match media.kind {
        EditorialMediaKind::Video(rate) if clock.kind == "Video" && rate > 0.0 => rate,
        _ => clock.rate,
    }
}

fn media_name(media: &EditorialMedia, target: &MediaTarget) -> String {
    match target {
        MediaTarget::File(path) => path.rsplit('/').next().unwrap_or(path).to_owned(),
        MediaTarget::Missing => input_name(&media.url).into_owned(),
    }
}

fn marker(caption: &EditorialCaption, fps: f64) -> Value {
    let EditorialCaption { shown, text } = caption;
    let length = shown.end.0.saturating_sub(shown.start.0);
    json!({
        "OTIO_SCHEMA": "Marker.2",
        "name": text,
        "metadata": { "clipmill": { "caption": text } },
        "color": "CYAN",
        "marked_range": range(time(shown.start.0 as f64, fps), time(length as f64, fps)),
    })
}

fn metadata(details: &Value) -> Value {
    match details {
        Value::Null => json!({}),
        details => json!({ "clipmill": details }),
    }
}

fn range(start: Value, duration: Value) -> Value {
    json!({ "OTIO_SCHEMA": "TimeRange.1", "start_time": start, "duration": duration })
}

fn time(value: f64, rate: f64) -> Value {
    json!({ "OTIO_SCHEMA": "RationalTime.1", "value": value, "rate": rate })
}
