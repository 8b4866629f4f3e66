//! Writes a request and reads it again, for every row of the table of fields, one by one and all together.

use serde_json::{Map, Value, json};

use super::model::{DedupOptions, MixOptions, Params};
use super::schema::Field;
use super::schema::Kind::*;
use super::{TaskRequest, TaskType, accepted, submit, together, with, without};
use crate::effects::Effect;

/// Names for the client's own use: they are not part of the work, and so not written back.
const REMARKS: &[&str] = &[
    "/params/videoList/0/videos/0/sceneName",
    "/params/scenes/0/resources/0/key",
    "/params/options/backgroundMusic/fileName",
    "/params/options/audio/fileName",
    "/params/options/subtitle/fileName",
    "/params/options/backgroundMusicPool/0/fileName",
    "/params/options/voicePool/0/audio/fileName",
    "/params/options/voicePool/0/subtitle/fileName",
];

// One test for each type, because they take long and run in parallel.
#[test]
fn every_field_of_deduplications_is_written_back() {
    check_fields(TaskType::VideoDeduplication);
}

#[test]
fn every_field_of_base_mixes_is_written_back() {
    check_fields(TaskType::BaseVideoMix);
}

#[test]
fn every_field_of_pro_mixes_is_written_back() {
    check_fields(TaskType::ProVideoMix);
}

fn check_fields(kind: TaskType) {
    for pooled in [false, true] {
        let fields = together(kind, pooled);
        let body = body(kind, &fields);
        assert_eq!(accepted(&read(&body).to_wire()).warnings, [], "nothing in it is without meaning");
        // Objects and lists are covered by their members.
        for field in fields.iter().filter(|field| !matches!(field.kind, Object | Array(..))) {
            check(&body, field);
            check(&alone(&body, field, &fields), field);
        }
    }
}

/// Rows of earlier versions must stay readable, and a repeated request must be recognized.
#[test]
fn stored_requests_stay_the_same() {
    for (kind, pooled) in TaskType::ALL.into_iter().flat_map(|kind| [(kind, false), (kind, true)]) {
        let mut fields = together(kind, pooled);
        fields.retain(|field| !is_newer(field.pointer));
        let request = read(&body(kind, &fields));
        let fingerprint: String = request.fingerprint().iter().map(|byte| format!("{byte:02x}")).collect();
        let stored = serde_json::to_string(&request).unwrap();
        let name = format!("stored-{}{}", kind.as_str(), if pooled { "-with-pools" } else { "" });
        insta::assert_snapshot!(name, format!("{fingerprint}\n{stored}"));
    }
}

/// Whether a field was added after these requests were stored.
fn is_newer(pointer: &str) -> bool {
    if pointer.ends_with("/layout") || pointer.contains("/second") {
        return true;
    }
    let names = ["highlight/box", "highlight/scale", "words", "motion", "uppercase", "maxWords", "maxWidth"];
    names.iter().any(|name| pointer.ends_with(&format!("/style/{name}")))
}

#[test]
fn absent_fields_stay_absent() {
    for (kind, pooled) in TaskType::ALL.into_iter().flat_map(|kind| [(kind, false), (kind, true)]) {
        let fields = together(kind, pooled);
        let least = fields.iter().fold(body(kind, &fields), |body, field| {
            let less = remove(&body, field.pointer);
            if submit(&less).is_ok() { less } else { body }
        });
        assert_eq!(read(&read(&least).to_wire()), read(&least), "{least:#}");
    }
}

/// Checks that `body` is the same after writing and reading, and that its value at `field` is written.
#[track_caller]
fn check(body: &Value, field: &Field) {
    let pointer = field.pointer;
    if REMARKS.contains(&pointer) {
        return assert_eq!(read(&remove(body, pointer)), read(body), "{pointer} is a remark");
    }
    let request = read(body);
    let written = request.to_wire();
    let again = submit(&written).unwrap_or_else(|error| panic!("{pointer}: {error}\n{written:#}"));
    assert_eq!(again.request, request, "{pointer} is lost\n{written:#}");
    assert_eq!(again.request.fingerprint(), request.fingerprint(), "{pointer}");
    let value = written.pointer(pointer).unwrap_or_else(|| panic!("{pointer} is not in {written:#}"));
    assert_eq!(read(&with(body, pointer, value.clone())), request, "{pointer} is written otherwise");
    assert!(matters(body, &request, pointer), "{pointer} has no effect");
}

