//! Whole plans as text: the result of a request, down to the filters.
//!
//! These texts do not show that every number is right, but every change shows in them: check the outputs then.
//! `INSTA_UPDATE=always cargo test -p clipmill-core --test plan whole_plans` accepts the new texts.

use std::collections::HashMap;
use std::fmt::Write;

use clipmill_core::effects::Effect;
use clipmill_core::looks::Look;
use clipmill_core::media::{AudioInfo, ColorInfo, Size, VideoInfo};
use clipmill_core::plan::{
    FrameSpec, MixTrack, Moment, Plan, PlannedFrame, Rendition, ThumbnailSubject, TrackPart,
    catalogue_thumbnail, thumbnail,
};
use clipmill_core::request::{Policy, parse};
use clipmill_core::segment::{AudioSpec, SegmentKey, SegmentSpec, VideoSpec};
use serde_json::{Value, json};

use crate::fixture::*;

fn url(name: &str) -> String {
    format!("https://x.example/{name}")
}

/// Files of many kinds.
fn fixture() -> Fixture {
    let of = |change: &dyn Fn(&mut VideoInfo)| {
        let mut info = video(4.0);
        change(&mut info);
        Some(info)
    };
    let hdr = || ColorInfo {
        primaries: Some("bt2020".into()),
        transfer: Some("smpte2084".into()),
        matrix: Some("bt2020nc".into()),
        full_range: Some(false),
        ..ColorInfo::default()
    };
    let late = Some(AudioInfo { start_s: 0.4, channels: 6, ..audio(3.0) });
    Fixture::new()
        .clip(&url("plain"), 4.0)
        .clip(&url("long"), 34.0)
        .clip(&url("short"), 0.2)
        .audio(&url("voice"), 3.0)
        .audio(&url("music"), 1.5)
        .file(&url("turned"), of(&|info| info.rotation = 90), Some(audio(4.0)))
        .file(&url("wide"), of(&|info| info.sample_aspect = (4, 3)), late)
        .file(&url("fields"), of(&|info| info.interlaced = true), None)
        .file(&url("tall"), of(&|info| info.coded = Size::new(720, 1280)), None)
        .file(&url("hdr"), of(&|info| (info.color, info.pix_fmt) = (hdr(), "yuv420p10le".into())), None)
        .file(&url("clear"), of(&|info| info.pix_fmt = "yuva420p".into()), None)
        .file(&url("fast"), of(&|info| (info.rate, info.frames) = (60.0, 240)), None)
        .file(
            &url("still"),
            of(&|info| (info.still, info.frames, info.codec) = (true, 1, "png".into())),
            None,
        )
        .cues(
            &url("words"),
            &[(500, 1_500, "Hello"), (1_400, 6_000, "a <b>longer</b> line\nand another one")],
        )
}

fn check(name: &str, fixture: &Fixture, body: &Value) {
    let request = parse(body.to_string().as_bytes(), &Policy::default()).unwrap().request;
    insta::assert_snapshot!(name, text_of(&fixture.plan(request.params)));
}

/// Checks single frames of its outputs: of the whole output or of one clip, at a given moment or at one that the
/// planner chooses.
fn check_stills(name: &str, fixture: &Fixture, body: &Value) {
    let params = parse(body.to_string().as_bytes(), &Policy::default()).unwrap().request.params;
    let mut text = String::new();
    for (item_no, clip, at_s) in [
        (1, None, None),
        (1, None, Some(0.0)),
        (1, None, Some(3.3)),
        (1, Some(0), Some(1.7)),
        (1, Some(1), Some(2.0)),
        (1, Some(1), None),
        (2, None, Some(1e9)),
        (9, None, None),
    ] {
        let moment = Moment { item_no, clip, at_s };
        writeln!(text, "{moment:?}").unwrap();
        match fixture.still(params.clone(), &moment) {
            Ok(made) => writeln!(text, "{}", still(&made)).unwrap(),
            Err(error) => writeln!(text, "{error:?}").unwrap(),
        }
    }
    insta::assert_snapshot!(name, text);
}

fn still(made: &PlannedFrame) -> String {
    let sources: Vec<_> = made.sources.iter().map(|source| source.url.as_str()).collect();
    let way = |spec: &FrameSpec| {
        let places = (spec.frame.0, spec.seek_us, spec.chosen().to_string());
        format!("{places:?} of {}", pictures(&spec.video))
    };
    let quick = made.quick.as_ref().map_or("none".to_owned(), way);
    let at = (made.at_s, made.length_s);
    format!("at {at:?} from {}\nquick {quick}exact {}", sources.join(" "), way(&made.exact))
}

