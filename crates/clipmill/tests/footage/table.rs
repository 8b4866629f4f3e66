//! Differences from plain ffmpeg that are intended.

/// A difference that cases may have.
pub struct Row {
    /// Names of cases; `*` stands for any text.
    pub cases: &'static str,
    /// Text that the difference contains.
    pub difference: &'static str,
    #[allow(dead_code, reason = "for those who read the table")]
    pub reason: &'static str,
}

const fn row(cases: &'static str, difference: &'static str, reason: &'static str) -> Row {
    Row { cases, difference, reason }
}

pub const INTENDED: &[Row] = &[
    row("m?? *, index first, cut to *", "MEDIA_DAMAGED", PROMISED),
];

const PROMISED: &str = "the index of an MP4 or MOV promises more than 1 % that is not there";

impl Row {
    pub fn allows(&self, case: &str, difference: &str) -> bool {
        matches(self.cases.as_bytes(), case.as_bytes()) && difference.contains(self.difference)
    }
}

/// Whether a text matches a pattern of `*` (any text) and `?` (any character).
pub fn matches(pattern: &[u8], text: &[u8]) -> bool {
    match (pattern, text) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => {
            matches(rest, text) || !text.is_empty() && matches(pattern, &text[1..])
        }
        ([b'?', pattern @ ..], [_, text @ ..]) => matches(pattern, text),
        ([expected, pattern @ ..], [byte, text @ ..]) => expected == byte && matches(pattern, text),
        _ => false,
    }
}
