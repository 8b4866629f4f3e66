//! Keeps the cache below a size by removing the least recently used files.
//!
//! The time of last use is the modification time of the file, so that processes that share the folder see each other's
//! use. Files that belong together (a segment, its findings, its cover) are removed together.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clipmill_core::segment::CacheKey;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_NOW, utimensat};

use super::Cache;

/// A file used this recently can be in use by another process.
const RECENT: Duration = Duration::from_secs(15 * 60);
/// Eviction continues down to this share of the size, so that it does not run for every new file.
const LOW_WATER_PERCENT: u64 = 90;
const ASKED_AT_ONCE: usize = 1000;

/// The result of an eviction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EvictionReport {
    pub removed: u64,
    pub removed_bytes: u64,
    /// The size of the remaining files.
    pub kept_bytes: u64,
}

/// All files with the same key.
#[derive(Debug)]
struct Entry {
    files: Vec<PathBuf>,
    bytes: u64,
    used: SystemTime,
}

impl Cache {
    /// Brings the cache below `max_bytes`, unless too much is in use: held in this process, used within the quarter of
    /// an hour before `now`, or selected by `needed`, which is called with a thousand candidates at a time.
    pub fn evict<E: From<io::Error>>(
        &self,
        max_bytes: u64,
        now: SystemTime,
        mut needed: impl FnMut(&[CacheKey]) -> Result<HashSet<CacheKey>, E>,
    ) -> Result<EvictionReport, E> {
        let mut entries: Vec<(CacheKey, Entry)> = self.entries()?.into_iter().collect();
        let mut report = EvictionReport {
            kept_bytes: entries.iter().map(|(_, entry)| entry.bytes).sum(),
            ..EvictionReport::default()
        };
        if report.kept_bytes <= max_bytes {
            return Ok(report);
        }
        entries.sort_by_key(|(_, entry)| entry.used);
        let recent = now.checked_sub(RECENT).unwrap_or(now);
        let low = max_bytes / 100 * LOW_WATER_PERCENT;
        entries.retain(|(_, entry)| entry.used <= recent);
        for some in entries.chunks(ASKED_AT_ONCE) {
            if report.kept_bytes <= low {
                break;
            }
            let needed = needed(&some.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>())?;
            for (key, entry) in some {
                if report.kept_bytes <= low {
                    break;
                }
                if needed.contains(key) || self.in_use.is_held(key) {
                    continue;
                }
                remove(entry)?;
                report.removed += 1;
                report.removed_bytes += entry.bytes;
                report.kept_bytes -= entry.bytes;
            }
        }
        Ok(report)
    }

    /// Marks the files with this key as used now.
    pub(super) fn touch(&self, key: CacheKey) {
        // One file is marked for all of them: every key has a sidecar.
        mark_used(&self.file(key, "json"));
    }

    fn entries(&self) -> io::Result<HashMap<CacheKey, Entry>> {
        let mut entries: HashMap<CacheKey, Entry> = HashMap::new();
        for folder in fs::read_dir(self.root.join("segments"))? {
            let folder = folder?.path();
            let Ok(files) = fs::read_dir(&folder) else { continue };
            for file in files {
                let file = file?;
                // Another process that evicts at the same time may have removed it.
                let Ok(metadata) = file.metadata() else { continue };
                let name = file.file_name().to_string_lossy().into_owned();
                let key = CacheKey(name.split_once('.').map_or(name.as_str(), |(key, _)| key).into());
                let used = metadata.modified()?;
                let entry = entries.entry(key).or_insert(Entry { files: vec![], bytes: 0, used });
                entry.files.push(file.path());
                entry.bytes += metadata.blocks() * 512;
                entry.used = entry.used.max(used);
            }
        }
        Ok(entries)
    }
}

/// For [`Cache::evict`] where no segments are awaited.
pub fn none_needed(_: &[CacheKey]) -> io::Result<HashSet<CacheKey>> {
    Ok(HashSet::new())
}

/// Sets the times of a file to now; returns whether it exists. A missing file needs no mark.
pub fn mark_used(path: &Path) -> bool {
    let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
    let times = Timestamps { last_access: now, last_modification: now };
    let marked = utimensat(CWD, path, &times, AtFlags::empty());
    if let Err(error) = marked {
        tracing::trace!(%error, path = %path.display(), "cannot record the time of last use");
    }
    marked.is_ok()
}

/// Removes the sidecar last: a sidecar without its file only costs another probe.
fn remove(entry: &Entry) -> io::Result<()> {
    let (sidecars, files): (Vec<_>, Vec<_>) =
        entry.files.iter().partition(|file| file.extension().is_some_and(|extension| extension == "json"));
    for file in files.into_iter().chain(sidecars) {
        match fs::remove_file(file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    fn hash(name: char) -> CacheKey {
        CacheKey(name.to_string().repeat(64).into())
    }

    /// Writes 64 KiB of files and a sidecar with this key, last used `age` before the epoch's 100th hour.
    fn keep(cache: &Cache, name: char, age: u32) {
        let used = SystemTime::UNIX_EPOCH + 100 * HOUR - age * HOUR;
        for (extension, bytes) in [("mp4", 64 << 10), ("json", 2)] {
            let path = cache.file(hash(name), extension);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, vec![b'0'; bytes]).unwrap();
            fs::File::options().write(true).open(&path).unwrap().set_modified(used).unwrap();
        }
    }

    fn left(cache: &Cache) -> String {
        let there =
            |name: &char| cache.file(hash(*name), "mp4").exists() && cache.file(hash(*name), "json").exists();
        ('a'..='f').filter(there).collect()
    }

    #[tokio::test]
    async fn the_least_recently_used_files_go_first_and_files_in_use_stay() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).await.unwrap();
        for (name, age) in [('a', 50), ('b', 40), ('c', 30), ('d', 20), ('e', 10), ('f', 0)] {
            keep(&cache, name, age);
        }
        let now = SystemTime::UNIX_EPOCH + 100 * HOUR;
        let evict = |kib: u64, needed: &[char]| {
            let needed: HashSet<CacheKey> = needed.iter().map(|name| hash(*name)).collect();
            let evicted = cache.evict(kib << 10, now, |of| {
                Ok::<_, io::Error>(of.iter().filter(|key| needed.contains(key)).cloned().collect())
            });
            evicted.unwrap()
        };
        assert_eq!(evict(1 << 20, &[]).removed, 0);
        assert_eq!(left(&cache), "abcdef", "all of it fits");
        // Three entries of about 68 KiB each are nine tenths of the size.
        assert_eq!(evict(240, &[]).removed, 3);
        assert_eq!(left(&cache), "def");
        let guard = cache.hold([hash('d')]);
        keep(&cache, 'd', 20);
        let evicted = evict(0, &['e']);
        assert_eq!((evicted.removed, left(&cache)), (0, "def".to_owned()), "held, needed, just used");
        drop(guard);
        assert_eq!(evict(0, &['e']).removed, 1);
        assert_eq!(left(&cache), "ef");
        let later = cache.evict(0, now + HOUR, none_needed).unwrap();
        assert_eq!((later.removed, later.kept_bytes, left(&cache)), (2, 0, String::new()));
    }

    #[tokio::test]
    async fn holding_counts_as_use() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).await.unwrap();
        keep(&cache, 'a', 99);
        keep(&cache, 'b', 50);
        drop(cache.hold([hash('a')]));
        let now = SystemTime::UNIX_EPOCH + 100 * HOUR;
        // The older one was used today, long after that `now`.
        assert_eq!(cache.evict(0, now, none_needed).unwrap().removed, 1);
        assert_eq!(left(&cache), "a");
    }
}
