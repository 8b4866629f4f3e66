//! The context of a request that every response needs: ID and language. [`enter`] sets the context once per request.
//! All code below, also after a panic, can read it without passing it through every signature.

use std::cell::Cell;
use std::net::IpAddr;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use clipmill_store::read_limits;
use metrics::{counter, histogram};
use tracing::Instrument;

use crate::clock;
use crate::observe::{metric, traces};
use crate::rate_limits::RateStatus;

pub const REQUEST_ID: &str = "x-request-id";
const MAX_ID_LENGTH: usize = 128;
/// Methods that metrics distinguish; clients could invent any number of others.
const STANDARD: [Method; 6] =
    [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS];

/// Routes of health checks.
const HEALTH: [&str; 2] = ["/healthz", "/readyz"];

/// The address of a connection's other end: the client, or a proxy.
#[derive(Debug, Clone, Copy)]
pub struct ClientAddress(pub IpAddr);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    English,
    Chinese,
}

#[derive(Debug)]
struct Context {
    request_id: String,
    language: Language,
    rate: Cell<Option<RateStatus>>,
}

tokio::task_local! {
    static CONTEXT: Context;
}

/// Runs the request in its context and its tracing span, and adds the ID to the response.
pub async fn enter(request: Request, next: Next) -> Response {
    let context = Context {
        request_id: given_id(request.headers()).unwrap_or_else(fresh_id),
        language: language(request.headers()),
        rate: Cell::new(None),
    };
    let id = HeaderValue::from_str(&context.request_id);
    // The query is left out, because it contains the signatures of links.
    let span = tracing::info_span!(
        "request",
        id = %context.request_id,
        method = %request.method(),
        path = request.uri().path(),
        client = request.extensions().get::<ClientAddress>().map(|client| tracing::field::display(client.0)),
        forwarded_for = header_text(request.headers(), "x-forwarded-for"),
        key = tracing::field::Empty
    );
    traces::continue_trace(&span, request.headers().get("traceparent").and_then(|value| value.to_str().ok()));
    let (route, method) = (route(&request), request.method().clone());
    let response = async {
        let response = logged(&route, &method, next.run(request)).await;
        (response, CONTEXT.with(|context| context.rate.get()))
    };
    let response = read_limits::scope(CONTEXT.scope(context, response));
    let (mut response, rate) = response.instrument(span).await;
    if let Some(rate) = rate {
        rate.write(response.headers_mut());
    }
    if let Ok(id) = id {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    // hyper would add the date from a cache that never goes back, so it would stay wrong after a clock was set back.
    if let Ok(date) = HeaderValue::from_str(&httpdate::fmt_http_date(clock::now())) {
        response.headers_mut().insert(header::DATE, date);
    }
    response
}

/// The id of the current request; empty outside of one.
pub fn request_id() -> String {
    CONTEXT.try_with(|context| context.request_id.clone()).unwrap_or_default()
}

/// Records the state of the caller's rate limit for the response's headers.
pub fn note_rate(standing: RateStatus) {
    // Outside of a request, there is no response to report it in.
    let _ = CONTEXT.try_with(|context| context.rate.set(Some(standing)));
}

pub fn current_language() -> Language {
    CONTEXT.try_with(|context| context.language).unwrap_or(Language::English)
}

/// Runs `format` outside of a request, in the given language.
pub fn speak<T>(language: Language, format: impl FnOnce() -> T) -> T {
    CONTEXT.sync_scope(Context { request_id: String::new(), language, rate: Cell::new(None) }, format)
}

/// The route rather than the path, because the number of routes does not grow with use.
fn route(request: &Request) -> String {
    request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str).to_owned()
}

async fn logged(route: &str, method: &Method, response: impl Future<Output = Response>) -> Response {
    let start = tokio::time::Instant::now();
    let response = response.await;
    let (time, status) = (start.elapsed(), response.status().as_u16());
    let ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    // Health checks come every few seconds.
    if HEALTH.contains(&route) && status < 400 {
        tracing::debug!(status, ms, "request completed");
    } else {
        tracing::info!(status, ms, "request completed");
    }
    let method = if STANDARD.contains(method) { method.as_str() } else { "other" };
    let labels = [("route", route.to_owned()), ("method", method.to_owned()), ("status", status.to_string())];
    counter!(metric::HTTP_REQUESTS, &labels).increment(1);
    histogram!(metric::HTTP_SECONDS, "route" => route.to_owned()).record(time.as_secs_f64());
    response
}

/// A header for the log. Any client can send it, so it is only reliable behind a proxy that sets it.
fn header_text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok().filter(|text| text.len() <= MAX_ID_LENGTH)
}

/// The client's own id, if it is short and safe for logs and headers.
fn given_id(headers: &HeaderMap) -> Option<String> {
    let id = headers.get(REQUEST_ID)?.to_str().ok()?;
    let sane = (1..=MAX_ID_LENGTH).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_graphic());
    sane.then(|| id.to_owned())
}

fn fresh_id() -> String {
    clock::random::<16>().map(u128::from_be_bytes).map(|bits| format!("{bits:032x}")).unwrap_or_default()
}

/// Chinese if it is the first supported language in the header.
fn language(headers: &HeaderMap) -> Language {
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|v| v.to_str().ok()).unwrap_or_default();
    let mut preferences: Vec<_> = accepted.split(',').filter_map(wanted_language).collect();
    preferences.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    preferences.first().map_or(Language::English, |(_, language)| *language)
}

fn wanted_language(part: &str) -> Option<(f32, Language)> {
    let (tag, quality) = part.split_once(";q=").unwrap_or((part, "1"));
    let primary = tag.trim().split('-').next()?.to_ascii_lowercase();
    let language = match primary.as_str() {
        "zh" => Language::Chinese,
        "en" => Language::English,
        _ => return None,
    };
    let quality = quality.trim().parse().ok().filter(|quality| *quality > 0.0)?;
    Some((quality, language))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preferred_supported_language_is_used() {
        let check = |accepted: &str, expected| {
            let headers = HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, accepted.parse().unwrap())]);
            assert_eq!(language(&headers), expected, "{accepted}");
        };
        check("zh-CN,zh;q=0.9,en;q=0.8", Language::Chinese);
        check("ZH", Language::Chinese);
        check("en-US,en;q=0.9,zh;q=0.1", Language::English);
        check("en;q=0.5, zh;q=0.7", Language::Chinese);
        check("fr, zh;q=0.2", Language::Chinese);
        check("zh;q=0, en;q=0.1", Language::English);
        check("*", Language::English);
        assert_eq!(language(&HeaderMap::new()), Language::English);
    }
}
