//! The defaults of the options of both mixes, and rules that a row cannot express: options without effect if their file
//! is missing.

use std::sync::LazyLock;

use super::Policy;
use super::form::Form;
use super::model::{
    CaptionSource, CaptionTiming, MixLength, MixOptions, Overlay, SceneAudio, Sound, Subtitle, Track,
};
use super::reader::{Fields, Node};
use super::report::Report;
use super::schema::mixes::MIX;
use super::schema::shape::Shape;
use crate::message;
use crate::subtitle::{MAX_EMOJI, count_emoji};

/// The most videos among the overlays, because each segment decodes all that it shows.
const MAX_LAYERS: usize = 3;

/// The options of a request that sets none.
impl Default for MixOptions {
    fn default() -> Self {
        static DEFAULT: LazyLock<MixOptions> = LazyLock::new(|| {
            let options = read_defaults();
            options.unwrap_or_else(|| unreachable!("every option of mixes is optional or has a default"))
        });
        DEFAULT.clone()
    }
}

fn read_defaults() -> Option<MixOptions> {
    static SHAPE: LazyLock<Shape> = LazyLock::new(|| Shape::tree(&MIX.concat()));
    let policy = Policy::default();
    let mut report = Report::new(&policy);
    let shape = SHAPE.member("params").and_then(|params| params.member("options"));
    let node = Node { value: None, path: String::new(), report: &mut report, shape };
    node.object_or_empty(MixOptions::read_fields).flatten()
}

pub(super) fn check(fields: &mut Fields, read: Option<MixOptions>) -> Option<MixOptions> {
    let no_music = |options: &MixOptions| options.music.is_none() && options.music_pool.is_empty();
    if read.as_ref().is_some_and(|options| options.ducking && no_music(options)) {
        fields.warn(message::ducking_without_music());
    }
    for (i, overlay) in read.iter().flat_map(|options| options.overlays.iter().enumerate()) {
        if overlay.texts().len() > 1 && overlay.is_always_seen() {
            fields.warn_of(&format!("overlays/{i}/texts"), message::texts_share_nothing());
        }
    }
    let layers = read.iter().flat_map(|options| &options.overlays).filter(|one| one.video().is_some());
    let layer_count = layers.count();
    if layer_count > MAX_LAYERS {
        fields.refuse("overlays", message::too_many_layers(layer_count, MAX_LAYERS), None);
    }
    let emoji = read.as_ref().map_or(0, overlay_emoji);
    let too_many = |count| (count > MAX_EMOJI).then(|| message::too_many_emoji(count, MAX_EMOJI));
    if let Some(message) = too_many(emoji) {
        fields.refuse("overlays", message, None);
    }
    for (place, text) in read.iter().flat_map(scripts) {
        if let Some(message) = too_many(emoji + count_emoji(text)).filter(|_| emoji <= MAX_EMOJI) {
            fields.refuse(&place, message, None);
        }
    }
    if let Some(options) = &read {
        check_length(fields, options);
    }
    for (pool, single) in
        [("backgroundMusicPool", "backgroundMusic"), ("voicePool", "audio"), ("voicePool", "subtitle")]
    {
        // Captions without a source may be those of scenes.
        let of_scenes = |subtitle: &Subtitle| subtitle.source == CaptionSource::Scenes;
        let subtitle = read.as_ref().and_then(|options| options.subtitle.as_ref());
        let can_be_both = single == "subtitle" && subtitle.is_some_and(of_scenes);
        if fields.has(pool) && fields.has(single) && !can_be_both {
            fields.refuse(pool, message::one_of_both(single), None);
        }
    }
    read
}

/// How `length: "voice"` is named in messages.
pub(super) const VOICE_LENGTH: &str = "length: \"voice\"";

