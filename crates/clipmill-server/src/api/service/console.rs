//! `GET /console` and below: the console, a web page that uses only this API.
//!
//! Addresses without a file return the page itself, which shows the view for its address; so a reload shows the same
//! view again.

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use crate::api::extract::headers::names_tag;
use crate::app::App;
use crate::console::{self, ConsoleFile};
use crate::error::{ApiError, ApiResult};

const AT: &str = "/console";

/// The console is not part of the API description, because programs do not use it.
pub fn pages() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(async || Redirect::temporary(AT)))
        .route(AT, get(page))
        .route("/console/", get(page))
        .route("/console/{*path}", get(below))
}

async fn page(State(app): State<Arc<App>>, headers: HeaderMap) -> ApiResult<Response> {
    let page = console::index().ok_or_else(ApiError::not_found)?;
    Ok((policy(&app), respond(page, &headers)).into_response())
}

async fn below(
    app: State<Arc<App>>,
    path: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let path = path.map(|Path(path)| path).map_err(|_| ApiError::not_found())?;
    match console::file(&path) {
        Some(file) if path != "index.html" => Ok(respond(file, &headers)),
        // A missing asset of an earlier build is an error, not the page.
        None if path.starts_with("assets/") => Err(ApiError::not_found()),
        _ => page(app, headers).await,
    }
}

/// A file, compressed by gzip if the client accepts that, or 304 if the client's copy is current.
pub(in crate::api) fn respond(file: &ConsoleFile, headers: &HeaderMap) -> Response {
    let tag = format!("\"{}\"", file.tag);
    let cache = if file.hashed { "public, max-age=31536000, immutable" } else { "no-cache" };
    let about = [
        (header::CONTENT_TYPE, file.content_type),
        (header::CACHE_CONTROL, cache),
        (header::VARY, "accept-encoding"),
    ];
    if names_tag(headers, &tag) {
        return (StatusCode::NOT_MODIFIED, about, [(header::ETAG, tag)]).into_response();
    }
    let about = (about, [(header::ETAG, tag)]);
    match &file.gzip {
        Some(gzip) if takes_gzip(headers) => {
            (about, [(header::CONTENT_ENCODING, "gzip")], gzip.clone()).into_response()
        }
        _ => (about, file.plain.clone()).into_response(),
    }
}

fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted =
        headers.get_all(header::ACCEPT_ENCODING).into_iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|list| list.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let is_refused = weight.trim().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case("gzip") && !is_refused
    })
}

/// Scripts and calls stay on this host. Images and videos may also come from the result storage, which can be another
/// host than the one in the address bar.
fn policy(app: &App) -> [(HeaderName, String); 1] {
    let results = app.links.origins().join(" ");
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; \
         font-src 'self'; manifest-src 'self'; img-src 'self' data: blob: {results}; \
         media-src 'self' blob: {results}; connect-src 'self' {results}; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'"
    );
    [(header::CONTENT_SECURITY_POLICY, policy)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_those_who_take_it() {
        let check = |accepted: &str, expected| {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, accepted.parse().unwrap())]);
            assert_eq!(takes_gzip(&headers), expected, "{accepted}");
        };
        check("gzip, deflate, br, zstd", true);
        check("br;q=1, GZIP;q=0.5", true);
        check("gzip;q=0", false);
        check("gzip;q=0.0, br", false);
        check("br", false);
        assert!(!takes_gzip(&HeaderMap::new()));
    }
}
