//! The accepted containers, codecs and sizes. These are the only lists of their kind.
//!
//! Everything else is refused, because memory errors occur in ffmpeg's rarer decoders, and because some of its formats
//! are scripts that open other files (playlists, `ffconcat`, SDP).

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::descriptors;
use crate::paths::file_url;

/// Containers by the names of ffmpeg's demuxers. `image2` is omitted on purpose: it reads `%d` in a name as a pattern
/// of many files.
pub const FORMATS: &[&str] = &[
    "mov",
    "matroska",
    "mpegts",
    "avi",
    "mpeg",
    "flv",
    "wav",
    "mp3",
    "flac",
    "ogg",
    "aac",
    "ac3",
    "eac3",
    "amr",
    "caf",
    "aiff",
    "gif",
    "apng",
    "png_pipe",
    "jpeg_pipe",
    "webp_pipe",
];

/// Containers of a single image, without times.
pub const STILL_FORMATS: &[&str] = &["png_pipe", "jpeg_pipe", "webp_pipe"];

/// Containers that are a mere sequence of frames.
const WITHOUT_INDEX: &[&str] = &["mp3", "aac", "ac3", "eac3"];

/// Whether a format, by ffmpeg's names, is a mere sequence of frames, in which nothing marks the end of the last one.
pub fn is_without_index(format: &str) -> bool {
    format_in(format, WITHOUT_INDEX)
}

/// The demuxer of live FLV streams, for repairs: unlike that of files, it follows timestamps that start again.
pub const LIVE_FLV: &str = "live_flv";

/// Containers of broadcasts and recordings, in which ffmpeg treats a jump of timestamps as a joint of two recordings.
pub const FORMATS_WITH_JUMPS: &[&str] = &["mpegts", "mpeg", "flv"];

/// Containers whose header states the file's length as ffprobe reports it; of others ffprobe estimates it from the bit rate
/// or the size of the file. An MP4 states the length of each stream.
pub const FORMATS_WITH_LENGTH: &[&str] = &["matroska", "flv"];

/// Containers that state their length in a place that [`crate::ingest::probe::containers`] reads.
pub const FORMATS_WITH_STATED_LENGTH: &[&str] = &["avi", "wav", "flac", "mp3"];

/// Video codecs, by ffmpeg's names.
pub const VIDEO_CODECS: &[&str] = &[
    "h264",
    "hevc",
    "vp8",
    "vp9",
    "av1",
    "mpeg1video",
    "mpeg2video",
    "mpeg4",
    "msmpeg4v2",
    "msmpeg4v3",
    "h263",
    "flv1",
    "mjpeg",
    "prores",
    "qtrle",
    "dnxhd",
    "theora",
    "png",
    "webp",
    "gif",
    "apng",
];

/// Audio codecs, by ffmpeg's names, beside every `pcm_…` in [`PCM`].
pub const AUDIO_CODECS: &[&str] = &[
    "aac",
    "aac_latm",
    "mp3",
    "mp2",
    "ac3",
    "eac3",
    "opus",
    "vorbis",
    "flac",
    "alac",
    "amr_nb",
    "amr_wb",
    "adpcm_ms",
    "adpcm_ima_wav",
    "adpcm_ima_qt",
    "adpcm_swf",
];

/// Uncompressed audio; codec and decoder have the same name.
pub const PCM: &[&str] = &[
    "pcm_u8",
    "pcm_s8",
    "pcm_s16le",
    "pcm_s16be",
    "pcm_s24le",
    "pcm_s24be",
    "pcm_s32le",
    "pcm_s32be",
    "pcm_f32le",
    "pcm_f32be",
    "pcm_f64le",
    "pcm_f64be",
    "pcm_alaw",
    "pcm_mulaw",
    "pcm_bluray",
    "pcm_dvd",
];

/// Decoders whose names differ from those of their codecs, and second decoders for the same codec: the whitelist
/// compares names of decoders.
const OTHER_DECODERS: &[&str] = &[
    "libdav1d",
    "libaom-av1",
    "libvpx",
    "libvpx-vp9",
    "msmpeg4",
    "flv",
    "mp3float",
    "mp2float",
    "libopus",
    "libvorbis",
    "amrnb",
    "amrwb",
    "libopencore_amrnb",
    "libopencore_amrwb",
];

