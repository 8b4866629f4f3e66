//! Rules between fields.

use serde_json::json;

use super::super::form::Form;
use super::super::model::{self, DedupOptions};
use super::super::reader::Node;
use super::super::report::Report;
use super::*;

#[test]
fn all_errors_are_reported_at_once() {
    let body = json!({
        "taskType": "proVideoMix",
        "callbackUrl": "ftp://x",
        "params": {
            "scenes": [
                {"sceneName": "a", "duration": "3", "resources": [{"url": "file:///x"}, {}]},
                {"sceneKey": "b", "sceneName": "b", "duration": 2, "resources": []}
            ],
            "audioMode": "both",
            "generateCount": 9,
            "options": {"fps": 24, "isShortes": true, "audio": {"volume": 101}}
        }
    });
    let paths: Vec<_> = refused(&body).into_iter().map(|error| error.path).collect();
    let expected = [
        "/callbackUrl",
        "/params/scenes/0/sceneKey",
        "/params/scenes/0/duration",
        "/params/scenes/0/resources/0/url",
        "/params/scenes/0/resources/1/url",
        "/params/scenes/1/resources",
        "/params/audioMode",
        "/params/generateCount",
        "/params/options/fps",
        "/params/options/audio/volume",
        "/params/options/isShortes",
    ];
    assert_eq!(paths, expected);
}

#[test]
fn an_error_has_the_value_and_the_allowed_values() {
    let check = |pointer: &str, value: Value, message: &str, got: Value, allowed: &str| {
        let actual = refused(&with(&bodies::dedup(), pointer, value));
        let [error] = actual.as_slice() else { panic!("{actual:?}") };
        assert_eq!(error.message, message);
        assert_eq!((error.got.as_ref(), error.allowed.as_deref()), (Some(&got), Some(allowed)));
    };
    let speed = "/params/options/speed/end";
    let range = "must be between 0.5 and 2.0 in steps of 0.1";
    check(speed, json!(2.1), range, json!(2.1), "0.5..2.0 step 0.1");
    check(speed, json!("1.5"), "must be a number", json!("1.5"), "0.5..2.0 step 0.1");
    check("/params/options/fps", json!(24), "must be one of 25, 30, 50, 60", json!(24), "25, 30, 50, 60");
    check(
        "/params/options/isMirror",
        json!([1, 2]),
        "must be true or false",
        json!("an array of 2 entries"),
        "true, false",
    );
    let long = "x".repeat(300);
    let cut = format!("{}…", "x".repeat(100));
    check(
        "/clientTaskId",
        json!(long),
        "has 300 characters; at most 128 are allowed",
        json!(cut),
        "a string of at most 128 characters",
    );
    check(
        "/params/videoList/0/duration",
        json!(0),
        "must be above 0 and at most 86400",
        json!(0),
        "above 0, at most 86400",
    );
    let actual = refused(&without(&bodies::dedup(), "/params/videoList"));
    assert_eq!((actual[0].message.english(), &actual[0].got), ("is required", &None));
}

/// A pair of bounds with its switch, as `[lower, upper]` of the normal form.
fn bounds(option: &str, members: Value) -> Result<[f64; 2], Vec<String>> {
    let body = with(&bodies::dedup(), &format!("/params/options/{option}"), members);
    match submit(&body) {
        Ok(accepted) => {
            let Params::VideoDeduplication(params) = accepted.request.params else { panic!() };
            let options = params.options;
            let span = match option {
                "speed" => options.speed,
                "zoom" => options.zoom,
                "frameExtraction" => options.frame_extraction,
                "rotation" => options.rotation.map(|rotation| rotation.angle),
                _ => options.colour_mixing.map(|mixing| mixing.gamma),
            };
            Ok(span.map_or([f64::NAN; 2], |span| [span.min, span.max]))
        }
        Err(_) => Err(errors(&body)),
    }
}