/// `body` reduced to the fields that give `field` a meaning: required fields, its switch, its file.
fn alone(body: &Value, field: &Field, fields: &[Field]) -> Value {
    let others = fields.iter().filter(|other| !field.pointer.starts_with(other.pointer));
    others.fold(body.clone(), |body, other| {
        // Most are gone with the objects that contained them.
        if body.pointer(other.pointer).is_none() {
            return body;
        }
        let less = remove(&body, other.pointer);
        if less.pointer(field.pointer).is_none() {
            return body;
        }
        let is_less_enough = submit(&less).is_ok_and(|accepted| {
            matters(&less, &accepted.request, field.pointer) || !matters(&body, &read(&body), field.pointer)
        });
        if is_less_enough { less } else { body }
    })
}

/// Whether the request of this body would be different without it.
fn matters(body: &Value, request: &TaskRequest, pointer: &str) -> bool {
    submit(&remove(body, pointer)).ok().is_none_or(|less| less.request != *request)
}

#[track_caller]
fn read(body: &Value) -> TaskRequest {
    accepted(body).request
}

/// `body` without the value at `pointer`, if there is one.
fn remove(body: &Value, pointer: &str) -> Value {
    match body.pointer(pointer) {
        Some(_) if pointer.ends_with("/0") => with(body, pointer, Value::Null),
        Some(_) => without(body, pointer),
        None => body.clone(),
    }
}

/// A request with every field of the table at a value other than its default.
fn body(kind: TaskType, fields: &[Field]) -> Value {
    fields.iter().fold(json!({}), |mut body, field| {
        let (parent, name) = field.pointer.rsplit_once('/').unwrap();
        let siblings = fields.iter().filter(|other| other.pointer.rsplit_once('/').unwrap().0 == parent);
        let before = siblings.clone().position(|other| other.pointer == field.pointer).unwrap();
        // Upper bounds are below their lower bounds in the table, so later fields get larger values.
        let share = (before + 1) as f64 / (siblings.count() + 1) as f64;
        let value = value(kind, field, share);
        match body.pointer_mut(parent).unwrap() {
            Value::Array(entries) => entries.push(value),
            object => object[name] = value,
        }
        body
    })
}

/// A value other than the field's default; a number is this `share` of its range above its least.
pub(super) fn value(kind: TaskType, field: &Field, share: f64) -> Value {
    let default: Option<Value> = field.default.map(|default| serde_json::from_str(default).unwrap());
    let between = |min: f64, max: f64, parts: f64| {
        let value = (((max - min) * share + min) * parts).round() / parts;
        let is_default = default.as_ref().and_then(Value::as_f64) == Some(value);
        json!(if is_default { (value + max) / 2.0 } else { value })
    };
    let others =
        |values: Vec<Value>| values.into_iter().find(|value| Some(value) != default.as_ref()).unwrap();
    match (field.pointer, field.kind) {
        ("/taskType", _) => json!(kind),
        ("/params/options/effect/value" | "/params/options/effects/0/value", _) => {
            json!(Effect::all()[0].name)
        }
        // There is one resource to choose from.
        ("/params/generateCount", _) => json!(1),
        ("/params/combinations/0/0", _) => json!(0),
        (_, Bool) => others(vec![json!(false), json!(true)]),
        (_, Number(min, max)) => between(min, max, 1000.0),
        (_, Tenths(min, max)) => between(min, max, 10.0),
        (_, Positive(max)) => between(0.0, max, 1000.0),
        (_, Integer(min, max)) if max - min < 2 => others(vec![json!(min), json!(max)]),
        (_, Integer(min, max)) => json!(min + ((max - min) as f64 * share) as u64),
        (_, Fps) => others(vec![json!(30), json!(60)]),
        (_, Choice(names) | ChoiceOrColor(names) | Font(names)) => {
            others(names.iter().rev().map(|name| json!(name)).collect())
        }
        (pointer, Lines(_)) => json!(format!("字 {pointer}\nb")),
        (_, Place(_)) => Value::Object(Map::new()),
        (pointer, Text(_)) => json!(format!("字 {pointer}")),
        (pointer, Url(_) | WebUrl) => json!(format!("https://x.example{pointer}")),
        (_, Color) => json!(format!("#{:02X}1020{:02X}", (share * 255.0) as u8, (share * 200.0) as u8)),
        (_, Array(..)) => json!([]),
        (_, Object) => Value::Object(Map::new()),
    }
}

/// A request without options gets the default options of the code.
#[test]
fn no_options_are_the_default_ones() {
    let params = |body: Value| accepted(&without(&body, "/params/options")).request.params;
    match params(super::bodies::dedup()) {
        Params::VideoDeduplication(params) => assert_eq!(params.options, DedupOptions::default()),
        other => panic!("{other:?}"),
    }
    match params(super::bodies::pro()) {
        Params::ProVideoMix(params) => assert_eq!(params.options, MixOptions::default()),
        other => panic!("{other:?}"),
    }
}