/// Decoders of subtitle streams that real files contain. They never run, but ffprobe opens one for every stream and
/// otherwise gives up on the whole file.
const SUBTITLE_DECODERS: &[&str] = &[
    "mov_text",
    "srt",
    "subrip",
    "ass",
    "ssa",
    "webvtt",
    "text",
    "dvdsub",
    "dvbsub",
    "pgssub",
    "xsub",
    "cc_dec",
    "libzvbi_teletextdec",
    "libaribb24",
    "libaribcaption",
];

/// A file with more streams than this is not a clip.
pub const MAX_STREAMS: usize = 32;
/// The longest side of a video or an image.
pub const MAX_SIDE: u32 = 8192;
/// The most pixels: 8192 × 4320.
pub const MAX_PIXELS: u64 = 35_389_440;
/// The longest clip: six hours.
pub const MAX_DURATION_S: f64 = 6.0 * 3600.0;
/// The longest gap between two frames in a stream that otherwise has a normal rate. Screen recorders write a frame only
/// when the screen changes.
pub const MAX_GAP_S: f64 = 3600.0;
/// From here on, a video that begins after its audio is late; recordings that begin with both differ by less.
pub const LATE_S: f64 = 0.1;
/// The least part of the stated length that must be present.
pub const MIN_PART_PRESENT: f64 = 0.99;

/// The input of an ffmpeg run: the files, decoders and allocations allowed for it, and `-i file:…`. Further options for
/// this input (`-ss`, `-err_detect`, …) must come before it. Reads the file's first bytes.
pub fn input_args(path: &Path) -> Vec<OsString> {
    with_still_demuxer(plain_input(path), path)
}

/// [`input_args`] for all frames of an animated PNG.
pub fn animated_input_args(path: &Path) -> Vec<OsString> {
    animated(plain_input(path))
}

fn plain_input(path: &Path) -> Vec<OsString> {
    let mut args = guards(MAX_STREAMS);
    args.extend(["-max_pixels".into(), MAX_PIXELS.to_string().into()]);
    args.extend(["-i".into(), file_url(path)]);
    args
}

fn animated(mut args: Vec<OsString>) -> Vec<OsString> {
    args.splice(0..0, ["-f".into(), "apng".into()]);
    args
}

/// [`input_args`] for ffprobe. One stream more than allowed is accepted, so that a container which silently drops the
/// rest is noticed; sizes are left to our own check, because ffprobe would report a size of 0 otherwise.
pub(crate) fn probe_args(path: &Path) -> Vec<OsString> {
    let mut args: Vec<OsString> = ["-v", "error", "-hide_banner"].map(Into::into).into();
    args.extend(ffprobe_input(path, MAX_STREAMS + 1));
    args
}

/// [`probe_args`] for all frames of an animated PNG.
pub(crate) fn animated_probe_args(path: &Path) -> Vec<OsString> {
    let mut args: Vec<OsString> = ["-v", "error", "-hide_banner"].map(Into::into).into();
    args.extend(animated(ffprobe_guards(guards(MAX_STREAMS + 1), path)));
    args
}

/// [`input_args`] for ffprobe, which decodes with one thread: a decoder would start one for each core, and each needs
/// address space.
pub fn ffprobe_args(path: &Path) -> Vec<OsString> {
    ffprobe_input(path, MAX_STREAMS)
}

fn ffprobe_input(path: &Path, max_streams: usize) -> Vec<OsString> {
    ffprobe_guards(with_still_demuxer(guards(max_streams), path), path)
}

fn ffprobe_guards(guards: Vec<OsString>, path: &Path) -> Vec<OsString> {
    let mut args: Vec<OsString> = ["-threads", "1"].map(Into::into).into();
    args.extend(guards);
    let subtitles = format!("{},{}", decoders(), SUBTITLE_DECODERS.join(","));
    args.extend(["-codec_whitelist:s".into(), subtitles.into()]);
    args.extend(["-max_alloc".into(), "536870912".into(), "-i".into(), file_url(path)]);
    args
}

