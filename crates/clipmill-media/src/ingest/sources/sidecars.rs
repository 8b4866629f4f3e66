//! Sidecars beside source files: the results of probes and scans, shared with other machines.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clipmill_blobs::{About, key};
use clipmill_core::media::{ContentHash, ImageProfile, MediaInfo};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{PartialDownload, Sources, lock};

/// A kind of sidecar beside a file.
#[derive(Clone, Copy)]
pub(super) struct Sidecar {
    extension: &'static str,
    /// The sidecar's name in shared storage.
    key: fn(&str) -> String,
}

impl Sidecar {
    pub const MEDIA: Self = Self { extension: "json", key: key::input_note };
    pub const CUTS: Self = Self { extension: "cuts.json", key: key::input_cuts };
    pub const PAUSES: Self = Self { extension: "pauses.json", key: key::input_pauses };
    pub const FONT: Self = Self { extension: "font.json", key: key::input_font };
    /// What is spoken in a file, under a key of its own.
    pub const TRANSCRIPT: Self = Self { extension: "transcript.json", key: key::input_transcript };
    /// The file that speaks a text, under the key of the text.
    pub const SPEECH: Self = Self { extension: "speech.json", key: key::input_speech };
}

impl Sources {
    pub(super) fn sidecar(&self, content: &ContentHash, about: Sidecar) -> PathBuf {
        self.folder.join(format!("{}.{}", content.0, about.extension))
    }

    pub(super) async fn read_sidecar<T: DeserializeOwned>(
        &self,
        content: &ContentHash,
        about: Sidecar,
    ) -> Option<T> {
        let sidecar = self.sidecar(content, about);
        match read_sidecar(&sidecar).await {
            Some(known) => Some(known),
            None => self.shared_sidecar(content, about, &sidecar).await,
        }
    }

    /// The sidecar of another worker.
    async fn shared_sidecar<T: DeserializeOwned>(
        &self,
        content: &ContentHash,
        about: Sidecar,
        sidecar: &Path,
    ) -> Option<T> {
        let bucket = self.shared.as_ref()?;
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let partial = PartialDownload(self.partial.path().join(format!("{number}.json")));
        bucket.get(&(about.key)(&content.0), &partial.0).await.ok()??;
        let shared = read_sidecar(&partial.0).await?;
        tokio::fs::rename(&partial.0, sidecar).await.ok()?;
        Some(shared)
    }

    /// Removes a sidecar.
    pub(super) async fn remove_sidecar(&self, content: &ContentHash, about: Sidecar) {
        let local = tokio::fs::remove_file(self.sidecar(content, about)).await;
        if let Err(error) = local
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(%error, "the sidecar of an input could not be removed");
        }
        if let Some(bucket) = &self.shared
            && let Err(error) = bucket.delete(vec![(about.key)(&content.0)]).await
        {
            tracing::warn!(%error, "the sidecar of an input could not be removed");
        }
    }

    /// Stores a sidecar. A failure only costs another probe.
    pub(super) async fn write_sidecar(&self, content: &ContentHash, about: Sidecar, found: &impl Serialize) {
        let Ok(text) = serde_json::to_vec(found) else { return };
        let sidecar = self.sidecar(content, about);
        let partial = sidecar.with_extension("json.partial");
        let is_written = tokio::fs::write(&partial, text).await.is_ok();
        if !is_written || tokio::fs::rename(&partial, &sidecar).await.is_err() {
            return;
        }
        // Files of this machine alone are not shared.
        let is_shared = !lock(&self.local).contains_key(content);
        if let Some(bucket) = self.shared.as_ref().filter(|_| is_shared)
            && let Err(error) = bucket.put(&(about.key)(&content.0), &sidecar, &About::default()).await
        {
            tracing::warn!(%error, "the sidecar of an input could not be stored");
        }
    }
}

/// Whether a sidecar has all current fields: earlier releases read neither the profiles of images nor where keyframes are.
pub(super) fn is_current(info: &MediaInfo) -> bool {
    info.video.as_ref().is_none_or(|video| match video.still {
        true => video.color.profile != ImageProfile::Unread,
        false => video.keyframe_interval_s > 0.0,
    })
}

async fn read_sidecar<T: DeserializeOwned>(sidecar: &Path) -> Option<T> {
    serde_json::from_slice(&tokio::fs::read(sidecar).await.ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ffmpeg::process::Ffmpeg;
    use crate::ingest::fetch::{FetchPolicy, Fetcher, FileKind};
    use crate::ingest::sources::SourceLocation;

    /// Sidecars of earlier releases have no profile of an image.
    #[tokio::test]
    async fn an_image_is_probed_again_if_its_note_is_old() {
        let folder = tempfile::tempdir().unwrap();
        let fetcher = Fetcher::new(FetchPolicy::default()).unwrap();
        let sources = Sources::open(folder.path(), Ffmpeg::default(), fetcher).await.unwrap();
        let profile = async |name: &str, old: bool| {
            let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name);
            let content = sources.obtain(SourceLocation::Local(sample), FileKind::Media).await.unwrap();
            let sidecar = sources.sidecar(&content, Sidecar::MEDIA);
            let info = sources.media_info(&content).await.unwrap();
            if old {
                let mut info = serde_json::to_value(info).unwrap();
                info["video"]["color"].as_object_mut().unwrap().remove("profile");
                std::fs::write(&sidecar, info.to_string()).unwrap();
            }
            let info = sources.media_info(&content).await.unwrap();
            let noted: MediaInfo = serde_json::from_slice(&std::fs::read(&sidecar).unwrap()).unwrap();
            assert_eq!(noted, info);
            info.video.unwrap().color.profile
        };
        assert_eq!(profile("picture.jpg", false).await, ImageProfile::Srgb);
        assert_eq!(profile("picture.jpg", true).await, ImageProfile::Srgb);
        assert_eq!(profile("city.mp4", true).await, ImageProfile::Unread);
    }
}
