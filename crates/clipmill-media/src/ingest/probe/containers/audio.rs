//! WAV, FLAC and MP3: the length that their headers state. ffprobe computes that of a truncated file from its size.

use std::io::{Read, Seek};

use super::{ContainerError, Source};

/// Programs that write to a pipe do not know the size of the data. They write 0, or about the largest number of 31 or
/// 32 bits.
fn is_placeholder(size: u64) -> bool {
    size == 0 || (0x7fff_0000..=0x8000_0000).contains(&size) || (0xffff_0000..=0xffff_ffff).contains(&size)
}

/// RIFF or RF64 with its `WAVE`: a sequence of chunks. Uncompressed audio has a fixed number of bytes per second; for
/// other audio a chunk states the number of samples.
pub fn wav<F: Read + Seek>(source: &mut Source<F>, start: u64) -> Result<(), ContainerError> {
    const UNCOMPRESSED: [u64; 5] = [1, 3, 6, 7, 0xfffe];
    let is_rf64 = source.bytes::<4>(start)? == *b"RF64";
    let (mut at, mut rate, mut bytes_per_second, mut samples, mut long) = (start + 12, 0, 0, 0, None);
    loop {
        source.part()?;
        let name = source.bytes::<4>(at)?;
        let length = source.le32(at + 4)?;
        match &name {
            b"fmt " => {
                rate = source.le32(at + 12)?;
                let is_uncompressed = UNCOMPRESSED.contains(&(source.le32(at + 8)? & 0xffff));
                bytes_per_second = if is_uncompressed { source.le32(at + 16)? } else { 0 };
            }
            b"fact" => samples = source.le32(at + 8)?,
            b"ds64" => long = Some(u64::from_le_bytes(source.bytes(at + 16)?)),
            b"data" => {
                let length = match long {
                    Some(long) if is_rf64 && length == u64::from(u32::MAX) => long,
                    _ if is_placeholder(length) => 0,
                    _ => length,
                };
                let is_cut = length < u64::MAX && (at + 8).saturating_add(length) > source.size;
                let (count, each) =
                    if bytes_per_second > 0 { (length, bytes_per_second) } else { (samples, rate) };
                let is_known = is_cut && count > 0 && each > 0;
                source.structure.stated_s = is_known.then(|| count as f64 / each as f64);
                return Ok(());
            }
            _ => {}
        }
        at = at.saturating_add(8 + length + length % 2);
    }
}

/// The number of samples in the first block, which is 0 if the encoder did not know it.
pub fn flac<F: Read + Seek>(source: &mut Source<F>, start: u64) -> Result<(), ContainerError> {
    let facts = u64::from_be_bytes(source.bytes(start + 18)?);
    let (rate, samples) = (facts >> 44, facts & 0xf_ffff_ffff);
    source.structure.stated_s = (rate > 0 && samples > 0).then(|| samples as f64 / rate as f64);
    Ok(())
}

/// The number of frames in the first frame, if that one is a header of Xing, LAME or Fraunhofer.
pub fn mp3<F: Read + Seek>(source: &mut Source<F>, start: u64) -> Result<(), ContainerError> {
    const RATES: [u64; 3] = [44_100, 48_000, 32_000];
    let [_, version, rate, mode] = source.bytes(start)?;
    let Some(rate) = RATES.get(usize::from(rate >> 2 & 3)) else { return Ok(()) };
    let is_mono = mode >> 6 == 3;
    // Versions 1, 2 and 2.5 with their bytes of side information.
    let (divisor, samples, side) = match version >> 3 & 3 {
        3 => (1, 1152, if is_mono { 17 } else { 32 }),
        2 => (2, 576, if is_mono { 9 } else { 17 }),
        0 => (4, 576, if is_mono { 9 } else { 17 }),
        _ => return Ok(()),
    };
    let xing = start + 4 + side;
    let frames = match &source.bytes::<4>(xing)? {
        b"Xing" | b"Info" if source.be32(xing + 4)? & 1 == 1 => source.be32(xing + 8)?,
        _ if source.bytes::<4>(start + 36)? == *b"VBRI" => source.be32(start + 50)?,
        _ => 0,
    };
    let seconds = (frames * samples * divisor) as f64 / *rate as f64;
    source.structure.stated_s = (frames > 0).then_some(seconds);
    Ok(())
}
