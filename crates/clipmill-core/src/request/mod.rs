//! From the bytes of a submission to its normal form, or to all its errors.
//!
//! The body is read by hand instead of deriving: the client gets all errors at once, each with its place (a JSON
//! Pointer), the value there and the allowed values, and a misspelt switch is distinguished from a field that has no
//! meaning here. Every range, step and default is in the table of fields (`schema`).

mod admin;
mod audio_url;
pub mod batch;
mod brand;
mod callback_test;
mod caption_style;
mod captions;
mod clip;
mod color;
mod cover;
mod direct_upload;
mod draft;
mod form;
mod inputs;
mod json;
mod listening;
mod mix_options;
mod mix_overlays;
pub mod model;
mod names;
mod naming;
mod normal;
mod overlays;
mod preview;
mod reader;
mod report;
mod scalar;
pub mod schema;
mod share;
pub mod table;
mod task;
mod task_types;
pub mod template;
#[cfg(test)]
mod tests;
mod url;
mod wire;

pub use admin::{
    DeductionRequest, GrantRequest, InvitationRequest, KeyRequest, NewUserRequest, PauseRequest,
    SwitchOffRequest, parse_deduction, parse_grant, parse_invitation, parse_invitation_code, parse_key,
    parse_new_user, parse_pause, parse_switch_off,
};
pub use brand::{Brand, parse_brand};
pub use callback_test::{CallbackTest, EVENTS, parse_callback_test};
pub use caption_style::preset_fields;
pub use direct_upload::{
    CompletedUpload, DirectUpload, parse_direct_upload, parse_sent_upload, parse_upload_name,
};
pub use draft::{DraftRequest, parse_draft, uploads_in};
pub use inputs::{Input, InputRole, Place};
pub use listening::parse_listening;
pub use names::nearest;
pub use naming::{TaskNaming, parse_task_naming};
pub use preview::{
    AudioExcerptRequest, ClipRequest, FileRequest, Moment, PREVIEW_WIDTHS, PreviewRequest,
    parse_audio_excerpt, parse_clip, parse_file, parse_preview,
};
pub use report::shorten;
use serde_json::Value;
pub use share::{
    CommentRequest, MAX_SHARED, MultiTaskShareRequest, PickRequest, SharePage, ShareRequest,
    SharedTaskRequest, parse_comment, parse_multi_task_share, parse_pick, parse_share,
};

use self::model::TaskRequest;
use self::reader::Node;
use self::report::Report;
use self::task::read_request;
use crate::message::Message;
use crate::warning::Warning;

/// How to treat a field that has no meaning at its place and does not resemble one that has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownFields {
    /// The request is accepted with a warning.
    Warn,
    Deny,
}

/// The limits of an installation, beyond the fixed ranges.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    pub unknown_fields: UnknownFields,
    /// Whether an input may be a file of this machine (a path or `file://`): for the command line, never for the API.
    pub allow_local_paths: bool,
    /// Longest output of one item, in seconds.
    pub max_item_seconds: f64,
    /// Most entries of `videoList` in one videoDeduplication task.
    pub max_videos: usize,
    /// Most outputs of one proVideoMix task.
    pub max_outputs: u32,
    pub voices: Voices,
    /// Whether audio can be transcribed.
    pub transcribes: bool,
}

/// The voices that texts can be spoken with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Voices {
    /// The names are not known.
    Any,
    /// Texts cannot be spoken.
    NoService,
    These(Vec<String>),
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            unknown_fields: UnknownFields::Warn,
            allow_local_paths: false,
            max_item_seconds: 3600.0,
            max_videos: 1000,
            max_outputs: 200,
            voices: Voices::Any,
            transcribes: true,
        }
    }
}

/// A valid request, and warnings for its sender.
#[derive(Debug, Clone, PartialEq)]
pub struct Accepted {
    pub request: TaskRequest,
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RequestError {
    /// Not JSON, a duplicate key in one object, or nested too deeply. Line and column count from 1.
    #[error("line {line}, column {column}: {message}")]
    Syntax { line: usize, column: usize, message: Message },
    /// All rejected fields; `total` also counts those that are too many to be listed.
    #[error("{}", summary(.errors))]
    Invalid { errors: Vec<FieldError>, total: usize },
}

/// One rejected field.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldError {
    /// JSON Pointer into the body.
    pub path: String,
    pub message: Message,
    /// The value there, shortened when long; `None` if there was none.
    pub got: Option<Value>,
    /// The allowed values, in short form.
    pub allowed: Option<Message>,
}

/// Reads one submission. All field errors are collected; a syntax error is always reported alone.
pub fn parse(body: &[u8], policy: &Policy) -> Result<Accepted, RequestError> {
    parse_value(&json::parse(body)?, policy)
}

/// [`parse`] for a body that is already parsed as JSON.
pub fn parse_value(body: &Value, policy: &Policy) -> Result<Accepted, RequestError> {
    let mut report = Report::new(policy);
    let request = Node::root(body, &mut report).object(read_request).flatten();
    report.finish(request)
}

/// Reads strict JSON, as a paid request needs it: no duplicate keys, no deep nesting, a bounded number of values.
pub fn parse_json(body: &[u8]) -> Result<Value, RequestError> {
    json::parse(body)
}

fn summary(errors: &[FieldError]) -> String {
    let line = |error: &FieldError| {
        let place = if error.path.is_empty() { "the request" } else { &error.path };
        format!("{place}: {}", error.message)
    };
    errors.iter().map(line).collect::<Vec<_>>().join("\n")
}
