//! Animated images. A PNG is a still image whose file has further frames. ffmpeg cannot read animated WebP: our own
//! program, confined like ffmpeg, converts it to such a PNG.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use clipmill_core::error::TaskError;
use clipmill_core::media::Repair;
use clipmill_core::message;
use image_webp::WebPDecoder;

use crate::ffmpeg::policy::input_args;
use crate::ffmpeg::process::{Ffmpeg, Limits, ProcessError};
use crate::ffmpeg::sandbox::{ConfinedHelper, inputs};

use super::refusal;

/// The work of our own program that converts an animated WebP: gets it as an input, and prints a PNG, `TOO_LARGE`, or
/// nothing if the file is damaged.
pub const WORK: ConfinedHelper = ConfinedHelper { name: "clipmill-webp-frames", run: convert_confined };

/// Printed in place of a PNG.
const TOO_LARGE: &str = "the animated WebP exceeds a limit";
const DAMAGED: &str = "the animated WebP cannot be read";

/// The reason why an animated WebP is not converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    Damaged,
    TooLarge,
}

/// The muxer of a [`Repair`] that converts a WebP.
pub const CONVERTED: &str = "apng";

const MAX_FRAMES: u32 = 1_000;
const MAX_SIDE: u32 = 3840;
/// The most pixels of all frames together.
const MAX_PIXELS: u64 = 250_000_000;
/// The largest PNG.
pub const MAX_BYTES: u64 = 128 << 20;
/// Memory for decoding one frame.
const DECODER_BYTES: usize = 256 << 20;

/// A frame shorter than this is shown for [`USUAL_MS`], as browsers do.
const SHORTEST_MS: u32 = 11;
const USUAL_MS: u32 = 100;

const LIMITS: Limits =
    Limits::wall(Duration::from_secs(180)).cpu(Duration::from_secs(60)).stdout_bytes(MAX_BYTES);

/// Whether a file that begins with `head` is an animated WebP.
pub fn is_animated_webp(head: &[u8]) -> bool {
    const ANIMATED: u8 = 0x02;
    let is_extended = head.starts_with(b"RIFF") && head.get(8..16) == Some(b"WEBPVP8X");
    is_extended && head.get(20).is_some_and(|flags| flags & ANIMATED != 0)
}

/// Whether a file is a PNG with several frames, by the chunks before its first frame.
pub fn is_animated_png(path: &Path) -> io::Result<bool> {
    const MAX_CHUNKS: usize = 200;
    let mut file = BufReader::new(File::open(path)?);
    let mut begin = [0; 8];
    if file.read_exact(&mut begin).is_err() || begin != *b"\x89PNG\r\n\x1a\n" {
        return Ok(false);
    }
    for _ in 0..MAX_CHUNKS {
        let mut head = [0; 8];
        if file.read_exact(&mut head).is_err() {
            return Ok(false);
        }
        let [a, b, c, d, kind @ ..] = head;
        match &kind {
            b"acTL" => return Ok(true),
            b"IDAT" | b"IEND" => return Ok(false),
            _ => file.seek(SeekFrom::Current(i64::from(u32::from_be_bytes([a, b, c, d])) + 4))?,
        };
    }
    Ok(false)
}

/// How an animated WebP is used: converted.
pub fn repair() -> Repair {
    Repair { demuxer: None, muxer: CONVERTED.to_owned(), streams: vec![0], jumps: 0, decoded: false }
}

/// The error for a WebP that is not converted first.
pub fn refused() -> TaskError {
    refusal::format_not_allowed(message::animated_webp(MAX_FRAMES, MAX_SIDE, MAX_PIXELS / 1_000_000))
}

/// The error for a WebP whose conversion failed.
pub fn conversion_failed(error: &ProcessError) -> TaskError {
    match error {
        ProcessError::Failed { stderr, .. } if stderr == DAMAGED => refusal::damaged(message::webp_damaged()),
        _ => refused(),
    }
}

