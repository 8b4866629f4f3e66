//! Stand-ins for two functions of the core, with the signatures that they will have there.

use clipmill_core::plan::Warning;
use clipmill_core::pricing::PriceList;
use clipmill_core::request::model::TaskRequest;
use sha2::{Digest, Sha256};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnknownFields {
    #[default]
    Warn,
    Deny,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct Policy {
    pub unknown_fields: UnknownFields,
    pub allow_local_paths: bool,
}

pub struct Accepted {
    pub request: TaskRequest,
    pub warnings: Vec<Warning>,
}

#[derive(Debug)]
pub enum RequestError {
    Syntax { line: usize, column: usize, message: String },
    Invalid(Vec<FieldError>),
}

#[derive(Debug, Clone)]
pub struct FieldError {
    pub path: String,
    pub message: String,
    pub got: Option<serde_json::Value>,
    pub allowed: Option<String>,
}

/// Takes the normal form as the wire form.
pub fn parse(body: &[u8], _policy: &Policy) -> Result<Accepted, RequestError> {
    let syntax = |e: serde_json::Error| RequestError::Syntax {
        line: e.line(),
        column: e.column(),
        message: e.to_string(),
    };
    let value: serde_json::Value = serde_json::from_slice(body).map_err(syntax)?;
    let invalid = |e: serde_json::Error| {
        let error = FieldError { path: String::new(), message: e.to_string(), got: None, allowed: None };
        RequestError::Invalid(vec![error])
    };
    let request = serde_json::from_value(value).map_err(invalid)?;
    Ok(Accepted { request, warnings: Vec::new() })
}

pub trait Fingerprint {
    fn fingerprint(&self) -> [u8; 32];
}

impl Fingerprint for TaskRequest {
    fn fingerprint(&self) -> [u8; 32] {
        Sha256::digest(serde_json::to_vec(self).unwrap_or_default()).into()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemQuote {
    pub seed: u64,
    pub points: u64,
}

pub fn quote(request: &TaskRequest, seed: u64, _prices: &PriceList) -> Vec<ItemQuote> {
    (0..request.params.total_items() as u64).map(|n| ItemQuote { seed: seed + n, points: 15 }).collect()
}
