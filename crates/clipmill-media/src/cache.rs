//! Segments on disk, named by their hash. A file stands under its name only when it is whole and verified.

use std::path::{Path, PathBuf};

use clipmill_core::error::TaskError;
use clipmill_core::segment::{SegmentHash, SegmentSpec};
use tokio::fs;

use crate::check::Findings;
use crate::disk::{Disk, Reservation};
use crate::error::MediaError;
use crate::session::Session;

#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
    unfinished: Session,
    disk: Disk,
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
        let (segments, scratch) = (root.join("segments"), root.join("tmp"));
        fs::create_dir_all(&segments).await.map_err(MediaError::file("create", &segments))?;
        let unfinished = Session::open(&scratch).map_err(MediaError::file("create", &scratch))?;
        Ok(Self { root: root.to_owned(), unfinished, disk: Disk::new(root, 0) })
    }

    /// The same on a disk where promises are shared and some space stays free.
    pub fn on(self, disk: Disk) -> Self {
        Self { disk, ..self }
    }

    /// Space for what is going to be made here.
    pub fn reserve(&self, bytes: u64) -> Result<Reservation, TaskError> {
        self.disk.reserve(bytes)
    }

    /// Removes scratch folders of processes that died; answers how many had some.
    pub fn sweep(&self) -> std::io::Result<usize> {
        self.unfinished.sweep()
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

    /// The best picture of a segment as a JPEG.
    pub fn cover(&self, hash: &SegmentHash) -> PathBuf {
        self.file(hash, "jpg")
    }

    /// Whether the segment lies here with what was found in it.
    pub async fn has(&self, hash: &SegmentHash, spec: &SegmentSpec) -> bool {
        exists(&self.path(hash, spec)).await && exists(&self.file(hash, "json")).await
    }

    /// As [`Cache::has`], for those who know the name only.
    pub async fn has_any(&self, hash: &SegmentHash) -> bool {
        (exists(&self.picture(hash)).await || exists(&self.sound(hash)).await)
            && exists(&self.file(hash, "json")).await
    }

    /// Writes down what was found in a segment.
    pub async fn keep_findings(
        &self,
        scratch: &Scratch,
        hash: &SegmentHash,
        findings: &Findings,
    ) -> Result<(), MediaError> {
        let written = scratch.file("findings.json");
        // Plain numbers and texts always have a JSON form.
        let text = serde_json::to_vec(findings).unwrap_or_default();
        fs::write(&written, text).await.map_err(MediaError::file("write", &written))?;
        publish(&written, &self.file(hash, "json")).await
    }

    /// What was found when the segment was made; nothing when that is not known any more.
    pub async fn findings(&self, hash: &SegmentHash) -> Findings {
        let text = fs::read(self.file(hash, "json")).await.unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// A fresh folder for one attempt; `name` must be unique among those alive.
    pub async fn scratch(&self, name: &str) -> Result<Scratch, MediaError> {
        let path = self.unfinished.path().join(name);
        let _ = fs::remove_dir_all(&path).await;
        fs::create_dir_all(&path).await.map_err(MediaError::file("create", &path))?;
        Ok(Scratch { path })
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

async fn exists(path: &Path) -> bool {
    fs::try_exists(path).await.unwrap_or(false)
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
