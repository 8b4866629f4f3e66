//! The client inside the service: calls the service's own router with the caller's key.

use async_trait::async_trait;
use axum::Router;
use axum::body::{self, Body as HttpBody};
use axum::http::{HeaderMap, Request, header};
use tower::ServiceExt;

use crate::mcp::api_client::{ApiClient, Body, Call, Reply, Unreachable};

/// The most bytes of a reply: more than the status of the largest task has.
const MAX_RESPONSE_BYTES: usize = 16 << 20;

/// Calls the API as the caller would, without a connection.
pub struct InProcessClient {
    pub router: Router,
    /// Headers sent with each call: the key and the language.
    pub headers: HeaderMap,
}

#[async_trait]
impl ApiClient for InProcessClient {
    async fn call(&self, call: Call) -> Result<Reply, Unreachable> {
        let request = self.request(call)?;
        // The router itself never fails.
        let response = self.router.clone().oneshot(request).await.map_err(unreachable)?;
        let (parts, body) = response.into_parts();
        let body = body::to_bytes(body, MAX_RESPONSE_BYTES).await.map_err(unreachable)?;
        Ok(Reply { status: parts.status.as_u16(), headers: parts.headers, body })
    }
}

impl InProcessClient {
    fn request(&self, call: Call) -> Result<Request<HttpBody>, Unreachable> {
        let (body, json) = match call.body {
            Body::None => (HttpBody::empty(), false),
            Body::Json(text) => (HttpBody::from(text), true),
            Body::Bytes(bytes) => (HttpBody::from(bytes), false),
            Body::File(_) => return Err(Unreachable("files are on the agent's own machine".to_owned())),
        };
        let request = Request::builder().method(call.method).uri(call.path).body(body);
        let mut request = request.map_err(unreachable)?;
        *request.headers_mut() = self.headers.clone();
        if json {
            request
                .headers_mut()
                .insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json"));
        }
        Ok(request)
    }
}

fn unreachable(error: impl std::fmt::Display) -> Unreachable {
    Unreachable(format!("the service cannot answer: {error}"))
}
