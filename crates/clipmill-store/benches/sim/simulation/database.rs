//! The load on the database: processor time, transactions, rows, log, waits; read from the server itself.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::PgPoolOptions;
use sqlx::{AssertSqlSafe, PgPool, Row};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// How often the waits of all sessions are sampled.
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// The number of most expensive statements shown per phase.
const STATEMENTS: i64 = 8;

pub struct Watch {
    pub pool: PgPool,
    /// The server's first process.
    server: u32,
    has_statements: bool,
}

/// Sums since the server's start.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    server_cpu_s: f64,
    own_cpu_s: f64,
    commits: i64,
    rollbacks: i64,
    rows_read: i64,
    rows_written: i64,
    wal_bytes: i64,
    wal_syncs: i64,
    deadlocks: i64,
}

pub struct PhaseStart {
    at: Instant,
    counts: Counts,
    waits: Arc<Mutex<BTreeMap<String, u64>>>,
    looks: JoinHandle<u64>,
}

/// The load during a phase, mostly as means per second.
#[derive(Debug, Clone, Default)]
pub struct Load {
    pub server_cores: f64,
    pub own_cores: f64,
    pub commits: f64,
    pub rollbacks: f64,
    pub rows_read: f64,
    pub rows_written: f64,
    pub wal_mb: f64,
    pub wal_syncs: f64,
    pub deadlocks: i64,
    /// Average number of active sessions, by wait event.
    pub sessions: Vec<(String, f64)>,
    /// Calls, milliseconds and pages each, share of the time of all, and the beginning of the statement; waiting for
    /// a write permit is visible in the sessions.
    pub statements: Vec<(i64, f64, i64, f64, String)>,
}

impl Watch {
    pub async fn open(url: &str) -> Self {
        let pool = PgPoolOptions::new().max_connections(4).connect(url).await.unwrap();
        let folder: String = sqlx::query_scalar("SHOW data_directory").fetch_one(&pool).await.unwrap();
        let file = fs::read_to_string(format!("{folder}/postmaster.pid")).unwrap_or_default();
        let server = file.lines().next().and_then(|line| line.parse().ok()).unwrap_or(0);
        let has_statements = sqlx::query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements").execute(&pool);
        let has_statements = has_statements.await.is_ok()
            && sqlx::query("SELECT 1 FROM pg_stat_statements LIMIT 1").execute(&pool).await.is_ok();
        Self { pool, server, has_statements }
    }

    pub async fn begin(&self) -> PhaseStart {
        if self.has_statements {
            let _ = sqlx::query("SELECT pg_stat_statements_reset()").execute(&self.pool).await;
        }
        let waits = Arc::default();
        let looks = tokio::spawn(look(self.pool.clone(), Arc::clone(&waits)));
        PhaseStart { at: Instant::now(), counts: self.counts().await, waits, looks }
    }

    pub async fn end(&self, begun: PhaseStart) -> Load {
        begun.looks.abort();
        let (then, now, seconds) = (begun.counts, self.counts().await, begun.at.elapsed().as_secs_f64());
        let rate = |then: i64, now: i64| (now - then) as f64 / seconds;
        let waits = begun.waits.lock().await;
        let looked = waits.get("").copied().unwrap_or(1).max(1) as f64;
        let sessions = waits.iter().filter(|(name, _)| !name.is_empty());
        Load {
            server_cores: (now.server_cpu_s - then.server_cpu_s) / seconds,
            own_cores: (now.own_cpu_s - then.own_cpu_s) / seconds,
            commits: rate(then.commits, now.commits),
            rollbacks: rate(then.rollbacks, now.rollbacks),
            rows_read: rate(then.rows_read, now.rows_read),
            rows_written: rate(then.rows_written, now.rows_written),
            wal_mb: rate(then.wal_bytes, now.wal_bytes) / 1e6,
            wal_syncs: rate(then.wal_syncs, now.wal_syncs),
            deadlocks: now.deadlocks - then.deadlocks,
            sessions: sessions.map(|(name, count)| (name.clone(), *count as f64 / looked)).collect(),
            statements: self.statements().await,
        }
    }

    async fn counts(&self) -> Counts {
        let row = sqlx::query(
            "SELECT xact_commit, xact_rollback, tup_fetched + tup_returned,
                    tup_inserted + tup_updated + tup_deleted, deadlocks,
                    (SELECT CAST(wal_bytes AS BIGINT) FROM pg_stat_wal), (SELECT wal_sync FROM pg_stat_wal)
               FROM pg_stat_database WHERE datname = current_database()",
        )
        .fetch_one(&self.pool)
        .await
        .unwrap();
        Counts {
            server_cpu_s: server_cpu_s(self.server),
            own_cpu_s: stat("/proc/self/stat").map_or(0.0, |stat| stat.cpu_s),
            commits: row.get(0),
            rollbacks: row.get(1),
            rows_read: row.get(2),
            rows_written: row.get(3),
            deadlocks: row.get(4),
            wal_bytes: row.get(5),
            wal_syncs: row.get(6),
        }
    }

    async fn statements(&self) -> Vec<(i64, f64, i64, f64, String)> {
        if !self.has_statements {
            return Vec::new();
        }
        sqlx::query_as(
            "SELECT calls, mean_exec_time, (shared_blks_hit + shared_blks_read) / calls, 100 * total_exec_time / SUM(total_exec_time) OVER (),
                    LEFT(regexp_replace(query, '\\s+', ' ', 'g'), 110)
               FROM pg_stat_statements WHERE query NOT LIKE 'LOCK TABLE%' ORDER BY total_exec_time DESC LIMIT $1",
        )
        .bind(STATEMENTS)
        .fetch_all(&self.pool)
        .await
        .unwrap_or_default()
    }

