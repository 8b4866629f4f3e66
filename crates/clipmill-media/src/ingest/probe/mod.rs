//! Determines the properties of a file, trusting as little of it as possible.
//!
//! One run of ffprobe reads the header and lists all packets, so that lengths are measured instead of believed; if that
//! fails, a second run shows whether the header is to blame. [`crate::ffmpeg::policy`] defines which files are accepted; the pure function
//! in `facts` turns a header and packets into a [`MediaInfo`].

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::media::{Condition, ContentHash, MediaInfo, Repair, VideoInfo};
use clipmill_core::message;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::error::MediaError;
use crate::ffmpeg::policy;
use crate::ffmpeg::process::{Ffmpeg, Limits, ProcessError, Program};

pub mod animation;
pub mod containers;
mod facts;
mod header;
pub mod icc;
pub mod joined;
mod listing;
mod packets;
mod refusal;
pub mod repair;

use facts::StreamSelection;
#[cfg(any(test, fuzzing))]
pub use facts::promises::check_output;
use header::{Frames, Header, Stream};
use listing::{ListingError, PacketReader};
use packets::Packets;

/// Probing a file takes far less memory than rendering it: six hours at 60 frames per second fit.
const LIMITS: Limits = Limits::wall(Duration::from_secs(20)).memory_bytes(512 << 20).urgent();
const HEADER_LIMITS: Limits = LIMITS.stdout_bytes(8 << 20);
/// Enough for the largest frame, decoded, with alpha at 16 bits.
const DECODED_LIMITS: Limits = HEADER_LIMITS.memory_bytes(1 << 30);

/// The bounds of listing the packets of a file of this size. Six hours at 60 frames and 47 packets of audio per second
/// are listed in about 130 bytes each; a large file may take long, a small one has little to list.
fn listing_limits(size_bytes: u64) -> Limits {
    const MAX_SECONDS: u64 = 600;
    let wall_s = (LIMITS.wall.as_secs() + (size_bytes >> 20)).min(MAX_SECONDS);
    Limits { wall: Duration::from_secs(wall_s), ..LIMITS.stdout_bytes(512 << 20) }
}

/// The result of probing a file.
#[derive(Debug)]
pub enum ProbeOutcome {
    Usable(Box<MediaInfo>),
    /// It can be used after this repair. Otherwise the result is that of [`probe`].
    Repairable(Repair),
}

/// The facts about the file at `path`, whose bytes have the hash `content`. A refused file is the client's error,
/// without its URL, which only the caller knows.
pub async fn probe(ffmpeg: &Ffmpeg, path: &Path, content: ContentHash) -> Result<MediaInfo, TaskError> {
    match examine(ffmpeg, path, content, false).await? {
        ProbeOutcome::Usable(info) => Ok(*info),
        ProbeOutcome::Repairable(_) => Err(refusal::damaged(message::not_readable_to_end())),
    }
}

/// [`probe`] for a file that may be repaired.
pub async fn probe_or_repair(
    ffmpeg: &Ffmpeg,
    path: &Path,
    content: ContentHash,
) -> Result<ProbeOutcome, TaskError> {
    examine(ffmpeg, path, content, true).await
}