/// Rules for the length of outputs and of showings of clips.
fn check_length(fields: &mut Fields, options: &MixOptions) {
    // Entries of the pool that are wrong have an error of their own.
    let has_voice = options.voice.is_some() || fields.entries("voicePool").is_some_and(|count| count > 0);
    if options.length == MixLength::Voice && !has_voice {
        fields.refuse("length", message::length_without_voice(), None);
    }
    if options.is_shortest && options.length == MixLength::Voice {
        fields.refuse("isShortest", message::one_of_both(VOICE_LENGTH), None);
    }
    let follows_voice = |subtitle: &&Subtitle| subtitle.source != CaptionSource::Scenes;
    let timing = options.subtitle.as_ref().filter(follows_voice).and_then(|subtitle| subtitle.timing);
    if timing == Some(CaptionTiming::Voice) && !has_voice {
        fields.warn_of("subtitle/timing", message::only_with("audio"));
    }
    if options.length == MixLength::Clips && options.tail_s.is_some() {
        fields.warn_of("tail", message::only_with(VOICE_LENGTH));
    }
    let transition_s = options.transition.as_ref().map_or(0.0, |transition| transition.duration_s);
    if options.clip_seconds.is_some_and(|seconds| seconds < 2.0 * transition_s) {
        let least = 2.0 * transition_s;
        fields.refuse("clipSeconds", message::clips_shorter_than_transitions(least), None);
    }
}

/// All texts that are split into captions, with their places.
fn scripts(options: &MixOptions) -> impl Iterator<Item = (String, &str)> {
    let own = options.subtitle.iter().map(|subtitle| ("subtitle/text".to_owned(), subtitle));
    let pooled = options.voice_pool.iter().enumerate();
    let pooled = pooled
        .filter_map(|(i, voice)| Some((format!("voicePool/{i}/subtitle/text"), voice.subtitle.as_ref()?)));
    own.chain(pooled).filter_map(|(place, subtitle)| Some((place, subtitle.text()?)))
}

/// The maximum number of emoji that one output shows of all texts above its clips.
pub(super) fn overlay_emoji(options: &MixOptions) -> usize {
    options.overlays.iter().map(most_emoji).sum()
}

/// The maximum number of emoji that one output shows of the overlay's texts.
fn most_emoji(overlay: &Overlay) -> usize {
    overlay.texts().iter().map(|text| count_emoji(text)).max().unwrap_or(0)
}

pub(super) fn check_track(fields: &mut Fields, track: Option<Track>) -> Option<Track> {
    let track = audible(fields, track, |track| track.duration_s)?;
    let (from_s, start_s) = (positive(track.from_s), positive(track.start_s));
    Some(Track { from_s, start_s, ..track })
}

pub(super) fn check_sound(_: &mut Fields, sound: Option<Sound>) -> Option<Sound> {
    sound.map(|sound| Sound { from_s: positive(sound.from_s), ..sound })
}

/// 0 s is the same as an absent value.
fn positive(seconds: Option<f64>) -> Option<f64> {
    seconds.filter(|seconds| *seconds > 0.0)
}

pub(super) fn check_scene_audio(fields: &mut Fields, audio: Option<SceneAudio>) -> Option<SceneAudio> {
    audible(fields, audio, |audio| audio.duration_s)
}

/// The track if it is audible, otherwise a warning.
fn audible<T>(fields: &mut Fields, track: Option<T>, duration_s: impl Fn(&T) -> Option<f64>) -> Option<T> {
    let may_be_spoken = fields.row("text").is_some();
    let has_source = fields.has("url") || fields.has("text") && may_be_spoken;
    let is_optional = fields.shape.is_some_and(|shape| shape.field.needs.is_some());
    match (may_be_spoken, is_optional) {
        _ if has_source => {}
        (true, true) => fields.warn(message::sound_without_source()),
        (true, false) => fields.refuse("url", message::is_required_or("text"), None),
        (false, _) => fields.warn(message::sound_without_url()),
    }
    let track = track?;
    if duration_s(&track) == Some(0.0) {
        fields.warn(message::sound_without_length());
        return None;
    }
    Some(track)
}
