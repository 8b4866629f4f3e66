//! Properties of the facts from any output of ffprobe, for tests and the fuzz target.

use super::*;
use crate::ffmpeg::policy::MAX_DURATION_S;
use crate::ingest::probe::listing::PacketReader;

/// Checks the JSON of one run. Returns whether it was accepted.
pub fn check_output(json: &[u8]) -> bool {
    let mut listing = PacketReader::default();
    // The JSON comes in pieces, as from a pipe.
    json.chunks(1000).for_each(|chunk| listing.feed(chunk));
    let Ok((header, packets)) = listing.finish() else { return false };
    let Ok(chosen) = StreamSelection::from(&header) else { return false };
    let still = chosen.is_still(&header, b"");
    let Ok(facts) = assemble(&header, &chosen, (!still).then_some(&packets), Structure::default()) else {
        return false;
    };
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
