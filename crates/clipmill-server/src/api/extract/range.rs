//! Byte ranges of a file (RFC 9110, section 14): one range at a time.

use std::ops::RangeInclusive;

/// The bytes of a file that a response carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ByteRange {
    Whole,
    Part(RangeInclusive<u64>),
    /// The range is outside of the file.
    Unsatisfiable,
}

impl ByteRange {
    /// Reads the header. Several ranges, other units and unreadable headers get the whole file, as the RFC allows.
    pub fn of(header: Option<&str>, size: u64) -> Self {
        let Some(spec) = header.and_then(single_range) else { return Self::Whole };
        let last = size.saturating_sub(1);
        let range = match spec {
            (Some(start), end) => start..=end.unwrap_or(last).min(last),
            (None, Some(0)) => return Self::Unsatisfiable,
            (None, Some(suffix)) => size.saturating_sub(suffix)..=last,
            (None, None) => return Self::Whole,
        };
        if size == 0 || *range.start() > last { Self::Unsatisfiable } else { Self::Part(range) }
    }
}

/// Reads `bytes=first-last`, either of which may be missing.
fn single_range(header: &str) -> Option<(Option<u64>, Option<u64>)> {
    let (unit, spec) = header.split_once('=')?;
    let (first, last) = spec.trim().split_once('-')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return None;
    }
    let (first, last) = (number(first)?, number(last)?);
    let backwards = matches!((first, last), (Some(first), Some(last)) if first > last);
    (!backwards).then_some((first, last))
}

/// The outer `None` means that it is not a number. A number beyond 64 bits counts as the largest.
fn number(text: &str) -> Option<Option<u64>> {
    if text.is_empty() {
        return Some(None);
    }
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| Some(text.parse().unwrap_or(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_a_file_of_100_bytes() {
        let check =
            |header: &str, expected| assert_eq!(ByteRange::of(Some(header), 100), expected, "{header}");
        check("bytes=0-9", ByteRange::Part(0..=9));
        check("bytes=90-", ByteRange::Part(90..=99));
        check("bytes=90-500", ByteRange::Part(90..=99));
        check("bytes=-1", ByteRange::Part(99..=99));
        check("bytes=-500", ByteRange::Part(0..=99));
        check("Bytes= 0-0", ByteRange::Part(0..=0));
        check("bytes=99-99999999999999999999999", ByteRange::Part(99..=99));
        check("bytes=100-", ByteRange::Unsatisfiable);
        check("bytes=99999999999999999999999-", ByteRange::Unsatisfiable);
        check("bytes=-0", ByteRange::Unsatisfiable);
        for whole in
            ["bytes=9-0", "bytes=0-1,5-6", "items=0-1", "bytes=-", "bytes=a-b", "bytes", "bytes=+1-2"]
        {
            check(whole, ByteRange::Whole);
        }
        assert_eq!(ByteRange::of(None, 100), ByteRange::Whole);
        assert_eq!(ByteRange::of(Some("bytes=0-"), 0), ByteRange::Unsatisfiable);
        assert_eq!(ByteRange::of(Some("bytes=-5"), 0), ByteRange::Unsatisfiable);
    }
}
