//! The SQLite dialect, which is simple because there is no other writer while a unit runs.

use std::time::Duration;

use clipmill_core::ids::{ItemId, TaskId, UserId};
use clipmill_core::segment::SegmentKey;
use sqlx::Sqlite;

use super::sql::queue::jobs::reports::Reports;
use super::sql::queue::order::{partition_user, stage, stage_bit};
use super::sql::states::{live, no_other_open};
use crate::common::clock::Millis;
use crate::common::clock::Now;
use crate::common::connection::Transaction;
use crate::common::error::{StoreError, StoreResult};
use crate::common::read_limits::ReadSemaphore;
use crate::common::signals::{Signal, Signals};

pub type Database = Sqlite;
pub type Db = sqlx::SqliteConnection;
pub type Handle = super::SqliteStore;

impl super::SqliteStore {
    pub(super) async fn write(&self) -> StoreResult<Transaction<Sqlite>> {
        Ok(Transaction::begin(&self.writer, "BEGIN IMMEDIATE").await?)
    }

    /// A transaction in which all reads see the same state.
    pub(super) async fn read(&self) -> StoreResult<Transaction<Sqlite>> {
        Ok(Transaction::begin(&self.readers, "BEGIN").await?)
    }

    pub(super) async fn write_prompt(&self) -> StoreResult<Transaction<Sqlite>> {
        self.write().await
    }

    pub(super) async fn write_light(&self) -> StoreResult<Transaction<Sqlite>> {
        self.write().await
    }

    pub(super) async fn read_unhurried(&self) -> StoreResult<Transaction<Sqlite>> {
        self.read().await
    }

    /// Searching for delayed work is cheap.
    pub(super) fn polls_delayed(&self) -> bool {
        true
    }

    pub(super) fn readers(&self) -> &ReadSemaphore {
        &self.read_semaphore
    }

    pub(super) fn reports(&self) -> &Reports {
        &self.reports
    }

    pub(super) fn signals(&self) -> &Signals {
        &self.signals
    }

    /// There is one process.
    pub(super) fn fleet_is(&self, _: u64) {}

    /// There are no other processes to notify.
    pub(super) fn notify(&self, signals: &[Signal]) {
        signals.iter().for_each(|signal| self.signals.send(*signal));
    }

    /// The only process that uses the file has the only clock.
    pub(super) async fn clock_now(&self, _: &mut Db, _: Option<Millis>, asked: Millis) -> StoreResult<Now> {
        Ok(Now::of_the_caller(asked))
    }

