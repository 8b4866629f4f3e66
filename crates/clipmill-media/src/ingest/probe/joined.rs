//! Determines whether a file of MP3 or AAC frames was joined from several: frames of other sample rates or channels follow,
//! or a tag or a LAME header is between them. Timestamps, which ffmpeg counts by the first frame, are wrong from there on.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::Path;

use clipmill_core::error::TaskError;

use crate::blocking::blocking;
use crate::error::MediaError;

/// A file with more bytes that belong to no frame and no tag is damaged rather than joined.
const MAX_GARBAGE_BYTES: u64 = 1 << 20;
/// Enough for a frame's header, the side information behind it, and the name of a LAME header.
const HEAD_BYTES: usize = 48;

/// The common properties of the frames of one recording.
#[derive(Debug, Clone, Copy, PartialEq)]
struct FrameFormat {
    sample_rate: u32,
    channels: u8,
}

#[derive(Debug, PartialEq)]
struct Frame {
    format: FrameFormat,
    bytes: u64,
}

/// Whether the file at `path`, which ffmpeg reads as `format`, was joined from several. A truncated file was not.
pub async fn is_joined(path: &Path, format: &str) -> Result<bool, TaskError> {
    let frame = match format {
        "mp3" => mpeg_frame,
        "aac" => adts_frame,
        _ => return Ok(false),
    };
    let path = path.to_owned();
    let scan = move || {
        let file = File::open(&path).map_err(MediaError::file("open", &path))?;
        Ok::<_, MediaError>(has_joint(file, frame).unwrap_or(false))
    };
    Ok(blocking(scan).await??)
}

/// For the fuzz target, which checks that any bytes can be read.
#[cfg(any(test, fuzzing))]
pub fn check_bytes(bytes: &[u8]) -> bool {
    [mpeg_frame, adts_frame]
        .into_iter()
        .any(|frame| has_joint(io::Cursor::new(bytes), frame).unwrap_or(false))
}

fn has_joint(source: impl Read + Seek, frame: impl Fn(&[u8]) -> Option<Frame>) -> io::Result<bool> {
    let mut source = BufReader::new(source);
    let (mut scan, mut garbage) = (Scan::default(), 0);
    loop {
        let head = peek(&mut source)?;
        if head.is_empty() || garbage > MAX_GARBAGE_BYTES {
            return Ok(false);
        }
        let bytes = if let Some(bytes) = tag_bytes(&head) {
            scan.tag();
            bytes
        } else if let Some(Frame { format, bytes }) = frame(&head) {
            if scan.is_joint(format) {
                return Ok(true);
            }
            if is_lame_header(&head) {
                scan.tag();
            }
            bytes
        } else {
            scan.previous = None;
            garbage += 1;
            1
        };
        source.seek_relative(i64::try_from(bytes).unwrap_or(i64::MAX))?;
    }
}

/// The state so far.
#[derive(Default)]
struct Scan {
    /// The format of frames that follow each other directly.
    known: Option<FrameFormat>,
    /// The format of the frame that ends here.
    previous: Option<FrameFormat>,
    /// Whether a tag comes after frames.
    is_tagged: bool,
}

impl Scan {
    fn tag(&mut self) {
        self.is_tagged |= self.known.is_some();
    }

    /// Adds a frame; returns whether another recording has begun. A frame counts once a second one of the same format
    /// follows it.
    fn is_joint(&mut self, format: FrameFormat) -> bool {
        if self.previous.replace(format) != Some(format) {
            return false;
        }
        let previous_format = self.known.replace(format);
        previous_format.is_some_and(|previous_format| self.is_tagged || previous_format != format)
    }
}

/// The next bytes, which are not consumed.
fn peek(source: &mut BufReader<impl Read + Seek>) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(HEAD_BYTES);
    source.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head)?;
    source.seek_relative(-(head.len() as i64))?;
    Ok(head)
}

