//! Every field at its least, its most, just outside, of the wrong type, absent and null.

use serde_json::{Value, json};

use super::*;

#[derive(Debug, Clone, Copy)]
enum Kind {
    Bool,
    /// Inclusive range, any decimals.
    Number(f64, f64),
    /// Inclusive range, multiples of 0.1.
    Tenths(f64, f64),
    /// Above 0, at most.
    Positive(f64),
    Integer(u64, u64),
    Fps,
    Choice(&'static [&'static str]),
    /// At most so many characters.
    Text(usize),
    Url,
    WebUrl,
    Color,
    Array,
    Object,
}
use Kind::*;

const NEEDED: Option<&str> = Some("needed");
/// Absence has no default that could be spelled out.
const NONE: Option<&str> = None;

const RESOLUTIONS: Kind = Choice(&["720:1280", "1080:1920", "1280:720", "1920:1080"]);

/// Pointer below the body, kind, and the default as JSON (or [`NEEDED`], [`NONE`]).
type Row = (&'static str, Kind, Option<&'static str>);

const COMMON: &[Row] = &[
    ("/taskType", Choice(&[]), NEEDED),
    ("/params", Object, NEEDED),
    ("/callbackUrl", WebUrl, NONE),
    ("/clientTaskId", Text(128), NONE),
    ("/params/seed", Integer(0, 9_007_199_254_740_991), NONE),
    ("/params/options", Object, NONE),
];

const DEDUP: &[Row] = &[
    ("/params/videoList", Array, NEEDED),
    ("/params/videoList/0/filename", Url, NEEDED),
    ("/params/videoList/0/duration", Positive(86_400.0), NEEDED),
    ("/params/options/isMirror", Bool, Some("false")),
    ("/params/options/isFilter", Bool, Some("false")),
    ("/params/options/fps", Fps, Some("30")),
    ("/params/options/frameExtraction", Object, NONE),
    ("/params/options/frameExtraction/isExtract", Bool, Some("false")),
    ("/params/options/frameExtraction/start", Number(25.0, 30.0), Some("25")),
    ("/params/options/frameExtraction/end", Number(25.0, 30.0), Some("30")),
    ("/params/options/speed", Object, NONE),
    ("/params/options/speed/isSpeed", Bool, Some("false")),
    ("/params/options/speed/start", Tenths(0.5, 2.0), Some("1")),
    ("/params/options/speed/end", Tenths(0.5, 2.0), Some("1.5")),
    ("/params/options/rotation", Object, NONE),
    ("/params/options/rotation/isRotate", Bool, Some("false")),
    ("/params/options/rotation/direction", Choice(&["clockwise", "counterclockwise"]), Some("\"clockwise\"")),
    ("/params/options/rotation/minAngle", Number(0.0, 180.0), Some("0")),
    ("/params/options/rotation/maxAngle", Number(0.0, 180.0), Some("2")),
    ("/params/options/zoom", Object, NONE),
    ("/params/options/zoom/isZoom", Bool, Some("false")),
    ("/params/options/zoom/minScale", Tenths(1.0, 2.0), Some("1")),
    ("/params/options/zoom/maxScale", Tenths(1.0, 2.0), Some("1.1")),
    ("/params/options/colourMixing", Object, NONE),
    ("/params/options/colourMixing/isMixing", Bool, Some("false")),
    ("/params/options/colourMixing/brightnessMin", Tenths(-1.0, 1.0), Some("-0.1")),
    ("/params/options/colourMixing/brightnessMax", Tenths(-1.0, 1.0), Some("0.1")),
    ("/params/options/colourMixing/contrastMin", Tenths(-2.0, 2.0), Some("0.9")),
    ("/params/options/colourMixing/contrastMax", Tenths(-2.0, 2.0), Some("1.1")),
    ("/params/options/colourMixing/saturationMin", Tenths(0.0, 3.0), Some("0.9")),
    ("/params/options/colourMixing/saturationMax", Tenths(0.0, 3.0), Some("1.1")),
    ("/params/options/colourMixing/gammaMin", Tenths(0.1, 10.0), Some("0.9")),
    ("/params/options/colourMixing/gammaMax", Tenths(0.1, 10.0), Some("1.1")),
    ("/params/options/hueMixing", Object, NONE),
    ("/params/options/hueMixing/isMixing", Bool, Some("false")),
    ("/params/options/hueMixing/h", Tenths(0.0, 360.0), Some("0")),
    ("/params/options/hueMixing/s", Tenths(0.0, 1.0), Some("0")),
    ("/params/options/hueMixing/b", Tenths(0.0, 1.0), Some("0")),
    ("/params/options/colorBalance", Object, NONE),
    ("/params/options/colorBalance/isBalance", Bool, Some("false")),
    ("/params/options/colorBalance/rs", Tenths(0.0, 1.0), Some("0")),
    ("/params/options/colorBalance/gs", Tenths(0.0, 1.0), Some("0")),
    ("/params/options/colorBalance/bs", Tenths(0.0, 1.0), Some("0")),
    ("/params/options/colorBalance/rh", Tenths(0.0, 1.0), Some("0")),
    ("/params/options/colorBalance/gh", Tenths(0.0, 1.0), Some("0")),
    ("/params/options/colorBalance/bh", Tenths(0.0, 1.0), Some("0")),
    ("/params/options/colorBalance/rm", Tenths(0.0, 1.0), Some("0")),
    ("/params/options/colorBalance/gm", Tenths(0.0, 1.0), Some("0")),
    ("/params/options/colorBalance/bm", Tenths(0.0, 1.0), Some("0")),
    ("/params/options/picMask", Object, NONE),
    ("/params/options/picMask/picFiles", Array, NONE),
    ("/params/options/picMask/layerCount", Integer(0, 10), NONE),
    ("/params/options/picMask/trans", Number(1.0, 100.0), NONE),
    ("/params/options/videoMask", Object, NONE),
    ("/params/options/videoMask/videoFiles", Array, NONE),
    ("/params/options/videoMask/layerCount", Integer(0, 10), NONE),
    ("/params/options/videoMask/trans", Number(1.0, 100.0), NONE),
    ("/params/options/effect", Object, NONE),
    ("/params/options/effect/trans", Number(1.0, 100.0), NONE),
    ("/params/options/effect/duration", Number(0.0, 60.0), NONE),
    ("/params/options/effect/position", Number(0.0, 100.0), NONE),
    ("/params/options/PIP", Object, NONE),
    ("/params/options/PIP/padding", Number(1.0, 80.0), NONE),
    ("/params/options/PIP/fillMode", Integer(1, 2), NONE),
    ("/params/options/PIP/fillVideoPath", Url, NONE),
];

