//! SHA-256 of files.

use std::path::Path;

use sha2::{Digest, Sha256};
use tokio::io::AsyncReadExt;

use crate::error::MediaError;

/// SHA-256 and size of a file, read in pieces.
pub async fn digest(path: &Path) -> Result<(String, u64), MediaError> {
    let mut file = tokio::fs::File::open(path).await.map_err(MediaError::file("open", path))?;
    let (mut hasher, mut size, mut buffer) = (Sha256::new(), 0u64, vec![0; 256 * 1024]);
    loop {
        let length = file.read(&mut buffer).await.map_err(MediaError::file("read", path))?;
        if length == 0 {
            return Ok((hex::encode(hasher.finalize()), size));
        }
        hasher.update(&buffer[..length]);
        size += length as u64;
    }
}
