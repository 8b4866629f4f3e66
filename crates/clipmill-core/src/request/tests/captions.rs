//! Captions that a request contains: one source of four, and the rules of each.

use serde_json::{Value, json};

use super::model::{CaptionSource, CaptionTiming, Subtitle, TranscribedAudio};
use super::{Policy, accepted, bodies, errors, parse, refused, submit, warnings, with, without};

const AT: &str = "/params/options/subtitle";
const POOL: &str = "/params/options/voicePool";

fn body(subtitle: Value) -> Value {
    with(&bodies::base(), AT, subtitle)
}

fn pooled(subtitle: Value) -> Value {
    let body = bodies::base();
    let audio = json!({ "url": "https://a.example/v.mp3" });
    let options = json!({ "voicePool": [{ "audio": audio, "subtitle": subtitle }] });
    with(&body, "/params/options", options)
}

#[track_caller]
fn read(subtitle: Value) -> Subtitle {
    let request = accepted(&body(subtitle)).request;
    let again = accepted(&request.to_wire());
    assert_eq!((&again.request, again.warnings.len()), (&request, 0), "{:#}", request.to_wire());
    let stored: super::TaskRequest = serde_json::from_str(&serde_json::to_string(&request).unwrap()).unwrap();
    assert_eq!((&stored, stored.fingerprint()), (&request, request.fingerprint()));
    request.params.mix_options().unwrap().subtitle.clone().unwrap()
}

/// Checks the first error; `path` is relative to the subtitle.
#[track_caller]
fn check(subtitle: Value, path: &str, message: &str) {
    assert_eq!(errors(&body(subtitle.clone())), [format!("{AT}{path}: {message}")]);
    assert_eq!(errors(&pooled(subtitle)), [format!("{POOL}/0/subtitle{path}: {message}")]);
}

fn cue(start: f64, end: f64, text: &str) -> Value {
    json!({ "start": start, "end": end, "text": text })
}

#[test]
fn a_text_is_kept_as_it_is() {
    let text = "Hi <b>x</b> {\\an8} &lt;\n\n\t“你好” 👩‍👩‍👧 مرحبا";
    let subtitle = read(json!({ "text": text, "style": { "bottom": 90 } }));
    assert_eq!(subtitle.source, CaptionSource::Text(text.to_owned()));
    assert_eq!((subtitle.timing, subtitle.style.bottom), (None, 90));
    let even = read(json!({ "text": "Hi", "timing": "even" }));
    assert_eq!(even.timing, Some(CaptionTiming::Even));
    let voice = read(json!({ "text": "Hi", "timing": "voice" }));
    assert_eq!(voice.timing, Some(CaptionTiming::Voice));
    assert_eq!(read(json!({ "text": "a\r\nb\rc" })).text(), Some("a\nb\nc"));
    assert_eq!(read(json!({ "text": "字".repeat(20_000) })).url(), None);
}

#[test]
fn cues_have_times_and_words() {
    let words =
        json!([{ "start": 1, "end": 1.5, "text": "One" }, { "start": 1.5, "end": 2, "text": " two" }]);
    let cues = json!([
        cue(4.0, 5.0, "later"),
        { "start": 1, "end": 2, "text": "One\ntwo", "words": words },
        { "start": 0, "end": 86_400, "text": "all the time", "words": [] },
    ]);
    let CaptionSource::Cues(cues) = read(json!({ "cues": cues })).source else { panic!("no cues") };
    assert_eq!(cues.iter().map(|cue| cue.words.len()).collect::<Vec<_>>(), [0, 2, 0]);
    assert_eq!((cues[0].start_s, cues[1].words[1].end_s), (4.0, 2.0), "the order of the request is kept");
    read(json!({ "cues": vec![cue(0.0, 1.0, "a"); 2000] }));
}

