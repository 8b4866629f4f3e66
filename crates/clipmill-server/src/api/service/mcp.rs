//! `POST /mcp`: the endpoint for agents, by MCP's streamable HTTP. Each message gets its own JSON response: there are
//! no sessions and no streams, so nothing stays open or in memory after a response. The endpoint is not in the API
//! description, because the protocol describes itself.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde::de::IgnoredAny;
use serde_json::json;

use crate::api::extract::body::read_json;
use crate::app::{App, SMALL_BODY};
use crate::auth::{AnyScope, Caller};
use crate::config::units::ByteSize;
use crate::context::{REQUEST_ID, request_id};
use crate::error::{ApiError, ApiResult};
use crate::mcp::{Agent, InProcessClient};

pub const AT: &str = "/mcp";
const KEY: &str = "x-api-key";
/// Messages up to this size need no permit; most are smaller.
const TINY: usize = 16 << 10;
/// The content types that the protocol requires a client to accept; responses are always JSON.
const ACCEPTED: &str = "application/json, text/event-stream";
/// Error codes of JSON-RPC.
const NOT_JSON: i32 = -32700;
const NO_MESSAGE: i32 = -32600;

/// `api_router` contains all other routes; tools call it.
pub fn route(api_router: Router) -> Router<Arc<App>> {
    let handler = async move |State(app): State<Arc<App>>, request: Request| {
        serve(app, api_router.clone(), request).await
    };
    Router::new().route(AT, post(handler))
}

async fn serve(app: Arc<App>, api_router: Router, request: Request) -> ApiResult<Response> {
    check_origin(&app, request.headers())?;
    let (mut parts, body) = request.into_parts();
    take_bearer(&mut parts.headers);
    let caller = Caller::<AnyScope>::from_request_parts(&mut parts, &app).await?;
    let headers = handed_on(&parts.headers);
    // These headers make no difference here, so they are no reason to refuse a message.
    parts.headers.insert(header::ACCEPT, HeaderValue::from_static(ACCEPTED));
    parts.headers.insert(header::HOST, HeaderValue::from_static("localhost"));
    let request = Request::from_parts(parts.clone(), body);
    let message = read_json(&app, caller.user, request, ByteSize(SMALL_BODY as u64)).await?.bytes;
    if serde_json::from_slice::<IgnoredAny>(&message).is_err() {
        return Ok(refused(NOT_JSON, "this is not JSON"));
    }
    // The permit is acquired after the message was read. Calls of its tools acquire permits of their own.
    let _permit =
        if message.len() <= TINY { None } else { Some(app.semaphores.agents.acquire(caller.user).await?) };
    let agent = Agent::new(Arc::new(InProcessClient { router: api_router, headers }), app.stopping.clone());
    Ok(respond(agent, Request::from_parts(parts, Body::from(message))).await)
}

async fn respond(agent: Agent, request: Request) -> Response {
    // Origins were checked before; hosts need not be: a page of another host sends its own origin and has no key.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(SMALL_BODY)
        .disable_allowed_hosts();
    let service =
        StreamableHttpService::new(move || Ok(agent.clone()), Arc::<NeverSessionManager>::default(), config);
    let response = service.handle(request).await;
    // The content type was right, so the message itself must be invalid.
    if response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return refused(NO_MESSAGE, "this is not an MCP message");
    }
    response.map(Body::new)
}

/// Browsers send the origin of the calling page. Pages of other hosts are refused, regardless of the name by which
/// they reach this service (DNS rebinding).
fn check_origin(app: &App, headers: &HeaderMap) -> ApiResult<()> {
    match headers.get(header::ORIGIN) {
        Some(origin) if origin.to_str().ok() != app.links.own_origin().as_deref() => Err(ApiError::origin()),
        _ => Ok(()),
    }
}

/// Moves a key in a bearer token, which MCP clients send, to the header that all other calls use.
fn take_bearer(headers: &mut HeaderMap) {
    let text = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let key = text
        .and_then(|text| text.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    let key = key.and_then(|(_, key)| HeaderValue::from_str(key.trim()).ok());
    if let Some(key) = key.filter(|_| !headers.contains_key(KEY)) {
        headers.insert(KEY, key);
    }
}

/// Headers that tools' calls inherit from the message: the key, the language, and the request id.
fn handed_on(headers: &HeaderMap) -> HeaderMap {
    let names =
        [HeaderName::from_static(KEY), header::ACCEPT_LANGUAGE, HeaderName::from_static("traceparent")];
    let headers_to_pass =
        names.into_iter().filter_map(|name| Some((name.clone(), headers.get(name)?.clone())));
    let id = HeaderValue::from_str(&request_id()).ok();
    headers_to_pass.chain(id.map(|id| (HeaderName::from_static(REQUEST_ID), id))).collect()
}

fn refused(code: i32, message: &str) -> Response {
    let error = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": message } });
    (StatusCode::BAD_REQUEST, Json(error)).into_response()
}
