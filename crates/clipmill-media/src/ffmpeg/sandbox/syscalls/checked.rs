//! System calls that are allowed with certain arguments only.

use libc::c_long;
use seccompiler::SeccompCmpArgLen::{self, Dword, Qword};
use seccompiler::SeccompCmpOp::{self, Eq, Le, MaskedEq};
use seccompiler::{BackendError, SeccompCondition, SeccompRule};

use super::{ExpectedValues, Rules};

/// The flags with which C libraries start a thread. Any others make a process, or a thread in namespaces of its own.
/// `clone3` is not allowed at all: its flags are in memory, where a filter cannot see them, and C libraries use `clone`
/// if it is not available.
const THREAD: libc::c_int = libc::CLONE_VM
    | libc::CLONE_FS
    | libc::CLONE_FILES
    | libc::CLONE_SIGHAND
    | libc::CLONE_THREAD
    | libc::CLONE_SYSVSEM
    | libc::CLONE_SETTLS
    | libc::CLONE_PARENT_SETTID
    | libc::CLONE_CHILD_CLEARTID;

/// Names of threads and of memory, and queries. PR_SET_PDEATHSIG is not allowed: the process must die with its parent.
const PRCTL: &[libc::c_int] = &[
    libc::PR_SET_NAME,
    libc::PR_GET_NAME,
    libc::PR_SET_VMA,
    libc::PR_GET_DUMPABLE,
    libc::PR_CAPBSET_READ,
    // The next filter sets this again.
    libc::PR_SET_NO_NEW_PRIVS,
    libc::PR_GET_NO_NEW_PRIVS,
];

/// F_SETOWN and F_SETSIG, which signal others, are not allowed, nor are F_NOTIFY, F_SETPIPE_SZ and locks.
const FCNTL: &[libc::c_int] =
    &[libc::F_GETFD, libc::F_SETFD, libc::F_GETFL, libc::F_SETFL, libc::F_DUPFD, libc::F_DUPFD_CLOEXEC];

/// Queries whether a file is a terminal (TCGETS, and TCGETS2 since glibc 2.42), how wide it is (TIOCGWINSZ) and how much
/// can be read (FIONREAD), sets whether reading waits (FIONBIO), and whether other programs inherit the file (FIOCLEX and
/// FIONCLEX, which Python uses like `F_SETFD`). C libraries give these numbers different types.
const IOCTL: &[u64] = &[0x5401, 0x802c_542a, 0x5413, 0x541b, 0x5421, 0x5451, 0x5450];
/// The types (second byte) of commands to graphics devices: DRM, shared buffers, NVIDIA's.
const DEVICE_IOCTL: [u8; 3] = [b'd', b'b', b'F'];

pub fn calls(asked: &ExpectedValues) -> Result<Rules, BackendError> {
    let (number, address) = asked.start;
    let mut calls = Rules::from([
        (libc::SYS_clone, one_of(0, Qword, &[wide(THREAD), wide(THREAD | libc::CLONE_DETACHED)])?),
        (libc::SYS_tgkill, one_of(0, Dword, &[asked.pid.into()])?),
        (libc::SYS_prctl, one_of(0, Dword, &PRCTL.iter().copied().map(wide).collect::<Vec<_>>())?),
        (libc::SYS_fcntl, one_of(1, Dword, &FCNTL.iter().copied().map(wide).collect::<Vec<_>>())?),
        (libc::SYS_ioctl, ioctl(asked.device)?),
        // It may query its own limits, but not set them.
        (libc::SYS_prlimit64, vec![rule(&[(0, Dword, Eq, 0), (2, Qword, Eq, 0)])?]),
        (libc::SYS_openat, opening(2)?),
        // libgcrypt locks 16 KiB in memory when it is loaded, and prints a warning if it cannot.
        (libc::SYS_mlock, vec![rule(&[(1, Qword, Le, 64 << 10)])?]),
        (
            libc::SYS_execveat,
            vec![rule(&[(0, Dword, Eq, number.into()), (1, Qword, Eq, address), (4, Dword, Eq, 0)])?],
        ),
    ]);
    calls.extend(old()?);
    Ok(calls)
}

#[cfg(target_arch = "x86_64")]
fn old() -> Result<Vec<(c_long, Vec<SeccompRule>)>, BackendError> {
    /// Sets the address of a thread's own variables.
    const ARCH_SET_FS: u64 = 0x1002;
    Ok(vec![(libc::SYS_open, opening(1)?), (libc::SYS_arch_prctl, one_of(0, Dword, &[ARCH_SET_FS])?)])
}

#[cfg(not(target_arch = "x86_64"))]
fn old() -> Result<Vec<(c_long, Vec<SeccompRule>)>, BackendError> {
    Ok(Vec::new())
}

/// The first two versions of Landlock check the access mode of `open`, but not O_TRUNC. So a file that is truncated must be
/// opened for writing, and the fourth access mode, which is neither reading nor writing, is not allowed.
fn opening(flags: u8) -> Result<Vec<SeccompRule>, BackendError> {
    let access = wide(libc::O_ACCMODE);
    [(access | wide(libc::O_TRUNC), libc::O_RDONLY), (access, libc::O_WRONLY), (access, libc::O_RDWR)]
        .into_iter()
        .map(|(mask, wanted)| rule(&[(flags, Dword, MaskedEq(mask), wide(wanted))]))
        .collect()
}

fn ioctl(device: bool) -> Result<Vec<SeccompRule>, BackendError> {
    let mut rules = one_of(1, Dword, IOCTL)?;
    for kind in DEVICE_IOCTL.into_iter().filter(|_| device) {
        rules.push(rule(&[(1, Dword, MaskedEq(0xff00), u64::from(kind) << 8)])?);
    }
    Ok(rules)
}

fn one_of(argument: u8, length: SeccompCmpArgLen, values: &[u64]) -> Result<Vec<SeccompRule>, BackendError> {
    values.iter().map(|value| rule(&[(argument, length.clone(), Eq, *value)])).collect()
}

/// A rule that requires all of the conditions.
fn rule(conditions: &[(u8, SeccompCmpArgLen, SeccompCmpOp, u64)]) -> Result<SeccompRule, BackendError> {
    let conditions = conditions.iter().cloned();
    SeccompRule::new(
        conditions
            .map(|(argument, length, operator, value)| {
                SeccompCondition::new(argument, length, operator, value)
            })
            .collect::<Result<_, _>>()?,
    )
}

/// A C integer as the kernel sees it, in the lower half of a register.
fn wide(number: libc::c_int) -> u64 {
    number.cast_unsigned().into()
}
