//! The files that planning requests, round by round.

use clipmill_core::error::ErrorCode;
use clipmill_core::plan::{InputKind, bad_inputs, needed_inputs};
use clipmill_core::request::model::{DedupOptions, DedupParams, Mask, Params, Pip, ProMixParams, SceneAudio};

use crate::dedup::unchanged;
use crate::fixture::*;

fn needed(fixture: &Fixture, params: &Params) -> Vec<String> {
    let inputs = needed_inputs(&request(params.clone()), params.seed().unwrap(), &fixture.facts);
    inputs.into_iter().map(|input| input.url).collect()
}

#[test]
fn every_file_is_requested_once_in_order_of_use() {
    let mut options = options();
    options.music = track("song", None, 0.0, 0.0);
    options.voice = track("voice", None, 0.0, 0.0);
    options.subtitle = subtitle("s.srt");
    let params = base(vec![group(&["a", "b", "a"]), group(&["c", "b"])], options);
    assert_eq!(needed(&Fixture::new(), &params), ["a", "b", "c", "voice", "song", "s.srt"]);
    assert_eq!(needed(&Fixture::new().clip("b", 1.0).bad("song"), &params), ["a", "c", "voice", "s.srt"]);
    let kinds = needed_inputs(&request(params), 1, &Fixture::new().facts);
    assert!(kinds.iter().all(|input| (input.url == "s.srt") == (input.kind == InputKind::Subtitle)));
}

#[test]
fn a_file_used_as_media_and_subtitle_is_requested_as_both() {
    let mut options = options();
    options.subtitle = subtitle("a");
    let inputs = needed_inputs(&request(base(vec![group(&["a"])], options)), 1, &Fixture::new().facts);
    assert_eq!(
        inputs.iter().map(|input| input.kind).collect::<Vec<_>>(),
        [InputKind::Media, InputKind::Subtitle]
    );
}

