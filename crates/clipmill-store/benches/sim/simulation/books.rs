//! Records of the simulation, written by workers and clients.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use clipmill_core::ids::{ItemId, UserId};
use clipmill_store::StoreResult;
use tokio::time::Instant;

/// Calls of the store that are timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    Submit,
    Claim,
    /// A claim that found nothing.
    InVain,
    /// A process renewed its leases and reported progress.
    Heartbeat,
    Planned,
    SegmentDone,
    Deliver,
    Callback,
    Upkeep,
}

const CALLS: usize = 9;

/// When the work of a user who came with one small task was first claimed, and ended.
#[derive(Debug, Clone, Copy, Default)]
pub struct UserTimes {
    pub claimed: Option<Instant>,
    /// The first claim of a segment or an assembly, which follows planning.
    pub begun: Option<Instant>,
    pub delivered: Option<Instant>,
    /// How many claims, of any user's work, came before the first one of this user's.
    pub after: u64,
}

#[derive(Default)]
pub struct Books {
    /// Whether a phase is being measured; figures are recorded only then.
    open: AtomicBool,
    times: [Mutex<Vec<u32>>; CALLS],
    /// Milliseconds that slots worked.
    worked: AtomicU64,
    errors: Mutex<HashMap<String, u64>>,
    claims: AtomicU64,
    claims_of: Mutex<HashMap<i64, u64>>,
    watched: Mutex<HashMap<i64, UserTimes>>,
    /// How often each item was delivered, over all phases.
    delivered: Mutex<HashMap<i64, u32>>,
}

/// Microseconds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Times {
    pub count: usize,
    pub p50: u32,
    pub p95: u32,
    pub p99: u32,
    pub max: u32,
}

impl Books {
    /// Clears the figures and begins to record.
    pub fn open(&self) {
        self.times.iter().for_each(|times| times.lock().unwrap().clear());
        self.errors.lock().unwrap().clear();
        self.claims_of.lock().unwrap().clear();
        self.worked.store(0, Ordering::Release);
        self.open.store(true, Ordering::Release);
    }

    pub fn close(&self) {
        self.open.store(false, Ordering::Release);
    }

    /// Measures how long a call takes; errors are counted by their text.
    pub async fn time<T>(&self, call: Call, unit: impl Future<Output = StoreResult<T>>) -> StoreResult<T> {
        let began = Instant::now();
        let outcome = unit.await;
        match &outcome {
            Ok(_) => self.note(call, began),
            Err(error) if self.open.load(Ordering::Acquire) => {
                *self.errors.lock().unwrap().entry(format!("{call:?}: {error}")).or_default() += 1;
            }
            Err(_) => {}
        }
        outcome
    }

    pub fn note(&self, call: Call, began: Instant) {
        if self.open.load(Ordering::Acquire) {
            let micros = u32::try_from(began.elapsed().as_micros()).unwrap_or(u32::MAX);
            self.times[call as usize].lock().unwrap().push(micros);
        }
    }

    /// Records that a slot worked for this time.
    pub fn worked(&self, time: Duration) {
        if self.open.load(Ordering::Acquire) {
            self.worked.fetch_add(time.as_millis() as u64, Ordering::AcqRel);
        }
    }

    pub fn worked_seconds(&self) -> f64 {
        self.worked.load(Ordering::Acquire) as f64 / 1e3
    }

    pub fn times(&self, call: Call) -> Times {
        let mut times = self.times[call as usize].lock().unwrap().clone();
        times.sort_unstable();
        let at =
            |percent: usize| times.get((times.len() * percent / 100).min(times.len().max(1) - 1)).copied();
        Times {
            count: times.len(),
            p50: at(50).unwrap_or(0),
            p95: at(95).unwrap_or(0),
            p99: at(99).unwrap_or(0),
            max: times.last().copied().unwrap_or(0),
        }
    }

    pub fn errors(&self) -> Vec<(String, u64)> {
        let mut errors: Vec<_> = self.errors.lock().unwrap().clone().into_iter().collect();
        errors.sort();
        errors
    }

    pub fn claimed(&self, user: UserId, beyond_planning: bool) {
        let before = self.claims.fetch_add(1, Ordering::AcqRel);
        if self.open.load(Ordering::Acquire) {
            *self.claims_of.lock().unwrap().entry(user.0).or_default() += 1;
        }
        if let Some(seen) = self.watched.lock().unwrap().get_mut(&user.0) {
            if seen.claimed.is_none() {
                seen.claimed = Some(Instant::now());
                seen.after = before - seen.after;
            }
            if beyond_planning {
                seen.begun.get_or_insert_with(Instant::now);
            }
        }
    }

    /// Claims by user, the most first.
    pub fn claims_by_user(&self) -> Vec<(i64, u64)> {
        let mut claims: Vec<_> = self.claims_of.lock().unwrap().iter().map(|(user, n)| (*user, *n)).collect();
        claims.sort_by_key(|(user, n)| (std::cmp::Reverse(*n), *user));
        claims
    }

    /// Records the progress of this user's work from now on.
    pub fn watch(&self, user: UserId) {
        let seen = UserTimes { after: self.claims.load(Ordering::Acquire), ..UserTimes::default() };
        self.watched.lock().unwrap().insert(user.0, seen);
    }

    pub fn seen(&self, user: UserId) -> UserTimes {
        self.watched.lock().unwrap().get(&user.0).copied().unwrap_or_default()
    }

    pub fn delivered_item(&self, item: ItemId, user: UserId) {
        *self.delivered.lock().unwrap().entry(item.0).or_default() += 1;
        if let Some(seen) = self.watched.lock().unwrap().get_mut(&user.0) {
            seen.delivered.get_or_insert_with(Instant::now);
        }
    }

    /// Items delivered so far.
    pub fn delivered(&self) -> usize {
        self.delivered.lock().unwrap().len()
    }

    pub fn delivered_twice(&self) -> Vec<i64> {
        let delivered = self.delivered.lock().unwrap();
        delivered.iter().filter(|(_, times)| **times > 1).map(|(item, _)| *item).collect()
    }
}