fn text_of(plan: &Plan) -> String {
    let mut text = String::new();
    let names: HashMap<_, _> =
        plan.segments.iter().zip(1..).map(|(segment, number)| (segment.key.clone(), number)).collect();
    for segment in &plan.segments {
        let sources: Vec<_> = segment.sources.iter().map(|source| source.url.as_str()).collect();
        let what = match &segment.spec {
            SegmentSpec::Video(picture) => pictures(picture),
            SegmentSpec::Audio(sound) => sounds(sound),
        };
        writeln!(text, "segment {}: {what}  from {}", names[&segment.key], sources.join(" ")).unwrap();
    }
    for item in &plan.items {
        let outcome = item.outcome.as_ref().map_or_else(ToString::to_string, |made| rendition(made, &names));
        writeln!(text, "item {}: {}\n{outcome}", item.item_no, item.recipe).unwrap();
    }
    text
}

fn pictures(spec: &VideoSpec) -> String {
    let mut text = format!("{} frames of {}×{}", spec.frames.0, spec.size.width, spec.size.height);
    writeln!(text, " at {}, part {:?}", spec.fps.get(), spec.part).unwrap();
    writeln!(text, "  {}", spec.graph.to_text("v").replace(';', ";\n  ")).unwrap();
    for input in &spec.inputs {
        let origin = &input.origin.file.0;
        let how = (input.stream_index, input.looped, input.rewrapped, input.keyframes_only, input.seek_us);
        writeln!(text, "  input {origin}: {how:?}, {:?}", input.decoder).unwrap();
    }
    if let Some(captions) = &spec.captions {
        writeln!(text, "  captions {}", serde_json::to_string(captions).unwrap()).unwrap();
    }
    let encoder = &spec.encoder;
    writeln!(text, "  {} {} {}", encoder.codec, encoder.crf_tenths, encoder.max_rate_kbps).unwrap();
    text
}

fn sounds(spec: &AudioSpec) -> String {
    format!("{}\n", serde_json::to_string(spec).unwrap())
}

fn rendition(made: &Rendition, names: &HashMap<SegmentKey, i32>) -> String {
    let video: Vec<_> = made.video.iter().map(|key| names[key]).collect();
    let mut text = format!("  {} frames, {:?}, of {video:?}\n", made.frames.0, made.tier);
    for MixTrack { parts, begin: _, heard, volume_percent, fade_in, fade_out, ducking } in
        made.audio.iter().flat_map(|sound| &sound.tracks)
    {
        let part = |part: &TrackPart| match part {
            TrackPart::Audio(key) => format!("#{}", names[key]),
            TrackPart::Silence(samples) => format!("{} silent", samples.0),
        };
        let parts: Vec<_> = parts.iter().map(part).collect();
        let fades = (fade_in.0, fade_out.0);
        writeln!(text, "  lane {parts:?}: {} at {volume_percent} %, {fades:?}, {ducking:?}", heard.0)
            .unwrap();
    }
    let loudness = made.audio.as_ref().map(|sound| (sound.samples.0, sound.loudness_lufs));
    writeln!(text, "  sound {loudness:?}").unwrap();
    text
}

fn mixed(mode: &str, background: &str) -> Value {
    let track =
        |name: &str| json!({ "url": url(name), "duration": 2, "volume": 30, "fadeIn": 0.5, "fadeOut": 1 });
    json!({ "resolution": "720:1280", "resolutionMode": mode, "background": background, "fps": 25,
        "originalVolume": 60, "ducking": true, "loudness": -16, "backgroundMusic": track("music"),
        "audio": track("voice"), "subtitle": { "url": url("words"), "style": { "fontSize": 16,
            "fontColor": "#FF0", "outlineColor": "#102030", "backColor": "#10203040", "bottom": 80,
            "magnification": 3 } } })
}

#[test]
fn plans_of_base_video_mixes_do_not_change() {
    let names = ["plain", "turned", "wide", "fields", "tall", "hdr", "clear", "fast"];
    let videos: Vec<_> = names.map(|name| json!({ "url": url(name) })).into();
    for (mode, background) in [("crop", "black"), ("none", "blur"), ("none", "black"), ("stretch", "black")] {
        let body = json!({ "taskType": "baseVideoMix", "params": { "seed": 1, "options": mixed(mode, background),
            "videoList": [{ "videos": videos, "totalDuration": 30.5 }, { "videos": [videos[1], videos[0]] }] } });
        check(&format!("base-{mode}-{background}"), &fixture(), &body);
        if background == "blur" {
            check_stills("stills-base", &fixture(), &body);
        }
    }
}

