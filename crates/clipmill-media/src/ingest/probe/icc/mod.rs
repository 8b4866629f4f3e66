//! ICC profiles of images: those of RGB and grey images that consist of tone curves and a matrix, as used by cameras,
//! phones and screens. All others are ignored, so an image without a usable profile has the colours of sRGB.

mod embedded;

use std::path::Path;

use clipmill_core::error::TaskError;
use clipmill_core::media::{ImageProfile, RgbProfile, ToneCurve};
use moxcms::{ColorProfile, DataColorSpace, ParsingOptions, ToneReprCurve};

use crate::blocking::blocking;
use crate::error::MediaError;
use crate::ffmpeg::policy;

/// Profiles precede the image's data; one that begins after this offset is ignored.
const HEAD_BYTES: usize = 2 << 20;
/// Profiles of curves and a matrix have a few kilobytes; those of a printer have large tables.
const MAX_PROFILE_BYTES: usize = 128 << 10;
const MAX_CURVE_ENTRIES: usize = 4096;
/// Curves that differ less than this, in linear light, are taken for the same.
const SAME_CURVE: f32 = 0.02;
/// A matrix that differs less than this from identity, in each entry, is not applied.
const SAME_PRIMARIES: f64 = 0.01;
/// How far white may be from white: a matrix beyond this is not that of a device.
const WHITE: f64 = 0.02;
const MAX_ENTRY: f64 = 4.0;

/// The colours of the image at `path`. Only opening it can fail: a profile is a hint, not a condition.
pub async fn profile(path: &Path) -> Result<ImageProfile, TaskError> {
    let path = path.to_owned();
    let read = move || {
        let head = policy::head::<HEAD_BYTES>(&path).map_err(MediaError::file("read", &path))?;
        Ok::<_, MediaError>(profile_of(&head))
    };
    Ok(blocking(read).await??.map_or(ImageProfile::Srgb, ImageProfile::Rgb))
}

/// The first bytes of an image; for the fuzz target, which checks that any bytes can be read.
#[cfg(any(test, fuzzing))]
pub fn check_bytes(head: &[u8]) -> bool {
    profile_of(head).is_some()
}

fn profile_of(head: &[u8]) -> Option<RgbProfile> {
    rgb_profile(&embedded::profile(head)?)
}

/// The conversion of a profile; `None` if it changes nothing, or if it is not supported.
fn rgb_profile(bytes: &[u8]) -> Option<RgbProfile> {
    let options = ParsingOptions {
        max_profile_size: MAX_PROFILE_BYTES + 1,
        max_allowed_clut_size: MAX_PROFILE_BYTES,
        max_allowed_trc_size: MAX_CURVE_ENTRIES,
    };
    let profile = ColorProfile::new_from_slice_with_options(bytes, options).ok()?;
    let (curve, matrix) = match profile.color_space {
        DataColorSpace::Rgb if profile.pcs == DataColorSpace::Xyz => {
            let curves = [&profile.red_trc, &profile.green_trc, &profile.blue_trc];
            (common_curve(curves)?, matrix_to_srgb(&profile)?)
        }
        DataColorSpace::Gray => {
            (common_curve([&profile.gray_trc])?, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
        }
        _ => return None,
    };
    let is_srgb = curve == ToneCurve::Srgb && is_identity(&matrix);
    let parts = |value: f64| (value * f64::from(RgbProfile::UNIT)).round() as i32;
    (!is_srgb).then(|| RgbProfile { curve, to_srgb: matrix.map(|row| row.map(parts)) })
}

/// The matrix from linear light of the profile to that of sRGB, which maps white to white.
fn matrix_to_srgb(profile: &ColorProfile) -> Option<[[f64; 3]; 3]> {
    let matrix = profile.transform_matrix(&ColorProfile::new_srgb()).v;
    let sums = matrix.map(|row| row.iter().sum::<f64>());
    let is_sane = sums.iter().all(|sum| (sum - 1.0).abs() < WHITE)
        && matrix.iter().flatten().all(|entry| entry.abs() <= MAX_ENTRY);
    let mut matrix = matrix;
    for (row, sum) in matrix.iter_mut().zip(sums) {
        row.iter_mut().for_each(|entry| *entry /= sum);
    }
    is_sane.then_some(matrix)
}

fn is_identity(matrix: &[[f64; 3]; 3]) -> bool {
    let entries = matrix.iter().enumerate().flat_map(|(to, row)| {
        row.iter().enumerate().map(move |(from, entry)| entry - f64::from(u8::from(from == to)))
    });
    entries.into_iter().all(|difference| difference.abs() < SAME_PRIMARIES)
}

/// The curve that all channels have.
fn common_curve<const N: usize>(curves: [&Option<ToneReprCurve>; N]) -> Option<ToneCurve> {
    let mut sampled = Vec::with_capacity(N);
    for curve in curves {
        sampled.push(samples(curve.as_ref()?)?);
    }
    let gamma = gamma_of(sampled.first()?);
    let candidates = [Some(ToneCurve::Srgb), gamma].into_iter().flatten();
    let distance = |curve: &ToneCurve| {
        let distances = sampled.iter().flatten().map(|(at, light)| (linear(*curve, *at) - light).abs());
        distances.fold(0.0, f32::max)
    };
    let nearest = candidates.min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    (distance(&nearest) < SAME_CURVE).then_some(nearest)
}

/// Values of a curve with their linear light.
fn samples(curve: &ToneReprCurve) -> Option<Vec<(f32, f32)>> {
    const STEPS: u8 = 64;
    let evaluator = curve.make_linear_evaluator().ok()?;
    let sample = |step| {
        let at = f32::from(step) / f32::from(STEPS);
        let light = evaluator.evaluate_value(at);
        light.is_finite().then_some((at, light))
    };
    // The library gives no number for a power of 0.
    (1..=STEPS).map(sample).collect()
}

/// The power that a curve has in its middle.
fn gamma_of(samples: &[(f32, f32)]) -> Option<ToneCurve> {
    let &(at, light) = samples.get(samples.len() / 2)?;
    let gamma = light.ln() / at.ln();
    (1.0..=3.0).contains(&gamma).then(|| ToneCurve::Gamma((gamma * 1000.0).round() as u32))
}

fn linear(curve: ToneCurve, value: f32) -> f32 {
    match curve {
        ToneCurve::Srgb if value <= 0.04045 => value / 12.92,
        ToneCurve::Srgb => ((value + 0.055) / 1.055).powf(2.4),
        ToneCurve::Gamma(thousandths) => value.powf(thousandths as f32 / 1000.0),
    }
}

#[cfg(test)]
mod tests;
