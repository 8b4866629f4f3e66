//! The migrations, embedded in the program. The first one, the baseline, creates the whole schema of version 0.1.0.
//! The code that sqlx's macros would generate is written by hand, because the macros need a second build of every
//! database driver for the compiler.

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{SqlSafeStr, SqlStr};

use crate::common::error::{StoreError, StoreResult};

/// The newest schema before the baseline. It is the same schema, so a database that has it is adopted: the baseline is
/// recorded as applied.
pub const ADOPTED: i64 = 52;
/// The version of the baseline.
const BASELINE: i64 = ADOPTED + 1;

/// Adopts a database and changes nothing else. Has an effect once, even if several programs do it at the same time.
pub const ADOPT: &str =
    "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
     SELECT $1, $2, TRUE, $3, 0
      WHERE (SELECT MAX(version) FROM _sqlx_migrations WHERE success) = $4
         ON CONFLICT (version) DO NOTHING";

/// The name of a migration (its file name without extension) and its statements.
type Step = (&'static str, &'static str);

macro_rules! steps {
    ($dialect:literal) => {
        steps!($dialect: "0053_baseline" "0054_width" "0055_listening" "0056_results" "0057_drafts" "0058_invitations" "0059_brands" "0060_share_feedback" "0061_row_retries")
    };
    ($dialect:literal: $($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../migrations/", $dialect, "/", $name, ".sql")))),*]
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

/// The baseline; `None` if the migrator lacks it.
pub fn baseline(migrator: &Migrator) -> Option<&Migration> {
    migrator.iter().find(|step| step.version == BASELINE)
}

/// Refuses a schema that only programs from before the baseline can upgrade. 0 is an empty database.
pub fn refuse_too_old(found: i64) -> StoreResult<()> {
    if (1..ADOPTED).contains(&found) {
        return Err(StoreError::SchemaTooOld { found, oldest: ADOPTED });
    }
    Ok(())
}

fn migrator(steps: &[Step]) -> Migrator {
    let mut migrator = Migrator::with_migrations(steps.iter().filter_map(migration).collect());
    // An adopted database contains the migrations before the baseline, and a newer program may have added others.
    migrator.set_ignore_missing(true);
    migrator
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
    fn a_migration_declares_that_it_uses_no_transaction() {
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
            let names_and_checksums = |migrator: &Migrator| -> Vec<_> {
                let name_and_checksum = |step: &Migration| {
                    (step.version, step.description.clone(), step.checksum.clone(), step.no_tx)
                };
                migrator.iter().map(name_and_checksum).collect()
            };
            assert_eq!(names_and_checksums(&ours), names_and_checksums(&files), "{dialect}");
            assert_eq!(baseline(&ours).map(|step| step.description.as_ref()), Some("baseline"));
            assert!(newest(&ours) >= BASELINE);
        }
    }
}
