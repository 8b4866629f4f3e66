//! Captions of what is spoken in voices and clips: they are those of a file with the same times, and have a price.

use clipmill_core::error::ErrorCode;
use clipmill_core::media::Facts;
use clipmill_core::plan::{InputKind, Moment, clip_inputs, estimate_prices, frame_inputs, needed_inputs};
use clipmill_core::pricing::PriceList;
use clipmill_core::request::model::*;
use clipmill_core::segment::SegmentKey;
use clipmill_core::speech::Speech;
use clipmill_core::subtitle::{RecognizedWord, Transcript};

use crate::fixture::*;

/// 60 points for a minute, which is one for a second.
const PRICES: PriceList = PriceList { hd: 1, full_hd: 2, above: 4, speech: 0, transcription: 60 };

fn fixture() -> Fixture {
    Fixture { width: 1, ..Fixture::new() }
        .clip("a", 4.0)
        .clip("b", 4.0)
        .silent_clip("mute", 4.0)
        .clip("intro", 1.0)
        .audio("voice", 3.0)
        .audio("other", 2.0)
}

/// Words of so many milliseconds.
fn transcript(words: &[(&str, u32, u32)]) -> Transcript {
    let word = |&(text, start, end): &(&str, u32, u32)| {
        let [start_s, end_s] = [start, end].map(|ms| f64::from(ms) / 1000.0);
        RecognizedWord { text: text.to_owned(), start_s, end_s }
    };
    Transcript::of("", &words.iter().map(word).collect::<Vec<_>>())
}

fn hearing(mut fixture: Fixture, url: &str, words: &[(&str, u32, u32)]) -> Fixture {
    fixture.facts.transcripts.insert(url.into(), Ok(transcript(words)));
    fixture
}

fn of(audio: TranscribedAudio) -> Option<Subtitle> {
    let source = CaptionSource::Transcript(audio);
    Some(Subtitle { source, timing: None, style: SubtitleStyle::DEFAULT })
}

fn params(audio: TranscribedAudio, clips: &[&str], change: impl FnOnce(&mut MixOptions)) -> Params {
    let mut options = MixOptions { subtitle: of(audio), ..options() };
    change(&mut options);
    base(vec![group(clips)], options)
}

/// The video of an output with these captions in a file.
fn of_file(mut params: Params, cues: &[(u64, u64, &str)]) -> Vec<SegmentKey> {
    match &mut params {
        Params::BaseVideoMix(params) => params.options.subtitle = subtitle("s.srt"),
        Params::ProVideoMix(params) => params.options.subtitle = subtitle("s.srt"),
        Params::VideoDeduplication(_) => {}
    }
    PlanReader(fixture().cues("s.srt", cues).plan(params)).rendition(0).video.clone()
}

#[track_caller]
fn check(fixture: &Fixture, params: Params, cues: &[(u64, u64, &str)]) {
    let reading = PlanReader(fixture.plan(params.clone()));
    assert_eq!(reading.item(0).warnings, []);
    assert_eq!(reading.rendition(0).video, of_file(params, cues));
}

#[test]
fn captions_show_what_the_voice_says() {
    let voice = |options: &mut MixOptions| options.voice = track("voice", None, 0.0, 0.0);
    let fixture = || {
        let words =
            [("Hello", 200, 500), ("there.", 500, 900), ("Welcome", 1200, 1500), ("back.", 1500, 2800)];
        hearing(fixture(), "voice", &words)
    };
    let expected = [(200, 1200, "Hello there."), (1200, 3000, "Welcome back.")];
    let own = params(TranscribedAudio::Voice, &["a"], voice);
    check(&fixture(), own.clone(), &expected);
    let intro = |options: &mut MixOptions| {
        voice(options);
        options.intro_pool = vec![Bumper { url: "intro".into() }];
    };
    check(&fixture(), params(TranscribedAudio::Voice, &["a"], intro), &expected);
    let cut = |options: &mut MixOptions| options.voice = track("voice", Some(1.0), 0.0, 0.0);
    check(&fixture(), params(TranscribedAudio::Voice, &["a"], cut), &[(200, 1000, "Hello there.")]);
    let silent = PlanReader(hearing(self::fixture(), "voice", &[]).plan(own));
    let [warning] = silent.item(0).warnings.as_slice() else { panic!("{:?}", silent.item(0).warnings) };
    assert_eq!(warning.path, "/params/options/subtitle/from");
    assert!(warning.message.contains("no speech was recognized"), "{}", warning.message);
}

#[test]
fn captions_show_what_the_clips_say() {
    let words = [("One", 200, 900), ("two.", 1000, 1400), ("Three.", 2600, 3000)];
    let fixture = hearing(hearing(fixture(), "a", &words), "b", &[("Four.", 500, 1000)]);
    let whole = params(TranscribedAudio::Clips, &["a", "mute", "b"], |_| ());
    let expected = [(200, 1900, "One two."), (2600, 3500, "Three."), (8500, 9500, "Four.")];
    check(&fixture, whole, &expected);
    // Each shows the first second of its clip.
    let cut = |options: &mut MixOptions| options.clip_seconds = Some(1.0);
    let expected = [(200, 1000, "One"), (1500, 2000, "Four.")];
    check(&fixture, params(TranscribedAudio::Clips, &["a", "b"], cut), &expected);
    let mut later = params(TranscribedAudio::Clips, &["a"], |_| ());
    if let Params::BaseVideoMix(params) = &mut later {
        params.groups[0].videos[0].from_s = Some(0.8);
    }
    check(&fixture, later, &[(200, 1100, "two."), (1800, 2700, "Three.")]);
}

