//! The table of all fields of a request: kind, range, default and meaning of each.
//!
//! The request reader, the API description (JSON Schema, OpenAPI), the tables of `docs/api/` and the console's
//! controls all use this table. Tests try each row at its minimum and maximum, just outside, with a wrong type, absent
//! and null.

mod common;
pub(super) mod field;
mod json_schema;
pub(super) mod mixes;
pub(super) mod shape;

use std::collections::HashMap;
use std::sync::LazyLock;

use super::InputRole;
use super::model::TaskType;
use crate::fonts::CaptionFont;
pub use field::{BilingualText, Field, Kind};
pub use json_schema::json_schema;
use shape::Shape;

/// Whether this is a field of `params` in any type of task.
pub(super) fn is_of_params(name: &str) -> bool {
    let has = |kind| shape(kind).member("params").is_some_and(|params| params.member(name).is_some());
    TaskType::ALL.into_iter().any(has)
}

/// Whether a text at this JSON Pointer is a file URL in any type of request.
pub fn names_file(pointer: &str, text: &str) -> bool {
    let role = role_of(pointer);
    role.is_some() && (role != Some(InputRole::Font) || !CaptionFont::NAMES.contains(&text))
}

/// Whether this JSON Pointer is the URL of a clip of a list in any type of request.
pub(super) fn names_clip(pointer: &str) -> bool {
    // The clip beside another one is not an entry of a list.
    role_of(pointer) == Some(InputRole::Clip) && !pointer.ends_with("/second/url")
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
    let declaration = kind.declaration();
    [common::COMMON, declaration.rows, &declaration.shared_rows.concat()].concat()
}

/// The tree of a whole request of this type.
pub(super) fn shape(kind: TaskType) -> &'static Shape {
    static SHAPES: LazyLock<HashMap<TaskType, Shape>> =
        LazyLock::new(|| TaskType::ALL.map(|kind| (kind, Shape::tree(&fields(kind)))).into());
    &SHAPES[&kind]
}
