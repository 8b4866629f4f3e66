//! Matroska and WebM: tables state no counts, but ffmpeg reads each element of the header as a whole, however long it
//! claims to be. Only the part before the first cluster is checked: of the rest ffmpeg holds one block at a time.

use std::io::{Read, Seek};

use super::{ContainerError, Source};

const DEEPEST: usize = 16;
const CLUSTER: u64 = 0x1f43_b675;
/// Elements that contain elements: segment, info, tracks and their elements, cues, tags, chapters, attachments, the
/// seek head.
const CONTAINERS: &[u64] = &[
    0x1a45_dfa3,
    0x1853_8067,
    0x1549_a966,
    0x1654_ae6b,
    0xae,
    0xe0,
    0xe1,
    0x6d80,
    0x6240,
    0x5034,
    0x5035,
    0x1c53_bb6b,
    0xbb,
    0xb7,
    0x1254_c367,
    0x7373,
    0x67c8,
    0x63c0,
    0x1043_a770,
    0x45b9,
    0xb6,
    0x80,
    0x1941_a469,
    0x61a7,
    0x114d_9b74,
    0x4dbb,
];
/// Elements that may be of any length: padding, and the checksum of a list, which is not read.
const SKIPPED: &[u64] = &[0xec, 0xbf];

pub fn judge<F: Read + Seek>(source: &mut Source<F>, start: u64) -> Result<(), ContainerError> {
    let mut open = vec![source.size];
    let mut at = start;
    while let Some(&end) = open.last() {
        if at >= end {
            at = end;
            open.pop();
            continue;
        }
        source.part()?;
        let (id, behind_id) = number(source, at, true)?;
        if id == CLUSTER {
            return Ok(());
        }
        let (length, content) = number(source, behind_id, false)?;
        let unknown = length == (1 << (7 * (content - behind_id))) - 1;
        if CONTAINERS.contains(&id) && open.len() < DEEPEST {
            let behind = if unknown { end } else { content.saturating_add(length).min(end) };
            open.push(behind);
            at = content;
            continue;
        }
        if !SKIPPED.contains(&id) {
            source.fits(content, length, 8, "of elements")?;
        }
        at = content.saturating_add(length).min(end);
    }
    Ok(())
}

/// Reads a number of one to eight bytes, whose first byte determines their count; identifiers keep that marker. Also
/// returns its end.
fn number<F: Read + Seek>(
    source: &mut Source<F>,
    at: u64,
    keep_mark: bool,
) -> Result<(u64, u64), ContainerError> {
    let [first] = source.bytes(at)?;
    let more = u64::from(first.leading_zeros());
    if more >= 8 {
        return Err(ContainerError::Unread);
    }
    let mut value = u64::from(if keep_mark { first } else { first & (0x7f_u8 >> more) });
    for place in 1..=more {
        let [byte] = source.bytes(at + place)?;
        value = value << 8 | u64::from(byte);
    }
    Ok((value, at + 1 + more))
}
