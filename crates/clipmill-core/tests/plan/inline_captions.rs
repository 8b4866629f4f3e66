//! Captions that a request contains become segments like those of a file, at the right time.

use clipmill_core::error::ErrorCode;
use clipmill_core::media::Facts;
use clipmill_core::plan::{
    Estimate, InputKind, Moment, assumed_plan, clip_inputs, estimate_prices, frame_inputs, needed_inputs,
};
use clipmill_core::pricing::PriceList;
use clipmill_core::request::model::{
    Bumper, CaptionSource, CaptionTiming, Highlight, MixOptions, Params, Rgba, Subtitle, SubtitleStyle, Voice,
};
use clipmill_core::segment::SegmentKey;
use clipmill_core::subtitle::{InlineCue, InlineWord, parse};

use crate::fixture::*;

fn fixture() -> Fixture {
    Fixture::new()
        .clip("a", 2.0)
        .clip("b", 2.0)
        .clip("intro", 1.0)
        .clip("outro", 2.0)
        .audio("voice", 2.0)
        .audio("long", 8.0)
}

fn of(source: CaptionSource) -> Option<Subtitle> {
    Some(Subtitle { source, timing: None, style: SubtitleStyle::DEFAULT })
}

fn text(text: &str) -> Option<Subtitle> {
    of(CaptionSource::Text(text.to_owned()))
}

/// Ten characters each, which is half a second of reading.
const TWO: &str = "aaaa bbbb. Cccc dddd.";
const FIRST: &str = "aaaa bbbb.";
const SECOND: &str = "Cccc dddd.";

fn params(subtitle: Option<Subtitle>, change: impl FnOnce(&mut MixOptions)) -> Params {
    let mut options = options();
    options.subtitle = subtitle;
    change(&mut options);
    base(vec![group(&["a", "b"])], options)
}

fn planned(subtitle: Option<Subtitle>, change: impl Fn(&mut MixOptions)) -> PlanReader {
    PlanReader(fixture().plan(params(subtitle, change)))
}

/// The video of an output with the captions of a file.
fn of_file(cues: &[(u64, u64, &str)], change: impl Fn(&mut MixOptions)) -> Vec<SegmentKey> {
    let plan = fixture().cues("s.srt", cues).plan(params(subtitle("s.srt"), change));
    PlanReader(plan).rendition(0).video.clone()
}

/// Checks when the captions of a text are shown, by comparing them with a file.
#[track_caller]
fn check(subtitle: Option<Subtitle>, cues: &[(u64, u64, &str)], change: impl Fn(&mut MixOptions)) {
    let reading = planned(subtitle, &change);
    assert_eq!(reading.item(0).warnings, []);
    assert_eq!(reading.rendition(0).video, of_file(cues, &change));
}

#[test]
fn a_text_is_spread_over_the_video() {
    check(text(TWO), &[(0, 2000, FIRST), (2000, 4000, SECOND)], |_| ());
    check(text("Hi"), &[(0, 4000, "Hi")], |_| ());
    let bumpers = |options: &mut MixOptions| {
        options.intro_pool = vec![Bumper { url: "intro".into() }];
        options.outro_pool = vec![Bumper { url: "outro".into() }];
    };
    check(text(TWO), &[(0, 2000, FIRST), (2000, 4000, SECOND)], bumpers);
}

#[test]
fn a_text_is_spread_over_the_voice() {
    let voice = |url: &'static str, seconds| {
        move |options: &mut MixOptions| options.voice = track(url, seconds, 0.0, 0.0)
    };
    check(text(TWO), &[(0, 1000, FIRST), (1000, 2000, SECOND)], voice("voice", None));
    check(text(TWO), &[(0, 600, FIRST), (600, 1200, SECOND)], voice("voice", Some(1.2)));
    // The end of the video cuts off the second half of the voice, and of the captions with it.
    check(text(TWO), &[(0, 4000, FIRST), (4000, 8000, SECOND)], voice("long", None));
    let with_intro = |options: &mut MixOptions| {
        voice("voice", None)(options);
        options.intro_pool = vec![Bumper { url: "intro".into() }];
    };
    check(text(TWO), &[(0, 1000, FIRST), (1000, 2000, SECOND)], with_intro);
}

/// Captions of a text and of a voice with these pauses.
fn with_pauses(timing: Option<CaptionTiming>, pauses: &[(u32, u32)], end_ms: u32) -> PlanReader {
    let subtitle = text(TWO).map(|subtitle| Subtitle { timing, ..subtitle });
    let params = params(subtitle, |options| {
        options.voice = track("voice", None, 0.0, 0.0);
        options.intro_pool = vec![Bumper { url: "intro".into() }];
    });
    PlanReader(fixture().pauses("voice", pauses, end_ms).plan(params))
}

