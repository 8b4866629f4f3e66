//! `GET …/batches/{batchNo}/events`: server-sent events of a batch.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use clipmill_store::BatchRecord;
use futures_util::stream;
use tokio::sync::watch;
use tokio::time::Instant;

use super::{PathNo, find};
use crate::api::tasks::events::{COME_BACK, MAX_STREAM_TIME, StreamPermits, acquire_stream, streamed};
use crate::app::App;
use crate::auth::{Caller, Read};
use crate::batch_watch::BatchUpdate;
use crate::clock;
use crate::context::{self, Language};
use crate::error::ApiResult;
use crate::view::{BatchEventSchema, BatchView};

/// Live events of a batch: `state` and `progress`, each with the whole batch. A stream of server-sent events: `state`
/// when the stream begins and when the batch is paused, resumed or ended, `progress` when rows or videos progress, at
/// most once a second. The stream ends with the batch.
#[utoipa::path(get, path = "/open-api/v1/batches/{batchNo}/events", operation_id = "watchBatch", tag = "batches",
    security(("apiKey" = ["read"])),
    params(
        ("batchNo" = String, Path, description = "Number of the batch."),
        ("Last-Event-ID" = Option<String>, Header, description = "ID of the last event received; browsers send it automatically."),
    ),
    responses(
        (status = 200, description = "Stream of events of this form.", body = BatchEventSchema, content_type = "text/event-stream"),
        (status = 204, description = "All events have been sent; do not reconnect."),
    ))]
pub async fn events(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    number: PathNo,
) -> ApiResult<Response> {
    let batch = find(&app, caller.user, number).await?;
    let sent = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    if batch.state.is_final() && sent == Some(SentState::of(&batch).id().as_str()) {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let permits = acquire_stream(&app, caller.user)?;
    let teller = EventStream {
        batch: app.batch_watch.follow(batch),
        language: context::current_language(),
        sent: None,
        started: false,
        until: Instant::now() + MAX_STREAM_TIME,
        app,
        _permits: permits,
    };
    Ok(streamed(stream::unfold(teller, async |mut teller| {
        let event = teller.next().await?;
        Some((Ok::<_, Infallible>(event), teller))
    })))
}

/// The properties of a batch whose change triggers an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SentState {
    state: (u8, bool),
    rows: (u32, u32),
    items: (u64, u64),
    percent: u64,
}

impl SentState {
    fn of(batch: &BatchRecord) -> Self {
        Self {
            state: (batch.state.code(), batch.paused),
            rows: (batch.made_rows, batch.refused_rows),
            items: (batch.completed_items, batch.failed_items),
            percent: batch.done_thousandths / batch.total_items.max(1) / 10,
        }
    }

    fn id(&self) -> String {
        format!("{}-{}-{}", self.state.0, self.items.0, self.items.1)
    }
}

/// One open stream.
struct EventStream {
    app: Arc<App>,
    batch: watch::Receiver<BatchUpdate>,
    language: Language,
    sent: Option<SentState>,
    started: bool,
    until: Instant,
    _permits: StreamPermits,
}

impl EventStream {
    /// The next event of the stream; `None` at its end.
    async fn next(&mut self) -> Option<Event> {
        if !self.started {
            self.started = true;
            return Some(Event::default().retry(COME_BACK));
        }
        loop {
            if self.sent.is_some_and(|sent| sent.state.0 != 2) || Instant::now() >= self.until {
                return None;
            }
            let stopping = self.app.stopping.clone();
            let change = tokio::time::timeout_at(self.until, self.batch.changed());
            // After the longest time of a stream, the client connects again.
            let Ok(Ok(())) = stopping.run_until_cancelled(change).await? else { return None };
            let batch = self.batch.borrow_and_update().clone()?;
            let state = SentState::of(&batch);
            if self.sent == Some(state) {
                continue;
            }
            let name = match self.sent.replace(state) {
                Some(sent) if sent.state == state.state => "progress",
                _ => "state",
            };
            let view = context::speak(self.language, || {
                BatchView::linked(BatchRecord::clone(&batch), &self.app.links, clock::now_ms())
            });
            return Event::default().id(state.id()).event(name).json_data(&view).ok();
        }
    }
}
