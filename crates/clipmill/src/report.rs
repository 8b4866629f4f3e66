//! Output for people and programs.

use std::fmt;
use std::io::{self, Write};

use clipmill_core::message::Message;
use serde_json::Value;

/// The caller's mistake: the command line or the request is wrong (exit status 2).
#[derive(Debug)]
pub struct Wrong(pub String);

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Wrong {}

pub fn wrong(message: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Wrong(message.into()))
}

/// Prints results, for programs and pipes. A reader that closes the pipe is no error.
pub fn say(text: impl fmt::Display) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

pub fn say_json(value: &Value) {
    let mut told = value.clone();
    leave_codes_out(&mut told);
    say(format_args!("{told:#}"));
}

/// The message in the language of the terminal: Chinese where the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set
/// says so. Programs get English.
pub fn spoken(message: &Message) -> String {
    let set = |name: &&str| std::env::var(name).is_ok_and(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .iter()
        .find(|name| set(name))
        .and_then(|name| std::env::var(name).ok());
    let is_chinese = locale.is_some_and(|locale| locale.starts_with("zh"));
    let chinese = if is_chinese { message.chinese() } else { None };
    chinese.unwrap_or_else(|| message.english().to_owned())
}

/// Removes the codes of messages, which are for the database only.
fn leave_codes_out(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if members.contains_key("message") {
                members.remove("said");
            }
            members.values_mut().for_each(leave_codes_out);
        }
        Value::Array(entries) => entries.iter_mut().for_each(leave_codes_out),
        _ => {}
    }
}

/// An error and its causes, outermost first. An error that repeats its cause's text is printed once.
pub fn with_causes(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |told, cause| match told.as_str() {
        "" => cause,
        before if before.ends_with(&cause) => told,
        before => format!("{before}: {cause}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;
    use clipmill_core::message;
    use clipmill_core::plan::Warning;
    use serde_json::json;

    #[test]
    fn messages_are_told_without_their_codes() {
        let warning = Warning { path: "/a".to_owned(), message: message::is_required() };
        let mut told = json!({ "items": [{ "warnings": [warning] }] });
        assert!(told.to_string().contains("said"));
        leave_codes_out(&mut told);
        assert_eq!(told, json!({ "items": [{ "warnings": [{ "path": "/a", "message": "is required" }] }] }));
    }

    #[test]
    fn a_cause_that_was_told_is_not_told_again() {
        let error = anyhow!("refused").context("database: no answer: refused").context("cannot start");
        assert_eq!(with_causes(&error), "cannot start: database: no answer: refused");
        assert_eq!(with_causes(&anyhow!("disk full").context("full")), "full: disk full");
        assert_eq!(with_causes(&anyhow!("alone")), "alone");
    }
}
