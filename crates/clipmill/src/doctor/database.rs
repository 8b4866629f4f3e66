//! Checks the database: integrity, installation, and jobs that have been waiting for too long.

use clipmill_server::Config;
use clipmill_server::clock;
use clipmill_server::installation::this_width;
use clipmill_server::retention::RETENTION;
use clipmill_store::metrics::Waiting;
use clipmill_store::sqlite::SqliteStore;
use clipmill_store::sqlite::backup::{known_schema, refuse_too_old};
use clipmill_store::{Store, StoreResult};

use super::Finding;
use crate::cli::ConfigLocation;
use crate::database;
use crate::gc::readable;
use crate::report::{pluralize, with_causes};

const WHAT: &str = "database";
/// A write-ahead log this large has not been checkpointed for a long time.
const LARGE_LOG: u64 = 1 << 30;
/// Jobs that have waited longer are stuck.
const LONG_MS: i64 = 30 * 60_000;

pub async fn examine(location: &ConfigLocation, config: &Config) -> Vec<Finding> {
    if config.database.is_shared() {
        return shared(location, config).await;
    }
    let path = database::file(location, config);
    if !path.exists() {
        return vec![Finding::well(WHAT, "does not exist yet; the first start creates it")];
    }
    let store = match SqliteStore::open_as_is(&path).await {
        Ok(store) => store,
        Err(error) => return vec![Finding::wrong(WHAT, format!("{}: {error}", path.display()))],
    };
    let mut findings = Vec::new();
    let examined = check(&store, config, &mut findings).await;
    store.close().await;
    if let Err(error) = examined {
        findings.push(Finding::wrong(WHAT, format!("does not respond: {error}")));
    }
    let log = std::fs::metadata(path.with_extension("db-wal")).map_or(0, |about| about.len());
    if log > LARGE_LOG {
        let text =
            format!("its write-ahead log is {} large: something keeps reading, e.g. a backup", readable(log));
        findings.push(Finding::note(WHAT, text));
    }
    findings
}

/// A database that several processes share.
async fn shared(location: &ConfigLocation, config: &Config) -> Vec<Finding> {
    let store = match database::open(location, config).await {
        Ok(store) => store,
        Err(error) => return vec![Finding::wrong(WHAT, with_causes(&error))],
    };
    let mut findings = vec![Finding::well(WHAT, "responds")];
    let examined = contents(&*store, config, &mut findings).await;
    store.close().await;
    if let Err(error) = examined {
        findings.push(Finding::wrong(WHAT, format!("does not respond: {error}")));
    }
    findings
}

async fn check(store: &SqliteStore, config: &Config, findings: &mut Vec<Finding>) -> StoreResult<()> {
    let damage = store.integrity().await?;
    if let Some(first) = damage.first() {
        findings.push(Finding::wrong(WHAT, format!("damaged ({first}); restore a backup")));
        return Ok(());
    }
    let (schema, known) = (store.schema_version().await?, known_schema());
    if let Err(error) = refuse_too_old(schema) {
        findings.push(Finding::wrong(WHAT, error.to_string()));
        return Ok(());
    }
    if schema != known {
        let what = if schema < known { "the next start migrates it" } else { "a newer clipmill migrated it" };
        let text = format!("intact, schema {schema}; this clipmill has {known}: {what}");
        findings.push(Finding::note(WHAT, text));
        return Ok(());
    }
    findings.push(Finding::well(WHAT, format!("intact, schema {schema}")));
    contents(store, config, findings).await
}

async fn contents(store: &dyn Store, config: &Config, findings: &mut Vec<Finding>) -> StoreResult<()> {
    let disagreements = store.points().audit().await?;
    findings.push(match disagreements.first() {
        None => Finding::well("ledger", "matches all balances and holds"),
        Some(first) => {
            let count = pluralize(disagreements.len(), "disagreement");
            Finding::wrong("ledger", format!("{count}, the first: {first}; restore a backup"))
        }
    });
    findings.extend(width(store, config).await?);
    queue(store, findings).await?;
    retention(store, config, findings).await
}

