//! Determines the version of the installed ffmpeg and whether it has all required components.

use clipmill_core::segment::Toolchain;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::MediaError;
use crate::ffmpeg::loading;
use crate::ffmpeg::process::{Ffmpeg, Limits, ProcessError, Program};
use crate::ffmpeg::sandbox;
use crate::ffmpeg::versions::{SUPPORTED, Support, support};

const LIMITS: Limits = Limits::wall(Duration::from_secs(60));

/// A component that the installed ffmpeg lacks, and the remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// `encoder`, `decoder`, `filter`, `demuxer`, `muxer` or `bitstream filter`.
    pub kind: &'static str,
    pub name: &'static str,
    pub fix: String,
}

/// The missing component, in one sentence.
pub fn sentence(missing: &[Missing]) -> String {
    let one = |Missing { kind, name, fix }: &Missing| format!("{kind} {name} is missing: {fix}");
    missing.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// The installed programs.
pub struct Installed {
    pub toolchain: Toolchain,
    /// Peculiarities that an operator should know about.
    pub remarks: Vec<String>,
    /// Whether a program prints errors although it succeeds.
    pub is_noisy: bool,
}

/// The toolchain alone, see [`inspect`].
pub async fn detect(ffmpeg: &Ffmpeg) -> Result<Toolchain, MediaError> {
    inspect(ffmpeg).await.map(|installed| installed.toolchain)
}

/// Versions of everything that affects the bytes of a segment. It takes four short runs, so call it once. An ffmpeg that is too
/// old, that comes with an ffprobe of another version, or that lacks libx264 or libass is an error.
pub async fn inspect(ffmpeg: &Ffmpeg) -> Result<Installed, MediaError> {
    let (version, probe, x264, libass) = tokio::join!(
        version_of(ffmpeg, Program::Ffmpeg),
        version_of(ffmpeg, Program::Ffprobe),
        x264_version(ffmpeg),
        libass_version(ffmpeg)
    );
    let (version, errors) = version?;
    if support(&version) == Support::TooOld {
        let (path, version) = (shown(ffmpeg, Program::Ffmpeg), first_word(&version));
        return Err(MediaError::Unsupported(format!(
            "{path} is version {version}, but {SUPPORTED} is needed: install a newer one"
        )));
    }
    let (probe, probe_errors) = probe?;
    if probe != version {
        let [one, other] = [Program::Ffmpeg, Program::Ffprobe].map(|program| shown(ffmpeg, program));
        let (version, probe) = (first_word(&version), first_word(&probe));
        return Err(MediaError::Unsupported(format!(
            "{one} is version {version}, but {other} is version {probe}: install both from the same package"
        )));
    }
    let toolchain = Toolchain { ffmpeg: version, x264: x264?, libass: libass? };
    let printed = [(Program::Ffmpeg, errors), (Program::Ffprobe, probe_errors)];
    let is_noisy = printed.iter().any(|(_, errors)| !errors.trim().is_empty());
    Ok(Installed { toolchain, remarks: remarks_on(ffmpeg, &printed), is_noisy })
}

/// The installed programs, and how to start them: as `plain`, or faster if they then print no errors.
pub(crate) async fn fastest(plain: &Ffmpeg) -> Result<(Ffmpeg, Installed), MediaError> {
    choose(plain, loading::faster(plain).await).await
}

async fn choose(plain: &Ffmpeg, faster: Ffmpeg) -> Result<(Ffmpeg, Installed), MediaError> {
    if faster != *plain {
        match inspect(&faster).await {
            Ok(installed) if !installed.is_noisy => return Ok((faster, installed)),
            _ => tracing::debug!("loading ffmpeg's libraries in their default order"),
        }
    }
    Ok((plain.clone(), inspect(plain).await?))
}

/// Peculiarities of the installed programs that an operator should know about, also of unusable ones.
pub async fn remarks(ffmpeg: &Ffmpeg) -> Vec<String> {
    let output = async |program| ffmpeg.output_with_log(program, &args(VERSION), LIMITS).await;
    let (of_ffmpeg, of_ffprobe) = tokio::join!(output(Program::Ffmpeg), output(Program::Ffprobe));
    let printed = [(Program::Ffmpeg, of_ffmpeg), (Program::Ffprobe, of_ffprobe)];
    remarks_on(
        ffmpeg,
        &printed.map(|(program, output)| (program, output.map_or(String::new(), |(_, errors)| errors))),
    )
}

/// Remarks on what the programs print as errors, and on others of their name.
fn remarks_on(ffmpeg: &Ffmpeg, printed: &[(Program, String)]) -> Vec<String> {
    let mut remarks = Vec::new();
    for (program, errors) in printed {
        if let Some(line) = errors.lines().find(|line| !line.trim().is_empty()) {
            remarks.push(format!(
                "{} prints errors although it succeeds ({line}): files may be taken for damaged, and work takes \
                 longer; fix the installation",
                shown(ffmpeg, *program)
            ));
        }
    }
    let used = sandbox::find(&ffmpeg.ffmpeg);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let others = installed(&ffmpeg.ffmpeg, &path).filter(|other| Some(other) != used.as_ref());
    let others: BTreeSet<String> = others.map(|other| other.display().to_string()).collect();
    if let Some(used) = used.filter(|_| !others.is_empty()) {
        let others = others.into_iter().collect::<Vec<_>>().join(", ");
        remarks.push(format!("PATH contains several ffmpegs: using {}, not {others}", used.display()));
    }
    remarks
}

/// All programs of this name in the folders of `path`, with links followed; none if the name is a path.
fn installed(name: &Path, path: &OsStr) -> impl Iterator<Item = PathBuf> {
    let folders: Vec<PathBuf> = match name.components().count() {
        1 => std::env::split_paths(path).collect(),
        _ => Vec::new(),
    };
    let name = name.to_owned();
    folders
        .into_iter()
        .filter_map(move |folder| folder.join(&name).canonicalize().ok())
        .filter(|file| sandbox::is_executable(file))
}

fn shown(ffmpeg: &Ffmpeg, program: Program) -> String {
    let name = match program {
        Program::Ffmpeg => &ffmpeg.ffmpeg,
        Program::Ffprobe => &ffmpeg.ffprobe,
    };
    sandbox::find(name).unwrap_or_else(|| name.clone()).display().to_string()
}

fn first_word(version: &str) -> &str {
    version.split(' ').next().unwrap_or(version)
}

/// Prints the version, and as errors only what should not be printed.
const VERSION: &str = "-v error -version";

/// The version of a program, and the errors that it prints.
async fn version_of(ffmpeg: &Ffmpeg, program: Program) -> Result<(String, String), MediaError> {
    let output = ffmpeg.output_with_log(program, &args(VERSION), LIMITS).await;
    let (text, errors) = output.map_err(|error| match error {
        error @ ProcessError::Spawn { .. } => MediaError::from(error),
        error @ ProcessError::NotConfined(_) => MediaError::Unsupported(format!(
            "{} cannot be started ({error}): if it is a script or a wrapper, let PATH find the program itself",
            shown(ffmpeg, program)
        )),
        error => MediaError::Unsupported(format!(
            "{} -version does not work ({error}): install {SUPPORTED} (on Debian: apt install ffmpeg)",
            shown(ffmpeg, program)
        )),
    })?;
    let name = match program {
        Program::Ffmpeg => "ffmpeg",
        Program::Ffprobe => "ffprobe",
    };
    Ok((version(name, &String::from_utf8_lossy(&text))?, errors))
}

/// The components that this ffmpeg lacks; empty if it is complete.
pub async fn capabilities(ffmpeg: &Ffmpeg) -> Result<Vec<Missing>, MediaError> {
    let mut missing = Vec::new();
    for need in &NEEDS {
        let list =
            ffmpeg.output(Program::Ffmpeg, &args(&format!("-hide_banner {}", need.list)), LIMITS).await?;
        let have = names(&String::from_utf8_lossy(&list));
        let absent = need.names.iter().filter(|name| !have.contains(**name));
        missing.extend(absent.map(|name| Missing { kind: need.kind, name, fix: fix(need.kind, name) }));
    }
    Ok(missing)
}

struct Requirement {
    kind: &'static str,
    /// The option that makes ffmpeg list its components.
    list: &'static str,
    names: &'static [&'static str],
}

