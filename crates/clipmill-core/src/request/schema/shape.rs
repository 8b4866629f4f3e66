//! The table of fields as a tree.

use serde_json::Value;

use super::field::{Field, Kind};
use crate::message::{self, Message};

/// One of the three objects that hold the general fields of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Top,
    Params,
    Options,
}

impl Level {
    const ALL: [Self; 3] = [Self::Top, Self::Params, Self::Options];

    /// The message for a field of this level that is used at another level.
    pub fn misplaced(self) -> Message {
        match self {
            Self::Top => message::belongs_at_top(),
            Self::Params => message::belongs_in("params"),
            Self::Options => message::belongs_in("params.options"),
        }
    }

    fn shape(self, root: &mut Shape) -> Option<&mut Shape> {
        match self {
            Self::Top => Some(root),
            Self::Params => root.member_mut("params"),
            Self::Options => root.member_mut("params")?.member_mut("options"),
        }
    }
}

/// A place in a request's body and the places below it.
#[derive(Debug)]
pub struct Shape {
    pub field: Field,
    /// The value that is used when the place is absent.
    pub default: Option<Value>,
    members: Vec<(&'static str, Shape)>,
    /// Fields of the other levels, if this is one of the levels.
    elsewhere: Vec<(&'static str, Level)>,
}

impl Shape {
    /// The tree of these fields.
    pub fn tree(fields: &[Field]) -> Self {
        let mut root = Self::of(Field::new("", Kind::Object, ""));
        for field in fields {
            let mut place = &mut root;
            for step in field.pointer.split('/').skip(1) {
                let position = place.members.iter().position(|(name, _)| *name == step);
                let at = position.unwrap_or_else(|| {
                    place.members.push((step, Self::of(*field)));
                    place.members.len() - 1
                });
                // The member at `at` exists or was pushed just above.
                let Some((_, below)) = place.members.get_mut(at) else { break };
                place = below;
            }
        }
        note_other_levels(&mut root);
        root
    }

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

    /// The level of a field that is unknown at this level.
    pub fn level_of(&self, name: &str) -> Option<Level> {
        self.elsewhere.iter().find(|(own, _)| *own == name).map(|(_, level)| *level)
    }

    fn member_mut(&mut self, name: &str) -> Option<&mut Shape> {
        self.members.iter_mut().find(|(own, _)| *own == name).map(|(_, shape)| shape)
    }

    fn of(field: Field) -> Self {
        let default = field.default.and_then(|text| serde_json::from_str(text).ok());
        Self { field, default, members: Vec::new(), elsewhere: Vec::new() }
    }
}

fn note_other_levels(root: &mut Shape) {
    let mut names = Vec::new();
    for level in Level::ALL {
        let members = level.shape(root).map(|shape| shape.members.as_slice()).unwrap_or_default();
        names.extend(members.iter().map(|(name, _)| (*name, level)));
    }
    for level in Level::ALL {
        if let Some(shape) = level.shape(root) {
            let others = names.iter().filter(|(name, of)| *of != level && shape.member(name).is_none());
            shape.elsewhere = others.copied().collect();
        }
    }
}
