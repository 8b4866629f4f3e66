//! The table of all fields of a request: kind, range, default and meaning of each.
//!
//! The request reader, the API description (JSON Schema, OpenAPI), the tables of `docs/api.md` and the console's
//! controls all use this table. Tests try each row at its minimum and maximum, just outside, with a wrong type, absent
//! and null.

mod common;
mod dedup;
mod json_schema;
mod mixes;
mod shape;

use std::collections::HashMap;
use std::sync::LazyLock;

use super::InputRole;
use super::model::TaskType;
use crate::fonts::CaptionFont;
pub use json_schema::json_schema;
pub(super) use shape::{Shape, shape};

/// The kind of a field's value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    Bool,
    /// An inclusive range with any decimals.
    Number(f64, f64),
    /// An inclusive range in multiples of 0.1.
    Tenths(f64, f64),
    /// Above 0 and at most this.
    Positive(f64),
    Integer(u64, u64),
    Fps,
    Choice(&'static [&'static str]),
    /// One of a few names, or the URL of an uploaded font file.
    Font(&'static [&'static str]),
    /// Text of at most this many characters.
    Text(usize),
    /// Text of at most this many characters that may contain line breaks.
    Lines(usize),
    /// One of a few names, or an object whose members have rows of their own.
    Place(&'static [&'static str]),
    /// The URL of an input file, used in this role.
    Url(InputRole),
    /// A URL that clipmill calls rather than downloads.
    WebUrl,
    Color,
    /// Minimum and maximum number of entries; the kind of the entries is that of the field `…/0`.
    Array(usize, usize),
    Object,
}

/// One field of a request's body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field {
    /// JSON Pointer; `0` represents every entry of an array.
    pub pointer: &'static str,
    pub kind: Kind,
    pub required: bool,
    /// The value that is used when the field is absent, as JSON, if there is one.
    pub default: Option<&'static str>,
    pub meaning: &'static str,
    /// The unit of a number.
    pub unit: Option<&'static str>,
    /// Description of the behaviour when the field is absent, if it has no default value.
    pub otherwise: Option<&'static str>,
    /// The upper bound's field, for a lower bound of a range.
    pub up_to: Option<&'static str>,
    /// The member without which the object has no effect.
    pub needs: Option<&'static str>,
    /// The text of `docs/api.md` if it differs from `meaning`.
    pub details: Option<&'static str>,
    /// The label in the console, in English and Chinese.
    pub label: Option<BilingualText>,
    /// The explanation below the control in the console.
    pub hint: Option<BilingualText>,
    /// The labels of the values to choose from, in their order.
    pub words: &'static [BilingualText],
    /// The section of the console's options that contains the field.
    pub section: Option<&'static str>,
}

/// Whether this is a field of `params` in any type of task.
pub(super) fn is_of_params(name: &str) -> bool {
    let has = |kind| shape(kind).member("params").is_some_and(|params| params.member(name).is_some());
    TaskType::ALL.into_iter().any(has)
}

/// A text in English and Chinese.
pub type BilingualText = (&'static str, &'static str);

impl Field {
    pub(super) const fn new(pointer: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self {
            pointer,
            kind,
            required: false,
            default: None,
            meaning,
            unit: None,
            otherwise: None,
            up_to: None,
            needs: None,
            details: None,
            label: None,
            hint: None,
            words: &[],
            section: None,
        }
    }

    const fn needed(self) -> Self {
        Self { required: true, ..self }
    }

    const fn or(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    const fn unit(self, unit: &'static str) -> Self {
        Self { unit: Some(unit), ..self }
    }

    const fn otherwise(self, words: &'static str) -> Self {
        Self { otherwise: Some(words), ..self }
    }

    const fn up_to(self, name: &'static str) -> Self {
        Self { up_to: Some(name), ..self }
    }

    const fn needs(self, name: &'static str) -> Self {
        Self { needs: Some(name), ..self }
    }

    const fn details(self, text: &'static str) -> Self {
        Self { details: Some(text), ..self }
    }

    const fn label(self, english: &'static str, chinese: &'static str) -> Self {
        Self { label: Some((english, chinese)), ..self }
    }

    const fn hint(self, english: &'static str, chinese: &'static str) -> Self {
        Self { hint: Some((english, chinese)), ..self }
    }

    const fn words(self, words: &'static [BilingualText]) -> Self {
        Self { words, ..self }
    }

    const fn section(self, name: &'static str) -> Self {
        Self { section: Some(name), ..self }
    }
}

/// Whether a text at this JSON Pointer is a file URL in any type of request.
pub fn names_file(pointer: &str, text: &str) -> bool {
    let role = role_of(pointer);
    role.is_some() && (role != Some(InputRole::Font) || !CaptionFont::NAMES.contains(&text))
}

/// Whether this JSON Pointer is the URL of a clip in any type of request.
pub(super) fn names_clip(pointer: &str) -> bool {
    role_of(pointer) == Some(InputRole::Clip)
}

fn role_of(pointer: &str) -> Option<InputRole> {
    static ROLES: LazyLock<HashMap<&str, InputRole>> = LazyLock::new(|| {
        let role = |field: Field| match field.kind {
            Kind::Url(role) => Some((field.pointer, role)),
            Kind::Font(_) => Some((field.pointer, InputRole::Font)),
            _ => None,
        };
        TaskType::ALL.into_iter().flat_map(fields).filter_map(role).collect()
    });
    let is_index = |step: &&str| !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
    let steps: Vec<&str> = pointer.split('/').map(|step| if is_index(&step) { "0" } else { step }).collect();
    ROLES.get(steps.join("/").as_str()).copied()
}

/// Every field of a request of this type, an object before its members.
pub fn fields(kind: TaskType) -> Vec<Field> {
    let fields: &[&[Field]] = match kind {
        TaskType::VideoDeduplication => &[common::COMMON, dedup::DEDUP],
        TaskType::BaseVideoMix => &[common::COMMON, mixes::BASE],
        TaskType::ProVideoMix => &[common::COMMON, mixes::PRO],
    };
    let shared = if kind == TaskType::VideoDeduplication { &[] } else { mixes::MIX };
    [fields.concat(), shared.concat()].concat()
}