#[test]
fn plans_of_professional_mixes_do_not_change() {
    let scene = |key: &str, duration: f64, names: &[&str]| {
        let resources: Vec<_> = names.iter().map(|name| json!({ "url": url(name) })).collect();
        json!({ "sceneKey": key, "sceneName": key, "duration": duration, "resources": resources,
            "audioResources": [{ "url": url("voice"), "duration": 2, "startTime": 0.25 }] })
    };
    for audio_mode in ["split", "merge"] {
        let scenes = [scene("a", 3.0, &["plain", "turned", "wide"]), scene("b", 5.5, &["short", "long"])];
        let body = json!({ "taskType": "proVideoMix", "params": { "seed": 1, "scenes": scenes,
            "audioMode": audio_mode, "generateCount": 3, "combinations": [[1, 0]],
            "options": mixed("crop", "black") } });
        check(&format!("pro-{audio_mode}"), &fixture(), &body);
        if audio_mode == "merge" {
            check_stills("stills-pro", &fixture(), &body);
        }
    }
}

fn varied(fill_mode: u32, degrees: f64, extra: Value) -> Value {
    let mut options = json!({ "isMirror": true, "isFilter": true, "fps": 25,
        "frameExtraction": { "isExtract": true, "start": 26, "end": 29 },
        "speed": { "isSpeed": true, "start": 0.8, "end": 1.2 },
        "rotation": { "isRotate": true, "direction": "clockwise", "minAngle": degrees, "maxAngle": degrees },
        "zoom": { "isZoom": true, "minScale": 1.1, "maxScale": 1.3 },
        "colourMixing": { "isMixing": true }, "hueMixing": { "isMixing": true, "h": 15, "s": 0.2, "b": 0.3 },
        "colorBalance": { "isBalance": true, "rs": 0.1, "gm": 0.2, "bh": 0.3 },
        "picMask": { "isMask": true, "picFiles": [url("still")], "layerCount": 1, "trans": 15 },
        "videoMask": { "isMask": true, "videoFiles": [url("tall"), url("clear")], "layerCount": 2, "trans": 25 },
        "effect": { "value": "film-grain", "trans": 50, "duration": 2, "position": 30 },
        "PIP": { "isPIP": true, "padding": 12, "fillMode": fill_mode, "fillVideoPath": url("wide") } });
    options.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    json!({ "taskType": "videoDeduplication", "params": { "seed": 7, "options": options, "videoList": [
        { "filename": url("plain"), "duration": 4 }, { "filename": url("turned"), "duration": 4 },
        { "filename": url("long"), "duration": 34 }] } })
}

#[test]
fn plans_of_varied_copies_do_not_change() {
    let off = json!({ "isMask": false });
    let plain = json!({ "picMask": off, "videoMask": off, "PIP": { "isPIP": false }, "isMirror": false,
        "frameExtraction": { "isExtract": false }, "speed": { "isSpeed": false } });
    let fixture = fixture();
    let in_parts = Fixture { part_seconds: 10, ..self::fixture() };
    check("dedup-1", &fixture, &varied(1, 2.0, json!({})));
    check("dedup-2", &fixture, &varied(2, 9.0, json!({ "effect": null })));
    let same =
        json!({ "isMask": true, "videoFiles": [url("tall"), url("wide")], "layerCount": 9, "trans": 25 });
    let opaque = json!({ "videoMask": same, "zoom": { "isZoom": false }, "PIP": { "isPIP": false } });
    check("dedup-3", &fixture, &varied(1, 4.0, opaque));
    check_stills("stills-dedup", &fixture, &varied(1, 2.0, json!({})));
    check("dedup-in-parts", &in_parts, &varied(1, 45.0, json!({})));
    check("dedup-plain-in-parts", &in_parts, &varied(1, 30.0, plain));
}

#[test]
fn plans_of_thumbnails_and_previews_do_not_change() {
    let mut text = String::new();
    let fixture = fixture();
    for (name, at_s) in
        [("plain", None), ("turned", Some(1.5)), ("still", None), ("long", Some(99.0)), ("voice", None)]
    {
        let info = fixture.facts.media[&url(name)].as_ref().unwrap();
        let plan = fixture.within(|context| thumbnail(info, &url(name), context, at_s));
        let text_of_plan = plan.map_or_else(|error| error.to_string(), |plan| still(&plan));
        writeln!(text, "{name}: {text_of_plan}").unwrap();
        let Some(video) = &info.video else { continue };
        for subject in [
            ThumbnailSubject::Effect(Effect::find("flash").unwrap(), 80.0),
            ThumbnailSubject::Look(Look::find("warm").unwrap()),
        ] {
            let plan = catalogue_thumbnail(video, subject);
            let size = (plan.size, plan.fps.get(), plan.frames.0, plan.best_frame.0);
            writeln!(text, "preview {size:?}\n  {}", plan.graph.to_text("v").replace(';', ";\n  ")).unwrap();
        }
    }
    insta::assert_snapshot!("thumbnails-and-previews", text);
}
