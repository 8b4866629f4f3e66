//! Files that are copied into a new container before they are used.
//!
//! A recording that was joined from several has timestamps that jump. ffmpeg joins them if it reads such a file from
//! its beginning and with its own clock, but a segment is read from anywhere and with the file's clock. A joined audio
//! file is decoded, because its format changes and its timestamps are wrong. And ffprobe fails on a file if the decoder
//! of any stream is not allowed, even of an unused one.

use std::path::Path;
use std::time::Duration;

use clipmill_core::error::TaskError;
use clipmill_core::media::Repair;

use crate::error::MediaError;
use crate::ffmpeg::args::{Args, rewrap};
use crate::ffmpeg::process::{Ffmpeg, Limits, ProcessError};

use super::animation;
use super::facts::StreamSelection;
use super::header::Header;
use super::joined;
use super::packets::Packets;
use crate::ffmpeg::policy::{self, FORMATS_WITH_JUMPS, LIVE_FLV, input_args};

/// Six hours of decoded audio.
const MAX_DECODED_BYTES: u64 = 6 * 3600 * DECODED_BYTES_PER_SECOND + (1 << 20);
const DECODED_BYTES_PER_SECOND: u64 = 48_000 * 4;
/// The size of decoded audio to that of MP3 with 128 kbit/s.
const DECODED_TO_CODED: u64 = 12;

/// The repair of a file whose timestamps jump; `None` if ffmpeg would not repair them either.
pub fn of_jumps(header: &Header, chosen: &StreamSelection, packets: &Packets) -> Option<Repair> {
    let format = &header.format.format_name;
    let streams = chosen.streams();
    let is_flv = policy::format_in(format, &["flv"]);
    let jumps = streams.iter().filter_map(|stream| Some(packets.track(*stream)?.jumps));
    // In FLV a screen recording may have no frame for a long time while its audio continues.
    let jumps = if is_flv { jumps.min() } else { jumps.max() }?;
    let repairable = jumps > 0 && policy::format_in(format, FORMATS_WITH_JUMPS);
    let demuxer = is_flv.then(|| LIVE_FLV.to_owned());
    repairable.then(|| Repair { demuxer, muxer: muxer(format).to_owned(), streams, jumps, decoded: false })
}

/// The repair of an audio file that was joined from several, such as the recording of a radio station: decoded, as plain
/// ffmpeg plays it. `None` for other files.
pub async fn of_joined(
    path: &Path,
    header: &Header,
    chosen: &StreamSelection<'_>,
    packets: &Packets,
) -> Result<Option<Repair>, TaskError> {
    let Some(stream) = chosen.only_audio() else { return Ok(None) };
    let format = header.format.format_name.as_str();
    let is_joined = match format {
        "ogg" => packets.track(stream).is_some_and(|track| track.jumps > 0),
        format => joined::is_joined(path, format).await?,
    };
    let muxer = "wav".to_owned();
    Ok(is_joined.then(|| Repair { demuxer: None, muxer, streams: vec![stream], jumps: 0, decoded: true }))
}

/// Copies one stream unchanged.
pub fn copy_of(stream: u32) -> Repair {
    let muxer = "matroska".to_owned();
    Repair { demuxer: None, muxer, streams: vec![stream], jumps: 0, decoded: false }
}

/// The repair of a file with streams whose decoders are not allowed: without them. `None` if no other video or no other
/// audio remains.
pub async fn of_refused(ffmpeg: &Ffmpeg, path: &Path) -> Result<Option<Repair>, TaskError> {
    let mut args = Args::default();
    args.add(["-v", "info"]).extend(input_args(path));
    let limits = Limits::wall(Duration::from_secs(20)).stderr_bytes(256 << 10).urgent();
    // Without an output, ffmpeg lists the streams and fails.
    match ffmpeg.run_ffmpeg(&args.done(), None, limits, |_| {}).await {
        Ok(_) => Ok(None),
        Err(ProcessError::Failed { stderr, .. }) => Ok(listed(&stderr)),
        Err(error) => Err(MediaError::from(error).into()),
    }
}

/// Makes the file that replaces the one at `path`.
pub async fn make(
    ffmpeg: &Ffmpeg,
    path: &Path,
    repair: &Repair,
    folder: &Path,
    output: &Path,
) -> Result<(), ProcessError> {
    if repair.muxer == animation::CONVERTED {
        return animation::convert(ffmpeg, path, output).await;
    }
    let size_bytes = tokio::fs::metadata(path).await.map_or(0, |metadata| metadata.len());
    let limits = Limits::wall(Duration::from_secs(600)).file_bytes(max_bytes(repair, size_bytes));
    ffmpeg.run_ffmpeg(&rewrap(path, repair, output), Some(folder), limits, |_| {}).await?;
    Ok(())
}

