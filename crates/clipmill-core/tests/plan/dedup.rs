//! videoDeduplication: lengths, sizes, audio, recipes and draws.

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::looks::Look;
use clipmill_core::media::Size;
use clipmill_core::message::Message;
use clipmill_core::request::model::*;
use clipmill_core::seed::item_seed;

use crate::fixture::*;

pub fn unchanged() -> DedupOptions {
    DedupOptions::default()
}

fn dedup(names: &[&str], options: DedupOptions, seed: u64) -> Params {
    Params::VideoDeduplication(DedupParams { videos: clips(names), options, seed: Some(seed) })
}

fn just(value: f64) -> Option<Span> {
    Some(Span { min: value, max: value })
}

#[test]
fn length_follows_speed_and_the_output_rate() {
    for (speed, rate, frames, samples) in [
        (None, 30, 60, 96_000),
        (None, 25, 50, 96_000),
        (None, 60, 120, 96_000),
        (just(2.0), 30, 30, 48_000),
        (just(0.5), 30, 120, 192_000),
        (just(1.5), 30, 40, 64_000),
        (just(1.7), 50, 59, 56_640),
    ] {
        let options = DedupOptions { speed, fps: fps(rate), ..unchanged() };
        let reading = PlanReader(Fixture::new().clip("a", 2.0).plan(dedup(&["a"], options, 1)));
        assert_eq!(reading.frames(0), [frames], "{speed:?} at {rate}");
        assert_eq!(reading.rendition(0).audio.as_ref().unwrap().samples.0, samples);
        let audio = reading.audio(&reading.tracks(0)[0].parts[0]).unwrap();
        assert_eq!(f64::from(audio.tempo_permille), speed.map_or(1.0, |span| span.min) * 1000.0);
    }
}

#[test]
fn the_size_is_the_sources_own_as_shown_and_even() {
    for (coded, rotation, sample_aspect, expected) in [
        (Size::new(1280, 720), 0, (1, 1), Size::new(1280, 720)),
        (Size::new(1280, 720), 90, (1, 1), Size::new(720, 1280)),
        (Size::new(721, 405), 0, (1, 1), Size::new(720, 404)),
        (Size::new(720, 576), 0, (16, 11), Size::new(1046, 576)),
        (Size::new(7680, 4320), 0, (1, 1), Size::new(3840, 2160)),
        (Size::new(1, 1), 0, (1, 1), Size::new(2, 2)),
    ] {
        let mut source = video(1.0);
        (source.coded, source.rotation, source.sample_aspect) = (coded, rotation, sample_aspect);
        let fixture = Fixture::new().file("a", Some(source), None);
        let reading = PlanReader(fixture.plan(dedup(&["a"], unchanged(), 1)));
        assert_eq!(reading.rendition(0).size, expected, "{coded} turned by {rotation}");
        assert_eq!(reading.video(0)[0].size, expected);
    }
}

#[test]
fn a_source_without_audio_gives_an_output_without_audio() {
    let fixture = Fixture::new().silent_clip("mute", 1.0).clip("a", 1.0);
    let reading = PlanReader(fixture.plan(dedup(&["mute", "a"], unchanged(), 1)));
    assert_eq!(reading.rendition(0).audio, None);
    assert!(reading.rendition(1).audio.is_some());
}

#[test]
fn only_the_item_with_the_bad_video_fails() {
    let fixture = Fixture::new().bad("broken").clip("a", 1.0).audio("song", 2.0);
    let reading = PlanReader(fixture.plan(dedup(&["broken", "a", "song"], unchanged(), 1)));
    assert_eq!(reading.error(0), (ErrorCode::MediaDamaged, Some("broken")));
    assert_eq!(reading.frames(1), [30]);
    assert_eq!(reading.error(2), (ErrorCode::NoVideoStream, Some("song")));
}

#[test]
fn speed_is_applied_before_the_length_is_checked() {
    let mut fixture = Fixture::new().clip("a", 15.0);
    fixture.max_item_seconds = 10;
    let with_speed =
        |speed| PlanReader(fixture.plan(dedup(&["a"], DedupOptions { speed, ..unchanged() }, 1)));
    assert_eq!(with_speed(None).error(0).0, ErrorCode::MediaTooLarge);
    assert_eq!(with_speed(just(1.5)).frames(0), [300]);
}

#[test]
fn a_declared_length_off_by_more_than_a_tenth_gives_a_warning() {
    let videos = vec![
        Clip { url: "a".into(), duration_s: Some(2.1), ..Clip::default() },
        Clip { url: "a".into(), duration_s: Some(4.0), ..Clip::default() },
    ];
    let params = DedupParams { videos, options: unchanged(), seed: Some(1) };
    let plan = Fixture::new().clip("a", 2.0).plan(Params::VideoDeduplication(params));
    let paths: Vec<&str> = plan.warnings.iter().map(|warning| warning.path.as_str()).collect();
    assert_eq!(paths, ["/params/videoList/1/duration"]);
}

