//! Headers that many responses share: those that keep browsers from guessing what a response is, and conditional requests.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::Response;

/// Pages load nothing from other hosts.
const PAGE_POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'";

pub async fn secure(mut response: Response) -> Response {
    let json = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    let page = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let headers = response.headers_mut();
    set(headers, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(headers, header::REFERRER_POLICY, "no-referrer");
    set(headers, header::X_FRAME_OPTIONS, "DENY");
    if json {
        set(headers, header::CACHE_CONTROL, "no-store");
        set(headers, header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'");
    }
    if page {
        set(headers, header::CONTENT_SECURITY_POLICY, PAGE_POLICY);
    }
    response
}

/// A header's value, if it is text.
pub fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Whether `If-None-Match` has this entity tag, by the weak comparison that the header requires.
pub fn names_tag(headers: &HeaderMap, tag: &str) -> bool {
    let tags = text(headers, header::IF_NONE_MATCH).into_iter().flat_map(|tags| tags.split(','));
    tags.map(str::trim).any(|known| known == "*" || known.trim_start_matches("W/") == tag)
}

/// Sets a header unless the handler has set it.
fn set(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers.entry(name).or_insert(HeaderValue::from_static(value));
}
