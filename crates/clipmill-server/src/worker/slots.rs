//! The slots of a worker. Each executes one job at a time.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::Duration;

use clipmill_store::{Claim, ClaimLimits, JobKind, JobKinds};
use tokio::sync::Notify;

use super::WorkerSettings;
use crate::config::Config;
use crate::observe::metric;

/// Slots for the same kinds of work.
pub(super) struct Slots {
    pub(super) count: usize,
    pub(super) claim: ClaimLimits,
    /// Whether they render, or only fetch.
    pub(super) render: bool,
    /// Whether they serve only users who hold no other slot.
    pub(super) reserved: bool,
    /// The number of idle slots.
    pub(super) idle: AtomicU32,
    /// Claims for other slots. The slot that asks for work holds the lock.
    pub(super) asking: tokio::sync::Mutex<VecDeque<Claim>>,
}

impl Slots {
    /// Whether encodes in these slots need free threads. Those in the additional slot do not: its user has no other.
    pub(super) fn needs_threads(&self) -> bool {
        self.render && !self.reserved
    }

    /// Limits for claims while all threads are in use: another encode would only occupy a slot.
    pub(super) fn without_segments(&self) -> ClaimLimits {
        let others = JobKind::ALL.into_iter().filter(|kind| *kind != JobKind::Segment);
        ClaimLimits { kinds: self.claim.kinds.and(others.collect()), ..self.claim }
    }
}

/// How long a slot can be counted as busy after its job has ended in the database.
const END_OF_JOB: Duration = Duration::from_millis(20);

/// How many slots render now, and how many slots there are without the reserved one.
#[derive(Default)]
pub struct BusySlots {
    count: AtomicUsize,
    open: AtomicUsize,
    changed: Notify,
}

impl BusySlots {
    pub(super) fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// Whether a slot other than the reserved one is idle. The reserved slot then leaves work to it: otherwise a user
    /// without a running job, who is about to have one in each of the others, could occupy it too.
    pub(super) async fn has_idle(&self) -> bool {
        tokio::time::sleep(END_OF_JOB).await;
        self.count() < self.open.load(Ordering::Relaxed)
    }

    /// Opens a slot until the guard is dropped, also by a panic.
    pub(super) fn open(&self) -> OpenSlot<'_> {
        self.open.fetch_add(1, Ordering::Relaxed);
        OpenSlot(self)
    }

    pub(super) fn add(&self) -> BusySlot<'_> {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.changed.notify_one();
        BusySlot { slots: self, _gauge: metric::GaugeGuard::new(metric::SLOTS_BUSY) }
    }

    /// Returns when a slot becomes busy or ends, at once if one has since the last call. Only one task may wait.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }
}

/// A slot that can render.
pub(super) struct OpenSlot<'a>(&'a BusySlots);

impl Drop for OpenSlot<'_> {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
        self.0.changed.notify_one();
    }
}

/// A slot that is rendering.
pub(super) struct BusySlot<'a> {
    slots: &'a BusySlots,
    _gauge: metric::GaugeGuard,
}

impl Drop for BusySlot<'_> {
    fn drop(&mut self) {
        self.slots.count.fetch_sub(1, Ordering::Relaxed);
    }
}

impl WorkerSettings {
    pub fn of(config: &Config) -> Self {
        Self {
            slots: config.worker.slot_count(),
            reserved_slot: config.worker.has_reserved_slot(),
            fetch_slots: config.fetch.slots.get(),
            fetch_slots_per_user: config.fetch.slots_per_user,
            idle: Self::idle(config),
            claim: ClaimLimits {
                per_user: config.limits.concurrent_items_per_user,
                kinds: JobKinds::default(),
            },
            lease: config.worker.lease.get(),
            heartbeat: config.worker.heartbeat.get(),
            rescue: config.worker.rescue.get(),
            drain: config.worker.drain.get(),
            keep_results: config.retention.results.get(),
            cache_bytes: config.storage.cache_size.0,
            prices: config.prices(),
        }
    }

    /// How long an idle slot waits: reading an own file costs next to nothing, while a shared database serves many.
    fn idle(config: &Config) -> Duration {
        let poll = config.worker.poll.get();
        if config.database.is_shared() { poll } else { poll.min(Duration::from_millis(200)) }
    }

    /// The slots that render and those that fetch, as far as this worker does such work.
    pub(super) fn slots(&self) -> impl Iterator<Item = Slots> {
        let claim = |render: bool, per_user: u32| {
            let kinds = JobKind::ALL.into_iter().filter(|kind| (*kind != JobKind::Preflight) == render);
            ClaimLimits { per_user, kinds: self.claim.kinds.and(kinds.collect()) }
        };
        let slots = |count: usize, render, reserved, claim| Slots {
            count,
            claim,
            render,
            reserved,
            idle: AtomicU32::default(),
            asking: tokio::sync::Mutex::default(),
        };
        let all = [
            slots(self.slots.max(1), true, false, claim(true, self.claim.per_user)),
            slots(usize::from(self.reserved_slot), true, true, claim(true, 1)),
            slots(self.fetch_slots.max(1), false, false, claim(false, self.fetch_slots_per_user)),
        ];
        all.into_iter().filter(|slots| slots.count > 0 && !slots.claim.kinds.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use clipmill_core::pricing::PriceList;

    use super::*;

    fn settings(kinds: &[JobKind], reserved_slot: bool) -> WorkerSettings {
        WorkerSettings {
            slots: 3,
            reserved_slot,
            fetch_slots: 16,
            fetch_slots_per_user: 8,
            idle: Duration::ZERO,
            claim: ClaimLimits { per_user: 0, kinds: kinds.iter().copied().collect() },
            lease: Duration::ZERO,
            heartbeat: Duration::ZERO,
            rescue: Duration::ZERO,
            drain: Duration::ZERO,
            keep_results: Duration::ZERO,
            cache_bytes: 0,
            prices: PriceList::default(),
        }
    }

    fn of(settings: &WorkerSettings) -> Vec<(usize, bool, u32)> {
        settings.slots().map(|slots| (slots.count, slots.render, slots.claim.per_user)).collect()
    }

    #[test]
    fn one_more_slot_serves_users_who_hold_no_other() {
        assert_eq!(of(&settings(&JobKind::ALL, false)), [(3, true, 0), (16, false, 8)]);
        assert_eq!(of(&settings(&JobKind::ALL, true)), [(3, true, 0), (1, true, 1), (16, false, 8)]);
        assert_eq!(of(&settings(&[JobKind::Preflight], true)), [(16, false, 8)]);
    }
}
