//! Operations: deducting points, disabling users, counting causes, summing usage.

use clipmill_core::error::ErrorCode;
use clipmill_core::ids::UserId;
use clipmill_core::message;
use clipmill_store::*;

use super::batches::{new_batch, send};
use super::fixture::{Fixture, found, result, segment, task_error};

const DAY_MS: i64 = 86_400_000;
const PAGE: Page = Page { number: 1, size: 50 };

pub async fn only_spendable_points_are_deducted(fixture: &Fixture) {
    let user = fixture.user(100).await;
    fixture.submit(user, &[30]).await;
    let take = async |points| fixture.store.points().deduct(user, points, "paid back", fixture.now()).await;
    assert_eq!(take(71).await.unwrap(), Deduction::TooFew { available: 70 });
    assert_eq!(fixture.balance(user).await, (70, 30));
    assert_eq!(take(70).await.unwrap(), Deduction::Taken(Balance { available: 0, held: 30 }));
    assert_eq!(take(1).await.unwrap(), Deduction::TooFew { available: 0 });
    assert_eq!(take(u64::MAX).await.map_err(|error| error.to_string()).ok(), None, "no such number");
    let filter = MovementFilter { kind: Some(MovementType::Adjust), task_no: None };
    let taken = fixture.store.points().movements(user, &filter, PAGE).await.unwrap();
    assert_eq!(taken.total, 1);
    let taken = &taken.list[0];
    assert_eq!((taken.amount, taken.dot_count, taken.balance_after), (70, -70, 0));
    assert_eq!(taken.remark, message::operators_remark("paid back"));
    assert!(matches!(
        fixture.store.points().deduct(UserId(999), 1, "nobody", 1).await,
        Err(StoreError::NotFound)
    ));
}

/// A text to listen to is charged and counted in one step; the quota is that of a day.
pub async fn texts_to_listen_to_are_charged_and_limited(fixture: &Fixture) {
    use clipmill_store::{ListeningOutcome::*, ListeningPrice};
    const DAY_MS: i64 = 86_400_000;
    let (user, points) = (fixture.user(10).await, fixture.store.points());
    let price = |characters, points| ListeningPrice { characters, points, daily_characters: 100 };
    let now = fixture.now() / DAY_MS * DAY_MS;
    assert_eq!(points.check_listening(user, price(60, 4), now).await.unwrap(), Allowed);
    assert_eq!(points.charge_listening(user, price(60, 4), now).await.unwrap(), Allowed);
    assert_eq!(fixture.balance(user).await, (6, 0));
    let used_up = QuotaUsedUp { characters: 60, limit: 100 };
    assert_eq!(points.check_listening(user, price(41, 0), now).await.unwrap(), used_up);
    assert_eq!(points.charge_listening(user, price(41, 0), now).await.unwrap(), used_up);
    let too_few = TooFew { needed: 7, available: 6 };
    assert_eq!(points.charge_listening(user, price(40, 7), now).await.unwrap(), too_few);
    assert_eq!(points.charge_listening(user, price(40, 6), now).await.unwrap(), Allowed);
    assert_eq!(fixture.balance(user).await, (0, 0));
    assert_eq!(points.check_listening(user, price(100, 0), now + DAY_MS).await.unwrap(), Allowed);
    let endless = ListeningPrice { daily_characters: 0, ..price(1_000_000, 0) };
    assert_eq!(points.charge_listening(user, endless, now).await.unwrap(), Allowed);
    assert_eq!(points.audit().await.unwrap(), Vec::<String>::new());
}

/// Races with submissions: held points cannot be deducted, deducted points cannot be held.
pub async fn a_deduction_races_submissions(fixture: &Fixture) {
    let user = fixture.user(50).await;
    let taking = (0..10).map(|_| {
        let (store, now) = (fixture.store.clone(), fixture.now());
        tokio::spawn(async move { store.points().deduct(user, 5, "race", now).await.unwrap() })
    });
    let taking: Vec<_> = taking.collect();
    for _ in 0..10 {
        fixture.store.tasks().submit(fixture.new_task(user, &[5]), fixture.now()).await.unwrap();
    }
    let mut taken = 0;
    for outcome in taking {
        taken += i64::from(matches!(outcome.await.unwrap(), Deduction::Taken(_)));
    }
    let (available, held) = fixture.balance(user).await;
    assert_eq!(available + held + taken * 5, 50);
    assert_eq!(available, 0, "twice as much was asked for as there was");
}