#[test]
fn there_is_exactly_one_source() {
    let url = "https://a.example/s.srt";
    let cues = json!([cue(0.0, 1.0, "a")]);
    let both = |other: &str| format!("cannot be combined with `{other}`; set one of them");
    check(json!({ "url": url, "text": "a" }), "/text", &both("url"));
    check(json!({ "url": url, "cues": cues }), "/cues", &both("url"));
    check(json!({ "text": "a", "cues": cues }), "/cues", &both("text"));
    let all = errors(&body(json!({ "url": url, "text": "a", "cues": cues })));
    assert_eq!(all.len(), 2, "{all:?}");
    // Without any, the field has always been ignored with a warning; in a pool it has always been an error.
    for none in
        [json!({}), json!({ "style": {} }), json!({ "text": "" }), json!({ "text": null, "cues": null })]
    {
        let expected = format!("{AT}: has no `url`, `text`, `cues` or `from`; no subtitles are shown");
        assert_eq!(warnings(&body(none.clone())), [expected]);
        let expected = format!("{POOL}/0/subtitle/url: is required, unless `text`, `cues` or `from` is set");
        assert_eq!(errors(&pooled(none)), [expected]);
    }
    let source =
        |body: &Value| accepted(body).request.inputs().iter().filter(|input| input.url == url).count();
    assert_eq!((source(&body(json!({ "url": url }))), source(&pooled(json!({ "url": url })))), (1, 1));
}

#[test]
fn faults_of_texts() {
    let blank = "must contain text, not only white space";
    for text in [" ", "\n\n\t", "\u{a0}\u{2028}", "\u{202e}\u{feff}"] {
        check(json!({ "text": text }), "/text", blank);
    }
    check(json!({ "text": "字".repeat(20_001) }), "/text", "has 20001 characters; at most 20000 are allowed");
    let control = "must not contain control characters other than line breaks and tabs";
    for text in ["a\u{0}b", "\u{1b}[31mred", "a\u{85}b"] {
        check(json!({ "text": text }), "/text", control);
        check(json!({ "cues": [cue(0.0, 1.0, text)] }), "/cues/0/text", control);
    }
    check(json!({ "text": 5 }), "/text", "must be a string");
    check(json!({ "text": ["a"] }), "/text", "must be a string");
    check(json!({ "text": "a", "timing": "odd" }), "/timing", "must be one of voice, even");
    let url = json!({ "url": "https://a.example/s.srt", "timing": "even" });
    assert_eq!(warnings(&body(url.clone())), [format!("{AT}/timing: has no effect without `text`")]);
    assert_eq!(
        accepted(&body(url)).request.params.mix_options().unwrap().subtitle.as_ref().unwrap().timing,
        None
    );
}

#[test]
fn faults_of_cues() {
    check(json!({ "cues": [] }), "/cues", "must have at least one entry");
    check(json!({ "cues": {} }), "/cues", "must be an array");
    check(json!({ "cues": [7] }), "/cues/0", "must be an object");
    check(
        json!({ "cues": vec![cue(0.0, 1.0, "a"); 2001] }),
        "/cues",
        "has 2001 entries; at most 2000 are allowed",
    );
    let one = |start: Value, end: Value| json!({ "cues": [{ "start": start, "end": end, "text": "a" }] });
    check(one(json!(2), json!(2)), "/cues/0/end", "must be greater than `start`, which is 2");
    check(one(json!(2), json!(1)), "/cues/0/end", "must be greater than `start`, which is 2");
    check(one(json!(-1), json!(1)), "/cues/0/start", "must be between 0 and 86400");
    check(one(json!(0), json!(0)), "/cues/0/end", "must be above 0 and at most 86400");
    check(one(json!(0), json!(86_401)), "/cues/0/end", "must be above 0 and at most 86400");
    check(one(json!("NaN"), json!(1)), "/cues/0/start", "must be a number");
    check(one(json!(null), json!(1)), "/cues/0/start", "is required");
    check(json!({ "cues": [cue(0.0, 1.0, "")] }), "/cues/0/text", "is required");
    check(
        json!({ "cues": [cue(0.0, 1.0, " \n")] }),
        "/cues/0/text",
        "must contain text, not only white space",
    );
    check(
        json!({ "cues": [cue(0.0, 1.0, &"a".repeat(2001))] }),
        "/cues/0/text",
        "has 2001 characters; at most 2000 are allowed",
    );
    let text = body(one(json!(0), json!(1))).to_string().replace("\"end\":1,", "\"end\":NaN,");
    assert!(super::parse(text.as_bytes(), &super::Policy::default()).is_err(), "NaN is not JSON: {text}");
}

