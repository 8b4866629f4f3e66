//! `GET …/events/{taskNo}`: server-sent events of a task.
//!
//! The id of an event encodes everything sent before it (items, state, progress), so a client that reconnects with
//! `Last-Event-ID`, to any process, receives the remaining events and none twice.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use clipmill_core::ids::{TaskNo, UserId};
use clipmill_store::{Load, TaskRecord};
use futures_util::{Stream, stream};
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::app::App;
use crate::auth::{Caller, Read};
use crate::clock;
use crate::context::{self, Language};
use crate::error::{ApiError, ApiResult};
use crate::http::permits::Permit;
use crate::http::usage::Share;
use crate::task_watch::TaskUpdate;
use crate::view::{EventSchema, ItemView, ProgressView, TaskView};

/// A comment is sent after this time without events, because proxies close silent connections.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// A stream ends after this time and the client reconnects, so that revoked keys are noticed.
pub(crate) const MAX_STREAM_TIME: Duration = Duration::from_secs(3600);
/// How long a browser waits before it reconnects.
pub(crate) const COME_BACK: Duration = Duration::from_secs(2);

/// Live events of a task: `state`, `progress`, `item`.
///
/// A stream of server-sent events: `state` with the task (without its items) at every change of state, `progress`
/// with `taskNo`, `progressPercent` and `etaSeconds` at most four times a second, `item` with each item when it ends.
/// The first events report the current state of the task. The stream ends with the task's final state. With the
/// header `Last-Event-ID` it resumes where it stopped; when there is nothing left to send, the response is 204.
#[utoipa::path(get, path = "/open-api/v1/video-process/events/{taskNo}", operation_id = "watchTask", tag = "tasks",
    security(("apiKey" = ["read"])),
    params(
        ("taskNo" = String, Path, description = "Task number from the submission's response."),
        ("Last-Event-ID" = Option<String>, Header, description = "ID of the last event received; browsers send it automatically."),
    ),
    responses(
        (status = 200, description = "Stream of events of this form.", body = EventSchema, content_type = "text/event-stream"),
        (status = 204, description = "All events have been sent; do not reconnect."),
    ))]
pub async fn events(
    caller: Caller<Read>,
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    task_no: Result<Path<String>, PathRejection>,
) -> ApiResult<Response> {
    let task_no = task_no.ok().and_then(|Path(text)| TaskNo::parse(&text)).ok_or_else(ApiError::not_found)?;
    let sent =
        headers.get("last-event-id").and_then(|id| SentState::parse(id.to_str().ok()?)).unwrap_or_default();
    let task = app.store.tasks().find(caller.user, &task_no).await?.ok_or_else(ApiError::not_found)?;
    if sent.all_of(&task) {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let permits = acquire_stream(&app, caller.user)?;
    let changes = app.task_watch.follow(task);
    let teller = EventStream {
        app,
        changes,
        sent,
        language: context::current_language(),
        events: VecDeque::from([Event::default().retry(COME_BACK)]),
        over: false,
        until: Instant::now() + MAX_STREAM_TIME,
        _permits: permits,
    };
    let events = stream::unfold(teller, async |mut teller| {
        let event = teller.next().await?;
        Some((Ok::<_, Infallible>(event), teller))
    });
    Ok(streamed(events))
}

/// A response that streams events.
pub(crate) fn streamed(events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static) -> Response {
    let headers = [
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        // A proxy that buffers a response before passing it on would hold back the events.
        (header::HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    let events = Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT));
    (headers, events).into_response()
}

/// A permit for one of the caller's open streams, and one among all streams.
pub(crate) type StreamPermits = (Share, Permit);

/// Acquires a permit for one of the caller's open streams and one among all; both are held while the stream is open.
pub(crate) fn acquire_stream(app: &App, user: UserId) -> ApiResult<StreamPermits> {
    let limit = app.config.limits.open_event_streams_per_user;
    let mut share = app.event_streams.share(user);
    let max = if limit == 0 { u64::MAX } else { u64::from(limit) };
    share.grow_to(1, max).map_err(|open| ApiError::too_many_event_streams(open, limit))?;
    Ok((share, app.semaphores.streams.try_acquire(user)?))
}

/// The state that the client has received; written as `items-state-percent`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct SentState {
    /// The number of items that had ended.
    items: u32,
    state: Option<u8>,
    percent: u8,
}

