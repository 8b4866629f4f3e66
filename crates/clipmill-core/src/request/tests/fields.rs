//! Every field at its minimum, maximum, just outside, with a wrong type, absent and null.

use serde_json::{Value, json};

use super::*;

use super::schema::Kind::*;
use super::schema::{Field, Kind, fields};

/// Rows that this test cannot try one by one and that have tests of their own: entries of lists, and values that depend
/// on others.
const APART: &[&str] = &[
    "/params/videoList/0/duration",
    "/params/scenes/0/duration",
    "/params/videoList/0/videos/0/layout",
    "/params/videoList/0/videos/0/second",
    "/params/videoList/0/videos/0/second/url",
    "/params/generateCount",
    "/params/combinations/0",
    "/params/combinations/0/0",
    "/params/options/effect/value",
    "/params/options/effects/0/value",
    "/params/options/overlays/0/url",
    "/params/options/overlays/0/text",
    "/params/options/voicePool/0/audio/url",
    "/params/options/voicePool/0/subtitle/url",
    "/params/options/picMask/picFiles",
    "/params/options/picMask/picFiles/0",
    "/params/options/videoMask/videoFiles",
    "/params/options/videoMask/videoFiles/0",
];

#[test]
fn every_field_of_deduplication() {
    let on = whole(TaskType::VideoDeduplication, &bodies::dedup(), false);
    check_all(TaskType::VideoDeduplication, false, &on, &switched_off(&on));
}

#[test]
fn every_field_of_the_basic_mix() {
    for pooled in [false, true] {
        let body = whole(TaskType::BaseVideoMix, &bodies::base(), pooled);
        check_all(TaskType::BaseVideoMix, pooled, &body, &body);
    }
}

#[test]
fn every_field_of_the_professional_mix() {
    for pooled in [false, true] {
        let body = whole(TaskType::ProVideoMix, &bodies::pro(), pooled);
        check_all(TaskType::ProVideoMix, pooled, &body, &body);
    }
    let index = row("/params/combinations/0/0", Integer(0, 2));
    check(&bodies::pro(), &bodies::pro(), &index);
}

/// Whether it is the start or the end of a clip's excerpt, which depend on each other.
fn is_end(field: &Field) -> bool {
    let is_end = ["/from", "/to"].iter().any(|end| field.pointer.ends_with(end));
    is_end && !field.pointer.starts_with("/params/options/")
}

/// Whether it is the start or the end of an overlay, which depend on each other.
fn is_bound(field: &Field) -> bool {
    is_end(field) || field.pointer.ends_with("overlays/0/start") || field.pointer.ends_with("overlays/0/end")
}

/// `body` with every field of the table: switched on, and with a value other than the default where `body` has none.
fn whole(kind: TaskType, body: &Value, pooled: bool) -> Value {
    let rows = together(kind, pooled);
    let others = fields(kind).into_iter().filter(|field| !rows.contains(field));
    let body = others.fold(body.clone(), |body, field| match body.pointer(field.pointer) {
        Some(_) => without(&body, field.pointer),
        None => body,
    });
    rows.iter().filter(|field| !is_bound(field)).fold(body, |body, field| {
        let option = field.pointer.starts_with("/params/options/");
        match field.kind {
            Bool if option => with(&body, field.pointer, json!(true)),
            _ if body.pointer(field.pointer).is_none() => {
                with(&body, field.pointer, super::wire::value(kind, field, 0.5))
            }
            _ => body,
        }
    })
}

/// Every file URL is among the inputs, with its place and its role.
#[test]
fn every_url_is_an_input() {
    for (kind, body) in [
        (TaskType::VideoDeduplication, bodies::dedup()),
        (TaskType::BaseVideoMix, bodies::base()),
        (TaskType::ProVideoMix, bodies::pro()),
    ] {
        for pooled in [false, true] {
            let request = accepted(&whole(kind, &body, pooled)).request;
            let actual: Vec<_> =
                request.inputs().iter().map(|input| (input.place.to_string(), input.role)).collect();
            for field in together(kind, pooled) {
                if let Url(role) = field.kind {
                    assert!(actual.contains(&(field.pointer.to_owned(), role)), "{} {role:?}", field.pointer);
                }
            }
        }
    }
}

