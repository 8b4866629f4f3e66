//! A row of the table of fields.

use crate::request::inputs::InputRole;

/// The kind of a field's value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    Bool,
    /// An inclusive range with any decimals.
    Number(f64, f64),
    /// An inclusive range in multiples of 0.1.
    Tenths(f64, f64),
    /// Above 0 and at most this.
    Positive(f64),
    Integer(u64, u64),
    Fps,
    Choice(&'static [&'static str]),
    /// One of a few names, or the URL of an uploaded font file.
    Font(&'static [&'static str]),
    /// One of a few names, or an opaque colour.
    ChoiceOrColor(&'static [&'static str]),
    /// Text of at most this many characters.
    Text(usize),
    /// Text of at most this many characters that may contain line breaks.
    Lines(usize),
    /// One of a few names, or an object whose members have rows of their own.
    Place(&'static [&'static str]),
    /// The URL of an input file, used in this role.
    Url(InputRole),
    /// A URL that clipmill calls rather than downloads.
    WebUrl,
    Color,
    /// Minimum and maximum number of entries; the kind of the entries is that of the field `…/0`.
    Array(usize, usize),
    Object,
}

/// One field of a request's body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field {
    /// JSON Pointer; `0` represents every entry of an array.
    pub pointer: &'static str,
    pub kind: Kind,
    pub required: bool,
    /// The value that is used when the field is absent, as JSON, if there is one.
    pub default: Option<&'static str>,
    pub meaning: &'static str,
    /// The unit of a number.
    pub unit: Option<&'static str>,
    /// Description of the behaviour when the field is absent, if it has no default value.
    pub otherwise: Option<&'static str>,
    /// The upper bound's field, for a lower bound of a range.
    pub up_to: Option<&'static str>,
    /// The member without which the object has no effect.
    pub needs: Option<&'static str>,
    /// The text of `docs/api/` if it differs from `meaning`.
    pub details: Option<&'static str>,
    /// The label in the console, in English and Chinese.
    pub label: Option<BilingualText>,
    /// The explanation below the control in the console.
    pub hint: Option<BilingualText>,
    /// The labels of the values to choose from, in their order.
    pub words: &'static [BilingualText],
    /// The section of the console's options that contains the field.
    pub section: Option<&'static str>,
}

/// A text in English and Chinese.
pub type BilingualText = (&'static str, &'static str);

impl Field {
    pub(in crate::request) const fn new(pointer: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self {
            pointer,
            kind,
            required: false,
            default: None,
            meaning,
            unit: None,
            otherwise: None,
            up_to: None,
            needs: None,
            details: None,
            label: None,
            hint: None,
            words: &[],
            section: None,
        }
    }

    pub(in crate::request) const fn needed(self) -> Self {
        Self { required: true, ..self }
    }

    pub(in crate::request) const fn or(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    pub(in crate::request) const fn unit(self, unit: &'static str) -> Self {
        Self { unit: Some(unit), ..self }
    }

    pub(in crate::request) const fn otherwise(self, words: &'static str) -> Self {
        Self { otherwise: Some(words), ..self }
    }

    pub(in crate::request) const fn up_to(self, name: &'static str) -> Self {
        Self { up_to: Some(name), ..self }
    }

    pub(in crate::request) const fn needs(self, name: &'static str) -> Self {
        Self { needs: Some(name), ..self }
    }

    pub(in crate::request) const fn details(self, text: &'static str) -> Self {
        Self { details: Some(text), ..self }
    }

    pub(in crate::request) const fn label(self, english: &'static str, chinese: &'static str) -> Self {
        Self { label: Some((english, chinese)), ..self }
    }

    pub(in crate::request) const fn hint(self, english: &'static str, chinese: &'static str) -> Self {
        Self { hint: Some((english, chinese)), ..self }
    }

    pub(in crate::request) const fn words(self, words: &'static [BilingualText]) -> Self {
        Self { words, ..self }
    }

    pub(in crate::request) const fn section(self, name: &'static str) -> Self {
        Self { section: Some(name), ..self }
    }
}
