//! A limited number of places, for reads of the database and for expensive calls, which users take in turn.
//!
//! Each [`Turns`] has a number of places, of which one user has no more than a share. If none is free, the call waits; a free
//! place goes to the user who has waited longest since their last one, whatever others ask for meanwhile. How many calls of a
//! user may wait, and for how long, is limited. A place is free again when its [`Turn`] is dropped, and a call that stops
//! waiting is forgotten: a client that disconnects holds nothing.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clipmill_core::ids::UserId;
use tokio::sync::oneshot;

/// How long a call waits for a place.
const PATIENCE: Duration = Duration::from_secs(30);
/// The most calls of one user that wait for a place: a page of pictures, and one that is being watched.
const MOST_WAITING: usize = 200;

#[derive(Debug)]
pub struct Turns {
    places: usize,
    share: usize,
    patience: Duration,
    state: Mutex<State>,
}

/// One place, which is freed when dropped.
#[derive(Debug)]
pub struct Turn {
    turns: Arc<Turns>,
    user: UserId,
}

/// No place became free in time, so the client should try again later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Busy;

impl Turns {
    /// Makes this many places, of which one user has at most `percent` in a hundred, and at least one.
    pub fn new(places: usize, percent: u8) -> Arc<Self> {
        Self::sharing(places, places * usize::from(percent) / 100)
    }

    /// Makes this many places, of which one user has at most `share`, and at least one.
    pub fn sharing(places: usize, share: usize) -> Arc<Self> {
        let places = places.max(1);
        Arc::new(Self { places, share: share.clamp(1, places), patience: PATIENCE, state: Mutex::default() })
    }

    /// Takes a place when it is the user's turn.
    pub async fn take(self: &Arc<Self>, user: UserId) -> Result<Turn, Busy> {
        if self.is_crowded(user) {
            return Err(Busy);
        }
        tokio::time::timeout(self.patience, self.wait(user)).await.unwrap_or(Err(Busy))
    }

    /// Takes a place for work that was accepted already, however long it takes.
    pub async fn wait(self: &Arc<Self>, user: UserId) -> Result<Turn, Busy> {
        let (sender, receiver) = oneshot::channel();
        let number = self.lock().join(user, sender);
        let _waiting = Waiting { turns: self, user, number };
        self.deal();
        receiver.await.map_err(|_| Busy)
    }

    /// Takes a place if one is free now.
    pub fn try_take(self: &Arc<Self>, user: UserId) -> Result<Turn, Busy> {
        let mut state = self.lock();
        let held = state.users.get(&user).map_or(0, |mine| mine.held);
        if state.held >= self.places || held >= self.share {
            return Err(Busy);
        }
        state.hold(user);
        Ok(Turn { turns: self.clone(), user })
    }

    /// Whether the user has reached the limit of waiting calls.
    pub fn is_crowded(&self, user: UserId) -> bool {
        self.lock().users.get(&user).is_some_and(|mine| mine.waiting.len() >= MOST_WAITING)
    }

    /// Gives free places to those whose turn it is.
    fn deal(self: &Arc<Self>) {
        loop {
            let Some((user, sender)) = self.lock().next(self.places, self.share) else { return };
            // A caller that has just disconnected frees the place by dropping it.
            let _ = sender.send(Turn { turns: self.clone(), user });
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.lock().free(self.user);
        self.turns.deal();
    }
}

#[derive(Debug, Default)]
struct State {
    held: usize,
    users: HashMap<UserId, Mine>,
    /// Users with waiting calls, each once; one that gets a place moves to the end.
    order: VecDeque<UserId>,
    last_number: u64,
}

#[derive(Debug, Default)]
struct Mine {
    held: usize,
    waiting: VecDeque<(u64, oneshot::Sender<Turn>)>,
}

impl State {
    fn join(&mut self, user: UserId, sender: oneshot::Sender<Turn>) -> u64 {
        self.last_number += 1;
        let mine = self.users.entry(user).or_default();
        if mine.waiting.is_empty() {
            self.order.push_back(user);
        }
        mine.waiting.push_back((self.last_number, sender));
        self.last_number
    }

    /// The call whose turn it is, if there is a place for it; the place is then taken.
    fn next(&mut self, places: usize, share: usize) -> Option<(UserId, oneshot::Sender<Turn>)> {
        if self.held >= places {
            return None;
        }
        let below = |user: &UserId| self.users.get(user).is_some_and(|mine| mine.held < share);
        let user = self.order.remove(self.order.iter().position(below)?)?;
        let mine = self.users.get_mut(&user)?;
        let (_, sender) = mine.waiting.pop_front()?;
        if !mine.waiting.is_empty() {
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
        if let Some(mine) = self.users.get_mut(&user) {
            mine.held = mine.held.saturating_sub(1);
        }
        self.forget(user);
    }

    fn leave(&mut self, user: UserId, number: u64) {
        if let Some(mine) = self.users.get_mut(&user) {
            mine.waiting.retain(|(waiting, _)| *waiting != number);
            if mine.waiting.is_empty() {
                self.order.retain(|waiting| *waiting != user);
            }
        }
        self.forget(user);
    }

    /// Removes a user who has neither places nor waiting calls.
    fn forget(&mut self, user: UserId) {
        if self.users.get(&user).is_some_and(|mine| mine.held == 0 && mine.waiting.is_empty()) {
            self.users.remove(&user);
        }
    }
}

/// A waiting call, which is forgotten when dropped.
struct Waiting<'t> {
    turns: &'t Turns,
    user: UserId,
    number: u64,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.turns.lock().leave(self.user, self.number);
    }
}

#[cfg(test)]
mod tests;