#[test]
fn a_default_that_would_cross_the_given_bound_takes_its_value() {
    let check = |option: &str, members: Value, expected: [f64; 2]| {
        assert_eq!(bounds(option, members.clone()), Ok(expected), "{option} {members}");
    };
    check("speed", json!({"isSpeed": true}), [1.0, 1.5]);
    check("speed", json!({"isSpeed": true, "start": 1.8}), [1.8, 1.8]);
    check("speed", json!({"isSpeed": true, "end": 0.7}), [0.7, 0.7]);
    check("speed", json!({"isSpeed": true, "start": 1.2, "end": 1.2}), [1.2, 1.2]);
    check("speed", json!({"isSpeed": true, "end": null, "start": ""}), [1.0, 1.5]);
    check("zoom", json!({"isZoom": true, "minScale": 1.7}), [1.7, 1.7]);
    check("frameExtraction", json!({"isExtract": true, "start": 27.5}), [27.5, 30.0]);
    check("rotation", json!({"isRotate": true, "minAngle": 90}), [90.0, 90.0]);
    check("colourMixing", json!({"isMixing": true, "gammaMax": 0.2}), [0.2, 0.2]);
    // Binary fractions that are off the step by less than a millionth are rounded to it, also at the limits.
    check(
        "speed",
        json!({"isSpeed": true, "start": 0.7000000000000001, "end": 2.0000000000000004}),
        [0.7, 2.0],
    );
}

#[test]
fn bounds_in_the_wrong_order_are_an_error_only_where_they_are_used() {
    let on = |option: &str, switch: &str, low: (&str, f64), high: (&str, f64)| {
        let members = json!({switch: true, low.0: low.1, high.0: high.1});
        let expected = format!(
            "/params/options/{option}/{}: must not be above `{}`, which is {}",
            low.0, high.0, high.1
        );
        assert_eq!(bounds(option, members), Err(vec![expected]));
        for off in [json!(false), json!(null)] {
            let members = json!({switch: off, low.0: low.1, high.0: high.1});
            assert!(bounds(option, members).is_ok(), "{option} switched off");
        }
    };
    on("speed", "isSpeed", ("start", 1.6), ("end", 1.5));
    on("frameExtraction", "isExtract", ("start", 30.0), ("end", 25.0));
    on("rotation", "isRotate", ("minAngle", 3.0), ("maxAngle", 2.5));
    on("zoom", "isZoom", ("minScale", 2.0), ("maxScale", 1.0));
    on("colourMixing", "isMixing", ("brightnessMin", 0.2), ("brightnessMax", -0.2));
    on("colourMixing", "isMixing", ("contrastMin", 1.0), ("contrastMax", 0.9));
    on("colourMixing", "isMixing", ("saturationMin", 3.0), ("saturationMax", 0.0));
    on("colourMixing", "isMixing", ("gammaMin", 10.0), ("gammaMax", 0.1));
}

#[test]
fn options_without_their_file_are_skipped_with_a_warning() {
    let check = |body: &Value, pointer: &str, value: Value, warning: &str| {
        let body = with(body, pointer, value);
        let expected: Vec<_> =
            Some(warning).filter(|w| !w.is_empty()).map(|w| format!("{pointer}: {w}")).into_iter().collect();
        assert_eq!(warnings(&body), expected, "{pointer}");
        let absent = accepted(&with(&body, pointer, json!(null))).request;
        assert_eq!(accepted(&body).request, absent);
    };
    let base = bodies::base();
    let no_url = "has no `url` and is skipped";
    let silent = "has a `duration` of 0, so it is inaudible and is skipped";
    check(&base, "/params/options/backgroundMusic", json!({}), no_url);
    let no_source = "has no `url` or `text` and is skipped";
    check(&base, "/params/options/audio", json!({"url": "", "volume": 3}), no_source);
    check(&base, "/params/options/audio", json!({"url": "https://x.example/", "duration": 0}), silent);
    check(
        &base,
        "/params/options/subtitle",
        json!({"style": {"bottom": 3}}),
        "has no `url`, `text`, `cues` or `from`; no subtitles are shown",
    );
    check(&base, "/params/options/subtitle", json!(""), "");
    let highlight = "/params/options/subtitle/style/highlight";
    check(&base, highlight, json!({}), "has no `color`, `box` or `scale`; no words are highlighted");
    let mut dedup = bodies::dedup();
    dedup["params"]["options"]["effect"] = json!(null);
    let effect = "/params/options/effect";
    check(&dedup, effect, json!({"trans": 3}), "has no `value`; no effect is applied");
    check(
        &dedup,
        effect,
        json!({"value": "dream", "duration": 0}),
        "has a `duration` of 0; no effect is applied",
    );
    let mask = json!({"isMask": true, "layerCount": 0, "picFiles": ["https://x.example/m.png"]});
    check(&dedup, "/params/options/picMask", mask, "has a `layerCount` of 0; no mask is applied");
    let mut pro = bodies::pro();
    pro["params"]["scenes"][0]["audioResources"] = json!([{"startTime": 1}, {"url": "https://x.example/"}]);
    assert_eq!(warnings(&pro), ["/params/scenes/0/audioResources/0: has no `url` or `text` and is skipped"]);
}

