//! What can be asked of a request's normal form.

use sha2::{Digest, Sha256};

use super::model::TaskRequest;

impl TaskRequest {
    /// SHA-256 over the normal form: equal for bodies that ask for the same in other words (defaults
    /// spelled out or left away, `30` or `30.0`, fields in another order).
    pub fn fingerprint(&self) -> [u8; 32] {
        // Serialising plain structs to a string cannot fail.
        let text = serde_json::to_string(self).unwrap_or_default();
        Sha256::digest(text.as_bytes()).into()
    }
}
