//! Output for people and programs.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use clipmill_core::message::Message;
use clipmill_core::request::RequestError;
use clipmill_core::request::batch::RowError;
use clipmill_server::error::ApiError;
use clipmill_server::view::MessageView;
use serde_json::Value;

/// The most errors reported to programs.
const MAX_PRINTED_ERRORS: usize = 1_000;
/// The most errors reported to people.
const MAX_LINES: usize = 50;

/// A mistake of the caller: an invalid command line or request (exit status 2).
#[derive(Debug)]
pub struct UsageError(pub String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

pub fn wrong(message: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(UsageError(message.into()))
}

/// A file of the caller that cannot be accepted; also reported in the API's format if the output is `json`.
pub fn refused(file: &Path, error: RequestError, json: bool) -> anyhow::Error {
    let explained = match &error {
        RequestError::Syntax { line, column, message } => {
            format!("{}:{line}:{column}: {message}", file.display())
        }
        RequestError::Invalid { errors, .. } => {
            let lines = errors.iter().map(|error| format!("\n  {}: {}", error.path, error.message));
            format!("{}: the request is not valid:{}", file.display(), lines.collect::<String>())
        }
    };
    if json {
        print_json(&ApiError::from(error).envelope());
    }
    wrong(explained)
}

/// Wrong values of one request, reported in the same way.
pub fn wrong_values(file: &Path, errors: Vec<RowError>, json: bool) -> anyhow::Error {
    let errors: Vec<_> = errors.into_iter().map(|wrong| wrong.error).collect();
    refused(file, RequestError::Invalid { total: errors.len(), errors }, json)
}

/// A table with wrong rows, reported in the same way.
pub fn wrong_rows(file: &Path, errors: Vec<RowError>, json: bool) -> anyhow::Error {
    let envelope = ApiError::wrong_rows(errors, MAX_PRINTED_ERRORS).envelope();
    if json {
        print_json(&envelope);
    }
    let errors = envelope["data"]["errors"].as_array().map(Vec::as_slice).unwrap_or_default();
    wrong(format!("{}: the table is not valid:{}", file.display(), describe_fields(errors)))
}

/// Wrong fields as the API reports them, one per line, with row and column if they belong to a table.
pub fn describe_fields(errors: &[Value]) -> String {
    let mut text: String =
        errors.iter().take(MAX_LINES).map(|error| format!("\n  {}", describe_field(error))).collect();
    if let Some(more) = errors.len().checked_sub(MAX_LINES).filter(|more| *more > 0) {
        text.push_str(&format!("\n  and {more} more"));
    }
    text
}

fn describe_field(error: &Value) -> String {
    let path = error["path"].as_str().unwrap_or_default();
    let place = match (error["row"].as_u64(), error["column"].as_str()) {
        (Some(row), Some(column)) => format!("row {row}, column {column}"),
        (Some(row), None) => format!("row {row}, {path}"),
        (None, _) => path.to_owned(),
    };
    let got = if error["got"].is_null() { String::new() } else { format!("; got {}", error["got"]) };
    format!("{place}: {}{got}", error["message"].as_str().unwrap_or("is wrong"))
}

/// Prints results for programs and pipes. A reader that closes the pipe is not an error.
pub fn print_line(text: impl fmt::Display) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

pub fn print_json(value: &Value) {
    let mut output = value.clone();
    show_codes(&mut output);
    print_line(format_args!("{output:#}"));
}

/// A number with its noun in the singular or plural: `1 job`, `2 jobs`.
pub fn pluralize<N: fmt::Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    let ending = if number == N::from(1_u8) { "" } else { "s" };
    format!("{number} {noun}{ending}")
}

/// The message in the language of the terminal, from the first set variable of `LC_ALL`, `LC_MESSAGES` and `LANG`.
/// Programs get English.
pub fn localize(message: &Message) -> String {
    let set = |name: &&str| std::env::var(name).is_ok_and(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .iter()
        .find(|name| set(name))
        .and_then(|name| std::env::var(name).ok());
    let is_chinese = locale.is_some_and(|locale| locale.starts_with("zh"));
    let chinese = if is_chinese { message.chinese() } else { None };
    chinese.unwrap_or_else(|| message.english().to_owned())
}

/// Replaces the stored form of messages by code and parameters as in the API: `messageCode` and `messageParams` beside
/// the code of an error, otherwise `code` and `params`.
fn show_codes(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if members.contains_key("message")
                && members.contains_key("said")
                && let Ok(message) = serde_json::from_value::<Message>(Value::Object(members.clone()))
            {
                let names = match members.contains_key("code") {
                    true => ["messageCode", "messageParams"],
                    false => ["code", "params"],
                };
                let view = serde_json::to_value(MessageView::from(&message)).unwrap_or_default();
                members.remove("said");
                for (name, part) in names.into_iter().zip(["code", "params"]) {
                    members.insert(name.to_owned(), view[part].clone());
                }
                return;
            }
            members.values_mut().for_each(show_codes);
        }
        Value::Array(entries) => entries.iter_mut().for_each(show_codes),
        _ => {}
    }
}

/// An error and its causes, outermost first. An error that repeats its cause's text is printed once.
pub fn with_causes(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |text, cause| match text.as_str() {
        "" => cause,
        before if before.ends_with(&cause) => text,
        before => format!("{before}: {cause}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;
    use clipmill_core::error::{ErrorCode, TaskError};
    use clipmill_core::message;
    use clipmill_core::plan::Warning;
    use serde_json::json;

    #[test]
    fn messages_are_printed_with_codes_as_in_the_api() {
        let warning = Warning { path: "/a".to_owned(), message: message::between("1", "2") };
        let error = TaskError::new(ErrorCode::RenderFailed, message::sound_missing());
        let mut report = json!({ "items": [{ "warnings": [warning], "error": error }] });
        assert!(report.to_string().contains("said"));
        show_codes(&mut report);
        let item = &report["items"][0];
        let params = json!({ "min": "1", "max": "2" });
        let text = "must be between 1 and 2";
        assert_eq!(
            item["warnings"],
            json!([{ "path": "/a", "message": text, "code": "between", "params": params }])
        );
        assert_eq!(item["error"]["code"], "RENDER_FAILED");
        assert_eq!(item["error"]["messageCode"], "sound_missing");
        assert!(!report.to_string().contains("said"));
    }

    #[test]
    fn one_thing_is_singular() {
        assert_eq!(pluralize(0_u64, "job"), "0 jobs");
        assert_eq!(pluralize(1_usize, "job"), "1 job");
        assert_eq!(pluralize(2_i64, "job"), "2 jobs");
    }

    #[test]
    fn a_repeated_cause_is_printed_once() {
        let error = anyhow!("refused").context("database: no answer: refused").context("cannot start");
        assert_eq!(with_causes(&error), "cannot start: database: no answer: refused");
        assert_eq!(with_causes(&anyhow!("disk full").context("full")), "full: disk full");
        assert_eq!(with_causes(&anyhow!("alone")), "alone");
    }
}