#[test]
fn ranges_are_checked_in_skipped_objects() {
    let body = with(&bodies::base(), "/params/options/audio", json!({"volume": 101}));
    assert_eq!(errors(&body), ["/params/options/audio/volume: must be between 0 and 100"]);
    let body = with(&bodies::base(), "/params/options/subtitle", json!({"style": {"fontSize": 9}}));
    assert_eq!(errors(&body), ["/params/options/subtitle/style/fontSize: must be between 10 and 18"]);
}

#[test]
fn ducking_and_loudness_are_read_in_both_mixes() {
    for body in [bodies::base(), bodies::pro()] {
        let read = |option: &str, value: Value| {
            let accepted = accepted(&with(&body, &format!("/params/options/{option}"), value));
            let options = accepted.request.params.mix_options().unwrap();
            (options.ducking, options.loudness_lufs)
        };
        assert_eq!(read("ducking", json!(true)), (true, None));
        assert_eq!(read("ducking", json!(null)), (false, None));
        assert_eq!(read("loudness", json!(-14)), (false, Some(-14.0)));
        assert_eq!(read("loudness", json!("")), (false, None));
        for value in [json!(-41), json!(-4.9), json!("-14")] {
            let actual = refused(&with(&body, "/params/options/loudness", value));
            assert_eq!(actual[0].allowed.as_deref(), Some("-40..-5"));
        }
    }
}

#[test]
fn ducking_without_music_gives_a_warning() {
    let body = with(&bodies::base(), "/params/options/ducking", json!(true));
    let remarks = |body: &Value| accepted(body).warnings.len();
    assert_eq!(remarks(&body), remarks(&bodies::base()));
    let alone = with(&body, "/params/options/backgroundMusic", json!(null));
    assert!(
        accepted(&alone).warnings.iter().any(|warning| warning.message.contains("but no `backgroundMusic`"))
    );
}

/// Reads `options` of videoDeduplication; returns the findings as `path: message`.
fn read(options: Value) -> (DedupOptions, Vec<String>) {
    let policy = Policy::default();
    let mut report = Report::new(&policy);
    let shape =
        schema::shape(TaskType::VideoDeduplication).member("params").and_then(|at| at.member("options"));
    let node = Node { shape, ..Node::root(&options, &mut report) };
    let result = node.object(DedupOptions::read_fields).flatten().unwrap();
    let (errors, _) = report.findings();
    (result, errors.into_iter().map(|error| format!("{}: {}", error.path, error.message)).collect())
}

#[test]
fn masks_effects_and_pip_have_their_defaults() {
    let mask = |value: Value| {
        let (options, errors) = read(json!({ "picMask": value }));
        (options.pic_mask, errors)
    };
    let url = "https://x.example/m.png".to_owned();
    let (found, _) = mask(json!({"isMask": true, "picFiles": [url]}));
    assert_eq!(found, Some(model::Mask { urls: vec![url], layer_count: 1, opacity_percent: 3.0 }));
    assert_eq!(mask(json!({"isMask": false, "picFiles": ["file:///x"]})), (None, vec![]));
    let error = |value: Value| mask(value).1.remove(0);
    assert_eq!(error(json!({"isMask": true})), "/picMask/picFiles: is required");
    assert_eq!(
        error(json!({"isMask": true, "picFiles": []})),
        "/picMask/picFiles: must have at least one entry"
    );
    assert_eq!(error(json!({"isMask": true, "picFiles": [null]})), "/picMask/picFiles/0: must not be empty");
    let scheme = error(json!({"isMask": true, "picFiles": ["file:///x"]}));
    assert!(scheme.starts_with("/picMask/picFiles/0: must be"), "{scheme}");

    let name = "dream".to_owned();
    let expected = model::Effect { name, strength_percent: 3.0, duration_s: 0.5, position_percent: 0.0 };
    assert_eq!(read(json!({"effect": {"value": "dream"}})).0.effect, Some(expected));

    let pip = |value: Value| read(json!({ "PIP": value })).0.pip;
    let expected = model::Pip { padding_percent: 10.0, blurred: true, fill_url: None };
    assert_eq!(pip(json!({"isPIP": true})), Some(expected));
    let expected = model::Pip { padding_percent: 80.0, blurred: false, fill_url: None };
    assert_eq!(pip(json!({"isPIP": true, "fillMode": 1, "padding": 80})), Some(expected));
}