#[test]
fn faults_of_words() {
    let with_word = |start: f64, end: f64, text: &str| {
        let words =
            json!([{ "start": 1, "end": 1.5, "text": "One" }, { "start": start, "end": end, "text": text }]);
        json!({ "cues": [{ "start": 1, "end": 3, "text": "One two", "words": words }] })
    };
    read(with_word(1.5, 3.0, "two"));
    let outside = "must be spoken during its cue, which is from 1 to 3 s";
    check(with_word(0.5, 2.0, "two"), "/cues/0/words/1", outside);
    check(with_word(2.0, 3.5, "two"), "/cues/0/words/1", outside);
    check(with_word(2.0, 2.0, "two"), "/cues/0/words/1/end", "must be greater than `start`, which is 2");
    let absent = "is not in the text of its cue after the previous word; write each word as in the text, in the same order";
    for text in ["One", "three", "Two"] {
        check(with_word(1.5, 2.0, text), "/cues/0/words/1/text", absent);
    }
    let many = vec![json!({ "start": 1, "end": 2, "text": "a" }); 501];
    let cue = json!({ "start": 1, "end": 3, "text": "a".repeat(600), "words": many });
    check(json!({ "cues": [cue] }), "/cues/0/words", "has 501 entries; at most 500 are allowed");
}

/// Every fault of a long list is reported with its place.
#[test]
fn all_faults_are_reported_at_once() {
    let cues = json!([cue(1.0, 2.0, "a"), cue(3.0, 2.0, " "), cue(-1.0, 2.0, "b")]);
    let paths: Vec<String> =
        refused(&body(json!({ "cues": cues }))).into_iter().map(|error| error.path).collect();
    let expected = ["/cues/1/end", "/cues/1/text", "/cues/2/start"].map(|path| format!("{AT}{path}"));
    assert_eq!(paths, expected);
}

/// Emoji of a text count with those of overlays.
#[test]
fn too_many_emoji_are_refused() {
    let body = |count: usize| {
        let text = "😀 ".repeat(count);
        with(
            &body(json!({ "text": text })),
            "/params/options/overlays",
            json!([{ "type": "text", "text": "😀" }]),
        )
    };
    assert!(submit(&body(99)).is_ok());
    let refused = errors(&body(100));
    assert!(refused[0].starts_with(&format!("{AT}/text: 101 emoji are too many")), "{refused:?}");
    let refused = errors(&pooled(json!({ "text": "😀".repeat(20_000) })));
    assert!(
        refused[0].starts_with(&format!("{POOL}/0/subtitle/text: 20000 emoji are too many")),
        "{refused:?}"
    );
}

