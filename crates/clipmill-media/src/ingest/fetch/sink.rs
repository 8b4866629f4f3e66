//! The file that a download is written to, hashed as it grows.

use clipmill_core::media::ContentHash;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use tokio::fs::File;
use tokio::io::{AsyncSeekExt, AsyncWriteExt};

use super::FetchedFile;
use crate::cache::disk::GrowingReservation;
use crate::error::MediaError;

pub struct Sink {
    file: File,
    path: PathBuf,
    hash: Sha256,
    size_bytes: u64,
    space: GrowingReservation,
}

impl Sink {
    pub async fn create(path: &Path, space: GrowingReservation) -> Result<Self, MediaError> {
        let file = File::create(path).await.map_err(MediaError::file("create", path))?;
        Ok(Self { file, path: path.to_owned(), hash: Sha256::new(), size_bytes: 0, space })
    }

    pub fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    pub async fn write(&mut self, chunk: &[u8]) -> Result<(), MediaError> {
        let size_bytes = self.size_bytes + chunk.len() as u64;
        self.space.reach(size_bytes).map_err(MediaError::Refused)?;
        self.file.write_all(chunk).await.map_err(MediaError::file("write", &self.path))?;
        self.hash.update(chunk);
        self.size_bytes = size_bytes;
        Ok(())
    }

    /// Discards everything so far, because the server sends from the start again.
    pub async fn restart(&mut self) -> Result<(), MediaError> {
        self.rewind().await.map_err(MediaError::file("empty", &self.path))?;
        (self.hash, self.size_bytes) = (Sha256::new(), 0);
        self.space.restart().map_err(MediaError::Refused)?;
        Ok(())
    }

    /// Returns once the bytes are flushed to the disk.
    pub async fn finish(mut self) -> Result<FetchedFile, MediaError> {
        self.flush().await.map_err(MediaError::file("save", &self.path))?;
        let sha256 = ContentHash(hex::encode(self.hash.finalize()).into());
        Ok(FetchedFile { sha256, size_bytes: self.size_bytes })
    }

    async fn rewind(&mut self) -> std::io::Result<()> {
        self.file.flush().await?;
        self.file.set_len(0).await?;
        self.file.rewind().await.map(drop)
    }

    async fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush().await?;
        self.file.sync_data().await
    }
}
