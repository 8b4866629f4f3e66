//! Implements [`LeaseStore`]: the unit of work behind each method, and the signals that it sends.

use std::collections::{BTreeMap, HashMap};

use async_trait::async_trait;
use clipmill_core::ids::{JobId, TaskId};

use super::super::super::tasks::callbacks::sql::free_lost;
use super::super::dialect::{Handle, is_conflict};
use super::super::jobs::completions;
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use super::{expired_leases, lease};
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::common::signals::Signal;
use crate::queue::leases::{Heartbeat, Lease, LeaseStore};

#[async_trait]
impl LeaseStore for Handle {
    async fn keep(&self, heartbeats: &[Heartbeat], now: Millis, lease_ms: i64) -> StoreResult<Vec<bool>> {
        let leases: Vec<Lease> = heartbeats.iter().map(|beat| beat.lease).collect();
        let renewed: Vec<Lease> =
            heartbeats.iter().filter(|beat| beat.renews).map(|beat| beat.lease).collect();
        // Renewals wait for no locks. Progress is written in a separate unit, because several users can share a segment.
        let held = if leases.is_empty() {
            HashMap::new()
        } else if renewed.is_empty() {
            snapshot!(self, leases; tx => lease::held(tx, &leases))?
        } else {
            unit!(self, light, at now, renewed, leases; tx => async {
                lease::renew(&mut *tx, &renewed, now.ms, lease_ms).await?;
                lease::held(tx, &leases).await
            })?
        };
        let reached = heartbeats.iter().filter_map(|beat| {
            let key = held.get(&beat.lease.work)?.clone()?;
            beat.frames_done.map(|frames| (key, (beat.lease, frames)))
        });
        let reached: BTreeMap<String, (Lease, u64)> = reached.collect();
        if !reached.is_empty() {
            // Progress that cannot be written now is written with the next report, or when the segment is done.
            match unit!(self, light, reached; tx => lease::progress(tx, &reached)) {
                Ok(true) => self.notify(&[Signal::Changed]),
                Ok(false) => {}
                Err(error) => tracing::debug!(%error, "the progress of a job could not be stored"),
            }
        }
        Ok(heartbeats.iter().map(|beat| held.contains_key(&beat.lease.work)).collect())
    }

    async fn release(&self, lease: Lease, _now: Millis) -> StoreResult<()> {
        unit!(self; tx => lease::release(tx, lease))?;
        self.notify(&[Signal::Ready]);
        Ok(())
    }

    async fn extend_next_lease(&self, lease: Lease, _now: Millis) -> StoreResult<()> {
        if !unit!(self; tx => lease::extend_next_lease(tx, lease))? {
            return Err(StoreError::LeaseLost);
        }
        self.notify(&[Signal::Ready]);
        Ok(())
    }

    async fn snooze(&self, lease: Lease, until: Millis, now: Millis) -> StoreResult<()> {
        unit!(self, at now; tx => lease::snooze(tx, lease, now.of(until)))?;
        self.notify(&[Signal::Changed]);
        Ok(())
    }

    async fn rescue(&self, now: Millis) -> StoreResult<u64> {
        let (expired, noted) = snapshot!(self, at now; tx => async {
            StoreResult::Ok((expired_leases::lost(&mut *tx, now.ms).await?, completions::left(tx).await?))
        })?;
        self.settle_left(noted, now).await?;
        self.free(expired, None, now).await
    }

    async fn rescue_all(&self, now: Millis) -> StoreResult<u64> {
        let noted = snapshot!(self; tx => completions::left(tx))?;
        self.settle_left(noted, now).await?;
        let events = unit!(self, at now; tx => free_lost(tx, Millis::MAX, Millis::MAX, now.ms))?;
        let expired = snapshot!(self; tx => expired_leases::lost(tx, Millis::MAX))?;
        Ok(events + self.free(expired, Some(Millis::MAX), now).await?)
    }
}

impl Handle {
    /// Completes what others noted, if they do not get to it.
    async fn settle_left(&self, noted: Vec<TaskId>, now: Millis) -> StoreResult<()> {
        for task in noted {
            if unit!(self, at now; tx => completions::settle_if_free(tx, task, now.ms))? {
                self.notify(&[Signal::Ready, Signal::Changed]);
            }
        }
        Ok(())
    }

    /// Frees each lost lease in a unit of its own, because ending its work may lock much. Leases that ended before `before`, or
    /// before now, are lost.
    async fn free(&self, lost: Vec<JobId>, before: Option<Millis>, now: Millis) -> StoreResult<u64> {
        let mut freed = 0;
        for work in lost {
            let free =
                unit!(self, at now; tx => expired_leases::free(tx, work, before.unwrap_or(now.ms), now.ms))?;
            freed += u64::from(free);
        }
        if freed > 0 {
            self.notify(&Signal::ALL);
        }
        Ok(freed)
    }
}
