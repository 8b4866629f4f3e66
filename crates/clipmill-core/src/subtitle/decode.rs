//! From bytes to text: UTF-8, UTF-16, the older encodings of East Asia, and encodings with one byte per character.

mod common;
mod legacy;

use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use super::SubtitleError;
use crate::message;

/// How much of a file is examined to detect UTF-16 without a byte order mark.
const SAMPLE_BYTES: usize = 4096;

/// Byte order marks of UTF-32. The first begins like that of UTF-16.
const UTF_32_MARKS: [[u8; 4]; 2] = [[0xff, 0xfe, 0, 0], [0, 0, 0xfe, 0xff]];

pub fn decode(bytes: &[u8]) -> Result<String, SubtitleError> {
    if UTF_32_MARKS.iter().any(|mark| bytes.starts_with(mark)) {
        return Err(SubtitleError::at(1, message::not_utf8()));
    }
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return certain(encoding, bytes.get(mark..).unwrap_or_default());
    }
    if let Some(encoding) = utf16_without_mark(bytes) {
        return certain(encoding, bytes);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if text.contains("\u{1b}$") => {
            Ok(legacy::strict(ISO_2022_JP, bytes).unwrap_or_else(|| text.to_owned()))
        }
        Ok(text) => Ok(text.to_owned()),
        Err(error) => {
            // Damaged UTF-8 is not text in another encoding.
            let text = if is_damaged(UTF_8, bytes, 3) { None } else { legacy::decode(bytes) };
            text.ok_or_else(|| {
                let valid_prefix = bytes.get(..error.valid_up_to()).unwrap_or_default();
                SubtitleError::at(line_of(&String::from_utf8_lossy(valid_prefix)), message::not_utf8())
            })
        }
    }
}

/// Decodes text whose encoding is certain.
fn certain(encoding: &'static Encoding, bytes: &[u8]) -> Result<String, SubtitleError> {
    let (text, damaged) = encoding.decode_without_bom_handling(bytes);
    if !damaged {
        return Ok(text.into_owned());
    }
    let prefix = text.split('\u{fffd}').next().unwrap_or_default();
    let name = encoding.name();
    Err(SubtitleError::at(line_of(prefix), message::not_encoded(name)))
}

/// Detects UTF-16: digits, colons and arrows have a zero byte in it, and never in any other encoding.
fn utf16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = bytes.get(..bytes.len().min(SAMPLE_BYTES)).unwrap_or_default();
    let zeros = |parity| sample.iter().enumerate().filter(|(i, b)| i % 2 == parity && **b == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let many = sample.len() / 20 + 1;
    if odd > many && odd > even * 4 {
        Some(UTF_16LE)
    } else if even > many && even > odd * 4 {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Whether at most every `count`th character outside ASCII is damaged.
fn is_damaged(encoding: &'static Encoding, bytes: &[u8], count: usize) -> bool {
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    let damaged = text.matches('\u{fffd}').count();
    damaged * count <= text.chars().filter(|c| !c.is_ascii()).count()
}

/// The number of the line that comes after `before`.
fn line_of(before: &str) -> usize {
    let breaks = before.matches('\n').count();
    if breaks > 0 { breaks + 1 } else { before.matches('\r').count() + 1 }
}

#[cfg(test)]
mod tests;
