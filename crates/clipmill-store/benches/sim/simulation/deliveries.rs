//! Sending callbacks: the calls of the service, and receivers that respond after a moment.

use std::sync::Arc;
use std::time::Duration;

use clipmill_store::postgres::PgStore;
use clipmill_store::{AttemptOutcome, DeliveryAttempt, DueEvent, Store, StoreResult, Subject};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::Fixture;
use super::books::Call;
use super::fleet::NOW;

const SLOTS: usize = 16;
const LEASE_MS: i64 = 60_000;
const IDLE: Duration = Duration::from_millis(250);
const ANSWER: Duration = Duration::from_millis(50);

/// Sends until stopped.
pub async fn send(fixture: Arc<Fixture>, store: PgStore, stop: watch::Receiver<bool>) {
    let mut in_progress = JoinSet::new();
    while !*stop.borrow() {
        while in_progress.try_join_next().is_some() {}
        if in_progress.len() >= SLOTS {
            in_progress.join_next().await;
            continue;
        }
        match store.callbacks().claim(NOW, LEASE_MS, SLOTS as u32 / 2).await {
            Ok(Some(event)) => drop(in_progress.spawn(attempt(fixture.clone(), store.clone(), event))),
            _ => sleep(IDLE).await,
        }
    }
    while in_progress.join_next().await.is_some() {}
}

async fn attempt(fixture: Arc<Fixture>, store: PgStore, event: DueEvent) {
    let _ = fixture.books.time(Call::Callback, one(&store, &event)).await;
}

async fn one(store: &PgStore, event: &DueEvent) -> StoreResult<()> {
    if let Subject::Task(task_no) = &event.subject {
        store.tasks().find(event.user, task_no).await?;
    }
    store.users().signing_secrets(event.user, NOW).await?;
    sleep(ANSWER).await;
    let attempt = DeliveryAttempt { started_at: NOW, duration_ms: Some(50), status: Some(200), error: None };
    store.callbacks().report_attempt(&event.lease, attempt, AttemptOutcome::Delivered, NOW).await
}