async fn examine(
    ffmpeg: &Ffmpeg,
    path: &Path,
    content: ContentHash,
    may_repair: bool,
) -> Result<ProbeOutcome, TaskError> {
    let metadata = tokio::fs::metadata(path).await.map_err(MediaError::file("look at", path))?;
    if metadata.len() == 0 {
        return Err(refusal::not_media(message::file_empty()));
    }
    let head = policy::head::<32>(path).map_err(MediaError::file("read", path))?;
    refusal::check_head(&head)?;
    let structure = containers::check(path).await?;
    if animation::is_animated_webp(&head) {
        return match may_repair {
            true => Ok(ProbeOutcome::Repairable(animation::repair())),
            false => Err(animation::refused()),
        };
    }
    let listing = list(ffmpeg, path, policy::probe_args(path), metadata.len()).await?;
    let (mut header, packets) = match listing {
        Some((header, packets)) => (header, Some(packets)),
        None => match read_header(ffmpeg, path).await {
            Err(error) if may_repair && error.code == ErrorCode::CodecNotAllowed => {
                return repair::of_refused(ffmpeg, path).await?.map(ProbeOutcome::Repairable).ok_or(error);
            }
            header => (header?, None),
        },
    };
    for stream in header.streams.iter_mut().filter(|stream| stream.has_colours_in_frames()) {
        if let Some(frame) = first_frame(ffmpeg, path, stream.index).await? {
            stream.take_colours(frame);
        }
    }
    let streams = StreamSelection::from(&header)?;
    let packets = match packets {
        _ if streams.is_still(&header, &head) => None,
        None => return Err(refusal::damaged(message::not_readable_to_end())),
        listing => listing,
    };
    let repairable = packets.as_ref().filter(|_| may_repair);
    if let Some(packets) = repairable
        && let Some(repair) = repair_of(path, &header, &streams, packets).await?
    {
        return Ok(ProbeOutcome::Repairable(repair));
    }
    let mut facts = facts::assemble(&header, &streams, packets.as_ref(), structure)?;
    if let Some(video) = facts.video.as_mut().filter(|video| video.still) {
        // Only the decoded frame shows how EXIF data rotates an image.
        let frame = first_frame(ffmpeg, path, video.stream_index).await?;
        video.rotation = frame.map_or(video.rotation, |frame| frame.rotation());
        video.color.profile = icc::profile(path).await?;
    }
    let animation = match animation::is_animated_png(path).map_err(MediaError::file("read", path))? {
        true => animation(ffmpeg, path, metadata.len(), structure).await?,
        false => None,
    };
    if let Some(video) = &mut facts.video
        && streams.has_side_alpha()
        && let Some(decoder) = video.alpha_decoder()
        && has_decoder(ffmpeg, decoder).await?
    {
        // The format that the decoder outputs.
        video.pix_fmt = "yuva420p".into();
    }
    let broken_off = facts.broken_off;
    let condition = broken_off.map(|_| Arc::new(Condition { repair: None, broken_off }));
    Ok(ProbeOutcome::Usable(Box::new(MediaInfo {
        content,
        size_bytes: metadata.len(),
        format: header.format.format_name.clone(),
        video: facts.video,
        audio: facts.audio,
        animation: animation.map(Box::new),
        condition,
    })))
}

/// The frames of an animated PNG; `None` if only its first one can be read.
async fn animation(
    ffmpeg: &Ffmpeg,
    path: &Path,
    size_bytes: u64,
    structure: containers::Structure,
) -> Result<Option<VideoInfo>, TaskError> {
    let listing = list(ffmpeg, path, policy::animated_probe_args(path), size_bytes).await?;
    let Some((header, packets)) = listing else { return Ok(None) };
    let moving = || {
        let streams = StreamSelection::from(&header)?;
        facts::assemble(&header, &streams, Some(&packets), structure)
    };
    Ok(moving().ok().and_then(|facts| facts.video).filter(|video| video.frames > 1))
}

async fn repair_of(
    path: &Path,
    header: &Header,
    chosen: &StreamSelection<'_>,
    packets: &Packets,
) -> Result<Option<Repair>, TaskError> {
    match repair::of_jumps(header, chosen, packets) {
        Some(repair) => Ok(Some(repair)),
        None => repair::of_joined(path, header, chosen, packets).await,
    }
}

/// The first frame of a stream. `None` if it cannot be decoded, which rendering will report.
async fn first_frame(ffmpeg: &Ffmpeg, path: &Path, index: u32) -> Result<Option<Stream>, TaskError> {
    const SHOWN: &str =
        "frame=color_range,color_space,color_primaries,color_transfer:frame_side_data=rotation";
    let index = index.to_string();
    let options =
        ["-select_streams", &index, "-read_intervals", "%+#1", "-show_entries", SHOWN, "-of", "json"];
    let args = probe_with(path, &options);
    match ffmpeg.output(Program::Ffprobe, &args, DECODED_LIMITS).await {
        Ok(json) => {
            Ok(serde_json::from_slice::<Frames>(&json).ok().and_then(|all| all.frames.into_iter().next()))
        }
        Err(error) if error.is_failure() => Ok(None),
        Err(error) => Err(cannot_read(error)),
    }
}

async fn has_decoder(ffmpeg: &Ffmpeg, name: &str) -> Result<bool, TaskError> {
    let args = ["-hide_banner".to_owned(), "-h".to_owned(), format!("decoder={name}")].map(OsString::from);
    let help = ffmpeg.output(Program::Ffmpeg, &args, HEADER_LIMITS).await?;
    Ok(String::from_utf8_lossy(&help).contains(&format!("Decoder {name} ")))
}