fn guards(max_streams: usize) -> Vec<OsString> {
    let pairs = [
        ("-protocol_whitelist", "file,pipe".to_owned()),
        ("-format_whitelist", [FORMATS, &[LIVE_FLV]].concat().join(",")),
        ("-codec_whitelist", decoders()),
        ("-max_streams", max_streams.to_string()),
    ];
    pairs.into_iter().flat_map(|(name, value)| [name.into(), value.into()]).collect()
}

fn decoders() -> String {
    [VIDEO_CODECS, AUDIO_CODECS, PCM, OTHER_DECODERS].concat().join(",")
}

/// The demuxer of a still image, determined by its first bytes. Otherwise ffmpeg would use a file name such as `a.jpg`
/// or `img%d.png` and interpret it as a sequence of many files.
fn with_still_demuxer(mut args: Vec<OsString>, path: &Path) -> Vec<OsString> {
    match head::<12>(path) {
        Ok(head) => {
            if let Some(demuxer) = still_demuxer(&head) {
                args.splice(0..0, ["-f".into(), demuxer.into()]);
            }
        }
        // Read as another kind, a good file would seem to be damaged: the run must fail, and with this reason.
        Err(error) if descriptors::are_used_up(&error) => {
            args.splice(0..0, ["-f".into(), error.to_string().into()]);
        }
        Err(error) => tracing::debug!(%error, path = %path.display(), "cannot read the first bytes"),
    }
    args
}

fn still_demuxer(head: &[u8]) -> Option<&'static str> {
    let riff_webp = head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP");
    match head {
        [0xff, 0xd8, 0xff, ..] => Some("jpeg_pipe"),
        [0x89, b'P', b'N', b'G', ..] => Some("png_pipe"),
        _ => riff_webp.then_some("webp_pipe"),
    }
}

/// Up to `N` first bytes.
pub(crate) fn head<const N: usize>(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(N);
    File::open(path)?.take(N as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether `codec` (ffmpeg's name of a codec, not of a decoder) is accepted.
pub fn codec_allowed(codec: &str) -> bool {
    [VIDEO_CODECS, AUDIO_CODECS, PCM].iter().any(|list| list.contains(&codec))
}

/// Whether a demuxer's name (`mov,mp4,m4a,…`) is one of `formats`.
pub fn format_in(name: &str, formats: &[&str]) -> bool {
    name.split(',').any(|name| formats.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dangerous_formats_stay_disabled() {
        let decoders = decoders();
        for decoder in ["magicyuv", "librsvg", "xbin", "ansi", "dvdsub"] {
            assert!(!decoders.split(',').any(|name| name == decoder), "{decoder}");
        }
        for format in ["hls", "dash", "concat", "sdp", "image2", "svg_pipe", "lavfi", "tty"] {
            assert!(!FORMATS.contains(&format), "{format}");
        }
    }

    #[test]
    fn guards_precede_the_input() {
        let args = input_args(Path::new("/in/-x.mp4"));
        let at = |name: &str| args.iter().position(|arg| arg == name).unwrap();
        assert_eq!(at("-i") + 2, args.len());
        assert_eq!(args.last().unwrap(), "file:/in/-x.mp4");
        assert_eq!(args[at("-protocol_whitelist") + 1], "file,pipe");
        assert_eq!(args[at("-max_pixels") + 1], "35389440");
    }

    #[test]
    fn stills_are_recognized_by_their_bytes() {
        assert_eq!(still_demuxer(b"\xff\xd8\xff\xe0....."), Some("jpeg_pipe"));
        assert_eq!(still_demuxer(b"\x89PNG\r\n"), Some("png_pipe"));
        assert_eq!(still_demuxer(b"RIFF\x01\x02\x03\x04WEBPVP8 "), Some("webp_pipe"));
        assert_eq!(still_demuxer(b"RIFF\x01\x02\x03\x04WAVE"), None);
        assert_eq!(still_demuxer(b""), None);
    }
}