#[test]
fn every_font_file_is_an_input() {
    for pooled in [false, true] {
        let fonts = |request: &TaskRequest| -> Vec<String> {
            let fonts = request.inputs().into_iter().filter(|input| input.role == InputRole::Font);
            fonts.map(|input| input.place.to_string()).collect()
        };
        let named = whole(TaskType::BaseVideoMix, &bodies::base(), pooled);
        assert_eq!(fonts(&accepted(&named).request), [""; 0]);
        let rows = together(TaskType::BaseVideoMix, pooled).into_iter();
        let places: Vec<_> =
            rows.filter(|field| matches!(field.kind, Font(_))).map(|field| field.pointer).collect();
        assert!(!places.is_empty());
        for place in places {
            let body = with(&named, place, json!("upload://font"));
            assert_eq!(fonts(&accepted(&body).request), [place]);
        }
    }
}

fn check_all(kind: TaskType, pooled: bool, on: &Value, off: &Value) {
    for field in together(kind, pooled) {
        if !APART.contains(&field.pointer) && !is_bound(&field) {
            check(on, off, &field);
        }
    }
}

fn row(pointer: &'static str, kind: Kind) -> Field {
    Field::new(pointer, kind, "")
}

/// Each bound has a range of its own, and together they must enclose something.
#[test]
fn the_bounds_of_excerpts() {
    let bodies = [
        (TaskType::VideoDeduplication, bodies::dedup()),
        (TaskType::BaseVideoMix, bodies::base()),
        (TaskType::ProVideoMix, bodies::pro()),
    ];
    for (kind, body) in bodies {
        let ends: Vec<Field> = fields(kind).into_iter().filter(is_end).collect();
        let of_second = ends.iter().any(|end| end.pointer.contains("/second/"));
        let body = if of_second { split_screens::with_second(&body) } else { body };
        for ends in ends.chunks(2) {
            check_excerpt(&body, ends);
        }
    }
}

#[track_caller]
fn check_excerpt(body: &Value, ends: &[Field]) {
    let [from, to] = ends else { panic!("{ends:?}") };
    for end in [from, to] {
        let body = with(body, end.pointer, json!(5));
        check(&body, &body, end);
    }
    let both = |first: f64, last: f64| with(&with(body, from.pointer, json!(first)), to.pointer, json!(last));
    accepted(&both(1.0, 1.001));
    for (first, last) in [(1.0, 1.0), (2.0, 1.0), (86_400.0, 0.5)] {
        let expected = format!("{}: must be greater than `from`, which is {first}", to.pointer);
        assert_eq!(errors(&both(first, last)), [expected]);
    }
}

/// Exactly one of the two fields for the number of outputs is needed.
#[test]
fn the_number_of_outputs() {
    let clips = json!([{ "url": "https://a.example/a.mp4" }, { "url": "https://a.example/b.mp4" }]);
    let scene =
        |n: usize| json!({ "sceneKey": n.to_string(), "sceneName": "n", "duration": 1, "resources": clips });
    let scenes: Vec<Value> = (0..8).map(scene).collect();
    let body = |count: Value| {
        let mut params = json!({ "scenes": scenes, "audioMode": "split" });
        params.as_object_mut().unwrap().extend(count.as_object().unwrap().clone());
        json!({ "taskType": "proVideoMix", "params": params })
    };
    let outputs = |count: Value| accepted(&body(count)).request;
    for (count, name) in
        [(1, "generateCount"), (5, "generateCount"), (5, "outputCount"), (200, "outputCount")]
    {
        let request = outputs(json!({ name: count }));
        assert_eq!(request.params.total_items(), count);
        let again = accepted(&request.to_wire()).request;
        assert_eq!(again, request);
    }
    assert_eq!(outputs(json!({ "outputCount": 3 })), outputs(json!({ "generateCount": 3 })));
    for (count, expected) in [
        (json!({}), "/params/generateCount: is required, unless `outputCount` is set"),
        (
            json!({ "generateCount": 2, "outputCount": 2 }),
            "/params/outputCount: cannot be combined with `generateCount`; set one of them",
        ),
        (json!({ "generateCount": 6 }), "/params/generateCount: must be between 1 and 5"),
        (json!({ "outputCount": 201 }), "/params/outputCount: must be between 1 and 200"),
        (json!({ "outputCount": 0 }), "/params/outputCount: must be between 1 and 200"),
    ] {
        assert_eq!(errors(&body(count)), [expected]);
    }
    let policy = Policy { max_outputs: 10, ..Policy::default() };
    let refused = parse(body(json!({ "outputCount": 11 })).to_string().as_bytes(), &policy).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "/params/outputCount: exceeds the limit of this installation, which is 10"
    );
    let mut few = body(json!({ "outputCount": 17 }));
    few["params"]["scenes"].as_array_mut().unwrap().truncate(4);
    assert!(errors(&few)[0].starts_with("/params/outputCount: there are only 16 distinct"));
}

