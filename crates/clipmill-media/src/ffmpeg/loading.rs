//! Makes ffmpeg start faster.
//!
//! A distribution's ffmpeg is linked with some two hundred libraries, and the loader searches them one after the other for
//! each of some forty thousand names: that is most of the tenth of a second of processor time that a start takes.
//! Libraries that use many of their own names are therefore loaded first, so that these names are found at once. With
//! Debian 12's ffmpeg this saves a third (230 million instructions become 156, counted by callgrind).

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::ffmpeg::process::{Ffmpeg, Limits, ProcessError, Program};

/// The libraries to load first, those with the most names first. Only libraries whose names all have a prefix or a
/// version that no other library's names have: every name is found where it was found before. This excludes libc and
/// libstdc++, some of whose names occur in others, and PulseAudio's, LAPACK and others that share names.
const FIRST: [&str; 18] = [
    "libcrypto",
    "libepoxy",
    "libglib-2.0",
    "libavutil",
    "libasound",
    "libgio-2.0",
    "libnettle",
    "libgnutls",
    "libmbedcrypto",
    "libunistring",
    "libcodec2",
    "libdb-5.3",
    "libgobject-2.0",
    "libdbus-1",
    "libpango-1.0",
    "libcairo",
    "libharfbuzz",
    "libplacebo",
];

const LIMITS: Limits = Limits::wall(Duration::from_secs(60));

/// The same programs, started with those of [`FIRST`] that both are linked with anyway. They stay unchanged if there are
/// none, or if the loader is not glibc's.
pub(crate) async fn faster(ffmpeg: &Ffmpeg) -> Ffmpeg {
    match try_faster(ffmpeg).await {
        Ok(Some(faster)) => faster,
        Ok(None) => ffmpeg.clone(),
        // Callers that need the programs report errors of them.
        Err(error) => {
            tracing::debug!(%error, "loading ffmpeg's libraries in their default order");
            ffmpeg.clone()
        }
    }
}

async fn try_faster(ffmpeg: &Ffmpeg) -> Result<Option<Ffmpeg>, ProcessError> {
    let tracing = ffmpeg.with_variable("LD_TRACE_LOADED_OBJECTS", "1");
    let version = [OsString::from("-version")];
    let listing = |program| tracing.output(program, &version, LIMITS);
    let (of_ffmpeg, of_ffprobe) = tokio::try_join!(listing(Program::Ffmpeg), listing(Program::Ffprobe))?;
    let [mut first, others] = [of_ffmpeg, of_ffprobe].map(|list| wanted(&String::from_utf8_lossy(&list)));
    first.retain(|library| others.contains(library));
    if first.is_empty() {
        return Ok(None);
    }
    let paths: Vec<OsString> = first.into_iter().map(Into::into).collect();
    Ok(Some(ffmpeg.with_variable("LD_PRELOAD", paths.join(std::ffi::OsStr::new(":")))))
}

/// The paths of [`FIRST`], in its order, from the loader's list of lines such as
/// `libx.so.1 => /lib/libx.so.1 (0x00007f…)`.
fn wanted(list: &str) -> Vec<PathBuf> {
    let lines = list.lines().filter_map(|line| line.trim().split_once(" => "));
    let libraries: HashMap<&str, &str> = lines
        .filter_map(|(name, rest)| Some((stem(name)?, rest.rsplit_once(" (")?.0)))
        // The loader takes both characters for separators.
        .filter(|(_, path)| path.starts_with('/') && !path.contains([':', ' ']))
        .collect();
    FIRST.iter().filter_map(|stem| libraries.get(stem)).map(PathBuf::from).collect()
}

/// A library's name without its version.
fn stem(name: &str) -> Option<&str> {
    name.split_once(".so").map(|(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn only_listed_libraries_are_used_in_order() {
        let list = "\tlinux-vdso.so.1 (0x00007ffd)\n\
                    \tlibavutil.so.57 => /lib/x86_64-linux-gnu/libavutil.so.57 (0x00007f1)\n\
                    \tlibcryptography.so.3 => /lib/libcryptography.so.3 (0x00007f2)\n\
                    \tlibcrypto.so.3 => /opt/ssl/lib/libcrypto.so.3 (0x00007f3)\n\
                    \tlibepoxy.so.0 => /opt/a b/libepoxy.so.0 (0x00007f4)\n\
                    \tlibcairo.so.2 => not found\n\
                    \tlibdb-5.3.so => /lib/libdb-5.3.so (0x00007f5)\n\
                    \t/lib64/ld-linux-x86-64.so.2 (0x00007f6)\n";
        let expected =
            ["/opt/ssl/lib/libcrypto.so.3", "/lib/x86_64-linux-gnu/libavutil.so.57", "/lib/libdb-5.3.so"];
        assert_eq!(wanted(list), expected.map(PathBuf::from));
        assert_eq!(wanted("ffmpeg version 7.1 Copyright (c) 2000-2025\n"), [] as [PathBuf; 0]);
    }

    #[tokio::test]
    async fn output_and_messages_are_the_same() {
        let plain = Ffmpeg::default();
        let faster = faster(&plain).await;
        let render = |ffmpeg: Ffmpeg| async move {
            let line = "-v error -f lavfi -i testsrc2=s=64x64:r=25:d=0.2 -c:v libx264 -f framemd5 pipe:1";
            let args: Vec<OsString> = line.split(' ').map(Into::into).collect();
            ffmpeg.output_with_log(Program::Ffmpeg, &args, LIMITS).await.unwrap()
        };
        let (expected, _) = render(plain).await;
        assert_eq!(render(faster).await, (expected, String::new()));
    }

    #[tokio::test]
    async fn a_missing_program_stays_missing() {
        let missing = Ffmpeg::in_folder(Path::new("/nonexistent"));
        assert_eq!(faster(&missing).await, missing);
    }

    #[tokio::test]
    async fn a_program_without_such_libraries_is_started_normally() {
        let mut shell = Ffmpeg::default();
        (shell.ffmpeg, shell.ffprobe) = ("/bin/sh".into(), "/bin/sh".into());
        assert_eq!(faster(&shell).await, shell);
    }
}
