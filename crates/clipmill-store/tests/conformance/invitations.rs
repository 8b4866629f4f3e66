//! Invitations: exchanged for a key once.

use clipmill_store::*;

use super::fixture::Fixture;

fn new_invitation(user: clipmill_core::ids::UserId, number: u8, expires_at: Millis) -> NewInvitation {
    NewInvitation { user, code_sha256: [number; 32], scopes: Scopes::default(), expires_at }
}

fn key(number: u8) -> InvitedKey {
    InvitedKey { key_sha256: [number; 32], prefix: format!("cm_live_{number:04}") }
}

pub async fn an_invitation_is_redeemed_once(fixture: &Fixture) {
    let user = fixture.user(0).await;
    let invitations = fixture.store.invitations();
    let until = fixture.now() + 60_000;
    let first = invitations.add(new_invitation(user, 1, until), fixture.now()).await.unwrap();
    assert_eq!((first.user, first.used_at, first.key_id), (user, None, None));
    let redeem =
        async |code: u8, new: u8| invitations.redeem(&[code; 32], key(new), fixture.now()).await.unwrap();
    assert_eq!(redeem(9, 10).await, None);
    let calls = (20..30).map(|number| {
        let (store, now) = (fixture.store.clone(), fixture.now());
        tokio::spawn(async move { store.invitations().redeem(&[1; 32], key(number), now).await.unwrap() })
    });
    let mut redeemed = Vec::new();
    for call in calls.collect::<Vec<_>>() {
        redeemed.extend(call.await.unwrap());
    }
    assert_eq!(redeemed.len(), 1, "{redeemed:?}");
    let keys = fixture.store.keys().list(user).await.unwrap();
    assert_eq!(keys.len(), 1, "no other call left a key");
    assert_eq!(
        (keys[0].id, keys[0].scopes.to_text(), keys[0].expires_at),
        (redeemed[0].key_id, "read,submit".into(), None)
    );
    let listed = invitations.list(Page { number: 1, size: 10 }).await.unwrap();
    assert_eq!((listed.total, listed.list[0].key_id), (1, Some(redeemed[0].key_id)));
    assert!(listed.list[0].used_at.is_some());
    assert_eq!(listed.list[0].user_name, redeemed[0].user_name);
    assert_eq!(redeem(1, 40).await, None);
}

pub async fn revoked_and_expired_invitations_are_refused(fixture: &Fixture) {
    let (user, off) = (fixture.user(0).await, fixture.user(0).await);
    let invitations = fixture.store.invitations();
    let until = fixture.now() + 1_000;
    for (number, user) in [(1, user), (2, user), (3, off)] {
        invitations.add(new_invitation(user, number, until), fixture.now()).await.unwrap();
    }
    let listed = invitations.list(Page { number: 1, size: 2 }).await.unwrap();
    assert_eq!((listed.total, listed.list.len(), listed.list[0].user), (3, 2, off));
    let first = invitations.list(Page { number: 2, size: 2 }).await.unwrap().list.remove(0);
    let revoked = invitations.revoke(first.id, fixture.now()).await.unwrap().revoked_at;
    fixture.pass(10);
    assert!(revoked.is_some());
    assert_eq!(invitations.revoke(first.id, fixture.now()).await.unwrap().revoked_at, revoked);
    assert!(matches!(invitations.revoke(first.id + 100, fixture.now()).await, Err(StoreError::NotFound)));
    let redeem = async |code: u8| invitations.redeem(&[code; 32], key(code), fixture.now()).await.unwrap();
    assert_eq!(redeem(1).await, None, "revoked");
    fixture.store.users().switch_off(off, "unpaid", fixture.now()).await.unwrap();
    assert_eq!(redeem(3).await, None, "of a disabled user");
    fixture.pass(1_000);
    assert_eq!(redeem(2).await, None, "expired");
    assert_eq!(fixture.store.keys().list(user).await.unwrap(), []);
    let unknown = new_invitation(clipmill_core::ids::UserId(999_999), 4, until);
    assert!(matches!(invitations.add(unknown, fixture.now()).await, Err(StoreError::NotFound)));
}
