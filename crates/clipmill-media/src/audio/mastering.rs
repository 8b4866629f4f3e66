//! The final level and encoding of a mix: decided from measurements, carried out by `args/encode_mix.rs`.
//!
//! Without a target the level is unchanged. With one, the gain is linear; the limiter after it may take a few decibels
//! off single peaks, and if the target would require more than that, it is missed in favour of the peaks. The finished
//! file is measured, and changes by the encoder are corrected in another pass.

use serde::{Deserialize, Serialize};

/// The highest gain for a mix.
const MAX_GAIN_DB: f64 = 20.0;
/// The maximum that the limiter takes off peaks to reach a target: more would be audible.
const MAX_LIMITING_DB: f64 = 8.0;
/// The highest true peak of a finished file that has a loudness target or several tracks; the second is that of a
/// single track whose level is unchanged.
const MAX_TRUE_PEAK_DBTP: f64 = -1.0;
const MAX_LONE_TRUE_PEAK_DBTP: f64 = 0.0;
/// Headroom for peaks added by the encoder (0.8 dB was measured on loud music).
const ENCODER_ROOM_DB: f64 = 2.0;
/// A smaller distance from the target is inaudible.
const LOUDNESS_TOLERANCE_LU: f64 = 0.3;
/// Audio that is not louder than this is silence and stays silent; it is also the gate of the measurement.
const SILENCE_LUFS: f64 = -70.0;
/// A loss of level in encoding beyond the usual loss of the highest octave (0.5 dB of clipped music at most).
const LOST_LEVEL_DB: f64 = 0.6;
/// Audio without a sample above this has no partial loud enough to suffer from the fast coder.
const LOUD_PARTIAL_DB: f64 = -7.0;

/// The changes that the mixing pass applies to the sum of the tracks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mastering {
    pub gain_db: f64,
    /// The limiter lets no sample pass above this.
    pub ceiling_db: f64,
    pub coder: Coder,
    max_gain_db: f64,
    target_lufs: Option<f64>,
    max_true_peak_dbtp: Option<f64>,
}

/// How the encoder searches for its quantisers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coder {
    /// As good as the other one in a third to two thirds of the time, but a single partial above half of full scale comes out
    /// up to 7 dB too low or flutters.
    Fast,
    Thorough,
}

/// Loudness by EBU R128; `None` for silence and for less than 0.4 s.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Loudness {
    pub integrated_lufs: Option<f64>,
    pub true_peak_dbtp: Option<f64>,
}

/// What is measured of finished audio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoudnessMeasurement {
    pub loudness: Loudness,
    pub level: Level,
    /// Whether the level of a loud tone changes in short succession: the fast coder varies a single partial above −4 dB
    /// by 1 dB at −3 dB and by 4 at full scale (sines of 60 to 4,000 Hz at eight levels).
    pub flutters: bool,
}

/// The level of samples in dB below full scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    pub mean_db: f64,
    pub peak_db: f64,
}

impl Mastering {
    /// Keeps the level. A single track may reach full scale and is limited only if the finished audio has a higher
    /// peak; the sum of several tracks is limited at once, because it could clip.
    pub fn plain(tracks: usize) -> Self {
        let (ceiling_db, max_true_peak_dbtp) = match tracks {
            0 | 1 => (0.0, Some(MAX_LONE_TRUE_PEAK_DBTP)),
            _ => (-ENCODER_ROOM_DB, Some(MAX_TRUE_PEAK_DBTP)),
        };
        let coder = Coder::Fast;
        Self { gain_db: 0.0, ceiling_db, coder, max_gain_db: 0.0, target_lufs: None, max_true_peak_dbtp }
    }

    /// Aims at `target_lufs`, given the measurement of the mix.
    pub fn towards(target_lufs: f64, mix: Loudness) -> Self {
        let ceiling_db = -ENCODER_ROOM_DB;
        let limited = |peak: f64| ceiling_db + MAX_LIMITING_DB - peak;
        let (gain_db, max_gain_db) = match (mix.integrated_lufs, mix.true_peak_dbtp) {
            (Some(lufs), Some(peak)) if lufs > SILENCE_LUFS => {
                let max_gain = limited(peak).min(MAX_GAIN_DB);
                ((target_lufs - lufs).min(max_gain), max_gain)
            }
            _ => (0.0, 0.0),
        };
        let (coder, max_true_peak_dbtp) = (Coder::Fast, Some(MAX_TRUE_PEAK_DBTP));
        Self { gain_db, ceiling_db, coder, max_gain_db, target_lufs: Some(target_lufs), max_true_peak_dbtp }
    }

    /// The same for a range of the mix, whose loudness need not be that of the whole.
    pub fn settled(self) -> Self {
        Self { target_lufs: None, ..self }
    }