/// Starts belong to manual combinations, one row each, and exclude options that draw them.
#[test]
fn starts_of_combinations() {
    let body = with(&bodies::pro(), "/params/combinations", json!([[0, 1], [1, 0]]));
    let starts = |starts: Value| with(&body, "/params/starts", starts);
    let good = starts(json!([[0, 1.5], [2.25, 86_400]]));
    let request = accepted(&good).request;
    assert_eq!(accepted(&request.to_wire()).request, request);
    assert_eq!(accepted(&starts(json!([]))).request, accepted(&body).request);
    let needs = "/params/starts: requires `combinations` with the same number of rows";
    let clash = "/params/starts: cannot be combined with `clipStart`; set one of them";
    for (body, expected) in [
        (starts(json!([[0, 1]])), needs),
        (without(&good, "/params/combinations"), needs),
        (
            starts(json!([[0, 1], [2]])),
            "/params/starts/1: has 1 start, but there are 2 scenes: give one for each",
        ),
        (starts(json!([[0, 1], [2, -1]])), "/params/starts/1/1: must be between 0 and 86400"),
        (with(&good, "/params/options/clipStart", json!("random")), clash),
        (with(&good, "/params/scenes/1/clipStart", json!("random")), clash),
    ] {
        assert_eq!(errors(&body), [expected]);
    }
    accepted(&with(&good, "/params/scenes/1/clipStart", json!("begin")));
}

/// When starts are drawn, one combination of clips can give many outputs; the number of clips to scan is limited.
#[test]
fn drawn_starts_are_counted_by_footage() {
    let clip = |name: String| json!({ "url": format!("https://a.example/{name}") });
    let body = |scenes: usize, clips: usize| {
        let scene = |s: usize| {
            let clips: Vec<Value> = (0..clips).map(|c| clip(format!("{s}-{c}"))).collect();
            json!({ "sceneKey": s.to_string(), "sceneName": "n", "duration": 1, "resources": clips })
        };
        let scenes: Vec<Value> = (0..scenes).map(scene).collect();
        json!({ "taskType": "proVideoMix", "params": {
            "scenes": scenes, "audioMode": "split", "outputCount": 50, "options": { "clipStart": "random" } } })
    };
    accepted(&body(1, 1));
    accepted(&body(10, 100));
    let expected = "/params/scenes: have 1100 clips; with `clipStart`, at most 1000 clips are analyzed";
    assert_eq!(errors(&body(11, 100)), [expected]);
}

/// A pool replaces single files, and must not be empty.
#[test]
fn pools_replace_single_files() {
    let body = whole(TaskType::BaseVideoMix, &bodies::base(), true);
    let url = json!({ "url": "https://a.example/a.mp3" });
    for (single, pool) in
        [("backgroundMusic", "backgroundMusicPool"), ("audio", "voicePool"), ("subtitle", "voicePool")]
    {
        let both = with(&body, &format!("/params/options/{single}"), url.clone());
        let expected = format!("/params/options/{pool}: cannot be combined with `{single}`; set one of them");
        assert_eq!(errors(&both), [expected]);
        let empty = with(&body, &format!("/params/options/{pool}"), json!([]));
        assert_eq!(errors(&empty), [format!("/params/options/{pool}: must have at least one entry")]);
    }
    let voice = with(&body, "/params/options/voicePool", json!([{ "subtitle": url }]));
    assert_eq!(errors(&voice), ["/params/options/voicePool/0/audio: is required"]);
    let ducked = |pool: &str| {
        let body = with(&without(&body, "/params/options/voicePool"), "/params/options/ducking", json!(true));
        let kept = if pool.is_empty() { without(&body, "/params/options/backgroundMusicPool") } else { body };
        warnings(&kept).len()
    };
    assert_eq!((ducked("music"), ducked("")), (0, 1), "music of a pool can be lowered");
}