/// Writes the PNG of the WebP at `path` to `output`.
pub async fn convert(ffmpeg: &Ffmpeg, path: &Path, output: &Path) -> Result<(), ProcessError> {
    let args = input_args(path);
    let png = match ffmpeg.own_work(WORK.name, &args, LIMITS).await {
        Some(printed) => printed?,
        None => {
            tokio::task::spawn_blocking(move || convert_confined(args)).await.map_err(io::Error::other)?
        }
    };
    if png.is_empty() || png == TOO_LARGE.as_bytes() {
        let reason = if png.is_empty() { DAMAGED } else { TOO_LARGE };
        return Err(ProcessError::Failed {
            status: std::os::unix::process::ExitStatusExt::from_raw(1 << 8),
            stderr: reason.to_owned(),
        });
    }
    tokio::fs::write(output, png).await?;
    Ok(())
}

fn convert_confined(args: Vec<OsString>) -> Vec<u8> {
    let data = inputs(&args).next().and_then(|path| std::fs::read(path).ok());
    match data.ok_or(Obstacle::Damaged).and_then(|data| png_of(&data)) {
        Ok(png) => png,
        Err(Obstacle::TooLarge) => TOO_LARGE.into(),
        Err(Obstacle::Damaged) => Vec::new(),
    }
}

/// The frames of an animated WebP as a PNG.
pub fn png_of(data: &[u8]) -> Result<Vec<u8>, Obstacle> {
    // The decoder takes a file that is cut off for one with fewer frames.
    let stated = data.get(4..8).and_then(|size| size.try_into().ok()).map(u32::from_le_bytes);
    let stated = stated.ok_or(Obstacle::Damaged)?;
    if u64::from(stated) + 8 > data.len() as u64 {
        return Err(Obstacle::Damaged);
    }
    let mut decoder = WebPDecoder::new(Cursor::new(data)).map_err(|_| Obstacle::Damaged)?;
    decoder.set_memory_limit(DECODER_BYTES);
    let ((width, height), frames) = (decoder.dimensions(), decoder.num_frames());
    if !decoder.is_animated() || frames == 0 {
        return Err(Obstacle::Damaged);
    }
    let pixels = u64::from(width) * u64::from(height);
    let is_small = width.max(height) <= MAX_SIDE && pixels * u64::from(frames) <= MAX_PIXELS;
    if frames > MAX_FRAMES || !is_small {
        return Err(Obstacle::TooLarge);
    }
    let mut written = Limited { bytes: Vec::new(), is_full: false };
    let is_read = write_frames(&mut decoder, &mut written).is_some();
    match written {
        Limited { is_full: true, .. } => Err(Obstacle::TooLarge),
        Limited { bytes, .. } if is_read => Ok(bytes),
        _ => Err(Obstacle::Damaged),
    }
}

fn write_frames(decoder: &mut WebPDecoder<Cursor<&[u8]>>, written: &mut Limited) -> Option<()> {
    let ((width, height), frames) = (decoder.dimensions(), decoder.num_frames());
    let color = if decoder.has_alpha() { png::ColorType::Rgba } else { png::ColorType::Rgb };
    let mut encoder = png::Encoder::new(written, width, height);
    encoder.set_color(color);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_animated(frames, 0).ok()?;
    let mut writer = encoder.write_header().ok()?;
    let mut frame = vec![0; decoder.output_buffer_size()?];
    for _ in 0..frames {
        let shown_ms = decoder.read_frame(&mut frame).ok()?;
        let shown_ms = if shown_ms < SHORTEST_MS { USUAL_MS } else { shown_ms };
        writer.set_frame_delay(u16::try_from(shown_ms).unwrap_or(u16::MAX), 1000).ok()?;
        writer.write_image_data(&frame).ok()?;
    }
    writer.finish().ok()
}

/// For fuzzing: what is accepted is a PNG of at most [`MAX_BYTES`].
pub fn check_bytes(data: &[u8]) {
    if let Ok(png) = png_of(data) {
        assert!(png.starts_with(b"\x89PNG") && png.len() as u64 <= MAX_BYTES);
    }
}

/// Bytes in memory, at most [`MAX_BYTES`].
struct Limited {
    bytes: Vec<u8>,
    is_full: bool,
}

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if (self.bytes.len() + bytes.len()) as u64 > MAX_BYTES {
            self.is_full = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