fn everything() -> DedupOptions {
    let span = |min, max| Span { min, max };
    DedupOptions {
        filter: true,
        frame_extraction: Some(span(25.0, 30.0)),
        speed: Some(span(0.5, 2.0)),
        rotation: Some(Rotation { clockwise: false, angle: span(1.0, 10.0) }),
        zoom: Some(span(1.0, 2.0)),
        colour_mixing: Some(ColourMixing {
            brightness: span(-0.1, 0.1),
            contrast: span(0.9, 1.1),
            saturation: span(0.9, 1.1),
            gamma: span(0.9, 1.1),
        }),
        ..unchanged()
    }
}

#[test]
fn the_recipe_has_exactly_the_random_values() {
    let fixture = Fixture::new().clip("a", 2.0);
    let plain = PlanReader(fixture.plan(dedup(&["a"], unchanged(), 1)));
    assert_eq!(plain.item(0).recipe, serde_json::json!({}));

    let reading = PlanReader(fixture.plan(dedup(&["a"], everything(), 1)));
    let recipe = &reading.item(0).recipe;
    let within = |name: &str, min: f64, max: f64| {
        let value = recipe.pointer(name).and_then(serde_json::Value::as_f64).unwrap();
        assert!((min..=max).contains(&value), "{name} is {value}");
    };
    within("/frameRate", 25.0, 30.0);
    within("/speed", 0.5, 2.0);
    within("/angle", -10.0, -1.0);
    within("/scale", 1.0, 2.0);
    within("/colour/brightness", -0.1, 0.1);
    within("/colour/gamma", 0.9, 1.1);
    assert!(Look::find(recipe["look"].as_str().unwrap()).is_some());
}

#[test]
fn a_single_item_is_reproduced_by_its_seed() {
    let fixture = Fixture { width: 1, ..Fixture::new() }.clip("a", 2.0).clip("b", 2.0);
    let both = PlanReader(fixture.plan(dedup(&["a", "b"], everything(), 5)));
    assert_eq!(both.item(1).seed, item_seed(5, 2));
    let alone = PlanReader(fixture.plan(dedup(&["b"], everything(), both.item(1).seed)));
    assert_eq!(alone.item(0).recipe, both.item(1).recipe);
    assert_eq!(alone.rendition(0), both.rendition(1));
    let other = PlanReader(fixture.plan(dedup(&["b"], everything(), 6)));
    assert_ne!(other.item(0).recipe, both.item(1).recipe);
}

#[test]
fn two_items_of_one_video_are_drawn_apart() {
    let fixture = Fixture::new().clip("a", 2.0);
    let reading = PlanReader(fixture.plan(dedup(&["a", "a"], everything(), 5)));
    assert_ne!(reading.item(0).recipe, reading.item(1).recipe);
    let plain = PlanReader(fixture.plan(dedup(&["a", "a"], unchanged(), 5)));
    assert_eq!(plain.0.segments.len(), 2, "without chance both are the same picture and sound");
}

/// The widest part of a range, as a share of it, that contains no copy's value.
fn widest_gap(values: &mut [f64], (min, max): (f64, f64)) -> f64 {
    values.sort_by(f64::total_cmp);
    let around = values[0] - min + max - values[values.len() - 1];
    values.windows(2).map(|pair| pair[1] - pair[0]).fold(around, f64::max) / (max - min)
}

#[test]
fn copies_of_one_video_spread_over_every_range() {
    let fixture = Fixture::new().clip("a", 1.0);
    let ranges = [
        ("/frameRate", (25.0, 30.0)),
        ("/speed", (0.5, 2.0)),
        ("/angle", (-10.0, -1.0)),
        ("/scale", (1.0, 2.0)),
        ("/colour/brightness", (-0.1, 0.1)),
        ("/colour/contrast", (0.9, 1.1)),
        ("/colour/saturation", (0.9, 1.1)),
        ("/colour/gamma", (0.9, 1.1)),
    ];
    for copies in [2, 3, 4, 8, 16, 33, 64] {
        for seed in 0..5 {
            let reading = PlanReader(fixture.plan(dedup(&vec!["a"; copies], everything(), seed)));
            let value =
                |index: usize, name| reading.item(index).recipe.pointer(name).unwrap().as_f64().unwrap();
            for (name, range) in ranges {
                let mut values: Vec<f64> = (0..copies).map(|index| value(index, name)).collect();
                let gap = widest_gap(&mut values, range);
                // Speeds are on 16 points.
                assert!(gap <= 3.6 / copies as f64 + 1.0 / 15.0, "{name} of {copies}: {gap} in {values:?}");
            }
            let looks = reading.0.items.iter().map(|item| item.recipe["look"].to_string());
            let distinct: std::collections::BTreeSet<String> = looks.collect();
            assert_eq!(distinct.len(), copies.min(Look::all().len()));
        }
    }
}

