//! The operations that retention needs from any result storage.

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

/// The storage of results, for retention. Keys have the form `TASKNO/NAME`.
#[async_trait]
pub trait ResultFiles: Send + Sync + 'static {
    /// Removes a file; a missing file is not an error.
    async fn remove(&self, key: &str) -> io::Result<()>;
    /// Task numbers that have or had files here.
    async fn folders(&self) -> io::Result<Vec<String>>;
    /// The files of a task.
    async fn list(&self, folder: &str) -> io::Result<Vec<ResultFile>>;
    /// Removes an empty folder that was not written to since `before`; does nothing if there are no real folders.
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
            // A folder that is not empty stays.
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

/// The entries of a folder; none if it does not exist. Names that are not text are ignored, because clipmill does not
/// create them.
pub(super) async fn read(folder: PathBuf) -> io::Result<Vec<Entry>> {
    tokio::task::spawn_blocking(move || read_now(&folder)).await.map_err(io::Error::other)?
}

fn read_now(folder: &Path) -> io::Result<Vec<Entry>> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry?;
        // An entry that was removed meanwhile is skipped.
        let (Ok(name), Ok(about)) = (entry.file_name().into_string(), entry.metadata()) else { continue };
        files.push(Entry {
            name,
            is_folder: about.is_dir(),
            size_bytes: about.len(),
            modified_at: modified_at(&about),
        });
    }
    Ok(files)
}

pub(super) fn modified_at(about: &std::fs::Metadata) -> Millis {
    let since = about.modified().ok().and_then(|moment| moment.duration_since(UNIX_EPOCH).ok());
    // A file without a time counts as new.
    since.map_or(Millis::MAX, |since| i64::try_from(since.as_millis()).unwrap_or(Millis::MAX))
}

pub(super) fn gone_is_fine(outcome: io::Result<()>) -> io::Result<()> {
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        outcome => outcome,
    }
}
