//! Reads what ffmpeg's measuring filters say at the end of their log.

use crate::mastering::Loudness;

/// The summary of the `ebur128` filter. Its gate lies at −70 LUFS, so that value means there was nothing to
/// measure.
pub fn loudness(log: &str) -> Loudness {
    Loudness {
        integrated_lufs: number_after(log, "I:").filter(|lufs| *lufs > -70.0),
        true_peak_dbtp: number_after(log, "Peak:").filter(|peak| peak.is_finite()),
    }
}

/// Mean level in dB below full scale, from the `volumedetect` filter.
pub fn mean_level_db(log: &str) -> Option<f64> {
    let line = log.lines().rev().find_map(|line| line.split_once("mean_volume:"))?.1;
    line.split_whitespace().next()?.parse().ok()
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
                   [Parsed_volumedetect_3 @ 0x2] n_samples: 9\n[Parsed_volumedetect_3 @ 0x2] mean_volume: -20.4 dB\n";
        let measured = loudness(log);
        assert_eq!((measured.integrated_lufs, measured.true_peak_dbtp), (Some(-23.1), Some(-7.0)));
        assert_eq!(mean_level_db(log), Some(-20.4));
        assert_eq!((loudness(""), mean_level_db("")), (Loudness::default(), None));
        let silence = "    I:         -70.0 LUFS\n    Peak:       -inf dBFS\n";
        assert_eq!(loudness(silence), Loudness::default());
    }
}
