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
