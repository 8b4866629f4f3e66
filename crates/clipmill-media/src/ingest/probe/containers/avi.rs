//! AVI: lists of chunks. An index of indexes may refer to the same index many times, and ffmpeg reads it each time.

use std::io::{Read, Seek};

use super::{ContainerError, Source};

const DEEPEST: usize = 8;
const OF_INDEXES: u8 = 0;

pub fn judge<F: Read + Seek>(source: &mut Source<F>, start: u64) -> Result<(), ContainerError> {
    let mut open = vec![source.size];
    let mut at = start;
    let (mut is_cut, mut announced_s) = (false, 0.0);
    while let Some(&end) = open.last() {
        if at.saturating_add(8) > end {
            at = end;
            open.pop();
            continue;
        }
        source.part()?;
        let name = source.bytes::<4>(at)?;
        let length = source.le32(at + 4)?;
        let behind = (at + 8 + length + length % 2).min(end);
        if open.len() == 1 && name == *b"RIFF" {
            // The last of several pieces decides. A file that is still being written has the length 0.
            is_cut = length >= 4 && at + 8 + length > source.size;
        }
        match &name {
            b"RIFF" | b"LIST" if open.len() < DEEPEST && source.bytes(at + 8)? != *b"movi" => {
                // A file that is still being written has the length 0.
                open.push(if length < 4 { end } else { behind });
                at += 12;
            }
            b"avih" => {
                let (interval_us, frames) = (source.le32(at + 8)?, source.le32(at + 24)?);
                announced_s = (interval_us * frames) as f64 / 1e6;
                at = behind;
            }
            b"indx" => {
                index(source, at + 8)?;
                at = behind;
            }
            _ => at = behind,
        }
    }
    source.structure.stated_s = Some(announced_s).filter(|_| is_cut);
    Ok(())
}

/// An index of a stream: entries, or the positions of further indexes, whose entries are all counted.
fn index<F: Read + Seek>(source: &mut Source<F>, at: u64) -> Result<(), ContainerError> {
    let [_, _, _, kind] = source.bytes(at)?;
    let count = source.le32(at + 4)?;
    let entry = if kind == OF_INDEXES { 16 } else { 8 };
    // The first 24 bytes identify the index.
    source.fits(at + 24, count, entry * 8, "indx")?;
    if kind != OF_INDEXES {
        return Ok(());
    }
    let mut entries = 0_u64;
    for number in 0..count {
        source.part()?;
        let place = u64::from_le_bytes(source.bytes(at + 24 + number * 16)?);
        // ffprobe cannot reach a position after the end either.
        let Ok([_, _, _, kind]) = source.bytes(place.saturating_add(8)) else { continue };
        // The header of that index counts too.
        let position = source.le32(place.saturating_add(12))?.saturating_add(3);
        entries = entries.saturating_add(if kind == OF_INDEXES { u64::MAX } else { position });
        source.fits(0, entries, 8 * 8, "indx")?;
    }
    Ok(())
}
