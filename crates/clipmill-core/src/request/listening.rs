//! The body of a text to listen to.

use super::audio_url::check_speech;
use super::preview::read_body;
use super::scalar::Range;
use super::{Policy, RequestError};
use crate::speech::{MAX_PREVIEW_CHARACTERS, MAX_VOICE_LENGTH, Speech};

/// Speeds of speech.
const SPEEDS: Range = Range::new(0.5, 2.0);

/// Reads the body of a text to listen to.
pub fn parse_listening(body: &[u8], policy: &Policy) -> Result<Speech, RequestError> {
    read_body(body, policy, |fields| {
        let text = fields.need("text").lines(MAX_PREVIEW_CHARACTERS);
        let voice = fields.get("voice").text(MAX_VOICE_LENGTH);
        let has_speed = fields.has("speed");
        let speed = fields.get("speed").number(SPEEDS).or((!has_speed).then_some(Speech::SPEED));
        let text = text?;
        check_speech(fields, &text, voice.as_deref());
        Some(Speech { text, voice, speed: speed? })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Voices;

    fn read(body: &str, voices: Voices) -> Result<Speech, Vec<String>> {
        let policy = Policy { voices, ..Policy::default() };
        parse_listening(body.as_bytes(), &policy)
            .map_err(|error| error.to_string().lines().map(str::to_owned).collect())
    }

    #[test]
    fn a_text_with_a_voice_and_a_speed() {
        let voices = Voices::These(vec!["en-us".to_owned(), "cmn".to_owned()]);
        let speech = |text: &str, voice: Option<&str>, speed| {
            Ok(Speech { text: text.to_owned(), voice: voice.map(str::to_owned), speed })
        };
        assert_eq!(read(r#"{"text":"Hello.\nYou."}"#, voices.clone()), speech("Hello.\nYou.", None, 1.0));
        let all = r#"{"text":"Hello","voice":"cmn","speed":0.5}"#;
        assert_eq!(read(all, voices.clone()), speech("Hello", Some("cmn"), 0.5));
        assert_eq!(read(all, Voices::Any), speech("Hello", Some("cmn"), 0.5));
        let long = format!(r#"{{"text":"{}"}}"#, "字".repeat(501));
        for (body, expected) in [
            ("{}", "/text: is required"),
            (r#"{"text":" \n"}"#, "/text: must contain text, not only white space"),
            (long.as_str(), "/text: has 501 characters; at most 500 are allowed"),
            (r#"{"text":"a","speed":2.1}"#, "/speed: must be between 0.5 and 2"),
            (
                r#"{"text":"a","voice":"en-uk"}"#,
                "/voice: is not a voice of this service; did you mean `en-us`? GET /open-api/v1/video-process/voices lists them",
            ),
            (
                r#"{"text":"a","voice":"somebody"}"#,
                "/voice: is not a voice of this service; GET /open-api/v1/video-process/voices lists them",
            ),
        ] {
            assert_eq!(read(body, voices.clone()), Err(vec![expected.to_owned()]), "{body}");
        }
        let expected =
            "/text: cannot be spoken: no speech service is configured here; set `url` to an audio file";
        assert_eq!(read(r#"{"text":"a"}"#, Voices::NoService), Err(vec![expected.to_owned()]));
    }
}
