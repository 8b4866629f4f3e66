//! Presets of caption styles, and their fields.

use serde_json::{Value, json};

use super::*;
use crate::request::model::{Highlight, Motion, Params, Rgba, SubtitleStyle, WordDisplay};
use crate::request::preset_fields;
use crate::subtitle::CaptionPreset;

const STYLE: &str = "/params/options/subtitle/style";

fn body(style: Value) -> Value {
    with(&bodies::base(), STYLE, style)
}

#[track_caller]
fn style(style: Value) -> SubtitleStyle {
    match accepted(&body(style)).request.params {
        Params::BaseVideoMix(params) => params.options.subtitle.unwrap().style,
        _ => panic!("another type"),
    }
}

#[test]
fn a_preset_sets_the_fields_that_the_style_does_not_have() {
    let karaoke = style(json!({ "preset": "karaoke" }));
    assert_eq!(SubtitleStyle { preset: None, ..karaoke.clone() }, CaptionPreset::Karaoke.style());
    let own = style(
        json!({ "preset": "karaoke", "fontSize": 12, "motion": "pop", "highlight": { "box": "#F00" } }),
    );
    assert_eq!((own.font_size, own.motion, own.magnification), (12, Motion::Pop, karaoke.magnification));
    let highlight = own.highlight.unwrap();
    assert_eq!(highlight.color, karaoke.highlight.unwrap().color);
    assert_eq!(highlight.back_color, Some(Rgba { r: 255, g: 0, b: 0, a: 255 }));
    let off = style(json!({ "preset": "bold-pop", "words": "line", "motion": "none", "uppercase": false }));
    assert_eq!((off.words, off.motion, off.uppercase), (WordDisplay::Line, Motion::None, false));
    assert_eq!(style(json!({ "preset": null })), style(json!({})));
}

/// The preset and the fields of the request are returned as they were sent, even those that equal the preset's.
#[test]
fn a_preset_is_returned_with_the_fields_of_the_request_only() {
    for sent in [
        json!({ "preset": "karaoke" }),
        json!({ "preset": "karaoke", "fontSize": 18, "weight": "regular", "font": "noto-serif" }),
        json!({ "preset": "impact", "highlight": { "color": "#39FF6A" } }),
        json!({ "preset": "impact", "highlight": { "box": "#00000080", "scale": 1.0 }, "maxWords": 4 }),
        json!({ "preset": "headline", "uppercase": false, "bottom": 90 }),
    ] {
        let request = accepted(&body(sent.clone())).request;
        let wire = request.to_wire();
        let by_name = |value: &Value| {
            value
                .as_object()
                .unwrap()
                .iter()
                .map(|(n, v)| (n.clone(), v.clone()))
                .collect::<std::collections::BTreeMap<_, _>>()
        };
        assert_eq!(by_name(wire.pointer(STYLE).unwrap()), by_name(&sent));
        assert_eq!(accepted(&wire).request, request);
        let stored = serde_json::to_value(&request).unwrap();
        assert_eq!(serde_json::from_value::<TaskRequest>(stored).unwrap(), request);
    }
}

#[test]
fn the_fields_of_presets_are_those_of_requests() {
    for preset in CaptionPreset::ALL {
        let read = style(Value::Object(preset_fields(preset)));
        assert_eq!(read, preset.style(), "{preset:?}");
    }
}

#[test]
fn a_highlight_without_effect_is_a_warning() {
    let at = format!("{STYLE}/highlight: has no `color`, `box` or `scale`; no words are highlighted");
    for highlight in [json!({}), json!({ "color": null }), json!({ "color": "" })] {
        let body = body(json!({ "highlight": highlight }));
        assert_eq!(warnings(&body), [at.as_str()]);
        assert_eq!(style(json!({ "highlight": highlight })).highlight, None);
    }
    assert_eq!(
        style(json!({ "highlight": { "scale": 1.3 } })).highlight,
        Some(Highlight { scale: Some(1.3), ..Highlight::NONE })
    );
}

#[test]
fn wrong_values_are_errors_with_their_places() {
    for (sent, expected) in [
        (json!({ "preset": "karaok" }), "preset: must be one of clean, bold-pop"),
        (json!({ "words": "all" }), "words: "),
        (json!({ "motion": "jump" }), "motion: "),
        (json!({ "maxWords": 0 }), "maxWords: must be between 1 and 12"),
        (json!({ "maxWords": 13 }), "maxWords: must be between 1 and 12"),
        (json!({ "maxWords": 1.5 }), "maxWords: "),
        (json!({ "uppercase": "yes" }), "uppercase: "),
        (json!({ "highlight": { "scale": 1.31 } }), "highlight/scale: must be between 1 and 1.3"),
        (json!({ "highlight": { "box": "red" } }), "highlight/box: "),
        (json!({ "highlight": "#fff" }), "highlight: "),
    ] {
        let errors = errors(&body(sent.clone()));
        let [error] = errors.as_slice() else { panic!("{sent}: {errors:?}") };
        assert!(error.starts_with(&format!("{STYLE}/{expected}")), "{error}");
    }
}

/// Fields that have no effect on overlays are reported only if the request has them.
#[test]
fn overlays_take_the_look_of_a_preset() {
    let overlay = |style: Value| {
        let overlay = json!([{ "type": "text", "text": "a", "style": style }]);
        with(&bodies::base(), "/params/options/overlays", overlay)
    };
    assert_eq!(warnings(&overlay(json!({ "preset": "impact", "fontSize": 12 }))), [""; 0]);
    assert_eq!(warnings(&overlay(json!({ "preset": "impact", "motion": "pop" }))).len(), 1);
    assert_eq!(warnings(&overlay(json!({ "words": "grow" }))).len(), 1);
    assert_eq!(warnings(&overlay(json!({ "uppercase": true }))), [""; 0]);
}