/// The width of the installation, compared with this machine if it renders everything.
async fn width(store: &dyn Store, config: &Config) -> StoreResult<Option<Finding>> {
    let (stored, cores) = (store.installation().identity().await?.width, this_width());
    Ok(stored.map(|width| {
        let text = format!("tasks are planned for {width} cores");
        if config.database.is_shared() || width >= cores {
            return Finding::well("width", text);
        }
        let hint =
            format!("this machine has {cores}: `clipmill width {cores}` renders single outputs faster");
        Finding::note("width", format!("{text}, but {hint}"))
    }))
}

async fn queue(store: &dyn Store, findings: &mut Vec<Finding>) -> StoreResult<()> {
    let now = clock::now_ms();
    let snapshot = store.metrics().snapshot(now).await?;
    let is_old = |waiting: &Waiting| waiting.since.is_some_and(|since| now - since > LONG_MS);
    let count = |state: &str| -> u64 {
        snapshot.work.get(state).into_iter().flatten().map(|(_, waiting)| waiting.count).sum()
    };
    let (ready, running) = (count("ready"), count("running"));
    let workers = store.workers().list(now).await?.iter().filter(|worker| worker.alive).count();
    let text =
        format!("{} ready, {running} running, {}", pluralize(ready, "job"), pluralize(workers, "worker"));
    let old = snapshot.work.get("ready").into_iter().flatten().any(|(_, waiting)| is_old(waiting));
    let hint = match (workers, running) {
        (0, _) => "no worker reports: check that `serve` or a worker is running",
        (_, 0) => "no job is running: `clipmill queue` shows whether the queue is paused",
        _ => "add slots or workers",
    };
    findings.push(if old {
        Finding::note("queue", format!("{text}; some have been waiting for long: {hint}"))
    } else {
        Finding::well("queue", text)
    });
    let events = |state: &str| snapshot.events.get(state).copied().unwrap_or_default();
    let (due, failed) = (events("due"), events("failed"));
    findings.push(if is_old(&due) || failed.count > 0 {
        let text =
            format!("{} failed, {} due; run `clipmill callbacks` for the reasons", failed.count, due.count);
        Finding::note("callbacks", text)
    } else {
        Finding::well("callbacks", format!("{} due, none failed", due.count))
    });
    Ok(())
}

async fn retention(store: &dyn Store, config: &Config, findings: &mut Vec<Finding>) -> StoreResult<()> {
    let late = config.retention.every.as_millis().saturating_mul(3).saturating_add(LONG_MS);
    let ended = store.retention().maintenance_ended_at(RETENTION).await?;
    findings.push(match ended.map(|ended| clock::now_ms() - ended) {
        None => Finding::well("retention", "has not run yet"),
        Some(age) if age > late => {
            let hours = pluralize(age / 3_600_000, "hour");
            Finding::note("retention", format!("last run {hours} ago; start `serve` or run `clipmill gc`"))
        }
        Some(_) => Finding::well("retention", "ran recently"),
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use clipmill_store::{JobKinds, WorkerInfo};

    use super::*;

    async fn queue_text(store: &dyn Store) -> String {
        let mut findings = Vec::new();
        queue(store, &mut findings).await.unwrap();
        findings.into_iter().find(|finding| finding.what == "queue").unwrap().text
    }

    #[tokio::test]
    async fn workers_without_a_running_job_are_counted() {
        let data = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&data.path().join("clipmill.db")).await.unwrap();
        assert_eq!(queue_text(&store).await, "0 jobs ready, 0 running, 0 workers");
        let report = async |name: &str, at: i64| {
            let worker = WorkerInfo {
                name: name.to_owned(),
                host: "host".to_owned(),
                version: "1.0.0".to_owned(),
                slots: 2,
                kinds: JobKinds::default(),
                draining: false,
                speed: None,
            };
            store.workers().record(&worker, at).await.unwrap();
        };
        let now = clock::now_ms();
        report("idle", now).await;
        report("gone", now - 60_000).await;
        assert_eq!(queue_text(&store).await, "0 jobs ready, 0 running, 1 worker");
        store.close().await;
    }
}
