//! Many concurrent processes: the same guarantees as a single one.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::task::TaskState;
use clipmill_store::postgres::Clock;
use clipmill_store::*;
use sqlx::Connection as _;

use crate::conformance::fixture::{Fixture, LEASE_MS, found, plan, result, segment, task_error};
use crate::postgres_server::server;

/// Independent stores, like those of several processes.
async fn processes<const N: usize>() -> ([Fixture; N], crate::Database) {
    let database = crate::database().await;
    let mut fixtures = Vec::new();
    for _ in 0..N {
        fixtures.push(Fixture::new(Arc::new(crate::open_on(&database, Clock::Database).await)));
    }
    (fixtures.try_into().ok().unwrap(), database)
}

/// A worker that executes all claimable work, fails some of it, and stops when nothing is left.
async fn work(store: Arc<dyn Store>, name: String, made: Arc<AtomicU32>) {
    let mut idle = 0;
    while idle < 40 {
        let Some(claim) = store.queue().claim(&name, 0, LEASE_MS, ClaimLimits::default()).await.unwrap()
        else {
            idle += 1;
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        idle = 0;
        let spoil = made.fetch_add(1, Ordering::Relaxed) % 11;
        let failure = JobFailure { error: task_error("broken"), retry_at: (spoil == 1).then_some(0) };
        let done = match &claim.job {
            _ if spoil <= 1 => store.jobs().fail(claim.lease, failure, 0).await,
            _ if spoil == 2 => store.leases().release(claim.lease, 0).await,
            Job::Preflight { request, .. } => {
                // All tasks use the same few segments.
                let pieces = ["p", "q", "r", "s"].map(|name| segment(name, 30));
                let [p, q, r, s] = &pieces;
                let uses = [[p, q], [q, r], [s, p]];
                let items = request.params.total_items();
                let plans = (0..items).map(|item| Ok(plan(4, &uses[item % 3]))).collect();
                store.jobs().complete_preflight(claim.lease, found(plans, &pieces), 0).await
            }
            Job::Segment { .. } => {
                store.leases().heartbeat(claim.lease, 15, 0, LEASE_MS).await.unwrap();
                store.jobs().complete_segment(claim.lease, 0).await
            }
            Job::Assemble { .. } => store.jobs().complete_item(claim.lease, result(), 3, 0).await,
        };
        assert!(matches!(done, Ok(()) | Err(StoreError::LeaseLost)), "{done:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_workers_on_shared_segments_keep_every_promise() {
    let (fixtures, _database) = processes::<3>().await;
    let [fixture, ..] = &fixtures;
    let mut users = Vec::new();
    for _ in 0..4 {
        users.push(fixture.user(1_000).await);
    }
    let mut tasks: Vec<(UserId, TaskNo)> = Vec::new();
    for round in 0..8 {
        for user in &users {
            tasks.push((*user, fixture.submit(*user, &vec![5; 1 + round % 3]).await));
        }
    }
    let made = Arc::new(AtomicU32::new(3));
    let mut workers = Vec::new();
    for (number, fixture) in fixtures.iter().enumerate() {
        for slot in 0..3 {
            workers.push(tokio::spawn(work(fixture.store.clone(), format!("{number}-{slot}"), made.clone())));
        }
    }
    for (user, task_no) in tasks.iter().step_by(5) {
        fixtures[1].store.tasks().cancel(*user, task_no, 0).await.unwrap();
    }
    for worker in workers {
        worker.await.unwrap();
    }
    fixture.check().await;
    let mut states = BTreeMap::new();
    for (user, task_no) in &tasks {
        let task = fixture.task(*user, task_no).await;
        assert!(task.state.is_final(), "{task:?}");
        assert!(task.frames_done <= task.frames_planned, "{task:?}");
        *states.entry(task.state.code()).or_insert(0) += 1;
    }
    assert!(states.contains_key(&3) && states.contains_key(&5), "{states:?}");
    for user in users {
        assert_eq!(fixture.balance(user).await.1, 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_work_is_claimed_twice_and_no_limit_exceeded() {
    let (fixtures, _database) = processes::<2>().await;
    let [fixture, other] = &fixtures;
    let user = fixture.user(1_000).await;
    for _ in 0..30 {
        fixture.submit(user, &[1]).await;
    }
    let limits = ClaimLimits { per_user: 5, ..ClaimLimits::default() };
    let claims: Vec<_> = (0..24)
        .map(|number| {
            let store = if number % 2 == 0 { fixture } else { other }.store.clone();
            tokio::spawn(async move { store.queue().claim("w", 0, LEASE_MS, limits).await.unwrap() })
        })
        .collect();
    let mut claimed = Vec::new();
    for claim in claims {
        claimed.extend(claim.await.unwrap().map(|claim| claim.lease.work));
    }
    assert!(claimed.len() <= 5, "{claimed:?}");
    while let Some(claim) = fixture.store.queue().claim("w", 0, LEASE_MS, limits).await.unwrap() {
        claimed.push(claim.lease.work);
    }
    assert_eq!(claimed.len(), 5);
    // Without a limit, a claim gets all remaining jobs, each once.
    let claims: Vec<_> = (0..40)
        .map(|number| {
            let store = if number % 2 == 0 { fixture } else { other }.store.clone();
            tokio::spawn(async move {
                store.queue().claim("w", 0, LEASE_MS, ClaimLimits::default()).await.unwrap()
            })
        })
        .collect();
    for claim in claims {
        claimed.extend(claim.await.unwrap().map(|claim| claim.lease.work));
    }
    while let Some(claim) = fixture.try_claim().await {
        claimed.push(claim.lease.work);
    }
    claimed.sort();
    let count = claimed.len();
    claimed.dedup();
    assert_eq!((count, claimed.len()), (30, 30));
}

#[tokio::test]
async fn other_processes_are_notified_of_changes() {
    let (fixtures, _database) = processes::<2>().await;
    let [fixture, other] = &fixtures;
    let user = fixture.user(100).await;
    // The listener of a store that was just opened may not listen yet: submitted until heard.
    for signal in [Signal::Ready, Signal::Changed, Signal::Interrupted] {
        let mut heard = other.store.signal(signal);
        heard.mark_unchanged();
        let limit = tokio::time::Instant::now() + std::time::Duration::from_secs(60);
        while tokio::time::timeout(Duration::from_millis(200), heard.changed()).await.is_err() {
            assert!(tokio::time::Instant::now() < limit, "{signal:?} is not heard");
            let task_no = fixture.submit(user, &[1]).await;
            fixture.store.tasks().cancel(user, &task_no, 0).await.unwrap();
        }
    }
}

/// A process that finds the row of a task locked notes its output and waits without a lock. The one that gets the row
/// completes all noted outputs, also those of processes that are gone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn outputs_of_a_locked_task_are_completed_by_the_next_holder() {
    let ([fixture, rescuer], database) = processes::<2>().await;
    let user = fixture.user(100).await;
    let names = ["a", "b", "c", "d"];
    let task_no = fixture.queued(user, &names.map(|name| segment(name, 30))).await;
    let mut leases = Vec::new();
    for name in names {
        leases.push(fixture.claim_segment(name).await);
    }
    for lease in leases.drain(..) {
        fixture.store.jobs().complete_segment(lease, 0).await.unwrap();
    }
    for item_no in 1..=4 {
        leases.push(fixture.claim_finish(&task_no, item_no).await);
    }
    let mut other = sqlx::PgConnection::connect(&server().url(&database.name)).await.unwrap();
    sqlx::raw_sql("BEGIN; SELECT 1 FROM tasks FOR UPDATE").execute(&mut other).await.unwrap();
    let deliver = |lease| {
        let store = fixture.store.clone();
        tokio::spawn(async move { store.jobs().complete_item(lease, result(), 3, 0).await })
    };
    let waiting: Vec<_> = leases[..3].iter().map(|lease| deliver(*lease)).collect();
    let noted = || sqlx::query_scalar::<_, i64>("SELECT COUNT(*) FROM completions");
    while noted().fetch_one(&mut other).await.unwrap() < 3 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // The process has ended; its recorded output remains.
    waiting.iter().for_each(tokio::task::JoinHandle::abort);
    sqlx::raw_sql("COMMIT").execute(&mut other).await.unwrap();
    while noted().fetch_one(&mut other).await.unwrap() > 0 {
        rescuer.store.leases().rescue(0).await.unwrap();
    }
    assert_eq!(fixture.states(user, &task_no).await, (2, vec![3, 3, 3, 2]));
    assert_eq!(fixture.balance(user).await, (81, 10), "three of ten were paid for each, the rest given back");
    fixture.store.jobs().complete_item(leases[3], result(), 3, 0).await.unwrap();
    assert_eq!(fixture.states(user, &task_no).await, (3, vec![3; 4]));
    assert!(matches!(
        fixture.store.jobs().complete_item(leases[0], result(), 3, 0).await,
        Err(StoreError::LeaseLost)
    ));
    fixture.check().await;
}

/// A process of a command does one thing and ends: its signal must be sent by then.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_signal_of_a_process_is_received() {
    let database = crate::database().await;
    let hearing = crate::open_on(&database, Clock::Database).await;
    let mut ready = hearing.signal(Signal::Ready);
    // The listener sends every signal once when it begins to listen, perhaps before this test checks.
    let other = crate::open_on(&database, Clock::Database).await;
    let mut heard = false;
    for _ in 0..60 {
        other.queue().resume().await.unwrap();
        heard = tokio::time::timeout(Duration::from_secs(1), ready.changed()).await.is_ok();
        if heard {
            break;
        }
    }
    assert!(heard, "nothing was heard for a minute");
    other.close().await;
    for round in 0..100 {
        ready.mark_unchanged();
        let short = crate::open_on(&database, Clock::Database).await;
        short.queue().resume().await.unwrap();
        // The store may be closed at any moment while signals are sent.
        std::thread::sleep(Duration::from_micros(round % 10 * 40));
        short.close().await;
        let heard = tokio::time::timeout(Duration::from_secs(60), ready.changed()).await;
        assert!(heard.is_ok(), "round {round}");
    }
}

#[tokio::test]
async fn a_locked_task_does_not_block_rendering_of_its_segments() {
    let ([fixture], database) = processes::<1>().await;
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 30), segment("b", 30)]).await;
    let [a, b] = [fixture.claim_segment("a").await, fixture.claim_segment("b").await];
    let mut other = sqlx::PgConnection::connect(&server().url(&database.name)).await.unwrap();
    sqlx::raw_sql("BEGIN; SELECT 1 FROM tasks FOR UPDATE").execute(&mut other).await.unwrap();
    // Waiting for the lock would end in an error.
    fixture.store.leases().heartbeat(a, 10, fixture.now(), LEASE_MS).await.unwrap();
    fixture.store.jobs().complete_segment(a, fixture.now()).await.unwrap();
    sqlx::raw_sql("COMMIT").execute(&mut other).await.unwrap();
    assert_eq!(fixture.task(user, &task_no).await.frames_done, 0, "noted, and not added up yet");
    fixture.store.leases().heartbeat(b, 1, fixture.now(), LEASE_MS).await.unwrap();
    assert_eq!(fixture.task(user, &task_no).await.frames_done, 31);
    fixture.store.jobs().complete_segment(b, fixture.now()).await.unwrap();
    for item_no in [1, 2] {
        fixture.deliver(&task_no, item_no, 10).await;
    }
    let task = fixture.task(user, &task_no).await;
    assert_eq!((task.state, task.frames_done), (TaskState::Completed, task.frames_planned));
}

#[tokio::test]
async fn leases_are_renewed_even_if_one_progress_report_fails() {
    let ([fixture], database) = processes::<1>().await;
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[segment("a", 30), segment("b", 30)]).await;
    let [a, b] = [fixture.claim_segment("a").await, fixture.claim_segment("b").await];
    let ends = "SELECT MIN(lease_until) FROM work WHERE state = 'running'";
    let before: i64 = server().run(&database.name, ends).trim().parse().unwrap();
    let mut other = sqlx::PgConnection::connect(&server().url(&database.name)).await.unwrap();
    sqlx::raw_sql("BEGIN; SELECT 1 FROM items WHERE item_no = 1 FOR UPDATE")
        .execute(&mut other)
        .await
        .unwrap();
    let heartbeats = [a, b].map(|lease| Heartbeat { lease, renews: true, frames_done: Some(10) });
    assert_eq!(
        fixture.store.leases().keep(&heartbeats, fixture.now(), 2 * LEASE_MS).await.unwrap(),
        [true, true]
    );
    let after: i64 = server().run(&database.name, ends).trim().parse().unwrap();
    assert!(after >= before + LEASE_MS, "{before} to {after}");
    sqlx::raw_sql("COMMIT").execute(&mut other).await.unwrap();
    for lease in [a, b] {
        fixture.store.jobs().complete_segment(lease, fixture.now()).await.unwrap();
    }
    for item_no in [1, 2] {
        fixture.deliver(&task_no, item_no, 10).await;
    }
    let task = fixture.task(user, &task_no).await;
    assert_eq!((task.state, task.frames_done), (TaskState::Completed, task.frames_planned));
}