#[test]
fn a_text_follows_the_pauses_of_its_voice() {
    let with_intro = |options: &mut MixOptions| {
        options.voice = track("voice", None, 0.0, 0.0);
        options.intro_pool = vec![Bumper { url: "intro".into() }];
    };
    let check = |timing, pauses: &[(u32, u32)], cues: &[(u64, u64, &str)]| {
        let reading = with_pauses(timing, pauses, 2000);
        assert_eq!(reading.item(0).warnings, []);
        assert_eq!(reading.rendition(0).video, of_file(cues, with_intro));
    };
    let pauses = [(0, 200), (800, 1300), (1900, 2000)];
    let spoken = [(200, 1300, FIRST), (1300, 2400, SECOND)];
    check(None, &pauses, &spoken);
    check(Some(CaptionTiming::Voice), &pauses, &spoken);
    check(Some(CaptionTiming::Even), &pauses, &[(0, 1000, FIRST), (1000, 2000, SECOND)]);
}

#[test]
fn a_text_is_spread_over_a_voice_that_does_not_speak_it() {
    let check = |pauses: &[(u32, u32)], end_ms, expected: &str| {
        let reading = with_pauses(None, pauses, end_ms);
        let [warning] = reading.item(0).warnings.as_slice() else { panic!("{:?}", reading.item(0).warnings) };
        assert_eq!(warning.path, "/params/options/subtitle/text");
        assert!(warning.message.contains(expected), "{}", warning.message);
        assert_eq!(
            reading.rendition(0).video,
            with_pauses(Some(CaptionTiming::Even), &[], 0).rendition(0).video
        );
    };
    check(&[], 0, "no speech with pauses");
    check(&[(100, 1900)], 2000, "does not seem to speak this text");
}

/// A voice is searched for pauses only if captions follow it, when it is known to have audio.
#[test]
fn voices_are_searched_when_captions_follow_them() {
    let inputs = |timing, facts: &Facts| {
        let subtitle = text(TWO).map(|subtitle| Subtitle { timing, ..subtitle });
        let request = request(params(subtitle, |options| options.voice = track("voice", None, 0.0, 0.0)));
        let moment = Moment { item_no: 1, clip: None, at_s: None };
        let all = [
            needed_inputs(&request, 1, facts),
            frame_inputs(&request, 1, facts, &moment),
            clip_inputs(&request, 1, facts, &moment),
        ];
        all.map(|inputs| inputs.into_iter().map(|input| (input.url, input.kind)).collect::<Vec<_>>())
    };
    let facts = fixture().facts;
    let voice = vec![("voice".to_owned(), InputKind::Pauses)];
    assert_eq!(inputs(None, &facts), [voice.clone(), voice.clone(), voice]);
    assert_eq!(inputs(Some(CaptionTiming::Even), &facts), [[], [], []]);
    assert_eq!(inputs(None, &fixture().pauses("voice", &[], 0).facts), [[], [], []]);
}

#[test]
fn each_output_has_the_text_of_its_voice() {
    let voice =
        |url: &str, words: &str| Voice { audio: track(url, None, 0.0, 0.0).unwrap(), subtitle: text(words) };
    let pool = vec![voice("voice", "Aa bb"), voice("long", "Cc dd")];
    let mut options = options();
    options.voice_pool = pool;
    let reading = PlanReader(fixture().plan(base(vec![group(&["a"]), group(&["a"])], options)));
    for item in 0..2 {
        let expected = ["Aa bb", "Cc dd"][reading.item(item).recipe["voicePool"].as_u64().unwrap() as usize];
        let view = serde_json::to_string(reading.video(item)[0].captions.as_ref().unwrap()).unwrap();
        assert!(view.contains(expected), "{view}");
    }
}

#[test]
fn cues_are_those_of_a_file() {
    let cue = |start_s, end_s, text: &str| InlineCue { start_s, end_s, text: text.into(), words: vec![] };
    let cues = vec![cue(2.5, 3.0, "last"), cue(0.2, 0.8, "hi"), cue(0.5, 2.2, "over")];
    let expected = [(200, 800, "hi"), (500, 2200, "over"), (2500, 3000, "last")];
    check(of(CaptionSource::Cues(cues.clone())), &expected, |_| ());
    check(of(CaptionSource::Cues(cues)), &expected, |options| {
        options.intro_pool = vec![Bumper { url: "intro".into() }];
    });
    let late = of(CaptionSource::Cues(vec![cue(9.0, 10.0, "late")]));
    let reading = planned(late, |_| ());
    let [warning] = reading.item(0).warnings.as_slice() else { panic!("{:?}", reading.item(0).warnings) };
    assert_eq!(warning.path, "/params/options/subtitle/cues");
    assert!(warning.message.contains("after the end of the video"), "{}", warning.message);
}