    /// Sizes of the tables, and rows left for vacuum.
    pub async fn tables(&self) -> String {
        let rows: Vec<(String, i64, i64, i64, i64, i64)> = sqlx::query_as(
            "SELECT relname::TEXT, n_live_tup, n_dead_tup, pg_table_size(relid), pg_indexes_size(relid),
                    autovacuum_count
               FROM pg_stat_user_tables WHERE n_live_tup > 0 ORDER BY pg_total_relation_size(relid) DESC LIMIT 9",
        )
        .fetch_all(&self.pool)
        .await
        .unwrap_or_default();
        let mut text =
            "| table | rows | dead rows | MB | MB of indexes | autovacuums |\n|---|--:|--:|--:|--:|--:|\n"
                .to_owned();
        for (name, live, dead, table, indexes, vacuums) in rows {
            let mb = |bytes: i64| bytes as f64 / 1e6;
            text += &format!(
                "| {name} | {live} | {dead} | {:.0} | {:.0} | {vacuums} |\n",
                mb(table),
                mb(indexes)
            );
        }
        text
    }

    /// Runs statements like a database tool.
    pub async fn run(&self, sql: String) {
        sqlx::raw_sql(AssertSqlSafe(sql.clone()))
            .execute(&self.pool)
            .await
            .unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    pub async fn number(&self, sql: &'static str) -> i64 {
        sqlx::query_scalar(sql).fetch_one(&self.pool).await.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }
}

/// Counts sessions by wait event; under the empty name, the number of samples.
async fn look(pool: PgPool, waits: Arc<Mutex<BTreeMap<String, u64>>>) -> u64 {
    loop {
        let rows: Vec<(String, i64)> = sqlx::query_as(
            "SELECT CASE WHEN state <> 'active' THEN 'in a transaction, for the program'
                         WHEN wait_event_type IS NULL THEN 'working'
                         WHEN wait_event_type = 'Lock' THEN 'for a row lock'
                         WHEN wait_event IN ('WALSync', 'WALWrite') THEN 'for the log to reach the disk'
                         ELSE 'for ' || wait_event_type || ' ' || wait_event END, COUNT(*)
               FROM pg_stat_activity
              WHERE backend_type = 'client backend' AND state <> 'idle' AND pid <> pg_backend_pid() GROUP BY 1",
        )
        .fetch_all(&pool)
        .await
        .unwrap_or_default();
        let mut waits = waits.lock().await;
        *waits.entry(String::new()).or_default() += 1;
        for (name, count) in rows {
            *waits.entry(name).or_default() += count.unsigned_abs();
        }
        drop(waits);
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

struct Stat {
    parent: u32,
    cpu_s: f64,
    /// Processor time of children that have ended.
    reaped_s: f64,
}

/// Processor time of the server with all of its sessions, those that ended included.
fn server_cpu_s(server: u32) -> f64 {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let cpu = |pid: u32| {
        let stat = stat(&format!("/proc/{pid}/stat"))?;
        if pid == server {
            Some(stat.cpu_s + stat.reaped_s)
        } else {
            (stat.parent == server).then_some(stat.cpu_s)
        }
    };
    numbers.filter_map(cpu).sum()
}

fn stat(path: &str) -> Option<Stat> {
    let text = fs::read_to_string(path).ok()?;
    // The name may hold anything, brackets included.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok().map(|ticks| ticks / 100.0);
    Some(Stat {
        parent: fields.get(1)?.parse().ok()?,
        cpu_s: ticks(11)? + ticks(12)?,
        reaped_s: ticks(13)? + ticks(14)?,
    })
}

/// The machine and the server's version.
pub async fn machine(watch: &Watch) -> String {
    let version: String =
        sqlx::query_scalar("SHOW server_version").fetch_one(&watch.pool).await.unwrap_or_default();
    let fsync: String = sqlx::query_scalar("SHOW fsync").fetch_one(&watch.pool).await.unwrap_or_default();
    let day: String =
        sqlx::query_scalar("SELECT CAST(CURRENT_DATE AS TEXT)").fetch_one(&watch.pool).await.unwrap();
    let field = |file: &str, name: &str| {
        let text = fs::read_to_string(file).ok()?;
        Some(text.lines().find(|line| line.starts_with(name))?.split_once(':')?.1.trim().to_owned())
    };
    let cpu = field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown processor".into());
    let kib = field("/proc/meminfo", "MemTotal").and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let gib = kib.unwrap_or_default() / f64::from(1 << 20);
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    // The largest pages of the server are those of its shared buffers.
    let sizes = fs::read_to_string(format!("/proc/{}/smaps", watch.server)).unwrap_or_default();
    let sizes =
        sizes.lines().filter_map(|line| line.strip_prefix("KernelPageSize:")?.trim().strip_suffix(" kB"));
    let pages = sizes.filter_map(|size| size.parse::<u32>().ok()).max();
    let pages = pages.map_or("pages of unknown size".into(), |kib| format!("pages of {kib} KiB"));
    format!(
        "{day}: {cpu}, {cores} cores for the server and the simulation together, {gib:.0} GiB of memory; \
         PostgreSQL {version}, fsync {fsync}, shared buffers in {pages}; {build} build"
    )
}