#[test]
fn an_unknown_font_is_rejected_with_a_suggestion() {
    let body = with(&bodies::base(), "/params/options/subtitle/style/font", json!("noto-serif-cs"));
    let actual = errors(&body);
    assert!(actual.len() == 1 && actual[0].contains("noto-serif-kr"), "{actual:?}");
    assert!(actual[0].ends_with("did you mean `noto-serif-sc`?"), "{actual:?}");
}

#[test]
fn an_unknown_effect_is_rejected_with_suggestions() {
    let check = |name: &str, near: &str| {
        let (found, errors) = read(json!({"effect": {"value": name}}));
        assert_eq!(found.effect, None);
        assert_eq!(errors, [format!("/effect/value: unknown effect{near}")]);
    };
    check("Dream", "; did you mean `dream`?");
    check("filmGrain", "; did you mean `film-grain`?");
    check("LENS FLARE", "; did you mean `lens-flare`?");
    check("glich", "; did you mean `glitch`?");
    check("lens", "; did you mean `lens-blur`, `lens-flare`?");
    check("rian", "; did you mean `rain`?");
    check("wobbling jelly", "");
    check("   ", "");
    let body = with(&bodies::dedup(), "/params/options/effect", json!({"value": "glich"}));
    let allowed = refused(&body)[0].allowed.clone().unwrap();
    assert!(allowed.contains("glitch, ") && allowed.split(", ").count() >= 20, "{allowed}");
}

#[test]
fn lists_have_a_minimum_and_a_maximum() {
    let check = |body: &Value, pointer: &str, entry: &str, max: usize| {
        let entry = body.pointer(entry).unwrap();
        accepted(&distinct(&with(body, pointer, json!(vec![entry; max]))));
        let actual = errors(&distinct(&with(body, pointer, json!(vec![entry; max + 1]))));
        assert_eq!(actual, [format!("{pointer}: has {} entries; at most {max} are allowed", max + 1)]);
        assert_eq!(
            errors(&with(body, pointer, json!([]))),
            [format!("{pointer}: must have at least one entry")]
        );
    };
    check(&bodies::dedup(), "/params/videoList", "/params/videoList/0", 1000);
    check(&bodies::base(), "/params/videoList", "/params/videoList/0", 100);
    check(&bodies::base(), "/params/videoList/0/videos", "/params/videoList/0/videos/0", 100);
    let pro = with(&bodies::pro(), "/params/combinations", json!(null));
    check(&pro, "/params/scenes", "/params/scenes/1", 100);
    check(&pro, "/params/scenes/0/resources", "/params/scenes/0/resources/0", 100);
}

/// `body` with different scene keys.
fn distinct(body: &Value) -> Value {
    let mut body = body.clone();
    for (index, scene) in body["params"]["scenes"].as_array_mut().into_iter().flatten().enumerate() {
        scene["sceneKey"] = json!(index.to_string());
    }
    body
}

#[test]
fn entries_are_objects_and_groups_have_videos() {
    let body = with(&bodies::base(), "/params/videoList", json!([{}, 5, null, {"videos": ["x"]}]));
    assert_eq!(
        errors(&body),
        [
            "/params/videoList/0/videos: is required",
            "/params/videoList/1: must be an object",
            "/params/videoList/2: must not be empty",
            "/params/videoList/3/videos/0: must be an object",
        ]
    );
}

