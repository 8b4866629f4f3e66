//! The body of a callback test: an address, and the event to simulate.

use serde_json::Value;

use super::reader::{Fields, Node};
use super::report::Report;
use super::{Policy, RequestError, json};
use crate::task::TaskState;
use crate::warning::Warning;

/// The events that a callback reports, and the state of each.
pub const EVENTS: [(&str, TaskState); 4] = [
    ("task.completed", TaskState::Completed),
    ("task.failed", TaskState::Failed),
    ("task.cancelled", TaskState::Cancelled),
    ("task.rejected", TaskState::Rejected),
];

#[derive(Debug, Clone, PartialEq)]
pub struct CallbackTest {
    pub url: String,
    /// One of [`EVENTS`].
    pub event: &'static str,
    pub state: TaskState,
}

/// Reads the body; all field errors at once.
pub fn parse_callback_test(
    body: &[u8],
    policy: &Policy,
) -> Result<(CallbackTest, Vec<Warning>), RequestError> {
    let value: Value = json::parse(body)?;
    let mut report = Report::new(policy);
    let test = Node::root(&value, &mut report).object(read).flatten();
    report.close(test)
}

fn read(fields: &mut Fields) -> Option<CallbackTest> {
    let url = fields.need("url").web_url();
    let events = EVENTS.map(|(name, state)| (name, (name, state)));
    let (event, state) =
        fields.get("type").choice(&events).unwrap_or(("task.completed", TaskState::Completed));
    Some(CallbackTest { url: url?, event, state })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_and_optionally_an_event() {
        let check = |body: &str, expected: Result<(&str, TaskState), &[&str]>| {
            let read = parse_callback_test(body.as_bytes(), &Policy::default());
            let read = read.map(|(test, _)| (test.url, test.state)).map_err(|error| match error {
                RequestError::Invalid { errors, .. } => errors.into_iter().map(|error| error.path).collect(),
                RequestError::Syntax { .. } => vec!["syntax".to_owned()],
            });
            let expected = expected
                .map(|(url, state)| (url.to_owned(), state))
                .map_err(|paths| paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>());
            assert_eq!(read, expected, "{body}");
        };
        check(r#"{"url":"https://a.example/h"}"#, Ok(("https://a.example/h", TaskState::Completed)));
        let failed = r#"{"url":"http://a.example/","type":"task.failed","x":1}"#;
        check(failed, Ok(("http://a.example/", TaskState::Failed)));
        check(r#"{"url":"ftp://a","type":"task.done"}"#, Err(&["/url", "/type"]));
        check("{}", Err(&["/url"]));
        check("[]", Err(&[""]));
        check("{", Err(&["syntax"]));
    }
}