/// Identifies a decoder's configuration. Everything that ffprobe reads is hashed too, so the hash must be fast; where
/// exact equality matters, the bytes are compared.
const HEADER: [&str; 4] = ["-show_format", "-show_streams", "-show_data_hash", "murmur3"];

/// Header and packets; `None` if ffprobe gives up on the file.
async fn list(
    ffmpeg: &Ffmpeg,
    path: &Path,
    guards: Vec<OsString>,
    size_bytes: u64,
) -> Result<Option<(Header, Packets)>, TaskError> {
    const SHOWN: &str = "packet=stream_index,pts_time,dts_time,duration_time,size,flags:\
                         packet_side_data=side_data_type,skip_samples,discard_padding";
    let shown = [&HEADER[..], &["-of", "json=c=1", "-show_entries", SHOWN]].concat();
    let args: Vec<OsString> = shown.iter().map(OsString::from).chain(guards).collect();
    let mut listing = PacketReader::default();
    let mut is_silent = true;
    let on_chunk = |chunk: &[u8]| {
        is_silent &= chunk.is_empty();
        listing.feed(chunk);
    };
    match ffmpeg.run_ffprobe(&args, listing_limits(size_bytes), on_chunk).await {
        Ok(stderr) if is_silent => Err(cannot_read(ffmpeg.silent(Program::Ffprobe, stderr).await)),
        Ok(_) => listing.finish().map(Some).map_err(|wrong| match wrong {
            ListingError::Endless => takes_too_long(),
            ListingError::Strange(detail) => unexpected(detail).into(),
        }),
        Err(error) if is_about_the_file(&error, path) => Ok(None),
        Err(error) => Err(cannot_read(error)),
    }
}

async fn read_header(ffmpeg: &Ffmpeg, path: &Path) -> Result<Header, TaskError> {
    let args = probe_with(path, &[&HEADER[..], &["-of", "json"]].concat());
    let json = match ffmpeg.output_with_log(Program::Ffprobe, &args, HEADER_LIMITS).await {
        Ok((json, stderr)) if json.is_empty() => {
            return Err(cannot_read(ffmpeg.silent(Program::Ffprobe, stderr).await));
        }
        Ok((json, _)) => json,
        Err(error) if is_about_the_file(&error, path) => {
            let head = policy::head::<4096>(path).map_err(MediaError::file("read", path))?;
            return Err(refusal::explain(&head, error.stderr()));
        }
        Err(error) => return Err(cannot_read(error)),
    };
    serde_json::from_slice(&json).map_err(|error| unexpected(error.to_string()).into())
}

fn unexpected(detail: String) -> MediaError {
    MediaError::Unexpected { program: "ffprobe", detail }
}

fn probe_with(path: &Path, shown: &[&str]) -> Vec<OsString> {
    let mut args: Vec<OsString> = shown.iter().map(Into::into).collect();
    args.extend(policy::probe_args(path));
    args
}

/// Whether ffprobe reports an error of the file. A file that needs more memory than allowed, on a machine that
/// processes other files, is one that announces too much.
fn is_about_the_file(error: &ProcessError, path: &Path) -> bool {
    match error {
        ProcessError::Failed { stderr, .. } => !is_out_of_reach(path, stderr),
        error => error.is_out_of_memory(),
    }
}

/// Whether the file itself, not one that it refers to, could not be opened because it was moved or deleted meanwhile.
fn is_out_of_reach(path: &Path, stderr: &str) -> bool {
    let complaint = |why: &str| stderr.contains(&format!("{}: {why}", path.display()));
    complaint("Permission denied") || complaint("No such file or directory")
}

/// The file is at fault if it keeps ffprobe busy beyond all limits, or crashes it on a machine that processes other
/// files.
fn cannot_read(error: ProcessError) -> TaskError {
    match error {
        ProcessError::Crashed { .. } => refusal::damaged(message::crashed("ffprobe")),
        ProcessError::TimedOut { .. } | ProcessError::TooMuchOutput { .. } => takes_too_long(),
        error => MediaError::from(error).into(),
    }
}

fn takes_too_long() -> TaskError {
    refusal::too_large(message::looking_too_long())
}

#[cfg(test)]
mod tests;
