//! Loudness of audio: measured from raw samples by EBU R128, or read from the log of ffmpeg's filters, where each filter
//! has a number (`args/mix.rs`).

use std::io::Read;

use clipmill_core::time::{SAMPLE_RATE, Samples};
use ebur128::{EbuR128, Mode};

use crate::audio::mastering::{Level, Loudness, LoudnessMeasurement};
use crate::audio::wav::FRAME_BYTES;

/// How many stereo samples are measured at once: a tenth of a second.
const AT_ONCE: u64 = SAMPLE_RATE / 10;

/// What is measured at once is little more than one loud tone if its peak is above the first level and its root mean
/// square less than the second below the peak (3 dB for a sine). Such a tone flutters if its level changes by more than
/// the third from one block to the next.
const LOUD_TONE_DB: f64 = -4.5;
const TONE_CREST_DB: f64 = 4.5;
const FLUTTER_DB: f64 = 0.3;

/// The filter that measures the level of a mix.
pub(crate) const VOLUMEDETECT: &str = "volumedetect";

/// Reads raw samples ([`RAW_AUDIO`](crate::ffmpeg::args::RAW_AUDIO)) to their end; returns their number and their
/// measurement in hundredths.
pub fn measure(mut raw: impl Read) -> std::io::Result<(Samples, LoudnessMeasurement)> {
    let mut meter = EbuR128::new(2, SAMPLE_RATE as u32, Mode::I | Mode::TRUE_PEAK).map_err(refused)?;
    let (mut bytes, mut samples) = (Vec::new(), Vec::new());
    let (mut count, mut squares, mut peak) = (0u64, 0.0, 0.0f64);
    let (mut tones, mut flutters) = ([None; 2], false);
    loop {
        bytes.clear();
        raw.by_ref().take(AT_ONCE * FRAME_BYTES).read_to_end(&mut bytes)?;
        let whole = bytes.as_chunks::<{ FRAME_BYTES as usize }>().0.as_flattened();
        samples.clear();
        samples.extend(whole.as_chunks().0.iter().map(|sample| f32::from_le_bytes(*sample)));
        if samples.is_empty() {
            break;
        }
        meter.add_frames_f32(&samples).map_err(refused)?;
        for (side, tone) in tones.iter_mut().enumerate() {
            let block = BlockLevel::of(samples.iter().skip(side).step_by(2));
            squares += block.squares;
            peak = peak.max(block.peak);
            let previous = std::mem::replace(tone, block.loud_tone_db());
            flutters |= previous.zip(*tone).is_some_and(|(a, b): (f64, f64)| (a - b).abs() > FLUTTER_DB);
        }
        count += samples.len() as u64;
    }
    let true_peak = meter.true_peak(0).map_err(refused)?.max(meter.true_peak(1).map_err(refused)?);
    let (lufs, true_peak_dbtp) = (meter.loudness_global().map_err(refused)?, 20.0 * true_peak.log10());
    let loudness = Loudness {
        integrated_lufs: Some(hundredths(lufs)).filter(|lufs| lufs.is_finite()),
        true_peak_dbtp: Some(hundredths(true_peak_dbtp)).filter(|peak| peak.is_finite()),
    };
    let level =
        Level { mean_db: 10.0 * (squares / count.max(1) as f64).log10(), peak_db: 20.0 * peak.log10() };
    Ok((Samples(count / 2), LoudnessMeasurement { loudness, level, flutters }))
}

/// One side of the samples that are measured at once.
struct BlockLevel {
    count: u64,
    squares: f64,
    peak: f64,
}

impl BlockLevel {
    fn of<'a>(samples: impl Iterator<Item = &'a f32>) -> Self {
        samples.map(|sample| f64::from(*sample)).fold(
            Self { count: 0, squares: 0.0, peak: 0.0 },
            |block, sample| Self {
                count: block.count + 1,
                squares: block.squares + sample * sample,
                peak: block.peak.max(sample.abs()),
            },
        )
    }

    fn mean_db(&self) -> f64 {
        10.0 * (self.squares / self.count.max(1) as f64).log10()
    }

    /// The level of a whole block that is loud and little more than one tone.
    fn loud_tone_db(&self) -> Option<f64> {
        let (mean_db, peak_db) = (self.mean_db(), 20.0 * self.peak.log10());
        let is_tone = self.count == AT_ONCE && peak_db > LOUD_TONE_DB && peak_db - mean_db < TONE_CREST_DB;
        is_tone.then_some(mean_db)
    }
}

fn refused(error: ebur128::Error) -> std::io::Error {
    std::io::Error::other(error)
}

fn hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// The result of a `volumedetect` filter.
pub fn level(log: &str, of: usize) -> Option<Level> {
    let (mean_db, peak_db) = (value_after(log, of, "mean_volume:")?, value_after(log, of, "max_volume:")?);
    Some(Level { mean_db: mean_db.parse().ok()?, peak_db: peak_db.parse().ok()? })
}