    /// The changes after this mastering gave a file with the measurement `encoded`; `None` if it is good. `mixed` is the
    /// level before encoding.
    pub fn corrected(&self, encoded: LoudnessMeasurement, mixed: Option<Level>) -> Option<Self> {
        let LoudnessMeasurement { loudness, level, flutters } = encoded;
        let has_lost_level = mixed.is_some_and(|mixed| {
            mixed.peak_db > LOUD_PARTIAL_DB && mixed.mean_db - level.mean_db > LOST_LEVEL_DB - 1e-6
        });
        if self.coder == Coder::Fast && (has_lost_level || flutters) {
            return Some(Self { coder: Coder::Thorough, ..*self });
        }
        let over_db = difference(loudness.true_peak_dbtp, self.max_true_peak_dbtp);
        let short_db = difference(self.target_lufs, loudness.integrated_lufs);
        let gain_db = if short_db > LOUDNESS_TOLERANCE_LU + 1e-6 {
            (self.gain_db + short_db).min(self.max_gain_db.max(self.gain_db))
        } else {
            self.gain_db
        };
        // Peaks are lowered slightly more than necessary, otherwise every pass would end just above the limit.
        let ceiling_db = if over_db > 1e-6 { self.ceiling_db - over_db - 0.2 } else { self.ceiling_db };
        let differs = ceiling_db < self.ceiling_db || gain_db > self.gain_db + 0.05;
        differs.then_some(Self { gain_db, ceiling_db, ..*self })
    }
}

/// The difference, or zero if one side is unknown.
fn difference(a: Option<f64>, b: Option<f64>) -> f64 {
    a.zip(b).map_or(0.0, |(a, b)| a - b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loudness(lufs: f64, peak: f64) -> Loudness {
        Loudness { integrated_lufs: Some(lufs), true_peak_dbtp: Some(peak) }
    }

    /// A measurement of audio that the fast coder does not harm.
    fn measured(loudness: Loudness) -> LoudnessMeasurement {
        let level = Level { mean_db: -20.0, peak_db: -6.0 };
        LoudnessMeasurement { loudness, level, flutters: false }
    }

    #[test]
    fn gain_approaches_the_target_within_the_limits_of_peaks_and_silence() {
        let gain = |target, mix| Mastering::towards(target, mix).gain_db;
        for (target, mix, expected) in [
            (-16.0, loudness(-20.0, -12.0), 4.0),
            (-16.0, loudness(-8.0, 0.5), -8.0),
            // The limiter takes 8 dB at a ceiling of −2, and no more.
            (-10.0, loudness(-26.0, -4.0), 10.0),
            (-10.0, loudness(-50.0, -40.0), 20.0),
            (-10.0, loudness(-70.0, -60.0), 0.0),
            (-10.0, Loudness::default(), 0.0),
            (-10.0, Loudness { true_peak_dbtp: Some(0.0), ..Loudness::default() }, 0.0),
        ] {
            assert_eq!(gain(target, mix), expected, "{target} from {mix:?}");
        }
    }

    #[test]
    fn only_a_peak_above_the_bound_or_a_missed_target_needs_another_pass() {
        let first = Mastering::towards(-14.0, loudness(-20.0, -5.0));
        assert_eq!(first.corrected(measured(loudness(-14.3, -1.0)), None), None);
        assert_eq!(first.corrected(measured(loudness(-13.2, -1.4)), None), None);
        let lower = first.corrected(measured(loudness(-14.0, -0.5)), None).unwrap();
        assert_eq!((lower.gain_db, lower.ceiling_db), (6.0, -2.7));
        let louder = first.corrected(measured(loudness(-15.0, -1.5)), None).unwrap();
        assert_eq!((louder.gain_db, louder.ceiling_db), (7.0, -2.0));
        // The target is out of reach, so another pass is useless.
        let bound = Mastering::towards(-8.0, loudness(-20.0, -2.0));
        assert_eq!(bound.corrected(measured(loudness(-12.5, -1.5)), None), None);
        // Without a target only peaks that are too high are turned down, for several tracks earlier than for one.
        for (tracks, max, ceiling_db) in [(1, 0.0, -1.1), (2, -1.0, -4.1)] {
            assert_eq!(Mastering::plain(tracks).corrected(measured(loudness(-3.0, max)), None), None);
            let lower = Mastering::plain(tracks).corrected(measured(loudness(-3.0, 0.9)), None).unwrap();
            assert_eq!((lower.gain_db, lower.ceiling_db), (0.0, ceiling_db));
        }
    }

    #[test]
    fn level_lost_by_the_fast_coder_or_flutter_needs_the_thorough_one_once() {
        let level = |mean_db, peak_db| Level { mean_db, peak_db };
        let next = |mastering: Mastering, mixed, level| {
            let encoded = LoudnessMeasurement { level, ..measured(Loudness::default()) };
            mastering.corrected(encoded, Some(mixed)).map(|next| next.coder)
        };
        let plain = Mastering::plain(1);
        assert_eq!(next(plain, level(-3.0, 0.0), level(-5.5, -2.0)), Some(Coder::Thorough));
        let thorough = Mastering { coder: Coder::Thorough, ..plain };
        assert_eq!(next(thorough, level(-3.0, 0.0), level(-5.5, -2.0)), None);
        assert_eq!(next(plain, level(-7.1, 0.0), level(-7.6, 0.0)), None);
        assert_eq!(next(plain, level(-30.0, -17.0), level(-31.7, -16.0)), None);
        assert_eq!(plain.corrected(measured(Loudness::default()), None), None);
        let fluttering = LoudnessMeasurement { flutters: true, ..measured(Loudness::default()) };
        assert_eq!(plain.corrected(fluttering, None), Some(thorough));
        assert_eq!(thorough.corrected(fluttering, None), None);
    }
}
