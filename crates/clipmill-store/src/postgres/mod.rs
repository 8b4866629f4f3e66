//! The store on PostgreSQL: many processes on one database.
//!
//! Units run at READ COMMITTED and lock the rows they decide about, always in the same order: segments (by hash),
//! tasks, work, the user's balance. A unit that still collides with another is tried again as a whole. Related reads
//! run at REPEATABLE READ. The database's clock is used. Changes are announced to other processes by NOTIFY; a
//! process that misses one finds out by polling.

mod dialect;
mod locks;
mod notifier;
#[allow(clippy::duplicate_mod, reason = "the units are written once and compiled for each database")]
#[path = "../sql/mod.rs"]
mod sql;

use std::str::FromStr;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, Executor, PgConnection, PgPool};

use tokio::time::Instant;

use sql::queue::jobs::reports::Reports;

use crate::common::error::{StoreError, StoreResult};
use crate::common::migrations;
use crate::common::read_limits::ReadSemaphore;
use crate::common::signals::Signals;

/// How long a read, or a write that a client waits for, may wait for a connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long other writes may wait: if a fleet demands several times what the database can do, earlier writes take
/// long, and retrying would take longer. Renewals of leases do not wait behind them.
const ACQUIRE_TO_WRITE_TIMEOUT: Duration = Duration::from_secs(25);
/// Ends statements that wait for a lock, or run, for this long: this indicates a problem, and other units wait too.
const SESSION: &str = "SET statement_timeout = '25s'; SET lock_timeout = '15s'; \
     SET idle_in_transaction_session_timeout = '30s'; SET timezone = 'UTC'";

/// Options of the connection.
#[derive(Debug, Clone)]
pub struct PgOptions {
    /// Maximum connections of this process: one listens for notifications, half of the others write. At least three.
    pub connections: u32,
    /// Maximum concurrent write transactions of all processes, except those that a client waits for (submissions,
    /// cancellations) and those that begin claimed work; values above 64 mean no limit.
    pub writes_at_once: u32,
    pub clock: Clock,
}

impl Default for PgOptions {
    fn default() -> Self {
        Self { connections: 10, writes_at_once: 32, clock: Clock::Database }
    }
}

/// The clock in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    Database,
    /// The caller's clock: for tests, which move it by hours.
    Caller,
}

/// Cheap to clone: all clones are one store.
#[derive(Clone)]
pub struct PgStore {
    /// Reads, renewals of leases and notifications, which never wait for writes.
    pool: PgPool,
    read_semaphore: ReadSemaphore,
    /// Write units.
    writing: PgPool,
    /// See [`PgOptions::writes_at_once`].
    writes_at_once: u32,
    /// The number of the next write unit.
    turn: Arc<AtomicU32>,
    clock: Clock,
    signals: Signals,
    notifier: Arc<notifier::Notifier>,
    reports: Reports,
    /// When delayed work was last searched for.
    polled: Arc<Mutex<Option<Instant>>>,
}

impl PgStore {
    /// Opens a database whose schema is as new as this program or newer; [`StoreError::Schema`] otherwise.
    pub async fn open(url: &str, options: PgOptions) -> StoreResult<Self> {
        let connect = connect_options(url)?;
        let connections = options.connections.max(3);
        let writing = (connections - 1) / 2;
        let pool = match pool_of(connections - writing).connect_with(connect.clone()).await {
            // The pool hides why it has no connection.
            Err(sqlx::Error::PoolTimedOut) => {
                return Err(connect.connect().await.err().unwrap_or(sqlx::Error::PoolTimedOut).into());
            }
            pool => pool?,
        };
        let writing = pool_of(writing).acquire_timeout(ACQUIRE_TO_WRITE_TIMEOUT).connect_lazy_with(connect);
        check_schema(&pool).await?;
        // Processes begin at different tables.
        let turn: i32 = sqlx::query_scalar("SELECT pg_backend_pid()").fetch_one(&pool).await?;
        let signals = Signals::default();
        let notifier = notifier::start(pool.clone(), signals.clone());
        Ok(Self {
            pool,
            // One listens for notifications.
            read_semaphore: ReadSemaphore::new(connections - (connections - 1) / 2 - 1),
            writing,
            writes_at_once: options.writes_at_once.max(1),
            turn: Arc::new(AtomicU32::new(turn.unsigned_abs())),
            clock: options.clock,
            signals,
            notifier,
            reports: Reports::default(),
            polled: Arc::default(),
        })
    }