const NEEDS: [Requirement; 6] = [
    Requirement { kind: "encoder", list: "-encoders", names: &["aac", "libx264", "mjpeg", "pcm_f32le"] },
    Requirement {
        kind: "decoder",
        list: "-decoders",
        names: &[
            "aac",
            "flac",
            "h264",
            "hevc",
            "mjpeg",
            "mp3float",
            "mpeg2video",
            "mpeg4",
            "opus",
            "png",
            "vorbis",
            "vp8",
            "vp9",
        ],
    },
    Requirement {
        kind: "filter",
        list: "-filters",
        names: &[
            "adelay",
            "afade",
            "alimiter",
            "alphamerge",
            "amerge",
            "amix",
            "apad",
            "aresample",
            "asetpts",
            "ass",
            "atempo",
            "atrim",
            "blend",
            "bwdif",
            "chromashift",
            "color",
            "colorchannelmixer",
            "concat",
            "crop",
            "curves",
            "displace",
            "eq",
            "fade",
            "fillborders",
            "fps",
            "gblur",
            "geq",
            "hflip",
            "hstack",
            "hue",
            "limiter",
            "loop",
            "loudnorm",
            "lutrgb",
            "lutyuv",
            "noise",
            "overlay",
            "pad",
            "pan",
            "perspective",
            "pseudocolor",
            "rgbashift",
            "rotate",
            "scale",
            "scroll",
            "setparams",
            "setpts",
            "setsar",
            "settb",
            "sidechaincompress",
            "sobel",
            "split",
            "tile",
            "tonemap",
            "tpad",
            "trim",
            "v360",
            "vflip",
            "volume",
            "vstack",
            "zoompan",
            "zscale",
        ],
    },
    Requirement {
        kind: "demuxer",
        list: "-demuxers",
        names: &[
            "avi",
            "concat",
            "flac",
            "flv",
            "gif",
            "jpeg_pipe",
            "lavfi",
            "matroska",
            "mov",
            "mp3",
            "mpeg",
            "mpegts",
            "ogg",
            "png_pipe",
            "wav",
            "webp_pipe",
        ],
    },
    Requirement { kind: "muxer", list: "-muxers", names: &["framemd5", "mp4", "null", "wav"] },
    Requirement { kind: "bitstream filter", list: "-bsfs", names: &["h264_metadata", "setts"] },
];

