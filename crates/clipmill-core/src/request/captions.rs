//! Rules for captions that a row cannot express: one source of several, times in order, words in their cue.

use serde_json::{Map, Value};

use super::form::Member;
use super::model::{CaptionSource, Subtitle};
use super::reader::Fields;
use crate::message;
use crate::subtitle::{InlineCue, InlineWord, WordFault, is_blank};

impl Member for CaptionSource {
    /// The fields of a file, a text and cues.
    type Names = [&'static str; 3];

    fn take(fields: &mut Fields, names: Self::Names) -> Option<Self> {
        let given: Vec<&str> = names.into_iter().filter(|name| fields.has(name)).collect();
        if let [first, others @ ..] = given.as_slice() {
            others.iter().for_each(|name| fields.refuse(name, message::one_of_both(*first), None));
        }
        let [url, text, cues] = names;
        let url_value: Option<String> = fields.take(url)?;
        let text_value: Option<String> = fields.take(text)?;
        if text_value.as_deref().is_some_and(is_blank) {
            fields.refuse(text, message::is_blank(), None);
        }
        let cues: Vec<InlineCue> = fields.take(cues)?;
        let cues = (!cues.is_empty()).then_some(Self::Cues(cues));
        url_value.map(Self::Url).or(text_value.map(Self::Text)).or(cues)
    }

    fn put(&self, _: Self::Names, object: &mut Map<String, Value>) {
        match self {
            Self::Url(url) => url.put(self.field(), object),
            Self::Text(text) => text.put(self.field(), object),
            Self::Cues(cues) => cues.put(self.field(), object),
        }
    }
}

pub(super) fn check_subtitle(fields: &mut Fields, subtitle: Option<Subtitle>) -> Option<Subtitle> {
    let [url, text, cues] = ["url", "text", "cues"].map(|name| fields.has(name));
    match fields.shape.and_then(|shape| shape.field.needs) {
        _ if url || text || cues => {}
        Some(_) => fields.warn(message::subtitle_without_url()),
        None => fields.refuse("url", message::is_required_or_either("text", "cues"), None),
    }
    if fields.has("timing") && !text {
        fields.warn_of("timing", message::only_with("text"));
    }
    let subtitle = subtitle?;
    let timing = subtitle.timing.filter(|_| text);
    Some(Subtitle { timing, ..subtitle })
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
