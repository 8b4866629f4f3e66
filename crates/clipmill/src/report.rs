//! Telling people, and programs, what happened.

use std::fmt;
use std::io::{self, Write};

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

/// Results for programs and for pipes. A reader that has heard enough is no error.
pub fn say(text: impl fmt::Display) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

pub fn say_json(value: &serde_json::Value) {
    say(format_args!("{value:#}"));
}

/// An error and its causes, outermost first. Some errors say their cause's words themselves: those come once.
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

    #[test]
    fn a_cause_that_was_told_is_not_told_again() {
        let error = anyhow!("refused").context("database: no answer: refused").context("cannot start");
        assert_eq!(with_causes(&error), "cannot start: database: no answer: refused");
        assert_eq!(with_causes(&anyhow!("disk full").context("full")), "full: disk full");
        assert_eq!(with_causes(&anyhow!("alone")), "alone");
    }
}