/// The largest result for a file of this size.
fn max_bytes(repair: &Repair, size_bytes: u64) -> u64 {
    if repair.decoded {
        return MAX_DECODED_BYTES;
    }
    size_bytes.saturating_mul(2).saturating_add(64 << 20)
}

/// An estimate of the result's size, for reserving space.
pub fn planned_bytes(repair: &Repair, size_bytes: u64) -> u64 {
    if repair.muxer == animation::CONVERTED {
        return size_bytes.saturating_mul(10).min(animation::MAX_BYTES);
    }
    if repair.decoded {
        return size_bytes.saturating_mul(DECODED_TO_CODED).min(MAX_DECODED_BYTES);
    }
    size_bytes
}

/// A container that holds the codecs of the original one. Matroska would be broken by parameter sets that change in
/// mid-stream, as they do in FLV.
fn muxer(format: &str) -> &'static str {
    match format {
        format if policy::format_in(format, &["flv"]) => "flv",
        format if policy::format_in(format, &["mov"]) => "mov",
        format if policy::format_in(format, &["mpegts"]) => "mpegts",
        _ => "matroska",
    }
}

/// The accepted video and audio streams in ffmpeg's list.
fn listed(log: &str) -> Option<Repair> {
    let format = log.lines().find_map(|line| line.strip_prefix("Input #0, ")?.split_once(", from"));
    let format = format.map(|(format, _)| format)?;
    let all: Vec<ListedStream> =
        log.lines().filter_map(ListedStream::parse).filter(|stream| stream.is_used).collect();
    let kinds =
        ["Video", "Audio"].map(|kind| all.iter().filter(|stream| stream.kind == kind).collect::<Vec<_>>());
    let is_lost =
        |kind: &Vec<&ListedStream>| !kind.is_empty() && !kind.iter().any(|stream| stream.is_accepted);
    if kinds.iter().any(is_lost) {
        return None;
    }
    let streams: Vec<u32> =
        kinds.iter().flatten().filter(|stream| stream.is_accepted).map(|stream| stream.index).collect();
    let has_streams = !streams.is_empty();
    let muxer = muxer(format).to_owned();
    has_streams.then_some(Repair { demuxer: None, muxer, streams, jumps: 0, decoded: false })
}

/// A stream in ffmpeg's list: `  Stream #0:1[0x2](eng): Audio: dts (DTS), 48000 Hz, 5.1(side), fltp (default)`.
struct ListedStream<'a> {
    index: u32,
    kind: &'a str,
    is_accepted: bool,
    /// Whether it can be chosen: cover art cannot.
    is_used: bool,
}

impl<'a> ListedStream<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        // Metadata is indented further.
        let line = line.strip_prefix("  Stream #0:")?;
        let digits = line.find(|c: char| !c.is_ascii_digit())?;
        let mut parts = line.splitn(3, ": ");
        let (_, kind, codec) = (parts.next()?, parts.next()?, parts.next()?);
        let codec = codec.split([' ', ',']).next().unwrap_or_default();
        Some(Self {
            index: line[..digits].parse().ok()?,
            kind,
            is_accepted: policy::codec_allowed(codec),
            is_used: !line.contains("(attached pic)") && !line.contains("(timed thumbnails)"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(lines: &str) -> Option<(String, Vec<u32>)> {
        let log = format!("Input #0, mov,mp4,m4a,3gp,3g2,mj2, from 'file:a':\n  Metadata:\n{lines}");
        listed(&log).map(|repair| (repair.muxer, repair.streams))
    }

    #[test]
    fn accepted_streams_are_kept() {
        const H264: &str =
            "  Stream #0:0[0x1](und): Video: h264 (High) (avc1 / 0x31637661), yuv420p, 320x240 (default)\n";
        const DTS: &str =
            "  Stream #0:1[0x2](eng): Audio: dts (DTS-HD MA), 48000 Hz, 5.1(side), s32p (24 bit)\n";
        const AAC: &str = "  Stream #0:2: Audio: aac (LC), 48000 Hz, stereo, fltp\n";
        const COVER: &str = "  Stream #0:3: Video: bmp, bgr24, 10x10, 90k tbr (attached pic)\n";
        let mov = |streams: &[u32]| Some(("mov".to_owned(), streams.to_vec()));
        assert_eq!(kept(&[H264, DTS, AAC, COVER].concat()), mov(&[0, 2]));
        assert_eq!(kept(&[AAC, COVER].concat()), mov(&[2]));
        assert_eq!(kept(&[H264, DTS].concat()), None, "no audio would remain");
        assert_eq!(kept("    title: x\n      Stream #0:0: Video: h264\n"), None);
        assert_eq!(kept(""), None);
    }
}
