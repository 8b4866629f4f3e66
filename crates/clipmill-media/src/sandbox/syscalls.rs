//! System calls that a decoder of files has no use for.
//!
//! A list of what is refused, because what libraries need differs from build to build; files are Landlock's
//! part. Refused is: everything that reaches another process, the network, the kernel's own innards, or a
//! new process: ffmpeg starts none, so nothing can outlive the group that is killed.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Filters for the process `pid`, to be applied one after the other.
pub fn filters(pid: u32) -> Result<[BpfProgram; 2], BackendError> {
    let mut refused = Rules::new();
    for call in REFUSED.iter().chain(OLD).copied() {
        refuse(&mut refused, call, Vec::new());
    }
    // A thread is started, a process is not.
    let thread = libc::CLONE_THREAD as u64;
    refuse(&mut refused, libc::SYS_clone, vec![rule(0, SeccompCmpOp::MaskedEq(thread), 0)?]);
    // Signals and limits of itself only; limits can be asked for but not changed.
    refuse(&mut refused, libc::SYS_tgkill, vec![rule(0, SeccompCmpOp::Ne, u64::from(pid))?]);
    let foreign = rule(0, SeccompCmpOp::Ne, 0)?;
    refuse(&mut refused, libc::SYS_prlimit64, vec![foreign, rule(2, SeccompCmpOp::Ne, 0)?]);
    // The flags of clone3 lie in memory, out of a filter's sight; told that it does not exist, C libraries
    // use clone.
    let mut unknown = Rules::new();
    refuse(&mut unknown, libc::SYS_clone3, Vec::new());
    Ok([compile(refused, libc::EPERM)?, compile(unknown, libc::ENOSYS)?])
}

fn rule(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompRule, BackendError> {
    let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Qword, operator, value)?;
    SeccompRule::new(vec![condition])
}

/// Any one of `rules` refuses the call; none means always.
fn refuse(all: &mut Rules, call: c_long, rules: Vec<SeccompRule>) {
    // Kernels with the x32 ABI know every call by a second number.
    if cfg!(target_arch = "x86_64") {
        all.insert(call | 0x4000_0000, rules.clone());
    }
    all.insert(call, rules);
}

fn compile(rules: Rules, errno: i32) -> Result<BpfProgram, BackendError> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(errno.cast_unsigned()), arch)?
        .try_into()
}

const REFUSED: &[c_long] = &[
    // the network, local sockets included
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    // other processes
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_kcmp,
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_setpriority,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_setpgid,
    libc::SYS_setsid,
    // limits
    libc::SYS_setrlimit,
    // mounts and namespaces
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    // large, young parts of the kernel
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_fanotify_init,
    libc::SYS_personality,
    libc::SYS_vhangup,
    // the machine
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_syslog,
    // what belongs to files that others read as well
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
];

/// Calls that newer architectures left out.
#[cfg(target_arch = "x86_64")]
const OLD: &[c_long] = &[
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
];
#[cfg(not(target_arch = "x86_64"))]
const OLD: &[c_long] = &[];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filters_compile() {
        let [refused, unknown] = filters(1).unwrap();
        assert!(refused.len() > REFUSED.len() && refused.len() < 4096 && !unknown.is_empty());
    }
}
