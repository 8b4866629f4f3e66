//! Colour balance: raises red, green and blue in shadows, midtones and highlights, each channel by a table of its own.
//!
//! Tonal ranges are defined as in image editors: by the channel's own value, which on greys is the lightness. ffmpeg's
//! `colorbalance` uses twice the lightness, so its midtones leave middle grey unchanged.

use crate::filter_graph::Filter;
use crate::request::model::ColorBalance;

/// The end of the shadows and, counted from white, the start of the highlights, as a part of full scale, like all
/// numbers here.
const OUTER: f64 = 0.46;
/// The extent of the midtones on both sides of middle grey.
const INNER: f64 = 0.35;
/// The highest rise, in the middle of a range at a value of 1. More would turn a ramp of greys back on itself.
const MAX_OUTER: f64 = 0.26;
const MAX_INNER: f64 = 0.2;
/// The rise for each unit of a small value, as with ffmpeg's filter.
const GAIN: f64 = 0.7;

/// The filter for RGB frames; `None` if it would change nothing.
pub(crate) fn filter(balance: &ColorBalance) -> Option<Filter> {
    let channels = ["r", "g", "b"].into_iter().zip(balance.shadows);
    let values = channels.zip(balance.midtones).zip(balance.highlights);
    let mut tables =
        values.filter_map(|(((channel, low), middle), high)| Some((channel, table(low, middle, high)?)));
    let first = tables.next()?;
    let filter = |filter: Filter, (channel, table): (&'static str, String)| filter.arg(channel, table);
    Some(tables.fold(filter(Filter::new("lutrgb"), first), filter))
}

/// The new value of a channel, as an expression that ffmpeg evaluates once for each of the 256 values.
fn table(low: f64, middle: f64, high: f64) -> Option<String> {
    let ranges = [
        (low, MAX_OUTER, format!("val/maxval/{OUTER}")),
        (middle, MAX_INNER, format!("abs(val/maxval-0.5)/{INNER}")),
        (high, MAX_OUTER, format!("(1-val/maxval)/{OUTER}")),
    ];
    let active_ranges = ranges.into_iter().filter(|(value, ..)| *value != 0.0);
    let rises: Vec<String> =
        active_ranges.map(|(value, most, distance)| rise(strength(value, most), &distance)).collect();
    (!rises.is_empty()).then(|| format!("val+maxval*({})+0.5", rises.join("+")))
}

/// A smooth hill: all of `strength` at a distance of 0, nothing from 1 on.
fn rise(strength: f64, distance: &str) -> String {
    format!("{strength:.5}*pow(cos(PI/2*min({distance},1)),2)")
}

/// Small values count in full; larger ones bend towards `most`, which is reached at 1.
fn strength(value: f64, most: f64) -> f64 {
    let bend = most / (GAIN - most);
    GAIN * bend * value / (value + bend)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZERO: ColorBalance = ColorBalance { shadows: [0.0; 3], midtones: [0.0; 3], highlights: [0.0; 3] };

    #[test]
    fn only_channels_that_change_have_a_table() {
        assert_eq!(filter(&ZERO), None);
        let names = |balance: &ColorBalance| {
            let text = filter(balance).unwrap().to_string();
            ["r", "g", "b"].map(|name| text.contains(&format!("{name}=val")))
        };
        assert_eq!(names(&ColorBalance { midtones: [0.0, 0.3, 0.0], ..ZERO }), [false, true, false]);
        assert_eq!(
            names(&ColorBalance { shadows: [0.1, 0.0, 0.0], highlights: [0.0, 0.0, 1.0], ..ZERO }),
            [true, false, true]
        );
    }

    #[test]
    fn small_values_are_linear_and_one_is_the_maximum() {
        let near =
            |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found}, {expected}");
        near(strength(0.0, 0.2), 0.0);
        near(strength(1.0, 0.2), 0.2);
        near(strength(1.0, 0.26), 0.26);
        assert!((strength(0.01, 0.2) / 0.01 - GAIN).abs() < 0.02);
    }

    /// Between neighbouring values the hill falls by less than the values rise.
    #[test]
    fn no_range_falls_faster_than_greys_rise() {
        for (most, width) in [(MAX_OUTER, OUTER), (MAX_INNER, INNER)] {
            assert!(most * std::f64::consts::FRAC_PI_2 / width < 0.95);
        }
    }
}
