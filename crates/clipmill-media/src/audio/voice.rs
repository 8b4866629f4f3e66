//! WAV files of spoken texts: 16-bit, one channel, 48 kHz.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::wav::{self, HEADER_BYTES};

pub const SAMPLE_RATE: u32 = 48_000;
/// The rate of silence, which needs little space.
const SILENT_RATE: u32 = 8_000;
const SAMPLE_BYTES: u64 = 2;
/// Shorter audio is none: 10 ms.
pub const MIN_BYTES: u64 = SAMPLE_RATE as u64 / 100 * SAMPLE_BYTES;

/// The size of so many seconds of samples.
pub fn bytes(seconds: f64) -> u64 {
    (seconds.max(0.0) * f64::from(SAMPLE_RATE)).ceil() as u64 * SAMPLE_BYTES
}

/// Samples below this are silence: -54 decibels of full scale.
const SILENT: u16 = 65;
/// Silence that remains after the last word: 50 ms.
const END_BYTES: u64 = SAMPLE_RATE as u64 / 20 * SAMPLE_BYTES;
/// Silence between joined files: 300 ms.
const GAP_BYTES: u64 = SAMPLE_RATE as u64 * 3 / 10 * SAMPLE_BYTES;

/// Writes samples as a WAV file, without silence at the end: some services add so much that a video that is as long as its
/// voice seems to stop too late.
pub fn write(samples: &Path, to: &Path) -> io::Result<()> {
    let length = spoken_bytes(samples)?;
    let mut from = File::open(samples)?;
    let mut file = BufWriter::new(File::create(to)?);
    file.write_all(&header(SAMPLE_RATE, length)?)?;
    io::copy(&mut Read::by_ref(&mut from).take(length), &mut file)?;
    file.flush()
}

/// The length of samples until shortly after the last one that is not silent.
fn spoken_bytes(samples: &Path) -> io::Result<u64> {
    let mut from = BufReader::new(File::open(samples)?);
    let whole = from.get_ref().metadata()?.len() / SAMPLE_BYTES * SAMPLE_BYTES;
    let (mut spoken, mut sample) = (0, [0; SAMPLE_BYTES as usize]);
    for end in (SAMPLE_BYTES..=whole).step_by(SAMPLE_BYTES as usize) {
        from.read_exact(&mut sample)?;
        if i16::from_le_bytes(sample).unsigned_abs() > SILENT {
            spoken = end;
        }
    }
    Ok(if spoken == 0 { whole } else { (spoken + END_BYTES).min(whole) })
}

/// Writes WAV files of this module one after another into one, with a pause between them.
pub fn join(files: &[PathBuf], to: &Path) -> io::Result<()> {
    let mut lengths = Vec::with_capacity(files.len());
    for file in files {
        lengths.push(std::fs::metadata(file)?.len().saturating_sub(HEADER_BYTES));
    }
    let gaps = files.len().saturating_sub(1) as u64 * GAP_BYTES;
    let mut joined = BufWriter::new(File::create(to)?);
    joined.write_all(&header(SAMPLE_RATE, lengths.iter().sum::<u64>() + gaps)?)?;
    for (index, (file, length)) in files.iter().zip(lengths).enumerate() {
        if index > 0 {
            io::copy(&mut io::repeat(0).take(GAP_BYTES), &mut joined)?;
        }
        let mut from = BufReader::new(File::open(file)?);
        from.seek(SeekFrom::Start(HEADER_BYTES))?;
        io::copy(&mut from.take(length), &mut joined)?;
    }
    joined.flush()
}

/// Writes silence. The file is sparse: whatever its length, it takes no disk space.
pub fn write_silence(to: &Path, seconds: f64) -> io::Result<()> {
    let length = (seconds.max(0.0) * f64::from(SILENT_RATE)).ceil() as u64 * SAMPLE_BYTES;
    let mut file = File::create(to)?;
    file.write_all(&header(SILENT_RATE, length)?)?;
    file.set_len(HEADER_BYTES + length)
}

fn header(rate: u32, length: u64) -> io::Result<Vec<u8>> {
    wav::header(wav::PCM, 1, rate, SAMPLE_BYTES, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_joined_without_their_headers() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("raw"), [1, 2, 3, 4, 5]).unwrap();
        write(&at("raw"), &at("a.wav")).unwrap();
        join(&[at("a.wav"), at("a.wav")], &at("both.wav")).unwrap();
        let both = std::fs::read(at("both.wav")).unwrap();
        assert_eq!((&both[..4], &both[44..48]), (b"RIFF".as_slice(), [1, 2, 3, 4].as_slice()));
        assert_eq!(both[both.len() - 4..], [1, 2, 3, 4]);
        assert_eq!((both.len(), &both[40..44]), (44 + 28_808, 28_808u32.to_le_bytes().as_slice()));
        // A second of silence after the last word.
        let samples = [1000i16, -1000].into_iter().chain([20; 48_000]);
        std::fs::write(at("raw"), samples.flat_map(i16::to_le_bytes).collect::<Vec<u8>>()).unwrap();
        write(&at("raw"), &at("b.wav")).unwrap();
        assert_eq!(std::fs::metadata(at("b.wav")).unwrap().len(), 44 + 4 + 4_800);
        write_silence(&at("silence.wav"), 1.5).unwrap();
        assert_eq!(std::fs::metadata(at("silence.wav")).unwrap().len(), 44 + 24_000);
    }
}
