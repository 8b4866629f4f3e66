//! Confines the process itself, and then turns it into ffmpeg.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, make_bitflags,
    path_beneath_rules,
};
use rustix::process::{Resource, Rlimit, Signal};

use super::start::Start;
use super::syscalls::{self, ExpectedValues};
use super::{ConfinedHelper, Confinement, SandboxError, system};

/// The limit of open files: inputs, a list, an output, libraries and fonts.
const OPEN_FILES: u64 = 256;

/// Sets the limits and becomes the program in `args` (the command line after the subcommand), or does one of `works` and
/// exits. Returns only if that failed; nothing was started then.
pub fn enter(mut args: impl Iterator<Item = OsString>, works: &[ConfinedHelper]) -> SandboxError {
    let Some((confinement, name)) = Confinement::take(&mut args).zip(args.next()) else {
        return SandboxError::Arguments;
    };
    if let Some(work) = works.iter().find(|work| name == work.name) {
        return match do_confined(*work, &confinement, args) {
            Ok(()) => std::process::exit(0),
            Err(error) => error,
        };
    }
    let name = PathBuf::from(name);
    let Some(program) = super::find(&name) else {
        return SandboxError::NoProgram(name);
    };
    let start = match Start::prepare(&program) {
        Ok(start) => start,
        Err(cause) => return SandboxError::Exec { program, cause },
    };
    if let Err(error) = confine(&confinement, Some(&program), &start) {
        return error;
    }
    let cause = start.go(&name, args, confinement.variables);
    SandboxError::Exec { program, cause }
}

fn do_confined(
    work: ConfinedHelper,
    confinement: &Confinement,
    args: impl Iterator<Item = OsString>,
) -> Result<(), SandboxError> {
    let failed = |cause| SandboxError::Exec { program: work.name.into(), cause };
    // No program can be started, because nobody learns the secret.
    let start = Start::prepare(Path::new("")).map_err(failed)?;
    confine(confinement, None, &start)?;
    drop(start);
    let printed = (work.run)(args.collect());
    std::io::stdout().write_all(&printed).map_err(failed)
}

/// Checks that this kernel can confine files.
pub fn check_kernel() -> Result<(), SandboxError> {
    ruleset().map(drop)
}

/// The operations that this kernel's Landlock is too old to restrict, so that only the list of system calls does.
fn left_to_the_list() -> Vec<&'static str> {
    let hard = || Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let expected = [
        ("files that are emptied (Linux 6.2)", hard().handle_access(AccessFs::Truncate).is_ok()),
        ("commands to devices (Linux 6.10)", hard().handle_access(AccessFs::IoctlDev).is_ok()),
        ("signals (Linux 6.12)", hard().scope(Scope::Signal).is_ok()),
    ];
    expected.into_iter().filter(|(_, held)| !held).map(|(what, _)| what).collect()
}

/// A description of these operations for the operator; `None` if Landlock restricts everything.
pub fn remark() -> Option<String> {
    let unrestricted = left_to_the_list();
    (!unrestricted.is_empty()).then(|| {
        format!(
            "this kernel's Landlock does not hold {}; the list of system calls holds that alone, so a newer kernel \
             gives a second wall",
            unrestricted.join(", ")
        )
    })
}

fn confine(confinement: &Confinement, program: Option<&Path>, start: &Start) -> Result<(), SandboxError> {
    set_limits(confinement).map_err(refused("the limits cannot be set"))?;
    die_with(confinement.parent)?;
    // Landlock must open the paths that it allows, so it comes before the system calls are restricted.
    restrict_files(confinement, program)?;
    let expected = ExpectedValues {
        pid: std::process::id(),
        device: !confinement.devices.is_empty(),
        start: start.secret(),
    };
    let filters = syscalls::filters(&expected).map_err(refused("system calls cannot be listed"))?;
    for filter in filters {
        seccompiler::apply_filter(&filter).map_err(refused("system calls cannot be refused (seccomp)"))?;
    }
    Ok(())
}

