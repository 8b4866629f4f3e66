//! Seams of loops: the end is crossfaded into the beginning, so that a loop neither breaks off nor clicks. The
//! beginning, which plays first, is unchanged, and so are length and beat.

use std::fs::OpenOptions;
use std::io::{Read, Result, Seek, SeekFrom, Write};
use std::path::Path;

use clipmill_core::time::Samples;

use crate::audio::wav::{self, FRAME_BYTES};

/// A jump no larger than this times the largest one near it is not a seam: the audio was made to loop.
const USUAL: f32 = 1.2;
/// Jumps below this are inaudible.
const UNHEARD: f32 = 0.001;
/// The number of samples over which inverted audio is brought to a first sample that is not zero: 2 ms.
const TURN: usize = 96;
/// Shorter audio is a waveform rather than music.
const MIN_SAMPLES: u64 = 48;
/// The length of the crossfade into a beginning with a beat, and the range in which a jump is searched: 10 ms. The
/// crossfade uses the beginning played backwards, which is inaudible so shortly before the beat.
const SHORT: usize = 480;
/// There is no beat if no 20 ms around a seam have more than this many times the power of any other 20 ms.
const STEADY: f32 = 4.0;
const PART: usize = 960;

/// The left and the right sample.
type Frame = [f32; 2];

/// Closes the loops of a WAV file written by clipmill: crossfades the end of every `period` samples, over at most
/// `reach`, into the beginning of the file, which follows each of them.
pub fn close_all(path: &Path, period: Samples, reach: Samples) -> Result<()> {
    let reach = reach.0.min(period.0 / 2);
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let Some((start, samples)) = wav::samples_in(&mut file)? else { return Ok(()) };
    if reach < MIN_SAMPLES || samples.0 < period.0 {
        return Ok(());
    }
    let place = |sample: u64| SeekFrom::Start(start + sample * FRAME_BYTES);
    let mut read = |from: u64| -> Result<Vec<Frame>> {
        file.seek(place(from))?;
        let mut bytes = vec![0; (reach * FRAME_BYTES) as usize];
        file.read_exact(&mut bytes)?;
        let values = bytes.as_chunks().0.iter().map(|value| f32::from_le_bytes(*value));
        Ok(values.collect::<Vec<f32>>().as_chunks().0.to_vec())
    };
    let (tail, head) = (read(period.0 - reach)?, read(0)?);
    let Some(led) = lead(&tail, &head) else { return Ok(()) };
    let bytes: Vec<u8> = led.as_flattened().iter().flat_map(|value| value.to_le_bytes()).collect();
    for end in (period.0..=samples.0).step_by(period.0 as usize) {
        file.seek(place(end - led.len() as u64))?;
        file.write_all(&bytes)?;
    }
    Ok(())
}

/// The tail, or the end of it, crossfaded towards the first sample of the head; `None` if it needs no crossfade. Both have
/// the same length.
fn lead(tail: &[Frame], head: &[Frame]) -> Option<Vec<Frame>> {
    let short = head.len().min(SHORT);
    let (near_tail, near_head) = (&tail[tail.len() - short..], &head[..short]);
    if !(0..2).any(|side| jumps(near_tail, near_head, side)) {
        return None;
    }
    let (tail, head) = if is_steady(tail, head) { (tail, head) } else { (near_tail, near_head) };
    Some(crossfaded(tail, &before(tail, head)))
}

fn is_steady(tail: &[Frame], head: &[Frame]) -> bool {
    let powers = tail.chunks(PART).chain(head.chunks(PART)).map(power);
    let (min, max) = powers.fold((f32::MAX, 0f32), |(min, max), power| (min.min(power), max.max(power)));
    max <= STEADY * min
}

/// The mean square of both sides.
fn power(part: &[Frame]) -> f32 {
    part.as_flattened().iter().map(|value| value * value).sum::<f32>() / part.len() as f32
}

fn jumps(tail: &[Frame], head: &[Frame], side: usize) -> bool {
    let largest = |part: &[Frame]| {
        part.windows(2).map(|pair| (pair[1][side] - pair[0][side]).abs()).fold(UNHEARD, f32::max)
    };
    let (Some(last), Some(first)) = (tail.last(), head.first()) else { return false };
    (first[side] - last[side]).abs() > USUAL * largest(tail).max(largest(head))
}

/// A plausible predecessor of the head: the head played backwards, or backwards and inverted so that it ends at the
/// first sample; the one that resembles the tail more.
fn before(tail: &[Frame], head: &[Frame]) -> Vec<Frame> {
    let backwards: Vec<Frame> = head.iter().rev().copied().collect();
    let first = head.first().copied().unwrap_or_default();
    let turned = |(i, frame): (usize, &Frame)| {
        let near = ((i + 1 + TURN).saturating_sub(backwards.len())) as f32 / TURN as f32;
        [0, 1].map(|side| 2.0 * first[side] * near * near - frame[side])
    };
    let turned: Vec<Frame> = backwards.iter().enumerate().map(turned).collect();
    if likeness(tail, &turned) > likeness(tail, &backwards) { turned } else { backwards }
}

/// Crossfades at constant power, also if both are alike.
fn crossfaded(from: &[Frame], to: &[Frame]) -> Vec<Frame> {
    let alike = likeness(from, to).clamp(-0.7, 1.0);
    let count = from.len() as f32;
    let mix = |(i, (a, b)): (usize, (&Frame, &Frame))| {
        let (rise, fall) = (std::f32::consts::FRAC_PI_2 * (i + 1) as f32 / count).sin_cos();
        let level = (1.0 + 2.0 * alike * rise * fall).sqrt();
        [0, 1].map(|side| (fall * a[side] + rise * b[side]) / level)
    };
    from.iter().zip(to).enumerate().map(mix).collect()
}