/// The word after `label` in the last report of a `volumedetect` filter: a filter that is set up again reports twice.
fn value_after<'a>(log: &'a str, of: usize, label: &str) -> Option<&'a str> {
    let name = format!("[{VOLUMEDETECT}@{of} @ ");
    let lines = log.lines().filter(|line| line.starts_with(&name));
    lines.rev().find_map(|line| line.split_once(label))?.1.split_whitespace().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
[volumedetect@10 @ 0x1] n_samples: 0
[volumedetect@10 @ 0x2] n_samples: 9
[volumedetect@10 @ 0x2] mean_volume: -20.4 dB
[volumedetect@10 @ 0x2] max_volume: -4.6 dB
[volumedetect@1 @ 0x3] n_samples: 0
";

    #[test]
    fn each_filter_is_read_by_its_number() {
        assert_eq!(level(LOG, 10), Some(Level { mean_db: -20.4, peak_db: -4.6 }));
        assert_eq!((level(LOG, 1), level("", 0)), (None, None));
    }

    /// Stereo samples with the same signal on both sides.
    fn raw(seconds: f64, sample: impl Fn(f64) -> f64) -> Vec<u8> {
        let times = (0..(seconds * SAMPLE_RATE as f64) as u64).map(|n| n as f64 / SAMPLE_RATE as f64);
        times.flat_map(|time| [sample(time) as f32; 2]).flat_map(f32::to_le_bytes).collect()
    }

    /// EBU Tech 3341, case 1: a stereo sine of 1 kHz with peaks at −23 dBFS measures −23 LUFS.
    #[test]
    fn a_sine_is_as_loud_as_the_standard_says() {
        let amplitude = 10f64.powf(-23.0 / 20.0);
        let sine = raw(20.0, |time| amplitude * (std::f64::consts::TAU * 1000.0 * time).sin());
        let (samples, heard) = measure(sine.as_slice()).unwrap();
        assert_eq!(samples, Samples(20 * SAMPLE_RATE));
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 0.1, "{found}, {expected}");
        near(heard.loudness.integrated_lufs.unwrap(), -23.0);
        near(heard.loudness.true_peak_dbtp.unwrap(), -23.0);
        near(heard.level.peak_db, -23.0);
        near(heard.level.mean_db, -26.0);
    }

    /// Tech 3341, case 15: at a quarter of the rate and out of phase with the samples, peaks are between samples.
    #[test]
    fn a_peak_between_samples_is_measured() {
        let phase = std::f64::consts::FRAC_PI_4;
        let sine = raw(1.0, |time| 0.5 * (std::f64::consts::TAU * 12_000.0 * time + phase).sin());
        let (_, heard) = measure(sine.as_slice()).unwrap();
        assert!((heard.level.peak_db + 9.03).abs() < 0.01, "{heard:?}");
        let peak = heard.loudness.true_peak_dbtp.unwrap();
        assert!((-6.42..=-5.82).contains(&peak), "{peak}");
    }

    #[test]
    fn only_a_loud_tone_by_itself_flutters() {
        let tone = |hertz: f64, db: f64| {
            move |time: f64| 10f64.powf(db / 20.0) * (std::f64::consts::TAU * hertz * time).sin()
        };
        let flutters = |signal: &dyn Fn(f64) -> f64| measure(raw(0.5, signal).as_slice()).unwrap().1.flutters;
        // 1.4 dB lower for 50 ms.
        let dip = |time: f64| if (0.15..0.2).contains(&time) { 0.85 } else { 1.0 };
        let (low, high, quiet) = (tone(150.0, -3.0), tone(1700.0, -4.0), tone(440.0, -6.0));
        assert!(flutters(&|time| dip(time) * low(time)) && flutters(&|time| dip(time) * high(time)));
        assert!(!flutters(&low) && !flutters(&high));
        assert!(!flutters(&|time| dip(time) * quiet(time)));
        assert!(!flutters(&|time| if time < 0.15 { low(time) } else { 0.0 }));
        assert!(!flutters(&|time| dip(time) * 0.6 * (low(time) + high(time))));
    }

    #[test]
    fn silence_and_short_audio_have_no_loudness() {
        let (samples, heard) = measure(raw(1.0, |_| 0.0).as_slice()).unwrap();
        assert_eq!((samples, heard.loudness), (Samples(SAMPLE_RATE), Loudness::default()));
        let (samples, heard) = measure(raw(0.35, |time| (time * 3000.0).sin() / 2.0).as_slice()).unwrap();
        assert_eq!((samples, heard.loudness.integrated_lufs), (Samples(16_800), None));
        assert!(heard.loudness.true_peak_dbtp.is_some());
        let (samples, heard) = measure([0u8; 7].as_slice()).unwrap();
        assert_eq!((samples, heard.loudness), (Samples(0), Loudness::default()));
    }
}