#[test]
fn combinations_fit_the_scenes() {
    let check = |combinations: Value, expected: &[&str]| {
        let body = with(&bodies::pro(), "/params/combinations", combinations);
        assert_eq!(errors(&body), expected);
    };
    let at = |text: &str| format!("/params/combinations{text}");
    check(json!([[0, 0], [0, 2]]), &[&at("/1/1: must be between 0 and 1")]);
    check(json!([[-1, 1.5]]), &[&at("/0/0: must be between 0 and 2"), &at("/0/1: must be a whole number")]);
    check(
        json!([[0]]),
        &[&at("/0: has 1 index, but the request has 2 scenes: give one index for each scene")],
    );
    check(
        json!([[0, 0, 0]]),
        &[&at("/0: has 3 indexes, but the request has 2 scenes: give one index for each scene")],
    );
    check(
        json!([[]]),
        &[&at("/0: has 0 indexes, but the request has 2 scenes: give one index for each scene")],
    );
    check(json!([[0, null], 5]), &[&at("/0/1: must not be empty"), &at("/1: must be an array")]);
    check(json!([[2, 1], [0, 1], [2.0, 1]]), &[&at("/2: is the same combination as /params/combinations/0")]);
    let rows = json!([[0, 0], [0, 1], [1, 0], [1, 1]]);
    check(rows, &[&at(": has 4 entries; at most 3 are allowed")]);
    for none in [json!(null), json!([]), json!("")] {
        accepted(&with(&bodies::pro(), "/params/combinations", none));
    }
}

#[test]
fn combinations_are_not_checked_against_invalid_scenes() {
    let body = with(&bodies::pro(), "/params/scenes/0", json!(null));
    assert_eq!(errors(&body), ["/params/scenes/0: must not be empty"]);
    let body = with(&bodies::pro(), "/params/scenes/0", json!(7));
    assert_eq!(errors(&body), ["/params/scenes/0: must be an object"]);
    let body = with(&bodies::pro(), "/params/scenes", json!(7));
    assert_eq!(errors(&body), ["/params/scenes: must be an array"]);
}

#[test]
fn there_must_be_as_many_combinations_as_videos() {
    let mut body = with(&bodies::pro(), "/params/combinations", json!(null));
    body["params"]["scenes"][0]["resources"].as_array_mut().unwrap().truncate(1);
    assert_eq!(
        errors(&body),
        ["/params/generateCount: there are only 2 distinct combinations of the scenes' resources; \
          request fewer videos or add resources"]
    );
    accepted(&with(&body, "/params/generateCount", json!(2)));
}

#[test]
fn scenes_have_keys_of_their_own_and_fit_the_longest_output() {
    let body = with(&bodies::pro(), "/params/scenes/1/sceneKey", json!("s1"));
    assert_eq!(
        errors(&body),
        ["/params/scenes/1/sceneKey: is also the key of /params/scenes/0; every scene needs its own"]
    );
    let body = with(&bodies::pro(), "/params/scenes/0/duration", json!(3596.25));
    assert_eq!(
        errors(&body),
        ["/params/scenes: last 3600.25 seconds in total; the maximum length of an output is 3600 seconds"]
    );
}

#[test]
fn an_installation_may_lower_the_limits() {
    let policy = Policy { max_videos: 2, max_item_seconds: 5.0, ..Policy::default() };
    let check = |body: &Value, path: &str| {
        let Err(RequestError::Invalid { errors, .. }) = parse(body.to_string().as_bytes(), &policy) else {
            panic!("{path}")
        };
        assert_eq!(errors.iter().map(|error| error.path.as_str()).collect::<Vec<_>>(), [path]);
    };
    let video = bodies::dedup()["params"]["videoList"][0].clone();
    check(&with(&bodies::dedup(), "/params/videoList", json!([video, video, video])), "/params/videoList");
    check(&bodies::base(), "/params/videoList/0/totalDuration");
    check(&bodies::pro(), "/params/scenes");
}

#[test]
fn the_number_of_reported_errors_is_bounded() {
    let videos =
        json!(vec![json!({"url": 1, "duration": "x", "isOn": 1, "dur": [], "sceneName": 5, "urll": 1}); 100]);
    let mut body = bodies::base();
    body["params"]["videoList"] = json!(vec![json!({"videos": videos}); 100]);
    // The limit is more than a request with one mistake in every field of every clip needs.
    assert!((30_000..=50_001).contains(&refused(&body).len()));
}
