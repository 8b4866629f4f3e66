//! Reads and writes where audio comes from: the URL of a file, or a text with its voice and speed.

use serde_json::{Map, Value};

use super::form::Member;
use super::model::AudioUrl;
use super::names::nearest;
use super::reader::Fields;
use super::{Policy, Voices};
use crate::message::{self, Message};
use crate::speech::Speech;
use crate::subtitle::is_blank;

impl Member for AudioUrl {
    /// The fields of a file, a text, its voice and its speed.
    type Names = [&'static str; 4];

    fn take(fields: &mut Fields, [url, text, voice, speed]: Self::Names) -> Option<Self> {
        let is_required = fields.row(url).is_some_and(|row| row.required);
        let file: Option<String> = if is_required {
            fields.take::<String>(url)
        } else {
            fields.take::<Option<String>>(url).flatten()
        };
        // Music is not spoken.
        if fields.row(text).is_none() {
            return file.map(Self::from);
        }
        let (has_file, has_text) = (fields.has(url), fields.has(text));
        let spoken: Option<String> = fields.take::<Option<String>>(text)?;
        let spoken = read_speech(fields, spoken, [voice, speed]);
        if has_file && has_text {
            fields.refuse(text, message::one_of_both(url), None);
        }
        if !has_text {
            let unused: Vec<_> = [voice, speed].into_iter().filter(|name| fields.has(name)).collect();
            unused.into_iter().for_each(|name| fields.warn_of(name, message::only_with(text)));
            return file.map(Self::from);
        }
        spoken.map(|speech| speech.url().into())
    }

    fn put(&self, [url, text, voice, speed]: Self::Names, object: &mut Map<String, Value>) {
        match self.speech() {
            Some(speech) => {
                speech.text.put(text, object);
                speech.voice.put(voice, object);
                speech.speed.put(speed, object);
            }
            None => self.as_str().to_owned().put(url, object),
        }
    }
}

/// A text with its voice and its speed, which are read in any case.
fn read_speech(
    fields: &mut Fields,
    text: Option<String>,
    [voice, speed]: [&'static str; 2],
) -> Option<Speech> {
    let voice_name: Option<String> = fields.take::<Option<String>>(voice).flatten();
    let speed = fields.take::<f64>(speed);
    let text = text?;
    check_speech(fields, &text, voice_name.as_deref());
    Some(Speech { text, voice: voice_name, speed: speed? })
}

/// Reports a text that nothing can speak.
pub(super) fn check_speech(fields: &mut Fields, text: &str, voice: Option<&str>) {
    if is_blank(text) {
        fields.refuse("text", message::is_blank(), None);
    }
    if let Some((field, message, near)) = refused_voice(fields.policy(), voice) {
        fields.refuse(field, message, near.map(message::allowed_values));
    }
}

/// The field that is wrong, why, and the name that was probably meant.
fn refused_voice<'p>(
    policy: &'p Policy,
    voice: Option<&str>,
) -> Option<(&'static str, Message, Option<&'p str>)> {
    let names: Vec<&str> = match &policy.voices {
        Voices::Any => return None,
        Voices::NoService => return Some(("text", message::no_speech_service(), None)),
        Voices::These(names) => names.iter().map(String::as_str).collect(),
    };
    let voice = voice.filter(|voice| !names.contains(voice))?;
    let near = nearest(voice, &names);
    let message = near.map_or_else(message::no_such_voice, message::no_such_voice_but);
    Some(("voice", message, near))
}
