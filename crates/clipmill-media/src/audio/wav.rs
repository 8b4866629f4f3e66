//! WAV files written by clipmill: 32-bit float, stereo, 48 kHz.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use clipmill_core::plan::AudioMix;
use clipmill_core::time::Samples;

/// The size of one stereo sample.
pub const FRAME_BYTES: u64 = 8;
pub const HEADER_BYTES: u64 = 44;
/// Formats of samples.
pub const PCM: u16 = 1;
const IEEE_FLOAT: u16 = 3;

/// Writes `samples` of silence. The file is sparse: whatever its length, it takes no disk space.
pub fn write_silence(path: &Path, samples: Samples) -> std::io::Result<()> {
    let data = samples.0.saturating_mul(FRAME_BYTES);
    let header = header(IEEE_FLOAT, 2, 48_000, FRAME_BYTES, data)?;
    let mut file = File::create(path)?;
    file.write_all(&header)?;
    file.set_len(HEADER_BYTES + data)
}

/// The header of a WAV file with `data` bytes of samples; `frame_bytes` is the size of one sample of all channels.
pub fn header(
    format: u16,
    channels: u16,
    rate: u32,
    frame_bytes: u64,
    data: u64,
) -> std::io::Result<Vec<u8>> {
    let too_long = |_| std::io::Error::new(std::io::ErrorKind::InvalidInput, "audio too long for a WAV file");
    let riff = u32::try_from(data.saturating_add(HEADER_BYTES - 8)).map_err(too_long)?;
    let mut header = Vec::with_capacity(HEADER_BYTES as usize);
    header.extend(b"RIFF");
    header.extend(riff.to_le_bytes());
    header.extend(b"WAVEfmt ");
    header.extend(16u32.to_le_bytes());
    header.extend(format.to_le_bytes());
    header.extend(channels.to_le_bytes());
    header.extend(rate.to_le_bytes());
    header.extend((rate * frame_bytes as u32).to_le_bytes());
    header.extend((frame_bytes as u16).to_le_bytes());
    header.extend((8 * frame_bytes as u16 / channels).to_le_bytes());
    header.extend(b"data");
    header.extend((data as u32).to_le_bytes());
    Ok(header)
}

/// The number of stereo samples in a WAV file that clipmill wrote; `None` for other files.
pub fn count_samples(path: &Path) -> std::io::Result<Option<Samples>> {
    Ok(samples_in(&mut File::open(path)?)?.map(|(_, samples)| samples))
}

/// The position and number of stereo samples in a WAV file that clipmill wrote.
pub fn samples_in(file: &mut File) -> std::io::Result<Option<(u64, Samples)>> {
    let length = file.metadata()?.len();
    let mut at = 12;
    while at + 8 <= length {
        let mut chunk = [0; 8];
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(&mut chunk)?;
        let size = u64::from(u32::from_le_bytes([chunk[4], chunk[5], chunk[6], chunk[7]]));
        if &chunk[..4] == b"data" {
            let whole = at + 8 + size <= length && size % FRAME_BYTES == 0;
            return Ok(whole.then_some((at + 8, Samples(size / FRAME_BYTES))));
        }
        at += 8 + size + size % 2;
    }
    Ok(None)
}

/// The size of all samples of a mix, in the format in which they are measured.
pub fn raw_bytes(mix: &AudioMix) -> u64 {
    mix.whole().0 * FRAME_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_counts_its_samples_and_a_truncated_file_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("silence.wav");
        write_silence(&path, Samples(12_345)).unwrap();
        assert_eq!(count_samples(&path).unwrap(), Some(Samples(12_345)));
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(1000).unwrap();
        assert_eq!(count_samples(&path).unwrap(), None);
    }
}