#[test]
fn an_item_beyond_the_places_is_reproduced_by_its_seed() {
    let fixture = Fixture::new().clip("a", 1.0);
    for seed in [5, (1 << 52) + 5] {
        let all = PlanReader(fixture.plan(dedup(&["a"; 1025], everything(), seed)));
        for number in [1, 2, 1024, 1025] {
            let item = all.item(number - 1);
            assert_eq!(item.seed, item_seed(seed, number as u32));
            let alone = PlanReader(fixture.plan(dedup(&["a"], everything(), item.seed)));
            assert_eq!(
                (alone.item(0).seed, &alone.item(0).recipe),
                (item.seed, &item.recipe),
                "item {number}"
            );
        }
    }
}

fn mask(urls: &[&str], layer_count: u32) -> Option<Mask> {
    Some(Mask { urls: urls.iter().map(|url| (*url).to_owned()).collect(), layer_count, opacity_percent: 3.0 })
}

#[test]
fn a_bad_mask_fails_only_the_items_that_drew_it() {
    let options = DedupOptions { pic_mask: mask(&["good", "bad"], 1), ..unchanged() };
    let names = ["a", "a", "a", "a", "a", "a", "a", "a"];
    let plan = Fixture::new().clip("a", 1.0).clip("good", 1.0).bad("bad").plan(dedup(&names, options, 3));
    let reading = PlanReader(plan);
    let mut failed = 0;
    for index in 0..names.len() {
        let item = reading.item(index);
        match item.recipe["picMask"][0].as_u64() {
            Some(0) => assert_eq!(reading.frames(index), [30]),
            _ => {
                assert_eq!(item.outcome.as_ref().unwrap_err().input.as_deref(), Some("bad"));
                failed += 1;
            }
        }
    }
    assert!((1..8).contains(&failed), "{failed}");
}

#[test]
fn masks_are_sources_and_part_of_the_key() {
    let fixture = || Fixture::new().clip("a", 1.0).clip("m", 2.0).clip("n", 3.0).audio("noise", 1.0);
    let plan = |options| fixture().plan(dedup(&["a"], options, 1));
    let plain = plan(unchanged());
    let masked = plan(DedupOptions { video_mask: mask(&["m"], 2), ..unchanged() });
    let other = plan(DedupOptions { video_mask: mask(&["n"], 2), ..unchanged() });
    let hashes = [&plain, &masked, &other].map(|plan| plan.segments[0].key.clone());
    assert!(hashes[0] != hashes[1] && hashes[1] != hashes[2], "{hashes:?}");
    let urls = |plan: &clipmill_core::plan::Plan| -> Vec<String> {
        plan.segments[0].sources.iter().map(|source| source.url.clone()).collect()
    };
    assert_eq!((urls(&plain), urls(&masked)), (vec!["a".into()], vec!["a".into(), "m".into()]));
    assert_eq!(plain.segments[1].key, masked.segments[1].key, "the sound is the same");

    let pip = Some(Pip { padding_percent: 10.0, blurred: false, fill_url: Some("noise".into()) });
    let reading = PlanReader(plan(DedupOptions { pip, ..unchanged() }));
    assert_eq!(reading.error(0), (ErrorCode::MaskInvalid, Some("noise")));
}

/// A broken file is an error of the mask; a failed download may succeed later.
#[test]
fn an_unusable_mask_has_its_own_error_code() {
    let error = |code: ErrorCode, retryable: bool| {
        let mut fixture = Fixture::new().clip("a", 1.0);
        let error = TaskError { retryable, ..TaskError::new(code, Message::without_code("why")).input("m") };
        fixture.facts.media.insert("m".into(), Err(error));
        let masked = DedupOptions { video_mask: mask(&["m"], 1), ..unchanged() };
        let plan = fixture.plan(dedup(&["a"], masked, 1));
        let error = plan.items[0].outcome.as_ref().unwrap_err().clone();
        (error.code, error.retryable, error.message.english().to_owned())
    };
    for code in [ErrorCode::NotMedia, ErrorCode::MediaDamaged, ErrorCode::CodecNotAllowed] {
        assert_eq!(error(code, true), (ErrorCode::MaskInvalid, false, "why".to_owned()));
    }
    let unreachable = ErrorCode::DownloadFailed;
    assert_eq!(error(unreachable, true), (unreachable, true, "why".to_owned()));
}
