//! Colours in hexadecimal, as in CSS.

use super::model::Rgba;

pub(super) const ALLOWED: &str = "#RGB, #RRGGBB, #RRGGBBAA";
pub(super) const OPAQUE: &str = "#RGB, #RRGGBB";

pub(super) fn parse(text: &str) -> Option<Rgba> {
    let digits: Vec<u8> =
        text.strip_prefix('#')?.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
    match *digits.as_slice() {
        [r, g, b] => Some(Rgba { r: r * 17, g: g * 17, b: b * 17, a: 255 }),
        [r, r2, g, g2, b, b2] => Some(Rgba { r: r * 16 + r2, g: g * 16 + g2, b: b * 16 + b2, a: 255 }),
        [r, r2, g, g2, b, b2, a, a2] => {
            Some(Rgba { r: r * 16 + r2, g: g * 16 + g2, b: b * 16 + b2, a: a * 16 + a2 })
        }
        _ => None,
    }
}
