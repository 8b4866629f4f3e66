//! New users with one small task each, beside the full queue of other users.

use std::sync::Arc;
use std::time::Duration;

use clipmill_core::ids::UserId;
use clipmill_store::postgres::PgStore;
use clipmill_store::{NewUser, Store};
use tokio::sync::watch;
use tokio::time::Instant;

use super::Fixture;
use super::books::{Call, UserTimes};
use super::plans;

/// Task numbers of arrivals are above those of the queue.
const FIRST: u64 = 1 << 40;

#[derive(Debug, Clone, Copy)]
pub struct Arrival {
    pub user: UserId,
    pub at: Instant,
}

/// Submits a small task of a new user every `every` until stopped; returns the users with their times.
pub async fn come(
    fixture: Arc<Fixture>,
    store: PgStore,
    every: Duration,
    round: u64,
    mut stop: watch::Receiver<bool>,
) -> Vec<Arrival> {
    let mut came = Vec::new();
    for number in FIRST + (round << 20).. {
        if tokio::time::timeout(every, stop.wait_for(|stop| *stop)).await.is_ok() {
            break;
        }
        came.extend(one(&fixture, &store, number).await);
    }
    came
}

/// A user with a task of one item; `None` if the database did not accept it in time.
pub async fn one(fixture: &Fixture, store: &PgStore, number: u64) -> Option<Arrival> {
    let new = NewUser { name: format!("arrival {number}"), webhook_secret: "whsec_x".into() };
    let user = store.users().add(new, 0).await.ok()?.id;
    store.points().grant(user, 10 * plans::POINTS, "to begin with", 0).await.ok()?;
    let request = plans::request(&format!("arrival-{number}"), 1, fixture.settings.clips, 1);
    let task = plans::task(user, number, request);
    fixture.books.watch(user);
    let at = Instant::now();
    fixture.books.time(Call::Submit, store.tasks().submit(task, 0)).await.ok()?;
    Some(Arrival { user, at })
}

/// How long arrivals waited, in milliseconds: for the first claim of anything, for the first segment, for the file.
#[derive(Debug, Clone, Default)]
pub struct Waits {
    pub came: usize,
    pub claimed: Vec<f64>,
    pub begun: Vec<f64>,
    pub delivered: Vec<f64>,
}

pub fn waits(fixture: &Fixture, came: &[Arrival]) -> Waits {
    let mut waits = Waits { came: came.len(), ..Waits::default() };
    for arrival in came {
        let UserTimes { claimed, begun, delivered, .. } = fixture.books.seen(arrival.user);
        let ms = |at: Instant| at.saturating_duration_since(arrival.at).as_secs_f64() * 1e3;
        waits.claimed.extend(claimed.map(ms));
        waits.begun.extend(begun.map(ms));
        waits.delivered.extend(delivered.map(ms));
    }
    for list in [&mut waits.claimed, &mut waits.begun, &mut waits.delivered] {
        list.sort_by(f64::total_cmp);
    }
    waits
}
