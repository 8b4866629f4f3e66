//! A small simulation: its guarantees at any size, without its measurements.

use std::time::Duration;

use clipmill_store::Store;
use tokio::sync::watch;

use crate::simulation::fleet::{Fleet, Throughput};
use crate::simulation::{Fixture, Settings, arrivals, deliveries, promises, seed};

const WORKERS: usize = 12;
/// How many claims for others may come before the first one for a new user: workers claim at the same moment, and
/// users of the queue may have no running jobs just then. In the order of arrival it would be all claims, far above
/// five hundred.
const FEW: u64 = 100;

fn settings() -> Settings {
    Settings {
        steps: vec![WORKERS],
        slots: 4,
        connections: 4,
        items: 300,
        items_per_task: 20,
        clips: 2,
        shared: 4,
        shares: vec![900, 90, 10],
        render_ms: 1..=4,
        finish_ms: 1..=2,
        seconds: 1,
        idle_s: 0,
        flood_slots: 0,
        arrivals_ms: 10,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fleet_keeps_every_guarantee_and_is_fair() {
    let database = crate::database().await;
    let fixture = Fixture::new(&database.url, settings()).await;
    let seeded = seed::fill(&fixture).await;
    let pace = Throughput { picture: 1..=4, sound: 1..=2, finish: 1..=2, preflight: 1..=4 };
    let fleet = Fleet::start(&fixture, WORKERS, &pace).await;
    let (stop, stopped) = watch::channel(false);
    let sender = fixture.store(4).await;
    let sending = tokio::spawn(deliveries::send(fixture.clone(), sender.clone(), stopped));
    let clients = fixture.store(4).await;
    let mut came = Vec::new();
    for number in 1..=3 {
        came.extend(arrivals::one(&fixture, &clients, (1 << 40) + number).await);
    }
    let all = seeded.items as usize + came.len();
    let delivered = async {
        let undelivered = "SELECT COUNT(*) FROM tasks t LEFT JOIN outbox o ON o.task_id = t.id
            WHERE o.state IS DISTINCT FROM 'delivered'";
        while fixture.books.delivered() < all || fixture.watch.number(undelivered).await > 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    assert!(tokio::time::timeout(Duration::from_secs(240), delivered).await.is_ok(), "the queue is not done");
    fleet.stop().await;
    let _ = stop.send(true);
    let _ = sending.await;
    assert_eq!(promises::check(&fixture).await, Vec::<String>::new());
    assert_eq!((came.len(), fixture.books.delivered()), (3, all));
    for arrival in &came {
        let after = fixture.books.seen(arrival.user).after;
        assert!(after < FEW, "{after} claims for others came first");
    }
    let attempts = "SELECT COUNT(*) FROM delivery_attempts";
    let tasks = "SELECT COUNT(*) FROM tasks";
    assert_eq!(fixture.watch.number(attempts).await, fixture.watch.number(tasks).await);
    for store in [sender, clients] {
        store.close().await;
    }
}
