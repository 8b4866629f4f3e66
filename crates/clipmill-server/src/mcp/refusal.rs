//! Explains why a tool failed, so that an agent can correct its call.

use std::fmt::Write;

use serde_json::{Map, Value};

use crate::mcp::api_client::{Reply, Unreachable};

/// The most wrong fields that are listed; with more, the agent should read the description again.
const MAX_FIELDS: usize = 30;

/// The text of a tool's error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(pub String);

impl Refusal {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// An error of the API: its message, each wrong field, and what to do.
    pub fn of(reply: &Reply) -> Self {
        let Ok(envelope) = serde_json::from_slice::<Value>(&reply.body) else {
            return Self(format!(
                "the service responded with status {} and not in the format of the API",
                reply.status
            ));
        };
        let code = envelope["code"].as_u64().unwrap_or_default();
        let mut text = format!("{} (error {code})", envelope["msg"].as_str().unwrap_or("refused"));
        if let Value::Object(data) = &envelope["data"] {
            append_data(&mut text, data);
        }
        if let Some(hint) = hint(code) {
            let _ = write!(text, "\n{hint}");
        }
        Self(text)
    }
}

impl From<Unreachable> for Refusal {
    fn from(Unreachable(why): Unreachable) -> Self {
        Self(why)
    }
}

/// Members of `data` that the message contains, or that are listed apart.
const IN_TEXT: [&str; 2] = ["errors", "cause"];

fn append_data(text: &mut String, data: &Map<String, Value>) {
    let errors = data.get("errors").and_then(Value::as_array);
    for error in errors.into_iter().flatten().take(MAX_FIELDS) {
        append_field(text, error);
    }
    if let Some(more) = errors.and_then(|errors| errors.len().checked_sub(MAX_FIELDS + 1)) {
        let _ = write!(text, "\n- and {} more", more + 1);
    }
    for (name, value) in data.iter().filter(|(name, _)| !IN_TEXT.contains(&name.as_str())) {
        let _ = write!(text, "\n{name}: {value}");
    }
}

fn append_field(text: &mut String, error: &Value) {
    let path = error["path"].as_str().filter(|path| !path.is_empty()).unwrap_or("the whole");
    let message = error["message"].as_str().unwrap_or("is wrong");
    let _ = write!(text, "\n- {path}: {message}");
    if !error["got"].is_null() {
        let _ = write!(text, "; got {}", error["got"]);
    }
    if let Some(allowed) = error["allowed"].as_str() {
        let _ = write!(text, "; allowed: {allowed}");
    }
}

/// Advice for errors whose message has none for an agent.
fn hint(code: u64) -> Option<&'static str> {
    match code {
        40001 => Some(
            "Paths are JSON Pointers into the request. describe_task with such a path as `part` describes the field.",
        ),
        40100 | 40101 => Some("The API key is not valid: ask the user for another one."),
        40200 => {
            Some("get_points returns the balance. Make fewer or shorter videos, or ask the user for points.")
        }
        40300 => Some("This API key may not do that: ask the user for a key with that scope."),
        40400 => Some("Not found for this key's user. list_tasks returns the existing tasks."),
        40900 => Some("Choose another clientTaskId, or send the same request as before under this one."),
        42200 => Some("Try another atSeconds, or probe_media on the files."),
        42900..=42999 => {
            Some("Too many calls at once: wait as long as the message requires, then continue more slowly.")
        }
        _ => None,
    }
}
