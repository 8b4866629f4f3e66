//! Picks and comments of the viewers of a share.

use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::request::SharePage;
use clipmill_store::*;

use super::fixture::Fixture;

const MAX_COMMENTS: u32 = 5;

async fn share_until(
    fixture: &Fixture,
    user: UserId,
    task: &TaskNo,
    feedback: bool,
    expires_at: Option<Millis>,
) -> i64 {
    let page = SharePage { title: Some("Spring".into()), message: Some("Pick\ntwo".into()), feedback };
    let new =
        NewShare { tasks: vec![(task.clone(), None)], expires_at, page: page.clone(), max: 9, max_items: 9 };
    match fixture.store.shares().add(user, new, fixture.now()).await.unwrap() {
        ShareOutcome::Made(share) => {
            assert_eq!(share.page, page);
            share.id
        }
        other => panic!("{other:?}"),
    }
}

async fn share(fixture: &Fixture, user: UserId, task: &TaskNo, feedback: bool) -> i64 {
    share_until(fixture, user, task, feedback, None).await
}

fn new_comment(share: i64, text: &str, item: Option<SharedItem>) -> NewComment {
    NewComment { share, item, name: None, text: text.to_owned(), max: MAX_COMMENTS }
}

fn added(outcome: CommentOutcome) -> CommentRecord {
    match outcome {
        CommentOutcome::Added(comment) => comment,
        other => panic!("{other:?}"),
    }
}

fn item(place: Option<u32>, item_no: u32) -> SharedItem {
    SharedItem { place, item_no }
}

pub async fn picks_and_comments_belong_to_a_share(fixture: &Fixture) {
    let (user, stranger) = (fixture.user(100).await, fixture.user(100).await);
    let task = fixture.submit(user, &[1, 1]).await;
    let (first, second) = (share(fixture, user, &task, true).await, share(fixture, user, &task, true).await);
    let feedback = fixture.store.feedback();
    for (item, picked) in [
        (item(None, 2), true),
        (item(Some(2), 1), true),
        (item(None, 1), true),
        (item(None, 1), true),
        (item(Some(2), 1), false),
        (item(Some(7), 1), false),
    ] {
        assert!(feedback.pick(first, item, picked, fixture.now()).await.unwrap());
    }
    let about_all = added(feedback.comment(new_comment(first, "all", None), fixture.now()).await.unwrap());
    let named = NewComment { name: Some("Li".into()), ..new_comment(first, "a\nb", Some(item(Some(3), 2))) };
    let about_one = added(feedback.comment(named, fixture.now()).await.unwrap());
    assert_eq!((about_one.item, about_one.name.as_deref()), (Some(item(Some(3), 2)), Some("Li")));
    let all = feedback.read(first).await.unwrap();
    assert_eq!(all.picks, [item(None, 1), item(None, 2)]);
    assert_eq!(all.comments, [about_all.clone(), about_one.clone()]);
    assert_eq!(feedback.read(second).await.unwrap(), Feedback::default());

    // Only the owner deletes, and only comments of this share.
    let delete = async |user, share| feedback.delete_comment(user, share, about_all.id).await.unwrap();
    assert!(!delete(stranger, first).await && !delete(user, second).await);
    assert!(delete(user, first).await && !delete(user, first).await);
    assert_eq!(feedback.read(first).await.unwrap().comments, [about_one]);

    let off = share(fixture, user, &task, false).await;
    assert!(!feedback.pick(off, item(None, 1), true, fixture.now()).await.unwrap());
    let refused = feedback.comment(new_comment(off, "x", None), fixture.now()).await.unwrap();
    assert_eq!(refused, CommentOutcome::Closed);
}

pub async fn comments_are_limited_even_at_once(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task = fixture.submit(user, &[1]).await;
    let share = share(fixture, user, &task, true).await;
    let feedback = fixture.store.feedback();
    let call = |_| {
        let (store, now) = (fixture.store.clone(), fixture.now());
        tokio::spawn(async move { store.feedback().comment(new_comment(share, "x", None), now).await })
    };
    let calls: Vec<_> = (0..12).map(call).collect();
    let mut full = 0;
    for call in calls {
        let outcome = call.await.unwrap().unwrap();
        full += usize::from(outcome == CommentOutcome::TooMany { limit: MAX_COMMENTS });
    }
    let comments = feedback.read(share).await.unwrap().comments;
    assert_eq!((full, comments.len()), (7, MAX_COMMENTS as usize));
    assert!(feedback.delete_comment(user, share, comments[0].id).await.unwrap());
    added(feedback.comment(new_comment(share, "x", None), fixture.now()).await.unwrap());
}

pub async fn feedback_ends_with_its_share(fixture: &Fixture) {
    let user = fixture.user(100).await;
    let task = fixture.submit(user, &[1]).await;
    let feedback = fixture.store.feedback();
    let give = async |share| {
        let picked = feedback.pick(share, item(None, 1), true, fixture.now()).await.unwrap();
        let comment = feedback.comment(new_comment(share, "x", None), fixture.now()).await.unwrap();
        assert_eq!(picked, comment != CommentOutcome::Closed);
        picked
    };
    let revoked = share(fixture, user, &task, true).await;
    assert!(give(revoked).await);
    assert!(fixture.store.shares().revoke(user, &task, revoked, fixture.now()).await.unwrap());
    assert_eq!(feedback.read(revoked).await.unwrap(), Feedback::default());
    assert!(!give(revoked).await);
    let expired = share_until(fixture, user, &task, true, Some(fixture.now() - 1)).await;
    assert!(!give(expired).await);
}
