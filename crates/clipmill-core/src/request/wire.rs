//! The names of option fields for reading and writing, and requests in normal form written as a client would send them:
//! defaults are spelled out, notes and switched-off options are omitted. Reading the result gives the same request.

use serde_json::{Map, Value};

use super::form::form;
use super::model::*;
use super::{caption_style, captions, cover, mix_options, mix_overlays, overlays};
use crate::subtitle::{InlineCue, InlineWord};

form! {
    DedupOptions {
        mirror = "isMirror",
        filter = "isFilter",
        fps = "fps",
        frame_extraction = ("frameExtraction", "isExtract", "start", "end"),
        speed = ("speed", "isSpeed", "start", "end"),
        rotation = "rotation",
        zoom = ("zoom", "isZoom", "minScale", "maxScale"),
        colour_mixing = "colourMixing",
        hue_mixing = "hueMixing",
        color_balance = "colorBalance",
        pic_mask = ("picMask", "picFiles"),
        video_mask = ("videoMask", "videoFiles"),
        effect = "effect",
        pip = "PIP",
        cover = "cover",
        preset = "preset",
    }
}

form! {
    ColourMixing [switch "isMixing"] {
        brightness = ("brightnessMin", "brightnessMax"),
        contrast = ("contrastMin", "contrastMax"),
        saturation = ("saturationMin", "saturationMax"),
        gamma = ("gammaMin", "gammaMax"),
    }
}

form! {
    HueMixing [switch "isMixing"] {
        hue_degrees = "h",
        saturation = "s",
        brightness = "b",
    }
}

form! {
    ColorBalance [switch "isBalance"] {
        shadows = ["rs", "gs", "bs"],
        midtones = ["rm", "gm", "bm"],
        highlights = ["rh", "gh", "bh"],
    }
}

form! {
    Effect [check overlays::check_effect] {
        name = "value",
        strength_percent = "trans",
        duration_s = "duration",
        position_percent = "position",
    }
}

form! {
    SceneAudio [check mix_options::check_scene_audio] {
        url = ["url", "text", "voice", "speed"],
        duration_s = "duration",
        start_s = "startTime",
        volume_percent = "volume",
    }
}

form! {
    ClipShowing {
        resource = "resource",
        start_s = "start",
        length_s = "seconds",
    }
}

form! {
    MixOptions [check mix_options::check] {
        size = "resolution",
        fill = "resolutionMode",
        background = "background",
        fps = "fps",
        is_shortest = "isShortest",
        music = "backgroundMusic",
        voice = "audio",
        subtitle = "subtitle",
        music_pool = "backgroundMusicPool",
        voice_pool = "voicePool",
        intro_pool = "introPool",
        outro_pool = "outroPool",
        original_volume = "originalVolume",
        ducking = "ducking",
        loudness_lufs = "loudness",
        fade_out_s = "fadeOut",
        clip_start = "clipStart",
        length = "length",
        tail_s = "tail",
        clip_seconds = "clipSeconds",
        transition = "transition",
        image_motion = "imageMotion",
        look = "look",
        effects = "effects",
        sounds = "sounds",
        overlays = "overlays",
        cover = "cover",
        preset = "preset",
    }
}

form! {
    Cover [check cover::check_cover] {
        at_s = "at",
        url = "url",
        title = "title",
    }
}

form! {
    CoverTitle [check cover::check_title] {
        text = "text",
        style = "style",
    }
}

form! {
    Track [check mix_options::check_track] {
        url = ["url", "text", "voice", "speed"],
        duration_s = "duration",
        volume_percent = "volume",
        fade_in_s = "fadeIn",
        fade_out_s = "fadeOut",
        from_s = "from",
        start_s = "start",
    }
}

form! {
    Sound [check mix_options::check_sound] {
        url = "url",
        at_s = "at",
        volume_percent = "volume",
        from_s = "from",
        duration_s = "duration",
    }
}

form! {
    ColorKey [check mix_overlays::check_key] {
        color = "color",
        tolerance_percent = "tolerance",
        softness_percent = "softness",
    }
}

form! {
    Transitions {
        names = "names",
        duration_s = "duration",
    }
}

form! {
    Bumper {
        url = "url",
    }
}

form! {
    Voice {
        audio = "audio",
        subtitle = "subtitle",
    }
}

form! {
    Subtitle [check captions::check_subtitle] {
        source = ["url", "text", "cues", "from"],
        timing = "timing",
        style = "style",
    }
}

form! {
    InlineCue [check captions::check_cue] {
        start_s = "start",
        end_s = "end",
        text = "text",
        words = "words",
    }
}

form! {
    InlineWord [check captions::check_word] {
        start_s = "start",
        end_s = "end",
        text = "text",
    }
}

form! {
    SubtitleStyle [check caption_style::expand_preset] [sent caption_style::keep_own] {
        preset = "preset",
        font_size = "fontSize",
        font_color = "fontColor",
        outline_color = "outlineColor",
        back_color = "backColor",
        bottom = "bottom",
        magnification = "magnification",
        font = "font",
        weight = "weight",
        place = "place",
        shadow = "shadow",
        radius = "radius",
        highlight = "highlight",
        words = "words",
        motion = "motion",
        uppercase = "uppercase",
        max_words = "maxWords",
        max_width_percent = "maxWidth",
    }
}

form! {
    Highlight [check caption_style::check_highlight] {
        color = "color",
        back_color = "box",
        scale = "scale",
    }
}

/// Makes an object without null fields.
pub(super) fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let present = fields.into_iter().filter(|(_, value)| !value.is_null());
    Value::Object(present.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}

pub(super) fn list<T>(values: &[T], each: impl Fn(&T) -> Value) -> Value {
    Value::Array(values.iter().map(each).collect())
}

/// Makes a list, or null when it is empty.
pub(super) fn some<T>(values: &[T], each: impl Fn(&T) -> Value) -> Value {
    if values.is_empty() { Value::Null } else { list(values, each) }
}

pub(super) fn without(mut object: Value, name: &str) -> Value {
    if let Some(members) = object.as_object_mut() {
        members.shift_remove(name);
    }
    object
}
