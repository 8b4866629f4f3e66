//! A semaphore that shares its permits fairly among users. It limits database reads and expensive API calls.
//!
//! A [`FairSemaphore`] has a number of permits, and one user can hold no more than a share of them. If no permit is free, the
//! call waits. A free permit goes to the user who received their last permit the longest time ago, however many calls other
//! users make. The number of waiting calls per user and their waiting time are limited. Dropping a [`Permit`] frees it.
//! Dropping a waiting call removes it from the queue, so a client that disconnects holds nothing.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clipmill_core::ids::UserId;
use tokio::sync::oneshot;

/// How long a call waits for a permit.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The most waiting calls of one user: enough for a page of thumbnails and a second page that is open at the same time.
const MAX_WAITING: usize = 200;

#[derive(Debug)]
pub struct FairSemaphore {
    permits: usize,
    share: usize,
    timeout: Duration,
    state: Mutex<State>,
}

/// One permit. It is freed when dropped.
#[derive(Debug)]
pub struct Permit {
    semaphore: Arc<FairSemaphore>,
    user: UserId,
}

/// No permit became free in time. The client should retry later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Busy;

impl FairSemaphore {
    /// Creates a semaphore with this many permits. One user can hold `percent` of them, but at least one.
    pub fn new(permits: usize, percent: u8) -> Arc<Self> {
        Self::with_share(permits, permits * usize::from(percent) / 100)
    }

    /// Creates a semaphore with this many permits. One user can hold `share` of them, but at least one.
    pub fn with_share(permits: usize, share: usize) -> Arc<Self> {
        let permits = permits.max(1);
        Arc::new(Self { permits, share: share.clamp(1, permits), timeout: TIMEOUT, state: Mutex::default() })
    }

    /// Waits for a permit, up to the timeout.
    pub async fn acquire(self: &Arc<Self>, user: UserId) -> Result<Permit, Busy> {
        if self.is_crowded(user) {
            return Err(Busy);
        }
        tokio::time::timeout(self.timeout, self.acquire_without_timeout(user)).await.unwrap_or(Err(Busy))
    }

    /// Waits for a permit without a timeout, for work that is already accepted.
    pub async fn acquire_without_timeout(self: &Arc<Self>, user: UserId) -> Result<Permit, Busy> {
        let (sender, receiver) = oneshot::channel();
        let number = self.lock().join(user, sender);
        let _waiting = WaitingCall { semaphore: self, user, number };
        self.grant();
        receiver.await.map_err(|_| Busy)
    }

    /// Returns a permit if one is free now.
    pub fn try_acquire(self: &Arc<Self>, user: UserId) -> Result<Permit, Busy> {
        let mut state = self.lock();
        let held = state.users.get(&user).map_or(0, |user_state| user_state.held);
        if state.held >= self.permits || held >= self.share {
            return Err(Busy);
        }
        state.hold(user);
        Ok(Permit { semaphore: self.clone(), user })
    }

    /// Whether the user has reached the limit of waiting calls.
    pub fn is_crowded(&self, user: UserId) -> bool {
        self.lock().users.get(&user).is_some_and(|user_state| user_state.waiting.len() >= MAX_WAITING)
    }

    /// Gives free permits to the next waiting calls.
    fn grant(self: &Arc<Self>) {
        loop {
            let Some((user, sender)) = self.lock().next(self.permits, self.share) else { return };
            // If the caller has just disconnected, the permit is dropped here and is free again.
            let _ = sender.send(Permit { semaphore: self.clone(), user });
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.semaphore.lock().free(self.user);
        self.semaphore.grant();
    }
}

#[derive(Debug, Default)]
struct State {
    held: usize,
    users: HashMap<UserId, UserState>,
    /// Users with waiting calls, each once. A user who receives a permit moves to the end.
    order: VecDeque<UserId>,
    last_number: u64,
}

#[derive(Debug, Default)]
struct UserState {
    held: usize,
    waiting: VecDeque<(u64, oneshot::Sender<Permit>)>,
}

impl State {
    fn join(&mut self, user: UserId, sender: oneshot::Sender<Permit>) -> u64 {
        self.last_number += 1;
        let user_state = self.users.entry(user).or_default();
        if user_state.waiting.is_empty() {
            self.order.push_back(user);
        }
        user_state.waiting.push_back((self.last_number, sender));
        self.last_number
    }

    /// The next call that can have a permit. The permit counts as held from now on.
    fn next(&mut self, permits: usize, share: usize) -> Option<(UserId, oneshot::Sender<Permit>)> {
        if self.held >= permits {
            return None;
        }
        let below = |user: &UserId| self.users.get(user).is_some_and(|user_state| user_state.held < share);
        let user = self.order.remove(self.order.iter().position(below)?)?;
        let user_state = self.users.get_mut(&user)?;
        let (_, sender) = user_state.waiting.pop_front()?;
        if !user_state.waiting.is_empty() {
            self.order.push_back(user);
        }
        self.hold(user);
        Some((user, sender))
    }

    fn hold(&mut self, user: UserId) {
        self.held += 1;
        self.users.entry(user).or_default().held += 1;
    }

    fn free(&mut self, user: UserId) {
        self.held = self.held.saturating_sub(1);
        if let Some(user_state) = self.users.get_mut(&user) {
            user_state.held = user_state.held.saturating_sub(1);
        }
        self.forget(user);
    }

    fn leave(&mut self, user: UserId, number: u64) {
        if let Some(user_state) = self.users.get_mut(&user) {
            user_state.waiting.retain(|(waiting, _)| *waiting != number);
            if user_state.waiting.is_empty() {
                self.order.retain(|waiting| *waiting != user);
            }
        }
        self.forget(user);
    }

    /// Removes a user who has neither permits nor waiting calls.
    fn forget(&mut self, user: UserId) {
        if self
            .users
            .get(&user)
            .is_some_and(|user_state| user_state.held == 0 && user_state.waiting.is_empty())
        {
            self.users.remove(&user);
        }
    }
}

/// A waiting call. Dropping it removes it from the queue.
struct WaitingCall<'t> {
    semaphore: &'t FairSemaphore,
    user: UserId,
    number: u64,
}

impl Drop for WaitingCall<'_> {
    fn drop(&mut self) {
        self.semaphore.lock().leave(self.user, self.number);
    }
}

#[cfg(test)]
mod tests;
