//! `params` of videoDeduplication.

use super::model::{Clip, ColorBalance, ColourMixing, DedupOptions, DedupParams, HueMixing, Rotation, Span};
use super::overlays::{self, is_on};
use super::reader::{Fields, Node};
use super::scalar::Range;
use super::{preset, seed};
use crate::message;
use crate::time::Fps;

/// Longest length a clip may be declared with, in seconds: a day.
pub(super) const MAX_CLIP_SECONDS: f64 = 86_400.0;

const EXTRACTION: Range = Range::new(25.0, 30.0);
const SPEED: Range = Range::tenths(0.5, 2.0);
const ANGLE: Range = Range::new(0.0, 180.0);
const ZOOM: Range = Range::tenths(1.0, 2.0);
const BRIGHTNESS: Range = Range::tenths(-1.0, 1.0);
const CONTRAST: Range = Range::tenths(-2.0, 2.0);
const SATURATION: Range = Range::tenths(0.0, 3.0);
const GAMMA: Range = Range::tenths(0.1, 10.0);
const HUE: Range = Range::tenths(0.0, 360.0);
const UNIT: Range = Range::tenths(0.0, 1.0);

pub(super) fn read(fields: &mut Fields) -> Option<DedupParams> {
    let videos = fields.need("videoList");
    let max_videos = videos.report.policy.max_videos;
    let videos = videos.array(max_videos, |video| video.object(read_video).flatten());
    let options = fields.get("options").object_or_empty(read_options);
    fields.belongs_elsewhere("preset", "params.options");
    let seed = seed(fields);
    Some(DedupParams { videos: videos?, options: options?, seed })
}

fn read_video(fields: &mut Fields) -> Option<Clip> {
    let url = fields.need("filename").url();
    let duration_s = fields.need("duration").number(Range::positive(MAX_CLIP_SECONDS));
    Some(Clip { url: url?, duration_s })
}

fn read_options(fields: &mut Fields) -> DedupOptions {
    fields.belongs_elsewhere("seed", "params");
    let pic_mask = fields.get("picMask").object(|mask| overlays::read_mask(mask, "picFiles")).flatten();
    let video_mask = fields.get("videoMask").object(|mask| overlays::read_mask(mask, "videoFiles")).flatten();
    let effect = fields.get("effect").object(overlays::read_effect).flatten();
    let pip = fields.get("PIP").object(overlays::read_pip).flatten();
    DedupOptions {
        mirror: fields.get("isMirror").boolean().unwrap_or(false),
        filter: fields.get("isFilter").boolean().unwrap_or(false),
        fps: fields.get("fps").fps().unwrap_or(Fps::DEFAULT),
        frame_extraction: switched(fields.get("frameExtraction"), read_frame_extraction),
        speed: switched(fields.get("speed"), read_speed),
        rotation: switched(fields.get("rotation"), read_rotation),
        zoom: switched(fields.get("zoom"), read_zoom),
        colour_mixing: switched(fields.get("colourMixing"), read_colour_mixing),
        hue_mixing: switched(fields.get("hueMixing"), read_hue_mixing),
        color_balance: switched(fields.get("colorBalance"), read_color_balance),
        pic_mask,
        video_mask,
        effect,
        pip,
        preset: preset(fields),
    }
}

/// An option whose reader answers `None` while its switch is off.
fn switched<T>(option: Node, read: impl FnOnce(&mut Fields) -> Option<T>) -> Option<T> {
    option.object(read).flatten()
}

fn read_frame_extraction(fields: &mut Fields) -> Option<Span> {
    let on = is_on(fields, "isExtract");
    let rate = span(fields, on, ["start", "end"], EXTRACTION, [25.0, 30.0]);
    on.then_some(rate)
}

fn read_speed(fields: &mut Fields) -> Option<Span> {
    let on = is_on(fields, "isSpeed");
    let speed = span(fields, on, ["start", "end"], SPEED, [1.0, 1.5]);
    on.then_some(speed)
}

fn read_rotation(fields: &mut Fields) -> Option<Rotation> {
    let on = is_on(fields, "isRotate");
    let clockwise = fields.get("direction").choice(&[("clockwise", true), ("counterclockwise", false)]);
    let angle = span(fields, on, ["minAngle", "maxAngle"], ANGLE, [0.0, 2.0]);
    on.then_some(Rotation { clockwise: clockwise.unwrap_or(true), angle })
}

fn read_zoom(fields: &mut Fields) -> Option<Span> {
    let on = is_on(fields, "isZoom");
    let scale = span(fields, on, ["minScale", "maxScale"], ZOOM, [1.0, 1.1]);
    on.then_some(scale)
}

fn read_colour_mixing(fields: &mut Fields) -> Option<ColourMixing> {
    let on = is_on(fields, "isMixing");
    let mixing = ColourMixing {
        brightness: span(fields, on, ["brightnessMin", "brightnessMax"], BRIGHTNESS, [-0.1, 0.1]),
        contrast: span(fields, on, ["contrastMin", "contrastMax"], CONTRAST, [0.9, 1.1]),
        saturation: span(fields, on, ["saturationMin", "saturationMax"], SATURATION, [0.9, 1.1]),
        gamma: span(fields, on, ["gammaMin", "gammaMax"], GAMMA, [0.9, 1.1]),
    };
    on.then_some(mixing)
}

fn read_hue_mixing(fields: &mut Fields) -> Option<HueMixing> {
    let on = is_on(fields, "isMixing");
    let mixing = HueMixing {
        hue_degrees: fields.get("h").number(HUE).unwrap_or(0.0),
        saturation: fields.get("s").number(UNIT).unwrap_or(0.0),
        brightness: fields.get("b").number(UNIT).unwrap_or(0.0),
    };
    on.then_some(mixing)
}

fn read_color_balance(fields: &mut Fields) -> Option<ColorBalance> {
    let on = is_on(fields, "isBalance");
    let mut tones = |names: [&'static str; 3]| names.map(|name| fields.get(name).number(UNIT).unwrap_or(0.0));
    let balance = ColorBalance {
        shadows: tones(["rs", "gs", "bs"]),
        midtones: tones(["rm", "gm", "bm"]),
        highlights: tones(["rh", "gh", "bh"]),
    };
    on.then_some(balance)
}

/// A lower and an upper bound. Ranges are checked always, their order only while the option is `on`;
/// a default that would cross the bound given takes its value.
fn span(
    fields: &mut Fields,
    on: bool,
    [low, high]: [&'static str; 2],
    range: Range,
    [default_min, default_max]: [f64; 2],
) -> Span {
    let min = fields.get(low).number(range);
    let max = fields.get(high).number(range);
    match (min, max) {
        (Some(min), Some(max)) => {
            if on && min > max {
                let message = message::not_above(high, max);
                fields.refuse(low, message, Some(format!("at most {max}")));
            }
            Span { min, max }
        }
        (Some(min), None) => Span { min, max: default_max.max(min) },
        (None, Some(max)) => Span { min: default_min.min(max), max },
        (None, None) => Span { min: default_min, max: default_max },
    }
}