/// The length of the ID3 or APE tag that begins here.
fn tag_bytes(head: &[u8]) -> Option<u64> {
    const ID3_V1_BYTES: u64 = 128;
    if let [b'I', b'D', b'3', _, _, flags, length @ ..] = head {
        // Each byte of the length has seven bits.
        let length = length.first_chunk::<4>()?.iter().fold(0, |sum, byte| sum << 7 | u64::from(byte & 0x7f));
        let footer = if flags & 0x10 == 0 { 0 } else { 10 };
        return Some(10 + length + footer);
    }
    if head.starts_with(b"TAG") {
        return Some(ID3_V1_BYTES);
    }
    let [_, _, _, _, length @ .., _, _, _, _, _, _, _, flags] =
        head.strip_prefix(b"APETAGEX")?.first_chunk::<16>()?;
    let is_header = flags & 0x20 != 0;
    let length = if is_header { u32::from_le_bytes(*length) } else { 0 };
    Some(32 + u64::from(length))
}

/// Whether a frame of MP3 has the length of a recording instead of audio.
fn is_lame_header(head: &[u8]) -> bool {
    const PLACES: [usize; 3] = [13, 21, 36];
    let is_named = |place| matches!(head.get(place..place + 4), Some(b"Xing" | b"Info" | b"VBRI"));
    // A checksum may be in front of the empty side information.
    PLACES.into_iter().any(|place| is_named(place) && head[6..place].iter().all(|byte| *byte == 0))
}

fn mpeg_frame(head: &[u8]) -> Option<Frame> {
    const MPEG1_KBPS: [[u64; 14]; 3] = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    ];
    const MPEG2_KBPS: [[u64; 14]; 2] = [
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ];
    let [0xff, second, third, fourth, ..] = *head else { return None };
    if second & 0xe0 != 0xe0 {
        return None;
    }
    // 3 is MPEG-1, 2 MPEG-2, 0 MPEG-2.5.
    let version = second >> 3 & 3;
    let layer = 4 - (second >> 1 & 3);
    let rate_divisor = [4, 0, 2, 1][usize::from(version)];
    if rate_divisor == 0 || layer == 4 {
        return None;
    }
    let sample_rate = [44_100, 48_000, 32_000].get(usize::from(third >> 2 & 3))? / rate_divisor;
    let table =
        if version == 3 { MPEG1_KBPS[usize::from(layer) - 1] } else { MPEG2_KBPS[usize::from(layer > 1)] };
    let bits_per_second = 1000 * table.get(usize::from(third >> 4).checked_sub(1)?)?;
    let padding = u64::from(third >> 1 & 1);
    let bytes = match layer {
        1 => 4 * (12 * bits_per_second / u64::from(sample_rate) + padding),
        3 if version != 3 => 72 * bits_per_second / u64::from(sample_rate) + padding,
        _ => 144 * bits_per_second / u64::from(sample_rate) + padding,
    };
    let channels = if fourth >> 6 == 3 { 1 } else { 2 };
    Some(Frame { format: FrameFormat { sample_rate, channels }, bytes })
}