fn fix(kind: &str, name: &str) -> String {
    let library = match name {
        "libx264" => "--enable-gpl --enable-libx264",
        "ass" => "--enable-libass",
        "zscale" => "--enable-libzimg",
        "eq" | "geq" => "--enable-gpl",
        _ => {
            return format!(
                "install a full build of {SUPPORTED} (on Debian: apt install ffmpeg), which has the {kind} {name}"
            );
        }
    };
    format!(
        "install an ffmpeg built with {library} (on Debian: apt install ffmpeg), which has the {kind} {name}"
    )
}

/// The version of a program and of its libraries, without the years and the build flags in between.
fn version(name: &'static str, text: &str) -> Result<String, MediaError> {
    let unexpected = || MediaError::Unexpected { program: name, detail: text.chars().take(200).collect() };
    let first = text.lines().next().and_then(|line| line.strip_prefix(name)?.strip_prefix(" version "));
    let first = first.ok_or_else(unexpected)?;
    let version = first.split_whitespace().next().ok_or_else(unexpected)?;
    let libraries = text.lines().filter(|line| line.starts_with("lib")).filter_map(|line| {
        let (name_and_build, _loaded) = line.split_once('/')?;
        let (name, build) = name_and_build.split_once(' ')?;
        Some(format!(" {name} {}", build.replace(' ', "")))
    });
    Ok(format!("{version}{}", libraries.collect::<String>()))
}

/// Reads x264's build, which is only written into encoded video: one frame is encoded for it.
async fn x264_version(ffmpeg: &Ffmpeg) -> Result<String, MediaError> {
    let trial =
        "-nostdin -v error -f lavfi -i color=s=64x64:r=25:d=0.04 -frames:v 1 -c:v libx264 -f h264 pipe:1";
    let stream = match ffmpeg.output(Program::Ffmpeg, &args(trial), LIMITS).await {
        Err(ProcessError::Failed { stderr, .. }) => {
            let reason = stderr.lines().next().unwrap_or("no reason is given").to_owned();
            let fix = match stderr.contains("Unknown encoder") {
                true => fix("encoder", "libx264"),
                false => "check the memory and the limits of this process".to_owned(),
            };
            return Err(MediaError::Unsupported(format!("libx264 does not work ({reason}): {fix}")));
        }
        other => other?,
    };
    x264_note(&String::from_utf8_lossy(&stream)).ok_or_else(|| MediaError::Unexpected {
        program: "libx264",
        detail: "its stream does not name the encoder's version".into(),
    })
}

