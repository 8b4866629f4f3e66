//! Font files of clients.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::media::ContentHash;
use clipmill_core::message::{self, Message};
use clipmill_core::subtitle::FontFile;

use super::Sources;
use super::sidecars::Sidecar;
use crate::blocking::blocking;
use crate::error::MediaError;
use crate::fonts::{Fonts, file};
use crate::ingest::font_check;

/// The version of the check of fonts; a higher one has all fonts checked again.
const FONT_CHECK: u32 = 1;

impl Sources {
    /// The same folder, with fonts to be used behind those of clients.
    pub fn with_fonts(self, fonts: Arc<Result<Fonts, Message>>) -> Self {
        Self { fonts, ..self }
    }

    /// A client's font, which is checked when it is first used.
    pub(super) async fn font(&self, content: &ContentHash) -> Result<FontFile, TaskError> {
        let path = self.path(content);
        let size = tokio::fs::metadata(&path).await.map_err(MediaError::file("read", &path))?.len();
        if size > file::MAX_BYTES {
            let message = message::font_bytes(size, file::MAX_BYTES);
            return Err(TaskError::new(ErrorCode::FontInvalid, message));
        }
        let data = tokio::fs::read(&path).await.map_err(MediaError::file("read", &path))?;
        if self.read_sidecar(content, Sidecar::FONT).await != Some(FONT_CHECK) {
            let _permit = self.looking.acquire().await;
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let scratch = PartialFolder(self.partial.path().join(format!("{number}.font")));
            tokio::fs::create_dir(&scratch.0).await.map_err(MediaError::file("create", &scratch.0))?;
            font_check::check(&self.ffmpeg, &path, &data, content, &scratch.0).await?;
            self.write_sidecar(content, Sidecar::FONT, &FONT_CHECK).await;
        }
        let (fonts, content) = (self.fonts.clone(), content.clone());
        let open = move || match fonts.as_ref() {
            Ok(fonts) => fonts.of_file(&data, &content).map_err(font_check::refuse),
            Err(message) => Err(TaskError::new(ErrorCode::Internal, message.clone())),
        };
        blocking(open).await?
    }
}

/// A folder of files for one run, removed with everything in it when dropped.
struct PartialFolder(PathBuf);

impl Drop for PartialFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
