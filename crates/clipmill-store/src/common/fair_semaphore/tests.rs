use std::pin::Pin;
use std::task::{Context, Waker};

use super::*;

type Call = Pin<Box<dyn Future<Output = Result<Permit, Busy>> + Send>>;

const USERS: i64 = 5;

/// Users who call, wait, disconnect and finish in any order.
struct SimulatedUsers {
    semaphore: Arc<FairSemaphore>,
    calls: Vec<(UserId, Call)>,
    held: Vec<Permit>,
    /// For each waiting user, how often another user was served although this one could have been.
    passed: HashMap<UserId, usize>,
    chance: u64,
}

impl SimulatedUsers {
    fn new(permits: usize, percent: u8, chance: u64) -> Self {
        let semaphore = FairSemaphore::new(permits, percent);
        Self { semaphore, calls: vec![], held: vec![], passed: HashMap::new(), chance }
    }

    fn draw(&mut self, below: usize) -> usize {
        self.chance =
            self.chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.chance >> 33) as usize % below.max(1)
    }

    fn step(&mut self) {
        match self.draw(4) {
            0 | 1 => {
                let (semaphore, user) = (self.semaphore.clone(), UserId(self.draw(USERS as usize) as i64));
                self.calls
                    .push((user, Box::pin(async move { semaphore.acquire_without_timeout(user).await })));
            }
            2 if !self.held.is_empty() => {
                let place = self.draw(self.held.len());
                drop(self.held.swap_remove(place));
            }
            _ if !self.calls.is_empty() => {
                let place = self.draw(self.calls.len());
                drop(self.calls.swap_remove(place));
            }
            _ => {}
        }
        self.serve();
        self.check();
    }

    /// Records which user got a permit.
    fn serve(&mut self) {
        let mut context = Context::from_waker(Waker::noop());
        for (user, mut call) in std::mem::take(&mut self.calls) {
            match call.as_mut().poll(&mut context) {
                std::task::Poll::Ready(permit) => {
                    self.held.push(permit.unwrap());
                    self.passed.insert(user, 0);
                    let waiting: Vec<UserId> = self.semaphore.lock().order.iter().copied().collect();
                    for other in waiting.into_iter().filter(|other| *other != user) {
                        let below = self.semaphore.lock().users[&other].held < self.semaphore.share;
                        *self.passed.entry(other).or_default() += usize::from(below);
                    }
                }
                std::task::Poll::Pending => self.calls.push((user, call)),
            }
        }
    }

    fn check(&mut self) {
        let state = self.semaphore.lock();
        // A user who reconnects starts again at the end of the queue.
        self.passed.retain(|user, _| state.order.contains(user));
        assert!(state.held <= self.semaphore.permits);
        assert_eq!(state.held, self.held.len());
        for (user, user_state) in &state.users {
            assert!(user_state.held <= self.semaphore.share, "{user:?} has more than a share");
            let waits = !user_state.waiting.is_empty();
            assert_eq!(state.order.iter().filter(|other| *other == user).count(), usize::from(waits));
            let idle = state.held < self.semaphore.permits && user_state.held < self.semaphore.share;
            assert!(!(waits && idle), "{user:?} waits for a place that is free");
            assert!(
                !waits || self.passed.get(user).is_none_or(|passed| *passed <= USERS as usize),
                "{user:?}"
            );
        }
    }
}

#[test]
fn permits_are_shared_in_turn_and_never_lost() {
    for (chance, permits, percent) in [(1, 1, 50), (2, 4, 50), (3, 8, 25), (4, 3, 100), (5, 6, 34)] {
        let mut calls = SimulatedUsers::new(permits, percent, chance);
        (0..20_000).for_each(|_| calls.step());
        calls.calls.clear();
        calls.held.clear();
        let state = calls.semaphore.lock();
        assert!(state.users.is_empty() && state.order.is_empty() && state.held == 0, "{state:?}");
    }
}

/// One user's call is served before another user's many calls, as soon as a permit is free.
#[tokio::test]
async fn the_next_permit_is_for_the_user_who_had_none() {
    let (ann, bob) = (UserId(1), UserId(2));
    let semaphore = FairSemaphore::new(1, 50);
    let first = semaphore.acquire(ann).await.unwrap();
    let spawn = |user| {
        let semaphore = semaphore.clone();
        tokio::spawn(async move { semaphore.acquire(user).await })
    };
    let waiting = async |user, count| {
        while semaphore.lock().users.get(&user).map_or(0, |user_state| user_state.waiting.len()) < count {
            tokio::task::yield_now().await;
        }
    };
    let calls: Vec<_> = (0..50).map(|_| spawn(ann)).collect();
    waiting(ann, 50).await;
    let single = spawn(bob);
    waiting(bob, 1).await;
    drop(first);
    // The first of the calls was waiting before; then it is the other user's turn.
    let mut calls = calls.into_iter();
    drop(calls.next().unwrap().await.unwrap());
    single.await.unwrap().unwrap();
    let state = semaphore.lock();
    assert_eq!(state.users[&ann].waiting.len() + state.held, 49);
}

#[tokio::test]
async fn waiting_is_bounded_in_time_and_in_number() {
    let user = UserId(1);
    let state = Mutex::default();
    let semaphore = Arc::new(FairSemaphore { permits: 2, share: 1, timeout: Duration::ZERO, state });
    let held = semaphore.try_acquire(user).unwrap();
    assert_eq!(semaphore.try_acquire(user).unwrap_err(), Busy, "a share is below the whole");
    assert_eq!(semaphore.acquire(user).await.unwrap_err(), Busy);
    assert!(semaphore.lock().users[&user].waiting.is_empty(), "who gave up is forgotten");
    let calls: Vec<_> = (0..MAX_WAITING)
        .map(|_| {
            let semaphore = semaphore.clone();
            tokio::spawn(async move { semaphore.acquire_without_timeout(user).await })
        })
        .collect();
    while !semaphore.is_crowded(user) {
        tokio::task::yield_now().await;
    }
    let number = semaphore.lock().last_number;
    assert_eq!(semaphore.acquire(user).await.unwrap_err(), Busy);
    assert_eq!(semaphore.lock().last_number, number, "it did not begin to wait");
    assert!(semaphore.try_acquire(UserId(2)).is_ok());
    calls.iter().for_each(|call| call.abort());
    for call in calls {
        assert!(call.await.unwrap_err().is_cancelled());
    }
    drop(held);
    assert!(semaphore.lock().users.is_empty());
}