/// An overlay is an image or a text; missing and meaningless fields are reported.
#[test]
fn overlays_are_images_or_texts() {
    let at = "/params/options/overlays/0";
    let body = |overlay: Value| with(&bodies::base(), "/params/options/overlays", json!([overlay]));
    let errors_of = |overlay: Value| errors(&body(overlay));
    let remarks = |overlay: Value| warnings(&body(overlay));
    let logo = "https://a.example/logo.png";
    assert_eq!(errors_of(json!({ "url": logo })), [format!("{at}/type: is required")]);
    assert_eq!(errors_of(json!({ "type": "image" })), [format!("{at}/url: is required")]);
    assert_eq!(
        errors_of(json!({ "type": "text" })),
        [format!("{at}/text: is required, unless `texts` is set")]
    );
    let both = json!({ "type": "text", "text": "a", "texts": ["b"] });
    assert_eq!(errors_of(both), [format!("{at}/texts: cannot be combined with `text`; set one of them")]);
    let none = json!({ "type": "text", "texts": [] });
    assert_eq!(errors_of(none), [format!("{at}/texts: must have at least one entry")]);
    let near = errors_of(json!({ "type": "image", "url": logo, "place": "top-lef" }));
    assert!(near[0].contains("did you mean `top-left`?"), "{near:?}");
    let half = json!({ "type": "image", "url": logo, "place": { "x": 5 } });
    assert_eq!(errors_of(half), [format!("{at}/place/y: is required")]);
    let over = json!({ "type": "image", "url": logo, "start": 2, "end": 2 });
    assert_eq!(errors_of(over), [format!("{at}/end: must be greater than `start`, which is 2")]);
    let long = errors_of(json!({ "type": "text", "text": "字".repeat(10_000) }));
    assert_eq!(long, [format!("{at}/text: has 10000 characters; at most 500 are allowed")]);
    let many = with(
        &bodies::base(),
        "/params/options/overlays",
        json!(vec![json!({ "type": "text", "text": "a" }); 21]),
    );
    assert_eq!(errors(&many), ["/params/options/overlays: has 21 entries; at most 20 are allowed"]);

    // Of several texts, the one with the most emoji counts.
    let text = |count| "😀".repeat(count);
    let emoji = |last: usize| {
        let entries = [
            json!({ "type": "text", "text": text(60) }),
            json!({ "type": "text", "texts": ["a", text(last), text(1)], "start": 1 }),
        ];
        with(&bodies::base(), "/params/options/overlays", json!(entries))
    };
    // Accepted, or it would have no warnings.
    warnings(&emoji(40));
    let most = "the texts and captions of one video may have at most 100 in total";
    assert_eq!(errors(&emoji(41)), [format!("/params/options/overlays: 101 emoji are too many; {most}")]);

    let mixed = remarks(json!({ "type": "image", "url": logo, "text": "a", "style": {} }));
    assert_eq!(mixed.len(), 2, "{mixed:?}");
    assert!(mixed[0].contains("it applies only to overlays of type `text`"), "{mixed:?}");
    assert_eq!(remarks(json!({ "type": "image", "url": logo, "width": 0 })).len(), 1);
    assert_eq!(remarks(json!({ "type": "text", "text": "a", "style": { "place": "top" } })).len(), 1);
    let several = json!({ "type": "text", "texts": ["a", "b"] });
    assert!(remarks(several.clone())[0].contains("share no segments"));
    let timed = with(&body(several), &format!("{at}/end"), json!(3));
    assert!(warnings(&timed).is_empty());
    for overlay in [
        json!({ "type": "image", "url": logo, "place": { "x": 0, "y": 100 }, "start": 1, "end": 86_400 }),
        json!({ "type": "text", "text": "a\r\nb", "style": { "weight": "bold" } }),
        json!({ "type": "text", "texts": ["a", "b"], "end": 3 }),
    ] {
        let request = accepted(&body(overlay)).request;
        let again = accepted(&request.to_wire());
        assert_eq!((&again.request, again.warnings.len()), (&request, 0));
    }
}