/// A claimer drops unneeded work, unless a plan that needs it is written at the same moment.
#[tokio::test]
async fn a_plan_that_is_being_written_keeps_what_it_needs() {
    let ([fixture], database) = processes::<1>().await;
    let user = fixture.user(100).await;
    let first = fixture.queued(user, &[segment("a", 30)]).await;
    fixture.store.tasks().cancel(user, &first, fixture.now()).await.unwrap();
    fixture.queued(user, &[segment("b", 30)]).await;
    let b = fixture.claim_segment("b").await;
    let run = |sql: &str| server().run(&database.name, sql).trim().to_owned();
    run("UPDATE work SET state = 'ready' WHERE segment_hash = 'a'");
    let mut plan = sqlx::PgConnection::connect(&server().url(&database.name)).await.unwrap();
    sqlx::raw_sql("BEGIN; SELECT 1 FROM segments WHERE hash = 'a' FOR UPDATE")
        .execute(&mut plan)
        .await
        .unwrap();
    let store = fixture.store.clone();
    let claiming =
        tokio::spawn(
            async move { store.queue().claim("w", 0, LEASE_MS, ClaimLimits::default()).await.unwrap() },
        );
    let waits = "SELECT COUNT(*) FROM pg_locks l JOIN pg_database d ON d.datname = current_database()
                  WHERE NOT l.granted";
    while run(waits) == "0" {
        assert_ne!(run("SELECT state FROM work WHERE segment_hash = 'a'"), "dropped");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let links = "INSERT INTO item_segments (item_id, hash, counted)
                 SELECT item_id, 'a', 0 FROM item_segments WHERE hash = 'b'; COMMIT";
    sqlx::raw_sql(links).execute(&mut plan).await.unwrap();
    let claim = claiming.await.unwrap().expect("somebody needs it");
    assert!(matches!(&claim.job, Job::Segment { key, .. } if &*key.0 == "a"), "{claim:?}");
    for lease in [claim.lease, b] {
        fixture.store.jobs().complete_segment(lease, fixture.now()).await.unwrap();
    }
}
