//! What retention asks of the place where results are, whatever kind of place that is.

use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use async_trait::async_trait;
use clipmill_store::Millis;

/// A file in result storage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultFile {
    pub key: String,
    pub size_bytes: u64,
    pub modified_at: Millis,
}

/// Result storage, as far as deleting goes. Keys are `TASKNO/NAME`.
#[async_trait]
pub trait ResultFiles: Send + Sync + 'static {
    /// One that is gone already is no error.
    async fn remove(&self, key: &str) -> io::Result<()>;
    /// Task numbers that have files here, or had some.
    async fn folders(&self) -> io::Result<Vec<String>>;
    /// The files of a task.
    async fn list(&self, folder: &str) -> io::Result<Vec<ResultFile>>;
    /// Removes an empty folder that nobody has written to since `before`; nothing where folders are only names.
    async fn remove_folder(&self, folder: &str, before: Millis) -> io::Result<()>;
}

/// Results in a folder.
pub struct LocalResults {
    root: PathBuf,
}

impl LocalResults {
    pub fn new(root: PathBuf) -> Self {
        Self { root }
    }
}

#[async_trait]
impl ResultFiles for LocalResults {
    async fn remove(&self, key: &str) -> io::Result<()> {
        gone_is_fine(tokio::fs::remove_file(self.root.join(key)).await)
    }

    async fn folders(&self) -> io::Result<Vec<String>> {
        let entries = read(self.root.clone()).await?;
        Ok(entries.into_iter().filter(|entry| entry.is_folder).map(|entry| entry.name).collect())
    }

    async fn list(&self, folder: &str) -> io::Result<Vec<ResultFile>> {
        let entries = read(self.root.join(folder)).await?;
        let files = entries.into_iter().filter(|entry| !entry.is_folder);
        let file = |entry: Entry| ResultFile {
            key: format!("{folder}/{}", entry.name),
            size_bytes: entry.size_bytes,
            modified_at: entry.modified_at,
        };
        Ok(files.map(file).collect())
    }

    async fn remove_folder(&self, folder: &str, before: Millis) -> io::Result<()> {
        let path = self.root.join(folder);
        let Ok(about) = tokio::fs::metadata(&path).await else { return Ok(()) };
        if modified_at(&about) <= before {
            // One that is not empty stays.
            let _ = tokio::fs::remove_dir(&path).await;
        }
        Ok(())
    }
}

/// An entry of a folder.
pub(super) struct Entry {
    pub name: String,
    pub is_folder: bool,
    pub size_bytes: u64,
    pub modified_at: Millis,
}

/// What lies in a folder; nothing in one that is not there. Names that are no text are not ours.
pub(super) async fn read(folder: PathBuf) -> io::Result<Vec<Entry>> {
    tokio::task::spawn_blocking(move || read_now(&folder)).await.map_err(io::Error::other)?
}

fn read_now(folder: &Path) -> io::Result<Vec<Entry>> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        // One that has gone since is nothing.
        let (Ok(name), Ok(about)) = (entry.file_name().into_string(), entry.metadata()) else { continue };
        found.push(Entry {
            name,
            is_folder: about.is_dir(),
            size_bytes: about.len(),
            modified_at: modified_at(&about),
        });
    }
    Ok(found)
}

pub(super) fn modified_at(about: &std::fs::Metadata) -> Millis {
    let since = about.modified().ok().and_then(|moment| moment.duration_since(UNIX_EPOCH).ok());
    // What has no time is taken for new.
    since.map_or(Millis::MAX, |since| i64::try_from(since.as_millis()).unwrap_or(Millis::MAX))
}

pub(super) fn gone_is_fine(outcome: io::Result<()>) -> io::Result<()> {
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        outcome => outcome,
    }
}
