//! The store on SQLite: one file, one writer.
//!
//! Writes go through a single connection, each unit in `BEGIN IMMEDIATE`, so that whoever reads inside a
//! unit decides on what it will find when it writes. Reads have connections of their own and, in WAL mode,
//! never wait. Dropping a unit's future rolls it back. The statements are written so that PostgreSQL
//! understands them as well.

mod audit;
mod cancel;
mod claim;
mod deliveries;
mod ending;
mod failing;
mod finish;
mod holds;
mod keys;
mod lease;
mod ledger;
mod preflight;
mod progress;
mod records;
mod rescue;
mod rows;
mod segments;
mod submit;
mod tasks;
mod uploads;
mod users;

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use clipmill_core::ids::{TaskId, TaskNo, UserId};
use clipmill_core::segment::SegmentHash;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Sqlite, SqlitePool, Transaction};
use tokio::sync::watch;

use crate::error::StoreResult;
use crate::model::*;
use crate::store::Store;

/// How long another process may keep the file locked before a unit gives up.
const BUSY_TIMEOUT: Duration = Duration::from_secs(15);
/// How long a unit may queue behind others in this process.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(60);
const READERS: u32 = 4;

pub struct SqliteStore {
    writer: SqlitePool,
    readers: SqlitePool,
    interrupted: watch::Sender<u64>,
}

/// One unit of work: all of it or nothing.
macro_rules! unit {
    ($store:ident, $tx:ident => $work:expr) => {{
        let mut $tx = $store.write().await?;
        let outcome = $work.await?;
        $tx.commit().await?;
        Ok(outcome)
    }};
}

/// Reads that belong together see one moment.
macro_rules! snapshot {
    ($store:ident, $tx:ident => $work:expr) => {{
        let mut $tx = $store.readers.begin().await?;
        $work.await
    }};
}

impl SqliteStore {
    /// Opens the file, creating it if need be, and brings its schema up to date.
    pub async fn open(path: &Path) -> StoreResult<Self> {
        let options = connect_options(path);
        let writer = pool(1).connect_with(options.clone()).await?;
        sqlx::migrate!("migrations/sqlite").run(&writer).await?;
        let readers = pool(READERS).connect_lazy_with(options.pragma("query_only", "ON"));
        Ok(Self { writer, readers, interrupted: watch::Sender::new(0) })
    }

    async fn write(&self) -> StoreResult<Transaction<'static, Sqlite>> {
        Ok(self.writer.begin_with("BEGIN IMMEDIATE").await?)
    }
}

fn connect_options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        .statement_cache_capacity(128)
        // In KiB: five connections stay within a few MiB.
        .pragma("cache_size", "-2048")
}

fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .max_lifetime(None)
        .idle_timeout(None)
}

#[async_trait]
impl Store for SqliteStore {
    async fn ping(&self) -> StoreResult<()> {
        sqlx::query("SELECT 1").execute(&self.readers).await?;
        Ok(())
    }

    async fn secret(&self, name: &str, fresh: [u8; 32]) -> StoreResult<[u8; 32]> {
        unit!(self, tx => users::secret(&mut tx, name, fresh))
    }

    async fn add_user(&self, user: NewUser, now: Millis) -> StoreResult<User> {
        unit!(self, tx => users::add(&mut tx, user, now))
    }

    async fn user(&self, id: UserId) -> StoreResult<Option<User>> {
        snapshot!(self, tx => users::by_id(&mut tx, id))
    }

    async fn user_by_name(&self, name: &str) -> StoreResult<Option<User>> {
        snapshot!(self, tx => users::by_name(&mut tx, name))
    }

    async fn user_count(&self) -> StoreResult<u64> {
        snapshot!(self, tx => users::count_all(&mut tx))
    }

    async fn add_key(&self, key: NewKey, now: Millis) -> StoreResult<i64> {
        unit!(self, tx => keys::add(&mut tx, &key, now))
    }

    async fn key_owner(&self, key_sha256: &[u8; 32]) -> StoreResult<Option<KeyOwner>> {
        snapshot!(self, tx => keys::owner(&mut tx, key_sha256))
    }

    async fn key_used(&self, key_id: i64, at: Millis) -> StoreResult<()> {
        unit!(self, tx => keys::used(&mut tx, key_id, at))
    }

    async fn keys(&self, user: UserId) -> StoreResult<Vec<KeyRecord>> {
        snapshot!(self, tx => keys::of_user(&mut tx, user))
    }

    async fn revoke_key(&self, key_id: i64, now: Millis) -> StoreResult<KeyRecord> {
        unit!(self, tx => keys::revoke(&mut tx, key_id, now))
    }

    async fn rotate_secret(&self, user: UserId, secret: &str, earlier_until: Millis) -> StoreResult<()> {
        unit!(self, tx => users::rotate_secret(&mut tx, user, secret, earlier_until))
    }

    async fn signing_secrets(&self, user: UserId, now: Millis) -> StoreResult<Vec<String>> {
        snapshot!(self, tx => users::signing_secrets(&mut tx, user, now))
    }

    async fn grant(&self, user: UserId, points: u64, remark: &str, now: Millis) -> StoreResult<Balance> {
        unit!(self, tx => ledger::grant(&mut tx, user, points, remark, now))
    }

    async fn balance(&self, user: UserId) -> StoreResult<Balance> {
        snapshot!(self, tx => ledger::balance(&mut tx, user))
    }

    async fn movements(
        &self,
        user: UserId,
        filter: &MovementFilter,
        page: Page,
    ) -> StoreResult<Paged<Movement>> {
        snapshot!(self, tx => records::movements(&mut tx, user, filter, page))
    }

    async fn audit(&self) -> StoreResult<Vec<String>> {
        snapshot!(self, tx => audit::audit(&mut tx))
    }

