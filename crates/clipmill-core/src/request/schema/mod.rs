//! What a request may hold, as data: every field with its kind, range, default and meaning.
//!
//! The interface's description (JSON Schema, OpenAPI) is made from it, and the tests hold each row against
//! the code that reads requests: at its least, its most, just outside, of a wrong type, absent and null.

mod fields;
mod json_schema;
mod shape;

use super::model::TaskType;
pub use json_schema::json_schema;
pub(super) use shape::{Shape, shape};

/// What a field's value may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
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
    /// An input file.
    Url,
    /// An address that is called, not read.
    WebUrl,
    Color,
    /// From least to most entries; their kind is that of the field `…/0`.
    Array(usize, usize),
    Object,
}

/// One field of the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field {
    /// JSON Pointer; `0` stands for every entry of an array.
    pub pointer: &'static str,
    pub kind: Kind,
    pub required: bool,
    /// What absence means, as JSON, where it can be spelled out.
    pub default: Option<&'static str>,
    pub meaning: &'static str,
    /// Whether it goes beyond the original specification.
    pub ours: bool,
}

impl Field {
    const fn new(pointer: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self { pointer, kind, required: false, default: None, meaning, ours: false }
    }

    const fn needed(self) -> Self {
        Self { required: true, ..self }
    }

    const fn or(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    const fn ours(self) -> Self {
        Self { ours: true, ..self }
    }
}

/// Every field of a request of this type, an object before its members.
pub fn fields(kind: TaskType) -> Vec<Field> {
    let own: &[&[Field]] = match kind {
        TaskType::VideoDeduplication => &[fields::COMMON, fields::DEDUP],
        TaskType::BaseVideoMix => &[fields::COMMON, fields::BASE, fields::MIX],
        TaskType::ProVideoMix => &[fields::COMMON, fields::PRO, fields::MIX],
    };
    own.concat()
}