    pub(super) async fn close_all(&self) {
        // The writer is closed last, because it moves the write-ahead log into the file.
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// Longer than any unit waits for the writer.
pub const MAX_UNIT_TIME: Duration = Duration::from_secs(600);

/// Units run one after the other, so they never collide.
pub fn is_conflict(_: &StoreError) -> bool {
    false
}

/// A member of a column of JSON as text.
macro_rules! json_text {
    ($column:literal, $member:literal) => {
        concat!("json_extract(", $column, ", '$.", $member, "')")
    };
}
pub(super) use json_text;

/// Compares with the members of a list of texts, which is bound as JSON.
macro_rules! listed {
    ($list:literal) => {
        concat!("IN (SELECT value FROM json_each(", $list, "))")
    };
}
pub(super) use listed;

/// The text as `LOWER` of this database converts it, which knows only the letters of ASCII.
pub fn lower(text: &str) -> String {
    text.to_ascii_lowercase()
}

pub const BALANCE: &str = "SELECT available, held FROM balances WHERE user_id = $1";

pub const BODY_TO_USE: &str = "SELECT id FROM bodies WHERE user_id = $1 AND sha256 = $2";
pub const BODY_TO_DELETE: &str = "SELECT id FROM bodies WHERE id = $1";

pub const WAKE_DELAYED: &str =
    "UPDATE work SET state = 'ready', run_after = NULL WHERE state = 'delayed' AND run_after <= $1";

/// Makes preflights ready that waited for the result `$1`, the item `$2` of the task `$3`.
pub const WAKE_WAITING: &str = concat!(
    "UPDATE work SET state = 'ready', run_after = NULL
      WHERE state = 'delayed' AND task_id IN (SELECT x.task_id FROM task_uploads x WHERE x.upload_id = $1",
    no_other_open!(),
    ")"
);

/// The next job of a stage in the partition `c.lane`, if `$5` has its kind.
macro_rules! first_ready {
    ($stage:ident) => {
        concat!(
            "(SELECT w.id FROM work w WHERE w.state = 'ready' AND w.lane = c.lane AND w.stage = ",
            stage!($stage),
            " AND $5 & ",
            stage_bit!($stage),
            " <> 0 ORDER BY w.task_order, w.ord, w.id LIMIT 1)"
        )
    };
}

/// `$1` worker, `$2` now, `$3` length of a lease, `$4` maximum running jobs of one user (0: no limit), `$5` kinds of
/// work as bits: only these are claimed and counted; `$6` how many partitions, all of the first one's priority, one
/// job of each. See `queue/order.rs`.
pub const TAKE_NEXT: &str = concat!(
    "
    UPDATE work SET state = 'running', fence = fence + 1, worker = $1, claimed_at = $2, lease_until = $2 + $3 * lease_times
     WHERE id IN (
        WITH RECURSIVE lanes(lane) AS (
            SELECT MIN(lane) FROM work WHERE state = 'ready'
            UNION ALL
            SELECT (SELECT MIN(w.lane) FROM work w WHERE w.state = 'ready' AND w.lane > l.lane)
              FROM lanes l WHERE l.lane IS NOT NULL
        ), busy AS MATERIALIZED (
            SELECT user_id, COUNT(*) AS running FROM work
             WHERE state = 'running' AND ($5 & (1 << stage)) <> 0 GROUP BY user_id
        ), chosen AS (
            SELECT l.lane, l.lane - ",
    partition_user!("l.lane"),
    " AS priority FROM lanes l
              LEFT JOIN busy b ON b.user_id = ",
    partition_user!("l.lane"),
    "
              LEFT JOIN turns t ON t.user_id = ",
    partition_user!("l.lane"),
    "
             WHERE l.lane IS NOT NULL AND ($4 = 0 OR COALESCE(b.running, 0) < $4)
             ORDER BY ",
    partition_user!("l.lane"),
    " - l.lane DESC, COALESCE(b.running, 0), COALESCE(t.last_turn, 0),
                      l.lane
        ), picked AS (
            SELECT COALESCE(
                ",
    first_ready!(assemble),
    ",
                ",
    first_ready!(preflight),
    ",
                ",
    first_ready!(segment),
    ") AS id, c.priority
              FROM chosen c
        ), next AS MATERIALIZED (
            SELECT id, priority FROM picked
             WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM pauses) LIMIT $6
        )
        SELECT id FROM next WHERE priority = (SELECT MIN(priority) FROM next))
 RETURNING id, fence, task_id, segment_hash, item_id, user_id, attempts, lost_leases, lease_times, claimed_at"
);

/// Further assemblies of a task: `$1` worker, `$2` now, `$3` length of a lease, `$4` partition, `$5` order of the task,
/// `$6` how many.
pub const TAKE_MORE: &str = concat!(
    "
    UPDATE work SET state = 'running', fence = fence + 1, worker = $1, claimed_at = $2, lease_until = $2 + $3 * lease_times
     WHERE id IN (
        SELECT w.id FROM work w WHERE w.state = 'ready' AND w.lane = $4 AND w.stage = ",
    stage!(assemble),
    " AND w.task_order = $5
         ORDER BY w.ord, w.id LIMIT $6)
 RETURNING id, fence, task_id, segment_hash, item_id, user_id, attempts, lost_leases, lease_times, claimed_at"
);

/// The end of a query for rows to write: no other unit locks any.
pub const SKIP_LOCKED: &str = "";

pub const TAKE_TURN: &str = "
    INSERT INTO turns (user_id, last_turn) VALUES ($1, $2)
    ON CONFLICT (user_id) DO UPDATE SET last_turn = excluded.last_turn";

pub const TAKE_CAPPED_TURN: &str = TAKE_TURN;

/// Locks rows that a unit bases its decisions on: nothing to do, because the whole database is locked.
pub mod locks {
    use super::*;

    macro_rules! nothing_to_lock {
        ($($name:ident($($argument:ty),*);)*) => {
            $(pub async fn $name(_: &mut Db, $(_: $argument),*) -> StoreResult<()> {
                Ok(())
            })*
        };
    }

    nothing_to_lock! {
        fold_counts(UserId);
        tasks_numbered(&[&str]);
        task(TaskId);
        item(ItemId);
        segments(&[&str]);
        segments_in_use(&[&str]);
        items_of(&[&str]);
        tasks_of(&[&str], &[ItemId]);
        dependents(&str);
        planned(TaskId, &[&SegmentKey]);
        deliveries();
    }

    pub async fn free_tasks(_: &mut Db, tasks: &[TaskId]) -> StoreResult<Vec<TaskId>> {
        Ok(tasks.to_vec())
    }
}
