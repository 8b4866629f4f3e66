//! Lengths in pixels.

/// Rounds to a thousandth of a pixel: more decimals would be noise in a segment's key.
pub(super) fn thousandths(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
