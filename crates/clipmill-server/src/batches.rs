//! Turns rows of batches into tasks, a few at a time, and ends batches whose tasks have ended. Each row becomes a
//! task in one transaction that requires it to be waiting, so any number of processes can do this concurrently, and a
//! process that dies leaves nothing half done. Users are served in turn, one row each, and so are the batches of a
//! user.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::message::{self, Message};
use clipmill_core::request::Accepted;
use clipmill_core::request::batch::{RowError, client_task_id, read_row};
use clipmill_core::request::template::{Template, Values};
use clipmill_store::{DueRow, NewItem, NewTask, RowItem, RowOutcome, Signal, StoreError};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::clock;
use crate::settings::{self, request_policy};

/// How long to wait without a notification: users may be below their limit of open tasks by then.
const IDLE: Duration = Duration::from_secs(2);
/// Minimum wait, because most notifications do not concern batches.
const MIN_POLL_INTERVAL: Duration = Duration::from_millis(300);

/// A row that takes longer is followed by a pause of its user for as long as it took.
const QUICK: Duration = Duration::from_millis(100);
/// How often batches are ended while rows become tasks.
const ENDS_EVERY: Duration = Duration::from_secs(1);
/// The most bytes of cached templates, as JSON; parsed, they occupy many times as much.
const MAX_CACHED_BYTES: usize = 16 << 20;

pub struct Batches {
    app: Arc<App>,
    /// Templates by batch, with their size, the latest last.
    templates: Vec<(i64, usize, Arc<Template>)>,
    /// The batch of a user's last row.
    last: HashMap<UserId, i64>,
    /// When users whose rows take long may continue.
    resting: HashMap<UserId, Instant>,
    /// Users who are not tried again in this round.
    waiting: HashSet<UserId>,
}

impl Batches {
    pub fn new(app: Arc<App>) -> Self {
        Self {
            app,
            templates: Vec::new(),
            last: HashMap::new(),
            resting: HashMap::new(),
            waiting: HashSet::new(),
        }
    }

    /// Works until `stop` is cancelled.
    pub async fn run(mut self, stop: CancellationToken) {
        let mut notifications = self.app.store.signal(Signal::Changed);
        while !stop.is_cancelled() {
            notifications.mark_unchanged();
            if let Err(error) = self.round(&stop).await {
                tracing::error!(%error, "batches could not be continued");
            }
            stop.run_until_cancelled(tokio::time::sleep(MIN_POLL_INTERVAL)).await;
            stop.run_until_cancelled(tokio::time::timeout(IDLE, notifications.changed())).await;
        }
    }

    /// Converts all rows and ends all batches that are due now.
    pub async fn round(&mut self, stop: &CancellationToken) -> Result<(), StoreError> {
        self.waiting.clear();
        let mut ended = Instant::now();
        while !stop.is_cancelled() {
            let settled = self.run_round(stop).await?;
            // A user does not need to pause if no other user has rows.
            if !settled && std::mem::take(&mut self.resting).is_empty() {
                break;
            }
            if ended.elapsed() > ENDS_EVERY {
                self.end().await?;
                ended = Instant::now();
            }
        }
        self.end().await
    }

    /// Cancels tasks of cancelled batches and ends batches whose tasks have ended.
    async fn end(&self) -> Result<(), StoreError> {
        let store = &self.app.store;
        for (user, task_no) in store.batches().tasks_to_cancel().await? {
            store.tasks().cancel(user, &task_no, clock::now_ms()).await?;
        }
        store.batches().finish(clock::now_ms()).await.map(drop)
    }

