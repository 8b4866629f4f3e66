//! Bodies: large JSON (requests, templates of batches), stored apart from the rows that refer to it, compressed, and
//! only once per user.

use crate::common::error::{StoreError, StoreResult};
use clipmill_core::request::model::TaskRequest;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::io::{Read as _, Write as _};

/// The first bytes of gzip; JSON never begins with them.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A body that is to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// Hash of the JSON.
    pub sha256: [u8; 32],
    /// JSON, compressed.
    pub content: Vec<u8>,
}

impl Body {
    /// Uses a processor core for about a second per 50 MB.
    pub fn of(value: &impl Serialize) -> StoreResult<Self> {
        let json = serde_json::to_vec(value).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        let mut compressed = GzEncoder::new(Vec::new(), Compression::fast());
        let content = compressed.write_all(&json).and_then(|()| compressed.finish());
        let content = content.map_err(|error| StoreError::Corrupt(error.to_string()))?;
        Ok(Self { sha256: Sha256::digest(&json).into(), content })
    }

    /// The body of a task, without the fields in its own columns, so that resends under other names share it.
    pub fn of_request(request: &TaskRequest) -> StoreResult<Self> {
        Self::of(&TaskRequest { client_task_id: None, name: None, labels: Vec::new(), ..request.clone() })
    }

    /// Reads a stored body.
    pub fn read<T: DeserializeOwned>(content: &[u8]) -> StoreResult<T> {
        let mut json = Vec::new();
        let json = if content.starts_with(&GZIP) {
            let unpacked = GzDecoder::new(content).read_to_end(&mut json);
            unpacked.map_err(|error| StoreError::Corrupt(error.to_string()))?;
            &json
        } else {
            content
        };
        serde_json::from_slice(json).map_err(|error| StoreError::Corrupt(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_read_as_it_was_stored_compressed_or_plain() {
        let value: Vec<String> =
            (0..1_000).map(|number| format!("https://example.com/{number}.mp4")).collect();
        let body = Body::of(&value).unwrap();
        assert!(body.content.len() < 10_000, "{}", body.content.len());
        assert_eq!(Body::read::<Vec<String>>(&body.content).unwrap(), value);
        assert_eq!(Body::read::<Vec<String>>(br#"["plain"]"#).unwrap(), ["plain"]);
        assert!(matches!(Body::read::<Vec<String>>(&body.content[..50]), Err(StoreError::Corrupt(_))));
        assert!(matches!(Body::read::<Vec<String>>(b"{"), Err(StoreError::Corrupt(_))));
    }
}
