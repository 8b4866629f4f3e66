//! Typed values: numbers in their steps and ranges, texts, choices, URLs, colours.

use std::ops::RangeInclusive;

use serde_json::Value;

use super::model::Rgba;
use super::names::nearest;
use super::reader::Node;
use super::{color, url};
use crate::fonts::{CaptionFont, FontRef};
use crate::message::{self, Message};
use crate::time::Fps;

/// The tolerance of a number around its step: clients compute 0.1 × 3 in binary.
const TOLERANCE: f64 = 1e-6;

/// The range and step of a number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    pub min: f64,
    pub max: f64,
    /// Whether `min` itself is excluded.
    above: bool,
    /// Whether only multiples of 0.1 are allowed.
    tenths: bool,
}

impl Range {
    pub const fn new(min: f64, max: f64) -> Self {
        Self { min, max, above: false, tenths: false }
    }

    /// A range in steps of 0.1.
    pub const fn tenths(min: f64, max: f64) -> Self {
        Self { min, max, above: false, tenths: true }
    }

    /// A range that excludes zero.
    pub const fn positive(max: f64) -> Self {
        Self { min: 0.0, max, above: true, tenths: false }
    }

    /// The value in its normal form; `None` if it is off the step or out of range.
    fn accept(self, value: f64) -> Option<f64> {
        // Normal forms have at most six decimals: exact in JSON and back, and finer than a sample of audio.
        let rounded = if self.tenths { round_to(value, 10.0) } else { round_to(value, 1e6) };
        if self.tenths && (value - rounded).abs() > TOLERANCE {
            return None;
        }
        let judged = if self.tenths { rounded } else { value };
        let inside = (self.min..=self.max).contains(&judged) && !(self.above && rounded <= self.min);
        inside.then_some(rounded)
    }

    fn message(self) -> Message {
        let Self { min, max, .. } = self;
        match (self.above, self.tenths) {
            (true, _) => message::above(min, max),
            (_, true) => message::between_in_steps(format!("{min:.1}"), format!("{max:.1}")),
            _ => message::between(min, max),
        }
    }

    fn allowed(self) -> Message {
        let Self { min, max, .. } = self;
        match (self.above, self.tenths) {
            (true, _) => message::allowed_above_to(min, max),
            (_, true) => message::allowed_tenths(format!("{min:.1}"), format!("{max:.1}")),
            _ => message::allowed_range(min, max),
        }
    }
}

/// Rounds to a multiple of 1/`parts`; adding zero turns −0 into 0.
fn round_to(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts + 0.0
}

