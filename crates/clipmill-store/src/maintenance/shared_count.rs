//! Counts of many rows, which one process makes for all.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::dialect::{Handle, is_conflict};
use super::super::rows::{Db, to_json};
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use super::retention::sql::end_maintenance;
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::maintenance::retention::{MaintenanceLease, RetentionStore};

/// Longer than counting ever takes.
const LEASE_MS: i64 = 60_000;
/// Counts valid for a shorter time than this are not stored: each caller counts.
const MIN_KEPT_MS: i64 = 100;

pub trait SharedCount: Serialize + DeserializeOwned + Clone + Send + Sync + 'static {
    /// The job of counting.
    const NAME: &'static str;

    /// How many rows were counted.
    fn rows(&self) -> u64;

    /// How long the counts are shared: one millisecond per ten rows, so that counting takes about a tenth of the time
    /// for a fleet of any size; at most half a minute.
    fn serves_ms(&self) -> i64 {
        i64::try_from(self.rows() / 10).unwrap_or(i64::MAX).min(30_000)
    }

    fn is_kept(&self) -> bool {
        self.serves_ms() >= MIN_KEPT_MS
    }
}

impl Handle {
    /// The result of `count`, or a recent one.
    pub async fn shared<T: SharedCount>(
        &self,
        now: Millis,
        count: impl Future<Output = StoreResult<T>> + Send,
    ) -> StoreResult<T> {
        let stored_counts = snapshot!(self, at now; tx => stored_counts(tx, now.ms))?;
        let claim = || self.claim_maintenance(T::NAME, T::NAME, now, LEASE_MS);
        let lease = match stored_counts {
            Some((counts, false)) => return Ok(counts),
            // While another process counts, the previous counts are returned.
            Some((before, true)) => match claim().await? {
                Some(lease) => Some(lease),
                None => return Ok(before),
            },
            None => None,
        };
        let counts = count.await?;
        let lease = match lease {
            None if counts.is_kept() => claim().await?,
            lease => lease,
        };
        let Some(lease) = lease else { return Ok(counts) };
        match unit!(self, light, at now, lease, counts; tx => store_counts(tx, &lease, &counts, now.ms)) {
            Ok(()) | Err(StoreError::LeaseLost) => Ok(counts),
            Err(error) => Err(error),
        }
    }
}

/// The stored counts, and whether they are too old.
async fn stored_counts<T: SharedCount>(db: &mut Db, now: Millis) -> StoreResult<Option<(T, bool)>> {
    let row: Option<(Option<Millis>, Option<String>)> =
        sqlx::query_as("SELECT ended_at, told FROM jobs WHERE name = $1")
            .bind(T::NAME)
            .fetch_optional(db)
            .await?;
    let Some((Some(counted_at), Some(counts_json))) = row else { return Ok(None) };
    // Counts of another version of the program are ignored.
    let Ok(counts) = serde_json::from_str::<T>(&counts_json) else { return Ok(None) };
    let age = now.saturating_sub(counted_at);
    // Counts from the future were stored before the clock was set back.
    let is_old = !(0..counts.serves_ms()).contains(&age);
    Ok(Some((counts, is_old)))
}

/// Ends the job of counting.
async fn store_counts<T: SharedCount>(
    db: &mut Db,
    lease: &MaintenanceLease,
    counts: &T,
    now: Millis,
) -> StoreResult<()> {
    sqlx::query("UPDATE jobs SET told = $2 WHERE name = $1 AND fence = $3")
        .bind(&lease.name)
        .bind(counts.is_kept().then(|| to_json(counts)).transpose()?)
        .bind(lease.fence)
        .execute(&mut *db)
        .await?;
    end_maintenance(db, lease, now).await
}
