//! A request in normal form, written as a client would send it: what was left to a default stands there, what was
//! switched off and remarks do not. Read again, it is the same request.

use serde_json::{Map, Value, json};

use super::model::*;
use crate::encoding::Preset;
use crate::time::Fps;

impl TaskRequest {
    /// The body of a submission that means the same.
    pub fn to_wire(&self) -> Value {
        object([
            ("taskType", json!(self.params.task_type())),
            ("params", params(&self.params)),
            ("callbackUrl", json!(self.callback_url)),
            ("clientTaskId", json!(self.client_task_id)),
        ])
    }
}

/// Fields that are not there are left out rather than null.
fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let present = fields.into_iter().filter(|(_, value)| !value.is_null());
    Value::Object(present.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}

fn list<T>(values: &[T], each: impl Fn(&T) -> Value) -> Value {
    Value::Array(values.iter().map(each).collect())
}

/// A list that is left out when it is empty.
fn some<T>(values: &[T], each: impl Fn(&T) -> Value) -> Value {
    if values.is_empty() { Value::Null } else { list(values, each) }
}

fn params(params: &Params) -> Value {
    match params {
        Params::VideoDeduplication(params) => object([
            ("videoList", list(&params.videos, |clip| named("filename", clip))),
            ("seed", json!(params.seed)),
            ("options", dedup(&params.options)),
        ]),
        Params::BaseVideoMix(params) => object([
            ("videoList", list(&params.groups, group)),
            ("isShortest", json!(params.options.is_shortest)),
            ("seed", json!(params.seed)),
            ("options", mix(&params.options, Value::Null)),
        ]),
        Params::ProVideoMix(params) => object([
            ("scenes", list(&params.scenes, scene)),
            ("audioMode", json!(params.audio_mode)),
            ("generateCount", json!(params.generate_count)),
            ("combinations", some(&params.combinations, |row| json!(row))),
            ("seed", json!(params.seed)),
            ("options", mix(&params.options, json!(params.options.is_shortest))),
        ]),
    }
}

fn named(field: &str, clip: &Clip) -> Value {
    object([(field, json!(clip.url)), ("duration", json!(clip.duration_s))])
}

fn group(group: &Group) -> Value {
    let videos = list(&group.videos, |clip| named("url", clip));
    object([("videos", videos), ("totalDuration", json!(group.total_duration_s))])
}

fn scene(scene: &Scene) -> Value {
    let sound = |sound: &SceneAudio| {
        object([
            ("url", json!(sound.url)),
            ("duration", json!(sound.duration_s)),
            ("startTime", json!(sound.start_s)),
        ])
    };
    object([
        ("sceneKey", json!(scene.key)),
        ("sceneName", json!(scene.name)),
        ("duration", json!(scene.duration_s)),
        ("resources", list(&scene.resources, |clip| named("url", clip))),
        ("audioResources", some(&scene.audio, sound)),
    ])
}

fn fps(fps: Fps) -> Value {
    json!(fps.get())
}

fn preset(preset: Option<Preset>) -> Value {
    json!(preset.map(Preset::as_str))
}

fn mix(options: &MixOptions, is_shortest: Value) -> Value {
    object([
        ("resolution", json!(format!("{}:{}", options.size.width, options.size.height))),
        ("resolutionMode", json!(options.fill)),
        ("background", json!(options.background)),
        ("fps", fps(options.fps)),
        ("isShortest", is_shortest),
        ("originalVolume", json!(options.original_volume)),
        ("ducking", json!(options.ducking)),
        ("loudness", json!(options.loudness_lufs)),
        ("preset", preset(options.preset)),
        ("backgroundMusic", options.music.as_ref().map_or(Value::Null, track)),
        ("audio", options.voice.as_ref().map_or(Value::Null, track)),
        ("subtitle", options.subtitle.as_ref().map_or(Value::Null, subtitle)),
    ])
}

fn track(track: &Track) -> Value {
    object([
        ("url", json!(track.url)),
        ("duration", json!(track.duration_s)),
        ("volume", json!(track.volume_percent)),
        ("fadeIn", json!(track.fade_in_s)),
        ("fadeOut", json!(track.fade_out_s)),
    ])
}

fn subtitle(subtitle: &Subtitle) -> Value {
    let style = &subtitle.style;
    let style = object([
        ("fontSize", json!(style.font_size)),
        ("fontColor", colour(style.font_color)),
        ("outlineColor", style.outline_color.map_or(Value::Null, colour)),
        ("backColor", style.back_color.map_or(Value::Null, colour)),
        ("bottom", json!(style.bottom)),
        ("magnification", json!(style.magnification)),
    ]);
    object([("url", json!(subtitle.url)), ("style", style)])
}

