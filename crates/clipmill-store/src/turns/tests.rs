use std::pin::Pin;
use std::task::{Context, Waker};

use super::*;

type Call = Pin<Box<dyn Future<Output = Result<Turn, Busy>> + Send>>;

const USERS: i64 = 5;

/// Users who call, wait, disconnect and finish in any order.
struct Crowd {
    turns: Arc<Turns>,
    calls: Vec<(UserId, Call)>,
    held: Vec<Turn>,
    /// For each waiting user, how often another one was served since although this one could have been.
    passed: HashMap<UserId, usize>,
    chance: u64,
}

impl Crowd {
    fn new(places: usize, percent: u8, chance: u64) -> Self {
        let turns = Turns::new(places, percent);
        Self { turns, calls: vec![], held: vec![], passed: HashMap::new(), chance }
    }

    fn draw(&mut self, below: usize) -> usize {
        self.chance =
            self.chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.chance >> 33) as usize % below.max(1)
    }

    fn step(&mut self) {
        match self.draw(4) {
            0 | 1 => {
                let (turns, user) = (self.turns.clone(), UserId(self.draw(USERS as usize) as i64));
                self.calls.push((user, Box::pin(async move { turns.wait(user).await })));
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

    /// Records who got a place.
    fn serve(&mut self) {
        let mut context = Context::from_waker(Waker::noop());
        for (user, mut call) in std::mem::take(&mut self.calls) {
            match call.as_mut().poll(&mut context) {
                std::task::Poll::Ready(turn) => {
                    self.held.push(turn.unwrap());
                    self.passed.insert(user, 0);
                    let waiting: Vec<UserId> = self.turns.lock().order.iter().copied().collect();
                    for other in waiting.into_iter().filter(|other| *other != user) {
                        let below = self.turns.lock().users[&other].held < self.turns.share;
                        *self.passed.entry(other).or_default() += usize::from(below);
                    }
                }
                std::task::Poll::Pending => self.calls.push((user, call)),
            }
        }
    }

    fn check(&mut self) {
        let state = self.turns.lock();
        // A user who disconnects and comes again starts anew.
        self.passed.retain(|user, _| state.order.contains(user));
        assert!(state.held <= self.turns.places);
        assert_eq!(state.held, self.held.len());
        for (user, mine) in &state.users {
            assert!(mine.held <= self.turns.share, "{user:?} has more than a share");
            let waits = !mine.waiting.is_empty();
            assert_eq!(state.order.iter().filter(|other| *other == user).count(), usize::from(waits));
            let idle = state.held < self.turns.places && mine.held < self.turns.share;
            assert!(!(waits && idle), "{user:?} waits for a place that is free");
            assert!(
                !waits || self.passed.get(user).is_none_or(|passed| *passed <= USERS as usize),
                "{user:?}"
            );
        }
    }
}

#[test]
fn whatever_happens_places_are_shared_in_turn_and_none_is_lost() {
    for (chance, places, percent) in [(1, 1, 50), (2, 4, 50), (3, 8, 25), (4, 3, 100), (5, 6, 34)] {
        let mut crowd = Crowd::new(places, percent, chance);
        (0..20_000).for_each(|_| crowd.step());
        crowd.calls.clear();
        crowd.held.clear();
        let state = crowd.turns.lock();
        assert!(state.users.is_empty() && state.order.is_empty() && state.held == 0, "{state:?}");
    }
}

/// One user's call is served before another user's crowd of calls, as soon as a place is free.
#[tokio::test]
async fn the_next_place_is_for_whoever_had_none() {
    let (ann, bob) = (UserId(1), UserId(2));
    let turns = Turns::new(1, 50);
    let first = turns.take(ann).await.unwrap();
    let spawn = |user| {
        let turns = turns.clone();
        tokio::spawn(async move { turns.take(user).await })
    };
    let waiting = async |user, count| {
        while turns.lock().users.get(&user).map_or(0, |mine| mine.waiting.len()) < count {
            tokio::task::yield_now().await;
        }
    };
    let crowd: Vec<_> = (0..50).map(|_| spawn(ann)).collect();
    waiting(ann, 50).await;
    let single = spawn(bob);
    waiting(bob, 1).await;
    drop(first);
    // The first of the crowd was waiting before; then it is the other user's turn.
    let mut crowd = crowd.into_iter();
    drop(crowd.next().unwrap().await.unwrap());
    single.await.unwrap().unwrap();
    let state = turns.lock();
    assert_eq!(state.users[&ann].waiting.len() + state.held, 49);
}

#[tokio::test]
async fn waiting_is_bounded_in_time_and_in_number() {
    let user = UserId(1);
    let state = Mutex::default();
    let turns = Arc::new(Turns { places: 2, share: 1, patience: Duration::ZERO, state });
    let held = turns.try_take(user).unwrap();
    assert_eq!(turns.try_take(user).unwrap_err(), Busy, "a share is below the whole");
    assert_eq!(turns.take(user).await.unwrap_err(), Busy);
    assert!(turns.lock().users[&user].waiting.is_empty(), "who gave up is forgotten");
    let crowd: Vec<_> = (0..MOST_WAITING)
        .map(|_| {
            let turns = turns.clone();
            tokio::spawn(async move { turns.wait(user).await })
        })
        .collect();
    while !turns.is_crowded(user) {
        tokio::task::yield_now().await;
    }
    let number = turns.lock().last_number;
    assert_eq!(turns.take(user).await.unwrap_err(), Busy);
    assert_eq!(turns.lock().last_number, number, "it did not begin to wait");
    assert!(turns.try_take(UserId(2)).is_ok());
    crowd.iter().for_each(|call| call.abort());
    for call in crowd {
        assert!(call.await.unwrap_err().is_cancelled());
    }
    drop(held);
    assert!(turns.lock().users.is_empty());
}
