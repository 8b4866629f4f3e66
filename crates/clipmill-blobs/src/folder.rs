//! A folder on this machine. Files are stored and retrieved by hard links, so nothing is copied within one file system.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::UNIX_EPOCH;

use futures_util::stream::{self, BoxStream, StreamExt};
use tokio::fs;

use crate::Stored;
use crate::error::{BlobError, BlobResult};
use crate::key::checked;

#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
    /// A counter for the names of files that are not in place yet.
    next: Arc<AtomicU64>,
}

impl Folder {
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), next: Arc::default() }
    }

    pub async fn put(&self, key: &str, file: &Path) -> BlobResult<()> {
        let to = self.path(key)?;
        let flushed = async { fs::OpenOptions::new().write(true).open(file).await?.sync_all().await };
        // The file is flushed first, so that a power cut cannot leave an empty one.
        flushed.await.map_err(BlobError::file("flush", file))?;
        match self.place(file, &to).await {
            // Another process removed the empty folder in between.
            Err(error) if error.kind() == ErrorKind::NotFound => self.place(file, &to).await,
            placed => placed,
        }
        .map_err(BlobError::file("write", &to))
    }

    pub async fn get(&self, key: &str, to: &Path) -> BlobResult<Option<Stored>> {
        let Some(stored) = self.head(key).await? else { return Ok(None) };
        let from = self.path(key)?;
        let _ = fs::remove_file(to).await;
        match link_or_copy(&from, to).await {
            Ok(()) => Ok(Some(stored)),
            Err(error) if error.kind() == ErrorKind::NotFound && !from.exists() => Ok(None),
            Err(error) => Err(BlobError::file("copy", &from)(error)),
        }
    }

    pub async fn head(&self, key: &str) -> BlobResult<Option<Stored>> {
        let path = self.path(key)?;
        match fs::metadata(&path).await {
            Ok(metadata) if metadata.is_file() => Ok(Some(stored(key.to_owned(), &metadata))),
            Ok(_) => Ok(None),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
            Err(error) => Err(BlobError::file("read", &path)(error)),
        }
    }

    pub fn list(&self, below: &str) -> BoxStream<'static, BlobResult<Stored>> {
        let (root, below) = (self.root.clone(), below.to_owned());
        let walked = async move {
            let walk = tokio::task::spawn_blocking(move || walk(&root, checked(&below)?)).await;
            let entries = walk.unwrap_or_else(|error| Err(BlobError::Failed(error.to_string())));
            stream::iter(match entries {
                Ok(entries) => entries.into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            })
        };
        stream::once(walked).flatten().boxed()
    }

    pub async fn delete(&self, keys: Vec<String>) -> BlobResult<()> {
        for key in keys {
            let path = self.path(&key)?;
            match fs::remove_file(&path).await {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) => return Err(BlobError::file("remove", &path)(error)),
            }
            // A task's folder is removed with its last file; a folder that is not empty stays.
            if let Some(folder) = path.parent().filter(|_| key.matches('/').count() > 1) {
                let _ = fs::remove_dir(folder).await;
            }
        }
        Ok(())
    }

    /// The path of the key, whether or not the file exists.
    pub fn path(&self, key: &str) -> BlobResult<PathBuf> {
        Ok(self.root.join(checked(key)?))
    }

    async fn place(&self, file: &Path, to: &Path) -> std::io::Result<()> {
        let folder = to.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder).await?;
        match fs::hard_link(file, to).await {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(error),
            // Either it exists already, or links cannot be made here.
            Err(_) => {}
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let unfinished = folder.join(format!(".{}-{number}.part", std::process::id()));
        let placement = async {
            link_or_copy(file, &unfinished).await?;
            fs::rename(&unfinished, to).await
        };
        let placement = placement.await;
        // Renaming one link onto another of the same file leaves both.
        let _ = fs::remove_file(&unfinished).await;
        placement
    }
}

impl std::fmt::Display for Folder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.root.display())
    }
}

async fn link_or_copy(from: &Path, to: &Path) -> std::io::Result<()> {
    match fs::hard_link(from, to).await {
        Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::AlreadyExists) => {
            fs::copy(from, to).await?;
            fs::File::open(to).await?.sync_all().await
        }
        linked => linked,
    }
}

fn walk(root: &Path, below: &str) -> BlobResult<Vec<Stored>> {
    let (mut found, mut open) = (Vec::new(), vec![root.join(below)]);
    while let Some(folder) = open.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(BlobError::file("read", &folder)(error)),
        };
        for entry in entries {
            let path = entry.map_err(BlobError::file("read", &folder))?.path();
            let Ok(about) = std::fs::symlink_metadata(&path) else { continue };
            let key = path.strip_prefix(root).ok().and_then(Path::to_str).map(str::to_owned);
            match key {
                _ if about.is_dir() => open.push(path),
                // Unfinished and foreign files have no key.
                Some(key) if about.is_file() && checked(&key).is_ok() => found.push(stored(key, &about)),
                _ => {}
            }
        }
    }
    Ok(found)
}

fn stored(key: String, about: &std::fs::Metadata) -> Stored {
    let modified = about.modified().ok().and_then(|moment| moment.duration_since(UNIX_EPOCH).ok());
    let modified_at = modified.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX));
    Stored { key, size_bytes: about.len(), modified_at }
}