fn x264_note(stream: &str) -> Option<String> {
    let (_, note) = stream.split_once("x264 - core ")?;
    note.split(" - ").next().filter(|version| version.len() < 64).map(str::to_owned)
}

/// Reads libass's version from the log, where it appears when the filter is made, before the missing file is noticed.
async fn libass_version(ffmpeg: &Ffmpeg) -> Result<String, MediaError> {
    let trial = "-v verbose -f lavfi -i color=s=16x16:r=25:d=0.04 -vf ass=/dev/null -f null -";
    let log = match ffmpeg.run_ffmpeg(&args(trial), None, LIMITS, |_| ()).await {
        Ok(finished) => finished.stderr,
        Err(ProcessError::Failed { stderr, .. }) => stderr,
        Err(error) => return Err(error.into()),
    };
    libass_note(&log).ok_or_else(|| {
        let fix = fix("filter", "ass");
        MediaError::Unsupported(format!("captions cannot be drawn, because libass is missing: {fix}"))
    })
}

fn libass_note(log: &str) -> Option<String> {
    let after = |key: &str| {
        let line = log.lines().find_map(|line| line.split_once(key))?;
        Some(line.1.trim().to_owned())
    };
    let api = after("libass API version:")?;
    // The shaper and the rasteriser draw the letters, so their versions change pixels as well.
    let parts = ["libass source:", "Raster:", "Shaper:"].into_iter().filter_map(after);
    Some(parts.fold(api, |text, part| format!("{text}; {part}")))
}

/// The names in one of ffmpeg's lists: the only word of a line, or the first one after the columns of flags. Versions
/// have one, two or three of them (`D`, `D d`, `V.S.D`). A name written as `a,b` counts as two.
fn names(list: &str) -> BTreeSet<String> {
    let is_flags = |word: &&str| {
        word.len() <= 6 && word.chars().all(|flag| flag == '.' || flag.is_ascii_uppercase()) || *word == "d"
    };
    let name = |line: &'_ str| -> Option<String> {
        let mut words = line.split_whitespace();
        let first = words.next()?;
        let behind = std::iter::once(first).chain(words).find(|word| !is_flags(word));
        Some(behind.unwrap_or(first).to_owned())
    };
    let names: Vec<String> = list.lines().filter_map(name).collect();
    names.iter().flat_map(|name| name.split(',')).map(str::to_owned).collect()
}

