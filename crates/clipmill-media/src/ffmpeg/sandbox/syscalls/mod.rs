//! The system calls that a decoder of files may use.
//!
//! This is an allowlist: a list of forbidden calls ends where its author's knowledge does, and every new kernel adds
//! calls. A known call that is not allowed returns EPERM; an unlisted one returns ENOSYS, as on a kernel that does not
//! have it, so that libraries fall back on older calls. Calls of another architecture kill the process, as
//! seccompiler's filters do. Files are restricted by Landlock.
//!
//! The lists were traced with ffmpeg 5.1 and glibc 2.36 on x86_64; additional calls of musl, later versions, aarch64
//! and device drivers are derived from their sources. `crates/clipmill/tests/confined.rs` reports calls of another
//! build that these lists lack.

mod allowed;
mod checked;
mod refused;

use std::collections::BTreeMap;

use seccompiler::{BackendError, BpfProgram, SeccompAction, SeccompFilter, SeccompRule, TargetArch};

/// A call is allowed if any of its rules matches; no rules means always.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Values that the arguments of some calls are compared with.
#[derive(Debug, Clone, Copy)]
pub struct ExpectedValues {
    /// The process itself, which is the only one that it may signal.
    pub pid: u32,
    /// Whether it drives a device.
    pub device: bool,
    /// The only remaining start: the folder number and the address passed to `execveat`.
    pub start: (u32, u64),
}

/// Filters to be applied one after the other; if both refuse, the kernel returns the error of the later one.
pub fn filters(expected: &ExpectedValues) -> Result<[BpfProgram; 2], BackendError> {
    let mut allowed: Rules = allowed::CALLS.iter().chain(allowed::OLD).map(always).collect();
    if expected.device {
        allowed.extend(allowed::DEVICE.iter().map(always));
    }
    allowed.extend(checked::calls(expected)?);
    let mut rules: Rules = allowed.keys().map(always).collect();
    rules.extend(refused::CALLS.iter().chain(refused::OLD).map(always));
    // The second filter still has to be installed; after that no further filter can be installed.
    allowed.insert(libc::SYS_seccomp, Vec::new());
    Ok([compile(allowed, libc::EPERM)?, compile(rules, libc::ENOSYS)?])
}

fn always(call: &i64) -> (i64, Vec<SeccompRule>) {
    (*call, Vec::new())
}

fn compile(rules: Rules, otherwise: i32) -> Result<BpfProgram, BackendError> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let refuse = SeccompAction::Errno(otherwise.cast_unsigned());
    SeccompFilter::new(rules, refuse, SeccompAction::Allow, arch)?.try_into()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const ASKED: ExpectedValues = ExpectedValues { pid: 1, device: true, start: (300, 0x7fff_0000_1234) };

    #[test]
    fn the_filters_compile() {
        for filter in filters(&ASKED).unwrap() {
            assert!(filter.len() > 100 && filter.len() < 4096, "{}", filter.len());
        }
    }

    #[test]
    fn no_call_is_in_two_lists() {
        let checked = checked::calls(&ASKED).unwrap();
        let allowed = [allowed::CALLS, allowed::OLD, allowed::DEVICE].concat();
        let lists = [allowed, checked.keys().copied().collect(), [refused::CALLS, refused::OLD].concat()];
        let all = lists.concat();
        let distinct: BTreeSet<i64> = all.iter().copied().collect();
        assert_eq!(distinct.len(), all.len());
    }
}
