//! Checks a file's tables before ffprobe starts: ffprobe allocates memory for as many entries as a table announces, and
//! 659 bytes can announce millions.
//!
//! A count is refused if it cannot be true, because its entries do not fit into the file. Other defects are left to
//! ffprobe, and no file is refused that ffprobe accepts. Memory is bounded, because tables are skipped instead of read.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use clipmill_core::error::TaskError;
use clipmill_core::message;
use flate2::read::ZlibDecoder;

use super::refusal;
use crate::blocking::blocking;
use crate::error::MediaError;

mod audio;
mod avi;
mod matroska;
mod mp4;
#[cfg(test)]
mod tests;

/// The most compact audio takes an eighth of a byte for each sample of a track.
const SAMPLES_PER_BYTE: u64 = 8;
/// Six hours of fragments with one frame each have fewer parts.
const MAX_PARTS: u64 = 40_000_000;
/// Seeking to a distant place counts as this many adjacent parts.
const PARTS_PER_JUMP: u64 = 8;
const BUFFERED: u64 = 8 << 10;

/// Why a file is not passed to ffprobe.
#[derive(Debug)]
enum ContainerError {
    /// This table announces more than the file can hold.
    Table(String),
    /// The number of parts exceeds the limit.
    Endless,
    /// The file ends early or cannot be read, which ffprobe will report.
    Unread,
}

impl From<io::Error> for ContainerError {
    fn from(_: io::Error) -> Self {
        Self::Unread
    }
}

/// The length that the structure of a file implies.
#[derive(Debug, Clone, Copy, Default)]
pub struct Structure {
    /// An MP4 in fragments, which may end after any of them.
    pub is_fragmented: bool,
    /// The length that FLAC and MP3 state, and that of an AVI or WAV which has fewer bytes than it states. Without its index,
    /// ffprobe lists the packets of an AVI that exist; with it, a stream that begins late counts twice.
    pub stated_s: Option<f64>,
}

/// Refuses the file at `path` if a table in it announces more than it can hold.
pub async fn check(path: &Path) -> Result<Structure, TaskError> {
    let path = path.to_owned();
    let open = move || {
        let file = File::open(&path).map_err(MediaError::file("open", &path))?;
        Ok::<_, MediaError>(inspect(file))
    };
    blocking(open).await??.map_err(|wrong| match wrong {
        ContainerError::Table(name) => refusal::damaged(message::table_too_large(name)),
        _ => super::takes_too_long(),
    })
}

/// Returns whether the bytes are accepted; for the fuzz target, which checks that any bytes get a result.
#[cfg(any(test, fuzzing))]
pub fn check_bytes(bytes: &[u8]) -> bool {
    inspect(io::Cursor::new(bytes)).is_ok()
}

/// Checks all readable data; read errors are ignored.
fn inspect(file: impl Read + Seek) -> Result<Structure, ContainerError> {
    let Ok(mut source) = Source::new(file) else { return Ok(Structure::default()) };
    match judge(&mut source) {
        Ok(()) | Err(ContainerError::Unread) => Ok(source.structure),
        Err(wrong) => Err(wrong),
    }
}

fn judge<F: Read + Seek>(source: &mut Source<F>) -> Result<(), ContainerError> {
    let start = source.behind_tags()?;
    let head = source.bytes::<12>(start)?;
    match &head {
        [0x1a, 0x45, 0xdf, 0xa3, ..] => matroska::judge(source, start),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'A', b'V', b'I', _] => avi::judge(source, start),
        [b'R', b'I' | b'F', b'F' | b'6', b'F' | b'4', _, _, _, _, b'W', b'A', b'V', b'E'] => {
            audio::wav(source, start)
        }
        [b'f', b'L', b'a', b'C', ..] => audio::flac(source, start),
        // MPEG audio, layer III.
        [0xff, version, ..] if version & 0xe6 == 0xe2 => audio::mp3(source, start),
        _ => mp4::judge(source, start),
    }
}

