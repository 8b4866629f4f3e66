mod bodies;
mod caption_style;
mod captions;
mod fields;
mod fingerprint;
mod json;
mod lengths;
mod names;
mod normal;
mod rules;
mod speech;
mod split_screens;
mod urls;
mod wire;

use serde_json::Value;

use super::model::{Params, TaskType};
use super::*;

fn submit(body: &Value) -> Result<Accepted, RequestError> {
    parse(body.to_string().as_bytes(), &Policy::default())
}

#[track_caller]
fn accepted(body: &Value) -> Accepted {
    submit(body).unwrap_or_else(|error| panic!("refused: {error}\n{body:#}"))
}

#[track_caller]
fn refused(body: &Value) -> Vec<FieldError> {
    match submit(body) {
        Err(RequestError::Invalid { errors, .. }) => errors,
        other => panic!("not refused: {other:?}\n{body:#}"),
    }
}

/// `path: message` of every error of a rejected body.
#[track_caller]
fn errors(body: &Value) -> Vec<String> {
    refused(body).iter().map(|error| format!("{}: {}", error.path, error.message)).collect()
}

#[track_caller]
fn warnings(body: &Value) -> Vec<String> {
    accepted(body).warnings.iter().map(|warning| format!("{}: {}", warning.path, warning.message)).collect()
}

/// Rows that can be combined: either pools with a text overlay, or the single files that pools replace with an image
/// overlay. Other fields that exclude each other have tests of their own.
fn together(kind: TaskType, pooled: bool) -> Vec<schema::Field> {
    let is_single = |at: &str| {
        let singles = ["backgroundMusic", "audio", "subtitle"].map(|name| format!("/params/options/{name}"));
        singles.iter().any(|single| at == single || at.starts_with(&format!("{single}/")))
    };
    let can_be_combined = |field: &schema::Field| match field.pointer {
        "/params/outputCount" => false,
        // It determines the defaults of the other fields of its style.
        at if at.ends_with("/style/preset") => false,
        at if at.starts_with("/params/options/overlays/0/texts") => false,
        at if at.starts_with(COVER) => is_of_cover(&at[COVER.len()..], pooled),
        at if at.starts_with(OVERLAY) => is_of_overlay(&at[OVERLAY.len()..], pooled),
        at if at.starts_with("/params/starts") || at.starts_with("/params/fill") => false,
        "/params/scenes/0/length" | "/params/scenes/0/text" => false,
        "/params/options/length" | "/params/options/tail" | "/params/options/clipSeconds" => false,
        at if is_of_inline_captions(at) || is_of_speech(at) => false,
        at if at.starts_with("/params/options/backgroundMusicPool") => pooled,
        at if at.starts_with("/params/options/voicePool") => pooled,
        at if at.starts_with("/params/options/introPool") || at.starts_with("/params/options/outroPool") => {
            pooled
        }
        at => !pooled || !is_single(at),
    };
    let of_type = |field: schema::Field| match field.pointer {
        "/params/options/overlays/0/type" => {
            let names: &[&str] = if pooled { &["text"] } else { &["image"] };
            schema::Field { kind: schema::Kind::Choice(names), ..field }
        }
        _ => field,
    };
    schema::fields(kind).into_iter().filter(can_be_combined).map(of_type).collect()
}

/// Captions in the request exclude those of a file.
fn is_of_inline_captions(at: &str) -> bool {
    ["subtitle/text", "subtitle/timing", "subtitle/cues", "subtitle/from"]
        .iter()
        .any(|name| at.contains(name))
}

/// A text that is spoken excludes the URL of a file.
fn is_of_speech(at: &str) -> bool {
    let of_audio = ["audio", "audioResources/0"].iter();
    of_audio
        .flat_map(|object| ["text", "voice", "speed"].map(|name| format!("/{object}/{name}")))
        .any(|end| at.ends_with(&end))
}

const COVER: &str = "/params/options/cover/";

/// A cover is a frame or an image; fields of captions have no effect on its title.
fn is_of_cover(name: &str, is_image: bool) -> bool {
    match name {
        "at" => !is_image,
        "url" => is_image,
        name => !is_of_captions(name.strip_prefix("title/").unwrap_or(name)),
    }
}

/// Whether a field of a style belongs to captions only.
fn is_of_captions(name: &str) -> bool {
    ["bottom", "place", "highlight", "words", "motion", "maxWords", "maxWidth"]
        .iter()
        .any(|own| name.strip_prefix("style/").is_some_and(|field| field.starts_with(own)))
}

const OVERLAY: &str = "/params/options/overlays/0/";

/// Whether a field of overlays belongs to texts, or to images; a field of captions belongs to neither.
fn is_of_overlay(name: &str, text: bool) -> bool {
    if is_of_captions(name) {
        return false;
    }
    match name.split('/').next().unwrap() {
        "url" | "width" | "opacity" => !text,
        "loop" | "volume" | "key" => false,
        "text" | "maxWidth" | "style" => text,
        _ => true,
    }
}

/// `body` with `value` replaced or inserted at `pointer`.
#[track_caller]
fn with(body: &Value, pointer: &str, value: Value) -> Value {
    let mut body = body.clone();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    match body.pointer_mut(parent).unwrap_or_else(|| panic!("no {parent}")) {
        Value::Array(entries) if entries.len() == name.parse::<usize>().unwrap() => entries.push(value),
        Value::Array(entries) => entries[name.parse::<usize>().unwrap()] = value,
        object => object[name] = value,
    }
    body
}

#[track_caller]
fn without(body: &Value, pointer: &str) -> Value {
    let mut body = body.clone();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    body.pointer_mut(parent).unwrap().as_object_mut().unwrap().shift_remove(name).unwrap();
    body
}