#[test]
fn captions_show_what_the_audio_of_scenes_says() {
    let fixture =
        hearing(hearing(fixture(), "voice", &[("Hello.", 500, 900)]), "other", &[("Bye.", 500, 900)]);
    let mut mix = pro(vec![scene(3.0, &["a"]), scene(3.0, &["b"])], 1);
    for (scene, url) in mix.scenes.iter_mut().zip(["voice", "other"]) {
        scene.audio =
            vec![SceneAudio { url: url.into(), duration_s: None, start_s: 0.5, volume_percent: 100 }];
    }
    mix.options.subtitle = of(TranscribedAudio::Voice);
    let expected = [(1000, 1900, "Hello."), (4000, 4900, "Bye.")];
    check(&fixture, Params::ProVideoMix(mix), &expected);
}

/// A caption whose words are all spoken makes way for the next; one with further words stays beside it.
#[test]
fn speakers_at_once_have_captions_above_each_other() {
    let other: &[(&str, u32, u32)] = &[("Yes", 0, 300)];
    let voice: &[(&str, u32, u32)] = &[("Hello", 0, 400), ("there", 400, 1500), ("you", 1500, 1900)];
    let fixture = hearing(hearing(fixture(), "voice", voice), "other", other);
    let mix = |start_s: f64| {
        let mut mix = pro(vec![scene(3.0, &["a"])], 1);
        mix.scenes[0].audio =
            vec![SceneAudio { url: "other".into(), duration_s: None, start_s, volume_percent: 100 }];
        mix.options.voice = track("voice", None, 0.0, 0.0);
        mix.options.subtitle = of(TranscribedAudio::Voice);
        Params::ProVideoMix(mix)
    };
    check(&fixture, mix(1.0), &[(0, 2400, "Hello there you"), (1000, 1800, "Yes")]);
    check(&fixture, mix(2.0), &[(0, 2000, "Hello there you"), (2000, 2800, "Yes")]);
}

/// Both clips of a split screen, the second one each time that it repeats.
#[test]
fn both_clips_of_a_split_screen_are_transcribed() {
    let fixture = || fixture().clip("short", 2.0);
    let heard = hearing(hearing(fixture(), "a", &[("Hello", 0, 400)]), "short", &[("Yes", 1000, 1300)]);
    let mut videos = clips(&["a"]);
    let second = Box::new(clips(&["short"]).remove(0));
    videos[0].split = Some(SplitScreen { layout: SplitLayout::LeftRight, second });
    let params = |source| {
        let options = MixOptions { subtitle: source, ..options() };
        base(vec![Group { videos: videos.clone(), ..group(&[]) }], options)
    };
    let spoken = params(of(TranscribedAudio::Clips));
    let cues = [(0, 900, "Hello"), (1000, 1800, "Yes"), (3000, 3800, "Yes")];
    let of_file = PlanReader(fixture().cues("s.srt", &cues).plan(params(subtitle("s.srt"))));
    let reading = PlanReader(heard.plan(spoken.clone()));
    assert_eq!(reading.item(0).warnings, []);
    assert_eq!(reading.rendition(0).video, of_file.rendition(0).video);
    // Both files are paid: 4 points for the output, and one for each second that is transcribed.
    let estimates = estimate_prices(&request(spoken), 1, &heard.facts, &PRICES);
    assert_eq!(estimates[0].points, 4 + 4 + 2);
    assert_eq!(PRICES.points(reading.rendition(0).extent()), 4 + 4 + 2);
}

#[test]
fn a_voice_that_cannot_be_used_is_named() {
    let silent =
        params(TranscribedAudio::Voice, &["a"], |options| options.voice = track("mute", None, 0.0, 0.0));
    assert_eq!(PlanReader(fixture().plan(silent)).error(0), (ErrorCode::NotMedia, Some("mute")));
    let broken =
        params(TranscribedAudio::Voice, &["a"], |options| options.voice = track("bad", None, 0.0, 0.0));
    assert_eq!(
        PlanReader(fixture().bad("bad").plan(broken)).error(0),
        (ErrorCode::MediaDamaged, Some("bad"))
    );
}

