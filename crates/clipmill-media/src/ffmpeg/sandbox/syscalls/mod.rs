//! The system calls that are left to a decoder of files.
//!
//! A list of what is allowed: a list of what is forbidden ends where its author's knowledge does, and every new
//! kernel adds calls to it. What is known and not allowed answers EPERM; what nobody listed answers ENOSYS, as on
//! a kernel that does not have it, so that libraries fall back on what they did before. Calls of another
//! architecture kill the process, as seccompiler's filters do. Files are Landlock's part.
//!
//! The lists were traced with ffmpeg 5.1 and glibc 2.36 on x86_64; what musl, later versions and aarch64 call beside
//! that, and what drivers of devices call, is derived from their sources. `crates/clipmill/tests/confined.rs` names what
//! another build asks for and the lists do not have.

mod allowed;
mod checked;
mod refused;

use std::collections::BTreeMap;

use seccompiler::{BackendError, BpfProgram, SeccompAction, SeccompFilter, SeccompRule, TargetArch};

/// Any one of a call's rules allows it; none means always.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// What the arguments of some calls are compared with.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    /// The process itself, the only one that it may signal.
    pub pid: u32,
    /// Whether it drives a device.
    pub device: bool,
    /// The one start that is still to come: the number and the address in `execveat`.
    pub start: (u32, u64),
}

/// Filters to be applied one after the other; of two that refuse, the kernel takes the later one's answer.
pub fn filters(asked: &Asked) -> Result<[BpfProgram; 2], BackendError> {
    let mut allowed: Rules = allowed::CALLS.iter().chain(allowed::OLD).map(always).collect();
    if asked.device {
        allowed.extend(allowed::DEVICE.iter().map(always));
    }
    allowed.extend(checked::calls(asked)?);
    let mut known: Rules = allowed.keys().map(always).collect();
    known.extend(refused::CALLS.iter().chain(refused::OLD).map(always));
    // The second filter has to be installed yet; once it is, no further one can be.
    allowed.insert(libc::SYS_seccomp, Vec::new());
    Ok([compile(allowed, libc::EPERM)?, compile(known, libc::ENOSYS)?])
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

    const ASKED: Asked = Asked { pid: 1, device: true, start: (300, 0x7fff_0000_1234) };

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
