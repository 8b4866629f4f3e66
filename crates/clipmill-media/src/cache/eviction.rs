//! Keeping the cache to a size: what was used longest ago goes first.
//!
//! The time of last use is the time of the file, so that processes which share the folder know of each other.
//! Files that belong together (a segment, its findings, its cover) go together.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clipmill_core::segment::CacheKey;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_NOW, utimensat};

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

/// All files of one key.
#[derive(Debug)]
struct Entry {
    files: Vec<PathBuf>,
    bytes: u64,
    used: SystemTime,
}

impl Cache {
    /// Brings the cache below `max_bytes`, unless too much is in use: held here, named by `needed`, or used
    /// within the quarter of an hour before `now`.
    pub fn evict(&self, max_bytes: u64, needed: &HashSet<CacheKey>, now: SystemTime) -> io::Result<Evicted> {
        let mut entries: Vec<(CacheKey, Entry)> = self.entries()?.into_iter().collect();
        let mut done =
            Evicted { kept_bytes: entries.iter().map(|(_, entry)| entry.bytes).sum(), ..Evicted::default() };
        if done.kept_bytes <= max_bytes {
            return Ok(done);
        }
        entries.sort_by_key(|(_, entry)| entry.used);
        let recent = now.checked_sub(RECENT).unwrap_or(now);
        for (key, entry) in entries {
            if done.kept_bytes <= max_bytes / 100 * LOW_WATER_PERCENT || entry.used > recent {
                break;
            }
            if needed.contains(&key) || self.in_use.is_held(&key) {
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
    pub(super) fn touch(&self, key: CacheKey) {
        // One file speaks for all of them: every name has a note.
        mark_used(&self.file(key, "json"));
    }

    fn entries(&self) -> io::Result<HashMap<CacheKey, Entry>> {
        let mut entries: HashMap<CacheKey, Entry> = HashMap::new();
        for folder in fs::read_dir(self.root.join("segments"))? {
            let folder = folder?.path();
            let Ok(files) = fs::read_dir(&folder) else { continue };
            for file in files {
                let file = file?;
                // Whoever evicts at the same time may have taken it.
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

/// Sets the times of a file to now. What is not there needs no mark.
pub(super) fn mark_used(path: &Path) {
    let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
    let times = Timestamps { last_access: now, last_modification: now };
    if let Err(error) = utimensat(CWD, path, &times, AtFlags::empty()) {
        tracing::trace!(%error, path = %path.display(), "the time of use is not kept");
    }
}

/// The note goes last: without its file it only costs another probe.
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

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    fn hash(name: char) -> CacheKey {
        CacheKey(name.to_string().repeat(64).into())
    }

    /// Files of 64 KiB and a note under this name, used `age` before the epoch's 100th hour.
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
    async fn what_was_used_longest_ago_goes_first_and_what_is_in_use_stays() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).await.unwrap();
        for (name, age) in [('a', 50), ('b', 40), ('c', 30), ('d', 20), ('e', 10), ('f', 0)] {
            keep(&cache, name, age);
        }
        let now = SystemTime::UNIX_EPOCH + 100 * HOUR;
        let evict = |kib: u64, needed: &[char]| {
            cache.evict(kib << 10, &needed.iter().map(|name| hash(*name)).collect(), now).unwrap()
        };
        assert_eq!(evict(1 << 20, &[]).removed, 0);
        assert_eq!(left(&cache), "abcdef", "all of it fits");
        // Three of about 68 KiB each are nine tenths of the size.
        assert_eq!(evict(240, &[]).removed, 3);
        assert_eq!(left(&cache), "def");
        let held = cache.hold([hash('d')]);
        keep(&cache, 'd', 20);
        let found = evict(0, &['e']);
        assert_eq!((found.removed, left(&cache)), (0, "def".to_owned()), "held, needed, just used");
        drop(held);
        assert_eq!(evict(0, &['e']).removed, 1);
        assert_eq!(left(&cache), "ef");
        let later = cache.evict(0, &HashSet::new(), now + HOUR).unwrap();
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
        // The older one was used in our days, long after that `now`.
        assert_eq!(cache.evict(0, &HashSet::new(), now).unwrap().removed, 1);
        assert_eq!(left(&cache), "a");
    }
}
