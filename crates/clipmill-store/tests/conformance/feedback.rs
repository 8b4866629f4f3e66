//! Picks and comments of the viewers of a share.

use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::request::SharePage;
use clipmill_store::*;

use super::world::World;

const MOST: u32 = 5;

async fn share_until(
    world: &World,
    user: UserId,
    task: &TaskNo,
    feedback: bool,
    expires_at: Option<Millis>,
) -> i64 {
    let page = SharePage { title: Some("Spring".into()), message: Some("Pick\ntwo".into()), feedback };
    let new = NewShare {
        tasks: vec![(task.clone(), None)],
        expires_at,
        page: page.clone(),
        most: 9,
        most_items: 9,
    };
    match world.store.shares().add(user, new, world.now()).await.unwrap() {
        ShareOutcome::Made(share) => {
            assert_eq!(share.page, page);
            share.id
        }
        other => panic!("{other:?}"),
    }
}

async fn share(world: &World, user: UserId, task: &TaskNo, feedback: bool) -> i64 {
    share_until(world, user, task, feedback, None).await
}

fn new_comment(share: i64, text: &str, item: Option<SharedItem>) -> NewComment {
    NewComment { share, item, name: None, text: text.to_owned(), most: MOST }
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

pub async fn picks_and_comments_belong_to_a_share(world: &World) {
    let (user, stranger) = (world.user(100).await, world.user(100).await);
    let task = world.submit(user, &[1, 1]).await;
    let (first, second) = (share(world, user, &task, true).await, share(world, user, &task, true).await);
    let feedback = world.store.feedback();
    for (item, picked) in [
        (item(None, 2), true),
        (item(Some(2), 1), true),
        (item(None, 1), true),
        (item(None, 1), true),
        (item(Some(2), 1), false),
        (item(Some(7), 1), false),
    ] {
        assert!(feedback.pick(first, item, picked, world.now()).await.unwrap());
    }
    let about_all = added(feedback.comment(new_comment(first, "all", None), world.now()).await.unwrap());
    let named = NewComment { name: Some("Li".into()), ..new_comment(first, "a\nb", Some(item(Some(3), 2))) };
    let about_one = added(feedback.comment(named, world.now()).await.unwrap());
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

    let off = share(world, user, &task, false).await;
    assert!(!feedback.pick(off, item(None, 1), true, world.now()).await.unwrap());
    let refused = feedback.comment(new_comment(off, "x", None), world.now()).await.unwrap();
    assert_eq!(refused, CommentOutcome::Closed);
}

pub async fn comments_are_limited_even_at_once(world: &World) {
    let user = world.user(100).await;
    let task = world.submit(user, &[1]).await;
    let share = share(world, user, &task, true).await;
    let feedback = world.store.feedback();
    let call = |_| {
        let (store, now) = (world.store.clone(), world.now());
        tokio::spawn(async move { store.feedback().comment(new_comment(share, "x", None), now).await })
    };
    let calls: Vec<_> = (0..12).map(call).collect();
    let mut full = 0;
    for call in calls {
        let outcome = call.await.unwrap().unwrap();
        full += usize::from(outcome == CommentOutcome::TooMany { limit: MOST });
    }
    let comments = feedback.read(share).await.unwrap().comments;
    assert_eq!((full, comments.len()), (7, MOST as usize));
    assert!(feedback.delete_comment(user, share, comments[0].id).await.unwrap());
    added(feedback.comment(new_comment(share, "x", None), world.now()).await.unwrap());
}

pub async fn feedback_ends_with_its_share(world: &World) {
    let user = world.user(100).await;
    let task = world.submit(user, &[1]).await;
    let feedback = world.store.feedback();
    let give = async |share| {
        let picked = feedback.pick(share, item(None, 1), true, world.now()).await.unwrap();
        let comment = feedback.comment(new_comment(share, "x", None), world.now()).await.unwrap();
        assert_eq!(picked, comment != CommentOutcome::Closed);
        picked
    };
    let revoked = share(world, user, &task, true).await;
    assert!(give(revoked).await);
    assert!(world.store.shares().revoke(user, &task, revoked, world.now()).await.unwrap());
    assert_eq!(feedback.read(revoked).await.unwrap(), Feedback::default());
    assert!(!give(revoked).await);
    let expired = share_until(world, user, &task, true, Some(world.now() - 1)).await;
    assert!(!give(expired).await);
}
