//! The files of the system that a confined ffmpeg reads: its libraries, fonts, and little else.

use std::ffi::OsString;
use std::fs::File;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Folders of libraries.
const LIBRARIES: [&str; 6] = ["/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"];

/// Fonts, their configuration and their caches, the loader's lists, the number of processors.
const READ: [&str; 12] = [
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/fonts",
    "/etc/localtime",
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/usr/share/fontconfig",
    "/var/cache/fontconfig",
    "/sys/devices/system/cpu",
    "/dev/urandom",
    "/dev/zero",
];

/// Files that may be written beside those of the scratch folder.
pub const WRITE: [&str; 1] = ["/dev/null"];

/// Files that the drivers of graphics devices read: the list of devices, and their makes.
const DRIVERS: [&str; 12] = [
    "/sys/dev/char",
    "/sys/devices",
    "/sys/bus/pci",
    "/sys/class/drm",
    "/sys/module/nvidia",
    "/proc/driver/nvidia",
    "/proc/devices",
    "/proc/modules",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/usr/share/libdrm",
    "/usr/share/drirc.d",
];

/// Files that are read only if a device is used.
pub fn drivers(devices: &[PathBuf]) -> &'static [&'static str] {
    if devices.is_empty() { &[] } else { &DRIVERS }
}

/// Folders with the program's code: the system's, and those of a program that brings its own.
pub fn code(program: &Path, variable: &impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = LIBRARIES.iter().map(PathBuf::from).collect();
    paths.push(program.to_owned());
    // /opt/ffmpeg/bin/ffmpeg uses /opt/ffmpeg/lib.
    paths.extend(program.ancestors().nth(2).filter(|up| *up != Path::new("/")).map(|up| up.join("lib")));
    let library_path = variable("LD_LIBRARY_PATH").unwrap_or_default();
    paths.extend(std::env::split_paths(&library_path).filter(|path| path.is_absolute()));
    paths
}

/// The loader that the kernel starts instead of the program, named by `PT_INTERP` in its header. `None` if it needs
/// none, because it is statically linked.
pub fn loader(program: &Path) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    const PT_INTERP: u64 = 3;
    let file = File::open(program).ok()?;
    let number = |at: u64, bytes: usize| {
        let mut buffer = [0; 8];
        file.read_exact_at(buffer.get_mut(..bytes)?, at).ok()?;
        Some(u64::from_le_bytes(buffer))
    };
    // The header of a 64-bit ELF file has the position of its program header table, the length of an entry and their
    // number.
    let (table, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    let mut entries = (0..count).filter_map(|entry| table.checked_add(entry * size));
    let entry = entries.find(|entry| number(*entry, 4) == Some(PT_INTERP))?;
    let (at, length) = (number(entry.checked_add(8)?, 8)?, number(entry.checked_add(32)?, 8)?);
    let mut name = vec![0; usize::try_from(length).ok().filter(|length| *length <= 4096)?];
    file.read_exact_at(&mut name, at).ok()?;
    name.truncate(name.iter().position(|byte| *byte == 0)?);
    Some(PathBuf::from(OsString::from_vec(name)))
}

/// Files and folders that are read and not executed.
pub fn data(variable: &impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = READ.iter().map(PathBuf::from).collect();
    let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if let Some(home) = absolute("HOME") {
        let below = [".fonts", ".local/share/fonts", ".config/fontconfig", ".cache/fontconfig"];
        paths.extend(below.map(|folder| home.join(folder)));
    }
    paths.extend(absolute("XDG_CACHE_HOME").map(|cache| cache.join("fontconfig")));
    paths.extend(["FONTCONFIG_FILE", "FONTCONFIG_PATH"].into_iter().filter_map(absolute));
    paths
}

/// Finds the program as a shell would, and follows links to the file itself.
pub fn find(program: &Path, variable: &impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return program.canonicalize().ok();
    }
    let path = variable("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
    std::env::split_paths(&path).find_map(|folder| {
        let file = folder.join(program);
        file.canonicalize().ok().filter(|file| is_executable(file))
    })
}

/// Whether this is a file that a shell would start.
pub fn is_executable(file: &Path) -> bool {
    const EXECUTE: u32 = 0o111;
    file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & EXECUTE != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<'a>(name: &'a str, value: &'a str) -> impl Fn(&str) -> Option<OsString> + 'a {
        move |asked| (asked == name).then(|| value.into())
    }

    #[test]
    fn a_custom_program_brings_its_libraries() {
        let code = code(Path::new("/opt/ffmpeg/bin/ffmpeg"), &with("LD_LIBRARY_PATH", "/x/lib::rel"));
        for path in ["/usr/lib", "/opt/ffmpeg/bin/ffmpeg", "/opt/ffmpeg/lib", "/x/lib"] {
            assert!(code.contains(&path.into()), "{path}");
        }
        assert!(!code.contains(&"".into()) && !code.contains(&"rel".into()) && !code.contains(&"/".into()));
    }

    #[test]
    fn the_loader_is_found_in_the_program() {
        let loader = loader(&std::env::current_exe().unwrap()).unwrap();
        assert!(loader.to_str().unwrap().contains("/ld-") && loader.is_file(), "{}", loader.display());
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("program");
        for strange in [&b""[..], b"#!/bin/sh\n", &[0xff; 100], &[0xff; 5000]] {
            std::fs::write(&file, strange).unwrap();
            assert_eq!(super::loader(&file), None);
        }
    }

    #[test]
    fn only_fonts_are_readable_in_a_home() {
        let data = data(&with("HOME", "/home/clip"));
        assert!(data.contains(&"/home/clip/.fonts".into()));
        assert!(!data.contains(&"/home/clip".into()) && !data.iter().any(|path| path.starts_with("/proc")));
    }

    #[test]
    fn programs_are_found_in_the_path() {
        assert_eq!(find(Path::new("no-such-program"), &with("PATH", "/usr/bin:/bin")), None);
        let shell = find(Path::new("sh"), &with("PATH", "/nonexistent:/bin")).unwrap();
        assert!(shell.is_absolute() && shell.is_file());
    }

    #[test]
    fn only_executable_files_are_programs() {
        let folder = tempfile::tempdir().unwrap();
        let [listed, own] = ["listed", "own"].map(|name| folder.path().join(name));
        for place in [&listed, &own] {
            std::fs::create_dir(place).unwrap();
            std::fs::write(place.join("ffmpeg"), "").unwrap();
        }
        std::fs::set_permissions(own.join("ffmpeg"), PermissionsExt::from_mode(0o755)).unwrap();
        let path = std::env::join_paths([&listed, &own]).unwrap();
        let program = find(Path::new("ffmpeg"), &with("PATH", path.to_str().unwrap())).unwrap();
        assert_eq!(program, own.join("ffmpeg").canonicalize().unwrap());
    }
}
