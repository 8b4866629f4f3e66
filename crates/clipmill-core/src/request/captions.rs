//! Rules for captions that a row cannot express: one source of several, times in order, words in their cue.

use serde_json::{Map, Value};

use super::form::Member;
use super::mix_options::overlay_emoji;
use super::model::{CaptionSource, MixOptions, Scene, Subtitle, SubtitleStyle, TranscribedAudio};
use super::reader::Fields;
use crate::message;
use crate::subtitle::{InlineCue, InlineWord, MAX_EMOJI, WordFault, count_emoji, is_blank};

impl Member for CaptionSource {
    /// The fields of a file, a text, cues and transcribed audio.
    type Names = [&'static str; 4];

    fn take(fields: &mut Fields, names: Self::Names) -> Option<Self> {
        let given: Vec<&str> = names.into_iter().filter(|name| fields.has(name)).collect();
        if let [first, others @ ..] = given.as_slice() {
            others.iter().for_each(|name| fields.refuse(name, message::one_of_both(*first), None));
        }
        let [url, text, cues, from] = names;
        let url_value: Option<String> = fields.take(url)?;
        let text_value: Option<String> = fields.take(text)?;
        if text_value.as_deref().is_some_and(is_blank) {
            fields.refuse(text, message::is_blank(), None);
        }
        let cues: Vec<InlineCue> = fields.take(cues)?;
        let cues = (!cues.is_empty()).then_some(Self::Cues(cues));
        let transcribed: Option<TranscribedAudio> = fields.take(from)?;
        if transcribed.is_some() && !fields.policy().transcribes {
            fields.refuse(from, message::no_transcription(), None);
        }
        let transcript = transcribed.map(Self::Transcript);
        let source = url_value.map(Self::Url).or(text_value.map(Self::Text)).or(cues).or(transcript);
        source.or_else(|| given.is_empty().then_some(Self::Scenes))
    }

    fn put(&self, _: Self::Names, object: &mut Map<String, Value>) {
        match self {
            Self::Url(url) => url.put(self.field(), object),
            Self::Text(text) => text.put(self.field(), object),
            Self::Cues(cues) => cues.put(self.field(), object),
            Self::Transcript(audio) => audio.put(self.field(), object),
            Self::Scenes => {}
        }
    }
}

pub(super) fn check_subtitle(fields: &mut Fields, subtitle: Option<Subtitle>) -> Option<Subtitle> {
    let [url, text, cues, from] = ["url", "text", "cues", "from"].map(|name| fields.has(name));
    let has_source = url || text || cues || from;
    // Without a source, they may be those of the scenes.
    let is_of_pool = fields.shape.is_some_and(|shape| shape.field.needs.is_none());
    if !has_source && is_of_pool {
        fields.refuse("url", message::is_required_or_any("text", "cues", "from"), None);
    }
    if fields.has("timing") && !text && (has_source || is_of_pool) {
        fields.warn_of("timing", message::only_with("text"));
    }
    let subtitle = subtitle.filter(|_| has_source || !is_of_pool)?;
    let timing = subtitle.timing.filter(|_| text || !has_source);
    Some(Subtitle { timing, ..subtitle })
}

/// The options with captions from one source: that of the captions, or the texts of scenes.
pub(super) fn check_source(fields: &mut Fields, options: MixOptions, scenes: &[Scene]) -> MixOptions {
    check_transcribed(fields, &options, scenes);
    let is_of_scenes = |subtitle: &Subtitle| subtitle.source == CaptionSource::Scenes;
    let Some(first) = scenes.iter().position(|scene| scene.text.is_some()) else {
        if options.subtitle.as_ref().is_some_and(is_of_scenes) {
            match options.voice_pool.is_empty() {
                true => fields.warn_of("options/subtitle", message::subtitle_without_url()),
                false => fields.refuse("options/voicePool", message::one_of_both("subtitle"), None),
            }
        }
        return MixOptions {
            subtitle: options.subtitle.filter(|subtitle| !is_of_scenes(subtitle)),
            ..options
        };
    };
    let is_pooled = options.voice_pool.iter().any(|voice| voice.subtitle.is_some());
    let other = match &options.subtitle {
        Some(subtitle) if !is_of_scenes(subtitle) => {
            Some(format!("options.subtitle.{}", subtitle.source.field()))
        }
        _ => is_pooled.then(|| "options.voicePool[].subtitle".to_owned()),
    };
    if let Some(other) = other {
        fields.refuse(&format!("scenes/{first}/text"), message::one_of_both(other), None);
    }
    let emoji = scenes.iter().filter_map(|scene| scene.text.as_deref()).map(count_emoji).sum::<usize>()
        + overlay_emoji(&options);
    if emoji > MAX_EMOJI {
        fields.refuse("scenes", message::too_many_emoji(emoji, MAX_EMOJI), None);
    }
    let own = || Subtitle { source: CaptionSource::Scenes, timing: None, style: SubtitleStyle::DEFAULT };
    MixOptions { subtitle: options.subtitle.or_else(|| Some(own())), ..options }
}

/// Audio that is transcribed must be there, and should be heard.
fn check_transcribed(fields: &mut Fields, options: &MixOptions, scenes: &[Scene]) {
    let pooled = options.voice_pool.iter().enumerate();
    let pooled =
        pooled.filter_map(|(i, voice)| Some((format!("voicePool/{i}/subtitle"), voice.subtitle.as_ref()?)));
    let own = options.subtitle.iter().map(|subtitle| ("subtitle".to_owned(), subtitle));
    let places: Vec<_> =
        own.chain(pooled).filter_map(|(place, subtitle)| Some((place, subtitle.transcribed()?))).collect();
    // Entries that are wrong have an error of their own.
    let has_voice = ["audio", "voicePool"].iter().any(|name| fields.member_of("options", name).is_some());
    let has_voice = has_voice || scenes.iter().any(|scene| !scene.audio.is_empty());
    for (place, audio) in places {
        let place = format!("options/{place}/from");
        match audio {
            TranscribedAudio::Voice if !has_voice => {
                fields.refuse(&place, message::transcript_without_voice(), None);
            }
            TranscribedAudio::Clips if options.original_volume == 0 => {
                fields.warn_of(&place, message::transcript_of_muted_clips());
            }
            TranscribedAudio::Voice | TranscribedAudio::Clips => {}
        }
    }
}

pub(super) fn check_cue(fields: &mut Fields, cue: Option<InlineCue>) -> Option<InlineCue> {
    let cue = cue?;
    let InlineCue { start_s, end_s, .. } = cue;
    check_end(fields, start_s, end_s);
    if is_blank(&cue.text) {
        fields.refuse("text", message::is_blank(), None);
    }
    for (index, fault) in cue.word_faults() {
        match fault {
            WordFault::OutsideCue => {
                fields.refuse(&format!("words/{index}"), message::word_outside_cue(start_s, end_s), None);
            }
            WordFault::NotInText => {
                fields.refuse(&format!("words/{index}/text"), message::word_not_in_text(), None);
            }
        }
    }
    Some(cue)
}

pub(super) fn check_word(fields: &mut Fields, word: Option<InlineWord>) -> Option<InlineWord> {
    let word = word?;
    check_end(fields, word.start_s, word.end_s);
    Some(word)
}

fn check_end(fields: &mut Fields, start_s: f64, end_s: f64) {
    if end_s <= start_s {
        fields.refuse("end", message::ends_before(start_s), Some(message::allowed_above(start_s)));
    }
}
