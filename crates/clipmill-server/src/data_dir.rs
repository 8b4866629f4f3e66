//! The data folder and its layout. With storage in a bucket, it is a cache and holds unfinished files.

use std::fs::{DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};

use clipmill_blobs::{Blobs, Bucket, Folder};

/// All folders are on one file system, so that files can be moved between them by renaming.
#[derive(Debug, Clone)]
pub struct DataDir {
    root: PathBuf,
    blobs: Blobs,
    /// The id of the installation that it belongs to, once that was checked.
    installation: Arc<OnceLock<String>>,
}

/// The file with the id of the installation.
pub const INSTALLATION_FILE: &str = "installation";

impl DataDir {
    /// Creates missing folders.
    pub fn open(root: impl Into<PathBuf>) -> io::Result<Self> {
        let root = root.into();
        let dir = Self { blobs: Blobs::Folder(Folder::new(&root)), root, installation: Arc::default() };
        if !dir.root.exists() {
            DirBuilder::new().recursive(true).mode(OWNER_ONLY_FOLDER).create(&dir.root)?;
        }
        for folder in dir.folders() {
            std::fs::create_dir_all(folder)?;
        }
        restrict(&dir.root, OWNER_ONLY_FOLDER);
        Ok(dir)
    }

    fn folders(&self) -> [PathBuf; 3] {
        [self.results(), self.uploads(), self.inputs()]
    }

    /// Re-creates folders that were removed while the process runs.
    ///
    /// # Errors
    /// A folder cannot be created, or the whole data folder is missing: its disk may have been unmounted, and files
    /// written to the mount point would be hidden after a remount.
    pub fn restore_folders(&self) -> io::Result<()> {
        if let Some(id) = self.installation.get()
            && self.installation()?.as_ref() != Some(id)
        {
            let (root, name) = (self.root.display(), INSTALLATION_FILE);
            return Err(io::Error::other(format!(
                "the data folder {root} is missing or belongs to another installation: its file `{name}` does not contain the ID {id}; \
                 check that its disk is mounted"
            )));
        }
        for folder in self.folders() {
            if !folder.is_dir() {
                std::fs::create_dir_all(&folder)?;
                tracing::warn!("{} was removed while the service runs; re-created it", folder.display());
            }
        }
        Ok(())
    }

    /// The id in its file; `None` without one.
    pub fn installation(&self) -> io::Result<Option<String>> {
        match std::fs::read_to_string(self.root.join(INSTALLATION_FILE)) {
            Ok(text) => Ok(Some(text.trim().to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Records that the folder belongs to this installation.
    pub fn belongs_to(&self, id: &str) {
        let _ = self.installation.set(id.to_owned());
    }

    /// The file with the key of the user created at the first start.
    pub fn first_key(&self) -> PathBuf {
        self.root.join("first-key")
    }

    /// The same folder, with finished files in this storage.
    pub fn with_blobs(self, blobs: Blobs) -> Self {
        Self { blobs, ..self }
    }

    /// The storage of finished files.
    pub fn blobs(&self) -> &Blobs {
        &self.blobs
    }

    /// Storage that other machines share, if there is any.
    pub fn bucket(&self) -> Option<&Bucket> {
        self.blobs.bucket()
    }

    /// Removes uploads that an earlier process did not finish. Only for the process that owns the folder.
    pub fn clear_uploads(&self) -> io::Result<()> {
        for entry in std::fs::read_dir(self.uploads())? {
            std::fs::remove_file(entry?.path())?;
        }
        Ok(())
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of finished outputs, named by the key in the database.
    pub fn results(&self) -> PathBuf {
        self.root.join("results")
    }

    /// The folder of uploads in progress.
    pub fn uploads(&self) -> PathBuf {
        self.root.join("uploads")
    }

    /// The folder of source files, named by the SHA-256 of their content.
    pub fn inputs(&self) -> PathBuf {
        self.root.join("inputs")
    }

    /// The path of a result; `None` for a key that would lead out of the folder.
    pub fn result(&self, key: &str) -> Option<PathBuf> {
        let relative = Path::new(key);
        let stays = !key.is_empty() && relative.components().all(|part| matches!(part, Component::Normal(_)));
        stays.then(|| self.results().join(relative))
    }

    /// The path of a source file; `sha256` is lower-case hexadecimal and trusted.
    pub fn input(&self, sha256: &str) -> PathBuf {
        self.inputs().join(sha256)
    }
}

/// Permissions of a folder that only its owner may enter.
const OWNER_ONLY_FOLDER: u32 = 0o700;
/// Permissions of a file that only its owner may read.
const OWNER_ONLY_FILE: u32 = 0o600;

/// Creates or empties a file that only its owner may read.
pub fn private_file(path: &Path) -> io::Result<std::fs::File> {
    let file =
        std::fs::File::options().create(true).write(true).truncate(true).mode(OWNER_ONLY_FILE).open(path)?;
    restrict(path, OWNER_ONLY_FILE);
    Ok(file)
}

/// Lets only the owner read a file that holds secrets, if it is there.
pub fn make_private(path: &Path) {
    restrict(path, OWNER_ONLY_FILE);
}

/// Removes permissions beyond `max`. A file of another owner, as on some shared volumes, is not changed.
fn restrict(path: &Path, max: u32) {
    let Ok(metadata) = std::fs::metadata(path) else { return };
    let mode = metadata.permissions().mode() & 0o777;
    if mode & !max == 0 {
        return;
    }
    let shown_path = path.display();
    match std::fs::set_permissions(path, Permissions::from_mode(mode & max)) {
        Ok(()) => {
            tracing::info!(
                "{shown_path} holds secrets: only its owner may read it from now on (mode {max:o})"
            )
        }
        Err(error) => {
            tracing::warn!(%error, "{shown_path} holds secrets and may be read by others (mode {mode:o})")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfinished_uploads_are_cleared_and_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        let dir = DataDir::open(root.path()).unwrap();
        let (unfinished_upload, input) = (dir.uploads().join("x.part"), dir.input("ab"));
        for path in [&unfinished_upload, &input] {
            std::fs::write(path, "x").unwrap();
        }
        dir.clear_uploads().unwrap();
        assert_eq!((unfinished_upload.exists(), input.exists()), (false, true));
    }

    #[test]
    fn keys_stay_inside() {
        let root = PathBuf::from("/data");
        let dir = DataDir { blobs: Blobs::Folder(Folder::new(&root)), root, installation: Arc::default() };
        let check = |key: &str, expected: Option<&str>| {
            assert_eq!(dir.result(key), expected.map(PathBuf::from), "{key}");
        };
        check("ab/cd.mp4", Some("/data/results/ab/cd.mp4"));
        check("../x", None);
        check("a/../../x", None);
        check("/etc/passwd", None);
        check("", None);
        check(".", None);
    }
}
