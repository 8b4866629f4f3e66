//! Reads what ffmpeg's measuring filters say at the end of their log.

use crate::mastering::{Level, Loudness};

/// The summary of the `ebur128` filter. Its gate lies at −70 LUFS, so that value means there was nothing to
/// measure.
pub fn loudness(log: &str) -> Loudness {
    Loudness {
        integrated_lufs: number_after(log, "I:").filter(|lufs| *lufs > -70.0),
        true_peak_dbtp: number_after(log, "Peak:").filter(|peak| peak.is_finite()),
    }
}

/// What the `volumedetect` filter found.
pub fn level(log: &str) -> Option<Level> {
    let number = |label| {
        let line = log.lines().rev().find_map(|line| line.split_once(label))?.1;
        line.split_whitespace().next()?.parse().ok()
    };
    Some(Level { mean_db: number("mean_volume:")?, peak_db: number("max_volume:")? })
}

/// The number behind the last line that begins with `label`.
fn number_after(log: &str, label: &str) -> Option<f64> {
    let line = log.lines().rev().find_map(|line| line.trim().strip_prefix(label))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_read() {
        let log = "[Parsed_ebur128_0 @ 0x1] Summary:\n\n  Integrated loudness:\n    I:         -23.1 LUFS\n    \
                   Threshold: -33.4 LUFS\n\n  True peak:\n    Peak:       -7.0 dBFS\n\
                   [Parsed_volumedetect_3 @ 0x2] n_samples: 9\n[Parsed_volumedetect_3 @ 0x2] mean_volume: -20.4 dB\n\
                   [Parsed_volumedetect_3 @ 0x2] max_volume: -4.6 dB\n";
        let measured = loudness(log);
        assert_eq!((measured.integrated_lufs, measured.true_peak_dbtp), (Some(-23.1), Some(-7.0)));
        assert_eq!(level(log), Some(Level { mean_db: -20.4, peak_db: -4.6 }));
        assert_eq!((loudness(""), level("")), (Loudness::default(), None));
        let silence = "    I:         -70.0 LUFS\n    Peak:       -inf dBFS\n";
        assert_eq!(loudness(silence), Loudness::default());
    }
}
