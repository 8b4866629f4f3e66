//! Disk space: reserved before it is used, so that concurrent work does not fill the disk.
//!
//! A process has one account for each disk, shared by all writers. A file that arrives from outside, whose size is
//! unknown or only claimed, is reserved in steps while it arrives ([`GrowingReservation`]), so a large announcement
//! blocks no space. The space for a file that is made here is reserved as a whole until it is done ([`Reservation`]),
//! including the part written by then: that is slightly too cautious, and never wrong. Other processes may fill the
//! disk all the same, so the free space is queried again at each step.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::message;

use crate::error::disk_full;

/// The reservation for an arriving file grows by this much at a time, or only by the necessary amount if there is less
/// room.
const STEP: u64 = 16 << 20;
/// Up to this much of the written data may not have reached the disk yet.
const ON_ITS_WAY: u64 = 1 << 20;

/// The account of the disk below a folder; clones share it.
#[derive(Clone)]
pub struct Disk(Arc<SpaceAccount>);

struct SpaceAccount {
    /// Returns the bytes that are free for an ordinary user.
    free: Box<dyn Fn() -> std::io::Result<u64> + Send + Sync>,
    /// The size of the whole disk, if it is known.
    size: Option<u64>,
    /// Bytes that must stay free, for the database and other users of the disk.
    keep_free: u64,
    promised: Mutex<u64>,
}

/// Space that nobody else can reserve until this is dropped.
#[derive(Debug)]
pub struct Reservation {
    bytes: u64,
    disk: Disk,
}

/// Space for a growing file; the part that is not written yet is reserved.
#[derive(Debug)]
pub struct GrowingReservation {
    /// The part that is not written yet, or may not have reached the disk.
    ahead: Reservation,
    /// The size that the file has, and the size that it may reach.
    size: u64,
    granted: u64,
}

/// How much is free, and how much must be.
struct MissingSpace {
    free: u64,
    needed: u64,
}

impl Disk {
    pub fn new(folder: &Path, keep_free: u64) -> Self {
        let size =
            rustix::fs::statvfs(folder).ok().map(|stats| stats.f_blocks.saturating_mul(stats.f_frsize));
        let folder = folder.to_owned();
        let free = move || {
            let stats = rustix::fs::statvfs(&folder)?;
            Ok(stats.f_bavail.saturating_mul(stats.f_frsize))
        };
        Self::measured(keep_free, size, free)
    }

    /// A disk whose free space is measured by the given function.
    pub fn measured(
        keep_free: u64,
        size: Option<u64>,
        free: impl Fn() -> std::io::Result<u64> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(SpaceAccount { free: Box::new(free), size, keep_free, promised: Mutex::default() }))
    }

    /// Fails permanently if this many bytes would not fit on an empty disk.
    pub fn could_hold(&self, bytes: u64) -> Result<(), TaskError> {
        match self.0.size {
            // If not even `keep_free` fits, the setting is wrong, and the work waits until it is corrected.
            Some(size) if size > self.0.keep_free && bytes > size - self.0.keep_free => {
                tracing::error!(bytes, size, "work needs more space than the disk has");
                Err(too_small(bytes))
            }
            _ => Ok(()),
        }
    }

    /// Fails if this many bytes are not free beside what others have reserved.
    pub fn reserve(&self, bytes: u64) -> Result<Reservation, TaskError> {
        self.promise(bytes).map_err(|MissingSpace { free, needed }| {
            tracing::error!(free, wanted = needed, "the disk is nearly full");
            disk_full()
        })
    }

    /// Space for a file that is announced to have this many bytes. Fails if that does not fit; the reservation grows
    /// with the file.
    pub fn arriving(&self, announced: u64) -> Result<GrowingReservation, TaskError> {
        drop(self.reserve(announced)?);
        let mut arriving = GrowingReservation { ahead: self.reserve(0)?, size: 0, granted: 0 };
        arriving.reach(0)?;
        Ok(arriving)
    }

    /// The bytes that an ordinary user may still write.
    pub fn free_bytes(&self) -> std::io::Result<u64> {
        (self.0.free)()
    }

    /// The bytes that are reserved and not written yet.
    pub fn promised_bytes(&self) -> u64 {
        *self.promised()
    }

    /// Whether less than half of the reserve is free: something without reservations, like a database, has taken the
    /// rest.
    pub fn is_nearly_full(&self) -> bool {
        // A disk that cannot be queried is not necessarily full.
        self.free_bytes().is_ok_and(|free| free < self.0.keep_free / 2)
    }

    fn promise(&self, bytes: u64) -> Result<Reservation, MissingSpace> {
        let mut promised = self.promised();
        let needed = promised.saturating_add(bytes).saturating_add(self.0.keep_free);
        match self.free_bytes() {
            Ok(free) if free < needed => return Err(MissingSpace { free, needed }),
            Ok(_) => {}
            // A disk that cannot be queried is not necessarily full; writing will show it.
            Err(error) => tracing::warn!(%error, "cannot query the free disk space"),
        }
        *promised = promised.saturating_add(bytes);
        Ok(Reservation { bytes, disk: self.clone() })
    }

    fn promised(&self) -> MutexGuard<'_, u64> {
        self.0.promised.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl GrowingReservation {
    /// Makes sure that there is room before the file grows to this size. The previously requested size counts as written.
    pub fn reach(&mut self, size: u64) -> Result<(), TaskError> {
        self.settle();
        if size >= self.granted {
            let increment = size.saturating_sub(self.granted).max(1);
            let disk = &self.ahead.disk;
            let step = disk.promise(increment.max(STEP)).or_else(|_| disk.reserve(increment))?;
            self.granted = self.granted.saturating_add(step.bytes);
            self.ahead.take(step);
        }
        self.size = size;
        Ok(())
    }

    /// The file starts again from the beginning.
    pub fn restart(&mut self) -> Result<(), TaskError> {
        let disk = self.ahead.disk.clone();
        *self = disk.arriving(0)?;
        Ok(())
    }

    /// Releases the reservation of what has reached the disk.
    fn settle(&mut self) {
        let open = self.granted.saturating_sub(self.size.saturating_sub(ON_ITS_WAY));
        self.ahead.shrink_to(open);
    }
}