/// A file with its length, and how many parts may still be read.
struct Source<F> {
    file: BufReader<F>,
    at: u64,
    size: u64,
    /// The size of the whole file, if this is content unpacked from it.
    whole: u64,
    is_unpacked: bool,
    structure: Structure,
    parts: u64,
}

impl<F: Read + Seek> Source<F> {
    fn new(mut file: F) -> Result<Self, ContainerError> {
        let size = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(0))?;
        let file = BufReader::with_capacity(BUFFERED as usize, file);
        Ok(Self {
            file,
            at: 0,
            size,
            whole: size,
            is_unpacked: false,
            structure: Structure::default(),
            parts: 0,
        })
    }

    /// Reads the bytes at this place; fails at the file's end.
    fn bytes<const N: usize>(&mut self, at: u64) -> Result<[u8; N], ContainerError> {
        if at.checked_add(N as u64).is_none_or(|end| end > self.size) {
            return Err(ContainerError::Unread);
        }
        if at.abs_diff(self.at) > BUFFERED {
            self.parts += PARTS_PER_JUMP;
        }
        // Both positions are within the file.
        self.file.seek_relative(at as i64 - self.at as i64)?;
        self.at = at;
        let mut bytes = [0; N];
        self.file.read_exact(&mut bytes)?;
        self.at += N as u64;
        Ok(bytes)
    }

    /// Unpacks (zlib) the data between these positions, up to `max` bytes.
    fn unpacked(
        &mut self,
        at: u64,
        end: u64,
        max: u64,
    ) -> Result<Source<io::Cursor<Vec<u8>>>, ContainerError> {
        self.bytes::<0>(at)?;
        let mut content = Vec::new();
        let packed = (&mut self.file).take(end.saturating_sub(at));
        // Broken content ends early, which ffprobe will report.
        let _ = ZlibDecoder::new(packed).take(max).read_to_end(&mut content);
        self.at = self.file.stream_position()?;
        let source = Source::new(io::Cursor::new(content))?;
        Ok(Source { whole: self.whole, is_unpacked: true, parts: self.parts, ..source })
    }

    fn be32(&mut self, at: u64) -> Result<u64, ContainerError> {
        self.bytes(at).map(u32::from_be_bytes).map(u64::from)
    }

    fn le32(&mut self, at: u64) -> Result<u64, ContainerError> {
        self.bytes(at).map(u32::from_le_bytes).map(u64::from)
    }

    /// Counts one more part of the file.
    fn part(&mut self) -> Result<(), ContainerError> {
        self.parts += 1;
        if self.parts > MAX_PARTS { Err(ContainerError::Endless) } else { Ok(()) }
    }

    /// Checks that this many entries of this many bits fit after `at`.
    fn fits(&self, at: u64, count: u64, bits: u64, name: &str) -> Result<(), ContainerError> {
        let available = self.size.saturating_sub(at);
        let needed = u128::from(count) * u128::from(bits);
        if needed > u128::from(available) * 8 {
            Err(ContainerError::Table(format!("its table {name}")))
        } else {
            Ok(())
        }
    }

    /// Checks that a track of the file can have this many samples of this many bytes.
    fn holds(&self, count: u64, bytes: u64, name: &str) -> Result<(), ContainerError> {
        let max = u128::from(self.whole) * u128::from(SAMPLES_PER_BYTE);
        let needed = u128::from(count) * u128::from(bytes);
        if needed > max { Err(ContainerError::Table(format!("its table {name}"))) } else { Ok(()) }
    }

    /// Skips ID3 tags, because ffmpeg looks for the container after them.
    fn behind_tags(&mut self) -> Result<u64, ContainerError> {
        let mut at = 0;
        loop {
            let head = self.bytes::<10>(at)?;
            let [b'I', b'D', b'3', _, _, flags, size @ ..] = head else { return Ok(at) };
            let size = size.iter().fold(0, |size, byte| size << 7 | u64::from(byte & 0x7f));
            at += 10 + size + if flags & 0x10 == 0 { 0 } else { 10 };
            self.part()?;
        }
    }
}