#[test]
fn only_drawn_resources_are_requested() {
    let names: Vec<String> = (0..50).map(|i| format!("c{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let params = Params::ProVideoMix(pro(vec![scene(1.0, &names), scene(1.0, &names)], 2));
    let first = needed(&Fixture::new(), &params);
    assert!((2..=4).contains(&first.len()), "{first:?}");

    // A bad clip is replaced by one that was not needed before; good ones stay.
    let fixture =
        first[1..].iter().fold(Fixture::new().bad(&first[0]), |fixture, name| fixture.clip(name, 2.0));
    let second = needed(&fixture, &params);
    assert!(second.iter().all(|name| !first.contains(name)), "{second:?}");
    let fixture = second.iter().fold(fixture, |fixture, name| fixture.clip(name, 2.0));
    let mut fixture = fixture;
    for _ in 0..5 {
        let more = needed(&fixture, &params);
        fixture = more.iter().fold(fixture, |fixture, name| fixture.clip(name, 2.0));
    }
    assert!(needed(&fixture, &params).is_empty());
    let reading = PlanReader(fixture.plan(params));
    assert!(reading.0.items.iter().all(|item| item.outcome.is_ok()));
    assert!((0..2).all(|index| !reading.sources(index).contains(&first[0].as_str())));
}

#[test]
fn the_rounds_end_if_every_file_is_bad() {
    let params = Params::ProVideoMix(pro(vec![scene(1.0, &["a", "b", "c"])], 2));
    let mut fixture = Fixture::new();
    let mut rounds = 0;
    loop {
        let more = needed(&fixture, &params);
        if more.is_empty() {
            break;
        }
        fixture = more.iter().fold(fixture, |fixture, name| fixture.bad(name));
        rounds += 1;
        assert!(rounds <= 3);
    }
    assert_eq!(fixture.facts.media.len(), 3);
    assert!(PlanReader(fixture.plan(params)).0.items.iter().all(|item| item.outcome.is_err()));
}

#[test]
fn manual_rows_and_scene_audio_are_requested() {
    let mut first = scene(1.0, &["a", "b"]);
    first.audio =
        vec![SceneAudio { url: "words".into(), duration_s: None, start_s: 0.0, volume_percent: 100 }];
    let params = ProMixParams { combinations: vec![vec![1]], ..pro(vec![first], 1) };
    assert_eq!(needed(&Fixture::new(), &Params::ProVideoMix(params)), ["b", "words"]);
}

fn bad(fixture: &Fixture, params: Params) -> Vec<String> {
    let errors = bad_inputs(&request(params), &fixture.facts);
    errors.into_iter().map(|error| format!("{} {}", error.input.unwrap(), error.code)).collect()
}

#[test]
fn every_unusable_file_is_listed_once() {
    let mut options = options();
    options.music = track("silent", None, 0.0, 0.0);
    options.voice = track("lost", None, 0.0, 0.0);
    let groups = vec![group(&["a", "song", "broken"]), group(&["song", "silent", "unseen"])];
    let params = base(groups, options);
    let fixture = Fixture::new().clip("a", 1.0).silent_clip("silent", 1.0).audio("song", 1.0);
    let fixture = fixture.bad("broken").bad("lost");
    assert_eq!(
        bad(&fixture, params.clone()),
        ["broken MEDIA_DAMAGED", "lost MEDIA_DAMAGED", "song NO_VIDEO_STREAM", "silent NOT_MEDIA"]
    );
    let good = Fixture::new().clip("a", 1.0).clip("silent", 1.0).clip("song", 1.0).clip("broken", 1.0);
    assert_eq!(bad(&good.clip("lost", 1.0), params), Vec::<String>::new());
}

#[test]
fn replaced_bad_resources_are_listed_too() {
    let mut first = scene(1.0, &["a", "b", "words"]);
    first.audio =
        vec![SceneAudio { url: "mute".into(), duration_s: None, start_s: 0.0, volume_percent: 100 }];
    let params = Params::ProVideoMix(pro(vec![first], 1));
    let fixture = Fixture::new().clip("a", 2.0).bad("b").audio("words", 1.0).silent_clip("mute", 1.0);
    assert_eq!(bad(&fixture, params), ["b MEDIA_DAMAGED", "words NO_VIDEO_STREAM", "mute NOT_MEDIA"]);
}

#[test]
fn an_items_error_lists_all_its_bad_clips() {
    let fixture = Fixture::new().clip("a", 1.0).bad("b").audio("c", 1.0);
    let message = |params: Params| match &PlanReader(fixture.plan(params)).item(0).outcome {
        Err(error) => (error.input.clone().unwrap(), error.message.english().to_owned()),
        Ok(_) => panic!("planned"),
    };
    let only_sound = "the file has audio but no video; give a video";
    let both = ("b".to_owned(), format!("broken; also c: {only_sound}"));
    assert_eq!(message(base(vec![group(&["a", "b", "c", "b"])], options())), both);
    let scenes = vec![scene(1.0, &["a"]), scene(1.0, &["b"]), scene(1.0, &["c"])];
    let manual = ProMixParams { combinations: vec![vec![0, 0, 0]], ..pro(scenes, 1) };
    assert_eq!(message(Params::ProVideoMix(manual)), both);
    assert_eq!(message(base(vec![group(&["c", "a"])], options())), ("c".to_owned(), only_sound.to_owned()));
}

#[test]
fn only_drawn_masks_are_requested() {
    let files: Vec<String> = (0..50).map(|i| format!("m{i}")).collect();
    let mask = |layer_count| Some(Mask { urls: files.clone(), layer_count, opacity_percent: 3.0 });
    let pip = Some(Pip { padding_percent: 10.0, blurred: true, fill_url: Some("fill".into()) });
    let options = DedupOptions { pic_mask: mask(3), pip, ..unchanged() };
    let params =
        Params::VideoDeduplication(DedupParams { videos: clips(&["a", "b"]), options, seed: Some(5) });
    let inputs = needed(&Fixture::new(), &params);
    assert_eq!(inputs[..2], ["a", "b"]);
    let plan = Fixture::new().clip("a", 1.0).clip("b", 1.0).plan(params);
    let indexes = plan.items.iter().flat_map(|item| item.recipe["picMask"].as_array().unwrap());
    let mut expected: Vec<String> = indexes.map(|index| format!("m{index}")).collect();
    assert_eq!(expected.len(), 6);
    expected.push("fill".into());
    expected.sort();
    expected.dedup();
    let mut rest = inputs[2..].to_vec();
    rest.sort();
    assert_eq!(rest, expected);
}

/// Files count by their content: the same one twice, or at two URLs, counts once.
#[test]
fn a_task_whose_files_are_too_large_in_total_is_rejected() {
    let mut fixture = Fixture::new().clip("a", 2.0).clip("b", 2.0);
    let check = |fixture: &Fixture, fails: bool| {
        let plan = fixture.plan(base(vec![group(&["a", "b", "a"]), group(&["b"])], options()));
        assert_eq!(plan.items.len(), 2);
        for item in &plan.items {
            let code = item.outcome.as_ref().err().map(|error| error.code);
            assert_eq!(code, fails.then_some(ErrorCode::MediaTooLarge));
        }
        assert_eq!(plan.segments.is_empty(), fails);
    };
    fixture.max_input_bytes = 2;
    check(&fixture, false);
    fixture.max_input_bytes = 1;
    check(&fixture, true);
}
