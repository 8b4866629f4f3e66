//! The PostgreSQL dialect: many units run at once.

use std::sync::atomic::Ordering;
use std::sync::{LazyLock, PoisonError};
use std::time::Duration;

use sqlx::{PgPool, Postgres, Row};
use tokio::time::Instant;

pub(super) use super::locks;
use super::sql::queue::jobs::reports::Reports;
use super::sql::queue::order::{partition_user, stage, stage_bit};
use super::sql::states::{live, no_other_open};
use crate::common::clock::Millis;
use crate::common::clock::Now;
use crate::common::connection::Transaction;
use crate::common::error::{StoreError, StoreResult};
use crate::common::read_limits::ReadSemaphore;
use crate::common::signals::{Signal, Signals};
use crate::postgres::{ACQUIRE_TIMEOUT, Clock};

pub type Database = Postgres;
pub type Db = sqlx::PgConnection;
pub type Handle = super::PgStore;

/// A unit that takes longer hangs, because the connection failed without notice.
pub const MAX_UNIT_TIME: Duration = Duration::from_secs(40);

/// How often delayed work is searched for: attempts are seconds apart.
const DELAYED: Duration = Duration::from_millis(250);

macro_rules! clock {
    () => {
        "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"
    };
}

/// Begins a write transaction and reads the time. Each statement is planned once per connection, regardless of its
/// values: PostgreSQL would plan it again the first five times, and the connections of a large fleet are used so
/// rarely that this is a fifth of the database's time.
macro_rules! begin {
    ($more:expr) => {
        concat!(
            "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL plan_cache_mode = force_generic_plan; ",
            $more,
            "SELECT ",
            clock!()
        )
    };
}

const BEGIN: &str = begin!("");

const BEGIN_LIGHT: &str = begin!("SET LOCAL synchronous_commit = off; SET LOCAL lock_timeout = '1s'; ");

/// The tables whose locks serve as write permits, see `0047_writers.sql`.
const WRITERS: u32 = 64;

/// Begins a write transaction after acquiring one of a limited number of permits: it locks one of that many tables.
/// Otherwise a thousand workers would begin so many transactions that none makes progress, each with rows locked that
/// others need. A transaction that waits here holds no other lock, so there is no deadlock. The permits are table
/// locks because waiting for one needs no snapshot; waiting in a function, as for an advisory lock, holds a snapshot
/// and prevents vacuum from removing old row versions.
static BEGIN_IN_TURN: LazyLock<Vec<String>> = LazyLock::new(|| {
    let lock = |writer| format!("LOCK TABLE ONLY writer_{writer} IN SHARE UPDATE EXCLUSIVE MODE; SELECT ");
    (0..WRITERS).map(|writer| BEGIN.replacen("SELECT ", &lock(writer), 1)).collect()
});

impl super::PgStore {
    pub(super) async fn write(&self) -> StoreResult<Transaction<Postgres>> {
        let turn = match self.writes_at_once {
            at_once @ 1..=WRITERS => self.turn.fetch_add(1, Ordering::Relaxed) % at_once,
            _ => WRITERS,
        };
        let begin = BEGIN_IN_TURN.get(turn as usize).map_or(BEGIN, String::as_str);
        self.begin_writing(&self.writing, begin).await
    }

    /// A write transaction without a permit, which waits for a connection no longer than a read: for writes that a
    /// client waits for, because there are few API processes, or for a process that has just had a permit.
    pub(super) async fn write_prompt(&self) -> StoreResult<Transaction<Postgres>> {
        let transaction =
            tokio::time::timeout(ACQUIRE_TIMEOUT, self.begin_writing(&self.writing, BEGIN)).await;
        transaction.unwrap_or(Err(StoreError::Database(sqlx::Error::PoolTimedOut)))
    }

    async fn begin_writing(&self, pool: &PgPool, begin: &'static str) -> StoreResult<Transaction<Postgres>> {
        let (mut unit, row) = Transaction::begin_asking(pool, begin).await?;
        unit.clock = row.map(|row| row.try_get(0)).transpose()?;
        Ok(unit)
    }

    /// A transaction in which all reads see the same state.
    pub(super) async fn read(&self) -> StoreResult<Transaction<Postgres>> {
        Ok(Transaction::begin(&self.pool, "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY").await?)
    }

    /// A transaction whose commit does not wait for the disk, and that never waits long for others. Renewals and
    /// progress that a crash of the database loses are reported again soon, or the lease expires like that of a dead
    /// worker.
    pub(super) async fn write_light(&self) -> StoreResult<Transaction<Postgres>> {
        self.begin_writing(&self.pool, BEGIN_LIGHT).await
    }

    pub(super) async fn read_unhurried(&self) -> StoreResult<Transaction<Postgres>> {
        let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL statement_timeout = 0";
        Ok(Transaction::begin(&self.pool, begin).await?)
    }

