//! A cursor over the JSON tree that knows its place and records which names were read.

use serde_json::{Map, Value};

use super::Policy;
use super::names::nearest;
use super::report::{Report, shorten};
use super::schema::field::{Field, Kind};
use super::schema::shape::Shape;
use crate::message::{self, Message};

/// An object with this many unknown fields was not written for this API.
const MAX_UNKNOWN: usize = 100;
/// The maximum length of a text with a point in time, which callers parse.
pub(super) const MAX_TIMESTAMP_LENGTH: usize = 40;

/// One place in the request: a value or its absence. Reading it consumes it and reports errors; `None` then means
/// absent or already reported.
pub(super) struct Node<'v, 'r, 'p> {
    pub(super) value: Option<&'v Value>,
    pub(super) path: String,
    pub(super) report: &'r mut Report<'p>,
    /// The allowed values here, if the table of fields has a row for it.
    pub(super) shape: Option<&'static Shape>,
}

impl<'v, 'r, 'p> Node<'v, 'r, 'p> {
    pub fn root(value: &'v Value, report: &'r mut Report<'p>) -> Self {
        Self { value: Some(value), path: String::new(), report, shape: None }
    }

    pub fn kind(&self) -> Option<Kind> {
        self.shape.map(|shape| shape.field.kind)
    }

    /// Reads an object; names in it that `read` did not read are unknown.
    pub fn object<T>(self, read: impl FnOnce(&mut Fields) -> T) -> Option<T> {
        match self.value? {
            Value::Object(map) => {
                let mut fields = Fields::new(map, self.path, self.report, self.shape);
                let result = read(&mut fields);
                fields.report_unknown();
                Some(result)
            }
            _ => self.refuse(message::not_an_object(), Some(message::an_object())),
        }
    }

    /// [`Node::object`], with an absent object read as an empty one, for objects whose defaults apply.
    pub fn object_or_empty<T>(self, read: impl FnOnce(&mut Fields) -> T) -> Option<T> {
        let empty = Value::Object(Map::new());
        let value = Some(self.value.unwrap_or(&empty));
        Node { value, path: self.path, report: self.report, shape: self.shape }.object(read)
    }

    /// Checks only that it is an object, when its fields cannot be checked.
    pub fn unread_object<T>(self) -> Option<T> {
        match self.value? {
            Value::Object(_) => None,
            _ => self.refuse(message::not_an_object(), Some(message::an_object())),
        }
    }

    /// Reads an array of 1 to `max` entries, skipping those that `read` rejects.
    pub fn array<T>(self, max: usize, mut read: impl FnMut(Node) -> Option<T>) -> Option<Vec<T>> {
        self.array_of_indexed(max, |_, entry| read(entry))
    }

    /// [`Node::array`] that passes each entry's index to `read`.
    pub fn array_of_indexed<T>(
        self,
        max: usize,
        read: impl FnMut(usize, Node) -> Option<T>,
    ) -> Option<Vec<T>> {
        if matches!(self.value?, Value::Array(entries) if entries.is_empty()) {
            return self.refuse(message::no_entry(), Some(message::allowed_some_entries(max)));
        }
        self.indexed_array(max, read)
    }

    /// [`Node::array`] that may also be empty.
    pub fn array_or_empty<T>(self, max: usize, mut read: impl FnMut(Node) -> Option<T>) -> Option<Vec<T>> {
        self.indexed_array(max, |_, entry| read(entry))
    }

    /// [`Node::array_or_empty`] that passes each entry's index to `read`.
    pub fn indexed_array<T>(
        self,
        max: usize,
        mut read: impl FnMut(usize, Node) -> Option<T>,
    ) -> Option<Vec<T>> {
        let Value::Array(entries) = self.value? else {
            return self.refuse(message::not_an_array(), Some(message::allowed_array(max)));
        };
        let Node { value, path, report, shape } = self;
        let shape = shape.and_then(Shape::entry);
        if entries.len() > max {
            let message = message::too_many_entries(entries.len(), max);
            report.error(path.clone(), message, value, Some(message::allowed_entries(max)));
        }
        let read_entry = |(index, entry): (usize, &Value)| {
            let path = format!("{path}/{index}");
            let node = Node { value: Some(entry), path, report: &mut *report, shape };
            if is_absent(entry) { node.refuse(message::is_empty(), None) } else { read(index, node) }
        };
        Some(entries.iter().take(max).enumerate().filter_map(read_entry).collect())
    }

    /// Checks only that it is an array, for lists that are unused because their option is off.
    pub fn unread_array(self) {
        if !matches!(self.value, None | Some(Value::Array(_))) {
            self.refuse::<()>(message::not_an_array(), Some(message::an_array()));
        }
    }

    /// Reports the value here as invalid and returns `None`.
    pub fn refuse<T>(self, message: Message, allowed: Option<Message>) -> Option<T> {
        self.report.error(self.path, message, self.value, allowed);
        None
    }
}

/// The fields of one object.
pub(super) struct Fields<'v, 'r, 'p> {
    map: &'v Map<String, Value>,
    path: String,
    known: Vec<&'static str>,
    report: &'r mut Report<'p>,
    pub(super) shape: Option<&'static Shape>,
    /// False in an option that is switched off; then relations between its values are not checked.
    pub(super) on: bool,
}

