//! System calls of a compromised decoder, one by one: every call fails. Perl, which is part of every Debian system,
//! makes the calls; it runs like ffmpeg.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, reason = "these are tests")]

use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use clipmill_media::ffmpeg::sandbox::Confinement;
use libc::{EACCES, ENOMEM, ENOSYS, EPERM, c_long};

const CALLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/calls.pl");
const NOBODY: u32 = 65534;

/// A file that may be read, a folder that may be written to, and a file that must not be touched, although every user
/// of the machine may write to it.
struct Place {
    folder: tempfile::TempDir,
    _alone: MutexGuard<'static, ()>,
}

/// One test at a time: a program cannot be started as long as a child of another test still has it open for writing.
static ALONE: Mutex<()> = Mutex::new(());

impl Place {
    fn new() -> Self {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let place = Self { folder, _alone: alone };
        std::fs::create_dir(place.path("ours")).unwrap();
        std::fs::set_permissions(place.path("ours"), std::fs::Permissions::from_mode(0o777)).unwrap();
        for file in ["source", "theirs"] {
            std::fs::write(place.path(file), "words\n").unwrap();
            std::fs::set_permissions(place.path(file), std::fs::Permissions::from_mode(0o666)).unwrap();
        }
        std::fs::copy(env!("CARGO_BIN_EXE_clipmill"), place.path("clipmill")).unwrap();
        std::fs::copy(CALLS, place.path("calls.pl")).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Perl in the sandbox, as this user.
    fn caged(&self, user: Option<u32>, devices: bool, args: &[String]) -> Output {
        let confinement = Confinement {
            parent: std::process::id(),
            memory_bytes: 1 << 30,
            cpu_seconds: 60,
            file_bytes: 1 << 20,
            niceness: 0,
            read: vec![self.path("source"), self.path("calls.pl"), "/usr/share/perl".into()],
            write: vec![self.path("ours")],
            devices: if devices { vec!["/dev/dri".into()] } else { Vec::new() },
            variables: Vec::new(),
        };
        let mut line = Command::new(self.path("clipmill"));
        line.args(confinement.to_args()).arg("perl").args(args).stdin(Stdio::null());
        if let Some(user) = user {
            line.uid(user).gid(user);
        }
        line.output().unwrap()
    }

    /// The visible state of the two files.
    fn traces(&self) -> Vec<(u32, i64, i64, u64)> {
        let facts = |name| {
            let facts = std::fs::metadata(self.path(name)).unwrap();
            (facts.mode(), facts.mtime(), facts.mtime_nsec(), facts.size())
        };
        ["source", "theirs"].map(facts).into()
    }
}

/// The users that the tests can run programs as; other users only if the tests run as root.
fn users() -> Vec<Option<u32>> {
    if rustix::process::getuid().is_root() { vec![None, Some(NOBODY)] } else { vec![None] }
}

/// A call, its number, its arguments, the error that it must end with.
type Escape = (&'static str, c_long, &'static str, i32);

/// By name, so that a list may grow.
macro_rules! calls {
    ($($name:ident $args:literal $error:ident),* $(,)?) => {
        [$((stringify!($name), libc::$name, $args, $error)),*]
    };
}

/// `THEIRS`, `SOURCE` and `OURS` are paths, `SERVICE` is the process that started it all.
fn escapes() -> Vec<Escape> {
    let mut all: Vec<Escape> = Vec::new();
    all.extend(files());
    all.extend(processes());
    all.extend(memory_and_signals());
    all.extend(network_and_kernel());
    all.extend(old());
    all
}

fn files() -> Vec<Escape> {
    let mut all: Vec<Escape> = calls![
        SYS_openat "-100 s:THEIRS 0" EACCES,
        SYS_fchmod "1 511" EPERM,
        SYS_fchmodat "-100 s:THEIRS 511" EPERM,
        SYS_fchown "1 0 0" EPERM,
        SYS_fchownat "-100 s:THEIRS 65534 65534 0" EPERM,
        SYS_setxattr "s:THEIRS s:user.x s:1 1 0" EPERM,
        SYS_lsetxattr "s:THEIRS s:user.x s:1 1 0" EPERM,
        SYS_fsetxattr "0 s:user.x s:1 1 0" EPERM,
        SYS_removexattr "s:THEIRS s:user.x" EPERM,
        SYS_lremovexattr "s:THEIRS s:user.x" EPERM,
        SYS_fremovexattr "0 s:user.x" EPERM,
        SYS_utimensat "-100 s:THEIRS 0 0" EPERM,
        SYS_truncate "s:THEIRS 0" EPERM,
        SYS_unlinkat "-100 s:THEIRS 0" EACCES,
        SYS_mknodat "-100 s:OURS/x 4534 0" EPERM,
        SYS_linkat "-100 s:THEIRS -100 s:OURS/x 0" EPERM,
        SYS_symlinkat "s:THEIRS -100 s:OURS/x" EPERM,
        SYS_mkdirat "-100 s:OURS/x 511" EPERM,
        SYS_renameat2 "-100 s:THEIRS -100 s:OURS/x 0" EPERM,
        SYS_flock "0 2" EPERM,
        SYS_chdir "s:/" EPERM,
        SYS_name_to_handle_at "-100 s:THEIRS b:128 b:8 0" EPERM,
        SYS_open_by_handle_at "0 b:128 0" EPERM,
        SYS_inotify_init1 "0" EPERM,
        SYS_fanotify_init "0 0" EPERM,
        SYS_landlock_create_ruleset "0 0 1" ENOSYS,
        SYS_openat2 "-100 s:SOURCE b:24 24" ENOSYS,
    ]
    .into();
    all.extend([
        // Truncated while opening for reading, or for neither: Landlock detects the first since its third version.
        ("open and empty", libc::SYS_openat, "-100 s:SOURCE 512", EPERM),
        ("open for neither", libc::SYS_openat, "-100 s:SOURCE 3", EPERM),
        ("open for neither and empty", libc::SYS_openat, "-100 s:SOURCE 515", EPERM),
        ("open for writing", libc::SYS_openat, "-100 s:SOURCE 1", EACCES),
        ("truncate what is read", libc::SYS_truncate, "s:SOURCE 0", EPERM),
        ("fchmodat2", 452, "-100 s:THEIRS 511 0", EPERM),
        ("setxattrat", 463, "-100 s:THEIRS 0 s:user.x b:16 16", EPERM),
        ("removexattrat", 466, "-100 s:THEIRS 0 s:user.x", EPERM),
        ("file_setattr", 469, "-100 s:THEIRS b:24 24 0", ENOSYS),
    ]);
    all
}

fn processes() -> Vec<Escape> {
    let mut all: Vec<Escape> = calls![
        SYS_kill "SERVICE 0" EPERM,
        SYS_tkill "SERVICE 0" EPERM,
        SYS_tgkill "SERVICE SERVICE 0" EPERM,
        SYS_rt_sigqueueinfo "SERVICE 0 b:128" EPERM,
        SYS_rt_tgsigqueueinfo "SERVICE SERVICE 0 b:128" EPERM,
        SYS_pidfd_open "SERVICE 0" EPERM,
        SYS_pidfd_getfd "0 0 0" EPERM,
        SYS_pidfd_send_signal "0 0 0 0" EPERM,
        SYS_ptrace "16902 SERVICE 0 0" EPERM,
        SYS_process_vm_readv "SERVICE 0 0 0 0 0" EPERM,
        SYS_process_vm_writev "SERVICE 0 0 0 0 0" EPERM,
        SYS_process_madvise "0 0 0 0 0" EPERM,
        SYS_kcmp "SERVICE SERVICE 0 0 0" EPERM,
        SYS_setpriority "0 SERVICE 5" EPERM,
        SYS_sched_setaffinity "SERVICE 8 b:8" EPERM,
        SYS_sched_setscheduler "SERVICE 3 b:4" EPERM,
        SYS_sched_setparam "SERVICE b:4" EPERM,
        SYS_sched_setattr "SERVICE b:48 0" EPERM,
        SYS_ioprio_set "1 SERVICE 24576" EPERM,
        SYS_migrate_pages "SERVICE 0 0 0" EPERM,
        SYS_move_pages "SERVICE 0 0 0 0 0" EPERM,
        SYS_setpgid "0 0" EPERM,
        SYS_setsid "" EPERM,
        SYS_clone3 "b:88 88" ENOSYS,
        SYS_execve "s:/usr/bin/perl 0 0" EPERM,
        SYS_execveat "-100 s:/usr/bin/perl 0 0 0" EPERM,
        SYS_seccomp "1 0 b:16" ENOSYS,
    ]
    .into();
    all.extend([
        ("everybody's signals", libc::SYS_kill, "-1 0", EPERM),
        ("others' limits", libc::SYS_prlimit64, "SERVICE 7 0 b:16", EPERM),
        ("limits of its own", libc::SYS_prlimit64, "0 7 b:16 0", EPERM),
        // SIGCHLD, and CLONE_NEWUSER, CLONE_VM with CLONE_VFORK, CLONE_PARENT, a thread in another namespace
        ("a process", libc::SYS_clone, "17 0 0 0 0", EPERM),
        ("a user namespace", libc::SYS_clone, "268435473 0 0 0 0", EPERM),
        ("a vfork", libc::SYS_clone, "16657 0 0 0 0", EPERM),
        ("a sibling", libc::SYS_clone, "32785 0 0 0 0", EPERM),
        ("a thread elsewhere", libc::SYS_clone, "272439040 0 0 0 0", EPERM),
        ("start itself by number", libc::SYS_execveat, "0 s: 0 0 4096", EPERM),
        ("outlive the parent", libc::SYS_prctl, "1 0 0 0 0", EPERM),
        ("be traced", libc::SYS_prctl, "1499557217 -1 0 0 0", EPERM),
        ("be dumpable", libc::SYS_prctl, "4 1 0 0 0", EPERM),
        ("adopt orphans", libc::SYS_prctl, "36 1 0 0 0", EPERM),
        ("move its own parts", libc::SYS_prctl, "35 1 0 0 0", EPERM),
    ]);
    all
}

fn memory_and_signals() -> Vec<Escape> {
    let mut all: Vec<Escape> = calls![
        SYS_memfd_create "s:x 0" EPERM,
        SYS_memfd_secret "0" EPERM,
        SYS_shmget "0 4096 896" EPERM,
        SYS_shmat "0 0 0" EPERM,
        SYS_semget "0 1 896" EPERM,
        SYS_msgget "0 896" EPERM,
        SYS_mq_open "s:x 66 384 0" EPERM,
        SYS_mlock "4096 1073741824" EPERM,
        SYS_mlockall "2" EPERM,
        SYS_userfaultfd "0" EPERM,
        SYS_vmsplice "1 0 0 0" EPERM,
        SYS_splice "0 0 1 0 1 0" EPERM,
        SYS_remap_file_pages "0 0 0 0 0" ENOSYS,
        SYS_io_uring_setup "8 b:120" EPERM,
        SYS_io_uring_enter "0 0 0 0 0 0" EPERM,
        SYS_io_uring_register "0 0 0 0" EPERM,
        SYS_io_setup "8 b:8" ENOSYS,
        SYS_timer_create "1 0 b:8" ENOSYS,
        SYS_mmap "0 1099511627776 3 34 -1 0" ENOMEM,
    ]
    .into();
    all.extend([
        ("F_SETOWN", libc::SYS_fcntl, "1 8 SERVICE", EPERM),
        ("F_SETSIG", libc::SYS_fcntl, "1 10 9", EPERM),
        ("F_SETOWN_EX", libc::SYS_fcntl, "1 15 b:8", EPERM),
        ("F_SETLEASE", libc::SYS_fcntl, "0 1024 0", EPERM),
        ("F_NOTIFY", libc::SYS_fcntl, "0 1026 1", EPERM),
        ("F_SETPIPE_SZ", libc::SYS_fcntl, "1 1031 1048576", EPERM),
        ("F_SETLK", libc::SYS_fcntl, "0 6 b:32", EPERM),
        ("a number past the limit", libc::SYS_fcntl, "0 1030 256", libc::EINVAL),
        ("FIOSETOWN", libc::SYS_ioctl, "1 35073 b:4", EPERM),
        ("SIOCSPGRP", libc::SYS_ioctl, "1 35074 b:4", EPERM),
        ("FIOASYNC", libc::SYS_ioctl, "1 21586 b:4", EPERM),
        ("TIOCSTI", libc::SYS_ioctl, "1 21522 s:x", EPERM),
        ("TIOCSCTTY", libc::SYS_ioctl, "1 21518 0", EPERM),
        ("FS_IOC_SETFLAGS", libc::SYS_ioctl, "0 1074292226 b:8", EPERM),
        ("a command to a graphics device", libc::SYS_ioctl, "0 3222299648 b:64", EPERM),
    ]);
    all
}

fn network_and_kernel() -> Vec<Escape> {
    let mut all: Vec<Escape> = calls![
        SYS_socketpair "1 1 0 b:8" EPERM,
        SYS_connect "0 b:16 16" EPERM,
        SYS_bind "0 b:16 16" EPERM,
        SYS_listen "0 1" EPERM,
        SYS_accept "0 0 0" EPERM,
        SYS_accept4 "0 0 0 0" EPERM,
        SYS_sendmsg "0 b:56 0" ENOSYS,
        SYS_recvmsg "0 b:56 0" ENOSYS,
        SYS_mount "s:x s:/ s:tmpfs 0 0" EPERM,
        SYS_umount2 "s:/ 0" EPERM,
        SYS_pivot_root "s:/ s:/" EPERM,
        SYS_chroot "s:/" EPERM,
        SYS_unshare "268435456" EPERM,
        SYS_setns "0 0" EPERM,
        SYS_open_tree "-100 s:/ 0" EPERM,
        SYS_move_mount "-100 s:/ -100 s:/ 0" EPERM,
        SYS_fsopen "s:tmpfs 0" EPERM,
        SYS_bpf "0 b:64 64" EPERM,
        SYS_perf_event_open "b:120 0 -1 -1 0" EPERM,
        SYS_keyctl "0 -3 0 0 0" EPERM,
        SYS_add_key "s:user s:x s:x 1 -3" EPERM,
        SYS_request_key "s:user s:x 0 0" EPERM,
        SYS_init_module "0 0 s:" EPERM,
        SYS_finit_module "0 s: 0" EPERM,
        SYS_delete_module "s:none 0" EPERM,
        SYS_kexec_load "0 0 0 0" EPERM,
        SYS_reboot "0 0 0 0" EPERM,
        SYS_swapon "s:/none 0" EPERM,
        SYS_swapoff "s:/none" EPERM,
        SYS_acct "s:/none" EPERM,
        SYS_quotactl "0 s:/none 0 0" EPERM,
        SYS_settimeofday "0 0" EPERM,
        SYS_clock_settime "99 0" EPERM,
        SYS_adjtimex "b:208" EPERM,
        SYS_clock_adjtime "0 b:208" EPERM,
        SYS_sethostname "s: -1" EPERM,
        SYS_setdomainname "s: -1" EPERM,
        SYS_syslog "10 0 0" EPERM,
        SYS_personality "-1" EPERM,
        SYS_vhangup "" EPERM,
        SYS_setuid "0" EPERM,
        SYS_setgid "0" EPERM,
        SYS_setgroups "0 0" EPERM,
        SYS_capset "b:8 b:24" EPERM,
    ]
    .into();
    all.extend([
        ("a socket of the internet", libc::SYS_socket, "2 1 0", EPERM),
        ("a socket of the machine", libc::SYS_socket, "1 1 0", EPERM),
        ("a socket of the kernel", libc::SYS_socket, "16 3 0", EPERM),
        ("a call that nobody knows", 1000, "", ENOSYS),
    ]);
    all
}

/// Calls that only older architectures have, and the second set of numbers of one of them.
#[cfg(target_arch = "x86_64")]
fn old() -> Vec<Escape> {
    let mut all: Vec<Escape> = calls![
        SYS_fork "" EPERM,
        SYS_vfork "" EPERM,
        SYS_setrlimit "7 b:16" EPERM,
        SYS_chmod "s:THEIRS 511" EPERM,
        SYS_chown "s:THEIRS 65534 65534" EPERM,
        SYS_lchown "s:THEIRS 65534 65534" EPERM,
        SYS_utime "s:THEIRS 0" EPERM,
        SYS_utimes "s:THEIRS 0" EPERM,
        SYS_futimesat "-100 s:THEIRS 0" EPERM,
        SYS_creat "s:THEIRS 438" EPERM,
        SYS_link "s:THEIRS s:OURS/x" EPERM,
        SYS_symlink "s:THEIRS s:OURS/x" EPERM,
        SYS_rename "s:THEIRS s:OURS/x" EPERM,
        SYS_unlink "s:THEIRS" EACCES,
        SYS_mkdir "s:OURS/x 511" EPERM,
        SYS_mknod "s:OURS/x 4534 0" EPERM,
        SYS_inotify_init "" EPERM,
        SYS_iopl "3" EPERM,
        SYS_ioperm "0 1 1" EPERM,
        SYS_modify_ldt "0 b:16 16" EPERM,
    ]
    .into();
    all.extend([
        ("open and empty, as of old", libc::SYS_open, "s:SOURCE 512", EPERM),
        ("open for neither, as of old", libc::SYS_open, "s:SOURCE 515", EPERM),
        ("shadow stacks", libc::SYS_arch_prctl, "20481 1", EPERM),
        ("chmod by x32", 0x4000_0000 | libc::SYS_chmod, "s:THEIRS 511", ENOSYS),
        ("fork by x32", 0x4000_0000 | libc::SYS_fork, "", ENOSYS),
    ]);
    all
}

#[cfg(not(target_arch = "x86_64"))]
fn old() -> Vec<Escape> {
    Vec::new()
}

fn lines(place: &Place, escapes: &[Escape]) -> Vec<String> {
    let path = |name| place.path(name).to_str().unwrap().to_owned();
    let line = |(name, number, args, _): &Escape| {
        let args = args
            .replace("THEIRS", &path("theirs"))
            .replace("SOURCE", &path("source"))
            .replace("OURS", &path("ours"))
            .replace("SERVICE", &std::process::id().to_string());
        format!("{name}\t{number}\t{}", args.replace(' ', "\t"))
    };
    [path("calls.pl")].into_iter().chain(escapes.iter().map(line)).collect()
}

/// The error that each call ended with; 0 where it succeeded.
fn answers(output: &Output) -> BTreeMap<String, i32> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let pairs = text.lines().filter_map(|line| line.rsplit_once(' '));
    pairs.map(|(name, error)| (name.to_owned(), error.parse().unwrap())).collect()
}