    /// Tries a row of every user whose batches may continue. Returns whether any was settled. A user who has reached
    /// the task limit, or whose row fails, is not tried again in this round, and does not delay others.
    async fn run_round(&mut self, stop: &CancellationToken) -> Result<bool, StoreError> {
        let mut settled = false;
        for (user, row) in self.due().await? {
            if stop.is_cancelled() {
                break;
            }
            let (batch, began) = (row.batch, Instant::now());
            let outcome = self.make(row).await;
            self.last.insert(user, batch);
            if began.elapsed() > QUICK {
                self.resting.insert(user, Instant::now() + began.elapsed());
            }
            match outcome {
                Ok(RowOutcome::Settled) => settled = true,
                Ok(RowOutcome::NotDue) => {}
                Ok(RowOutcome::Later) => drop(self.waiting.insert(user)),
                Err(error) => {
                    tracing::error!(%error, batch, "a row of a batch could not be converted into a task");
                    self.waiting.insert(user);
                }
            }
        }
        Ok(settled)
    }

    /// One waiting row per user, from the batch after the batch of the user's last row.
    async fn due(&mut self) -> Result<BTreeMap<UserId, DueRow>, StoreError> {
        let now = Instant::now();
        self.resting.retain(|_, until| *until > now);
        let (mut due, mut after) = (BTreeMap::<UserId, DueRow>::new(), 0);
        loop {
            let rows = self.app.store.batches().due_rows(after).await?;
            let Some(last) = rows.last().map(|row| row.batch) else { return Ok(due) };
            after = last;
            for row in rows {
                let user = row.user;
                let last = self.last.get(&user).copied().unwrap_or_default();
                let order = |batch: i64| (batch <= last, batch);
                let is_next = due.get(&user).is_none_or(|other| order(row.batch) < order(other.batch));
                if is_next && !self.resting.contains_key(&user) && !self.waiting.contains(&user) {
                    due.insert(user, row);
                }
            }
        }
    }

    async fn make(&mut self, row: DueRow) -> Result<RowOutcome, StoreError> {
        let now = clock::now_ms();
        let policy = request_policy(&self.app.config);
        let template = self.template(row.batch).await?;
        let read = tokio::task::spawn_blocking(move || {
            let read = read_row(&template, &row.client_batch_id, &(row.row, row.values.clone()), &policy);
            (row, read)
        });
        let Ok((row, read)) = read.await else { return Ok(RowOutcome::Later) };
        let random = clock::random().map_err(|_| StoreError::Conflict)?;
        match read {
            Ok(mut accepted) => {
                let id = client_task_id(&row.client_batch_id, row.row, row.retries);
                accepted.request.client_task_id = Some(id);
                let task = self.task(&row, accepted, TaskNo::new(now, random));
                self.app.store.batches().make_row(row.batch, row.row, task, now).await
            }
            // The row was valid when the batch was accepted; limits were lowered since.
            Err(errors) => {
                self.app.store.batches().refuse_row(row.user, row.batch, row.row, first(errors), now).await
            }
        }
    }

    async fn template(&mut self, batch: i64) -> Result<Arc<Template>, StoreError> {
        if let Some((.., template)) = self.templates.iter().find(|(of, ..)| *of == batch) {
            return Ok(template.clone());
        }
        let template = Arc::new(self.app.store.batches().template(batch).await?);
        self.templates.push((batch, template.sizes([&Values::new()]), template.clone()));
        let mut bytes: usize = self.templates.iter().map(|(_, bytes, _)| bytes).sum();
        while bytes > MAX_CACHED_BYTES && self.templates.len() > 1 {
            bytes -= self.templates.remove(0).1;
        }
        Ok(template)
    }

    fn task(&self, row: &DueRow, accepted: Accepted, task_no: TaskNo) -> NewTask {
        NewTask {
            user: row.user,
            task_no,
            request_sha256: accepted.request.fingerprint(),
            request: accepted.request,
            seed: row.seed,
            items: row.items.iter().map(new_item).collect(),
            warnings: accepted.warnings,
            traceparent: None,
            quota: settings::quota(&self.app.config, clock::now_ms()),
            template: row.kept_as.clone(),
        }
    }
}

fn new_item(item: &RowItem) -> NewItem {
    NewItem { seed: item.seed, points: item.points, expected: item.expected }
}

fn first(errors: Vec<RowError>) -> Message {
    errors.into_iter().next().map_or_else(message::row_not_made, |wrong| wrong.error.message)
}