pub async fn a_user_is_disabled_and_enabled_again(fixture: &Fixture) {
    let (ann, bob) = (fixture.user(100).await, fixture.user(100).await);
    for (user, number) in [(ann, 1), (bob, 2)] {
        let key = NewKey {
            user,
            key_sha256: [number; 32],
            prefix: "cm_live_ab".into(),
            scopes: Scopes::default(),
            expires_at: None,
        };
        fixture.store.keys().add(key, 1).await.unwrap();
    }
    let off = async |number: u8| fixture.store.keys().owner(&[number; 32]).await.unwrap().unwrap().off;
    assert_eq!(off(1).await, None);
    let said = fixture.store.users().switch_off(ann, "unpaid", 50).await.unwrap();
    assert_eq!(off(1).await, Some(said.clone()));
    let again = fixture.store.users().switch_off(ann, "still unpaid", 90).await.unwrap();
    assert_eq!((again.since, again.reason.as_str()), (said.since, "still unpaid"));
    assert_eq!(off(2).await, None, "others are not touched");
    let listed = fixture.store.users().list(None, PAGE).await.unwrap().list;
    assert_eq!(listed.iter().map(|user| user.off.clone()).collect::<Vec<_>>(), [None, Some(again)]);
    assert!(fixture.store.users().switch_on(ann).await.unwrap());
    assert!(!fixture.store.users().switch_on(ann).await.unwrap());
    assert_eq!(off(1).await, None);
    assert!(matches!(fixture.store.users().switch_off(UserId(999), "", 1).await, Err(StoreError::NotFound)));
}

pub async fn open_work_of_a_disabled_user_is_listed_and_batches_pause(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.submit(user, &[10]).await;
    let ended = fixture.submit(user, &[10]).await;
    fixture.store.tasks().cancel(user, &ended, fixture.now()).await.unwrap();
    let batch = new_batch(fixture, user, "june", &[5, 5]);
    send(fixture, &batch).await;
    fixture.store.users().switch_off(user, "unpaid", fixture.now()).await.unwrap();
    let open = fixture.store.users().open_jobs(user).await.unwrap();
    assert_eq!(open, OpenJobs { tasks: vec![task_no], batches: vec![batch.batch_no.clone()] });
    assert!(fixture.store.batches().due_rows(0).await.unwrap().is_empty());
    assert!(fixture.try_claim().await.is_some(), "submitted tasks continue");
    fixture.store.users().switch_on(user).await.unwrap();
    assert_eq!(fixture.store.batches().due_rows(0).await.unwrap().len(), 1);
}

pub async fn a_pause_has_a_reason(fixture: &Fixture) {
    let store = &fixture.store;
    assert!(store.queue().pause(Some("a new disk"), fixture.now()).await.unwrap());
    let pause = store.queue().overview(fixture.now(), 9).await.unwrap().pause.unwrap();
    assert_eq!(pause.reason.as_deref(), Some("a new disk"));
    assert!(!store.queue().pause(None, fixture.now()).await.unwrap());
    assert_eq!(
        store.queue().load(fixture.now()).await.unwrap().pause,
        Some(pause.clone()),
        "nothing was said: it stays"
    );
    assert!(!store.queue().pause(Some("two disks"), fixture.now()).await.unwrap());
    let later = store.queue().load(fixture.now()).await.unwrap().pause.unwrap();
    assert_eq!((later.since, later.reason.as_deref()), (pause.since, Some("two disks")));
    store.queue().resume().await.unwrap();
    assert_eq!(store.queue().load(fixture.now()).await.unwrap().pause, None);
}

