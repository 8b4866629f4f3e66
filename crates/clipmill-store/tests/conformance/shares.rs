//! Pages that show outputs without a key.

use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::request::SharePage;
use clipmill_store::{NewShare, ShareOutcome, ShareRecord, SharedTask};

use super::world::World;

type Wanted<'a> = (&'a TaskNo, Option<&'a [u32]>);

async fn share(world: &World, user: UserId, tasks: &[Wanted<'_>]) -> ShareOutcome {
    let tasks = tasks.iter().map(|(number, items)| ((*number).clone(), items.map(<[u32]>::to_vec)));
    let page = SharePage::default();
    let new = NewShare { tasks: tasks.collect(), expires_at: None, page, most: 2, most_items: 5 };
    world.store.shares().add(user, new, world.now()).await.unwrap()
}

async fn made(world: &World, user: UserId, tasks: &[Wanted<'_>]) -> ShareRecord {
    match share(world, user, tasks).await {
        ShareOutcome::Made(share) => share,
        other => panic!("{other:?}"),
    }
}

pub async fn a_share_shows_outputs_of_several_tasks(world: &World) {
    let (user, stranger) = (world.user(100).await, world.user(100).await);
    let (first, second) = (world.submit(user, &[1, 1, 1]).await, world.submit(user, &[1, 1]).await);
    let alone = made(world, user, &[(&first, Some(&[3]))]).await;
    assert_eq!(alone.tasks, [SharedTask { place: None, task_no: first.clone(), items: Some(vec![3]) }]);

    let both = made(world, user, &[(&second, None), (&first, Some(&[1, 3]))]).await;
    let place =
        |place, task_no: &TaskNo, items| SharedTask { place: Some(place), task_no: task_no.clone(), items };
    assert_eq!(both.tasks, [place(1, &second, None), place(2, &first, Some(vec![1, 3]))]);
    let shown = |place, item| both.shows(place, item).map(|task| task.task_no.clone());
    assert_eq!((shown(Some(1), 2), shown(Some(2), 3)), (Some(second.clone()), Some(first.clone())));
    assert_eq!((shown(Some(2), 2), shown(Some(3), 1), shown(None, 1)), (None, None, None));
    assert_eq!(world.store.shares().find(both.id).await.unwrap(), Some(both.clone()));

    // Each of its tasks has it.
    let of = async |user, task_no| {
        let shares = world.store.shares().list(user, task_no).await.unwrap();
        shares.into_iter().map(|share| share.id).collect::<Vec<_>>()
    };
    assert_eq!(of(user, &first).await, [both.id, alone.id]);
    assert_eq!(of(user, &second).await, [both.id]);
    assert_eq!(of(stranger, &second).await, Vec::<i64>::new());
    assert_eq!(
        share(world, user, &[(&second, None), (&first, None)]).await,
        ShareOutcome::TooMany { limit: 2 }
    );
    let revoke =
        async |user, task_no| world.store.shares().revoke(user, task_no, both.id, world.now()).await.unwrap();
    assert!(!revoke(stranger, &first).await);
    assert!(revoke(user, &first).await && revoke(user, &second).await);
    assert!(!world.store.shares().find(both.id).await.unwrap().unwrap().is_open(world.now()));
    assert!(world.store.shares().find(alone.id).await.unwrap().unwrap().is_open(world.now()));

    let foreign = share(world, stranger, &[(&second, None)]).await;
    assert_eq!(foreign, ShareOutcome::NoTask { task: 0 });
    let missing = share(world, user, &[(&first, None), (&second, Some(&[2, 3]))]).await;
    assert_eq!(missing, ShareOutcome::NoItem { task: 1, item: 3, total: 2 });
    let third = world.submit(user, &[1]).await;
    let many = share(world, user, &[(&first, None), (&second, None), (&third, None)]).await;
    assert_eq!(many, ShareOutcome::TooManyItems { found: 6 });
}