fn check_refused(place: &Place, user: Option<u32>, devices: bool, escapes: &[Escape]) {
    let before = place.traces();
    let output = place.caged(user, devices, &lines(place, escapes));
    let answers = answers(&output);
    let wrong: Vec<_> = escapes
        .iter()
        .map(|(name, _, _, expected)| (*name, answers.get(*name).copied(), *expected))
        .filter(|(_, response, expected)| *response != Some(*expected))
        .collect();
    assert_eq!(wrong, [], "(call, answer, what it should be) as {user:?}; {output:?}");
    assert_eq!(place.traces(), before, "somebody changed a file");
    assert_eq!(std::fs::read_dir(place.path("ours")).unwrap().count(), 0);
}

#[test]
fn no_escaping_call_succeeds() {
    let (place, escapes) = (Place::new(), escapes());
    for user in users() {
        check_refused(&place, user, false, &escapes);
    }
}

/// Access to a device allows only commands to it, and still no access to other processes.
#[test]
fn a_process_with_a_device_reaches_no_further() {
    let place = Place::new();
    let escapes: Vec<_> =
        escapes().into_iter().filter(|(name, ..)| *name != "a command to a graphics device").collect();
    check_refused(&place, None, true, &escapes);
    let command = [("a command to a graphics device", libc::SYS_ioctl, "0 3222299648 b:64", 0)];
    let output = place.caged(None, true, &lines(&place, &command));
    // There is no such device, but the call is allowed.
    assert_eq!(answers(&output).into_values().collect::<Vec<_>>(), [libc::ENOTTY], "{output:?}");
}

