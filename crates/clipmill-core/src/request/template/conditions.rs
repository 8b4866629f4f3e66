//! Objects that a condition can drop.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::Template;
use super::fill::{CONDITION, condition, single, step};
use super::places::MAX_PATH_LENGTH;
use crate::message::{self, Message};
use crate::request::names::nearest;
use crate::request::report::shorten;

/// The maximum size in bytes of places that are listed: a name may be as long as the body, and precede all others.
const MAX_LISTED: usize = 1 << 20;

/// Limits the size of a list of places with messages.
#[derive(Default)]
pub struct Listed(usize);

impl Listed {
    pub fn has_room(&mut self, path: &str) -> bool {
        self.0 += path.len() + 200;
        self.0 <= MAX_LISTED
    }
}

/// The objects of a template that have a condition.
pub struct Conditions<'t> {
    /// Whether an object with a condition contains another one, by JSON Pointer into the request.
    objects: BTreeMap<String, bool>,
    /// The variables of the conditions.
    pub names: BTreeSet<&'t str>,
    /// Conditions that are not a declared variable, or are misplaced: pointer, message and near name.
    pub errors: Vec<(String, Message, Option<&'t str>)>,
    listed: Listed,
}

impl<'t> Conditions<'t> {
    pub fn of(template: &'t Template) -> Self {
        let mut conditions = Self {
            objects: BTreeMap::new(),
            names: BTreeSet::new(),
            errors: Vec::new(),
            listed: Listed::default(),
        };
        conditions.add(&template.request, &mut String::new(), template);
        conditions
    }

    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// The object around this place that can be dropped: whether it contains others. `None` if the place always exists.
    pub fn around(&self, path: &str) -> Option<bool> {
        let mut parents = path.match_indices('/').rev().filter_map(|(end, _)| path.get(..end));
        parents.find_map(|parent| self.objects.get(parent).copied())
    }

    /// Returns whether `value` contains objects with conditions.
    fn add(&mut self, value: &'t Value, path: &mut String, template: &'t Template) -> bool {
        let (end, mut contains) = (path.len(), false);
        match value {
            Value::Array(entries) => {
                for (index, entry) in entries.iter().enumerate() {
                    path.push_str(&format!("/{index}"));
                    contains |= self.add(entry, path, template);
                    path.truncate(end);
                }
            }
            Value::Object(members) => {
                for (name, member) in members.iter().filter(|(name, _)| *name != CONDITION) {
                    path.push_str(&step(name));
                    contains |= self.add(member, path, template);
                    path.truncate(end);
                }
                if members.contains_key(CONDITION) {
                    self.check(members, path, template);
                    if path.len() <= MAX_PATH_LENGTH {
                        self.objects.insert(path.clone(), contains);
                    }
                    contains = true;
                }
            }
            _ => {}
        }
        contains
    }

    fn check(&mut self, members: &'t Map<String, Value>, path: &str, template: &'t Template) {
        let mut refuse = |message, near| {
            if self.listed.has_room(path) {
                self.errors.push((format!("{path}/{CONDITION}"), message, near));
            }
        };
        if path.is_empty() || path == "/params" {
            return refuse(message::condition_at_root(), None);
        }
        let Some(name) = condition(members) else { return refuse(message::condition_form(), None) };
        if template.variable(name).is_some() {
            self.names.insert(name);
            return;
        }
        let (message, near) = undeclared(template, name);
        refuse(message, near);
    }
}

/// The error about a variable that is not declared, and the name that was probably meant.
pub fn undeclared<'t>(template: &'t Template, name: &str) -> (Message, Option<&'t str>) {
    let names: Vec<&str> = template.variables.iter().map(|variable| variable.name.as_str()).collect();
    let (near, name) = (nearest(name, &names), shorten(name, 60));
    match near {
        Some(near) => (message::undeclared_variable_near(name, near), Some(near)),
        None => (message::undeclared_variable(name), None),
    }
}

/// Whether this is the place of a valid condition, which is checked with its object.
pub fn is_condition(path: &str, text: &str) -> bool {
    path.rsplit_once('/').is_some_and(|(_, name)| name == CONDITION) && single(text).is_some()
}
