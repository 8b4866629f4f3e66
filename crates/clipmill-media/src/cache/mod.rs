//! The cache folder: segments and finished outputs, named by their keys. A file gets its name only when it is complete and
//! verified.
//!
//! The folder is kept below a size by removing the least recently used files ([`Cache::evict`]). Files in use are held
//! ([`Cache::hold`]) and stay; results are links or copies and no longer need the cache.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use clipmill_blobs::Bucket;
use clipmill_core::error::TaskError;
use clipmill_core::segment::{CacheKey, MixKey, RenditionKey, SegmentKey, SegmentSpec};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::fs;

use crate::cache::disk::{Disk, Reservation};
use crate::cache::scratch::ScratchDir;
use crate::error::MediaError;
use crate::findings::Findings;

pub mod disk;
mod eviction;
mod in_use;
mod remote;
pub(crate) mod scratch;

pub use eviction::{EvictionReport, mark_used, none_needed};
use in_use::InUse;
pub use in_use::{EvictionGuard, ExclusiveUse};

pub const VIDEO: &str = "mp4";
pub const AUDIO: &str = "wav";

#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
    unfinished: ScratchDir,
    pub(crate) disk: Disk,
    /// The remote cache behind this folder, which other workers share (`remote.rs`).
    pub(crate) shared: Option<Bucket>,
    /// A counter for the names of scratch folders.
    next: Arc<AtomicU64>,
    in_use: Arc<InUse>,
}

/// How a cached file is delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryMethod {
    /// By a hard link, for files that are never written to.
    Link,
    /// By a copy, for files that people may change.
    Copy,
}

