//! Reads the rest of a request's body after its response is decided.
//!
//! Closing a connection with unread bytes resets it, and a client that is still sending would then see a broken pipe
//! instead of the error response. So the rest is read and dropped, up to a limit.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::header;
use axum::middleware::Next;
use axum::response::Response;
use hyper::body::{Frame, SizeHint};

const MAX_DRAIN_TIME: Duration = Duration::from_secs(2);
const MAX_BYTES: usize = 64 << 20;

pub async fn drain_body(request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    // A client that expects 100-continue sends no body until it is asked to.
    let waits = parts.headers.contains_key(header::EXPECT);
    let shared = SharedBody(Arc::new(Mutex::new(State { body, touched: false })));
    let response = next.run(Request::from_parts(parts, Body::new(shared.clone()))).await;
    if shared.touched() || !waits {
        // Whether the rest came in time makes no difference to the response.
        let _ = tokio::time::timeout(MAX_DRAIN_TIME, shared.drain()).await;
    }
    response
}

/// A body that the handler reads and that still exists when the handler is done.
#[derive(Clone)]
struct SharedBody(Arc<Mutex<State>>);

struct State {
    body: Body,
    touched: bool,
}

impl SharedBody {
    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn touched(&self) -> bool {
        self.with(|state| state.touched)
    }

    async fn drain(mut self) {
        let mut read = 0;
        while read < MAX_BYTES && !self.is_end_stream() {
            match std::future::poll_fn(|cx| Pin::new(&mut self).poll_frame(cx)).await {
                Some(Ok(frame)) => read += frame.data_ref().map_or(0, Bytes::len),
                _ => return,
            }
        }
    }
}

impl HttpBody for SharedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.with(|state| {
            state.touched = true;
            Pin::new(&mut state.body).poll_frame(cx)
        })
    }

    fn is_end_stream(&self) -> bool {
        self.with(|state| state.body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        self.with(|state| state.body.size_hint())
    }
}
