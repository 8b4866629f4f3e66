//! Checks the machine: network access, system limits, and the disk.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use clipmill_media::machine::{MEMORY_OF_A_SLOT, Machine};
use clipmill_server::Config;
use clipmill_server::clock;
use clipmill_server::descriptors::{self, Role};
use rustix::process::{Resource, getrlimit};

use super::Finding;
use crate::gc::readable;
use crate::report::pluralize;

/// Less disk space than this is too little for production use.
const LITTLE_SPACE: u64 = 5 << 30;
const FEW_INODES: u64 = 50_000;
/// The year 2024: a clock that shows an earlier time was never set.
const EARLIEST_MS: i64 = 1_704_067_200_000;

/// The addresses of the service, and those that it may reach.
pub fn exposure(config: &Config) -> Vec<Finding> {
    let (what, listen) = ("address", config.server.listen);
    let mut findings = vec![match TcpListener::bind(listen) {
        Ok(_) => Finding::well(what, format!("{listen} is free")),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
            Finding::well(what, format!("{listen} is in use (by this service, if it is running)"))
        }
        Err(error) => Finding::wrong(what, format!("cannot listen on {listen}: {error}; see server.listen")),
    }];
    if config.server.public_url.is_none() && !listen.ip().is_loopback() {
        let text = "server.public_url is not set: links to results begin with the listen address, which \
                    clients may be unable to reach";
        findings.push(Finding::note(what, text));
    }
    let metrics = [config.metrics.listen, config.metrics.worker_listen];
    if metrics.into_iter().flatten().any(|listen| !listen.ip().is_loopback()) {
        let text =
            "metrics are served without a key at metrics.listen and metrics.worker_listen: keep clients away";
        findings.push(Finding::note("metrics", text));
    }
    if clock::now_ms() < EARLIEST_MS {
        findings.push(Finding::wrong(
            "clock",
            "the clock was never set, so links and leases would expire wrongly; use NTP",
        ));
    }
    findings
}

/// The system's limits for this process.
pub fn limits(config: &Config) -> Vec<Finding> {
    let mut findings = Vec::new();
    let descriptors = getrlimit(Resource::Nofile).maximum;
    let check = |role| descriptors::check(descriptors, config, role);
    findings.push(match (check(Role::Worker), check(Role::Service { has_worker: true })) {
        (Err(error), _) => Finding::wrong("descriptors", error.to_string()),
        (_, Err(error)) => Finding::note("descriptors", format!("too few for `clipmill serve`: {error}")),
        _ => Finding::well("descriptors", "sufficient"),
    });
    let slots = config.worker.slot_count() as u64;
    let for_slots = pluralize(slots, "slot");
    findings.push(match Machine::this().memory_bytes {
        Some(bytes) if bytes < slots * MEMORY_OF_A_SLOT => {
            let each = readable(MEMORY_OF_A_SLOT);
            let text = format!(
                "{} for {for_slots}, and each may need {each}: lower worker.slots or add memory",
                readable(bytes)
            );
            Finding::note("memory", text)
        }
        Some(bytes) => Finding::well("memory", format!("{} for {for_slots}", readable(bytes))),
        None => Finding::note("memory", "the amount of memory is unknown"),
    });
    findings
}

/// Checks by writing whether the data folder is writable, its permissions, and the free space.
pub fn storage(data: &Path, config: &Config) -> Vec<Finding> {
    let what = "storage";
    let existing = existing(data);
    let probe = existing.join(".doctor");
    let outcome = fs::write(&probe, b"ok");
    let _ = fs::remove_file(&probe);
    if let Err(error) = outcome {
        let hint = "use a writable folder (--data)";
        return vec![Finding::wrong(what, format!("{}: {error}; {hint}", data.display()))];
    }
    let text = match existing == data {
        true => format!("{} is writable", data.display()),
        false => format!("{} does not exist yet; the first start creates it", data.display()),
    };
    let mut findings = vec![Finding::well(what, text)];
    findings.extend(filesystems(data));
    findings.extend(space(existing, config.storage.keep_free.0));
    let open = fs::metadata(data).is_ok_and(|about| about.permissions().mode() & 0o007 != 0);
    if open && data.join("clipmill.db").exists() {
        let text = format!("every user of this machine can read {0}: run chmod o= {0}", data.display());
        findings.push(Finding::note(what, text));
    }
    findings
}

/// The folder or, if it does not exist yet, the closest one above it. Creating it would make it the property of the user
/// who runs this check.
pub fn existing(folder: &Path) -> &Path {
    let named = |above: &&Path| !above.as_os_str().is_empty() && above.exists();
    folder.ancestors().find(named).unwrap_or(Path::new("."))
}

/// Files are moved inside the folder by renaming.
fn filesystems(data: &Path) -> Option<Finding> {
    let device = fs::metadata(data).ok()?.dev();
    let folders = ["results", "inputs", "uploads", "cache", "cache/segments", "cache/tmp", "inputs/partial"];
    let elsewhere: Vec<_> = folders
        .into_iter()
        .filter(|folder| fs::metadata(data.join(folder)).is_ok_and(|about| about.dev() != device))
        .collect();
    if elsewhere.is_empty() {
        return None;
    }
    let list = elsewhere.join(", ");
    Some(Finding::wrong(
        "storage",
        format!("{list} are on another filesystem; the whole data folder must be on one filesystem"),
    ))
}

fn space(data: &Path, keep_free: u64) -> Option<Finding> {
    let stats = rustix::fs::statvfs(data).ok()?;
    let free = stats.f_bavail.saturating_mul(stats.f_frsize);
    let hint = "`clipmill gc --dry-run` lists what would be deleted; shorten retention or add space";
    Some(if free <= keep_free {
        let text = format!("{} free, storage.keep_free reached: no jobs run; {hint}", readable(free));
        Finding::wrong("disk", text)
    } else if free < LITTLE_SPACE {
        Finding::note("disk", format!("only {} free; {hint}", readable(free)))
    } else if stats.f_files > 0 && stats.f_favail < FEW_INODES {
        Finding::note(
            "disk",
            format!("room for only {} (inodes); {hint}", pluralize(stats.f_favail, "more file")),
        )
    } else {
        Finding::well("disk", format!("{} free", readable(free)))
    })
}
