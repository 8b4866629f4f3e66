//! Secrets of the installation, and the clock of retention.

use clipmill_store::installation::{INSTALLATION, LINKS};
use clipmill_store::retention::ClockTolerance;
use clipmill_store::*;

use super::fixture::Fixture;

pub async fn the_link_secret_is_rotated_with_an_overlap(fixture: &Fixture) {
    let store = &fixture.store;
    assert!(store.installation().link_secret().await.unwrap().is_none());
    let rotate = async |secret, since, until| {
        store.installation().rotate_link_secret([secret; 32], since, until, fixture.now()).await.unwrap();
        let LinkSecret { newest, since, earlier } =
            store.installation().link_secret().await.unwrap().unwrap();
        (newest[0], since, earlier.map(|(secret, until)| (secret[0], until)))
    };
    store.installation().secret(LINKS, [1; 32]).await.unwrap();
    let first = store.installation().link_secret().await.unwrap().unwrap();
    assert!(first.newest == [1; 32] && first.since == 0 && first.earlier.is_none());
    assert_eq!(rotate(2, 10, 20).await, (2, 10, Some((1, 20))));
    // The secret before the previous one is revoked.
    assert_eq!(rotate(3, 11, 21).await, (3, 11, Some((2, 21))));
    assert_eq!(store.installation().secret(LINKS, [4; 32]).await.unwrap(), [3; 32]);
}

pub async fn a_database_knows_its_installation_and_whether_it_has_tasks(fixture: &Fixture) {
    let store = &fixture.store;
    let installation = async || store.installation().identity().await.unwrap();
    assert_eq!(installation().await, Installation { id: None, has_tasks: false, width: None });
    assert_eq!(store.installation().secret(INSTALLATION, [7; 32]).await.unwrap(), [7; 32]);
    let user = fixture.user(10).await;
    fixture.submit(user, &[1]).await;
    assert_eq!(installation().await, Installation { id: Some([7; 32]), has_tasks: true, width: None });
}

pub async fn the_width_is_stored_once_and_changed_only_by_an_operator(fixture: &Fixture) {
    let installation = fixture.store.installation();
    let stored = async || installation.identity().await.unwrap().width;
    assert_eq!(installation.width(16).await.unwrap(), 16);
    assert_eq!(installation.width(4).await.unwrap(), 16, "a smaller machine does not change it");
    assert_eq!(stored().await, Some(16));
    installation.set_width(8).await.unwrap();
    assert_eq!((installation.width(16).await.unwrap(), stored().await), (8, Some(8)));
}

pub async fn a_clock_that_jumped_is_distrusted_until_it_was_steady(fixture: &Fixture) {
    const DAY: i64 = 86_400_000;
    let plausible = ClockTolerance { forward_ms: 700, back_ms: 100, pause_ms: 500 };
    let at = fixture.now();
    let look = async |after: i64| {
        let look = fixture.store.retention().read_clock("a job", at + after, plausible).await.unwrap();
        (look.now - at, look.step_ms, look.is_steady)
    };
    assert_eq!(look(0).await, (0, 0, true), "nothing is known of an earlier time");
    assert_eq!(look(700).await, (700, 700, true));
    assert_eq!(look(600).await, (600, -100, true));
    // A hundred days ahead for a moment, in which several processes check.
    let ahead = 100 * DAY;
    assert_eq!(look(ahead).await, (ahead, ahead - 600, false));
    assert_eq!(look(ahead + 400).await, (ahead + 400, 400, false));
    // Back again, which is another jump.
    assert!(!look(1_000).await.2);
    assert!(!look(1_400).await.2);
    assert_eq!(look(1_600).await, (1_600, 200, true));
    // Off for weeks: one quiet check.
    assert!(!look(20 * DAY).await.2);
    assert!(look(20 * DAY + 600).await.2);
}

/// A database of an earlier version has no recorded check, but the time of the last pass.
pub async fn without_a_check_the_end_of_the_last_pass_counts(fixture: &Fixture) {
    const DAY: i64 = 86_400_000;
    let plausible = ClockTolerance { forward_ms: 700, back_ms: 100, pause_ms: 500 };
    let (store, now) = (&fixture.store, fixture.now());
    let lease = store.retention().claim_maintenance("a job", "me", now, 60_000).await.unwrap().unwrap();
    store.retention().end_maintenance(&lease, now).await.unwrap();
    assert!(!store.retention().read_clock("a job", now + DAY, plausible).await.unwrap().is_steady);
    // A check does not affect the holder of the job.
    let lease = store.retention().claim_maintenance("a job", "me", now, 60_000).await.unwrap().unwrap();
    store.retention().read_clock("a job", now, plausible).await.unwrap();
    store.retention().renew_maintenance(&lease, now, 60_000).await.unwrap();
}
