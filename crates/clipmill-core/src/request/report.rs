//! All findings about one request, collected while it is read.

use serde_json::Value;

use super::model::TaskRequest;
use super::{Accepted, FieldError, Policy, RequestError, UnknownFields};
use crate::message::{self, Message};
use crate::warning::Warning;

/// Far more than a mistaken client produces, and few enough to bound the response to a hostile one.
const MAX_ERRORS: usize = 50_000;
const MAX_WARNINGS: usize = 1_000;
const MAX_SHOWN: usize = 100;

pub(super) struct Report<'p> {
    pub policy: &'p Policy,
    errors: Vec<FieldError>,
    warnings: Vec<Warning>,
    /// Findings beyond the limit, which are only counted.
    more_errors: usize,
    more_warnings: usize,
}

impl<'p> Report<'p> {
    pub fn new(policy: &'p Policy) -> Self {
        Self { policy, errors: Vec::new(), warnings: Vec::new(), more_errors: 0, more_warnings: 0 }
    }

    pub fn error(&mut self, path: String, message: Message, got: Option<&Value>, allowed: Option<Message>) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(FieldError { path, message, got: got.map(excerpt), allowed });
        } else {
            self.more_errors += 1;
        }
    }

    pub fn warn(&mut self, path: String, message: Message) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(Warning { path, message });
        } else {
            self.more_warnings += 1;
        }
    }

    /// Reports a field that has no meaning at its place.
    pub fn unknown(&mut self, path: String, got: &Value) {
        match self.policy.unknown_fields {
            UnknownFields::Warn => self.warn(path, message::unknown_field_ignored()),
            UnknownFields::Deny => self.error(path, message::unknown_field_refused(), Some(got), None),
        }
    }

    /// The request, if there are no errors.
    pub fn finish(self, request: Option<TaskRequest>) -> Result<Accepted, RequestError> {
        self.close(request).map(|(request, warnings)| Accepted { request, warnings })
    }

    /// [`Report::finish`] for a body of any kind.
    pub fn close<T>(mut self, request: Option<T>) -> Result<(T, Vec<Warning>), RequestError> {
        if request.is_none() && self.errors.is_empty() {
            self.error(String::new(), message::could_not_be_read(), None, None);
        }
        let total = self.errors.len() + self.more_errors;
        if self.more_errors > 0 {
            let message = message::more_errors(self.more_errors);
            self.errors.push(FieldError { path: String::new(), message, got: None, allowed: None });
        }
        if self.more_warnings > 0 {
            let message = message::more_warnings(self.more_warnings);
            self.warnings.push(Warning { path: String::new(), message });
        }
        match request {
            Some(request) if self.errors.is_empty() => Ok((request, self.warnings)),
            _ => Err(RequestError::Invalid { errors: self.errors, total }),
        }
    }

    #[cfg(test)]
    pub fn findings(self) -> (Vec<FieldError>, Vec<Warning>) {
        (self.errors, self.warnings)
    }
}

/// `text`, truncated to `max` characters with an ellipsis.
pub fn shorten(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The value as an error shows it: in full if it is short, otherwise its beginning or its size.
fn excerpt(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(shorten(text, MAX_SHOWN)),
        Value::Array(entries) if !entries.is_empty() => {
            Value::String(format!("an array of {}", counted(entries.len(), "entry", "entries")))
        }
        Value::Object(members) if !members.is_empty() => {
            Value::String(format!("an object of {}", counted(members.len(), "field", "fields")))
        }
        short => short.clone(),
    }
}

/// "1 entry", "2 entries".
fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
