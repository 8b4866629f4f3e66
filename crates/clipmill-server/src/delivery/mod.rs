//! Delivery of callbacks: claims due events from the store, sends each to its receiver, and records the outcome. An
//! event is written in the same transaction as the final state that it reports, so events are never lost or invented.
//! When a process dies, its lease expires and the event is sent again under the same ID. An attempt always ends well
//! before its lease, which therefore needs no renewal.

mod schedule;

use std::sync::Arc;
use std::time::Duration;

use clipmill_store::{AttemptOutcome, DeliveryAttempt, DueEvent, Load, Millis, Signal, StoreError, Subject};
use serde::Serialize;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::app::App;
use crate::clock;
use crate::observe::{metric, traces};
use crate::view::{BatchView, TaskView};
use crate::webhook::{Envelope, Message, WebhookResponse};
use schedule::after;

/// How long to wait without a notification: retries become due without one.
const IDLE: Duration = Duration::from_secs(1);
/// Minimum wait, because most notifications do not concern events.
const MIN_POLL_INTERVAL: Duration = Duration::from_millis(100);
/// How long to wait when the store does not respond.
const ERROR_BACKOFF: Duration = Duration::from_secs(1);
/// A lease is longer than the longest attempt by this much, for reading the task and writing the outcome.
const LEASE_MARGIN: Duration = Duration::from_secs(45);

pub struct Delivery {
    app: Arc<App>,
}

impl Delivery {
    pub fn new(app: Arc<App>) -> Self {
        Self { app }
    }

    /// Sends until `stop`; then attempts in progress may finish, unless `force_stop` is triggered.
    pub async fn run(self: Arc<Self>, stop: CancellationToken, force_stop: CancellationToken) {
        let mut in_progress = JoinSet::new();
        let dispatch = self.dispatch(&stop, &mut in_progress);
        force_stop.run_until_cancelled(dispatch).await;
        // Dropped attempts leave leases behind, which expire.
        in_progress.shutdown().await;
    }

    async fn dispatch(self: &Arc<Self>, stop: &CancellationToken, in_progress: &mut JoinSet<()>) {
        let slots = self.app.config.callbacks.slots as usize;
        let mut notifications = self.app.store.signal(Signal::Ready);
        while !stop.is_cancelled() {
            while let Some(ended) = in_progress.try_join_next() {
                log_end(ended);
            }
            if in_progress.len() >= slots {
                stop.run_until_cancelled(in_progress.join_next()).await;
                continue;
            }
            notifications.mark_unchanged();
            match self.claim().await {
                Ok(Some(event)) => drop(in_progress.spawn(self.clone().attempt(event))),
                Ok(None) => {
                    wait(MIN_POLL_INTERVAL, stop).await;
                    let signalled = tokio::time::timeout(IDLE, notifications.changed());
                    stop.run_until_cancelled(signalled).await;
                }
                Err(error) => {
                    tracing::error!(%error, "events could not be claimed");
                    wait(ERROR_BACKOFF, stop).await;
                }
            }
        }
        while let Some(ended) = in_progress.join_next().await {
            log_end(ended);
        }
    }

    async fn claim(&self) -> Result<Option<DueEvent>, StoreError> {
        let config = &self.app.config.callbacks;
        let lease = config.timeout.get() + LEASE_MARGIN;
        let per_user = config.slots.div_ceil(2);
        self.app.store.callbacks().claim(clock::now_ms(), lease.as_millis() as i64, per_user).await
    }

    async fn attempt(self: Arc<Self>, event: DueEvent) {
        let span =
            tracing::info_span!("callback", event = %event.lease.event_id, task = event.subject.number());
        if let Subject::Task(task_no) = &event.subject
            && traces::is_enabled()
        {
            let trace = self.app.store.traces().of_task(task_no).await.ok().flatten();
            traces::continue_trace(&span, trace.as_deref());
        }
        self.attempt_in_span(event).instrument(span).await;
    }

    async fn attempt_in_span(&self, event: DueEvent) {
        let outcome = match self.send(&event).await {
            Ok(Some((started_at, received))) => self.report(&event, started_at, received).await,
            Ok(None) => Err(StoreError::NotFound),
            Err(error) => Err(error),
        };
        match outcome {
            Ok(()) => {}
            Err(StoreError::LeaseLost) => tracing::info!(event = %event.lease.event_id, "the lease was lost"),
            // The lease expires, and the event is sent again.
            Err(error) => {
                tracing::error!(event = %event.lease.event_id, %error, "an event could not be sent")
            }
        }
    }

    /// `None` if the task or batch was deleted.
    async fn send(&self, event: &DueEvent) -> Result<Option<(Millis, WebhookResponse)>, StoreError> {
        let app = &self.app;
        match &event.subject {
            Subject::Task(task_no) => {
                let Some(mut task) = app.store.tasks().find(event.user, task_no).await? else {
                    return Ok(None);
                };
                app.similarities.add_to(&*app.store, event.user, &mut task).await?;
                // The task has ended, so there is nothing to estimate.
                let now = clock::now_ms();
                let task = TaskView::detailed(task, &app.links, &Load::default(), now);
                self.send_view(event, task).await.map(Some)
            }
            Subject::Batch(batch_no) => {
                let Some(batch) = app.store.batches().find(event.user, batch_no).await? else {
                    return Ok(None);
                };
                let view = BatchView::linked(batch, &app.links, clock::now_ms());
                self.send_view(event, view).await.map(Some)
            }
        }
    }

    async fn send_view(
        &self,
        event: &DueEvent,
        data: impl Serialize,
    ) -> Result<(Millis, WebhookResponse), StoreError> {
        let now = clock::now_ms();
        let secrets = self.app.store.users().signing_secrets(event.user, now).await?;
        let message = Message::new(&event.kind, event.created_at, data);
        let envelope = Envelope { id: &event.lease.event_id, url: &event.url, secrets: &secrets };
        Ok((now, self.app.sender.send(&envelope, &message, now).await))
    }

    async fn report(
        &self,
        event: &DueEvent,
        started_at: Millis,
        received: WebhookResponse,
    ) -> Result<(), StoreError> {
        let now = clock::now_ms();
        let jitter = clock::fraction().unwrap_or_default();
        let then = after(&self.app.config.callbacks, event.step, &received, now, jitter);
        let error = received.refused.as_ref().map(|refused| refused.message.clone());
        let (id, status) = (&event.lease.event_id, received.status);
        let ms = received.duration.as_millis() as u64;
        let outcome = match then {
            AttemptOutcome::Delivered => "delivered",
            AttemptOutcome::RetryAt(_) => "retry",
            AttemptOutcome::GiveUp => "given_up",
        };
        metric::count(metric::DELIVERIES, &[("outcome", outcome)], 1);
        metric::seconds(metric::DELIVERY_SECONDS, &[], received.duration);
        match (&error, then) {
            (None, _) => tracing::info!(event = %id, status, ms, "delivered"),
            (Some(error), AttemptOutcome::GiveUp) => {
                tracing::warn!(event = %id, status, ms, %error, "not delivered; no more attempts");
            }
            (Some(error), _) => tracing::info!(event = %id, status, ms, %error, "not delivered yet"),
        }
        let attempt = DeliveryAttempt { started_at, duration_ms: Some(ms), status, error };
        self.app.store.callbacks().report_attempt(&event.lease, attempt, then, now).await
    }
}

fn log_end(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a delivery ended abnormally");
    }
}

async fn wait(time: Duration, stop: &CancellationToken) {
    stop.run_until_cancelled(tokio::time::sleep(time)).await;
}
