//! Rules for caption styles that a row cannot express: presets, and the highlighting of words.

use serde_json::{Map, Value};

use super::form::{Form, Member};
use super::model::{CaptionPreset, Highlight, SubtitleStyle};
use super::reader::Fields;
use crate::message;
use crate::subtitle::{PresetUse, STYLE_FIELDS};

impl Member for Option<PresetUse> {
    type Names = &'static str;

    fn take(fields: &mut Fields, name: &'static str) -> Option<Self> {
        let preset: Option<CaptionPreset> = fields.take(name)?;
        let own = STYLE_FIELDS.iter().map(|(own, _)| *own).filter(|own| has(fields, own)).collect();
        Some(preset.map(|name| PresetUse { name, own }))
    }

    fn put(&self, name: &'static str, object: &mut Map<String, Value>) {
        self.map(|preset| preset.name).put(name, object);
    }
}

/// Whether a request has this field of a style.
fn has(fields: &Fields, name: &str) -> bool {
    match name.split_once('/') {
        Some((object, member)) => fields.member_of(object, member).is_some(),
        None => fields.has(name),
    }
}

/// Takes the fields that the request does not set from its preset.
pub(super) fn expand_preset(_: &mut Fields, style: Option<SubtitleStyle>) -> Option<SubtitleStyle> {
    let style = style?;
    match style.preset {
        Some(PresetUse { name, own }) => Some(style.with_preset(name, own)),
        None => Some(style),
    }
}

/// Removes the fields that come from a preset, so that the request is as it was sent.
pub(super) fn keep_own(style: &SubtitleStyle, object: &mut Map<String, Value>) {
    let Some(PresetUse { own, .. }) = style.preset else { return };
    for (name, _) in STYLE_FIELDS.iter().filter(|(name, _)| !own.has(name)) {
        match name.split_once('/') {
            None => _ = object.shift_remove(*name),
            Some((parent, member)) => {
                let Some(members) = object.get_mut(parent).and_then(Value::as_object_mut) else { continue };
                members.shift_remove(member);
                if members.is_empty() {
                    object.shift_remove(parent);
                }
            }
        }
    }
}

pub(super) fn check_highlight(fields: &mut Fields, highlight: Option<Highlight>) -> Option<Highlight> {
    if !["color", "box", "scale"].into_iter().any(|name| fields.has(name)) {
        fields.warn(message::highlight_without_effect());
    }
    highlight.filter(|highlight| !highlight.is_none())
}

/// The fields that a preset sets, as a request has them.
pub fn preset_fields(preset: CaptionPreset) -> Map<String, Value> {
    let (mut usual, mut fields) = (Map::new(), Map::new());
    SubtitleStyle::DEFAULT.write_fields(&mut usual);
    preset.style().write_fields(&mut fields);
    fields.retain(|name, value| usual.get(name) != Some(value));
    fields
}