#[test]
fn scenes_have_texts() {
    let plain = with(&bodies::pro(), "/params/options", json!({}));
    let text = |body: &Value| with(body, "/params/scenes/1/text", json!("Hi"));
    let subtitle_of = |body: &Value| {
        let request = accepted(body).request;
        let again = accepted(&request.to_wire());
        assert_eq!((&again.request, again.warnings), (&request, vec![]), "{:#}", request.to_wire());
        let stored: super::TaskRequest =
            serde_json::from_str(&serde_json::to_string(&request).unwrap()).unwrap();
        assert_eq!((&stored, stored.fingerprint()), (&request, request.fingerprint()));
        request.params.mix_options().unwrap().subtitle.clone()
    };
    assert_eq!(subtitle_of(&plain), None);
    let own = subtitle_of(&text(&plain)).unwrap();
    assert_eq!((own.source, own.style), (CaptionSource::Scenes, super::model::SubtitleStyle::DEFAULT));
    let styled = with(&plain, AT, json!({ "style": { "bottom": 90 }, "timing": "even" }));
    let own = subtitle_of(&text(&styled)).unwrap();
    assert_eq!((own.timing, own.style.bottom), (Some(CaptionTiming::Even), 90));
    // Without texts, it has no captions, as before.
    let expected = format!("{AT}: has no `url`, `text`, `cues` or `from`; no subtitles are shown");
    assert_eq!(warnings(&with(&plain, AT, json!({ "style": {} }))), [expected]);
    for name in ["text", "url", "cues"] {
        let value = match name {
            "text" => json!("Ho"),
            "url" => json!("https://a.example/s.srt"),
            _ => json!([cue(0.0, 1.0, "a")]),
        };
        let both = text(&with(&plain, AT, json!({ name: value })));
        let error = format!(
            "/params/scenes/1/text: cannot be combined with `options.subtitle.{name}`; set one of them"
        );
        assert_eq!(errors(&both), [error]);
    }
    let audio = json!({ "url": "https://a.example/v.mp3" });
    let pool = |subtitle: Value| with(&plain, POOL, json!([{ "audio": audio, "subtitle": subtitle }]));
    assert_eq!(subtitle_of(&text(&pool(Value::Null))).unwrap().source, CaptionSource::Scenes);
    let both = errors(&text(&pool(json!({ "text": "Ho" }))));
    let error =
        "/params/scenes/1/text: cannot be combined with `options.voicePool[].subtitle`; set one of them";
    assert_eq!(both, [error]);
    let faults = |value: Value| errors(&with(&plain, "/params/scenes/1/text", value));
    let at = "/params/scenes/1/text";
    assert_eq!(faults(json!(" \n")), [format!("{at}: must contain text, not only white space")]);
    assert_eq!(faults(json!(5)), [format!("{at}: must be a string")]);
    let long = faults(json!("字".repeat(20_001)));
    assert_eq!(long, [format!("{at}: has 20001 characters; at most 20000 are allowed")]);
    let emoji = faults(json!("😀".repeat(101)));
    assert!(emoji[0].starts_with("/params/scenes: 101 emoji are too many"), "{emoji:?}");
}

#[test]
fn captions_can_be_what_is_spoken() {
    let from = |audio: &str| with(&bodies::base(), "/params/options/subtitle", json!({ "from": audio }));
    let voiced = with(&from("voice"), "/params/options/audio", json!({ "url": "https://a.example/v.mp3" }));
    let source =
        |body: &Value| accepted(body).request.params.mix_options().unwrap().subtitle.clone().unwrap().source;
    assert_eq!(source(&voiced), CaptionSource::Transcript(TranscribedAudio::Voice));
    assert_eq!(source(&from("clips")), CaptionSource::Transcript(TranscribedAudio::Clips));
    let refused = |body: &Value, expected: &str| {
        let all = errors(body);
        assert!(all.len() == 1 && all[0].starts_with(expected), "{all:?}");
    };
    let at = "/params/options/subtitle";
    refused(&without(&from("voice"), "/params/options/audio"), &format!("{at}/from: needs a voice"));
    refused(&from("music"), &format!("{at}/from: must be one of"));
    let both = with(&voiced, "/params/options/subtitle/text", json!("Hello."));
    refused(&both, &format!("{at}/from: cannot be combined with `text`"));
    let muted = with(&from("clips"), "/params/options/originalVolume", json!(0));
    let expected = format!("{at}/from: shows what the clips say, but `originalVolume` is 0");
    assert!(warnings(&muted).contains(&expected), "{:?}", warnings(&muted));
    let policy = Policy { transcribes: false, ..Policy::default() };
    let refused = parse(from("clips").to_string().as_bytes(), &policy).unwrap_err().to_string();
    assert!(refused.starts_with(&format!("{at}/from: cannot be transcribed")), "{refused}");
}
