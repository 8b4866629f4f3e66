//! Texts that are spoken in place of audio files.

use serde_json::json;

use super::*;
use crate::speech::Speech;

const VOICE: &str = "/params/options/audio";

fn body(audio: Value) -> Value {
    let body = without(&without(&bodies::base(), "/params/options/audio"), "/params/options/subtitle");
    with(&body, VOICE, audio)
}

#[track_caller]
fn spoken(request: &TaskRequest) -> Speech {
    request.params.mix_options().unwrap().voice.as_ref().unwrap().url.speech().unwrap()
}

#[test]
fn a_text_replaces_a_file() {
    let plain = accepted(&body(json!({ "text": "Hello.\r\nYou." })));
    assert_eq!(spoken(&plain.request), Speech { text: "Hello.\nYou.".into(), voice: None, speed: 1.0 });
    let audio = json!({ "text": "Hello.", "voice": "anna", "speed": 1.25, "volume": 50, "fadeIn": 0.5, "fadeOut": 0.5 });
    let request = accepted(&body(audio.clone())).request;
    assert_eq!(spoken(&request), Speech { text: "Hello.".into(), voice: Some("anna".into()), speed: 1.25 });
    assert_eq!(request.to_wire()["params"]["options"]["audio"], audio);
    for text in ["Hello.", "{\"text\":1}", "upload://abc", "再见"] {
        let request = accepted(&body(json!({ "text": text }))).request;
        assert_eq!(spoken(&request).text, text);
        assert_eq!(accepted(&request.to_wire()).request, request);
    }
    let long = json!({ "text": "字".repeat(10_000) });
    assert_eq!(spoken(&accepted(&body(long)).request).characters(), 10_000);
}

#[test]
fn pools_and_scenes_have_texts_as_well() {
    let pool = json!([{ "audio": { "text": "One." } }, { "audio": { "url": "https://a.example/a.mp3" } }]);
    let body = without(&without(&bodies::base(), "/params/options/audio"), "/params/options/subtitle");
    let request = accepted(&with(&body, "/params/options/voicePool", pool)).request;
    let pool = &request.params.mix_options().unwrap().voice_pool;
    assert_eq!(
        (pool[0].audio.url.speech().unwrap().text.as_str(), pool[1].audio.url.speech()),
        ("One.", None)
    );
    let audio = json!([{ "text": "One.", "startTime": 1 }, { "voice": "anna" }]);
    let pro = with(&bodies::pro(), "/params/scenes/0/audioResources", audio);
    let Params::ProVideoMix(params) = accepted(&pro).request.params else { panic!() };
    assert_eq!(params.scenes[0].audio.len(), 1, "the other has no text");
    let expected = "/params/scenes/0/audioResources/1: has no `url` or `text` and is skipped";
    assert!(warnings(&pro).iter().any(|warning| warning == expected), "{:?}", warnings(&pro));
}

#[test]
fn wrong_texts_are_refused() {
    let url = "https://a.example/a.mp3";
    for (audio, expected) in [
        (json!({ "text": "a", "url": url }), "/text: cannot be combined with `url`; set one of them"),
        (json!({ "text": " \n " }), "/text: must contain text, not only white space"),
        (json!({ "text": "x".repeat(10_001) }), "/text: has 10001 characters; at most 10000 are allowed"),
        (json!({ "text": "a", "speed": 0.4 }), "/speed: must be between 0.5 and 2"),
        (
            json!({ "text": "a", "voice": "x".repeat(101) }),
            "/voice: has 101 characters; at most 100 are allowed",
        ),
        (
            json!({ "url": "speech:{\"text\":\"a\",\"speed\":1}" }),
            "/url: must be an http://, https://, upload:// or result:// URL; `speech:` is not accepted",
        ),
    ] {
        assert_eq!(errors(&body(audio)), [format!("{VOICE}{expected}")]);
    }
    let pool = with(
        &without(&body(Value::Null), VOICE),
        "/params/options/voicePool",
        json!([{ "audio": { "volume": 1 } }]),
    );
    assert_eq!(errors(&pool), ["/params/options/voicePool/0/audio/url: is required, unless `text` is set"]);
    let unused = body(json!({ "url": url, "voice": "anna" }));
    assert_eq!(warnings(&unused), [format!("{VOICE}/voice: has no effect without `text`")]);
    // Music is not spoken.
    let music = with(&bodies::base(), "/params/options/backgroundMusic", json!({ "text": "a" }));
    assert!(
        warnings(&music)
            .contains(&"/params/options/backgroundMusic/text: unknown field; it has no effect".into())
    );
}

#[test]
fn voices_are_those_of_the_installation() {
    let of = |voices: Voices, audio: Value| {
        let policy = Policy { voices, ..Policy::default() };
        parse(body(audio).to_string().as_bytes(), &policy).map_err(|error| error.to_string())
    };
    let names = || Voices::These(vec!["anna".into()]);
    assert!(of(names(), json!({ "text": "a", "voice": "anna" })).is_ok());
    assert!(of(names(), json!({ "text": "a" })).is_ok());
    let refused = of(names(), json!({ "text": "a", "voice": "ana" })).unwrap_err();
    assert!(
        refused
            .starts_with("/params/options/audio/voice: is not a voice of this service; did you mean `anna`?"),
        "{refused}"
    );
    let refused = of(Voices::NoService, json!({ "text": "a" })).unwrap_err();
    assert!(refused.starts_with("/params/options/audio/text: cannot be spoken"), "{refused}");
    assert!(of(Voices::NoService, json!({ "url": "https://a.example/a.mp3" })).is_ok());
}
