//! Keeping the cache to a size: what was used longest ago goes first.
//!
//! The time of last use is the time of the file, so that processes which share the folder know of each other.
//! Files that belong together (a segment, its findings, its cover) go together.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use clipmill_core::segment::SegmentHash;
use rustix::fs::{CWD, AtFlags, Timespec, Timestamps, UTIME_NOW, utimensat};

use super::Cache;

/// What was used so recently may be in the hands of another process.
const RECENT: Duration = Duration::from_secs(15 * 60);
/// Evicting goes on to this share of the size, so that it is not done for every new file.
const LOW_WATER_PERCENT: u64 = 90;

/// What an eviction found and did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Evicted {
    pub removed: u64,
    pub removed_bytes: u64,
    /// Left afterwards.
    pub kept_bytes: u64,
}

/// All files of one name.
#[derive(Debug)]
struct Entry {
    files: Vec<PathBuf>,
    bytes: u64,
    used: SystemTime,
}

impl Cache {
    /// Brings the cache below `max_bytes`, unless too much is in use: held here, named by `needed`, or used
    /// within the quarter of an hour before `now`.
    pub fn evict(
        &self,
        max_bytes: u64,
        needed: &HashSet<SegmentHash>,
        now: SystemTime,
    ) -> io::Result<Evicted> {
        let mut entries: Vec<(SegmentHash, Entry)> = self.entries()?.into_iter().collect();
        let mut done = Evicted { kept_bytes: entries.iter().map(|(_, entry)| entry.bytes).sum(), ..Evicted::default() };
        if done.kept_bytes <= max_bytes {
            return Ok(done);
        }
        entries.sort_by_key(|(_, entry)| entry.used);
        let recent = now.checked_sub(RECENT).unwrap_or(now);
        for (hash, entry) in entries {
            if done.kept_bytes <= max_bytes / 100 * LOW_WATER_PERCENT || entry.used > recent {
                break;
            }
            if needed.contains(&hash) || self.in_use.is_held(&hash) {
                continue;
            }
            remove(&entry)?;
            done.removed += 1;
            done.removed_bytes += entry.bytes;
            done.kept_bytes -= entry.bytes;
        }
        Ok(done)
    }

    /// Notes that the files of this name are used now.
    pub(super) fn touch(&self, hash: &SegmentHash) {
        // One file speaks for all of them: every name has a note, but assets are one file anyway.
        let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
        let times = Timestamps { last_access: now, last_modification: now };
        // What is not there needs no mark.
        for note in ["json", "mkv"] {
            let _ = utimensat(CWD, self.file(hash, note), &times, AtFlags::empty());
        }
    }

    fn entries(&self) -> io::Result<HashMap<SegmentHash, Entry>> {
        let mut entries: HashMap<SegmentHash, Entry> = HashMap::new();
        for folder in fs::read_dir(self.root.join("segments"))? {
            let folder = folder?.path();
            let Ok(files) = fs::read_dir(&folder) else { continue };
            for file in files {
                let file = file?;
                // Whoever evicts at the same time may have taken it.
                let Ok(metadata) = file.metadata() else { continue };
                let name = file.file_name().to_string_lossy().into_owned();
                let hash = SegmentHash(name.split_once('.').map_or(name.as_str(), |(hash, _)| hash).to_owned());
                let used = metadata.modified()?;
                let entry = entries.entry(hash).or_insert(Entry { files: vec![], bytes: 0, used });
                entry.files.push(file.path());
                entry.bytes += metadata.blocks() * 512;
                entry.used = entry.used.max(used);
            }
        }
        Ok(entries)
    }
}

/// The note goes last: without the file it only costs another look.
fn remove(entry: &Entry) -> io::Result<()> {
    let (notes, files): (Vec<_>, Vec<_>) =
        entry.files.iter().partition(|file| file.extension().is_some_and(|extension| extension == "json"));
    for file in files.into_iter().chain(notes) {
        match fs::remove_file(file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}
