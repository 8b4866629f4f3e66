//! Estimates of prices before any file is probed.

use clipmill_core::media::{Size, VideoInfo};
use clipmill_core::plan::estimate_prices;
use clipmill_core::pricing::PriceList;
use clipmill_core::request::model::*;
use clipmill_core::seed::item_seed;

use crate::fixture::*;

fn prices(params: Params) -> Vec<u64> {
    prices_knowing(&Fixture::new(), params)
}

/// The estimate if the files of a fixture are already known.
fn prices_knowing(fixture: &Fixture, params: Params) -> Vec<u64> {
    let seed = params.seed().unwrap();
    let quotes = estimate_prices(&request(params), seed, &fixture.facts, &PriceList::default());
    assert!((1..).zip(&quotes).all(|(item_no, quote)| quote.seed == item_seed(seed, item_no)));
    quotes.into_iter().map(|quote| quote.points).collect()
}

/// A group of clips of the declared lengths.
fn declared(lengths: &[Option<f64>], total_duration_s: Option<f64>) -> Group {
    let videos =
        lengths.iter().map(|&duration_s| Clip { url: "a".into(), duration_s, ..Clip::default() }).collect();
    Group { videos, total_duration_s }
}

#[test]
fn a_mix_costs_its_declared_length_by_started_seconds() {
    let price = |is_shortest, group| prices(base(vec![group], MixOptions { is_shortest, ..options() }))[0];
    let (five, three) = (Some(5.0), Some(3.2));
    assert_eq!(price(false, declared(&[five, three], None)), 9);
    assert_eq!(price(true, declared(&[five, three], None)), 7);
    assert_eq!(price(false, declared(&[five, three], Some(6.0))), 6);
    assert_eq!(price(false, declared(&[five, three], Some(60.0))), 9);
    assert_eq!(price(false, declared(&[five, None], None)), 20, "an unknown clip counts 15 s");
    assert_eq!(price(false, declared(&[five, None], Some(7.5))), 8);
}

#[test]
fn the_size_sets_the_rate() {
    let price = |w, h| {
        prices(base(vec![declared(&[Some(10.0)], None)], MixOptions { size: Size::new(w, h), ..options() }))
    };
    assert_eq!([price(720, 1280), price(1280, 720)], [[10], [10]]);
    assert_eq!([price(1080, 1920), price(1920, 1080)], [[20], [20]]);
}

#[test]
fn a_pro_mix_costs_its_scenes_or_their_shortest() {
    let price = |is_shortest| {
        let mut scenes = vec![scene(4.0, &["a"]), scene(6.0, &["b"])];
        scenes[0].resources[0].duration_s = Some(2.5);
        let mut params = pro(scenes, 1);
        params.options.is_shortest = is_shortest;
        prices(Params::ProVideoMix(params))
    };
    assert_eq!(price(false), [10]);
    assert_eq!(price(true), [5]);
    let five = pro(vec![scene(1.5, &["a", "b", "c"]), scene(1.0, &["d", "e"])], 5);
    assert_eq!(prices(Params::ProVideoMix(five)), [3; 5]);
}

#[test]
fn a_deduplication_counts_as_1080_and_at_its_drawn_speed() {
    let with_speed = |speed: Option<(f64, f64)>, lengths: &[Option<f64>]| {
        let options =
            DedupOptions { speed: speed.map(|(min, max)| Span { min, max }), ..crate::dedup::unchanged() };
        let videos = lengths
            .iter()
            .map(|&duration_s| Clip { url: "a".into(), duration_s, ..Clip::default() })
            .collect();
        prices(Params::VideoDeduplication(DedupParams { videos, options, seed: Some(3) }))
    };
    assert_eq!(with_speed(None, &[Some(4.1), None]), [10, 30]);
    assert_eq!(with_speed(Some((2.0, 2.0)), &[Some(4.0)]), [4]);
    assert_eq!(with_speed(Some((0.5, 0.5)), &[Some(4.0)]), [16]);
    // The drawn speed is the one that will be rendered.
    let price = with_speed(Some((0.5, 2.0)), &[Some(10.0)])[0];
    let options = DedupOptions { speed: Some(Span { min: 0.5, max: 2.0 }), ..crate::dedup::unchanged() };
    let params = DedupParams { videos: clips(&["a"]), options, seed: Some(3) };
    let plan = Fixture::new().clip("a", 10.0).plan(Params::VideoDeduplication(params));
    let frames = PlanReader(plan).rendition(0).frames;
    assert_eq!(price, frames.started_seconds(fps(30)) * 2);
}

/// Whatever the declared lengths, a task of known files is priced as it will be when they are planned.
#[test]
fn known_files_are_priced_by_their_actual_length() {
    let small = VideoInfo { coded: Size::new(320, 240), ..video(7.3) };
    let large = VideoInfo { coded: Size::new(3840, 2160), ..video(3.3) };
    let fixture =
        Fixture::new().file("small", Some(small), None).file("large", Some(large), None).clip("a", 4.1);
    let clip = |url: &str| Clip { url: url.into(), duration_s: Some(100.0), ..Clip::default() };
    let clips = || ["small", "large", "a"].map(clip).to_vec();
    let speed = Some(Span { min: 0.5, max: 2.0 });
    let fast = DedupOptions { speed, ..crate::dedup::unchanged() };
    let dedup = |options| Params::VideoDeduplication(DedupParams { videos: clips(), options, seed: Some(3) });
    let mix = |is_shortest, total_duration_s| {
        base(vec![Group { videos: clips(), total_duration_s }], MixOptions { is_shortest, ..options() })
    };
    let scenes = |is_shortest| {
        let mut params = pro(vec![scene(6.0, &["small", "large"]), scene(5.0, &["a", "large"])], 3);
        params
            .scenes
            .iter_mut()
            .flat_map(|scene| &mut scene.resources)
            .for_each(|clip| clip.duration_s = Some(1.0));
        params.options.is_shortest = is_shortest;
        Params::ProVideoMix(params)
    };
    for params in [
        dedup(crate::dedup::unchanged()),
        dedup(fast),
        mix(false, None),
        mix(true, None),
        mix(false, Some(9.5)),
        mix(false, Some(300.0)),
        scenes(false),
        scenes(true),
    ] {
        let plan = PlanReader(fixture.plan(params.clone()));
        let prices: Vec<u64> = prices_knowing(&fixture, params.clone());
        for (item, price) in prices.into_iter().enumerate() {
            let planned = plan.rendition(item);
            let real = PriceList::default().points(planned.extent());
            assert_eq!(price, real, "item {item} of {params:?}");
        }
    }
}

/// Files that are unknown, or known not to be videos, are priced by their declared lengths.
#[test]
fn unknown_files_are_priced_as_declared() {
    let fixture = Fixture::new().clip("a", 4.0).audio("sound", 50.0).bad("bad");
    let videos = ["a", "sound", "bad", "other"].map(|url| Clip {
        url: url.into(),
        duration_s: Some(10.0),
        ..Clip::default()
    });
    let (videos, options) = (videos.to_vec(), crate::dedup::unchanged());
    let group = Group { videos: videos.clone(), total_duration_s: None };
    let dedup = Params::VideoDeduplication(DedupParams { videos, options, seed: Some(3) });
    assert_eq!(prices_knowing(&fixture, dedup), [4, 20, 20, 20]);
    assert_eq!(prices_knowing(&fixture, base(vec![group], crate::fixture::options())), [34]);
}
