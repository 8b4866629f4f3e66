//! Drafts: versions by their time, limits, and the uploads that they keep.

use std::collections::BTreeSet;

use clipmill_core::ids::{DraftNo, UserId};
use clipmill_store::retention::Cutoffs;
use clipmill_store::*;
use serde_json::json;

use super::fixture::{Fixture, cutoffs, new_upload};

const PAGE: Page = Page { number: 1, size: 10 };

fn new_draft(user: UserId, number: u8, uploads: &[&str]) -> NewDraft {
    NewDraft {
        user,
        draft_no: DraftNo::new(user.0, [number; 10]),
        name: format!("draft {number}"),
        task_type: Some("baseVideoMix"),
        body: json!({ "number": number }).to_string(),
        uploads: uploads.iter().map(|id| (*id).to_owned()).collect::<BTreeSet<_>>(),
        quota: Quota::default(),
        max: 3,
    }
}

fn saved(outcome: DraftOutcome) -> DraftOverview {
    match outcome {
        DraftOutcome::Saved(about) => about,
        other => panic!("{other:?}"),
    }
}

pub async fn a_draft_is_replaced_only_by_those_who_know_it(fixture: &Fixture) {
    let (user, stranger) = (fixture.user(0).await, fixture.user(0).await);
    let drafts = fixture.store.drafts();
    let first = saved(drafts.add(new_draft(user, 1, &[]), fixture.now()).await.unwrap());
    let second = saved(drafts.add(new_draft(user, 2, &[]), fixture.now()).await.unwrap());
    let replace =
        async |draft: NewDraft, expected| drafts.replace(draft, expected, fixture.now()).await.unwrap();
    let change = NewDraft { name: "changed".into(), task_type: None, ..new_draft(user, 1, &[]) };
    // Within the same millisecond, the time increases too.
    let changed = saved(replace(change.clone(), first.updated_at).await.unwrap());
    let again = saved(replace(change.clone(), changed.updated_at).await.unwrap());
    assert!(first.updated_at < changed.updated_at && changed.updated_at < again.updated_at);
    let conflict = DraftOutcome::Conflict { updated_at: again.updated_at };
    assert_eq!(replace(change.clone(), changed.updated_at).await, Some(conflict));
    let foreign = NewDraft { user: stranger, ..change };
    assert_eq!(replace(foreign, again.updated_at).await, None);
    assert_eq!(drafts.find(stranger, &first.draft_no).await.unwrap(), None);
    let record = drafts.find(user, &first.draft_no).await.unwrap().unwrap();
    assert_eq!((record.about, record.body), (again.clone(), json!({ "number": 1 })));
    assert_eq!(again.task_type, None);

    let third = saved(drafts.add(new_draft(user, 3, &[]), fixture.now()).await.unwrap());
    assert_eq!(
        drafts.add(new_draft(user, 4, &[]), fixture.now()).await.unwrap(),
        DraftOutcome::TooMany { limit: 3 }
    );
    let page = drafts.list(user, PAGE).await.unwrap();
    let numbers: BTreeSet<_> = page.list.iter().map(|draft| draft.draft_no.clone()).collect();
    assert_eq!((page.total, numbers.len()), (3, 3));
    assert!(page.list.is_sorted_by(|newer, older| newer.updated_at >= older.updated_at));
    assert!(!drafts.delete(stranger, &second.draft_no).await.unwrap());
    assert!(drafts.delete(user, &second.draft_no).await.unwrap());
    assert!(!drafts.delete(user, &second.draft_no).await.unwrap());
    assert_eq!(drafts.list(user, Page { number: 2, size: 1 }).await.unwrap().total, 2);
    assert!(drafts.find(user, &third.draft_no).await.unwrap().is_some());
}

pub async fn uploads_of_drafts_are_not_deleted(fixture: &Fixture) {
    let (user, stranger) = (fixture.user(0).await, fixture.user(0).await);
    for (id, owner) in [("draft-a", user), ("draft-b", user), ("draft-c", stranger)] {
        let upload = new_upload(owner, id, id, fixture.now());
        fixture.store.library().add(upload).await.unwrap();
    }
    let drafts = fixture.store.drafts();
    let many: Vec<String> = (0..1_200).map(|number| format!("none-{number}")).collect();
    let named: Vec<&str> =
        ["draft-a", "draft-c"].into_iter().chain(many.iter().map(String::as_str)).collect();
    let draft = saved(drafts.add(new_draft(user, 1, &named), fixture.now()).await.unwrap());
    let needed = Some(DeleteOutcome::InUse(draft.draft_no.to_string()));
    assert_eq!(fixture.store.library().delete(user, "draft-a").await.unwrap(), needed);

    fixture.pass(10);
    let lease = fixture
        .store
        .retention()
        .claim_maintenance("retention", "me", fixture.now(), 60_000)
        .await
        .unwrap()
        .unwrap();
    let cutoffs = Cutoffs { uploads_used_before: fixture.now(), ..cutoffs(fixture.now(), 0) };
    let expire = async || fixture.store.retention().expire_uploads(&lease, &cutoffs, 10).await.unwrap();
    assert_eq!(expire().await, 2, "of the stranger, and without a draft");
    assert!(fixture.store.library().find(user, "draft-a").await.unwrap().is_some());
    let change = new_draft(user, 1, &[]);
    saved(drafts.replace(change, draft.updated_at, fixture.now()).await.unwrap().unwrap());
    assert_eq!(expire().await, 1);
}

pub async fn drafts_count_towards_the_quota(fixture: &Fixture) {
    let user = fixture.user(0).await;
    let stored = async || fixture.store.library().stored_bytes(user, 0, fixture.now()).await.unwrap();
    let before = stored().await;
    let limited = |number, bytes: usize| NewDraft {
        body: json!({ "x": "x".repeat(bytes - 8) }).to_string(),
        quota: Quota { stored_bytes: before + 1_000, ..Quota::default() },
        ..new_draft(user, number, &[])
    };
    let drafts = fixture.store.drafts();
    let first = saved(drafts.add(limited(1, 700), fixture.now()).await.unwrap());
    assert_eq!(stored().await, before + 700);
    let full = DraftOutcome::StorageFull(StorageFull { stored: before + 700, limit: before + 1_000 });
    assert_eq!(drafts.add(limited(2, 301), fixture.now()).await.unwrap(), full);
    let longer = drafts.replace(limited(1, 1_000), first.updated_at, fixture.now()).await.unwrap();
    let longer = saved(longer.unwrap());
    let full = DraftOutcome::StorageFull(StorageFull { stored: before + 1_000, limit: before + 1_000 });
    let too_long = drafts.replace(limited(1, 1_001), longer.updated_at, fixture.now()).await.unwrap();
    assert_eq!(too_long, Some(full));
    drafts.delete(user, &first.draft_no).await.unwrap();
    assert_eq!(stored().await, before);
}