#[test]
fn the_text_of_a_synthesized_voice_is_known() {
    let url = Speech { text: "Aaaa bbbb. Cccc dddd.".into(), voice: None, speed: 1.0 }.url();
    let fixture = || fixture().audio(&url, 2.0).pauses(&url, &[(0, 200), (800, 1300), (1900, 2000)], 2000);
    let voiced =
        params(TranscribedAudio::Voice, &["a"], |options| options.voice = track(&url, None, 0.0, 0.0));
    let reading = PlanReader(fixture().plan(voiced.clone()));
    let Params::BaseVideoMix(params) = &voiced else { panic!() };
    let source = CaptionSource::Text("Aaaa bbbb. Cccc dddd.".into());
    let mut options = params.options.clone();
    options.subtitle = Some(Subtitle { source, timing: None, style: SubtitleStyle::DEFAULT });
    let as_text = PlanReader(fixture().plan(base(vec![group(&["a"])], options)));
    assert_eq!(reading.rendition(0).video, as_text.rendition(0).video);
    assert!(reading.rendition(0).speech.is_empty() == as_text.rendition(0).speech.is_empty());
    let needed = needed_inputs(&request(voiced), 1, &fixture().facts);
    assert!(needed.iter().all(|input| input.kind != InputKind::Transcript), "{needed:?}");
}

#[test]
fn a_text_without_times_is_spread_over_its_audio() {
    let mut fixture = fixture();
    fixture.facts.transcripts.insert("voice".into(), Ok(Transcript::untimed("aaaa bbbb. Cccc dddd.")));
    let voiced =
        params(TranscribedAudio::Voice, &["a"], |options| options.voice = track("voice", None, 0.0, 0.0));
    let reading = PlanReader(fixture.plan(voiced.clone()));
    assert_eq!(
        reading.rendition(0).video,
        of_file(voiced, &[(0, 1500, "aaaa bbbb."), (1500, 3000, "Cccc dddd.")])
    );
    assert!(reading.item(0).warnings[0].message.contains("without times"));
}

#[test]
fn files_are_transcribed_once_they_are_known() {
    let moment = Moment { item_no: 1, clip: None, at_s: None };
    let inputs = |params: &Params, facts: &Facts| {
        let request = request(params.clone());
        let all = [
            needed_inputs(&request, 1, facts),
            frame_inputs(&request, 1, facts, &moment),
            clip_inputs(&request, 1, facts, &moment),
        ];
        all.map(|inputs| inputs.into_iter().map(|input| (input.url, input.kind)).collect::<Vec<_>>())
    };
    let transcripts = |names: &[&str]| -> Vec<(String, InputKind)> {
        names.iter().map(|name| ((*name).to_owned(), InputKind::Transcript)).collect()
    };
    let voice =
        params(TranscribedAudio::Voice, &["a"], |options| options.voice = track("voice", None, 0.0, 0.0));
    let clips = params(TranscribedAudio::Clips, &["a", "mute", "b"], |_| ());
    for (params, names) in [(&voice, &["voice"] as &[&str]), (&clips, &["a", "b"])] {
        let expected = transcripts(names);
        assert_eq!(inputs(params, &fixture().facts), [expected.clone(), expected.clone(), expected]);
        let heard = names.iter().fold(fixture(), |fixture, name| hearing(fixture, name, &[]));
        assert_eq!(inputs(params, &heard.facts), [[], [], []]);
    }
    let unknown = inputs(&voice, &Facts::default());
    assert!(unknown.iter().flatten().all(|(_, kind)| *kind == InputKind::Media), "{unknown:?}");
}

/// The first output that uses a file pays for all of it.
#[test]
fn each_file_is_paid_once() {
    let fixture =
        ["a", "b", "voice", "other"].iter().fold(fixture(), |fixture, name| hearing(fixture, name, &[]));
    let points = |params: &Params| -> Vec<u64> {
        let plan = fixture.plan(params.clone());
        let points =
            |item: &clipmill_core::plan::PlannedItem| PRICES.points(item.outcome.as_ref().unwrap().extent());
        plan.items.iter().map(points).collect()
    };
    let estimated = |params: &Params, facts: &Facts| -> Vec<u64> {
        estimate_prices(&request(params.clone()), 1, facts, &PRICES)
            .into_iter()
            .map(|item| item.points)
            .collect()
    };
    let clips = MixOptions { subtitle: of(TranscribedAudio::Clips), ..options() };
    let clips = base(vec![group(&["a", "mute"]), group(&["a", "b"]), group(&["b"])], clips);
    assert_eq!(points(&clips), [8 + 4, 8 + 4, 4]);
    assert_eq!(estimated(&clips, &fixture.facts), points(&clips));
    let voice = |url: &str| Voice {
        audio: track(url, None, 0.0, 0.0).unwrap(),
        subtitle: of(TranscribedAudio::Voice),
    };
    let pool = MixOptions { voice_pool: vec![voice("voice"), voice("other")], ..options() };
    let pool = base((0..3).map(|_| group(&["a"])).collect(), pool);
    assert_eq!(points(&pool).iter().sum::<u64>(), 3 * 4 + 3 + 2);
    assert_eq!(estimated(&pool, &fixture.facts), points(&pool));
    // Files of unknown length count as 15 s.
    assert_eq!(estimated(&pool, &Facts::default()).iter().sum::<u64>(), 3 * 15 + 2 * 15);
    // The price is not part of the bytes, and is stored.
    let plan = PlanReader(fixture.plan(clips));
    let stored = serde_json::to_value(plan.rendition(0)).unwrap();
    assert_eq!(stored["spoken"], serde_json::json!([{ "milliseconds": 4000 }]));
}