fn set_limits(confinement: &Confinement) -> rustix::io::Result<()> {
    // If this is refused, the run has the usual priority, which only affects scheduling.
    let _ = rustix::process::nice(i32::try_from(confinement.niceness).unwrap_or_default());
    let cpu = confinement.cpu_seconds.max(1);
    let limits = [
        (Resource::As, confinement.memory_bytes, confinement.memory_bytes),
        // The first limit sends a signal that identifies the cause, the second one kills.
        (Resource::Cpu, cpu, cpu.saturating_add(5)),
        (Resource::Fsize, confinement.file_bytes, confinement.file_bytes),
        (Resource::Nofile, OPEN_FILES, OPEN_FILES),
        (Resource::Core, 0, 0),
    ];
    for (resource, soft, hard) in limits {
        // A lower limit set by the operator stays.
        let now = rustix::process::getrlimit(resource);
        let lower = |limit: u64| Some(now.maximum.map_or(limit, |maximum| maximum.min(limit)));
        rustix::process::setrlimit(resource, Rlimit { current: lower(soft), maximum: lower(hard) })?;
    }
    Ok(())
}

/// The signal comes when the thread that started us ends, so that thread must live as long as its process. A parent that
/// died before the signal was requested is noticed by its number.
fn die_with(parent: u32) -> Result<(), SandboxError> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(refused("the parent's death cannot be watched"))?;
    let now = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get());
    if now == i32::try_from(parent).ok() { Ok(()) } else { Err(SandboxError::Orphaned) }
}

fn restrict_files(confinement: &Confinement, program: Option<&Path>) -> Result<(), SandboxError> {
    let variable = |name: &str| std::env::var_os(name);
    let read_file = make_bitflags!(AccessFs::{ReadFile});
    let read_access = read_file | AccessFs::ReadDir;
    let write = read_access | make_bitflags!(AccessFs::{WriteFile | MakeReg | RemoveFile | Truncate});
    let device = read_access | make_bitflags!(AccessFs::{WriteFile | IoctlDev});
    let restricted = Ok(ruleset()?)
        .and_then(|rules| match program {
            Some(program) => {
                let rules = allow(rules, system::code(program, &variable), read_access)?;
                // Libraries are mapped; the loader is the only other file that the kernel itself executes.
                let rules = allow(rules, [program], read_file | AccessFs::Execute)?;
                let rules = allow(rules, system::loader(program), read_file | AccessFs::Execute)?;
                allow(rules, system::data(&variable), read_access)
            }
            None => Ok(rules),
        })
        .and_then(|rules| allow(rules, system::WRITE, read_file | AccessFs::WriteFile))
        .and_then(|rules| allow(rules, &confinement.read, read_access))
        .and_then(|rules| allow(rules, &confinement.write, write))
        .and_then(|rules| allow(rules, &confinement.devices, device))
        .and_then(|rules| allow(rules, system::drivers(&confinement.devices), read_access))
        .and_then(RulesetCreated::restrict_self)
        .map_err(refused("files cannot be confined (Landlock)"))?;
    match restricted.ruleset {
        RulesetStatus::NotEnforced => Err(SandboxError::NoLandlock),
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
    }
}

/// Restricts files by at least the first version of Landlock. Features of later versions are used if available, and
/// refused by seccomp anyway ([`remark`]).
fn ruleset() -> Result<RulesetCreated, SandboxError> {
    let files = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))
        .map_err(|_| SandboxError::NoLandlock)?;
    beyond_files(files).map_err(refused("files cannot be confined (Landlock)"))
}

fn beyond_files(files: Ruleset) -> Result<RulesetCreated, RulesetError> {
    files
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(ABI::V5))?
        .handle_access(AccessNet::from_all(ABI::V4))?
        .scope(Scope::from_all(ABI::V6))?
        .create()
}

/// Skips a path that does not exist, because it cannot be read anyway.
fn allow(
    rules: RulesetCreated,
    paths: impl IntoIterator<Item = impl AsRef<Path>>,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    rules.add_rules(path_beneath_rules(paths, access))
}

fn refused<E: std::fmt::Display>(what: &'static str) -> impl FnOnce(E) -> SandboxError {
    move |cause| SandboxError::Refused { what, cause: cause.to_string() }
}
