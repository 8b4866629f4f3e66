//! The table of fields as a tree.

use std::sync::LazyLock;

use serde_json::Value;

use super::{Field, Kind, fields};
use crate::request::model::TaskType;

/// A place in a request's body and the places below it.
#[derive(Debug)]
pub struct Shape {
    pub field: Field,
    /// The value that is used when the place is absent.
    pub default: Option<Value>,
    members: Vec<(&'static str, Shape)>,
}

/// The tree of a whole request of this type.
pub fn shape(kind: TaskType) -> &'static Shape {
    static SHAPES: LazyLock<[Shape; 3]> = LazyLock::new(|| TaskType::ALL.map(|kind| tree(&fields(kind))));
    let [dedup, base, pro] = &*SHAPES;
    match kind {
        TaskType::VideoDeduplication => dedup,
        TaskType::BaseVideoMix => base,
        TaskType::ProVideoMix => pro,
    }
}

impl Shape {
    pub fn member(&self, name: &str) -> Option<&Shape> {
        self.members.iter().find(|(own, _)| *own == name).map(|(_, shape)| shape)
    }

    pub fn members(&self) -> &[(&'static str, Shape)] {
        &self.members
    }

    /// The shape of every entry of an array.
    pub fn entry(&self) -> Option<&Shape> {
        self.member("0")
    }

    fn of(field: Field) -> Self {
        let default = field.default.and_then(|text| serde_json::from_str(text).ok());
        Self { field, default, members: Vec::new() }
    }
}

fn tree(fields: &[Field]) -> Shape {
    let mut root = Shape::of(Field::new("", Kind::Object, ""));
    for field in fields {
        let mut place = &mut root;
        for step in field.pointer.split('/').skip(1) {
            let known = place.members.iter().position(|(name, _)| *name == step);
            let at = known.unwrap_or_else(|| {
                place.members.push((step, Shape::of(*field)));
                place.members.len() - 1
            });
            // The member at `at` was found or pushed just above.
            let Some((_, below)) = place.members.get_mut(at) else { break };
            place = below;
        }
    }
    root
}
