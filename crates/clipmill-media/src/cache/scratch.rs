//! Scratch directories: folders for unfinished files, one for each live process.
//!
//! A process holds a lock beside its folder, which the system releases however the process ends: a folder whose lock is
//! free is abandoned. Processes that share a cache do not touch each other's folders.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Debug, Clone)]
pub struct ScratchDir {
    root: PathBuf,
    path: PathBuf,
    lock: Arc<Mutex<File>>,
    left: Arc<AtomicBool>,
}

impl ScratchDir {
    /// Makes a new folder below `root`, and removes those of dead processes.
    pub fn open(root: &Path) -> io::Result<Self> {
        fs::create_dir_all(root)?;
        sweep(root)?;
        for number in 0u64.. {
            // The lock comes first, because any process removes a folder whose lock is free.
            let name = format!("{}-{number}", std::process::id());
            let path = root.join(&name);
            let Some(lock) = locked(&path)? else { continue };
            match fs::create_dir(&path) {
                Ok(()) => {
                    let lock = Arc::new(Mutex::new(lock));
                    return Ok(Self { root: root.to_owned(), path, lock, left: Arc::default() });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("no name is left for a folder"))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes an empty folder in it.
    pub fn subfolder(&self, name: &str) -> io::Result<PathBuf> {
        let path = self.path.join(name);
        match fs::remove_dir_all(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        fs::create_dir(&path).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => self.restore().and_then(|_| fs::create_dir(&path)),
            _ => Err(error),
        })?;
        Ok(path)
    }

    /// Re-creates the folder and its lock if they were removed; returns whether they were missing.
    pub fn restore(&self) -> io::Result<bool> {
        if self.left.load(Ordering::Acquire) {
            return Err(io::Error::other("this process has removed its scratch folder"));
        }
        if self.path.is_dir() && lock_of(&self.path).is_file() {
            return Ok(false);
        }
        fs::create_dir_all(&self.root)?;
        // Without its lock the folder would count as abandoned.
        if let Some(lock) = locked(&self.path)? {
            *self.lock.lock().unwrap_or_else(PoisonError::into_inner) = lock;
        }
        fs::create_dir_all(&self.path)?;
        Ok(true)
    }

    /// Removes the folder and everything in it. Work that has not ended yet fails when it opens another file there.
    pub fn leave(&self) {
        self.left.store(true, Ordering::Release);
        // Under another name, no path leads into the folder while it is being removed.
        let path = self.path.with_extension("left");
        // If the folder cannot be removed now, the next process removes it.
        if fs::rename(&self.path, &path).is_ok() && fs::remove_dir_all(&path).is_ok() {
            let _ = fs::remove_file(lock_of(&self.path));
        }
    }

    /// Removes the folders of dead processes; returns how many there were.
    pub fn sweep(&self) -> io::Result<usize> {
        sweep(&self.root)
    }
}

/// The lock of a folder; `None` while another process holds it.
fn locked(folder: &Path) -> io::Result<Option<File>> {
    let lock = File::create(lock_of(folder))?;
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn lock_of(folder: &Path) -> PathBuf {
    folder.with_extension("lock")
}

fn sweep(root: &Path) -> io::Result<usize> {
    let mut removed = 0;
    for entry in fs::read_dir(root)? {
        let path = entry?.path();
        if path.is_dir() && is_abandoned(&path) {
            fs::remove_dir_all(&path)?;
            let _ = fs::remove_file(lock_of(&path));
            removed += 1;
        }
    }
    Ok(removed)
}

fn is_abandoned(folder: &Path) -> bool {
    match File::open(lock_of(folder)) {
        Ok(lock) => lock.try_lock().is_ok(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that another test is starting inherits all locks of this process for a moment, so tests wait.
    fn until(done: impl Fn() -> bool) {
        let is_free = (0..3_000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            done()
        });
        assert!(is_free, "a lock is held indefinitely");
    }

    #[test]
    fn a_folder_that_was_removed_is_restored_with_its_lock() {
        let root = tempfile::tempdir().unwrap();
        let scratch = ScratchDir::open(&root.path().join("tmp")).unwrap();
        assert!(!scratch.restore().unwrap());
        fs::remove_dir_all(root.path().join("tmp")).unwrap();
        assert!(scratch.restore().unwrap());
        fs::write(scratch.path().join("file"), "x").unwrap();
        assert_eq!(scratch.sweep().unwrap(), 0, "it belongs to a live process");
        assert!(scratch.path().join("file").exists());
    }

    /// An aborted attempt may still be running when its process leaves.
    #[test]
    fn nothing_is_written_after_the_process_has_left() {
        let root = tempfile::tempdir().unwrap();
        let scratch = ScratchDir::open(root.path()).unwrap();
        let before = scratch.subfolder("before").unwrap();
        scratch.leave();
        assert!(fs::write(before.join("part.mp4"), "x").is_err());
        assert!(fs::create_dir(before.join("fonts")).is_err());
        assert!(scratch.subfolder("after").is_err());
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
    }

    #[test]
    fn live_processes_keep_their_files_and_dead_ones_do_not() {
        let root = tempfile::tempdir().unwrap();
        let (first, second) =
            (ScratchDir::open(root.path()).unwrap(), ScratchDir::open(root.path()).unwrap());
        let keep = |scratch: &ScratchDir| {
            let file = scratch.path().join("part.mp4");
            fs::write(&file, "x").unwrap();
            file
        };
        let (of_first, of_second) = (keep(&first), keep(&second));
        // This folder was left by a version that had no locks.
        fs::create_dir(root.path().join("old")).unwrap();
        assert_eq!(first.sweep().unwrap(), 1);
        drop(second);
        until(|| first.sweep().unwrap() == 1);
        assert_eq!((of_first.exists(), of_second.exists()), (true, false));
        drop(first);
        until(|| {
            ScratchDir::open(root.path()).unwrap();
            !of_first.exists()
        });
    }
}
