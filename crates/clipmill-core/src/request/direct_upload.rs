//! The bodies of a direct upload to storage: the announcement, and the report that everything was sent.

use serde_json::Value;

use super::preview::read_body;
use super::reader::{Fields, Node};
use super::report::Report;
use super::{Policy, RequestError, json};
use crate::warning::Warning;

/// No storage accepts a larger file.
const MAX_BYTES: u64 = 5 << 40;
/// No storage accepts more parts of one file.
const MAX_PARTS: usize = 10_000;
const MAX_NAME_LENGTH: usize = 255;

/// The announcement of an upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectUpload {
    pub size_bytes: u64,
    /// Whether the file is sent in parts.
    pub multipart: bool,
}

/// The report of a finished upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletedUpload {
    pub upload_id: String,
    pub file_name: Option<String>,
    /// The ETags that the storage returned for the parts, in order; empty for an upload in one piece.
    pub etags: Vec<String>,
}

/// Reads the announcement of a direct upload; reports all field errors at once.
pub fn parse_direct_upload(
    body: &[u8],
    policy: &Policy,
) -> Result<(DirectUpload, Vec<Warning>), RequestError> {
    parse(body, policy, |fields| {
        let size_bytes = fields.need("sizeBytes").integer(1..=MAX_BYTES);
        let multipart = fields.get("multipart").boolean().unwrap_or(false);
        Some(DirectUpload { size_bytes: size_bytes?, multipart })
    })
}

/// Reads the new name of an upload.
pub fn parse_upload_name(body: &[u8], policy: &Policy) -> Result<String, RequestError> {
    read_body(body, policy, |fields: &mut Fields| fields.need("name").text(MAX_NAME_LENGTH))
}

/// Reads the report that everything was sent; reports all field errors at once.
pub fn parse_sent_upload(
    body: &[u8],
    policy: &Policy,
) -> Result<(CompletedUpload, Vec<Warning>), RequestError> {
    parse(body, policy, |fields| {
        let upload_id = fields.need("uploadId").text(2048);
        let file_name = fields.get("fileName").text(MAX_NAME_LENGTH);
        let etags = fields.get("etags").array(MAX_PARTS, |etag| etag.text(256)).unwrap_or_default();
        Some(CompletedUpload { upload_id: upload_id?, file_name, etags })
    })
}

fn parse<T>(
    body: &[u8],
    policy: &Policy,
    read: impl FnOnce(&mut Fields) -> Option<T>,
) -> Result<(T, Vec<Warning>), RequestError> {
    let value: Value = json::parse(body)?;
    let mut report = Report::new(policy);
    let read = Node::root(&value, &mut report).object(read).flatten();
    report.close(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths<T>(read: Result<(T, Vec<Warning>), RequestError>) -> Result<T, Vec<String>> {
        read.map(|(read, _)| read).map_err(|error| match error {
            RequestError::Invalid { errors, .. } => errors.into_iter().map(|error| error.path).collect(),
            RequestError::Syntax { .. } => vec!["syntax".to_owned()],
        })
    }

    #[test]
    fn an_announcement_has_a_size() {
        let check = |body: &str, expected: Result<(u64, bool), &str>| {
            let read = paths(parse_direct_upload(body.as_bytes(), &Policy::default()));
            let read = read.map(|wish| (wish.size_bytes, wish.multipart));
            assert_eq!(read, expected.map_err(|path| vec![path.to_owned()]), "{body}");
        };
        check(r#"{"sizeBytes":5}"#, Ok((5, false)));
        check(r#"{"sizeBytes":5,"multipart":true,"other":1}"#, Ok((5, true)));
        check(r#"{"sizeBytes":0}"#, Err("/sizeBytes"));
        check(r#"{"sizeBytes":"5"}"#, Err("/sizeBytes"));
        check(r#"{"sizeBytes":5497558138881}"#, Err("/sizeBytes"));
        check("{}", Err("/sizeBytes"));
        check("[]", Err(""));
    }

    #[test]
    fn a_confirmation_has_an_upload_id() {
        let read = |body: &str| paths(parse_sent_upload(body.as_bytes(), &Policy::default()));
        let whole = CompletedUpload { upload_id: "a".into(), file_name: None, etags: vec![] };
        assert_eq!(read(r#"{"uploadId":"a"}"#), Ok(whole.clone()));
        let parts =
            CompletedUpload { file_name: Some("b".into()), etags: vec!["x".into(), "y".into()], ..whole };
        assert_eq!(read(r#"{"uploadId":"a","fileName":"b","etags":["x","y"]}"#), Ok(parts));
        assert_eq!(read(r#"{"etags":"x"}"#), Err(vec!["/uploadId".to_owned(), "/etags".to_owned()]));
        assert_eq!(read(r#"{"uploadId":"a","etags":[1]}"#), Err(vec!["/etags/0".to_owned()]));
    }
}
