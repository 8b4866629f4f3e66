//! The only `exec` that a confined process may still make.
//!
//! A process that starts a program loses the signal of its parent's death, so an attacker who controls ffmpeg must not
//! be able to start anything, not even ffmpeg. A filter of system calls applies before and after the start, and sees
//! only the arguments of calls, so the arguments are a secret: the number of an open folder, which an absolute path
//! makes meaningless, and the address of the path, in a large buffer at a random place in randomised memory. Both are
//! lost with the program that knew them. Guessing takes some 2⁵⁰ calls, each of which is refused.

use std::ffi::{CStr, CString, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use nix::fcntl::AtFlags;
use rustix::fs::{Mode, OFlags};
use rustix::process::Resource;

/// The size of the buffer for the path; allocators give blocks of this size a mapping of their own.
const ROOM: usize = 1 << 20;
/// Open files get numbers below this. Higher ones would cost kernel memory.
const NUMBERS: u64 = 16 << 10;

pub struct Start {
    folder: OwnedFd,
    room: Vec<u8>,
    path: usize,
}

impl Start {
    pub fn prepare(program: &Path) -> io::Result<Self> {
        let path = program.as_os_str().as_bytes();
        let mut room = vec![0; ROOM + path.len() + 1];
        let place = usize::try_from(random()?).unwrap_or_default() % ROOM;
        if let Some(there) = room.get_mut(place..place + path.len()) {
            there.copy_from_slice(path);
        }
        let root = rustix::fs::open("/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        let max = rustix::process::getrlimit(Resource::Nofile).current.unwrap_or(NUMBERS).min(NUMBERS);
        let min = i32::try_from(random()? % max.max(1)).unwrap_or_default();
        Ok(Self { folder: rustix::io::fcntl_dupfd_cloexec(root, min)?, room, path: place })
    }

    /// The first two arguments of the call.
    pub fn secret(&self) -> (u32, u64) {
        (self.folder.as_raw_fd().cast_unsigned(), self.path().as_ptr() as u64)
    }

    /// Becomes the program, which gets `name` as its own name and `variables` in addition to the existing ones; returns only if
    /// that fails. Signals keep their state: a broken pipe is a write error, which ffmpeg sets anyway.
    pub fn go(
        &self,
        name: &Path,
        args: impl Iterator<Item = OsString>,
        variables: Vec<(OsString, OsString)>,
    ) -> io::Error {
        let args = std::iter::once(name.into()).chain(args).map(text).collect::<io::Result<Vec<_>>>();
        let inherited =
            std::env::vars_os().filter(|(name, _)| !variables.iter().any(|(other, _)| other == name));
        let all = inherited.chain(variables.iter().cloned());
        let all =
            all.map(|(name, value)| text([name, value].join("=".as_ref()))).collect::<io::Result<Vec<_>>>();
        match (args, all) {
            (Ok(args), Ok(all)) => {
                match nix::unistd::execveat(&self.folder, self.path(), &args, &all, AtFlags::empty()) {
                    Ok(never) => match never {},
                    Err(error) => error.into(),
                }
            }
            (Err(error), _) | (_, Err(error)) => error,
        }
    }

    fn path(&self) -> &CStr {
        self.room.get(self.path..).and_then(|rest| CStr::from_bytes_until_nul(rest).ok()).unwrap_or_default()
    }
}

fn text(text: OsString) -> io::Result<CString> {
    Ok(CString::new(text.into_vec())?)
}

fn random() -> io::Result<u64> {
    let mut bytes = [0; 8];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(u64::from_ne_bytes(bytes))
}