/// The correlation: 1 for equal audio, 0 if it has nothing in common or is silent.
fn likeness(a: &[Frame], b: &[Frame]) -> f32 {
    let product = |a: &[Frame], b: &[Frame]| -> f32 {
        a.as_flattened().iter().zip(b.as_flattened()).map(|(a, b)| a * b).sum()
    };
    let power = (product(a, a) * product(b, b)).sqrt();
    if power > 0.0 { product(a, b) / power } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REACH: usize = 2880;

    fn wave(from: usize, of: impl Fn(f32) -> f32) -> Vec<Frame> {
        (from..from + REACH).map(|i| [of(i as f32 / 48_000.0); 2]).collect()
    }

    /// A tone that is cut after `count` samples at any phase: its end, what that becomes, and its beginning.
    fn tone(hz: f32, phase: f32, count: usize) -> (Vec<Frame>, Option<Vec<Frame>>, Vec<Frame>) {
        let of = |time: f32| 0.5 * (std::f32::consts::TAU * hz * time + phase).sin();
        let (tail, head) = (wave(count - REACH, of), wave(0, of));
        let led = lead(&tail, &head);
        (tail, led, head)
    }

    #[test]
    fn a_tone_that_fits_is_unchanged() {
        for (hz, phase) in [(50.0, 0.0), (50.0, 1.5), (440.0, 0.7), (1000.0, 1.6), (12_000.0, 0.1)] {
            assert_eq!(tone(hz, phase, 48_000).1, None, "{hz} Hz at {phase}");
        }
    }

    #[test]
    fn a_tone_that_does_not_fit_neither_jumps_nor_dips() {
        let mut led_ones = 0;
        for step in 0..48 {
            let (tail, led, head) = tone(500.0, 0.9, 48_000 + 2 * step);
            let Some(led) = led else { continue };
            led_ones += 1;
            let joined = [led.as_slice(), head.as_slice()].concat();
            let jump = joined.windows(2).map(|pair| (pair[1][0] - pair[0][0]).abs()).fold(0.0, f32::max);
            assert!(jump < 0.1, "a jump of {jump} at step {step}");
            for part in led.chunks(240) {
                let change = 10.0 * (power(part) / power(&tail)).log10();
                assert!(change.abs() < 1.5, "{change} dB at step {step}");
            }
        }
        assert!(led_ones > 30, "{led_ones} were led");
    }

    #[test]
    fn a_loud_end_fades_to_a_silent_beginning_and_silence_stays() {
        let silence = vec![[0.0; 2]; REACH];
        let loud = wave(0, |time| 0.5 * (3000.0 * time).cos());
        let led = lead(&loud, &silence).unwrap();
        assert!(led[SHORT - 1][0].abs() < 0.001 && (led[0][0] - loud[REACH - SHORT][0]).abs() < 0.01);
        assert_eq!(lead(&silence, &silence), None);
    }

    #[test]
    fn steady_audio_is_crossfaded_over_the_full_reach_and_beats_stay_in_time() {
        let tail = wave(0, |time| 0.3 * (2764.6 * time + 1.0).sin());
        let other = wave(0, |time| 0.3 * (4147.0 * time + 2.0).cos());
        assert_eq!(lead(&tail, &other).unwrap().len(), REACH);
        let chord = |from| {
            wave(from, |time| {
                [220.0, 277.2, 329.6]
                    .iter()
                    .map(|hz| 0.15 * (std::f32::consts::TAU * hz * time + 1.3).sin())
                    .sum()
            })
        };
        assert_eq!(lead(&chord(77_777), &chord(0)).unwrap().len(), REACH);
        let beat = |late: f32| {
            wave(0, move |time| {
                let time = time - late;
                if time < 0.0 { 0.02 } else { 0.9 * (-60.0 * time).exp() * (2000.0 * time + 1.6).sin() }
            })
        };
        for late in [0.0, 0.03] {
            let led = lead(&tail, &beat(late)).unwrap();
            assert_eq!(led.len(), SHORT, "a beat {late} s after the beginning");
            let early = led.iter().take(SHORT / 2).fold(0f32, |max, frame| max.max(frame[0].abs()));
            assert!(early < 0.75, "{early} well before the beat");
        }
    }

    #[test]
    fn every_period_in_a_file_is_crossfaded_and_nothing_else_changes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("loop.wav");
        let (period, passes) = (1_000, 3);
        wav::write_silence(&path, Samples(period * passes)).unwrap();
        let ramp: Vec<f32> = (0..period).map(|i| i as f32 / period as f32).collect();
        let bytes: Vec<u8> = ramp.iter().flat_map(|value| [*value; 2]).flat_map(f32::to_le_bytes).collect();
        let header = std::fs::metadata(&path).unwrap().len() as usize - bytes.len() * passes as usize;
        let mut file = std::fs::read(&path).unwrap();
        file.splice(header.., bytes.repeat(passes as usize));
        std::fs::write(&path, &file).unwrap();
        close_all(&path, Samples(period), Samples(480)).unwrap();
        let after = std::fs::read(&path).unwrap();
        assert_eq!(after.len(), file.len());
        let sample = |i: usize| f32::from_le_bytes(after[header + 8 * i..][..4].try_into().unwrap());
        for pass in 0..passes as usize {
            let from = pass * period as usize;
            assert!((0..520).all(|i| sample(from + i) == ramp[i]), "pass {pass}");
            assert!(sample(from + 999).abs() < 0.01, "pass {pass} ends at {}", sample(from + 999));
        }
        // Audio shorter than the crossfade is unchanged.
        for period in [1, 40, 90] {
            close_all(&path, Samples(period), Samples(480)).unwrap();
        }
        assert!(std::fs::read(&path).unwrap() == after);
    }
}