pub async fn failures_are_counted_by_their_cause(fixture: &Fixture) {
    let (ann, bob) = (fixture.user(100).await, fixture.user(100).await);
    let damaged = || Err(clipmill_core::error::TaskError::new(ErrorCode::MediaDamaged, message::is_past()));
    for (user, outcomes) in [
        (ann, vec![Err(task_error("a")), Err(task_error("b")), damaged()]),
        (ann, vec![Err(task_error("c"))]),
        (bob, vec![Err(task_error("d"))]),
    ] {
        fixture.submit(user, &vec![1; outcomes.len()]).await;
        fixture.preflight(found(outcomes, &[])).await;
    }
    let end = fixture.now() + 1;
    let causes = fixture.store.operations().failure_causes(0, end).await.unwrap();
    let listed_causes: Vec<_> =
        causes.iter().map(|one| (one.code, one.items, one.tasks, one.users)).collect();
    assert_eq!(listed_causes, [(ErrorCode::NotMedia, 4, 3, 2), (ErrorCode::MediaDamaged, 1, 1, 1)]);
    let last = causes[0].last_at;
    assert!(causes[1].last_at < last);
    // From the first time on, and before the second one.
    let of = async |from, to| fixture.store.operations().failure_causes(from, to).await.unwrap();
    assert_eq!(of(last, last + 1).await.iter().map(|one| one.items).collect::<Vec<_>>(), [1]);
    assert_eq!(of(last + 1, end).await, []);
    assert_eq!(of(0, last).await.iter().map(|one| one.items).sum::<u64>(), 4);
}

pub async fn usage_is_summed_by_user_and_day(fixture: &Fixture) {
    let (ann, bob) = (fixture.user(100).await, fixture.user(100).await);
    let make = async |user, name: &str, points| {
        let task_no = fixture.queued(user, &[segment(name, 30)]).await;
        fixture.make_segment(name).await;
        let lease = fixture.claim_finish(&task_no, 1).await;
        let file = ItemResult { size_bytes: 7, expires_at: fixture.now() + 100 * DAY_MS, ..result() };
        fixture.store.jobs().complete_item(lease, file, points, fixture.now()).await.unwrap();
    };
    make(ann, "a", 4).await;
    make(ann, "b", 5).await;
    let today = fixture.now() / DAY_MS;
    fixture.pass(3 * DAY_MS);
    make(ann, "c", 10).await;
    make(bob, "d", 10).await;
    make(bob, "e", 10).await;
    let later = fixture.now() / DAY_MS;
    let used = async |days, search| {
        let (paged, sum) =
            fixture.store.operations().usage(days, search, 0, PAGE, fixture.now()).await.unwrap();
        let listed_usage: Vec<_> =
            paged.list.into_iter().map(|one| (one.user, one.used.points, one.used.outputs)).collect();
        (listed_usage, sum, paged.total)
    };
    let sum = |points, outputs| UsageSum { points, outputs, output_ms: outputs * 1_000 };
    assert_eq!(used((today, today + 1), None).await, (vec![(ann, 9, 2), (bob, 0, 0)], sum(9, 2), 2));
    assert_eq!(used((today, later + 1), None).await, (vec![(bob, 20, 2), (ann, 19, 3)], sum(39, 5), 2));
    assert_eq!(used((later + 1, later + 9), None).await.1, sum(0, 0));
    let name = fixture.store.users().find(ann).await.unwrap().unwrap().name;
    assert_eq!(used((later, later + 1), Some(&name)).await, (vec![(ann, 10, 1)], sum(10, 1), 1));
    let (paged, _) = fixture.store.operations().usage((0, 1), None, 0, PAGE, fixture.now()).await.unwrap();
    // Files, and some kilobytes of requests and records.
    let stored = paged.list.iter().map(|one| one.stored_bytes).collect::<Vec<_>>();
    assert!((1_021..9_000).contains(&stored[0]) && (1_014..9_000).contains(&stored[1]), "{stored:?}");
}