/// The same calls succeed without confinement, so the test is able to fail.
#[test]
fn without_the_sandbox_they_succeed() {
    let place = Place::new();
    let wanted =
        ["SYS_utimensat", "SYS_fchmodat", "SYS_memfd_create", "open and empty", "outlive the parent"];
    let escapes: Vec<_> = escapes().into_iter().filter(|(name, ..)| wanted.contains(name)).collect();
    let output = Command::new("perl").args(lines(&place, &escapes)).output().unwrap();
    let answers = answers(&output);
    assert_eq!(answers.len(), wanted.len());
    assert!(answers.values().all(|error| *error == 0), "{answers:?}");
    assert_eq!(std::fs::metadata(place.path("source")).unwrap().len(), 0);
}

/// 32-bit calls bypass lists of call numbers, so they end the process.
#[test]
#[cfg(target_arch = "x86_64")]
fn calls_of_another_architecture_kill() {
    let place = Place::new();
    // mov eax, 20 (getpid); int 0x80; ret
    std::fs::write(place.path("source"), b"\xb8\x14\x00\x00\x00\xcd\x80\xc3").unwrap();
    let script = format!(
        "require DynaLoader; open my $code, '<', '{}' or die; \
         my $at = syscall({}, 0, 4096, 7, 34, -1, 0); syscall({}, fileno $code, $at, 8) == 8 or die; \
         DynaLoader::dl_install_xsub('main::call', $at); print 'here'; $| = 1; call();",
        place.path("source").display(),
        libc::SYS_mmap,
        libc::SYS_read
    );
    let output = place.caged(None, false, &["-e".into(), script]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "here", "{output:?}");
    assert_eq!(output.status.signal(), Some(libc::SIGSYS), "{output:?}");
}

/// The call that starts the helper's program is allowed for one descriptor and one address of the path; guessing both
/// does not help.
#[test]
fn guessing_does_not_start_programs() {
    let place = Place::new();
    let escapes: Vec<String> =
        (0..2000).map(|fd| format!("{fd}\t{}\t{fd}\ts:/usr/bin/perl\t0\t0\t0", libc::SYS_execveat)).collect();
    let args: Vec<String> =
        [place.path("calls.pl").to_str().unwrap().to_owned()].into_iter().chain(escapes).collect();
    let answers = answers(&place.caged(None, false, &args));
    assert_eq!(answers.len(), 2000);
    assert!(answers.values().all(|error| *error == EPERM), "{answers:?}");
}
