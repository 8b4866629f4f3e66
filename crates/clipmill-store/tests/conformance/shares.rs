//! Pages that show outputs without a key.

use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::request::SharePage;
use clipmill_store::{NewShare, ShareOutcome, ShareRecord, SharedTask};

use super::fixture::Fixture;

type Wanted<'a> = (&'a TaskNo, Option<&'a [u32]>);

async fn share(fixture: &Fixture, user: UserId, tasks: &[Wanted<'_>]) -> ShareOutcome {
    let tasks = tasks.iter().map(|(number, items)| ((*number).clone(), items.map(<[u32]>::to_vec)));
    let page = SharePage::default();
    let new = NewShare { tasks: tasks.collect(), expires_at: None, page, max: 2, max_items: 5 };
    fixture.store.shares().add(user, new, fixture.now()).await.unwrap()
}

async fn made(fixture: &Fixture, user: UserId, tasks: &[Wanted<'_>]) -> ShareRecord {
    match share(fixture, user, tasks).await {
        ShareOutcome::Made(share) => share,
        other => panic!("{other:?}"),
    }
}

pub async fn a_share_shows_outputs_of_several_tasks(fixture: &Fixture) {
    let (user, stranger) = (fixture.user(100).await, fixture.user(100).await);
    let (first, second) = (fixture.submit(user, &[1, 1, 1]).await, fixture.submit(user, &[1, 1]).await);
    let alone = made(fixture, user, &[(&first, Some(&[3]))]).await;
    assert_eq!(alone.tasks, [SharedTask { place: None, task_no: first.clone(), items: Some(vec![3]) }]);

    let both = made(fixture, user, &[(&second, None), (&first, Some(&[1, 3]))]).await;
    let place =
        |place, task_no: &TaskNo, items| SharedTask { place: Some(place), task_no: task_no.clone(), items };
    assert_eq!(both.tasks, [place(1, &second, None), place(2, &first, Some(vec![1, 3]))]);
    let shown = |place, item| both.shows(place, item).map(|task| task.task_no.clone());
    assert_eq!((shown(Some(1), 2), shown(Some(2), 3)), (Some(second.clone()), Some(first.clone())));
    assert_eq!((shown(Some(2), 2), shown(Some(3), 1), shown(None, 1)), (None, None, None));
    assert_eq!(fixture.store.shares().find(both.id).await.unwrap(), Some(both.clone()));

    // Each of its tasks has it.
    let of = async |user, task_no| {
        let shares = fixture.store.shares().list(user, task_no).await.unwrap();
        shares.into_iter().map(|share| share.id).collect::<Vec<_>>()
    };
    assert_eq!(of(user, &first).await, [both.id, alone.id]);
    assert_eq!(of(user, &second).await, [both.id]);
    assert_eq!(of(stranger, &second).await, Vec::<i64>::new());
    assert_eq!(
        share(fixture, user, &[(&second, None), (&first, None)]).await,
        ShareOutcome::TooMany { limit: 2 }
    );
    let revoke = async |user, task_no| {
        fixture.store.shares().revoke(user, task_no, both.id, fixture.now()).await.unwrap()
    };
    assert!(!revoke(stranger, &first).await);
    assert!(revoke(user, &first).await && revoke(user, &second).await);
    assert!(!fixture.store.shares().find(both.id).await.unwrap().unwrap().is_open(fixture.now()));
    assert!(fixture.store.shares().find(alone.id).await.unwrap().unwrap().is_open(fixture.now()));

    let foreign = share(fixture, stranger, &[(&second, None)]).await;
    assert_eq!(foreign, ShareOutcome::NoTask { task: 0 });
    let missing = share(fixture, user, &[(&first, None), (&second, Some(&[2, 3]))]).await;
    assert_eq!(missing, ShareOutcome::NoItem { task: 1, item: 3, total: 2 });
    let third = fixture.submit(user, &[1]).await;
    let many = share(fixture, user, &[(&first, None), (&second, None), (&third, None)]).await;
    assert_eq!(many, ShareOutcome::TooManyItems { found: 6 });
}