/// Videos among the overlays: their own fields, their number, and colours that cannot be made transparent.
#[test]
fn overlays_can_be_videos() {
    let at = "/params/options/overlays/0";
    let body = |overlays: Value| with(&bodies::base(), "/params/options/overlays", overlays);
    let url = "https://a.example/host.mp4";
    let video = json!({ "type": "video", "url": url });
    assert_eq!(errors(&body(json!([{ "type": "video" }]))), [format!("{at}/url: is required")]);
    let four = errors(&body(json!([video, video, video, video])));
    assert_eq!(four, ["/params/options/overlays: contain 4 videos; at most 3 are allowed"]);
    let keyed = |key: Value| body(json!([{ "type": "video", "url": url, "key": key }]));
    assert_eq!(errors(&keyed(json!({}))), [format!("{at}/key/color: is required")]);
    for color in ["green", "#00FF0", "#GGGGGG", "00FF00"] {
        let refused = errors(&keyed(json!({ "color": color })));
        assert!(refused[0].starts_with(&format!("{at}/key/color: ")), "{refused:?}");
    }
    for color in ["#808080", "#FFFFFF", "#000", "#708070"] {
        assert!(errors(&keyed(json!({ "color": color })))[0].contains("is a grey"), "{color}");
    }
    assert!(errors(&keyed(json!({ "color": "#0F0", "tolerance": 101 })))[0].contains("key/tolerance"));
    for (kind, name, value) in [
        ("image", "loop", json!(true)),
        ("image", "volume", json!(5)),
        ("text", "key", json!({ "color": "#0F0" })),
    ] {
        let overlay = json!({ "type": kind, "url": url, "text": "a", name: value });
        let remarks = warnings(&body(json!([overlay])));
        let of_videos =
            format!("{at}/{name}: has no effect here; it applies only to overlays of type `video`");
        assert!(remarks.contains(&of_videos), "{remarks:?}");
    }
    assert_eq!(warnings(&body(json!([{ "type": "video", "url": url, "opacity": 0 }]))).len(), 1);
    let all = json!({
        "type": "video", "url": url, "width": 50, "opacity": 80, "loop": true, "volume": 30,
        "key": { "color": "#00B140", "tolerance": 20, "softness": 40 },
        "place": "bottom", "margin": 0, "start": 1, "end": 9,
    });
    for overlay in [video, all] {
        let request = accepted(&body(json!([overlay]))).request;
        let again = accepted(&request.to_wire());
        assert_eq!((&again.request, again.warnings.len()), (&request, 0));
        let stored = serde_json::to_string(&request).unwrap();
        assert_eq!(serde_json::from_str::<TaskRequest>(&stored).unwrap(), request);
    }
}

/// Copies count as videos of the task.
#[test]
fn copies_count_as_videos() {
    let body = |copies: &[u32]| {
        let videos: Vec<Value> = copies
            .iter()
            .map(|copies| json!({ "filename": "https://a.example/a.mp4", "duration": 1, "copies": copies }))
            .collect();
        json!({ "taskType": "videoDeduplication", "params": { "videoList": videos } })
    };
    let request = accepted(&body(&[1, 100, 3])).request;
    assert_eq!(request.params.total_items(), 104);
    let Params::VideoDeduplication(params) = &request.params else { panic!() };
    let places: Vec<usize> = params.items().map(|(entry, _)| entry).collect();
    assert_eq!((places[0], places[1], places[100], places[101]), (0, 1, 1, 2));
    let expected = "/params/videoList: produce 1001 videos with their `copies`; at most 1000 are allowed";
    accepted(&body(&[100; 10]));
    assert_eq!(errors(&body(&[[100; 10].as_slice(), &[1]].concat())), [expected]);
}

