//! What must hold for everything that ffprobe may write, for tests and the fuzz target.

use super::*;
use crate::probe::policy::MAX_DURATION_S;

/// A header, a line of three hyphens, and lines of packets. Answers whether it was accepted.
pub fn check_output(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let (header, packets) = text.split_once("\n---\n").unwrap_or((&text, ""));
    check(header.as_bytes(), packets.lines())
}

/// Answers whether it was accepted.
pub fn check<'a>(header: &[u8], lines: impl Iterator<Item = &'a str>) -> bool {
    let Ok(header) = serde_json::from_slice::<Header>(header) else { return false };
    let mut packets = Packets::default();
    lines.for_each(|line| packets.line(line));
    let Ok(chosen) = Chosen::from(&header) else { return false };
    let still = chosen.is_still(&header);
    let Ok(facts) = assemble(&header, &chosen, (!still).then_some(&packets)) else { return false };
    if let Some(video) = facts.video {
        let size = video.coded;
        assert!(size.width > 0 && size.height > 0 && size.width.max(size.height) <= policy::MAX_SIDE);
        assert!(video.still || video.rate.is_finite() && video.rate > 0.0, "{video:?}");
        assert!((0.0..=MAX_DURATION_S).contains(&video.duration_s), "{video:?}");
        if let Some(avc) = video.avc {
            assert!(avc.longest_group > 1 && avc.longest_group <= video.frames, "{avc:?}");
            let seconds = video.frames as f64 / f64::from(avc.rate);
            assert!(video.duration_s > seconds - 1.5 / f64::from(avc.rate), "{avc:?} of {seconds} s");
        }
    }
    if let Some(audio) = facts.audio {
        assert!((0.0..=MAX_DURATION_S).contains(&audio.duration_s), "{audio:?}");
    }
    true
}
