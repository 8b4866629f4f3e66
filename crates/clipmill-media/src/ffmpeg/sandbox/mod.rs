//! The sandbox that every ffmpeg and ffprobe runs in.
//!
//! The design assumes that a hostile file will take over a decoder one day. The decoder can then reach the source files
//! of its own run, the scratch folder of its own attempt, libraries and fonts; no network, no other process, and only
//! bounded memory, time and file size. It also dies with the service.
//!
//! The limits are set by a short run of our own program ([`enter`]) that turns into ffmpeg, because they can only be
//! set from inside and safe code cannot run between fork and exec. It works for an unprivileged user and inside a plain
//! container: Landlock for files, a list of allowed system calls by seccomp, rlimits. Memory is bounded as address
//! space, and no call is allowed that gets memory in another way. If the kernel cannot do this, nothing runs.
//! Namespaces and cgroups are not used, because containers and hardened systems deny them to ordinary users.

mod confine;
mod start;
mod syscalls;
mod system;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

pub use confine::{check_kernel, enter, remark};
pub use system::is_executable;

/// The file of a program, as a shell would find it, with links followed.
pub fn find(program: &std::path::Path) -> Option<PathBuf> {
    system::find(program, &|name| std::env::var_os(name))
}

/// The subcommand of our program that calls [`enter`].
pub const SUBCOMMAND: &str = "sandbox-exec";

/// Work of our own program that reads files of clients and is confined as well; it runs in place of a program of this name.
#[derive(Debug, Clone, Copy)]
pub struct ConfinedHelper {
    pub name: &'static str,
    /// Gets the arguments, and returns what is printed.
    pub run: fn(Vec<OsString>) -> Vec<u8>,
}

/// The exit status of a run that could not be confined; its stderr begins with [`COMPLAINT`].
pub const EXIT_NOT_CONFINED: u8 = 125;
pub const COMPLAINT: &str = "sandbox: ";

/// Whether and how runs are confined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sandbox {
    /// Not confined: for tools that only open files of their own, and if the operator explicitly configured it.
    Off,
    On(SandboxSettings),
}

/// The settings of all confined runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxSettings {
    /// The program that understands [`SUBCOMMAND`].
    pub helper: PathBuf,
    /// The address space of one process.
    pub memory_bytes: u64,
    /// Folders that may be read beside the system's own, for an ffmpeg installed elsewhere.
    pub readable: Vec<PathBuf>,
}

impl SandboxSettings {
    /// Uses the running program as the helper, even if its file was replaced in the meantime.
    pub fn of_this_program(memory_bytes: u64, readable: Vec<PathBuf>) -> Self {
        Self { helper: "/proc/self/exe".into(), memory_bytes, readable }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    #[error(
        "files cannot be confined, because Landlock is not to be had: use Linux 5.13 or later with `landlock` among \
         its security modules (lsm=…,landlock), in a container a seccomp profile that allows it (Docker 23.0 or \
         later does), or write sandbox = \"off\" under [worker] and isolate the service by other means"
    )]
    NoLandlock,
    #[error("{what}: {cause}")]
    Refused { what: &'static str, cause: String },
    #[error("cannot find {}; install ffmpeg", .0.display())]
    NoProgram(PathBuf),
    #[error("cannot start {}: {cause}", program.display())]
    Exec { program: PathBuf, cause: std::io::Error },
    #[error("the service has ended")]
    Orphaned,
    #[error("invalid arguments")]
    Arguments,
}

/// The permissions of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confinement {
    /// The process whose death ends the run.
    pub parent: u32,
    pub memory_bytes: u64,
    pub cpu_seconds: u64,
    /// The largest file that may be written.
    pub file_bytes: u64,
    /// The niceness of the run, 0 to 19.
    pub niceness: u32,
    /// Files (or folders) that may be read.
    pub read: Vec<PathBuf>,
    /// Folders whose files may be created, read, written and removed.
    pub write: Vec<PathBuf>,
    /// Devices that may be used; none in a run that reads a file of a client.
    pub devices: Vec<PathBuf>,
    /// Variables for the program alone.
    pub variables: Vec<(OsString, OsString)>,
}

