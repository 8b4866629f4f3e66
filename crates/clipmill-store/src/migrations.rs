//! The migrations, embedded in the program. The code that sqlx's macros would generate is written by hand, because they
//! need a second build of every database driver for the compiler alone.

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{SqlSafeStr, SqlStr};

/// The name of a migration, which is its file's without the ending, and its statements.
type Step = (&'static str, &'static str);

macro_rules! steps {
    ($dialect:literal) => {
        steps!($dialect:
            "0001_users" "0002_ledger" "0003_tasks" "0004_work" "0005_diversity" "0007_key_scopes"
            "0008_balanced_movements" "0009_deliveries" "0010_queue" "0013_quotas" "0020_retention"
            "0021_traces_and_readers" "0030_pace" "0031_probes" "0032_starved" "0033_message_codes"
            "0034_footage" "0035_picture_hashes" "0036_task_progress" "0037_names" "0038_library" "0039_templates"
            "0040_batches" "0041_batch_events" "0042_shares" "0043_wide_shares" "0044_completions"
            "0045_operators" "0046_jobs_told" "0047_writers" "0048_bodies" "0049_price_limits" "0050_steady_clock"
            "0051_quota_indexes" "0052_single_tasks")
    };
    ($dialect:literal: $($name:literal)*) => {
        &[$(($name, include_str!(concat!("../migrations/", $dialect, "/", $name, ".sql")))),*]
    };
}

const SQLITE: &[Step] = steps!("sqlite");
#[cfg(any(test, feature = "postgres"))]
const POSTGRES: &[Step] = steps!("postgres");

pub fn sqlite() -> Migrator {
    migrator(SQLITE)
}

#[cfg(any(test, feature = "postgres"))]
pub fn postgres() -> Migrator {
    migrator(POSTGRES)
}

/// The newest step of the schema that this migrator knows.
pub fn newest(migrator: &Migrator) -> i64 {
    migrator.iter().map(|step| step.version).max().unwrap_or(0)
}

fn migrator(steps: &[Step]) -> Migrator {
    Migrator::with_migrations(steps.iter().filter_map(migration).collect())
}

fn migration((name, statements): &Step) -> Option<Migration> {
    let (version, description) = name.split_once('_')?;
    let (version, description) = (version.parse().ok()?, description.replace('_', " "));
    let alone = statements.starts_with("-- no-transaction");
    let statements: SqlStr = statements.into_sql_str();
    Some(Migration::new(version, description.into(), MigrationType::Simple, statements, alone))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_step_says_itself_that_it_takes_no_transaction() {
        let step = |statements| migration(&("0031_an_index", statements)).unwrap();
        let alone = step("-- no-transaction\nCREATE INDEX CONCURRENTLY a ON b (c);");
        assert_eq!((alone.version, alone.description.as_ref(), alone.no_tx), (31, "an index", true));
        assert!(!step("SELECT 1;").no_tx);
    }

    #[tokio::test]
    async fn every_file_is_a_step_under_its_own_name_and_checksum() {
        for (ours, dialect) in [(sqlite(), "sqlite"), (postgres(), "postgres")] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations").join(dialect);
            let files = Migrator::new(folder).await.unwrap();
            let told = |migrator: &Migrator| -> Vec<_> {
                let told = |step: &Migration| {
                    (step.version, step.description.clone(), step.checksum.clone(), step.no_tx)
                };
                migrator.iter().map(told).collect()
            };
            assert_eq!(told(&ours), told(&files), "{dialect}");
            assert!(newest(&ours) > 0);
        }
    }
}
