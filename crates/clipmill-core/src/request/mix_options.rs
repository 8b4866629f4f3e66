//! `options` of both mixes: size, sound, subtitles.

use super::model::{Background, FillMode, MixOptions, Rgba, Subtitle, SubtitleStyle, Track};
use super::preset;
use super::reader::Fields;
use super::scalar::Range;
use crate::media::Size;
use crate::message;
use crate::time::Fps;

/// Longest scene name or file name that is taken note of.
pub(super) const MAX_REMARK: usize = 500;
const RESOLUTIONS: [(&str, Size); 4] = [
    ("720:1280", Size::new(720, 1280)),
    ("1080:1920", Size::new(1080, 1920)),
    ("1280:720", Size::new(1280, 720)),
    ("1920:1080", Size::new(1920, 1080)),
];
const FILL_MODES: [(&str, FillMode); 3] =
    [("none", FillMode::None), ("crop", FillMode::Crop), ("stretch", FillMode::Stretch)];
const BACKGROUNDS: [(&str, Background); 2] = [("black", Background::Black), ("blur", Background::Blur)];

/// Everything but `isShortest`, which the two mixes have at different places.
pub(super) fn read(fields: &mut Fields) -> MixOptions {
    fields.belongs_elsewhere("seed", "params");
    let options = MixOptions {
        size: fields.get("resolution").choice(&RESOLUTIONS).unwrap_or(Size::new(720, 1280)),
        fill: fields.get("resolutionMode").choice(&FILL_MODES).unwrap_or(FillMode::None),
        background: fields.get("background").choice(&BACKGROUNDS).unwrap_or(Background::Black),
        fps: fields.get("fps").fps().unwrap_or(Fps::DEFAULT),
        is_shortest: false,
        music: fields.get("backgroundMusic").object(read_track).flatten(),
        voice: fields.get("audio").object(read_track).flatten(),
        subtitle: fields.get("subtitle").object(read_subtitle).flatten(),
        original_volume: fields.get("originalVolume").integer(0..=100).unwrap_or(100),
        ducking: fields.get("ducking").boolean().unwrap_or(false),
        loudness_lufs: fields.get("loudness").number(Range::new(-40.0, -5.0)),
        preset: preset(fields),
    };
    if options.ducking && options.music.is_none() {
        fields.warn(message::ducking_without_music());
    }
    options
}

fn read_track(fields: &mut Fields) -> Option<Track> {
    let url = fields.get("url");
    let has_url = url.value.is_some();
    let url = url.url();
    fields.get("fileName").text(MAX_REMARK);
    let duration_s = fields.get("duration").number(Range::new(0.0, 600.0));
    let volume_percent = fields.get("volume").integer(0..=100).unwrap_or(80);
    let fade_in_s = fields.get("fadeIn").number(Range::new(0.0, 10.0)).unwrap_or(0.5);
    let fade_out_s = fields.get("fadeOut").number(Range::new(0.0, 10.0)).unwrap_or(0.5);
    if !is_heard(fields, has_url, duration_s) {
        return None;
    }
    Some(Track { url: url?, duration_s, volume_percent, fade_in_s, fade_out_s })
}

/// Whether a sound plays at all; a remark where it does not.
pub(super) fn is_heard(fields: &mut Fields, has_url: bool, duration_s: Option<f64>) -> bool {
    if !has_url {
        fields.warn(message::sound_without_url());
    } else if duration_s == Some(0.0) {
        fields.warn(message::sound_without_length());
    }
    has_url && duration_s != Some(0.0)
}

fn read_subtitle(fields: &mut Fields) -> Option<Subtitle> {
    let url = fields.get("url");
    let has_url = url.value.is_some();
    let url = url.url();
    fields.get("fileName").text(MAX_REMARK);
    let style = fields.get("style").object_or_empty(read_style);
    if !has_url {
        fields.warn(message::subtitle_without_url());
    }
    Some(Subtitle { url: url?, style: style? })
}

fn read_style(fields: &mut Fields) -> SubtitleStyle {
    SubtitleStyle {
        font_size: fields.get("fontSize").integer(10..=18).unwrap_or(14),
        font_color: fields.get("fontColor").color().unwrap_or(Rgba::WHITE),
        outline_color: fields.get("outlineColor").color(),
        back_color: fields.get("backColor").color(),
        bottom: fields.get("bottom").integer(0..=1000).unwrap_or(50),
        magnification: fields.get("magnification").number(Range::new(0.1, 5.0)).unwrap_or(2.5),
    }
}
