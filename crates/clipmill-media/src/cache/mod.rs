//! Segments and finished outputs on disk, named by their hash. A file stands under its name only when it is whole
//! and verified.
//!
//! The folder is kept to a size by removing what was used longest ago ([`Cache::evict`]). What somebody has in
//! hand is held ([`Cache::hold`]) and stays; results are links or copies and never need the cache again.

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
use crate::segment::findings::Findings;

pub mod disk;
mod eviction;
mod in_use;
mod remote;
pub(crate) mod scratch;

pub use eviction::Evicted;
use in_use::InUse;
pub use in_use::{Alone, Held};

pub const VIDEO: &str = "mp4";
pub const AUDIO: &str = "wav";

#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
    unfinished: ScratchDir,
    pub(crate) disk: Disk,
    /// Storage behind this folder that other workers see as well (`remote.rs`).
    pub(crate) shared: Option<Bucket>,
    /// Numbers for names of scratch folders.
    next: Arc<AtomicU64>,
    in_use: Arc<InUse>,
}

/// How a file of the cache becomes somebody's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handover {
    /// By a second name, for files that nobody will ever write into.
    Link,
    /// By a copy, for files that people do with as they like.
    Copy,
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

    /// The same on a disk where promises are shared and some space stays free.
    pub fn on(self, disk: Disk) -> Self {
        Self { disk, ..self }
    }

    /// The same in front of storage that is shared.
    pub fn before(self, shared: Option<Bucket>) -> Self {
        Self { shared, ..self }
    }

    /// Space for what is going to be made here.
    pub fn reserve(&self, bytes: u64) -> Result<Reservation, TaskError> {
        self.disk.could_hold(bytes)?;
        self.disk.reserve(bytes)
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Removes this process's scratch folders: nothing is made any more.
    pub fn leave(&self) {
        self.unfinished.leave();
    }

    /// Removes scratch folders of processes that died; answers how many had some.
    pub fn sweep(&self) -> std::io::Result<usize> {
        self.unfinished.sweep()
    }

    /// Where a segment is, once it is made. Names say what is inside: `.mp4` picture, `.wav` sound.
    pub fn path(&self, hash: &SegmentKey, spec: &SegmentSpec) -> PathBuf {
        self.file(hash, extension(spec))
    }

    pub fn video(&self, hash: &SegmentKey) -> PathBuf {
        self.file(hash, VIDEO)
    }

    pub fn audio(&self, hash: &SegmentKey) -> PathBuf {
        self.file(hash, AUDIO)
    }

    /// Where an encoded sound is, once it is mixed.
    pub fn mix(&self, hash: &MixKey) -> PathBuf {
        self.file(hash, "m4a")
    }

    /// Where a finished output is.
    pub fn rendition(&self, hash: &RenditionKey) -> PathBuf {
        self.file(hash, "out.mp4")
    }

    /// The best picture of a segment or an output as a JPEG.
    pub fn cover(&self, key: impl Into<CacheKey>) -> PathBuf {
        self.file(key, "jpg")
    }

    /// Until the answer is dropped, nobody else in this process has the right to make what this names.
    pub async fn alone(&self, key: impl Into<CacheKey>) -> Alone {
        self.in_use.alone(key.into()).await
    }

    /// The same right, unless somebody has it.
    pub fn try_alone(&self, key: impl Into<CacheKey>) -> Option<Alone> {
        self.in_use.try_alone(key.into())
    }

    /// Until the answer is dropped, these are not evicted. They count as used now.
    pub fn hold(&self, keys: impl IntoIterator<Item = impl Into<CacheKey>>) -> Held {
        let keys: Vec<CacheKey> = keys.into_iter().map(Into::into).collect();
        let held = self.in_use.hold(keys.clone());
        keys.into_iter().for_each(|key| self.touch(key));
        held
    }

    /// Writes down what was found in a segment, for good: a finding is not made twice.
    pub async fn keep_findings(
        &self,
        scratch: &Scratch,
        hash: &SegmentKey,
        findings: &Findings,
    ) -> Result<(), MediaError> {
        let written = self.write_note(scratch, findings).await?;
        publish(&written, &self.file(hash, "json")).await
    }

    /// What was found when the segment was made; nothing when that is not known any more.
    pub async fn findings(&self, hash: &SegmentKey) -> Findings {
        self.note(hash).await.unwrap_or_default()
    }

    /// Writes down what is known of a file that can be made again. After a power cut it may be gone or hollow,
    /// which [`Cache::note`] takes for the same.
    pub async fn keep_note(
        &self,
        scratch: &Scratch,
        key: impl Into<CacheKey>,
        note: &impl Serialize,
    ) -> Result<(), MediaError> {
        let (written, to) = (self.write_note(scratch, note).await?, self.file(key, "json"));
        place(&written, &to).await
    }

    pub async fn note<T: DeserializeOwned>(&self, key: impl Into<CacheKey>) -> Option<T> {
        serde_json::from_slice(&fs::read(self.file(key, "json")).await.ok()?).ok()
    }

    async fn write_note(&self, scratch: &Scratch, note: &impl Serialize) -> Result<PathBuf, MediaError> {
        let written = scratch.file("note.json");
        // Plain numbers and texts always have a JSON form.
        let text = serde_json::to_vec(note).unwrap_or_default();
        fs::write(&written, text).await.map_err(MediaError::file("write", &written))?;
        Ok(written)
    }

    /// A fresh folder for one attempt; `name` must be unique among those alive.
    pub async fn scratch(&self, name: &str) -> Result<Scratch, MediaError> {
        let path = self.unfinished.path().join(name);
        let _ = fs::remove_dir_all(&path).await;
        fs::create_dir_all(&path).await.map_err(MediaError::file("create", &path))?;
        Ok(Scratch { path })
    }

    /// A name for a scratch folder that nobody else has.
    pub fn unique(&self, what: &str) -> String {
        format!("{what}-{}", self.next.fetch_add(1, Ordering::Relaxed))
    }

    pub(crate) fn file(&self, key: impl Into<CacheKey>, extension: &str) -> PathBuf {
        let CacheKey(key) = key.into();
        // Two levels keep folders small at a million segments.
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

/// What a segment's file is called by.
pub fn extension(spec: &SegmentSpec) -> &'static str {
    match spec {
        SegmentSpec::Video(_) => VIDEO,
        SegmentSpec::Audio(_) => AUDIO,
    }
}

/// Puts a finished file in its place for good: flushed first, so that a power cut cannot leave a hollow name.
pub async fn publish(from: &Path, to: &Path) -> Result<(), MediaError> {
    flush(from).await?;
    place(from, to).await
}

/// The same, but what lies at `to` already stays, and so does the file at `from` then.
pub async fn publish_new(from: &Path, to: &Path) -> Result<(), MediaError> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    flush(from).await?;
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Ok(()) | Err(Errno::EXIST) => Ok(()),
        // Not every file system knows how.
        Err(Errno::INVAL | Errno::NOSYS) => place(from, to).await,
        Err(error) => Err(MediaError::file("move a file to", to)(error.into())),
    }
}

async fn flush(path: &Path) -> Result<(), MediaError> {
    let file = fs::OpenOptions::new().write(true).open(path).await.map_err(MediaError::file("open", path))?;
    file.sync_all().await.map_err(MediaError::file("flush", path))
}

/// Gives a file of the cache another owner at `to`, whole or not at all. Where a link cannot be made (another
/// file system, too many links) it is a copy.
pub async fn hand_over(from: &Path, to: &Path, how: Handover) -> Result<(), MediaError> {
    let part = to.with_extension("part");
    let _ = fs::remove_file(&part).await;
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).await.map_err(MediaError::file("create", folder))?;
    }
    if how == Handover::Link && fs::hard_link(from, &part).await.is_ok() {
        // Whoever keeps results by their age counts from now.
        eviction::mark_used(&part);
        let moved = place(&part, to).await;
        // A rename between two names of one file leaves both.
        let _ = fs::remove_file(&part).await;
        return moved;
    }
    let part = Part(part);
    fs::copy(from, &part.0).await.map_err(MediaError::file("write", to))?;
    publish(&part.0, to).await
}

/// A file that is not whole yet; removed again, also when nobody waits for it any more, unless it was renamed.
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
