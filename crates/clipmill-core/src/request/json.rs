//! Strict JSON, as a paid request needs it: no duplicate keys, no deep nesting, a bounded number of values.

use std::cell::{Cell, RefCell};
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::RequestError;
use super::report::shorten;
use crate::message::{self, Message};

/// Deepest nesting of objects and arrays, the outermost counting as 1.
pub(super) const MAX_DEPTH: usize = 32;

/// The most values in one body. The largest sensible request has about a tenth of it; without a bound a body of a few
/// megabytes (`[0,0,0,…`) would take a gigabyte of memory.
pub(super) const MAX_VALUES: usize = 500_000;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

pub(super) fn parse(body: &[u8]) -> Result<Value, RequestError> {
    let body = body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body);
    let mut reader = serde_json::Deserializer::from_slice(body);
    let (remaining, refusal) = (Cell::new(MAX_VALUES), RefCell::new(None));
    let read = Strict { depth: 0, left: &remaining, refused: &refusal }.deserialize(&mut reader);
    let read = read.and_then(|value| reader.end().map(|()| value));
    read.map_err(|error| syntax(error, refusal.take()))
}

/// `refused` is the violation of our own rules, if that ended the reading instead of a syntax error.
fn syntax(error: serde_json::Error, refused: Option<Message>) -> RequestError {
    let (line, column) = (error.line(), error.column());
    let text = error.to_string();
    let text = text.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&text);
    let message = match refused {
        Some(message) => message,
        None if error.is_eof() => message::json_ends_early(text),
        None => message::not_json(text),
    };
    RequestError::Syntax { line: line.max(1), column: column.max(1), message }
}

/// Reads one value at `depth` and subtracts it from the remaining number of values.
#[derive(Clone, Copy)]
struct Strict<'a> {
    depth: usize,
    left: &'a Cell<usize>,
    refused: &'a RefCell<Option<Message>>,
}

impl Strict<'_> {
    /// Carries the violation of our own rules past serde, whose errors hold only text.
    fn refuse<E: Error>(self, message: Message) -> E {
        let error = E::custom(&message);
        self.refused.replace(Some(message));
        error
    }

    fn inside<E: Error>(self) -> Result<Self, E> {
        let depth = self.depth + 1;
        if depth > MAX_DEPTH {
            return Err(self.refuse(message::json_too_deep(MAX_DEPTH)));
        }
        Ok(Self { depth, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        let Some(remaining) = self.left.get().checked_sub(1) else {
            return Err(self.refuse(message::json_too_large(MAX_VALUES)));
        };
        self.left.set(remaining);
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| self.refuse(message::json_number()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let inside = self.inside()?;
        let mut array = Vec::new();
        while let Some(entry) = entries.next_element_seed(inside)? {
            array.push(entry);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let inside = self.inside()?;
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(self.refuse(message::json_key_again(shorten(&key, 100))));
            }
            let value = members.next_value_seed(inside)?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}
