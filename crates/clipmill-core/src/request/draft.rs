//! Drafts: requests that are being written, in the form of the program that writes them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::json;
use super::model::TaskType;
use super::preview::read_value;
use super::reader::{Fields, MAX_TIMESTAMP_LENGTH};
use super::template::visit;
use super::url::upload_id;
use super::{Policy, RequestError};

const MAX_NAME_LENGTH: usize = 120;
const MAX_NUMBER_LENGTH: usize = 40;

#[derive(Debug, Clone, PartialEq)]
pub struct DraftRequest {
    pub name: String,
    pub task_type: Option<TaskType>,
    /// Any object: it is not checked, because it is not finished.
    pub body: Value,
    /// The unparsed time of the version to replace; the caller parses it.
    pub update_time: Option<String>,
}

/// `replaces`: the draft exists, and the body must name the version that it replaces.
pub fn parse_draft(body: &[u8], replaces: bool, policy: &Policy) -> Result<DraftRequest, RequestError> {
    let mut value = json::parse(body)?;
    let mut draft = read_value(&value, policy, |fields: &mut Fields| {
        let name = fields.need("name").text(MAX_NAME_LENGTH);
        let task_type = fields.get("taskType").choice(&TaskType::ALL.map(|kind| (kind.as_str(), kind)));
        fields.need("body").unread_object::<()>();
        // A client may send the draft back as it was read.
        fields.get("draftNo").text(MAX_NUMBER_LENGTH);
        let update_time = if replaces { fields.need("updateTime") } else { fields.get("updateTime") };
        let update_time = update_time.text(MAX_TIMESTAMP_LENGTH);
        Some(DraftRequest { name: name?, task_type, body: Value::Null, update_time })
    })?;
    // Moved, because it can be large.
    draft.body = value["body"].take();
    Ok(draft)
}

/// The IDs of all uploads that strings in the value name.
pub fn uploads_in(value: &Value) -> BTreeSet<String> {
    let mut uploads = BTreeSet::new();
    visit(value, &mut |_, text| uploads.extend(upload_id(text).map(str::to_owned)));
    uploads
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(read: Result<DraftRequest, RequestError>) -> Vec<String> {
        match read {
            Err(RequestError::Invalid { errors, .. }) => errors.into_iter().map(|error| error.path).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_draft_has_a_name_and_an_unchecked_body() {
        let policy = Policy::default();
        let text = br#"{"name":"Mug","taskType":"baseVideoMix","body":{"clips":[1]},"draftNo":"DP1"}"#;
        let draft = parse_draft(text, false, &policy).unwrap();
        assert_eq!((draft.name.as_str(), draft.task_type), ("Mug", Some(TaskType::BaseVideoMix)));
        assert_eq!(draft.body, serde_json::json!({ "clips": [1] }));
        assert_eq!(paths(parse_draft(text, true, &policy)), ["/updateTime"]);
        let wrong = br#"{"name":"a\nb","taskType":"mix","body":[],"updateTime":5}"#;
        let all = ["/name", "/taskType", "/body", "/updateTime"];
        assert_eq!(paths(parse_draft(wrong, true, &policy)), all);
        assert_eq!(paths(parse_draft(b"{}", false, &policy)), ["/name", "/body"]);
    }

    #[test]
    fn uploads_are_found_wherever_they_are() {
        let body = serde_json::json!({
            "clips": [{ "url": "upload://b1" }, "upload://a-2", { "x": { "y": "upload://b1" } }],
            "text": "see upload://c", "odd": ["upload://", "upload://a/b", "upload://a\u{0}", "https://a.example/x"],
        });
        assert_eq!(uploads_in(&body).into_iter().collect::<Vec<_>>(), ["a-2", "b1"]);
    }
}