impl SentState {
    /// `None` for an unknown id; the client then receives everything.
    fn parse(id: &str) -> Option<Self> {
        let mut parts = id.split('-');
        let sent = Self {
            items: parts.next()?.parse().ok()?,
            state: match parts.next()? {
                "" => None,
                state => Some(state.parse().ok()?),
            },
            percent: parts.next()?.parse().ok()?,
        };
        parts.next().is_none().then_some(sent)
    }

    fn all_of(&self, task: &TaskRecord) -> bool {
        let ended = task.items.iter().filter_map(|item| item.ended_order).max().unwrap_or(0);
        task.state.is_final() && self.state == Some(task.state.code()) && self.items >= ended
    }
}

impl fmt::Display for SentState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state.map(|state| state.to_string()).unwrap_or_default();
        write!(f, "{}-{state}-{}", self.items, self.percent)
    }
}

/// One open stream.
struct EventStream {
    app: Arc<App>,
    changes: watch::Receiver<TaskUpdate>,
    sent: SentState,
    language: Language,
    events: VecDeque<Event>,
    over: bool,
    until: Instant,
    _permits: StreamPermits,
}

impl EventStream {
    /// The next event of the stream; `None` at its end.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Some(event);
            }
            if self.over {
                return None;
            }
            tokio::select! {
                biased;
                () = self.app.stopping.cancelled() => return None,
                changed = self.changes.changed() => changed.ok()?,
                () = tokio::time::sleep_until(self.until) => return None,
            }
            let followed = self.changes.borrow_and_update().clone();
            let load = self.app.eta.of(&*self.app.store, std::slice::from_ref(&*followed.task)).await;
            context::speak(self.language, || self.queue_events(&followed, &load));
        }
    }

    fn queue_events(&mut self, followed: &TaskUpdate, load: &Load) {
        let now = clock::now_ms();
        let task = &followed.task;
        for item in followed.ended.iter() {
            match item.ended_order {
                Some(order) if order > self.sent.items => self.sent.items = order,
                _ => continue,
            }
            let view = ItemView::of(item.clone(), &task.task_no, &self.app.links, now);
            self.event("item", &view);
        }
        let view = TaskView::brief(TaskRecord::clone(task), load, now);
        let percent = view.progress_percent.max(self.sent.percent);
        let has_advanced = percent > self.sent.percent;
        self.sent.percent = percent;
        if self.sent.state != Some(view.status) {
            self.sent.state = Some(view.status);
            self.event("state", &view);
        } else if has_advanced {
            self.event("progress", &ProgressView::from(&view));
        }
        self.over = task.state.is_final();
    }

    fn event(&mut self, name: &str, data: &impl Serialize) {
        match Event::default().id(self.sent.to_string()).event(name).json_data(data) {
            Ok(event) => self.events.push_back(event),
            Err(error) => tracing::error!(%error, "an event could not be written"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn event_ids_are_read_back_and_others_are_ignored() {
        let check = |items, state, percent| {
            let sent = SentState { items, state, percent };
            assert_eq!(SentState::parse(&sent.to_string()), Some(sent));
        };
        check(0, None, 0);
        check(12, Some(3), 100);
        for id in ["", "1", "1-2", "1-2-3-4", "a-2-3", "1-x-3", "-1-2-3", "1-2-300", "99999999999-1-1"] {
            assert_eq!(SentState::parse(id), None, "{id:?}");
        }
    }
}