/// The length of a result is known.
#[test]
fn a_result_needs_no_declared_length() {
    let pointer = "/params/videoList/0/duration";
    check(&bodies::dedup(), &bodies::dedup(), &Field { required: true, ..row(pointer, Positive(86_400.0)) });
    let result = json!("result://VP01M7Y7SJE4P7BM18RVJ8SFE3ZB/1");
    let body = without(&with(&bodies::dedup(), "/params/videoList/0/filename", result), pointer);
    let Params::VideoDeduplication(params) = accepted(&body).request.params else { panic!() };
    assert_eq!(params.videos[0].duration_s, None);
    let invalid = with(&body, "/params/videoList/0/filename", json!("result://x/1"));
    assert_eq!(refused(&invalid).len(), 2);
}

/// A scene may be as long as an output, so its longest value can only be tried with a single scene.
#[test]
fn the_length_of_a_scene() {
    let mut body = with(&bodies::pro(), "/params/combinations", Value::Null);
    body["params"]["scenes"].as_array_mut().unwrap().truncate(1);
    check(&body, &body, &Field { required: true, ..row("/params/scenes/0/duration", Positive(3600.0)) });
}

/// Tries ranges on `off`, where no switch is on, so that the order of bounds does not interfere and a check that wrongly
/// depends on the switch is found; tries defaults on `on`, where they matter.
#[track_caller]
fn check(on: &Value, off: &Value, field: &Field) {
    let pointer = field.pointer;
    let good = good(field.kind);
    for value in &good {
        accepted(&with(off, pointer, value.clone()));
    }
    for value in bad(field.kind) {
        for body in [on, off] {
            let errors = refused(&with(body, pointer, value.clone()));
            let paths: Vec<_> = errors.iter().map(|error| error.path.as_str()).collect();
            assert_eq!(paths, [pointer], "{pointer} = {value}");
            assert!(errors[0].allowed.is_some() && errors[0].got.is_some(), "{errors:?}");
        }
    }
    if field.required {
        check_needed(on, pointer);
    } else {
        check_absent(on, pointer, field.default, &good);
    }
}

fn absent(body: &Value, pointer: &str) -> Vec<Value> {
    let mut bodies = vec![with(body, pointer, Value::Null), with(body, pointer, json!(""))];
    if !pointer.ends_with("/0") {
        bodies.push(without(body, pointer));
    }
    bodies
}

#[track_caller]
fn check_needed(body: &Value, pointer: &str) {
    for body in absent(body, pointer) {
        assert_eq!(errors(&body), [format!("{pointer}: is required")]);
    }
}

#[track_caller]
fn check_absent(body: &Value, pointer: &str, default: Option<&str>, good: &[Value]) {
    if pointer.ends_with("/0") {
        return;
    }
    let prints: Vec<_> =
        absent(body, pointer).iter().map(|body| accepted(body).request.fingerprint()).collect();
    assert!(prints.iter().all(|print| *print == prints[0]), "{pointer}");
    let Some(default) = default else { return };
    let default = with(body, pointer, serde_json::from_str(default).unwrap());
    assert_eq!(accepted(&default).request.fingerprint(), prints[0], "the default of {pointer}");
    let others =
        good.iter().chain(body.pointer(pointer)).map(|value| submit(&with(body, pointer, value.clone())));
    let matters = others.flatten().any(|other| other.request.fingerprint() != prints[0]);
    assert!(matters, "{pointer} changes nothing");
}

fn good(kind: Kind) -> Vec<Value> {
    match kind {
        Bool => vec![json!(true), json!(false)],
        Number(min, max) => vec![json!(min), json!(max), json!((min + max) / 2.0 + 0.0123)],
        Tenths(min, max) => vec![json!(min), json!(max), json!(max - 0.1), json!(max - 0.1 + 9e-7)],
        Positive(max) => vec![json!(0.001), json!(max), json!(1)],
        Integer(min, max) => vec![json!(min), json!(max), json!(min as f64)],
        Fps => vec![json!(25), json!(30), json!(50), json!(60), json!(30.0)],
        Choice(names) => names.iter().map(|name| json!(name)).collect(),
        ChoiceOrColor(names) => {
            names.iter().map(|name| json!(name)).chain([json!("#abc"), json!("#A1B2C3")]).collect()
        }
        Font(names) => names.iter().map(|name| json!(name)).chain([json!("upload://Ab_9-x")]).collect(),
        Text(max) => vec![json!("字".repeat(max)), json!("a b ~/")],
        Lines(max) => vec![json!("字".repeat(max)), json!("a\nb\r\nc")],
        Place(names) => names.iter().map(|name| json!(name)).collect(),
        Url(_) => {
            vec![
                json!("http://x.example/ä b.mp4?a=b"),
                json!("upload://Ab_9-x"),
                json!("result://VP01M7Y7SJE4P7BM18RVJ8SFE3ZB/1"),
                json!(long_url(2048)),
            ]
        }
        WebUrl => vec![json!("http://x.example:8080/"), json!("https://x.example"), json!(long_url(2048))],
        Color => vec![json!("#abc"), json!("#A1B2C3"), json!("#a1b2c3D4")],
        Array(..) | Object => vec![],
    }
}

