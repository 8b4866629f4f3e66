//! Implements [`QueueStore`]: the unit of work behind each method, and the signals that it sends.

use std::collections::HashMap;

use async_trait::async_trait;
use clipmill_core::ids::JobId;

use super::super::dialect::{Handle, is_conflict};
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use super::leases::lease::{self, JobRow};
use super::{claim, overview};
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::common::signals::Signal;
use crate::queue::{Claim, ClaimLimits, Load, More, QueueOverview, QueueStore, Requeue};

#[async_trait]
impl QueueStore for Handle {
    async fn claim_several(
        &self,
        worker: &str,
        max: u32,
        now: Millis,
        lease_ms: i64,
        limits: ClaimLimits,
    ) -> StoreResult<Vec<Claim>> {
        let mut polled = self.polls_delayed();
        if polled {
            self.wake_delayed(now).await?;
        }
        loop {
            // The claim is committed before anything else is locked, so claims never wait for each other.
            let claimed =
                unit!(self, at now, worker; tx => claim::take(tx, &worker, now.ms, lease_ms, limits, max));
            let claimed = match claimed {
                // There is no other work, so delayed work may be due.
                Ok(claimed) if claimed.is_empty() && !polled => {
                    polled = true;
                    if self.wake_delayed(now).await? == 0 {
                        return Ok(Vec::new());
                    }
                    continue;
                }
                // Many claimers compete for users near their limits; they will ask again.
                Err(StoreError::Conflict) => return Ok(Vec::new()),
                Ok(claimed) if claimed.is_empty() => return Ok(Vec::new()),
                claimed => claimed?,
            };
            let claims = self.begin_all(claimed, now).await?;
            if !claims.is_empty() {
                return Ok(claims);
            }
        }
    }

    async fn claim_more(
        &self,
        worker: &str,
        more: More,
        now: Millis,
        lease_ms: i64,
        limits: ClaimLimits,
    ) -> StoreResult<Vec<Claim>> {
        let claimed =
            unit!(self, at now, worker; tx => claim::take_more(tx, &worker, more, now.ms, lease_ms, limits));
        self.begin_all(claimed?, now).await
    }

    async fn load(&self, now: Millis) -> StoreResult<Load> {
        snapshot!(self, at now; tx => overview::load(tx, now.ms))
    }

    async fn overview(&self, now: Millis, max: u32) -> StoreResult<QueueOverview> {
        let waiting = self.shared(now, async { snapshot!(self; tx => overview::waiting(tx)) }).await?;
        snapshot!(self, at now, waiting; tx => overview::overview(tx, waiting, now.ms, max))
    }

    async fn pause(&self, reason: Option<&str>, now: Millis) -> StoreResult<bool> {
        let reason = reason.map(str::to_owned);
        unit!(self, at now, reason; tx => overview::pause(tx, reason.as_deref(), now.ms))
    }

    async fn resume(&self) -> StoreResult<bool> {
        let resumed = unit!(self; tx => overview::resume(tx))?;
        self.notify(&[Signal::Ready]);
        Ok(resumed)
    }

    async fn requeue(&self, what: &Requeue) -> StoreResult<u64> {
        let requeued = unit!(self, what; tx => overview::requeue(tx, &what))?;
        self.notify(&[Signal::Interrupted, Signal::Ready]);
        Ok(requeued)
    }
}

impl Handle {
    /// Begins all claims that can be begun.
    async fn begin_all(&self, taken: Vec<claim::ClaimedJob>, now: Millis) -> StoreResult<Vec<Claim>> {
        let jobs: Vec<JobRow> =
            taken.iter().filter(|(_, claim)| claim.is_none()).map(|(work, _)| work.clone()).collect();
        if !jobs.is_empty() {
            self.notify(&[Signal::Changed]);
        }
        let together = match jobs.len() {
            0 | 1 => Vec::new(),
            // Each is begun alone if that fails. They were claimed in a turn.
            _ => unit!(self, prompt, at now, jobs; tx => claim::start_all(tx, &jobs, now.ms))
                .unwrap_or_default(),
        };
        let mut started: HashMap<JobId, Claim> =
            together.into_iter().flatten().map(|claim| (claim.lease.work, claim)).collect();
        let (mut claims, mut first) = (Vec::with_capacity(taken.len()), None);
        for (work, claim) in taken {
            let started = match claim.or_else(|| started.remove(&JobId(work.id))) {
                Some(claim) => Ok(Some(claim)),
                None => self.begin(&work, now).await,
            };
            match started {
                Ok(started) => claims.extend(started),
                // The other claims are valid.
                Err(error) => {
                    tracing::error!(work = work.id, %error, "a claimed job could not be started");
                    first.get_or_insert(error);
                }
            }
        }
        match first {
            Some(error) if claims.is_empty() => Err(error),
            _ => Ok(claims),
        }
    }

    /// Starts a claimed job. If the disk of the database is full, releases the lease if possible: otherwise the job would wait
    /// until the lease expires.
    async fn begin(&self, work: &JobRow, now: Millis) -> StoreResult<Option<Claim>> {
        let outcome = unit!(self, prompt, at now, work; tx => claim::begin(tx, &work, now.ms));
        if outcome.as_ref().is_err_and(StoreError::cannot_write) {
            let lease = work.lease();
            let _ = unit!(self; tx => lease::release(tx, lease));
        }
        outcome
    }

    /// Makes delayed work ready that is due.
    async fn wake_delayed(&self, now: Millis) -> StoreResult<u64> {
        let woken = unit!(self, at now; tx => claim::wake_delayed(tx, now.ms))?;
        if woken > 0 {
            self.notify(&[Signal::Ready]);
        }
        Ok(woken)
    }
}
