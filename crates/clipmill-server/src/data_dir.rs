//! The data folder: what lies where.

use std::io;
use std::path::{Component, Path, PathBuf};

/// All folders lie on one filesystem, so that files move between them by renaming.
#[derive(Debug, Clone)]
pub struct DataDir {
    root: PathBuf,
}

impl DataDir {
    /// Makes the folders that are missing.
    pub fn open(root: impl Into<PathBuf>) -> io::Result<Self> {
        let dir = Self { root: root.into() };
        for folder in [dir.results(), dir.uploads(), dir.inputs()] {
            std::fs::create_dir_all(folder)?;
        }
        Ok(dir)
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Finished output files, by the key that the database knows.
    pub fn results(&self) -> PathBuf {
        self.root.join("results")
    }

    /// Uploads that are still arriving; whatever is older than the process is rubbish.
    pub fn uploads(&self) -> PathBuf {
        self.root.join("uploads")
    }

    /// Source files by the SHA-256 of their content.
    pub fn inputs(&self) -> PathBuf {
        self.root.join("inputs")
    }

    /// Where a result lies; `None` for a key that would lead out of the folder.
    pub fn result(&self, key: &str) -> Option<PathBuf> {
        let relative = Path::new(key);
        let stays = !key.is_empty() && relative.components().all(|part| matches!(part, Component::Normal(_)));
        stays.then(|| self.results().join(relative))
    }

    /// Where a source file lies; `sha256` is lower-case hexadecimal of our own making.
    pub fn input(&self, sha256: &str) -> PathBuf {
        self.inputs().join(sha256)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_inside() {
        let dir = DataDir { root: "/data".into() };
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
