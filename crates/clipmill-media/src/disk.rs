//! Space on the disk: promised before work begins, so that pieces of work side by side do not fill it together.
//!
//! What is promised counts until the work ends, also for what was written by then: a little too careful, and
//! never wrong. Others may fill the disk all the same; a write that fails then ends its item with the same
//! error, to be tried again.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use clipmill_core::error::{ErrorCode, TaskError};

/// The disk below a folder.
#[derive(Debug, Clone)]
pub struct Disk {
    folder: PathBuf,
    /// Bytes that stay free, for the database and whoever else lives there.
    keep_free: u64,
    promised: Arc<AtomicU64>,
}

/// Space that nobody else is promised until this is dropped.
#[derive(Debug)]
pub struct Reservation {
    bytes: u64,
    promised: Arc<AtomicU64>,
}

impl Disk {
    pub fn new(folder: &Path, keep_free: u64) -> Self {
        Self { folder: folder.to_owned(), keep_free, promised: Arc::default() }
    }

    /// Fails when so much is not free beside what others were promised.
    pub fn reserve(&self, bytes: u64) -> Result<Reservation, TaskError> {
        let reservation = Reservation { bytes, promised: self.promised.clone() };
        let before = self.promised.fetch_add(bytes, Ordering::SeqCst);
        let wanted = before.saturating_add(bytes).saturating_add(self.keep_free);
        match self.free_bytes() {
            Ok(free) if free < wanted => {
                tracing::error!(free, wanted, folder = %self.folder.display(), "the disk is nearly full");
                Err(full())
            }
            Ok(_) => Ok(reservation),
            Err(error) => {
                // A disk that cannot be asked is not necessarily full; writing will tell.
                tracing::warn!(%error, "cannot ask how much of the disk is free");
                Ok(reservation)
            }
        }
    }

    /// What an ordinary user may still write.
    pub fn free_bytes(&self) -> std::io::Result<u64> {
        let found = rustix::fs::statvfs(&self.folder)?;
        Ok(found.f_bavail.saturating_mul(found.f_frsize))
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.promised.fetch_sub(self.bytes, Ordering::SeqCst);
    }
}

/// What the client hears of a full disk.
pub fn full() -> TaskError {
    TaskError::new(ErrorCode::Internal, "the service is short of disk space; try again later")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_is_promised_once_and_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let free = Disk::new(folder.path(), 0).free_bytes().unwrap();
        // Half of what is free can be had once beside the floor, however much others write meanwhile.
        let disk = Disk::new(folder.path(), free / 4);
        let first = disk.reserve(free / 2).unwrap();
        let refused = disk.clone().reserve(free / 2).unwrap_err();
        assert_eq!((refused.code, refused.retryable), (ErrorCode::Internal, true));
        drop(first);
        assert_eq!(disk.promised.load(Ordering::SeqCst), 0, "a refused promise is taken back");
        disk.reserve(free / 2).unwrap();
    }
}