fn colour(Rgba { r, g, b, a }: Rgba) -> Value {
    match a {
        255 => json!(format!("#{r:02X}{g:02X}{b:02X}")),
        _ => json!(format!("#{r:02X}{g:02X}{b:02X}{a:02X}")),
    }
}

fn dedup(options: &DedupOptions) -> Value {
    object([
        ("isMirror", json!(options.mirror)),
        ("isFilter", json!(options.filter)),
        ("fps", fps(options.fps)),
        ("frameExtraction", span(options.frame_extraction, "isExtract", ["start", "end"])),
        ("speed", span(options.speed, "isSpeed", ["start", "end"])),
        ("rotation", options.rotation.as_ref().map_or(Value::Null, rotation)),
        ("zoom", span(options.zoom, "isZoom", ["minScale", "maxScale"])),
        ("colourMixing", options.colour_mixing.as_ref().map_or(Value::Null, colour_mixing)),
        ("hueMixing", options.hue_mixing.as_ref().map_or(Value::Null, hue_mixing)),
        ("colorBalance", options.color_balance.as_ref().map_or(Value::Null, color_balance)),
        ("picMask", options.pic_mask.as_ref().map_or(Value::Null, |pictures| mask("picFiles", pictures))),
        ("videoMask", options.video_mask.as_ref().map_or(Value::Null, |videos| mask("videoFiles", videos))),
        ("effect", options.effect.as_ref().map_or(Value::Null, effect)),
        ("PIP", options.pip.as_ref().map_or(Value::Null, pip)),
        ("preset", preset(options.preset)),
    ])
}

fn span(span: Option<Span>, switch: &str, [low, high]: [&str; 2]) -> Value {
    let Some(Span { min, max }) = span else { return Value::Null };
    object([(switch, json!(true)), (low, json!(min)), (high, json!(max))])
}

fn rotation(rotation: &Rotation) -> Value {
    object([
        ("isRotate", json!(true)),
        ("direction", json!(if rotation.clockwise { "clockwise" } else { "counterclockwise" })),
        ("minAngle", json!(rotation.angle.min)),
        ("maxAngle", json!(rotation.angle.max)),
    ])
}

fn colour_mixing(mixing: &ColourMixing) -> Value {
    object([
        ("isMixing", json!(true)),
        ("brightnessMin", json!(mixing.brightness.min)),
        ("brightnessMax", json!(mixing.brightness.max)),
        ("contrastMin", json!(mixing.contrast.min)),
        ("contrastMax", json!(mixing.contrast.max)),
        ("saturationMin", json!(mixing.saturation.min)),
        ("saturationMax", json!(mixing.saturation.max)),
        ("gammaMin", json!(mixing.gamma.min)),
        ("gammaMax", json!(mixing.gamma.max)),
    ])
}

fn hue_mixing(mixing: &HueMixing) -> Value {
    object([
        ("isMixing", json!(true)),
        ("h", json!(mixing.hue_degrees)),
        ("s", json!(mixing.saturation)),
        ("b", json!(mixing.brightness)),
    ])
}

fn color_balance(balance: &ColorBalance) -> Value {
    let ([rs, gs, bs], [rm, gm, bm], [rh, gh, bh]) = (balance.shadows, balance.midtones, balance.highlights);
    json!({ "isBalance": true, "rs": rs, "gs": gs, "bs": bs, "rm": rm, "gm": gm, "bm": bm, "rh": rh, "gh": gh, "bh": bh })
}

fn mask(files: &str, mask: &Mask) -> Value {
    object([
        ("isMask", json!(true)),
        (files, json!(mask.urls)),
        ("layerCount", json!(mask.layer_count)),
        ("trans", json!(mask.opacity_percent)),
    ])
}

fn effect(effect: &Effect) -> Value {
    object([
        ("value", json!(effect.name)),
        ("trans", json!(effect.strength_percent)),
        ("duration", json!(effect.duration_s)),
        ("position", json!(effect.position_percent)),
    ])
}

fn pip(pip: &Pip) -> Value {
    object([
        ("isPIP", json!(true)),
        ("padding", json!(pip.padding_percent)),
        ("fillMode", json!(if pip.blurred { 2 } else { 1 })),
        ("fillVideoPath", json!(pip.fill_url)),
    ])
}
