//! Checks whether the clock can be trusted before anything expires.
//!
//! A clock that was set wrong for a moment must not delete anything: it is trusted only if it moved about as far as
//! time passed since the last check by any process. After a jump, or after a time without any process, nothing is
//! deleted until it has been steady for a whole period.

use std::time::Duration;

use clipmill_store::retention::ClockTolerance;
use clipmill_store::{Millis, Store, StoreResult};
use tokio::time::Instant;

use super::RETENTION;
use crate::clock;

/// How far a clock may be corrected.
const TOLERANCE: Duration = Duration::from_secs(300);
/// Maximum difference between this machine's clock, which sets file times, and the database's.
const MAX_DIFFERENCE_MS: u64 = 3_600_000;

/// The clock readings of one process.
#[derive(Default)]
pub(super) struct ClockCheck {
    last: Option<Instant>,
}

impl ClockCheck {
    /// The store's time, if it can be trusted; passes are `every` apart.
    pub async fn look(&mut self, store: &dyn Store, every: Duration) -> StoreResult<Option<Millis>> {
        let elapsed = self.last.map_or(every, |last| last.elapsed());
        let checked_at = Instant::now();
        let plausible = ClockTolerance {
            forward_ms: millis(elapsed + TOLERANCE),
            back_ms: millis(TOLERANCE),
            // The next check, a period later, comes after it.
            pause_ms: millis(every.max(TOLERANCE) * 9 / 10),
        };
        let local_now = clock::now_ms();
        let look = store.retention().read_clock(RETENTION, local_now, plausible).await?;
        self.last = Some(checked_at);
        if !look.is_steady {
            tracing::warn!(
                moved_ms = look.step_ms,
                "the clock jumped since the last check; nothing is deleted until it has been \
                 steady for {every:?}"
            );
            return Ok(None);
        }
        if look.now.abs_diff(local_now) > MAX_DIFFERENCE_MS {
            tracing::warn!(
                ahead_ms = local_now.saturating_sub(look.now),
                "this machine's clock and the database's are far apart; nothing is deleted by this process: set the clock"
            );
            return Ok(None);
        }
        Ok(Some(look.now))
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::SystemTime;

    use clipmill_store::sqlite::SqliteStore;
    use tokio_util::sync::CancellationToken;

    use super::super::{LocalResults, Retention};
    use super::*;
    use crate::config;
    use crate::data_dir::DataDir;
    use crate::installation;

    const DAY: i64 = 86_400_000;

    #[tokio::test]
    async fn after_a_jump_nothing_is_deleted_until_the_clock_was_steady() {
        let folder = tempfile::tempdir().unwrap();
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&folder.path().join("db")).await.unwrap());
        let data = DataDir::open(folder.path().join("data")).unwrap();
        installation::check(&*store, &data).await.unwrap();
        let old = data.results().join("VP00000000000000000000000000/1.mp4");
        std::fs::create_dir_all(old.parent().unwrap()).unwrap();
        let file = std::fs::File::create(&old).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        let retention = Retention {
            store: store.clone(),
            results: Arc::new(LocalResults::new(data.results())),
            data: data.clone(),
            ages: config::Retention::default(),
            holder: "test".to_owned(),
        };
        let stop = CancellationToken::new();
        let mut clock_check = ClockCheck::default();
        let anything = ClockTolerance { forward_ms: i64::MAX, back_ms: i64::MAX, pause_ms: 0 };
        for days in [-100, 100] {
            // The last check was this far from now, so the clock has jumped since.
            store.retention().read_clock(RETENTION, clock::now_ms() + days * DAY, anything).await.unwrap();
            for _ in 0..3 {
                assert!(retention.checked_pass(&mut clock_check, &stop).await.unwrap().is_empty(), "{days}");
                assert!(old.exists(), "{days}");
            }
        }
        // The pause is over.
        let over = ClockTolerance { forward_ms: -1, back_ms: -1, pause_ms: -1 };
        store.retention().read_clock(RETENTION, clock::now_ms(), over).await.unwrap();
        assert_eq!(retention.checked_pass(&mut clock_check, &stop).await.unwrap().orphans.count, 1);
        assert!(!old.exists());
        // The folder of another installation.
        std::fs::write(data.root().join("installation"), "another").unwrap();
        assert!(retention.checked_pass(&mut clock_check, &stop).await.is_err());
    }
}