impl Reservation {
    fn take(&mut self, mut other: Self) {
        self.bytes = self.bytes.saturating_add(other.bytes);
        other.bytes = 0;
    }

    fn shrink_to(&mut self, bytes: u64) {
        let surplus = self.bytes.saturating_sub(bytes);
        self.bytes -= surplus;
        let mut promised = self.disk.promised();
        *promised = promised.saturating_sub(surplus);
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.shrink_to(0);
    }
}

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (keep_free, promised) = (self.0.keep_free, self.promised_bytes());
        f.debug_struct("Disk")
            .field("keep_free", &keep_free)
            .field("promised", &promised)
            .finish_non_exhaustive()
    }
}

fn too_small(bytes: u64) -> TaskError {
    let message = message::disk_too_small(bytes.div_ceil(1 << 20));
    TaskError::new(ErrorCode::Internal, message).retryable(false)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    const MIB: u64 = 1 << 20;

    /// A disk of this size, and a counter of what is on it.
    fn disk(size: u64, keep_free: u64) -> (Disk, Arc<AtomicU64>) {
        let used = Arc::new(AtomicU64::new(0));
        let used_bytes = used.clone();
        (Disk::measured(keep_free, Some(size), move || Ok(size - used_bytes.load(Ordering::SeqCst))), used)
    }

    #[test]
    fn space_is_reserved_once_and_released() {
        let (disk, _) = disk(100 * MIB, 20 * MIB);
        let first = disk.reserve(50 * MIB).unwrap();
        let refused = disk.clone().reserve(50 * MIB).unwrap_err();
        assert_eq!(
            (refused.code, refused.retryable, refused.lacks_disk_space),
            (ErrorCode::Internal, true, true)
        );
        drop(first);
        assert_eq!(disk.promised_bytes(), 0, "a refused promise is taken back");
        disk.reserve(50 * MIB).unwrap();
    }

    #[test]
    fn impossible_reservations_do_not_wait() {
        let (disk, used) = disk(100 * MIB, 20 * MIB);
        used.store(90 * MIB, Ordering::SeqCst);
        disk.could_hold(80 * MIB).unwrap();
        let refused = disk.could_hold(80 * MIB + 1).unwrap_err();
        assert!(
            !refused.lacks_disk_space && !refused.retryable && refused.message.contains(" 81 MiB"),
            "{refused}"
        );
        // The reserve exceeds the disk: the operator has to correct the setting.
        Disk::measured(101 * MIB, Some(100 * MIB), || Ok(0)).could_hold(MIB).unwrap();
        Disk::measured(0, None, || Ok(0)).could_hold(u64::MAX).unwrap();
    }

    #[test]
    fn a_real_disk_reports_free_space() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Disk::new(folder.path(), 0).free_bytes().unwrap() > 0);
        assert!(Disk::new(folder.path(), 0).could_hold(u64::MAX).is_err());
        assert!(Disk::new(folder.path(), u64::MAX).reserve(1).is_err());
    }

    #[test]
    fn incoming_files_reserve_space_as_they_arrive() {
        let (disk, used) = disk(100 * MIB, 20 * MIB);
        assert!(disk.arriving(81 * MIB).is_err(), "the announced size does not fit");
        let mut file = disk.arriving(60 * MIB).unwrap();
        assert_eq!(disk.promised_bytes(), STEP, "what is only announced is not taken from others");
        // Data that may not have reached the disk counts twice.
        for mib in 1..=78 {
            file.reach(mib * MIB).unwrap();
            used.store(mib * MIB, Ordering::SeqCst);
            assert!(disk.promised_bytes() <= STEP + 2 * ON_ITS_WAY, "{mib}");
        }
        let refused = file.reach(81 * MIB).unwrap_err();
        assert!(refused.lacks_disk_space);
        drop(file);
        assert_eq!(disk.promised_bytes(), 0);
    }

    /// In whatever order reservations begin, and however they end: the floor stays free and nothing stays reserved.
    #[test]
    fn concurrent_incoming_files_respect_the_floor() {
        let (disk, used) = disk(200 * MIB, 16 * MIB);
        let mut files: Vec<(GrowingReservation, u64)> =
            (0..50).filter_map(|_| disk.arriving(0).ok()).map(|file| (file, 0)).collect();
        let (mut refused, mut steps) = (50 - files.len(), 0_usize);
        while !files.is_empty() {
            let at = steps * 7 % files.len();
            let (file, size) = &mut files[at];
            match file.reach(*size + MIB / 2) {
                Ok(()) => {
                    *size += MIB / 2;
                    used.fetch_add(MIB / 2, Ordering::SeqCst);
                }
                Err(error) => {
                    assert!(error.lacks_disk_space);
                    refused += 1;
                    used.fetch_sub(*size, Ordering::SeqCst);
                    files.remove(at);
                }
            }
            assert!(200 * MIB - used.load(Ordering::SeqCst) >= 16 * MIB);
            steps += 1;
            if files.len() == 1 && files[0].1 > 150 * MIB {
                break;
            }
        }
        assert!(refused > 40, "{refused}");
        files.clear();
        assert_eq!(disk.promised_bytes(), 0);
    }
}