    /// Only one claim per interval searches for delayed work: searching at every claim would be a third of all
    /// transactions of a process. Tests that move the clock by hours do not wait.
    pub(super) fn polls_delayed(&self) -> bool {
        let mut polled = self.polled.lock().unwrap_or_else(PoisonError::into_inner);
        let due = polled.is_none_or(|polled| polled.elapsed() >= DELAYED) || self.clock == Clock::Caller;
        if due {
            *polled = Some(Instant::now());
        }
        due
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

    pub(super) fn fleet_is(&self, processes: u64) {
        self.notifier.fleet_is(processes);
    }

    pub(super) fn notify(&self, signals: &[Signal]) {
        for signal in signals {
            self.signals.send(*signal);
            self.notifier.send(*signal);
        }
    }

    /// The time of a unit; `clock` is the time read at its beginning.
    pub(super) async fn clock_now(
        &self,
        db: &mut Db,
        clock: Option<Millis>,
        asked: Millis,
    ) -> StoreResult<Now> {
        if self.clock == Clock::Caller {
            return Ok(Now::of_the_caller(asked));
        }
        let now = match clock {
            Some(now) => now,
            None => sqlx::query_scalar(concat!("SELECT ", clock!())).fetch_one(db).await?,
        };
        Ok(Now::of_the_database(now, asked))
    }

    pub(super) async fn close_all(&self) {
        self.notifier.flush(&self.pool).await;
        self.writing.close().await;
        self.pool.close().await;
    }
}

/// Whether to retry the whole unit, because the database aborted it in favour of another.
pub fn is_conflict(error: &StoreError) -> bool {
    match error {
        StoreError::Conflict => true,
        StoreError::Database(sqlx::Error::Database(error)) => {
            matches!(error.code().as_deref(), Some("40001" | "40P01"))
        }
        _ => false,
    }
}

/// A member of a column of JSON as text.
macro_rules! json_text {
    ($column:literal, $member:literal) => {
        concat!("CAST(", $column, " AS JSON) ->> '", $member, "'")
    };
}
pub(super) use json_text;

/// Compares with the members of a list of texts, which is bound as JSON.
macro_rules! listed {
    ($list:literal) => {
        concat!("= ANY(ARRAY(SELECT json_array_elements_text(CAST(", $list, " AS JSON))))")
    };
}
pub(super) use listed;

/// The text as `LOWER` of this database converts it.
pub fn lower(text: &str) -> String {
    text.to_lowercase()
}

pub const BALANCE: &str = "SELECT available, held FROM balances WHERE user_id = $1 FOR NO KEY UPDATE";

pub const BODY_TO_USE: &str = "SELECT id FROM bodies WHERE user_id = $1 AND sha256 = $2 FOR NO KEY UPDATE";
pub const BODY_TO_DELETE: &str = "SELECT id FROM bodies WHERE id = $1 FOR NO KEY UPDATE";

pub const WAKE_DELAYED: &str = "
    WITH due AS MATERIALIZED (
        SELECT id FROM work WHERE state = 'delayed' AND run_after <= $1
         ORDER BY run_after LIMIT 100 FOR UPDATE SKIP LOCKED)
    UPDATE work SET state = 'ready', run_after = NULL FROM due WHERE work.id = due.id";

/// Makes preflights ready that waited for the result `$1`, the item `$2` of the task `$3`.
pub const WAKE_WAITING: &str = concat!(
    "WITH waiting AS MATERIALIZED (
        SELECT w.id FROM task_uploads x JOIN work w ON w.task_id = x.task_id
         WHERE x.upload_id = $1 AND w.state = 'delayed'",
    no_other_open!(),
    " FOR NO KEY UPDATE OF w SKIP LOCKED)
     UPDATE work SET state = 'ready', run_after = NULL FROM waiting WHERE work.id = waiting.id"
);

/// The next job of a stage in the partition `c.lane`, if `$5` has its kind.
macro_rules! first_ready {
    ($stage:ident) => {
        concat!(
            "(SELECT w.id FROM work w WHERE w.state = 'ready' AND w.lane = c.lane AND w.stage = ",
            stage!($stage),
            " AND ($5 & ",
            stage_bit!($stage),
            ") <> 0 ORDER BY w.task_order, w.ord, w.id LIMIT 1 FOR UPDATE SKIP LOCKED)"
        )
    };
}

/// `$1` worker, `$2` now, `$3` length of a lease, `$4` maximum running jobs of one user (0: no limit), `$5` kinds of
/// work as bits: only these are claimed and counted; `$6` how many partitions, all of the first one's priority, one
/// job of each. See `queue/order.rs`. `picked` produces only as many rows as requested, so
/// it rarely locks partitions that it does not need. Counting the running jobs makes claims slower as the fleet
/// grows. Therefore, from 128 running jobs on, one claim every quarter of a second stores its counts, by which the
/// other claims order users; counts older than 2.5 s are not used.
/// Limits of users are always checked against each claim's own count.
pub const TAKE_NEXT: &str = concat!(
"
    WITH RECURSIVE lanes(lane) AS (
        SELECT MIN(lane) FROM work WHERE state = 'ready'
        UNION ALL
        SELECT (SELECT MIN(w.lane) FROM work w WHERE w.state = 'ready' AND w.lane > l.lane)
          FROM lanes l WHERE l.lane IS NOT NULL
    ), known AS MATERIALIZED (
        SELECT told FROM jobs
         WHERE name = 'count running work' AND $4 = 0 AND told IS NOT NULL AND ABS($2 - ended_at) <= 2500
    ), busy AS MATERIALIZED (
        SELECT user_id, SUM(pieces) AS running FROM (
            SELECT CAST(c ->> 0 AS BIGINT) AS user_id, CAST(c ->> 1 AS BIGINT) AS stage, CAST(c ->> 2 AS BIGINT) AS pieces
              FROM known, json_array_elements(CAST(told AS JSON)) c
            UNION ALL
            SELECT user_id, stage, 1 FROM work WHERE state = 'running' AND (SELECT COUNT(*) FROM known) = 0
        ) r WHERE ($5 & (1::BIGINT << stage::INTEGER)) <> 0 GROUP BY user_id
    ), due AS MATERIALIZED (
        SELECT name FROM jobs
         WHERE name = 'count running work' AND $4 = 0 AND ABS($2 - ended_at) >= 250
           AND ((SELECT COUNT(*) FROM known) > 0 OR (SELECT SUM(running) FROM busy) >= 128) FOR UPDATE SKIP LOCKED
    ), counted AS (
        UPDATE jobs SET ended_at = $2, told = (
            SELECT CASE WHEN SUM(pieces) >= 128 THEN json_agg(json_build_array(user_id, stage, pieces)) END
              FROM (SELECT user_id, stage, COUNT(*) AS pieces FROM work WHERE state = 'running' GROUP BY user_id, stage) r)
          FROM due WHERE jobs.name = due.name
    ), chosen AS MATERIALIZED (
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
" - l.lane DESC, COALESCE(b.running, 0), COALESCE(t.last_turn, 0), l.lane
    ), picked AS MATERIALIZED (
        SELECT COALESCE(
            ",
first_ready!(assemble),
",
            ",
first_ready!(preflight),
",
            ",
first_ready!(segment),
") AS id,
            c.priority
          FROM chosen c WHERE NOT EXISTS (SELECT 1 FROM pauses)
    ), next AS MATERIALIZED (
        SELECT id, priority FROM picked WHERE id IS NOT NULL LIMIT $6
    )
    UPDATE work SET state = 'running', fence = fence + 1, worker = $1, claimed_at = $2, lease_until = $2 + $3 * lease_times
      FROM next WHERE work.id = next.id AND next.priority = (SELECT MIN(priority) FROM next)
 RETURNING work.id, fence, task_id, segment_hash, item_id, user_id, attempts, lost_leases, lease_times, claimed_at"
);

/// Further assemblies of a task: `$1` worker, `$2` now, `$3` length of a lease, `$4` partition, `$5` order of the task,
/// `$6` how many.
pub const TAKE_MORE: &str = concat!(
"
    WITH next AS MATERIALIZED (
        SELECT w.id FROM work w WHERE w.state = 'ready' AND w.lane = $4 AND w.stage = ",
stage!(assemble),
" AND w.task_order = $5
         ORDER BY w.ord, w.id LIMIT $6 FOR UPDATE SKIP LOCKED)
    UPDATE work SET state = 'running', fence = fence + 1, worker = $1, claimed_at = $2, lease_until = $2 + $3 * lease_times
      FROM next WHERE work.id = next.id
 RETURNING work.id, fence, task_id, segment_hash, item_id, user_id, attempts, lost_leases, lease_times, claimed_at"
);

/// At the end of a query for rows to write: rows locked by others are skipped.
pub const SKIP_LOCKED: &str = " FOR NO KEY UPDATE SKIP LOCKED";

/// A concurrent claim for the same user records its turn equally well.
pub const TAKE_TURN: &str = "
    WITH mine AS MATERIALIZED (SELECT user_id FROM turns WHERE user_id = $1 FOR UPDATE SKIP LOCKED),
    moved AS (UPDATE turns SET last_turn = $2 FROM mine WHERE turns.user_id = mine.user_id)
    INSERT INTO turns (user_id, last_turn)
    SELECT $1, $2 WHERE NOT EXISTS (SELECT 1 FROM turns WHERE user_id = $1)
    ON CONFLICT (user_id) DO NOTHING";

/// If users have a limit, claims for a user are serialized.
pub const TAKE_CAPPED_TURN: &str = "
    INSERT INTO turns (user_id, last_turn) VALUES ($1, $2)
    ON CONFLICT (user_id) DO UPDATE SET last_turn = excluded.last_turn";