impl Node<'_, '_, '_> {
    pub fn boolean(self) -> Option<bool> {
        match self.value? {
            Value::Bool(value) => Some(*value),
            _ => self.refuse(message::not_boolean(), Some(message::allowed_values("true, false"))),
        }
    }

    pub fn number(self, range: Range) -> Option<f64> {
        let Some(value) = self.value?.as_f64() else {
            return self.refuse(message::not_a_number(), Some(range.allowed()));
        };
        match range.accept(value) {
            None => self.refuse(range.message(), Some(range.allowed())),
            accepted => accepted,
        }
    }

    /// A whole number, which may be written as `30.0`.
    pub fn integer<T: TryFrom<i128>>(self, range: RangeInclusive<u64>) -> Option<T> {
        let (min, max) = (range.start(), range.end());
        let allowed = Some(message::allowed_range(*min, *max));
        let Some(value) = whole(self.value?) else {
            return self.refuse(message::not_whole(), allowed);
        };
        if !(i128::from(*min)..=i128::from(*max)).contains(&value) {
            return self.refuse(message::between(*min, *max), allowed);
        }
        T::try_from(value).ok()
    }

    pub fn fps(self) -> Option<Fps> {
        let rate = whole(self.value?).and_then(|rate| u32::try_from(rate).ok());
        match rate.and_then(Fps::new) {
            None => {
                let rates = Fps::ALLOWED.map(|rate| rate.to_string()).join(", ");
                self.refuse(message::none_of(&rates), Some(message::allowed_values(rates)))
            }
            fps => fps,
        }
    }

    /// Text of at most `max` characters, without control characters.
    pub fn text(self, max: usize) -> Option<String> {
        let allowed = || Some(message::allowed_string(max));
        let Some(text) = self.value?.as_str() else {
            return self.refuse(message::not_a_string(), allowed());
        };
        let length = text.chars().count();
        if length > max {
            return self.refuse(message::too_many_characters(length, max), allowed());
        }
        if text.chars().any(char::is_control) {
            return self.refuse(message::control_characters(), allowed());
        }
        Some(text.to_owned())
    }

    /// [`Node::text`] that may contain line breaks and tabs.
    pub fn lines(self, max: usize) -> Option<String> {
        let Some(text) = self.value?.as_str().map(|text| text.replace("\r\n", "\n").replace('\r', "\n"))
        else {
            return self.text(max);
        };
        let is_refused = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
        if text.chars().any(is_refused) {
            return self.refuse(message::control_characters_in_lines(), Some(message::allowed_string(max)));
        }
        let one_line = Value::String(text.replace(['\n', '\t'], " "));
        let Node { path, report, shape, .. } = self;
        Node { value: Some(&one_line), path, report, shape }.text(max).map(|_| text)
    }

    /// One of a few names, converted to its value.
    pub fn choice<T: Copy>(self, options: &[(&'static str, T)]) -> Option<T> {
        let names: Vec<_> = options.iter().map(|(name, _)| *name).collect();
        let all = names.join(", ");
        let Some(text) = self.value?.as_str() else {
            return self.refuse(message::not_a_name(&all), Some(message::allowed_values(all)));
        };
        if let Some((_, value)) = options.iter().find(|(name, _)| *name == text) {
            return Some(*value);
        }
        let message = match nearest(text, &names) {
            Some(near) => message::none_of_but(&all, near),
            None => message::none_of(&all),
        };
        self.refuse(message, Some(message::allowed_values(all)))
    }

    /// One of a few names, or an opaque colour.
    pub fn choice_or_color<T: Copy>(
        self,
        options: &[(&'static str, T)],
        of_color: impl FnOnce(Rgba) -> T,
    ) -> Option<T> {
        let text = self.value?.as_str().unwrap_or_default();
        if let Some((_, value)) = options.iter().find(|(name, _)| *name == text) {
            return Some(*value);
        }
        if let Some(color) = color::parse(text).filter(|color| color.a == 255) {
            return Some(of_color(color));
        }
        let names: Vec<_> = options.iter().map(|(name, _)| *name).chain([color::OPAQUE]).collect();
        let all = names.join(", ");
        self.refuse(message::none_of(&all), Some(message::allowed_values(all)))
    }

    /// The URL of an input file.
    pub fn url(self) -> Option<String> {
        let local = self.report.policy.allow_local_paths;
        self.checked_url(url::allowed_input(), |text| url::check_input(text, local))
    }

    /// The name of a font, or the URL of an uploaded font file.
    pub fn font(self) -> Option<FontRef> {
        let local = self.report.policy.allow_local_paths;
        match self.value?.as_str() {
            Some(text) if url::is_font_file(text, local) => {
                let url = self.checked_url(url::allowed_font(), |text| url::check_font(text, local));
                url.map(FontRef::File)
            }
            text => {
                let fonts = CaptionFont::ALL.map(|font| (font.entry().name, font));
                let names = fonts.map(|(name, _)| name);
                if text.is_some_and(|text| !names.contains(&text) && nearest(text, &names).is_none()) {
                    let all = names.join(", ");
                    return self.refuse(message::no_such_font(&all), Some(message::allowed_values(all)));
                }
                self.choice(&fonts).map(FontRef::Catalogue)
            }
        }
    }

    /// A URL that clipmill calls rather than downloads.
    pub fn web_url(self) -> Option<String> {
        self.checked_url(url::allowed_web(), url::check_web)
    }

    fn checked_url(self, allowed: Message, check: impl Fn(&str) -> Result<(), Message>) -> Option<String> {
        let allowed = Some(allowed);
        let Some(text) = self.value?.as_str() else {
            return self.refuse(message::not_a_url(), allowed);
        };
        match check(text) {
            Ok(()) => Some(text.to_owned()),
            Err(message) => self.refuse(message, allowed),
        }
    }

    pub fn color(self) -> Option<Rgba> {
        match color::parse(self.value?.as_str().unwrap_or_default()) {
            None => self.refuse(message::not_a_colour(), Some(message::allowed_values(color::ALLOWED))),
            color => color,
        }
    }
}

fn whole(value: &Value) -> Option<i128> {
    let integer = value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
    // The cast saturates, so a number far out of range stays out of range.
    integer.or_else(|| value.as_f64().filter(|value| value.fract() == 0.0).map(|value| value as i128))
}
