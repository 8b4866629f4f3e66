//! Texts that are spoken in place of audio files: they are inputs like any other, and each has a price.

use clipmill_core::media::Facts;
use clipmill_core::plan::{assumed_plan, estimate_prices, needed_inputs};
use clipmill_core::pricing::PriceList;
use clipmill_core::request::model::*;
use clipmill_core::speech::Speech;

use crate::fixture::*;

const PRICES: PriceList = PriceList { hd: 1, full_hd: 2, above: 4, speech: 100, transcription: 60 };

fn url(text: &str) -> String {
    Speech { text: text.into(), voice: None, speed: 1.0 }.url()
}

fn spoken(text: &str) -> Track {
    track(&url(text), None, 0.0, 0.0).unwrap()
}

fn points(plan: &PlanReader) -> Vec<u64> {
    plan.0
        .items
        .iter()
        .map(|item| item.outcome.as_ref().map_or(0, |planned| PRICES.points(planned.extent())))
        .collect()
}

fn estimated(params: &Params, facts: &Facts) -> Vec<u64> {
    estimate_prices(&request(params.clone()), 1, facts, &PRICES).into_iter().map(|item| item.points).collect()
}

/// The first output that uses a text pays for it, when it is held and when the price is confirmed.
#[test]
fn each_distinct_text_is_paid_once() {
    let (short, long) = ("x".repeat(15), "y".repeat(30));
    let fixture = Fixture::new().clip("a", 2.0).audio(&url(&short), 1.0).audio(&url(&long), 2.0);
    let voice = |text: &str| Voice { audio: spoken(text), subtitle: None };
    let options = MixOptions { voice_pool: vec![voice(&short), voice(&long)], ..options() };
    let params = base((0..4).map(|_| group(&["a"])).collect(), options);
    let confirmed = points(&PlanReader(fixture.plan(params.clone())));
    assert_eq!(estimated(&params, &fixture.facts), confirmed);
    let mut extra: Vec<u64> = confirmed.iter().map(|points| points - 2).collect();
    assert_eq!(extra[2..], [0, 0], "pools are dealt evenly, so both texts are used by the first two");
    extra.sort_unstable();
    assert_eq!(extra, [0, 0, 2, 3]);
}

/// An output that cannot be made does not pay, so the next one does.
#[test]
fn the_first_planned_output_pays() {
    let text = "x".repeat(15);
    let fixture = Fixture::new().clip("a", 2.0).bad("broken").audio(&url(&text), 1.0);
    let options = MixOptions { voice: Some(spoken(&text)), ..options() };
    let plan =
        PlanReader(fixture.plan(base(vec![group(&["broken"]), group(&["a"]), group(&["a"])], options)));
    assert_eq!(points(&plan), [0, 4, 2]);
    // The price is not part of the bytes.
    let (paying, other) = (plan.rendition(1), plan.rendition(2));
    assert_eq!((paying.key(), paying == other), (other.key(), false));
}

#[test]
fn the_audio_of_scenes_is_paid_as_well() {
    let (one, two) = ("x".repeat(15), "y".repeat(30));
    let fixture = Fixture::new().clip("a", 2.0).clip("b", 2.0).audio(&url(&one), 1.0).audio(&url(&two), 1.0);
    let audio = |text: &str| {
        vec![SceneAudio { url: url(text).into(), duration_s: None, start_s: 0.0, volume_percent: 100 }]
    };
    let mut params = pro(vec![scene(1.0, &["a", "b"]), scene(1.0, &["a", "b"])], 2);
    (params.scenes[0].audio, params.scenes[1].audio) = (audio(&one), audio(&two));
    params.options.voice = Some(spoken(&one));
    let params = Params::ProVideoMix(params);
    let expected = [2 + 2 + 3, 2];
    assert_eq!(points(&PlanReader(fixture.plan(params.clone()))), expected);
    assert_eq!(estimated(&params, &Facts::default()), expected);
}

/// Until a text is spoken, its length is estimated by its characters.
#[test]
fn the_length_of_a_text_is_estimated() {
    let text = "x".repeat(150);
    let params = |duration_s| {
        let voice = Some(Track { duration_s, ..spoken(&text) });
        base(vec![group(&["a"])], MixOptions { length: MixLength::Voice, voice, ..options() })
    };
    assert_eq!(estimated(&params(None), &Facts::default()), [11 + 15]);
    assert_eq!(estimated(&params(Some(3.0)), &Facts::default()), [4 + 15]);
    let plan = assumed_plan(&request(params(None)), 1, Facts::default(), 600, &|| true);
    assert_eq!(PlanReader(plan).rendition(0).frames.0, 315);
    let needed = needed_inputs(&request(params(None)), 1, &Facts::default());
    assert!(needed.iter().any(|input| input.url == url(&text)), "{needed:?}");
}

#[test]
fn an_error_names_the_beginning_of_the_text() {
    let text = "A sentence that is much longer than forty characters.";
    let fixture = Fixture::new().clip("a", 2.0).bad(&url(text));
    let plan = PlanReader(
        fixture.plan(base(vec![group(&["a"])], MixOptions { voice: Some(spoken(text)), ..options() })),
    );
    assert_eq!(plan.error(0).1, Some("speech: A sentence that is much longer than fort…"));
}