fn bad(kind: Kind) -> Vec<Value> {
    let no_number = [json!("5"), json!(true), json!([1]), json!({"a": 1})];
    let no_string = [json!(5), json!(true), json!(["a"]), json!({"a": 1})];
    let of_kind = match kind {
        Bool => vec![json!("true"), json!(0), json!(1), json!([true])],
        Number(min, max) => vec![json!(min - 0.001), json!(max + 0.001), json!(1e308), json!(-1e308)],
        Tenths(min, max) => {
            vec![json!(min - 0.1), json!(max + 0.1), json!(min + 0.05), json!(max - 0.1 + 2e-6), json!(1e308)]
        }
        Positive(max) => vec![json!(0), json!(-1), json!(1e-9), json!(max + 0.001), json!(1e308)],
        Integer(min, max) => {
            let below = min as i64 - 1;
            vec![json!(below), json!(max + 1), json!(min as f64 + 0.5), json!(1u64 << 63), json!(-1e308)]
        }
        Fps => vec![json!(24), json!(29.97), json!(0), json!(-30), json!(1u64 << 63)],
        Lines(max) => vec![json!("x".repeat(max + 1)), json!("a\u{0}b")],
        Place(_) => vec![json!("Top"), json!("center"), json!(5), json!(true), json!(["top"])],
        Choice(_) => vec![json!("Crop"), json!(" none"), json!("720x1280")],
        ChoiceOrColor(_) => vec![json!("Black"), json!("#A1B2C3D4"), json!("#12"), json!("red")],
        Font(_) => {
            vec![json!("Arial"), json!("arial.ttf"), json!("https://x.example/a.ttf"), json!("upload://")]
        }
        Text(max) => vec![json!("x".repeat(max + 1)), json!("a\u{0}b"), json!("a\r\nb")],
        Url(_) => {
            vec![json!("ftp://x.example/a"), json!("a.mp4"), json!(long_url(2049)), json!("http://a/\nb")]
        }
        WebUrl => vec![json!("upload://Ab"), json!("file:///a"), json!(long_url(2049)), json!("http://a/\0")],
        Color => vec![json!("red"), json!("#12"), json!("#12345"), json!("#GGGGGG"), json!("FFFFFF")],
        Array(..) => vec![json!(5), json!("a"), json!({"a": 1}), json!(true)],
        Object => vec![json!(5), json!("a"), json!([1]), json!(true)],
    };
    let of_type: &[Value] = match kind {
        Number(..) | Tenths(..) | Positive(_) | Integer(..) | Fps => &no_number,
        Choice(_) | ChoiceOrColor(_) | Font(_) | Text(_) | Lines(_) | Url(_) | WebUrl | Color => &no_string,
        Bool | Array(..) | Object | Place(_) => &[],
    };
    of_kind.into_iter().chain(of_type.iter().cloned()).collect()
}

fn long_url(characters: usize) -> String {
    format!("https://x.example/{}", "a".repeat(characters - 18))
}

/// `body` with every switch set to false.
fn switched_off(body: &Value) -> Value {
    let mut body = body.clone();
    for option in body.pointer_mut("/params/options").unwrap().as_object_mut().unwrap().values_mut() {
        if let Value::Object(members) = option {
            members.values_mut().filter(|value| value.is_boolean()).for_each(|value| *value = json!(false));
        }
    }
    body
}
