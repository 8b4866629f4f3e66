//! A measured period with a number of workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use clipmill_store::Store;
use tokio::sync::watch;
use tokio::time::Instant;

use super::arrivals::{self, Waits};
use super::books::{Call, Times};
use super::database::Load;
use super::fleet::{Fleet, Throughput};
use super::{Fixture, Settings, deliveries};

/// Processes of the API that send callbacks.
const SENDERS: usize = 2;
const CONNECTIONS: u32 = 10;
const CALLS: [Call; 9] = [
    Call::Submit,
    Call::Claim,
    Call::InVain,
    Call::Heartbeat,
    Call::Planned,
    Call::SegmentDone,
    Call::Deliver,
    Call::Callback,
    Call::Upkeep,
];

pub struct Phase {
    pub name: String,
    pub workers: usize,
    pub pace: Throughput,
    pub warm_up: Duration,
    pub time: Duration,
    pub arrivals: Duration,
}

pub struct Measured {
    pub name: String,
    pub seconds: f64,
    pub times: Vec<(Call, Times)>,
    pub delivered: usize,
    /// Share of their time that slots worked.
    pub at_work: f64,
    pub load: Load,
    pub waits: Waits,
    /// Claims by user, the most first.
    pub shares: Vec<(i64, u64)>,
    pub errors: Vec<(String, u64)>,
    pub load_average: String,
}

impl Phase {
    /// The largest fleet without work, and then with an occasional small task.
    pub fn idle(settings: &Settings) -> [Self; 2] {
        let workers = settings.steps.iter().copied().max().unwrap_or(0);
        let time = Duration::from_secs(settings.idle_s);
        let idle = |name: &str| Self { name: name.into(), time, ..Self::paced(settings, workers) };
        [Self { arrivals: Duration::MAX, ..idle("idle fleet") }, idle("newcomers only")]
    }

    /// Work takes as long as rendering would.
    pub fn paced(settings: &Settings, workers: usize) -> Self {
        let pace = Throughput::real(&settings.render_ms, &settings.finish_ms);
        Self {
            name: format!("{workers} workers"),
            workers,
            // By then the workers no longer start and end their work at the same time.
            warm_up: Duration::from_millis(*settings.render_ms.end() * 2).max(Duration::from_secs(2)),
            pace,
            time: Duration::from_secs(settings.seconds),
            arrivals: Duration::from_millis(settings.arrivals_ms),
        }
    }

    /// Work takes no time at all.
    pub fn flood(settings: &Settings) -> Self {
        Self {
            name: format!("no sleep, {} slots", settings.flood_slots),
            workers: settings.flood_slots,
            pace: Throughput::none(),
            warm_up: Duration::from_secs(5),
            ..Self::paced(settings, settings.flood_slots)
        }
    }

    pub async fn run(&self, fixture: &Arc<Fixture>) -> Measured {
        static ROUND: AtomicU64 = AtomicU64::new(0);
        eprintln!("{}", self.name);
        let fleet = Fleet::start(fixture, self.workers, &self.pace).await;
        let (stop, stopped) = watch::channel(false);
        let (mut senders, mut stores) = (Vec::new(), Vec::new());
        for _ in 0..SENDERS {
            let store = fixture.store(CONNECTIONS).await;
            stores.push(store.clone());
            senders.push(tokio::spawn(deliveries::send(fixture.clone(), store, stopped.clone())));
        }
        tokio::time::sleep(self.warm_up).await;
        let clients = fixture.store(CONNECTIONS).await;
        stores.push(clients.clone());
        let round = ROUND.fetch_add(1, Ordering::Relaxed);
        let coming = arrivals::come(fixture.clone(), clients, self.arrivals, round, stopped);
        let coming = tokio::spawn(coming);
        fixture.books.open();
        let (before, began, load) = (fixture.books.delivered(), Instant::now(), fixture.watch.begin().await);
        tokio::time::sleep(self.time).await;
        let load = fixture.watch.end(load).await;
        fixture.books.close();
        let (seconds, delivered) = (began.elapsed().as_secs_f64(), fixture.books.delivered() - before);
        let _ = stop.send(true);
        let came = coming.await.expect("arrivals to end");
        // The last arrivals get time to complete their tasks as well.
        let grace = Duration::from_millis(*self.pace.picture.end() * 4) + Duration::from_secs(2);
        tokio::time::sleep(grace.min(Duration::from_secs(20))).await;
        let waits = arrivals::waits(fixture, &came);
        fleet.stop().await;
        for sender in senders {
            let _ = sender.await;
        }
        for store in stores {
            store.close().await;
        }
        Measured {
            name: self.name.clone(),
            seconds,
            times: CALLS.iter().map(|call| (*call, fixture.books.times(*call))).collect(),
            delivered,
            at_work: fixture.books.worked_seconds() / (seconds * self.workers as f64),
            load,
            waits,
            shares: fixture.books.claims_by_user(),
            errors: fixture.books.errors(),
            load_average: std::fs::read_to_string("/proc/loadavg").unwrap_or_default(),
        }
    }
}

impl Measured {
    pub fn times(&self, call: Call) -> Times {
        self.times.iter().find(|(of, _)| *of == call).map(|(_, times)| *times).unwrap_or_default()
    }
}
