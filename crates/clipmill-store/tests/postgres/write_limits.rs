//! Large fleets: write permits, and the order of claims.

use std::sync::Arc;

use clipmill_core::ids::UserId;
use clipmill_store::postgres::{Clock, PgOptions, PgStore};
use clipmill_store::*;
use sqlx::{Connection as _, Executor as _, PgConnection};

use crate::conformance::fixture::{Fixture, LEASE_MS, segment};

/// How many sessions wait for a lock, and how many of them prevent vacuum from removing old row versions.
const WAITING: &str = "SELECT COUNT(*), COUNT(backend_xmin) FROM pg_stat_activity
                        WHERE datname = current_database() AND wait_event_type = 'Lock'";

async fn with_turns(writes_at_once: u32) -> (Fixture, PgConnection, crate::Database) {
    let database = crate::database().await;
    let options = PgOptions { connections: 3, writes_at_once, clock: Clock::Caller };
    let fixture = Fixture::new(Arc::new(PgStore::open(&database.url, options).await.unwrap()));
    let other = PgConnection::connect(&database.url).await.unwrap();
    (fixture, other, database)
}

#[tokio::test]
async fn waiting_for_a_write_permit_delays_neither_vacuum_nor_renewals() {
    let (fixture, mut other, _database) = with_turns(1).await;
    let store = &fixture.store;
    let user = fixture.user(100).await;
    fixture.queued(user, &[segment("a", 30)]).await;
    let lease = fixture.claim_segment("a").await;
    other.execute("BEGIN; LOCK TABLE writer_0 IN SHARE UPDATE EXCLUSIVE MODE").await.unwrap();
    let made = tokio::spawn({
        let (store, now) = (store.clone(), fixture.now());
        async move { store.jobs().complete_segment(lease, now).await }
    });
    let clearing = loop {
        let (waiting, holding): (i64, i64) = sqlx::query_as(WAITING).fetch_one(&mut other).await.unwrap();
        if waiting > 0 {
            break holding == 0;
        }
        tokio::task::yield_now().await;
    };
    assert!(clearing, "who waits holds a snapshot");
    store.leases().heartbeat(lease, 15, fixture.now(), LEASE_MS).await.unwrap();
    assert_eq!(fixture.balance(user).await, (90, 10));
    other.execute("COMMIT").await.unwrap();
    made.await.unwrap().unwrap();
}

#[tokio::test]
async fn without_a_limit_writes_do_not_wait() {
    let (fixture, mut other, _database) = with_turns(1_000).await;
    for writer in 0..64 {
        let lock = format!("BEGIN; LOCK TABLE writer_{writer} IN SHARE UPDATE EXCLUSIVE MODE");
        other.execute(sqlx::AssertSqlSafe(lock)).await.unwrap();
    }
    let user = fixture.user(100).await;
    assert_eq!(fixture.balance(user).await, (100, 0));
}

/// The shared counts of claims.
async fn kept(database: &mut PgConnection) -> Option<i64> {
    let sum =
        "SELECT SUM(CAST(c ->> 2 AS BIGINT))::BIGINT FROM jobs, json_array_elements(CAST(told AS JSON)) c
                WHERE name = 'count running work'";
    sqlx::query_scalar(sum).fetch_one(database).await.unwrap()
}

#[tokio::test]
async fn a_large_fleet_shares_counts_of_running_jobs_and_stays_fair() {
    let (store, database) = crate::open().await;
    let (fixture, mut sql) = (Fixture::new(store), PgConnection::connect(&database.url).await.unwrap());
    let users = [fixture.user(10_000).await, fixture.user(10_000).await];
    for (number, user) in users.into_iter().enumerate() {
        let pieces: Vec<_> = (0..200).map(|piece| segment(&format!("s{number}-{piece}"), 30)).collect();
        fixture.queued(user, &pieces).await;
    }
    let mut in_progress = Vec::new();
    let next = async |limits| -> Option<(UserId, Lease)> {
        fixture.pass(1);
        let claim = fixture.try_claim_within(limits).await?;
        match claim.job {
            Job::Segment { user, .. } | Job::Preflight { user, .. } => Some((user, claim.lease)),
            other => panic!("{other:?}"),
        }
    };
    let no_limit = ClaimLimits::default();
    let of = |in_progress: &[(UserId, Lease)], user| in_progress.iter().filter(|(of, _)| *of == user).count();
    while in_progress.len() < 128 {
        assert_eq!(kept(&mut sql).await, None, "few are counted by each claim");
        in_progress.push(next(no_limit).await.unwrap());
    }
    assert_eq!([of(&in_progress, users[0]), of(&in_progress, users[1])], [64, 64]);

    // The next claim counts for the following ones, which use the same counts.
    for _ in 0..20 {
        in_progress.push(next(no_limit).await.unwrap());
        assert_eq!(kept(&mut sql).await, Some(128));
    }
    assert_eq!([of(&in_progress, users[0]), of(&in_progress, users[1])], [74, 74]);

    // Limits are checked against current numbers, not against stored counts.
    let capped = ClaimLimits { per_user: 75, ..no_limit };
    let within: Vec<UserId> =
        [next(capped).await, next(capped).await].into_iter().map(|next| next.unwrap().0).collect();
    assert_ne!(within[0], within[1]);
    assert!(next(capped).await.is_none());

    // A user without running jobs is next, regardless of the age of the counts.
    let newcomer = fixture.user(100).await;
    fixture.submit(newcomer, &[10]).await;
    assert_eq!(next(no_limit).await.unwrap().0, newcomer);

    fixture.pass(250);
    in_progress.push(next(no_limit).await.unwrap());
    assert_eq!(kept(&mut sql).await, Some(151), "counted again");
    for (_, lease) in in_progress.drain(..).take(100) {
        fixture.store.jobs().complete_segment(lease, fixture.now()).await.unwrap();
    }
    fixture.pass(250);
    let segments = ClaimLimits { kinds: [JobKind::Segment].into_iter().collect(), ..no_limit };
    next(segments).await.unwrap();
    assert_eq!(kept(&mut sql).await, None, "few again");
    fixture.check().await;
}
