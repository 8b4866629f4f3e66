//! Turns rows of batches into tasks, a few at a time, and ends batches whose tasks have ended.
//!
//! Each row is made in one transaction that requires it to be waiting, so any number of processes may do this at once, and
//! one that dies leaves nothing half done. Batches take turns, a row each.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use clipmill_core::ids::TaskNo;
use clipmill_core::message::{self, Message};
use clipmill_core::request::Accepted;
use clipmill_core::request::batch::{RowError, read_row};
use clipmill_store::{DueRow, NewItem, NewTask, RowOutcome, Signal, StoreError};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::clock;
use crate::settings::{self, request_policy};

/// How long to wait without news: users may have room for more tasks by then.
const IDLE: Duration = Duration::from_secs(2);
/// How long to wait in any case, because most news does not concern batches.
const SOON: Duration = Duration::from_millis(300);

pub struct Batches {
    app: Arc<App>,
}

impl Batches {
    pub fn new(app: Arc<App>) -> Self {
        Self { app }
    }

    /// Works until `stop` is cancelled.
    pub async fn run(self, stop: CancellationToken) {
        let mut news = self.app.store.signal(Signal::Changed);
        while !stop.is_cancelled() {
            news.mark_unchanged();
            if let Err(error) = self.round(&stop).await {
                tracing::error!(%error, "batches could not be gone on with");
            }
            stop.run_until_cancelled(tokio::time::sleep(SOON)).await;
            stop.run_until_cancelled(tokio::time::timeout(IDLE, news.changed())).await;
        }
    }

    /// Makes all rows and ends all batches that are due now.
    pub async fn round(&self, stop: &CancellationToken) -> Result<(), StoreError> {
        let store = &self.app.store;
        while self.turn(stop).await? {}
        for (user, task_no) in store.tasks_to_cancel().await? {
            store.cancel(user, &task_no, clock::now_ms()).await?;
        }
        store.finish_batches(clock::now_ms()).await.map(drop)
    }

    /// Tries a row of every batch that may go on. Returns whether any was settled. A user who has as many tasks as may be is not
    /// asked again, and holds up nobody.
    async fn turn(&self, stop: &CancellationToken) -> Result<bool, StoreError> {
        let (mut settled, mut waiting, mut after) = (false, HashSet::new(), 0);
        while !stop.is_cancelled() {
            let rows = self.app.store.due_rows(after).await?;
            let Some(last) = rows.last().map(|row| row.batch) else { break };
            for row in rows {
                let user = row.user;
                if waiting.contains(&user) {
                    continue;
                }
                match self.make(row).await? {
                    RowOutcome::Settled => settled = true,
                    RowOutcome::Later => {
                        waiting.insert(user);
                    }
                    RowOutcome::NotDue => {}
                }
            }
            after = last;
        }
        Ok(settled && !stop.is_cancelled())
    }

    async fn make(&self, row: DueRow) -> Result<RowOutcome, StoreError> {
        let now = clock::now_ms();
        let policy = request_policy(&self.app.config);
        let read = tokio::task::spawn_blocking(move || {
            let read = read_row(&row.template, &row.client_batch_id, &(row.row, row.values.clone()), &policy);
            (row, read)
        });
        let Ok((row, read)) = read.await else { return Ok(RowOutcome::Later) };
        let random = clock::random().map_err(|_| StoreError::Conflict)?;
        match read {
            Ok(accepted) => {
                let task = self.task(&row, accepted, TaskNo::new(now, random));
                self.app.store.make_row(row.batch, row.row, task, now).await
            }
            // The row was valid when the batch was accepted; limits were lowered since.
            Err(errors) => self.app.store.refuse_row(row.user, row.batch, row.row, first(errors), now).await,
        }
    }

    fn task(&self, row: &DueRow, accepted: Accepted, task_no: TaskNo) -> NewTask {
        NewTask {
            user: row.user,
            task_no,
            request_sha256: accepted.request.fingerprint(),
            request: accepted.request,
            seed: row.seed,
            items: row.items.iter().map(|item| NewItem { seed: item.seed, points: item.points }).collect(),
            warnings: accepted.warnings,
            traceparent: None,
            quota: settings::quota(&self.app.config, clock::now_ms()),
            template: row.kept_as.clone(),
        }
    }
}

fn first(errors: Vec<RowError>) -> Message {
    errors.into_iter().next().map_or_else(message::row_not_made, |wrong| wrong.error.message)
}
