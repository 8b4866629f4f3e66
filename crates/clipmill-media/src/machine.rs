//! The processor cores and memory of this machine, within the limits of its container.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::OnceLock;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    /// Cores that this process may use: those of the machine, limited by its affinity and by the cgroup's `cpu.max` or
    /// `cpu.cfs_quota_us`.
    pub cores: usize,
    /// Memory in bytes: the smallest limit of the process's cgroups (version 1 or 2), at most that of the machine. `None` if
    /// the system does not report it.
    pub memory_bytes: Option<u64>,
}

/// The maximum memory that one job usually needs: two encodes of full HD with their sources.
pub const MEMORY_OF_A_SLOT: u64 = 700 << 20;

impl Machine {
    /// This machine, examined once.
    pub fn this() -> Self {
        static MACHINE: OnceLock<Machine> = OnceLock::new();
        *MACHINE.get_or_init(|| Self {
            cores: std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
            memory_bytes: memory(Path::new("/")),
        })
    }

    /// How many jobs fit: one for each core and one more, so that all cores are busy while a job waits for a file or
    /// ends, but no more than the memory allows.
    pub fn slots(&self) -> usize {
        self.cores.saturating_add(1).min(self.fit_memory()).max(1)
    }

    /// Whether the memory allows one job beside those of [`Machine::slots`].
    pub fn fits_another(&self) -> bool {
        self.slots() < self.fit_memory()
    }

    /// How many jobs the memory allows.
    fn fit_memory(&self) -> usize {
        let fits = self.memory_bytes.map_or(u64::MAX, |bytes| bytes / MEMORY_OF_A_SLOT);
        usize::try_from(fits).unwrap_or(usize::MAX)
    }
}

/// The memory of the system whose files are below `root`.
fn memory(root: &Path) -> Option<u64> {
    let limits = limits(root);
    total(root).into_iter().chain(limits).min()
}

fn total(root: &Path) -> Option<u64> {
    let text = fs::read_to_string(root.join("proc/meminfo")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    kib.checked_mul(1024)
}

/// The limits of this process's cgroups and of all groups above them. In a container without a cgroup namespace, the
/// process's path is that of the host, but its own group is mounted at the top.
fn limits(root: &Path) -> Vec<u64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let mut limits = Vec::new();
    for line in groups.lines() {
        // `0::/path` is version 2, `4:memory:/path` version 1.
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (mount, file) = match controllers {
            "" => ("sys/fs/cgroup", "memory.max"),
            named if named.split(',').any(|name| name == "memory") => {
                ("sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        let group = Path::new(path.trim_start_matches('/'));
        let limit = |group: &Path| fs::read_to_string(root.join(mount).join(group).join(file)).ok();
        // `max` is not a number: there is no limit.
        limits.extend(group.ancestors().filter_map(limit).filter_map(|text| text.trim().parse::<u64>().ok()));
    }
    limits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The memory of a system with these files.
    fn check(files: &[(&str, &str)], expected: Option<u64>) {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        assert_eq!(memory(root.path()), expected, "{files:?}");
    }

    const RAM: (&str, &str) = ("proc/meminfo", "MemTotal:       16777216 kB\nMemFree: 1 kB\n");

    #[test]
    fn the_smallest_limit_counts() {
        check(&[], None);
        check(&[RAM], Some(16 << 30));
        let v2 = ("proc/self/cgroup", "0::/pods/one\n");
        check(&[RAM, v2, ("sys/fs/cgroup/pods/one/memory.max", "max\n")], Some(16 << 30));
        check(&[RAM, v2, ("sys/fs/cgroup/pods/one/memory.max", "4294967296\n")], Some(4 << 30));
        check(&[RAM, v2, ("sys/fs/cgroup/pods/memory.max", "2147483648\n")], Some(2 << 30));
        check(
            &[RAM, ("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/memory.max", "1073741824\n")],
            Some(1 << 30),
        );
        let v1 = ("proc/self/cgroup", "5:cpu,cpuacct:/docker/a\n4:memory:/docker/a\n");
        let unlimited = ("sys/fs/cgroup/memory/docker/a/memory.limit_in_bytes", "9223372036854771712\n");
        check(&[RAM, v1, unlimited], Some(16 << 30));
        // Without a cgroup namespace, only the top is mounted.
        check(&[RAM, v1, ("sys/fs/cgroup/memory/memory.limit_in_bytes", "536870912\n")], Some(512 << 20));
    }

    #[test]
    fn slots_fit_cores_and_memory() {
        let check = |cores, memory_bytes, expected| {
            assert_eq!(Machine { cores, memory_bytes }.slots(), expected, "{cores} cores, {memory_bytes:?}");
        };
        check(2, None, 3);
        check(2, Some(24 << 30), 3);
        check(16, Some(4 << 30), 5);
        check(16, Some(64 << 30), 17);
        check(256, Some(512 << 30), 257);
        check(4, Some(100 << 20), 1);
        assert!(Machine { cores: 2, memory_bytes: Some(4 << 30) }.fits_another());
        assert!(!Machine { cores: 2, memory_bytes: Some(2 << 30) }.fits_another());
        assert!(!Machine { cores: 16, memory_bytes: Some(4 << 30) }.fits_another());
    }
}