fn adts_frame(head: &[u8]) -> Option<Frame> {
    const SAMPLE_RATES: [u32; 13] =
        [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350];
    let [0xff, second, third, fourth, fifth, sixth, ..] = *head else { return None };
    if second & 0xf6 != 0xf0 {
        return None;
    }
    let sample_rate = *SAMPLE_RATES.get(usize::from(third >> 2 & 0xf))?;
    let channels = (third & 1) << 2 | fourth >> 6;
    let bytes = u64::from(fourth & 3) << 11 | u64::from(fifth) << 3 | u64::from(sixth >> 5);
    (bytes > 7).then_some(Frame { format: FrameFormat { sample_rate, channels }, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames of 128 kbit/s at 44.1 kHz in stereo, at 48 kHz, in mono, and of 64 kbit/s at 22.05 kHz.
    const PLAIN: [u8; 4] = [0xff, 0xfb, 0x90, 0x00];
    const FASTER: [u8; 4] = [0xff, 0xfb, 0x94, 0x00];
    const MONO: [u8; 4] = [0xff, 0xfb, 0x90, 0xc0];
    const SLOWER: [u8; 4] = [0xff, 0xf3, 0x80, 0x00];

    fn frames(header: [u8; 4], count: usize) -> Vec<u8> {
        let bytes = mpeg_frame(&header).unwrap().bytes as usize;
        let mut frame = vec![0; bytes];
        frame[..4].copy_from_slice(&header);
        frame.repeat(count)
    }

    fn lame_header() -> Vec<u8> {
        let mut frame = frames(PLAIN, 1);
        frame[36..40].copy_from_slice(b"Info");
        frame
    }

    fn adts(third: u8) -> Vec<u8> {
        let mut frame = [0; 100];
        frame[..7].copy_from_slice(&[0xff, 0xf1, third, 0x80, 100 >> 3, (100 & 7) << 5, 0]);
        frame.repeat(3)
    }

    fn id3() -> Vec<u8> {
        [b"ID3\x04\0\0\0\0\x02\0".as_slice(), &[0xff; 256]].concat()
    }

    #[test]
    fn lengths_of_frames_are_known() {
        let check = |header: [u8; 4], sample_rate, channels, bytes| {
            let format = FrameFormat { sample_rate, channels };
            assert_eq!(mpeg_frame(&header), Some(Frame { format, bytes }), "{header:x?}");
        };
        check(PLAIN, 44_100, 2, 417);
        check([0xff, 0xfb, 0x92, 0x00], 44_100, 2, 418);
        check(FASTER, 48_000, 2, 384);
        check(MONO, 44_100, 1, 417);
        check(SLOWER, 22_050, 2, 208);
        check([0xff, 0xfd, 0x80, 0x00], 44_100, 2, 417);
        for none in
            [[0xff, 0xfb, 0x00, 0], [0xff, 0xfb, 0xf0, 0], [0xff, 0xfb, 0x9c, 0], [0xff, 0xeb, 0x90, 0]]
        {
            assert_eq!(mpeg_frame(&none), None, "{none:x?}");
        }
        let format = FrameFormat { sample_rate: 44_100, channels: 2 };
        assert_eq!(adts_frame(&adts(0x50)), Some(Frame { format, bytes: 100 }));
    }

    #[test]
    fn joints_are_found() {
        let check = |parts: &[Vec<u8>], expected| {
            assert_eq!(has_joint(io::Cursor::new(parts.concat()), mpeg_frame).unwrap(), expected);
        };
        let (plain, end) = (frames(PLAIN, 3), b"TAG".iter().copied().chain([0; 125]).collect::<Vec<_>>());
        check(&[], false);
        check(std::slice::from_ref(&plain), false);
        check(&[id3(), lame_header(), plain.clone(), end.clone()], false);
        check(&[plain.clone(), vec![0x55; 1000], plain.clone()], false);
        check(&[plain.clone(), frames(MONO, 1), plain.clone()], false);
        check(&[plain.clone(), id3(), plain.clone()], true);
        check(&[plain.clone(), end, plain.clone()], true);
        check(&[plain.clone(), lame_header(), plain.clone()], true);
        check(&[plain.clone(), frames(FASTER, 3)], true);
        check(&[plain.clone(), frames(MONO, 3)], true);
        check(&[plain.clone(), vec![0x55; 1000], frames(SLOWER, 3)], true);
        let ape = [b"APETAGEX\xd0\x07\0\0\x40\0\0\0\0\0\0\0\0\0\0\x20".as_slice(), &[0xff; 72]].concat();
        check(&[plain.clone(), ape, plain], true);
        let adts = |thirds: &[u8]| {
            let bytes: Vec<u8> = thirds.iter().flat_map(|third| adts(*third)).collect();
            has_joint(io::Cursor::new(bytes), adts_frame).unwrap()
        };
        assert_eq!([adts(&[0x50, 0x50]), adts(&[0x50, 0x4c])], [false, true]);
    }

    /// Runs the checked-in corpus of the fuzz target, whole, truncated anywhere and with each byte changed.
    #[test]
    fn the_corpus_passes() {
        let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/joined");
        let mut joined = 0;
        for entry in std::fs::read_dir(seeds).unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            joined += usize::from(check_bytes(&bytes));
            for at in 0..bytes.len() {
                check_bytes(&bytes[at..]);
                check_bytes(&bytes[..at]);
                let mut changed = bytes.clone();
                changed[at] ^= 0xff;
                check_bytes(&changed);
            }
        }
        assert_eq!(joined, 2, "a joined MP3, a joined AAC and an MP3 of one piece");
    }
}
