//! Estimates from declared lengths, compared with plans of files that have these lengths.

use clipmill_core::media::Facts;
use clipmill_core::plan::{Estimate, assumed_plan, distinct_combinations};
use clipmill_core::request::model::Params;
use clipmill_core::request::{Policy, parse};
use serde_json::{Value, json};

use crate::fixture::*;

fn check(body: Value, seconds: f64, segments: u64, combinations: Option<u64>) {
    let request = parse(body.to_string().as_bytes(), &Policy::default()).unwrap().request;
    let estimate = Estimate::of(&assumed_plan(&request, 1, Facts::default(), 3600, &|| true));
    assert_eq!(estimate.unique_segments, segments, "{body}");
    assert!((estimate.output_seconds - seconds).abs() < 0.05, "{estimate:?}: {body}");
    assert_eq!(distinct_combinations(&request, &Facts::default()), combinations);
}

fn url(name: &str) -> String {
    format!("https://x.example/{name}.mp4")
}

#[test]
fn groups_that_share_clips_share_segments() {
    let clip = |name: &str, seconds: f64| json!({ "url": url(name), "duration": seconds });
    let groups = json!([
        { "videos": [clip("a", 3.0), clip("b", 4.0)] },
        { "videos": [clip("b", 4.0), clip("a", 3.0)] },
        { "videos": [clip("a", 3.0), { "url": url("c") }], "totalDuration": 10 },
    ]);
    let body = json!({ "taskType": "baseVideoMix", "params": { "videoList": groups } });
    // The second clip of the last group is trimmed, from its assumed 15 s, to the rest of the 10 s.
    check(body, 7.0 + 7.0 + 10.0, 3, None);
}

#[test]
fn scenes_have_their_declared_lengths() {
    let scene = |key: &str, count: usize| {
        let resources: Vec<Value> =
            (0..count).map(|i| json!({ "url": url(&format!("{key}{i}")), "duration": 5 })).collect();
        json!({ "sceneKey": key, "sceneName": key, "duration": 2, "resources": resources })
    };
    let params = json!({
        "scenes": [scene("x", 2), scene("y", 3)], "audioMode": "split", "generateCount": 3,
        "options": { "subtitle": { "url": "https://x.example/s.srt" } },
    });
    let body = json!({ "taskType": "proVideoMix", "params": params });
    check(body, 12.0, 5, Some(6));
}

#[test]
fn a_varied_copy_is_as_long_as_its_speed_makes_it() {
    let options = json!({ "speed": { "isSpeed": true, "start": 2, "end": 2 } });
    let videos = json!([{ "filename": url("a"), "duration": 10 }, { "filename": url("a"), "duration": 10 }]);
    let body =
        json!({ "taskType": "videoDeduplication", "params": { "videoList": videos, "options": options } });
    check(body, 10.0, 1, None);
}

/// With a logo, segments are shared as before. A different text for each output prevents sharing while it is shown.
#[test]
fn overlays_are_counted_without_their_files() {
    let clip = |name: &str| json!({ "url": url(name), "duration": 3 });
    let body = |overlays: Value| {
        let groups = json!([{ "videos": [clip("a"), clip("b")] }, { "videos": [clip("b"), clip("a")] }]);
        let options = json!({ "overlays": overlays });
        json!({ "taskType": "baseVideoMix", "params": { "videoList": groups, "options": options } })
    };
    let logo = json!({ "type": "image", "url": "https://x.example/logo" });
    let texts = |end: Value| json!({ "type": "text", "texts": ["one", "two 😀"], "end": end });
    check(body(json!([logo])), 12.0, 2, None);
    check(
        body(json!([logo, { "type": "text", "text": "all", "style": { "font": "noto-serif-kr" } }])),
        12.0,
        2,
        None,
    );
    check(body(json!([texts(json!(null))])), 12.0, 4, None);
    check(body(json!([texts(json!(2))])), 12.0, 4, None);
    check(body(json!([logo, texts(json!(86_400))])), 12.0, 4, None);
    let request = parse(body(json!([logo])).to_string().as_bytes(), &Policy::default()).unwrap().request;
    let plan = assumed_plan(&request, 1, Facts::default(), 3600, &|| true);
    assert!(plan.warnings.is_empty() && plan.items.iter().all(|item| item.warnings.is_empty()));
}

#[test]
fn without_outputs_the_length_is_a_positive_zero() {
    let plan = Fixture::new().bad("a").plan(Params::ProVideoMix(pro(vec![scene(3.0, &["a"])], 1)));
    assert!(plan.items[0].outcome.is_err());
    let seconds = Estimate::of(&plan).output_seconds;
    assert!(seconds == 0.0 && seconds.is_sign_positive(), "{seconds:?}");
}

/// An estimate costs as much for hours as for seconds, and counts the same parts as the plan.
#[test]
fn parts_are_counted_without_being_planned() {
    for (seconds, parts) in [(40, 1), (100, 2), (3_600, 60)] {
        let body = json!({ "taskType": "videoDeduplication", "params": {
            "videoList": [{ "filename": url("a"), "duration": seconds }, { "filename": url("b"), "duration": seconds }],
            "options": {} } });
        let request = parse(body.to_string().as_bytes(), &Policy::default()).unwrap().request;
        let plan = assumed_plan(&request, 1, Facts::default(), 3600, &|| true);
        assert_eq!(Estimate::of(&plan).unique_segments, 2);
        assert_eq!(Estimate::in_parts(&plan, 60).unique_segments, 2 * parts, "{seconds} s");
    }
}

#[test]
fn an_unwanted_plan_ends_early() {
    let clip = json!({ "url": url("a"), "duration": 4 });
    let groups: Vec<Value> = (0..20).map(|_| json!({ "videos": [clip] })).collect();
    for params in [
        json!(["videoDeduplication", { "videoList": vec![json!({ "filename": url("a"), "duration": 4 }); 20], "options": {} }]),
        json!(["baseVideoMix", { "videoList": groups, "options": {} }]),
        json!(["proVideoMix", { "scenes": [{ "sceneKey": "x", "sceneName": "x", "duration": 2, "resources": vec![clip; 20] }],
            "audioMode": "split", "generateCount": 5, "options": {} }]),
    ] {
        let body = json!({ "taskType": params[0], "params": params[1] });
        let request = parse(body.to_string().as_bytes(), &Policy::default()).unwrap().request;
        let calls = std::cell::Cell::new(0);
        let is_wanted = || calls.replace(calls.get() + 1) < 3;
        assert_eq!(assumed_plan(&request, 1, Facts::default(), 3600, &is_wanted).items.len(), 3, "{body}");
    }
}