const BASE: &[Row] = &[
    ("/params/videoList", Array, NEEDED),
    ("/params/videoList/0/videos", Array, NEEDED),
    ("/params/videoList/0/videos/0/url", Url, NEEDED),
    ("/params/videoList/0/videos/0/duration", Positive(86_400.0), NONE),
    ("/params/videoList/0/videos/0/sceneName", Text(500), NONE),
    ("/params/videoList/0/totalDuration", Positive(600.0), NONE),
    ("/params/isShortest", Bool, Some("false")),
];

const PRO: &[Row] = &[
    ("/params/scenes", Array, NEEDED),
    ("/params/scenes/0/sceneKey", Text(200), NEEDED),
    ("/params/scenes/0/sceneName", Text(200), NEEDED),
    ("/params/scenes/0/resources", Array, NEEDED),
    ("/params/scenes/0/resources/0/key", Text(500), NONE),
    ("/params/scenes/0/resources/0/url", Url, NEEDED),
    ("/params/scenes/0/resources/0/duration", Positive(86_400.0), NONE),
    ("/params/scenes/0/audioResources", Array, Some("[]")),
    ("/params/scenes/0/audioResources/0/url", Url, NONE),
    ("/params/scenes/0/audioResources/0/duration", Number(0.0, 86_400.0), NONE),
    ("/params/scenes/0/audioResources/0/startTime", Number(0.0, 3600.0), Some("0")),
    ("/params/audioMode", Choice(&["merge", "split"]), NEEDED),
    ("/params/generateCount", Integer(1, 5), NEEDED),
    ("/params/combinations", Array, Some("[]")),
    ("/params/combinations/0/0", Integer(0, 2), NONE),
    ("/params/options/isShortest", Bool, Some("false")),
];

