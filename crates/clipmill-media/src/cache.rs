//! Segments on disk, named by their hash. A file stands under its name only when it is whole and verified.

use std::path::{Path, PathBuf};

use clipmill_core::segment::{SegmentHash, SegmentSpec};
use tokio::fs;

use crate::error::MediaError;

#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
}

/// A folder of one attempt, removed when dropped. It lies beside the cache, so that results are renamed
/// into place, never copied.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Cache {
    /// Opens the folders below `root`; scratch folders of attempts that died are removed.
    pub async fn open(root: &Path) -> Result<Self, MediaError> {
        let cache = Self { root: root.to_owned() };
        let _ = fs::remove_dir_all(cache.scratch_root()).await;
        for folder in [cache.root.join("segments"), cache.scratch_root()] {
            fs::create_dir_all(&folder).await.map_err(MediaError::file("create", &folder))?;
        }
        Ok(cache)
    }

    /// Where a segment is, once it is made. Names say what is inside: `.mp4` picture, `.wav` sound.
    pub fn path(&self, hash: &SegmentHash, spec: &SegmentSpec) -> PathBuf {
        match spec {
            SegmentSpec::Picture(_) => self.picture(hash),
            SegmentSpec::Sound(_) => self.sound(hash),
        }
    }

    pub fn picture(&self, hash: &SegmentHash) -> PathBuf {
        self.file(hash, "mp4")
    }

    pub fn sound(&self, hash: &SegmentHash) -> PathBuf {
        self.file(hash, "wav")
    }

    /// Where an asset of ours is, once it is made.
    pub fn asset(&self, hash: &SegmentHash) -> PathBuf {
        self.file(hash, "mkv")
    }

    pub async fn has(&self, hash: &SegmentHash, spec: &SegmentSpec) -> bool {
        fs::try_exists(self.path(hash, spec)).await.unwrap_or(false)
    }

    /// A fresh folder for one attempt; `name` must be unique among those alive.
    pub async fn scratch(&self, name: &str) -> Result<Scratch, MediaError> {
        let path = self.scratch_root().join(name);
        let _ = fs::remove_dir_all(&path).await;
        fs::create_dir_all(&path).await.map_err(MediaError::file("create", &path))?;
        Ok(Scratch { path })
    }

    fn scratch_root(&self) -> PathBuf {
        self.root.join("tmp")
    }

    fn file(&self, hash: &SegmentHash, extension: &str) -> PathBuf {
        // Two levels keep folders small at a million segments.
        let folder = hash.0.get(..2).unwrap_or("00");
        self.root.join("segments").join(folder).join(format!("{}.{extension}", hash.0))
    }
}

impl Scratch {
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Puts a finished file in its place for good: flushed first, so that a power cut cannot leave a hollow name.
pub async fn publish(from: &Path, to: &Path) -> Result<(), MediaError> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).await.map_err(MediaError::file("create", folder))?;
    }
    let file = fs::OpenOptions::new().write(true).open(from).await.map_err(MediaError::file("open", from))?;
    file.sync_all().await.map_err(MediaError::file("flush", from))?;
    fs::rename(from, to).await.map_err(MediaError::file("move a file to", to))
}
