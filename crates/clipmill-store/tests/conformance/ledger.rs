//! Users, keys, secrets and points.

use clipmill_core::ids::UserId;
use clipmill_core::message;
use clipmill_store::*;

use super::fixture::Fixture;

pub async fn users_and_keys_are_unique(fixture: &Fixture) {
    let store = &fixture.store;
    let new = |name: &str| NewUser { name: name.into(), webhook_secret: "whsec_a".into() };
    let ann = store.users().add(new("ann"), 1).await.unwrap();
    assert!(matches!(store.users().add(new("ann"), 2).await, Err(StoreError::Exists(_))));
    assert_eq!(store.users().find_by_name("ann").await.unwrap(), Some(ann.clone()));
    assert_eq!(store.users().find(ann.id).await.unwrap(), Some(ann.clone()));
    assert_eq!(store.users().find_by_name("bob").await.unwrap(), None);
    assert_eq!(store.users().count().await.unwrap(), 1);

    let key = NewKey {
        user: ann.id,
        key_sha256: [1; 32],
        prefix: "cm_live_ab".into(),
        expires_at: Some(9),
        scopes: Scopes::default(),
    };
    let key_id = store.keys().add(key.clone(), 3).await.unwrap();
    assert!(matches!(store.keys().add(key.clone(), 4).await, Err(StoreError::Exists(_))));
    let nobodys = NewKey { user: UserId(999), key_sha256: [2; 32], ..key };
    assert!(matches!(store.keys().add(nobodys, 4).await, Err(StoreError::NotFound)));
    let owner = KeyOwner {
        key_id,
        user: ann.id,
        scopes: Scopes::default(),
        expires_at: Some(9),
        revoked_at: None,
        last_used_at: None,
        off: None,
    };
    assert_eq!(store.keys().owner(&[1; 32]).await.unwrap(), Some(owner));
    assert_eq!(store.keys().owner(&[2; 32]).await.unwrap(), None);
}

pub async fn secrets_are_created_once(fixture: &Fixture) {
    fixture.store.ping().await.unwrap();
    assert_eq!(fixture.store.installation().secret("links", [1; 32]).await.unwrap(), [1; 32]);
    assert_eq!(fixture.store.installation().secret("links", [2; 32]).await.unwrap(), [1; 32]);
    assert_eq!(fixture.store.installation().secret("other", [3; 32]).await.unwrap(), [3; 32]);
}

pub async fn points_move_and_are_recorded(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[super::fixture::segment("a", 30)]).await;
    fixture.make_segment("a").await;
    fixture.deliver(&task_no, 1, 4).await;

    let page = Page { number: 1, size: 50 };
    let records = fixture.store.points().movements(user, &MovementFilter::default(), page).await.unwrap();
    let listed_records: Vec<_> =
        records.list.iter().rev().map(|m| (m.kind, m.amount, m.dot_count, m.balance_after)).collect();
    use MovementType::{Grant, Hold, Release, Settle};
    assert_eq!(
        listed_records,
        [(Grant, 100, 100, 100), (Hold, 10, -10, 90), (Settle, 4, 0, 90), (Release, 6, 6, 96)]
    );
    let remarks: Vec<_> = records.list.iter().rev().map(|m| m.remark.clone()).collect();
    let (held, not_used) = (message::held_at_submission(), message::not_used());
    assert_eq!(remarks[1..], [held, message::output_delivered(), not_used]);
    assert_eq!(remarks[0], message::operators_remark(remarks[0].english()));
    assert_eq!(records.list.iter().map(|m| m.dot_count).sum::<i64>(), 96);
    assert_eq!(fixture.balance(user).await, (96, 0));
    assert_eq!(records.list.first().and_then(|m| m.task_no.clone()), Some(task_no));
    assert_eq!(records.list.first().and_then(|m| m.item_no), Some(1));
}

pub async fn no_output_costs_more_than_its_hold(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task_no = fixture.queued(user, &[super::fixture::segment("a", 30)]).await;
    fixture.make_segment("a").await;
    fixture.deliver(&task_no, 1, u64::MAX).await;
    let records = fixture
        .store
        .points()
        .movements(user, &MovementFilter::default(), Page { number: 1, size: 50 })
        .await;
    let last = records.unwrap().list.first().map(|m| (m.kind, m.amount));
    assert_eq!(last, Some((MovementType::Settle, 10)), "nothing is left to give back");
    assert_eq!(fixture.balance(user).await, (90, 0));
}

pub async fn impossible_amounts_are_refused(fixture: &Fixture) {
    let user = fixture.user(1).await;
    for points in [u64::MAX, i64::MAX as u64] {
        let refused = fixture.store.points().grant(user, points, "too much", 1).await;
        assert!(matches!(refused, Err(StoreError::OutOfRange(_))), "{refused:?}");
    }
    assert_eq!(fixture.balance(user).await, (1, 0));
    assert!(matches!(
        fixture.store.points().grant(UserId(999), 1, "nobody", 1).await,
        Err(StoreError::NotFound)
    ));
    assert!(matches!(fixture.store.points().balance(UserId(999)).await, Err(StoreError::NotFound)));
}

pub async fn records_are_paged_and_filtered(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let other = fixture.user(50).await;
    let task_no = fixture.submit(user, &[1, 2, 3]).await;
    fixture.submit(user, &[4]).await;
    fixture.submit(other, &[5]).await;

    let list = async |filter: MovementFilter, number, size| {
        let paged = fixture.store.points().movements(user, &filter, Page { number, size }).await.unwrap();
        (paged.list.iter().map(|m| m.amount).collect::<Vec<_>>(), paged.total)
    };
    let all = MovementFilter::default;
    assert_eq!(list(all(), 1, 2).await, (vec![4, 3], 5));
    assert_eq!(list(all(), 3, 2).await, (vec![100], 5));
    assert_eq!(list(all(), u32::MAX, u32::MAX).await, (vec![], 5));
    assert_eq!(list(MovementFilter { kind: Some(MovementType::Grant), ..all() }, 1, 9).await, (vec![100], 1));
    assert_eq!(list(MovementFilter { task_no: Some(task_no), ..all() }, 1, 9).await, (vec![3, 2, 1], 3));
}
