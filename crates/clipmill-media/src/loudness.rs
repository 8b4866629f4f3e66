//! Reads what ffmpeg's measuring filters say in the log. Each filter has a number there (`args/mix.rs`).

use crate::args::{EBUR128, VOLUMEDETECT};
use crate::mastering::{Level, Loudness};

/// The summary of an `ebur128` filter. Its gate lies at −70 LUFS, so that value means there was nothing to
/// measure.
pub fn loudness(log: &str, of: usize) -> Loudness {
    let name = name(EBUR128, of);
    // Its lines follow the one that begins with its name.
    let start = log.rfind(&name).map_or("", |start| log.get(start + 1..).unwrap_or_default());
    let summary = start.split_once("\n[").map_or(start, |(summary, _)| summary);
    Loudness {
        integrated_lufs: number_after(summary, "I:").filter(|lufs| *lufs > -70.0),
        true_peak_dbtp: number_after(summary, "Peak:").filter(|peak| peak.is_finite()),
    }
}

/// What a `volumedetect` filter found.
pub fn level(log: &str, of: usize) -> Option<Level> {
    let (mean_db, peak_db) = (said(log, of, "mean_volume:")?, said(log, of, "max_volume:")?);
    Some(Level { mean_db: mean_db.parse().ok()?, peak_db: peak_db.parse().ok()? })
}

/// How many samples a `volumedetect` filter was given, those of all channels together.
pub fn samples(log: &str, of: usize) -> Option<u64> {
    said(log, of, "n_samples:")?.parse().ok()
}

/// The word behind `label` in what a `volumedetect` filter said last: one that is set up again reports twice.
fn said<'a>(log: &'a str, of: usize, label: &str) -> Option<&'a str> {
    let name = name(VOLUMEDETECT, of);
    let lines = log.lines().filter(|line| line.starts_with(&name));
    lines.rev().find_map(|line| line.split_once(label))?.1.split_whitespace().next()
}

/// What a filter's lines begin with.
fn name(filter: &str, of: usize) -> String {
    format!("[{filter}@{of} @ ")
}

/// The number behind the last line that begins with `label`.
fn number_after(log: &str, label: &str) -> Option<f64> {
    let line = log.lines().rev().find_map(|line| line.trim().strip_prefix(label))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
[ebur128@0 @ 0x1] Summary:\n\n  Integrated loudness:\n    I:         -23.1 LUFS\n    Threshold: -33.4 LUFS\n
  True peak:\n    Peak:       -7.0 dBFS
[ebur128@1 @ 0x7] Summary:\n\n  Integrated loudness:\n    I:         -70.0 LUFS\n
  True peak:\n    Peak:       -inf dBFS
[volumedetect@10 @ 0x1] n_samples: 0
[volumedetect@10 @ 0x2] n_samples: 9
[volumedetect@10 @ 0x2] mean_volume: -20.4 dB
[volumedetect@10 @ 0x2] max_volume: -4.6 dB
[volumedetect@1 @ 0x3] n_samples: 0
";

    #[test]
    fn each_filter_is_read_by_its_number() {
        let measured = loudness(LOG, 0);
        assert_eq!((measured.integrated_lufs, measured.true_peak_dbtp), (Some(-23.1), Some(-7.0)));
        assert_eq!(loudness(LOG, 1), Loudness::default(), "silence");
        assert_eq!(loudness(LOG, 2), Loudness::default());
        assert_eq!(level(LOG, 10), Some(Level { mean_db: -20.4, peak_db: -4.6 }));
        assert_eq!((samples(LOG, 10), samples(LOG, 1), samples(LOG, 0)), (Some(9), Some(0), None));
        assert_eq!((level(LOG, 1), level("", 0), loudness("", 0)), (None, None, Loudness::default()));
    }
}
