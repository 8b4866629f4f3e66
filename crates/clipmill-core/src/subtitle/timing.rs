//! Cue times: how files write them, which frames they mean, and how they are written for the renderer.

use super::SubtitleError;
use crate::message;
use crate::time::{Fps, Frames};

const ARROW: &str = "-->";

/// Whether a line is meant as `start --> end`, well written or not: an arrow between two times. An arrow in spoken text
/// does not count.
pub fn is_timing(line: &str) -> bool {
    let Some((before, after)) = line.split_once(ARROW) else { return false };
    let (before, after) = (before.trim(), after.trim());
    let moment = |s: &str| {
        s.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit()) && s.contains([':', ',', '.'])
    };
    moment(before) || (before.is_empty() && moment(after))
}

/// Reads start and end in milliseconds. What follows the end (coordinates, VTT settings) is ignored.
pub fn parse_timing(line: &str, number: usize) -> Result<(u64, u64), SubtitleError> {
    let (before, after) = line.split_once(ARROW).unwrap_or((line, ""));
    let start = before.trim();
    let end = after.split_whitespace().next().unwrap_or_default();
    let (start_ms, end_ms) = (moment(start, number)?, moment(end, number)?);
    if end_ms <= start_ms {
        return Err(SubtitleError::at(number, message::cue_ends_early(end, start)));
    }
    Ok((start_ms, end_ms))
}

fn moment(text: &str, number: usize) -> Result<u64, SubtitleError> {
    milliseconds(text).ok_or_else(|| {
        let shown: String = text.chars().take(40).filter(|c| !c.is_control()).collect();
        SubtitleError::at(number, message::not_a_time(shown))
    })
}

/// Reads `HH:MM:SS,mmm`, `HH:MM:SS.mmm` or `MM:SS.mmm`; the fraction has up to three digits or is absent.
pub fn milliseconds(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once([',', '.']).unwrap_or((text, "0"));
    if fraction.len() > 3 {
        return None;
    }
    let scale = 10_u64.pow(3 - fraction.len() as u32);
    let fraction_ms = digits(fraction)? * scale;
    let parts = whole.split(':').map(digits).collect::<Option<Vec<_>>>()?;
    let (hours, minutes, seconds) = match parts.as_slice() {
        [hours, minutes, seconds] if *minutes < 60 => (*hours, *minutes, *seconds),
        [minutes, seconds] => (0, *minutes, *seconds),
        _ => return None,
    };
    (seconds < 60).then_some(((hours * 60 + minutes) * 60 + seconds) * 1000 + fraction_ms)
}

fn digits(text: &str) -> Option<u64> {
    let plain = !text.is_empty() && text.len() <= 6 && text.bytes().all(|b| b.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

/// The frames a cue is shown on, the end excluded; at least one.
pub fn shown_frames(start_ms: u64, end_ms: u64, fps: Fps) -> (Frames, Frames) {
    let start = nearest_frame(start_ms, fps);
    (Frames(start), Frames(nearest_frame(end_ms, fps).max(start + 1)))
}

pub fn nearest_frame(ms: u64, fps: Fps) -> u64 {
    (ms.saturating_mul(2 * u64::from(fps.get())).saturating_add(1000)) / 2000
}

/// The time, in hundredths of a second, at which an event must begin to appear first on `frame`, or must end to disappear
/// with it.
///
/// The renderer shows an event while `begin <= time < end`, with the frame's time truncated to whole milliseconds after a
/// division in floating point. At least 1.5 ms before the frame stays clear of that truncation, and at most 11.5 ms
/// before it lies well after the previous frame at 60 frames a second.
pub fn centiseconds_before(frame: Frames, fps: Fps) -> u64 {
    let rate = u64::from(fps.get());
    frame.0.saturating_mul(2000).saturating_sub(3 * rate) / (20 * rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_files_write_them() {
        let check = |line: &str, expected: (u64, u64)| {
            assert!(is_timing(line), "{line}");
            assert_eq!(parse_timing(line, 1), Ok(expected), "{line}");
        };
        check("00:00:01,000 --> 00:00:02,500", (1000, 2500));
        check("00:00:01.000-->00:00:02.5", (1000, 2500));
        check("1:02:03,04 --> 100:00:00,000  X1:10 X2:20", (3_723_040, 360_000_000));
        check("00:01.250 --> 75:00.000 align:start position:10%", (1250, 4_500_000));
        check("00:00:01 --> 00:00:02", (1000, 2000));
    }

    #[test]
    fn arrows_in_text_are_no_times() {
        for line in ["a --> b", "2019 --> 2020", "--> here", "no arrow", "5 --> ten"] {
            assert!(!is_timing(line), "{line}");
        }
    }

    #[test]
    fn wrong_times_name_the_line() {
        let check = |line: &str, part: &str| {
            assert!(is_timing(line), "{line}");
            let error = parse_timing(line, 7).unwrap_err();
            assert!(error.line == 7 && error.message.contains(part), "{error}");
        };
        check("00:00:05,000 --> 00:00:04,000", "not after its start");
        check("00:00:05,000 --> 00:00:05,000", "not after its start");
        check("00:00:05,000 --> ", "\"\" is not a time");
        check("00:61:05,000 --> 01:00:00,000", "\"00:61:05,000\" is not a time");
        check("00:00:61,000 --> 01:00:00,000", "is not a time");
        check("00:00:01,0000 --> 00:00:02,000", "is not a time");
        check("-00:00:01,000 --> 00:00:02,000", "\"-00:00:01,000\" is not a time");
        check("00:00:01,000 --> 9999999:00:00,000", "is not a time");
        check("--> 00:00:02,000", "\"\" is not a time");
    }

    #[test]
    fn a_cue_covers_whole_frames_and_at_least_one() {
        let fps = Fps::DEFAULT;
        assert_eq!(shown_frames(1000, 2000, fps), (Frames(30), Frames(60)));
        assert_eq!(shown_frames(1016, 1017, fps), (Frames(30), Frames(31)));
        assert_eq!(shown_frames(1017, 1018, fps), (Frames(31), Frames(32)));
    }

    #[test]
    fn events_are_seen_on_exactly_their_frames() {
        for rate in Fps::ALLOWED {
            let fps = Fps::new(rate).unwrap();
            for frame in 0..1000_u64 {
                let moment = centiseconds_before(Frames(frame), fps) * 10;
                let shown_at = frame * 1000 / u64::from(rate);
                // Floating point makes some exact times one millisecond less.
                assert!(moment <= shown_at.saturating_sub(1), "{rate}/{frame}");
                if frame > 0 {
                    assert!((frame - 1) * 1000 / u64::from(rate) < moment, "{rate}/{frame}");
                }
            }
        }
    }
}
