//! The data folder and its layout. With storage in a bucket it is a cache, and the place for unfinished files.

use std::fs::{DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use clipmill_blobs::{Blobs, Bucket, Folder};

/// All folders lie on one file system, so that files can be moved between them by renaming.
#[derive(Debug, Clone)]
pub struct DataDir {
    root: PathBuf,
    blobs: Blobs,
}

impl DataDir {
    /// Makes the folders that are missing.
    pub fn open(root: impl Into<PathBuf>) -> io::Result<Self> {
        let root = root.into();
        let dir = Self { blobs: Blobs::Folder(Folder::new(&root)), root };
        if !dir.root.exists() {
            DirBuilder::new().recursive(true).mode(OWNER_ONLY_FOLDER).create(&dir.root)?;
        }
        for folder in [dir.results(), dir.uploads(), dir.inputs()] {
            std::fs::create_dir_all(folder)?;
        }
        restrict(&dir.root, OWNER_ONLY_FOLDER);
        Ok(dir)
    }

    /// The file with the key of the user that the first start makes.
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

    /// Removes uploads that an earlier process did not finish. Only for the one process that holds the folder.
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

    /// The path of a source file; `sha256` is lower-case hexadecimal that we wrote ourselves.
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

/// Takes away permissions beyond `most`. A file of another owner, as on some shared volumes, stays as it is.
fn restrict(path: &Path, most: u32) {
    let Ok(metadata) = std::fs::metadata(path) else { return };
    let mode = metadata.permissions().mode() & 0o777;
    if mode & !most == 0 {
        return;
    }
    let shown = path.display();
    match std::fs::set_permissions(path, Permissions::from_mode(mode & most)) {
        Ok(()) => {
            tracing::info!("{shown} holds secrets: only its owner may read it from now on (mode {most:o})")
        }
        Err(error) => {
            tracing::warn!(%error, "{shown} holds secrets and may be read by others (mode {mode:o})")
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
        let (left, kept) = (dir.uploads().join("x.part"), dir.input("ab"));
        for path in [&left, &kept] {
            std::fs::write(path, "x").unwrap();
        }
        dir.clear_uploads().unwrap();
        assert_eq!((left.exists(), kept.exists()), (false, true));
    }

    #[test]
    fn keys_stay_inside() {
        let root = PathBuf::from("/data");
        let dir = DataDir { blobs: Blobs::Folder(Folder::new(&root)), root };
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
