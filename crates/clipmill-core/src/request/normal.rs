//! The fingerprint of a request's normal form.

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::model::{Params, TaskRequest};

/// The fields that two equivalent requests have in common.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NormalForm<'a> {
    params: &'a Params,
    callback_url: Option<&'a str>,
    client_task_id: Option<&'a str>,
}

impl TaskRequest {
    /// SHA-256 over the normal form. It is equal for bodies with the same meaning (defaults spelled out or omitted,
    /// `30` or `30.0`, fields in another order), whatever their name, labels and price limit.
    pub fn fingerprint(&self) -> [u8; 32] {
        let normal_form = NormalForm {
            params: &self.params,
            callback_url: self.callback_url.as_deref(),
            client_task_id: self.client_task_id.as_deref(),
        };
        // Serialising plain structs to a string cannot fail.
        let text = serde_json::to_string(&normal_form).unwrap_or_default();
        Sha256::digest(text.as_bytes()).into()
    }
}