/// The scratch folder of one attempt, removed when dropped. It is beside the cache, so that results are renamed into
/// place instead of copied.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Cache {
    /// Opens the folders below `root`, and removes scratch folders of attempts that died.
    pub async fn open(root: &Path) -> Result<Self, MediaError> {
        let (segments, scratch) = (root.join("segments"), root.join("tmp"));
        fs::create_dir_all(&segments).await.map_err(MediaError::file("create", &segments))?;
        let unfinished = ScratchDir::open(&scratch).map_err(MediaError::file("create", &scratch))?;
        Ok(Self {
            root: root.to_owned(),
            unfinished,
            disk: Disk::new(root, 0),
            shared: None,
            next: Arc::default(),
            in_use: Arc::default(),
        })
    }

    /// The same cache on a disk with shared reservations and a reserve that stays free.
    pub fn on(self, disk: Disk) -> Self {
        Self { disk, ..self }
    }

    /// The same cache in front of a remote cache.
    pub fn before(self, shared: Option<Bucket>) -> Self {
        Self { shared, ..self }
    }

    /// Reserves space for a file that is going to be made here.
    pub fn reserve(&self, bytes: u64) -> Result<Reservation, TaskError> {
        self.disk.could_hold(bytes)?;
        self.disk.reserve(bytes)
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Removes this process's scratch folders, when their content is not needed.
    pub fn leave(&self) {
        self.unfinished.leave();
    }

    /// Removes scratch folders of processes that died; returns how many processes had some.
    pub fn sweep(&self) -> std::io::Result<usize> {
        self.unfinished.sweep()
    }

    /// Re-creates the scratch folder if it was removed; returns whether it was. Writers of segments re-create the
    /// folder of segments.
    pub fn restore(&self) -> std::io::Result<bool> {
        self.unfinished.restore()
    }

    /// The path of a segment. The extension states the content: `.mp4` video, `.wav` audio.
    pub fn path(&self, key: &SegmentKey, spec: &SegmentSpec) -> PathBuf {
        self.file(key, extension(spec))
    }

    pub fn video(&self, key: &SegmentKey) -> PathBuf {
        self.file(key, VIDEO)
    }

    pub fn audio(&self, key: &SegmentKey) -> PathBuf {
        self.file(key, AUDIO)
    }

    /// The path of an encoded mix.
    pub fn mix(&self, key: &MixKey) -> PathBuf {
        self.file(key, "m4a")
    }

    /// The path of a finished output.
    pub fn rendition(&self, key: &RenditionKey) -> PathBuf {
        self.file(key, "out.mp4")
    }

    /// The path of the cover of a segment or an output, a JPEG.
    pub fn cover(&self, key: impl Into<CacheKey>) -> PathBuf {
        self.file(key, "jpg")
    }

    /// Waits for the right to make the files of this key, and holds it until the result is dropped.
    pub async fn alone(&self, key: impl Into<CacheKey>) -> ExclusiveUse {
        self.in_use.alone(key.into()).await
    }

    /// The right to make the files of this key, unless another caller holds it.
    pub fn try_alone(&self, key: impl Into<CacheKey>) -> Option<ExclusiveUse> {
        self.in_use.try_alone(key.into())
    }

    /// Protects these from eviction until the result is dropped, and marks them as used now.
    pub fn hold(&self, keys: impl IntoIterator<Item = impl Into<CacheKey>>) -> EvictionGuard {
        let keys: Vec<CacheKey> = keys.into_iter().map(Into::into).collect();
        let held = self.in_use.hold(keys.clone());
        keys.into_iter().for_each(|key| self.touch(key));
        held
    }

    /// Stores the findings about a segment durably, because they cannot be regenerated.
    pub async fn keep_findings(
        &self,
        scratch: &Scratch,
        key: &SegmentKey,
        findings: &Findings,
    ) -> Result<(), MediaError> {
        let sidecar_file = self.write_sidecar_file(scratch, findings).await?;
        publish(&sidecar_file, &self.file(key, "json")).await
    }

    /// The findings from rendering the segment; empty if they are no longer known.
    pub async fn findings(&self, key: &SegmentKey) -> Findings {
        self.sidecar(key).await.unwrap_or_default()
    }

    /// Stores regenerable facts about a file. After a power cut the sidecar may be missing or empty, which [`Cache::sidecar`]
    /// treats alike.
    pub async fn write_sidecar(
        &self,
        scratch: &Scratch,
        key: impl Into<CacheKey>,
        sidecar: &impl Serialize,
    ) -> Result<(), MediaError> {
        let (sidecar_file, to) = (self.write_sidecar_file(scratch, sidecar).await?, self.file(key, "json"));
        place(&sidecar_file, &to).await
    }

    pub async fn sidecar<T: DeserializeOwned>(&self, key: impl Into<CacheKey>) -> Option<T> {
        serde_json::from_slice(&fs::read(self.file(key, "json")).await.ok()?).ok()
    }

    async fn write_sidecar_file(
        &self,
        scratch: &Scratch,
        sidecar: &impl Serialize,
    ) -> Result<PathBuf, MediaError> {
        let sidecar_file = scratch.file("note.json");
        // Plain numbers and texts can always be serialised.
        let text = serde_json::to_vec(sidecar).unwrap_or_default();
        fs::write(&sidecar_file, text).await.map_err(MediaError::file("write", &sidecar_file))?;
        Ok(sidecar_file)
    }

    /// Makes a new folder for one attempt; `name` must be unique among those in progress.
    pub async fn scratch(&self, name: &str) -> Result<Scratch, MediaError> {
        let (unfinished, name) = (self.unfinished.clone(), name.to_owned());
        let path = tokio::task::spawn_blocking(move || unfinished.subfolder(&name)).await;
        let path = path.unwrap_or_else(|error| Err(error.into()));
        Ok(Scratch { path: path.map_err(MediaError::file("create", self.unfinished.path()))? })
    }

    /// A name for a scratch folder that is unique.
    pub fn unique(&self, what: &str) -> String {
        format!("{what}-{}", self.next.fetch_add(1, Ordering::Relaxed))
    }

    pub(crate) fn file(&self, key: impl Into<CacheKey>, extension: &str) -> PathBuf {
        let CacheKey(key) = key.into();
        // Two levels keep folders small with a million segments.
        let folder = key.get(..2).unwrap_or("00");
        self.root.join("segments").join(folder).join(format!("{key}.{extension}"))
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

/// The file name extension of a segment.
pub fn extension(spec: &SegmentSpec) -> &'static str {
    match spec {
        SegmentSpec::Video(_) => VIDEO,
        SegmentSpec::Audio(_) => AUDIO,
    }
}

/// Moves a finished file into place durably: it is flushed first, so that a power cut cannot leave an empty file.
pub async fn publish(from: &Path, to: &Path) -> Result<(), MediaError> {
    flush(from).await?;
    place(from, to).await
}

/// [`publish`], except that an existing file at `to` stays, and then also the one at `from`.
pub async fn publish_new(from: &Path, to: &Path) -> Result<(), MediaError> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    flush(from).await?;
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Ok(()) | Err(Errno::EXIST) => Ok(()),
        // Not every file system supports it.
        Err(Errno::INVAL | Errno::NOSYS) => place(from, to).await,
        Err(error) => Err(MediaError::file("move a file to", to)(error.into())),
    }
}

async fn flush(path: &Path) -> Result<(), MediaError> {
    let file = fs::OpenOptions::new().write(true).open(path).await.map_err(MediaError::file("open", path))?;
    file.sync_all().await.map_err(MediaError::file("flush", path))
}

/// Delivers a file of the cache to `to`, completely or not at all. If a link cannot be made (another file system, too
/// many links) it is a copy.
pub async fn hand_over(from: &Path, to: &Path, how: DeliveryMethod) -> Result<(), MediaError> {
    let part = to.with_extension("part");
    let _ = fs::remove_file(&part).await;
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).await.map_err(MediaError::file("create", folder))?;
    }
    if how == DeliveryMethod::Link && fs::hard_link(from, &part).await.is_ok() {
        // The age of a result counts from now.
        eviction::mark_used(&part);
        let placement = place(&part, to).await;
        // Renaming between two names of the same file leaves both.
        let _ = fs::remove_file(&part).await;
        return placement;
    }
    let part = Part(part);
    fs::copy(from, &part.0).await.map_err(MediaError::file("write", to))?;
    publish(&part.0, to).await
}

/// An incomplete file; removed when dropped unless it was renamed.
struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

async fn place(from: &Path, to: &Path) -> Result<(), MediaError> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).await.map_err(MediaError::file("create", folder))?;
    }
    fs::rename(from, to).await.map_err(MediaError::file("move a file to", to))
}
