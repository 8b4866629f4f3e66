//! Finds the ICC profile in the first bytes of a JPEG, PNG or WebP file.

use std::io::Read;

use flate2::read::ZlibDecoder;

use super::MAX_PROFILE_BYTES;

/// The profile; `None` if there is none, or if it is broken or too large.
pub fn profile(head: &[u8]) -> Option<Vec<u8>> {
    let profile = match head {
        [0xff, 0xd8, rest @ ..] => in_jpeg(rest),
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, rest @ ..] => in_png(rest),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', rest @ ..] => in_webp(rest),
        _ => None,
    }?;
    (profile.len() <= MAX_PROFILE_BYTES).then_some(profile)
}

/// A JPEG has its profile in numbered pieces, because a segment has at most 64 KiB.
fn in_jpeg(mut rest: &[u8]) -> Option<Vec<u8>> {
    const NAME: &[u8] = b"ICC_PROFILE\0";
    const START_OF_SCAN: u8 = 0xda;
    const APP2: u8 = 0xe2;
    let mut chunks: Vec<(u8, u8, &[u8])> = Vec::new();
    loop {
        rest = match rest {
            [0xff, 0xff, ..] => &rest[1..],
            // These markers have no content.
            [0xff, 0x01 | 0xd0..=0xd7, rest @ ..] => rest,
            [0xff, START_OF_SCAN, ..] => break,
            [0xff, marker, high, low, ..] => {
                let length = usize::from(u16::from_be_bytes([*high, *low]));
                let segment = rest.get(4..2 + length)?;
                if *marker == APP2
                    && let Some([number, count, chunk @ ..]) = segment.strip_prefix(NAME)
                {
                    chunks.push((*number, *count, chunk));
                }
                &rest[2 + length..]
            }
            _ => break,
        };
    }
    chunks.sort_by_key(|(number, ..)| *number);
    let is_whole = (1..).zip(&chunks).all(|(place, (number, count, _))| {
        usize::from(*number) == place && usize::from(*count) == chunks.len()
    });
    (is_whole && !chunks.is_empty()).then(|| chunks.iter().flat_map(|(.., chunk)| *chunk).copied().collect())
}

fn in_png(mut rest: &[u8]) -> Option<Vec<u8>> {
    loop {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let (name, after) = after.split_first_chunk::<4>()?;
        let length = u32::from_be_bytes(*length) as usize;
        match name {
            b"iCCP" => return unpacked(after.get(..length)?),
            b"IDAT" => return None,
            _ => rest = after.get(length.checked_add(4)?..)?,
        }
    }
}

/// A name, a zero, the method of compression, and the compressed profile.
fn unpacked(chunk: &[u8]) -> Option<Vec<u8>> {
    let end = chunk.iter().position(|byte| *byte == 0)?;
    let packed = chunk.get(end..)?.strip_prefix(&[0, 0])?;
    let mut profile = Vec::new();
    ZlibDecoder::new(packed).take(MAX_PROFILE_BYTES as u64 + 1).read_to_end(&mut profile).ok()?;
    Some(profile)
}

fn in_webp(mut rest: &[u8]) -> Option<Vec<u8>> {
    loop {
        let (name, after) = rest.split_first_chunk::<4>()?;
        let (length, after) = after.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(*length) as usize;
        if name == b"ICCP" {
            return after.get(..length).map(<[u8]>::to_vec);
        }
        // Chunks begin at even places.
        rest = after.get(length.checked_add(length % 2)?..)?;
    }
}