impl Confinement {
    /// The command line of the helper, to be followed by the program and its arguments.
    pub fn to_args(&self) -> Vec<OsString> {
        let [parent, niceness] = [self.parent, self.niceness].map(u64::from);
        let numbers = [parent, self.memory_bytes, self.cpu_seconds, self.file_bytes, niceness];
        let mut args = vec![OsString::from(SUBCOMMAND)];
        args.extend(numbers.map(|number| number.to_string().into()));
        for (mark, paths) in [("r", &self.read), ("w", &self.write), ("d", &self.devices)] {
            for path in paths {
                args.extend([OsString::from(mark), path.into()]);
            }
        }
        for (name, value) in &self.variables {
            args.extend(["v".into(), name.clone(), value.clone()]);
        }
        args.push("--".into());
        args
    }

    /// The reverse of [`Self::to_args`], without the subcommand; leaves program and arguments in `args`.
    fn take(args: &mut impl Iterator<Item = OsString>) -> Option<Self> {
        let mut number = || args.next()?.to_str()?.parse::<u64>().ok();
        let mut confinement = Self {
            parent: number()?.try_into().ok()?,
            memory_bytes: number()?,
            cpu_seconds: number()?,
            file_bytes: number()?,
            niceness: number()?.try_into().ok()?,
            read: Vec::new(),
            write: Vec::new(),
            devices: Vec::new(),
            variables: Vec::new(),
        };
        loop {
            let mark = args.next()?;
            match mark.to_str()? {
                "r" => confinement.read.push(args.next()?.into()),
                "w" => confinement.write.push(args.next()?.into()),
                "d" => confinement.devices.push(args.next()?.into()),
                "v" => confinement.variables.push((args.next()?, args.next()?)),
                "--" => return Some(confinement),
                _ => return None,
            }
        }
    }
}

/// The inputs in ffmpeg's arguments. The server writes every argument, so this is the complete list of files that a run
/// may read.
pub fn inputs(args: &[OsString]) -> impl Iterator<Item = PathBuf> + '_ {
    args.windows(2).filter(|pair| pair[0] == "-i").filter_map(|pair| {
        let path = pair[1].as_encoded_bytes().strip_prefix(b"file:")?;
        // The cut is at an ASCII character, so the rest is valid.
        Some(PathBuf::from(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(path)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_carries_everything() {
        let confinement = Confinement {
            parent: 7,
            memory_bytes: 1,
            cpu_seconds: 2,
            file_bytes: 3,
            niceness: 4,
            read: vec!["/in/--".into(), "/in/w".into()],
            write: vec!["/scratch a".into()],
            devices: vec!["/dev/dri".into()],
            variables: vec![("A".into(), "--".into()), ("B".into(), "w =x".into())],
        };
        let mut args = confinement.to_args();
        args.extend(["ffmpeg".into(), "-i".into()]);
        let mut args = args.into_iter().skip(1);
        assert_eq!(Confinement::take(&mut args), Some(confinement));
        assert_eq!(args.collect::<Vec<_>>(), ["ffmpeg", "-i"]);
    }

    #[test]
    fn an_invalid_command_line_is_rejected() {
        for line in
            ["", "1 2 3 4", "1 2 3 4 5 x /y --", "1 2 3 4 5 r", "1 2 3 4 5 v A", "-1 2 3 4 5 --", "1 2 3 4 5"]
        {
            let mut args = line.split_whitespace().map(OsString::from);
            assert_eq!(Confinement::take(&mut args), None, "{line}");
        }
    }

    #[test]
    fn inputs_must_be_files() {
        let args = ["-f", "lavfi", "-i", "color", "-i", "file:/a b", "-i", "file:/c", "file:/out.mp4"];
        let args = args.map(OsString::from);
        assert_eq!(inputs(&args).collect::<Vec<_>>(), [PathBuf::from("/a b"), PathBuf::from("/c")]);
    }
}
