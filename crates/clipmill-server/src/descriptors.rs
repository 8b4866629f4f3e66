//! How many file descriptors a process needs, and whether it has them.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::config::Config;

/// Everything that does not depend on the configuration: the runtime, listeners, logs, the database of SQLite,
/// callbacks, archives, metrics.
const BASE: u64 = 256;
/// Sockets, files and pipes of a job: four downloads or probes at a time, or two processes.
const PER_SLOT: u64 = 16;
/// The same for a probe, a preview or a clip that a caller waits for.
const PER_CALL: u64 = 8;

/// Fewer descriptors than the process needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "at most {max} files can be open, but this configuration needs {needed}: raise the hard limit (LimitNOFILE in \
     systemd, `ulimit -Hn`, `ulimits` in Docker) to at least {needed}, or lower {settings}"
)]
pub struct TooFew {
    pub max: u64,
    pub needed: u64,
    settings: &'static str,
}

/// The role of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// `clipmill serve`, with or without a worker.
    Service { has_worker: bool },
    /// `clipmill worker`.
    Worker,
}

/// The descriptors that a process with this configuration needs at most.
pub fn needed(config: &Config, role: Role) -> u64 {
    let slots =
        (config.worker.slot_count() + usize::from(config.worker.has_reserved_slot())) as u64 * PER_SLOT;
    let database = u64::from(config.database.connections);
    match role {
        Role::Worker => BASE + database + slots,
        Role::Service { has_worker } => {
            let connections = u64::from(config.server.max_connections);
            let calls =
                u64::from(config.limits.looks.get()) + 2 * config.limits.preview_count().max(2) as u64;
            // Every second connection sends or receives a file.
            let served = connections + connections / 2 + calls * PER_CALL;
            BASE + database + served + if has_worker { slots } else { 0 }
        }
    }
}

/// Raises the limit of this process as far as the system allows, and checks that it suffices.
pub fn ensure(config: &Config, role: Role) -> Result<(), TooFew> {
    let allowed = getrlimit(Resource::Nofile);
    // If this is refused, the previous limit remains, and is checked below.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: allowed.maximum, ..allowed });
    check(getrlimit(Resource::Nofile).current, config, role)
}

/// Checks that a limit suffices; `None` means unlimited.
pub fn check(max: Option<u64>, config: &Config, role: Role) -> Result<(), TooFew> {
    let required = needed(config, role);
    let settings = match role {
        Role::Service { .. } => "server.max_connections",
        Role::Worker => "worker.slots",
    };
    match max.filter(|max| *max < required) {
        Some(max) => Err(TooFew { max, needed: required, settings }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_follows_the_configuration() {
        let mut config = Config::default();
        (config.server.max_connections, config.worker.slots, config.limits.previews) = (100, 3, 1);
        let service = Role::Service { has_worker: true };
        let max = needed(&config, service);
        assert_eq!(max, 256 + 10 + 150 + (8 + 4) * 8 + 3 * 16);
        assert_eq!(needed(&config, Role::Service { has_worker: false }), max - 48);
        assert_eq!(needed(&config, Role::Worker), 256 + 10 + 48);
        assert_eq!(check(Some(max), &config, service), Ok(()));
        assert_eq!(check(None, &config, service), Ok(()));
        let refused = check(Some(max - 1), &config, service).unwrap_err().to_string();
        assert!(
            refused.contains(&max.to_string()) && refused.contains("server.max_connections"),
            "{refused}"
        );
    }

    /// The packages set 16,384.
    #[test]
    fn the_packages_suffice_for_many_cores() {
        let mut config = Config::default();
        (config.worker.slots, config.limits.previews) = (129, 64);
        assert!(needed(&config, Role::Service { has_worker: true }) < 16_384);
    }
}