fn args(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(Into::into).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_has_everything_that_affects_frames() {
        let text = "ffmpeg version 7.1.1-1+b1 Copyright (c) 2000-2025 the FFmpeg developers\nbuilt with gcc 14\n\
                    configuration: --enable-gpl\nlibavutil      59. 39.100 / 59. 39.100\nlibavcodec     61. 19.101 / 61. 19.101\n";
        assert_eq!(version("ffmpeg", text).unwrap(), "7.1.1-1+b1 libavutil 59.39.100 libavcodec 61.19.101");
        assert!(version("ffprobe", text).is_err());
        assert!(version("ffmpeg", "sh: no such thing").is_err());
    }

    #[test]
    fn versions_are_read_from_noise() {
        let stream = "\0\u{fffd}x264 - core 164 r3095 baee400 - H.264/MPEG-4 AVC codec - Copyleft";
        assert_eq!(x264_note(stream).as_deref(), Some("164 r3095 baee400"));
        assert_eq!(x264_note("nothing"), None);
        let log = "[ass @ 0x1] libass API version: 0x1701000\n[ass @ 0x1] libass source: tarball: 0.17.1\n";
        assert_eq!(libass_note(log).as_deref(), Some("0x1701000; tarball: 0.17.1"));
    }

    #[test]
    fn lists_of_all_shapes_are_read() {
        let list = "Demuxers:\n D  matroska,webm   Matroska / WebM\n D d lavfi  Libavfilter virtual input device\n \
                    D   wav             WAV\n TSC zscale V->V x\n V....D libx264 x\n VFS..D h264 x\nsetts\n";
        let names = names(list);
        let expected = ["matroska", "webm", "lavfi", "wav", "zscale", "libx264", "h264", "setts"];
        assert!(expected.iter().all(|name| names.contains(*name)), "{names:?}");
        assert!(!names.contains("Matroska"));
    }

    /// Programs that run these lines of shell before the installed ones.
    fn with_scripts(folder: &Path, ffmpeg: &str, ffprobe: &str) -> Ffmpeg {
        for (name, lines) in [("ffmpeg", ffmpeg), ("ffprobe", ffprobe)] {
            let path = folder.join(name);
            std::fs::write(&path, format!("#!/bin/sh\n{lines}\nexec {name} \"$@\"\n")).unwrap();
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(&path, mode).unwrap();
        }
        Ffmpeg::in_folder(folder)
    }

    #[tokio::test]
    async fn unusable_tools_are_reported_with_packages() {
        let folder = tempfile::tempdir().unwrap();
        let version = |version: &str, avcodec: &str| {
            format!(
                "case \"$*\" in *-version*) echo 'ffmpeg version {version} Copyright (c)'; \
                 echo 'libavcodec {avcodec} / {avcodec}'; exit 0;; esac"
            )
        };
        let refuse = |part: &str, message: &str| {
            format!("case \"$*\" in *{part}*) echo \"{message}\" >&2; exit 1;; esac")
        };
        for (ffmpeg, ffprobe, expected) in [
            (
                version("4.4.2-0ubuntu0", "58.134.100"),
                String::new(),
                "is version 4.4.2-0ubuntu0, but ffmpeg 5.1 to 9",
            ),
            (version("99.1", "90. 1.100"), String::new(), "are of different versions"),
            (refuse("libx264", "Unknown encoder 'libx264'"), String::new(), "--enable-libx264"),
            (refuse("ass=", "No such filter: 'ass'"), String::new(), "--enable-libass"),
            ("exit 127".into(), String::new(), "127"),
        ] {
            let error =
                detect(&with_scripts(folder.path(), &ffmpeg, &ffprobe)).await.unwrap_err().to_string();
            let expected =
                expected.replace("are of different versions", "install both from the same package");
            assert!(error.contains(&expected), "{error}");
        }
        let noisy = with_scripts(folder.path(), "echo 'libva info: VA-API' >&2", "");
        let messages = remarks(&noisy).await;
        assert!(messages.iter().any(|remark| remark.contains("libva info: VA-API")), "{messages:?}");
    }

    #[tokio::test]
    async fn libraries_that_cannot_be_loaded_first_are_not() {
        let plain = Ffmpeg::default();
        let failing = plain.with_variable("LD_PRELOAD", "/nonexistent/library.so");
        assert!(inspect(&failing).await.unwrap().is_noisy);
        let (chosen, installed) = choose(&plain, failing).await.unwrap();
        assert_eq!(chosen, plain);
        assert!(!installed.is_noisy, "{:?}", installed.remarks);
    }

    #[test]
    fn all_executables_in_the_path_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        let folders = ["one", "other", "linked", "text"].map(|name| folder.path().join(name));
        folders.iter().for_each(|folder| std::fs::create_dir(folder).unwrap());
        let [one, other, linked, text] = folders;
        for (folder, mode) in [(&one, 0o755), (&other, 0o755), (&text, 0o644)] {
            let file = folder.join("ffmpeg");
            std::fs::write(&file, "").unwrap();
            let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
            std::fs::set_permissions(file, mode).unwrap();
        }
        std::os::unix::fs::symlink(one.join("ffmpeg"), linked.join("ffmpeg")).unwrap();
        let path = std::env::join_paths([&one, &linked, &text, &other]).unwrap();
        let programs: BTreeSet<PathBuf> = installed(Path::new("ffmpeg"), &path).collect();
        let expected = [one, other].map(|place| place.join("ffmpeg").canonicalize().unwrap());
        assert_eq!(programs, BTreeSet::from(expected));
        assert_eq!(installed(Path::new("/opt/ffmpeg"), &path).count(), 0);
    }

    #[tokio::test]
    async fn the_installed_ffmpeg_is_complete_and_named() {
        let ffmpeg = Ffmpeg::default();
        let toolchain = detect(&ffmpeg).await.expect("ffmpeg must be installed for the tests");
        assert!(toolchain.ffmpeg.contains("libavcodec"), "{toolchain:?}");
        assert!(toolchain.x264.starts_with(|c: char| c.is_ascii_digit()), "{toolchain:?}");
        assert!(toolchain.libass.starts_with("0x"), "{toolchain:?}");
        assert_eq!(capabilities(&ffmpeg).await.unwrap(), []);
    }
}