impl<'v, 'r, 'p> Fields<'v, 'r, 'p> {
    fn new(
        map: &'v Map<String, Value>,
        path: String,
        report: &'r mut Report<'p>,
        shape: Option<&'static Shape>,
    ) -> Self {
        Self { map, path, known: Vec::new(), report, shape, on: true }
    }

    /// The row of the field `name` in the table.
    pub fn row(&self, name: &str) -> Option<&'static Field> {
        self.shape.and_then(|shape| shape.member(name)).map(|shape| &shape.field)
    }

    /// The default of the field `name`, read as if it had been sent.
    pub fn default(&mut self, name: &'static str) -> Node<'static, '_, 'p> {
        let shape = self.shape.and_then(|shape| shape.member(name));
        let value = shape.and_then(|shape| shape.default.as_ref());
        Node { value, path: format!("{}/{name}", self.path), report: self.report, shape }
    }

    /// Checks texts that clients send for their own use: they are read like any other, and discarded.
    pub fn check_remarks(&mut self) {
        for (name, shape) in self.shape.map(Shape::members).unwrap_or_default() {
            if let Kind::Text(most) = shape.field.kind
                && !self.known.contains(name)
            {
                self.get(name).text(most);
            }
        }
    }

    /// An optional field; `null` and the empty string count as absent.
    pub fn get(&mut self, name: &'static str) -> Node<'v, '_, 'p> {
        self.known.push(name);
        let value = self.map.get(name).filter(|value| !is_absent(value));
        let shape = self.shape.and_then(|shape| shape.member(name));
        Node { value, path: format!("{}/{name}", self.path), report: self.report, shape }
    }

    /// A required field; reported if it is absent.
    pub fn need(&mut self, name: &'static str) -> Node<'v, '_, 'p> {
        if self.map.get(name).is_none_or(is_absent) {
            self.refuse(name, message::is_required(), None);
        }
        self.get(name)
    }

    /// Whether the field `name` is present, valid or not.
    pub fn has(&self, name: &str) -> bool {
        self.map.get(name).is_some_and(|value| !is_absent(value))
    }

    /// The member of the object `name`, valid or not, if it is present.
    pub fn member_of(&self, name: &str, member: &str) -> Option<&'v Value> {
        self.map.get(name)?.get(member).filter(|value| !is_absent(value))
    }

    /// Whether the field `name` is mentioned at all, even as `null` or empty.
    pub fn is_mentioned(&self, name: &str) -> bool {
        self.map.contains_key(name)
    }

    /// The names of all fields that are present, known or not.
    pub fn names(&self) -> impl Iterator<Item = &'v str> {
        self.map.iter().filter(|(_, value)| !is_absent(value)).map(|(name, _)| name.as_str())
    }

    pub fn policy(&self) -> &'p Policy {
        self.report.policy
    }

    /// The raw value of the field `name`, to be read by other means.
    pub fn raw(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        self.map.get(name).filter(|value| !value.is_null()).cloned()
    }

    /// The number of entries of the array `name`, valid or not.
    pub fn entries(&self, name: &str) -> Option<usize> {
        self.map.get(name).and_then(Value::as_array).map(Vec::len)
    }

    /// Reports the field `name` (or a place below it, `name/below`) as invalid.
    pub fn refuse(&mut self, name: &str, message: Message, allowed: Option<Message>) {
        let value = match name.split_once('/') {
            Some((first, below)) => self.map.get(first).and_then(|value| value.get(below)),
            None => self.map.get(name),
        };
        self.report.error(format!("{}/{name}", self.path), message, value, allowed);
    }

    /// Adds a warning about the object as a whole.
    pub fn warn(&mut self, message: Message) {
        self.report.warn(self.path.clone(), message);
    }

    /// Adds a warning about the field `name` (or a place below it, `name/below`).
    pub fn warn_of(&mut self, name: &str, message: Message) {
        self.report.warn(format!("{}/{name}", self.path), message);
    }

    fn report_unknown(self) {
        let mut unknown = 0;
        for (name, value) in self.map.iter().filter(|(name, _)| !self.known.contains(&name.as_str())) {
            unknown += 1;
            if unknown > MAX_UNKNOWN {
                let message = message::unknown_fields(message::fields(self.map.len()), MAX_UNKNOWN);
                return self.report.error(
                    self.path,
                    message,
                    None,
                    Some(message::allowed_values(self.known.join(", "))),
                );
            }
            let path = format!("{}/{}", self.path, escape(&shorten(name, 100)));
            let level = self.shape.and_then(|shape| shape.level_of(name));
            match (level, nearest(name, &self.known)) {
                (Some(_), _) if is_absent(value) => self.report.unknown(path, value),
                (Some(level), _) => self.report.error(path, level.misplaced(), Some(value), None),
                (None, Some(near)) => {
                    let message = message::unknown_field_near(near);
                    self.report.error(path, message, Some(value), Some(message::allowed_values(near)));
                }
                (None, None) => self.report.unknown(path, value),
            }
        }
    }
}

fn is_absent(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        _ => false,
    }
}

/// A name as a step of a JSON Pointer.
fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
