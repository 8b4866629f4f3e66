//! Query parameters. All wrong ones are reported at once, with paths like `/query/pageNo`.

use std::cell::RefCell;

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use clipmill_core::message::{self, Message};
use clipmill_core::request::{FieldError, nearest};
use clipmill_store::{Millis, Page};
use serde_json::Value;
use utoipa::IntoParams;

use crate::error::{ApiError, ApiResult};

const DEFAULT_SIZE: u32 = 10;
const LARGEST_SIZE: u32 = 100;

/// Parameters of every list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only describes what `Params::page` reads")]
pub struct PageParams {
    /// Page number.
    #[param(rename = "pageNo", minimum = 1, default = 1)]
    page_no: Option<u32>,
    /// Entries per page.
    #[param(rename = "pageSize", minimum = 1, maximum = 100, default = 10)]
    page_size: Option<u32>,
}

/// The parameters of a call and the errors in those that were read.
#[derive(Debug, Default)]
pub struct Params {
    pairs: Vec<(String, String)>,
    /// The names that the call has read.
    known: RefCell<Vec<&'static str>>,
    errors: Vec<FieldError>,
}

impl<S: Send + Sync> FromRequestParts<S> for Params {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> ApiResult<Self> {
        // Any text can be read as a list of pairs, so this cannot fail.
        let pairs = Query::try_from_uri(&parts.uri).map(|Query(pairs)| pairs).unwrap_or_default();
        Ok(Self { pairs, ..Self::default() })
    }
}

impl Params {
    /// A parameter as text; empty counts as absent.
    pub fn text(&self, name: &'static str) -> Option<&str> {
        self.known.borrow_mut().push(name);
        let value_text = self.pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        value_text.filter(|value| !value.is_empty())
    }

    /// A parameter that `read` must accept; `allowed` describes the accepted values.
    pub fn read<T>(
        &mut self,
        name: &'static str,
        allowed: Message,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.text(name)?.to_owned();
        let value = read(&text);
        if value.is_none() {
            self.errors.push(FieldError {
                path: format!("/query/{name}"),
                message: message::must_be(&allowed),
                got: Some(Value::String(text)),
                allowed: Some(allowed),
            });
        }
        value
    }

    pub fn page(&mut self) -> Page {
        self.page_of(LARGEST_SIZE)
    }

    /// The requested page, of at most `max` entries.
    pub fn page_of(&mut self, max: u32) -> Page {
        let number = self.read("pageNo", message::one_or_more(), |text| within(text, 1, u32::MAX));
        let size = self.read("pageSize", message::a_whole_number(1u32, max), |text| within(text, 1, max));
        Page { number: number.unwrap_or(1), size: size.unwrap_or(DEFAULT_SIZE) }
    }

    /// Returns all errors, including those about misspelt names. Call it after every parameter was read.
    pub fn finish(mut self) -> ApiResult<()> {
        self.refuse_misspelt();
        if self.errors.is_empty() { Ok(()) } else { Err(ApiError::invalid(self.errors)) }
    }
}

/// Names with fewer letters resemble too many others.
const SHORTEST_NAME: usize = 3;

impl Params {
    /// Other unknown parameters have no effect: proxies and browsers add some.
    fn refuse_misspelt(&mut self) {
        let Self { pairs, known: known_names, errors } = self;
        let known_names = known_names.get_mut();
        let names: Vec<&str> =
            known_names.iter().copied().filter(|name| name.len() >= SHORTEST_NAME).collect();
        let unknown = pairs.iter().filter(|(name, _)| !known_names.contains(&name.as_str()));
        errors.extend(unknown.filter(|(name, _)| name.len() >= SHORTEST_NAME).filter_map(|(name, value)| {
            let near = nearest(name, &names)?;
            Some(FieldError {
                path: format!("/query/{name}"),
                message: message::unknown_parameter_near(near),
                got: Some(Value::String(value.clone())),
                allowed: Some(message::allowed_values(near)),
            })
        }));
    }
}

/// A text of at most `max` characters, without control characters.
pub fn short(text: &str, max: usize) -> Option<String> {
    let sane = text.chars().count() <= max && !text.chars().any(char::is_control);
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

fn within(text: &str, min: u32, max: u32) -> Option<u32> {
    text.parse().ok().filter(|number| (min..=max).contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_are_refused_and_unrelated_ones_have_no_effect() {
        let finished = |query: &str| {
            let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            let mut params = Params { pairs, ..Params::default() };
            params.page();
            let _ = (params.text("status").is_some(), params.text("q").is_some());
            params.finish().map_err(|error| format!("{error:?}"))
        };
        for query in ["page=2", "pagesize=5", "PageNo=1", "page_no=1", "pageNO=1&pageNo=1", "statu=1"] {
            assert!(finished(query).unwrap_err().contains("did you mean"), "{query}");
        }
        for query in ["", "pageNo=2&pageSize=5&q=x&status=1", "_=1700000000", "t=1", "utm_source=x", "qq=1"] {
            assert_eq!(finished(query), Ok(()), "{query}");
        }
    }

    #[test]
    fn times_are_dates_or_exact() {
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