    /// Migrates the schema. If several processes do so concurrently, one works and the others wait.
    pub async fn migrate(url: &str) -> StoreResult<MigrationResult> {
        let mut connection = connect_options(url)?.connect().await?;
        let old_schema = applied(&mut connection).await?;
        migrations::refuse_too_old(old_schema)?;
        let migrator = migrations::postgres();
        if old_schema == migrations::ADOPTED {
            adopt(&mut connection, &migrator).await?;
        }
        let mut attempt = 1;
        while let Err(error) = migrator.run_direct(None, &mut connection, false).await {
            // Writers may lock tables in another order. The migration was rolled back as a whole.
            if attempt == MIGRATION_ATTEMPTS || !is_deadlock(&error) {
                return Err(error.into());
            }
            attempt += 1;
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        let after = applied(&mut connection).await?;
        connection.close().await?;
        Ok(MigrationResult { before: old_schema, after })
    }
}

/// How often a migration is tried if it is aborted to end a deadlock.
const MIGRATION_ATTEMPTS: u32 = 20;

fn is_deadlock(error: &MigrateError) -> bool {
    let (MigrateError::Execute(cause) | MigrateError::ExecuteMigration(cause, _)) = error else {
        return false;
    };
    cause.as_database_error().and_then(|error| error.code()).is_some_and(|code| code == "40P01")
}

/// The newest migration before and after; 0 if there was none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MigrationResult {
    pub before: i64,
    pub after: i64,
}

fn pool_of(connections: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        // A dead connection is noticed by the first statement of a unit, which then takes another.
        .test_before_acquire(false)
        .max_lifetime(Duration::from_secs(1_800))
        .idle_timeout(Duration::from_secs(300))
        .after_connect(|connection, _| Box::pin(async move { connection.execute(SESSION).await.map(drop) }))
}

fn connect_options(url: &str) -> StoreResult<PgConnectOptions> {
    let options = PgConnectOptions::from_str(url)?;
    Ok(options.application_name("clipmill").statement_cache_capacity(256))
}

/// The newest change of the schema in the database.
async fn applied<'c>(database: impl Executor<'c, Database = sqlx::Postgres>) -> StoreResult<i64> {
    let newest: Result<Option<i64>, sqlx::Error> =
        sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations WHERE success")
            .fetch_one(database)
            .await;
    match newest {
        Ok(newest) => Ok(newest.unwrap_or(0)),
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some("42P01") => Ok(0),
        Err(error) => Err(error.into()),
    }
}

async fn adopt(connection: &mut PgConnection, migrator: &Migrator) -> StoreResult<()> {
    let Some(baseline) = migrations::baseline(migrator) else { return Ok(()) };
    sqlx::query(migrations::ADOPT)
        .bind(baseline.version)
        .bind(baseline.description.as_ref())
        .bind(baseline.checksum.as_ref())
        .bind(migrations::ADOPTED)
        .execute(connection)
        .await?;
    Ok(())
}

async fn check_schema(pool: &PgPool) -> StoreResult<()> {
    let needed_schema = migrations::newest(&migrations::postgres());
    let schema = applied(pool).await?;
    migrations::refuse_too_old(schema)?;
    if schema < needed_schema {
        return Err(StoreError::Schema { found: schema, needed: needed_schema });
    }
    if schema > needed_schema {
        // A newer program has migrated the database, and recorded which older programs remain compatible.
        let oldest: Option<i64> =
            sqlx::query_scalar("SELECT MAX(oldest) FROM schema_readers").fetch_one(pool).await?;
        let oldest = oldest.unwrap_or(0);
        if oldest > needed_schema {
            return Err(StoreError::SchemaTooNew { found: schema, known: needed_schema, oldest });
        }
    }
    Ok(())
}
