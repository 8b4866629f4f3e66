//! H.264: reads the sequence parameter set, and the units inside a sample.

/// The fields of a sequence parameter set that the output profile promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sps {
    pub profile: u8,
    pub chroma_format: u32,
    pub bit_depth: u32,
    pub width: u32,
    pub height: u32,
}

impl Sps {
    /// Reads the first set of a decoder configuration (`avcC`); `None` for forms that our encoders never write.
    pub fn of_config(config: &[u8]) -> Option<Self> {
        let length = usize::from(u16::from_be_bytes([*config.get(6)?, *config.get(7)?]));
        let nal = config.get(8..8 + length)?;
        Self::read(&mut Bits { bytes: unescaped(nal.get(1..)?), at: 0 })
    }

    fn read(bits: &mut Bits) -> Option<Self> {
        let profile = bits.take(8)? as u8;
        bits.take(16)?;
        bits.golomb()?;
        let (mut chroma_format, mut bit_depth) = (1, 8);
        if profile == 100 {
            chroma_format = bits.golomb()?;
            bit_depth = 8 + bits.golomb()?.max(bits.golomb()?);
            // Our settings never use lossless coding or scaling matrices.
            if bits.take(2)? != 0 || chroma_format == 3 {
                return None;
            }
        }
        bits.golomb()?;
        match bits.golomb()? {
            0 => _ = bits.golomb()?,
            2 => {}
            _ => return None,
        }
        bits.golomb()?;
        bits.take(1)?;
        let (columns, rows) = (bits.golomb()? + 1, bits.golomb()? + 1);
        // Only progressive frames are accepted, so a row of the map is a row of blocks.
        if bits.take(1)? != 1 {
            return None;
        }
        bits.take(1)?;
        let mut cropped = [0; 4];
        if bits.take(1)? == 1 {
            for side in &mut cropped {
                *side = bits.golomb()?;
            }
        }
        let [left, right, top, bottom] = cropped;
        let width = columns.checked_mul(16)?.checked_sub(2 * (left + right))?;
        let height = rows.checked_mul(16)?.checked_sub(2 * (top + bottom))?;
        Some(Self { profile, chroma_format, bit_depth, width, height })
    }
}

/// How many parameter sets are inside a sample of NAL units with 4-byte lengths; `None` if the lengths do not fill the
/// sample.
pub fn parameter_sets(sample: &[u8]) -> Option<usize> {
    let mut count = 0;
    each_unit(sample, |kind| count += usize::from(matches!(kind, 7 | 8 | 13 | 15)))?;
    Some(count)
}

/// Whether a sample consists only of slices and SEI messages, and its slices are those of a frame at which decoding can
/// begin (IDR) exactly if it is a keyframe.
pub fn is_plain_frame(sample: &[u8], keyframe: bool) -> bool {
    const SLICE: u8 = 1;
    const IDR_SLICE: u8 = 5;
    let expected_kind = if keyframe { IDR_SLICE } else { SLICE };
    let (mut slices, mut others) = (0, 0);
    let outcome = each_unit(sample, |kind| match kind {
        kind if kind == expected_kind => slices += 1,
        // These are SEI messages, delimiters and filler data.
        6 | 9 | 12 => {}
        _ => others += 1,
    });
    outcome.is_some() && slices > 0 && others == 0
}

/// Passes on the types of a sample's NAL units.
fn each_unit(sample: &[u8], mut found: impl FnMut(u8)) -> Option<()> {
    let mut rest = sample;
    while !rest.is_empty() {
        let (length, behind) = rest.split_first_chunk::<4>()?;
        let length = u32::from_be_bytes(*length) as usize;
        found(behind.get(..length)?.first()? & 31);
        rest = &behind[length..];
    }
    Some(())
}

/// Removes the bytes that prevent start codes within the payload.
fn unescaped(nal: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(nal.len());
    let mut zeros = 0;
    for &byte in nal {
        if zeros >= 2 && byte == 3 {
            zeros = 0;
            continue;
        }
        zeros = if byte == 0 { zeros + 1 } else { 0 };
        bytes.push(byte);
    }
    bytes
}

struct Bits {
    bytes: Vec<u8>,
    at: usize,
}

impl Bits {
    fn take(&mut self, count: u32) -> Option<u32> {
        let mut value = 0;
        for _ in 0..count {
            let byte = self.bytes.get(self.at / 8)?;
            value = value << 1 | u32::from(byte >> (7 - self.at % 8) & 1);
            self.at += 1;
        }
        Some(value)
    }

    /// Reads an unsigned Exp-Golomb number; none of those read here needs more than 16 bits.
    fn golomb(&mut self) -> Option<u32> {
        let mut zeros = 0;
        while self.take(1)? == 0 {
            zeros += 1;
            if zeros > 16 {
                return None;
            }
        }
        Some((1 << zeros) - 1 + self.take(zeros)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_that_x264_wrote_is_read() {
        // 1080x1920 in whole blocks of 16 has 1088 columns, the last 8 of which are cropped.
        let sps = [
            0x67, 0x64, 0x00, 0x28, 0xac, 0xd9, 0x40, 0x44, 0x03, 0xc7, 0x97, 0xc0, 0x44, 0x00, 0x00, 0x03,
            0x00, 0x04, 0x00, 0x00, 0x03, 0x00, 0xf0, 0x3c, 0x60, 0xc6, 0x58,
        ];
        let config = [&[1, 0x64, 0, 0x28, 0xff, 0xe1, 0, sps.len() as u8], sps.as_slice()].concat();
        let sps = Sps::of_config(&config).unwrap();
        let expected = Sps { profile: 100, chroma_format: 1, bit_depth: 8, width: 1080, height: 1920 };
        assert_eq!(sps, expected);
        assert_eq!(Sps::of_config(&config[..12]), None);
        assert_eq!(Sps::of_config(&[]), None);
    }

    #[test]
    fn parameter_sets_inside_a_sample_are_counted() {
        let nal = |kind: u8, body: &[u8]| {
            [&(1 + body.len() as u32).to_be_bytes(), [kind].as_slice(), body].concat()
        };
        let sample = [nal(0x65, &[1, 2, 3]), nal(0x67, &[1]), nal(0x68, &[])].concat();
        assert_eq!(parameter_sets(&sample), Some(2));
        assert_eq!(parameter_sets(&nal(0x41, &[9; 40])), Some(0));
        assert_eq!(parameter_sets(&sample[..sample.len() - 1]), None);
        assert_eq!(parameter_sets(&[0, 0, 0, 0]), None);
    }

    #[test]
    fn keyframes_match_the_index() {
        let unit = |kind: u8| [0, 0, 0, 2, kind, 9];
        let sample = |kinds: &[u8]| kinds.iter().copied().flat_map(unit).collect::<Vec<u8>>();
        let check = |kinds: &[u8], keyframe, expected| {
            assert_eq!(is_plain_frame(&sample(kinds), keyframe), expected, "{kinds:?}");
        };
        check(&[0x06, 0x65, 0x65], true, true);
        check(&[0x09, 0x41, 0x01, 0x0c], false, true);
        // An open group begins with a frame of another type; units of other layers are not for every decoder.
        check(&[0x06, 0x41], true, false);
        check(&[0x65], false, false);
        check(&[0x65, 0x41], true, false);
        check(&[0x65, 0x74], true, false);
        check(&[0x67, 0x65], true, false);
        check(&[0x06], false, false);
        assert!(!is_plain_frame(&sample(&[0x65])[..5], true));
    }
}