    async fn submit(&self, task: NewTask, now: Millis) -> StoreResult<SubmitOutcome> {
        unit!(self, tx => submit::submit(&mut tx, &task, now))
    }

    async fn task(&self, user: UserId, task_no: &TaskNo) -> StoreResult<Option<TaskRecord>> {
        snapshot!(self, tx => tasks::task(&mut tx, user, task_no))
    }

    async fn cancel(
        &self,
        user: UserId,
        task_no: &TaskNo,
        now: Millis,
    ) -> StoreResult<Option<CancelOutcome>> {
        let outcome = unit!(self, tx => cancel::cancel(&mut tx, user, task_no, now));
        self.interrupted.send_modify(|count| *count = count.wrapping_add(1));
        outcome
    }

    async fn tasks(&self, user: UserId, filter: &TaskFilter, page: Page) -> StoreResult<Paged<TaskRecord>> {
        snapshot!(self, tx => tasks::tasks(&mut tx, user, filter, page))
    }

    async fn item_result(&self, task_no: &TaskNo, item_no: u32) -> StoreResult<Option<ItemResult>> {
        snapshot!(self, tx => tasks::item_result(&mut tx, task_no, item_no))
    }

    async fn claim(&self, worker: &str, now: Millis, lease_ms: i64) -> StoreResult<Option<Claim>> {
        unit!(self, tx => claim::claim(&mut tx, worker, now, lease_ms))
    }

    async fn heartbeat(&self, lease: Lease, frames_done: u64, now: Millis, lease_ms: i64) -> StoreResult<()> {
        unit!(self, tx => lease::heartbeat(&mut tx, lease, frames_done, now, lease_ms))
    }

    async fn holds_lease(&self, lease: Lease) -> StoreResult<bool> {
        snapshot!(self, tx => lease::holds(&mut tx, lease))
    }

    fn interruptions(&self) -> watch::Receiver<u64> {
        self.interrupted.subscribe()
    }

    async fn hand_back(&self, lease: Lease, _now: Millis) -> StoreResult<()> {
        unit!(self, tx => lease::hand_back(&mut tx, lease))
    }

    async fn fail(&self, lease: Lease, failure: WorkFailure, now: Millis) -> StoreResult<()> {
        unit!(self, tx => failing::fail(&mut tx, lease, &failure, now))
    }

    async fn finish_preflight(&self, lease: Lease, found: Preflighted, now: Millis) -> StoreResult<()> {
        unit!(self, tx => preflight::finish(&mut tx, lease, &found, now))
    }

    async fn finish_segment(&self, lease: Lease, now: Millis) -> StoreResult<()> {
        unit!(self, tx => segments::finish(&mut tx, lease, now))
    }

    async fn needed_segments(&self) -> StoreResult<Vec<SegmentHash>> {
        snapshot!(self, tx => segments::needed(&mut tx))
    }

    async fn segments_missing(&self, lease: Lease, missing: &[SegmentHash], now: Millis) -> StoreResult<()> {
        unit!(self, tx => finish::segments_missing(&mut tx, lease, missing, now))
    }

    async fn deliver(&self, lease: Lease, result: ItemResult, points: u64, now: Millis) -> StoreResult<()> {
        unit!(self, tx => finish::deliver(&mut tx, lease, &result, points, now))
    }

    async fn rescue(&self, now: Millis) -> StoreResult<u64> {
        unit!(self, tx => rescue::rescue(&mut tx, now, now))
    }

    async fn rescue_all(&self, now: Millis) -> StoreResult<u64> {
        unit!(self, tx => rescue::rescue_all(&mut tx, now))
    }

    async fn claim_event(&self, now: Millis, lease_ms: i64, per_user: u32) -> StoreResult<Option<DueEvent>> {
        // Asked several times a second: a look does not keep others from writing.
        if !snapshot!(self, tx => deliveries::any_due(&mut tx, now, lease_ms))? {
            return Ok(None);
        }
        unit!(self, tx => deliveries::claim(&mut tx, now, lease_ms, per_user))
    }

    async fn report_attempt(
        &self,
        lease: &EventLease,
        attempt: DeliveryAttempt,
        then: AfterAttempt,
        now: Millis,
    ) -> StoreResult<()> {
        unit!(self, tx => deliveries::report(&mut tx, lease, &attempt, then, now))
    }

    async fn task_callback(&self, user: UserId, task_no: &TaskNo) -> StoreResult<Option<TaskCallback>> {
        snapshot!(self, tx => deliveries::of_task(&mut tx, user, task_no))
    }

    async fn redeliver(
        &self,
        user: UserId,
        task_no: &TaskNo,
        now: Millis,
    ) -> StoreResult<Option<RedeliverOutcome>> {
        unit!(self, tx => deliveries::redeliver(&mut tx, user, task_no, now))
    }

    async fn open_deliveries(&self, most: u32) -> StoreResult<Vec<OpenDelivery>> {
        snapshot!(self, tx => deliveries::open(&mut tx, most))
    }

    async fn pulses(&self, tasks: &[TaskId]) -> StoreResult<Vec<Pulse>> {
        snapshot!(self, tx => tasks::pulses(&mut tx, tasks))
    }

    async fn add_upload(&self, upload: NewUpload) -> StoreResult<()> {
        unit!(self, tx => uploads::add(&mut tx, &upload))
    }

    async fn upload(&self, user: UserId, id: &str) -> StoreResult<Option<Upload>> {
        snapshot!(self, tx => uploads::get(&mut tx, user, id))
    }

    async fn close(&self) {
        // The writer goes last: it moves the write-ahead log into the file.
        self.readers.close().await;
        self.writer.close().await;
    }
}

#[cfg(test)]
mod tests;