/// Words light up as with the times inside a VTT file.
#[test]
fn words_of_cues_are_highlighted() {
    let highlight = |subtitle: Option<Subtitle>| {
        subtitle.map(|mut subtitle| {
            subtitle.style.highlight = Some(Highlight { color: Some(Rgba::BLACK), ..Highlight::NONE });
            subtitle
        })
    };
    let word = |start_s, end_s, text: &str| InlineWord { start_s, end_s, text: text.into() };
    let words = vec![word(0.2, 0.4, "one"), word(0.5, 0.6, "two"), word(1.0, 1.5, "three")];
    let cue = InlineCue { start_s: 0.2, end_s: 1.5, text: "one two three".into(), words };
    let inline = planned(highlight(of(CaptionSource::Cues(vec![cue.clone()]))), |_| ());
    let file = "WEBVTT\n\n00:00.200 --> 00:01.500\none <00:00.500>two <00:01.000>three\n";
    let mut fixture = fixture();
    fixture.facts.subtitles.insert("s.srt".into(), Ok(parse(file.as_bytes()).unwrap()));
    let of_file = PlanReader(fixture.plan(params(highlight(subtitle("s.srt")), |_| ())));
    assert_eq!(inline.rendition(0).video, of_file.rendition(0).video);
    let untimed = InlineCue { words: vec![], ..cue };
    let untimed = planned(highlight(of(CaptionSource::Cues(vec![untimed]))), |_| ());
    assert_ne!(inline.rendition(0).video, untimed.rendition(0).video);
}

#[test]
fn a_text_that_is_too_long_for_the_video_is_a_warning() {
    let reading = planned(text(&"some words that never end ".repeat(10)), |_| ());
    let [warning] = reading.item(0).warnings.as_slice() else { panic!("{:?}", reading.item(0).warnings) };
    assert_eq!(warning.path, "/params/options/subtitle/text");
    assert!(
        warning.message.starts_with("takes about 13 s to read but is shown in 4.0 s"),
        "{}",
        warning.message
    );
    assert!(reading.video(0).iter().all(|spec| spec.captions.is_some()));
    let mut options = options();
    let audio = track("voice", None, 0.0, 0.0).unwrap();
    options.voice_pool = vec![Voice { audio, subtitle: text(&"some words ".repeat(30)) }];
    let reading = PlanReader(fixture().plan(base(vec![group(&["a"])], options)));
    assert_eq!(reading.item(0).warnings[0].path, "/params/options/voicePool/0/subtitle/text");
}

#[test]
fn too_many_emoji_fail_the_item() {
    let cue = InlineCue { start_s: 0.0, end_s: 1.0, text: "🐶".repeat(101), words: vec![] };
    let reading = planned(of(CaptionSource::Cues(vec![cue])), |_| ());
    assert_eq!(reading.error(0), (ErrorCode::SubtitleInvalid, None));
}

/// There is nothing to fetch, except the voice whose length determines the times of a text.
#[test]
fn no_file_is_needed() {
    let voiced =
        |subtitle| request(params(subtitle, |options| options.voice = track("voice", None, 0.0, 0.0)));
    let urls = |inputs: Vec<clipmill_core::plan::NeededInput>| {
        assert!(inputs.iter().all(|input| input.kind == InputKind::Media));
        inputs.into_iter().map(|input| input.url).collect::<Vec<_>>()
    };
    let nothing = Facts::default();
    let moment = Moment { item_no: 1, clip: None, at_s: None };
    let with_text = voiced(text(TWO));
    assert_eq!(urls(needed_inputs(&with_text, 1, &nothing)), ["a", "b", "voice"]);
    assert_eq!(urls(clip_inputs(&with_text, 1, &nothing, &moment)), ["a", "b", "voice"]);
    assert_eq!(urls(frame_inputs(&with_text, 1, &nothing, &moment)), ["a", "b", "voice"]);
    assert_eq!(urls(frame_inputs(&voiced(None), 1, &nothing, &moment)), ["a", "b"]);
}

/// A frame shows the caption of its time.
#[test]
fn previews_have_the_same_captions() {
    let params = params(text(TWO), |options| options.voice = track("voice", None, 0.0, 0.0));
    let still = |at_s| {
        let moment = Moment { item_no: 1, clip: None, at_s: Some(at_s) };
        let frame = fixture().still(params.clone(), &moment).unwrap();
        serde_json::to_string(&frame.exact.video.captions).unwrap()
    };
    assert!(still(0.5).contains("aaaa") && still(1.5).contains("Cccc"));
    assert_eq!(still(3.0), "null");
}

#[test]
fn estimates_and_prices_are_as_without_captions() {
    let estimate = |subtitle| {
        let request = request(params(subtitle, |_| ()));
        let plan = assumed_plan(&request, 1, Facts::default(), 3600, &|| true);
        let prices = estimate_prices(&request, 1, &Facts::default(), &PriceList::default());
        (Estimate::of(&plan), prices.into_iter().map(|price| price.points).collect::<Vec<_>>())
    };
    assert_eq!(estimate(text(TWO)), estimate(None));
    assert_eq!(estimate(text(&"字".repeat(20_000))), estimate(subtitle("s.srt")));
}

/// 200 outputs with the longest text are planned quickly.
#[test]
fn the_longest_text_is_split_once() {
    let long = "When the sun goes down, the valley turns blue. ".repeat(20_000 / 47);
    let mut options = options();
    options.subtitle = text(&long);
    let groups = (0..100).map(|_| group(&["a"])).collect();
    let plan = fixture().plan(base(groups, options));
    assert!(plan.items.iter().all(|item| item.outcome.is_ok()));
}