/// `options` of both mixes.
const MIX: &[Row] = &[
    ("/params/options/resolution", RESOLUTIONS, Some("\"720:1280\"")),
    ("/params/options/resolutionMode", Choice(&["none", "crop", "stretch"]), Some("\"none\"")),
    ("/params/options/background", Choice(&["black", "blur"]), Some("\"black\"")),
    ("/params/options/fps", Fps, Some("30")),
    ("/params/options/originalVolume", Integer(0, 100), Some("100")),
    ("/params/options/backgroundMusic", Object, NONE),
    ("/params/options/backgroundMusic/url", Url, NONE),
    ("/params/options/backgroundMusic/fileName", Text(500), NONE),
    ("/params/options/backgroundMusic/duration", Number(0.0, 600.0), NONE),
    ("/params/options/backgroundMusic/volume", Integer(0, 100), Some("80")),
    ("/params/options/backgroundMusic/fadeIn", Number(0.0, 10.0), Some("0.5")),
    ("/params/options/backgroundMusic/fadeOut", Number(0.0, 10.0), Some("0.5")),
    ("/params/options/audio", Object, NONE),
    ("/params/options/audio/url", Url, NONE),
    ("/params/options/audio/fileName", Text(500), NONE),
    ("/params/options/audio/duration", Number(0.0, 600.0), NONE),
    ("/params/options/audio/volume", Integer(0, 100), Some("80")),
    ("/params/options/audio/fadeIn", Number(0.0, 10.0), Some("0.5")),
    ("/params/options/audio/fadeOut", Number(0.0, 10.0), Some("0.5")),
    ("/params/options/subtitle", Object, NONE),
    ("/params/options/subtitle/url", Url, NONE),
    ("/params/options/subtitle/fileName", Text(500), NONE),
    ("/params/options/subtitle/style", Object, Some("{}")),
    ("/params/options/subtitle/style/fontSize", Integer(10, 18), Some("14")),
    ("/params/options/subtitle/style/fontColor", Color, Some("\"#FFFFFF\"")),
    ("/params/options/subtitle/style/outlineColor", Color, NONE),
    ("/params/options/subtitle/style/backColor", Color, NONE),
    ("/params/options/subtitle/style/bottom", Integer(0, 1000), Some("50")),
    ("/params/options/subtitle/style/magnification", Number(0.1, 5.0), Some("2.5")),
];

#[test]
fn every_field_of_deduplication() {
    let off = switched_off(&bodies::dedup());
    for row in COMMON.iter().chain(DEDUP) {
        check(&bodies::dedup(), &off, row);
    }
}

#[test]
fn every_field_of_the_basic_mix() {
    for row in COMMON.iter().chain(BASE).chain(MIX) {
        check(&bodies::base(), &bodies::base(), row);
    }
}

#[test]
fn every_field_of_the_professional_mix() {
    for row in COMMON.iter().chain(PRO).chain(MIX) {
        check(&bodies::pro(), &bodies::pro(), row);
    }
}

/// A scene may be as long as an output: alone, it can be tried at its longest.
#[test]
fn the_length_of_a_scene() {
    let mut body = with(&bodies::pro(), "/params/combinations", Value::Null);
    body["params"]["scenes"].as_array_mut().unwrap().truncate(1);
    check(&body, &body, &("/params/scenes/0/duration", Positive(3600.0), NEEDED));
}

/// Ranges are checked on `off`, where no switch is on, so that orders do not interfere and a check
/// that hangs on the switch would show; defaults on `on`, where they matter.
#[track_caller]
fn check(on: &Value, off: &Value, (pointer, kind, default): &Row) {
    let good = good(*kind);
    for value in &good {
        accepted(&with(off, pointer, value.clone()));
    }
    for value in bad(*kind) {
        for body in [on, off] {
            let errors = refused(&with(body, pointer, value.clone()));
            let paths: Vec<_> = errors.iter().map(|error| error.path.as_str()).collect();
            assert_eq!(paths, [*pointer], "{pointer} = {value}");
            assert!(errors[0].allowed.is_some() && errors[0].got.is_some(), "{errors:?}");
        }
    }
    match *default {
        NEEDED => check_needed(on, pointer),
        default => check_absent(on, pointer, default, &good),
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
        Text(max) => vec![json!("字".repeat(max)), json!("a b ~/")],
        Url => vec![json!("http://x.example/ä b.mp4?a=b"), json!("upload://Ab_9-x"), json!(long_url(2048))],
        WebUrl => vec![json!("http://x.example:8080/"), json!("https://x.example"), json!(long_url(2048))],
        Color => vec![json!("#abc"), json!("#A1B2C3"), json!("#a1b2c3D4")],
        Array | Object => vec![],
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
        Choice(_) => vec![json!("Crop"), json!(" none"), json!("720x1280")],
        Text(max) => vec![json!("x".repeat(max + 1)), json!("a\u{0}b"), json!("a\r\nb")],
        Url => vec![json!("ftp://x.example/a"), json!("a.mp4"), json!(long_url(2049)), json!("http://a/\nb")],
        WebUrl => vec![json!("upload://Ab"), json!("file:///a"), json!(long_url(2049)), json!("http://a/\0")],
        Color => vec![json!("red"), json!("#12"), json!("#12345"), json!("#GGGGGG"), json!("FFFFFF")],
        Array => vec![json!(5), json!("a"), json!({"a": 1}), json!(true)],
        Object => vec![json!(5), json!("a"), json!([1]), json!(true)],
    };
    let of_type: &[Value] = match kind {
        Number(..) | Tenths(..) | Positive(_) | Integer(..) | Fps => &no_number,
        Choice(_) | Text(_) | Url | WebUrl | Color => &no_string,
        Bool | Array | Object => &[],
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
