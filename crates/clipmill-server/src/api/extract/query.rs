//! Query parameters. All wrong ones are reported at once, with paths like `/query/pageNo`.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use clipmill_core::message::{self, Message};
use clipmill_core::request::FieldError;
use clipmill_store::{Millis, Page};
use serde_json::Value;
use utoipa::IntoParams;

use crate::error::{ApiError, ApiResult};

const DEFAULT_SIZE: u32 = 10;
const LARGEST_SIZE: u32 = 100;

/// What every list takes.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only describes what `Params::page` reads")]
pub struct PageParams {
    /// Page number.
    #[param(rename = "pageNo", minimum = 1, default = 1)]
    page_no: Option<u32>,
    /// Entries of a page.
    #[param(rename = "pageSize", minimum = 1, maximum = 100, default = 10)]
    page_size: Option<u32>,
}

/// The parameters, and what was found wrong with them so far.
#[derive(Debug, Default)]
pub struct Params {
    pairs: Vec<(String, String)>,
    errors: Vec<FieldError>,
}

impl<S: Send + Sync> FromRequestParts<S> for Params {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> ApiResult<Self> {
        // Any text can be read as a list of pairs, so this cannot fail.
        let pairs = Query::try_from_uri(&parts.uri).map(|Query(pairs)| pairs).unwrap_or_default();
        Ok(Self { pairs, errors: Vec::new() })
    }
}

impl Params {
    /// A parameter as text; empty counts as absent.
    pub fn text(&self, name: &str) -> Option<&str> {
        let given = self.pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        given.filter(|value| !value.is_empty())
    }

    /// A parameter that `read` must accept; `allowed` says what it accepts.
    pub fn read<T>(
        &mut self,
        name: &str,
        allowed: Message,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let given = self.text(name)?.to_owned();
        let value = read(&given);
        if value.is_none() {
            self.errors.push(FieldError {
                path: format!("/query/{name}"),
                message: message::must_be(&allowed),
                got: Some(Value::String(given)),
                allowed: Some(allowed),
            });
        }
        value
    }

    pub fn page(&mut self) -> Page {
        self.page_of(LARGEST_SIZE)
    }

    /// The requested page, of at most `most` entries.
    pub fn page_of(&mut self, most: u32) -> Page {
        let number = self.read("pageNo", message::one_or_more(), |text| within(text, 1, u32::MAX));
        let size = self.read("pageSize", message::a_whole_number(1u32, most), |text| within(text, 1, most));
        Page { number: number.unwrap_or(1), size: size.unwrap_or(DEFAULT_SIZE) }
    }

    /// Returns all errors; must be called after every parameter was read.
    pub fn finish(self) -> ApiResult<()> {
        if self.errors.is_empty() { Ok(()) } else { Err(ApiError::invalid(self.errors)) }
    }
}

/// A text of at most `most` characters, without control characters.
pub fn short(text: &str, most: usize) -> Option<String> {
    let sane = text.chars().count() <= most && !text.chars().any(char::is_control);
    sane.then(|| text.to_owned())
}

/// A time in RFC 3339, or a date, which means its beginning in UTC; in milliseconds since 1970.
pub fn moment(text: &str) -> Option<Millis> {
    // A `+` that was not encoded arrives as a space.
    let text = text.replace(' ', "+");
    let moment = text.parse::<jiff::Timestamp>().ok().or_else(|| {
        let day: jiff::civil::Date = text.parse().ok().filter(|_| text.len() == "2026-11-30".len())?;
        Some(day.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp())
    });
    moment.map(jiff::Timestamp::as_millisecond)
}

fn within(text: &str, least: u32, most: u32) -> Option<u32> {
    text.parse().ok().filter(|number| (least..=most).contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_days_or_told_exactly() {
        for (text, ms) in [
            ("1970-01-02", 86_400_000),
            ("1970-01-01T00:00:01Z", 1_000),
            ("1970-01-01T01:00:00+01:00", 0),
            ("1970-01-01T01:00:00 01:00", 0),
        ] {
            assert_eq!(moment(text), Some(ms), "{text}");
        }
        for text in ["yesterday", "2026-13-01", "2026-01-01T25:00:00Z", "2026-01-01T00:00:00", "12"] {
            assert_eq!(moment(text), None, "{text}");
        }
    }
}
