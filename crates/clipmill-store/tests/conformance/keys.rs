//! Keys: several per user, each with scopes, expiry and last use.

use clipmill_store::*;

use super::fixture::Fixture;

fn new_key(user: clipmill_core::ids::UserId, number: u8, scopes: &[Scope]) -> NewKey {
    NewKey {
        user,
        key_sha256: [number; 32],
        prefix: format!("cm_live_{number:04}"),
        scopes: Scopes::of(scopes.iter().copied()).unwrap(),
        expires_at: None,
    }
}

pub async fn a_user_has_several_keys(fixture: &Fixture) {
    let (ann, bob) = (fixture.user(0).await, fixture.user(0).await);
    let first = fixture.store.keys().add(new_key(ann, 1, &[Scope::Read]), 10).await.unwrap();
    let second = fixture.store.keys().add(new_key(ann, 2, &Scope::ALL), 20).await.unwrap();
    fixture.store.keys().add(new_key(bob, 3, &[Scope::Submit]), 30).await.unwrap();
    let keys = fixture.store.keys().list(ann).await.unwrap();
    let listed_keys: Vec<_> = keys.iter().map(|key| (key.id, key.scopes.to_text(), key.created_at)).collect();
    assert_eq!(listed_keys, [(second, "read,submit,admin".to_owned(), 20), (first, "read".to_owned(), 10)]);
    let owner = fixture.store.keys().owner(&[1; 32]).await.unwrap().unwrap();
    assert!(owner.scopes.has(Scope::Read) && !owner.scopes.has(Scope::Submit));
    assert_eq!((owner.user, owner.key_id), (ann, first));
}

pub async fn a_key_is_revoked_once(fixture: &Fixture) {
    let ann = fixture.user(0).await;
    let [kept, gone] = [1, 2].map(|number| new_key(ann, number, &[Scope::Read]));
    fixture.store.keys().add(kept, 1).await.unwrap();
    let id = fixture.store.keys().add(gone, 1).await.unwrap();
    assert_eq!(fixture.store.keys().revoke(id, 50).await.unwrap().revoked_at, Some(50));
    assert_eq!(fixture.store.keys().revoke(id, 60).await.unwrap().revoked_at, Some(50));
    assert_eq!(fixture.store.keys().owner(&[2; 32]).await.unwrap().unwrap().revoked_at, Some(50));
    assert_eq!(fixture.store.keys().owner(&[1; 32]).await.unwrap().unwrap().revoked_at, None);
    assert!(matches!(fixture.store.keys().revoke(id + 1, 60).await, Err(StoreError::NotFound)));
}

pub async fn the_last_use_moves_forward_only(fixture: &Fixture) {
    let ann = fixture.user(0).await;
    let id = fixture.store.keys().add(new_key(ann, 1, &[Scope::Read]), 1).await.unwrap();
    for (at, last) in [(100, 100), (90, 100), (200, 200)] {
        fixture.store.keys().record_use(id, at).await.unwrap();
        assert_eq!(fixture.store.keys().owner(&[1; 32]).await.unwrap().unwrap().last_used_at, Some(last));
    }
    assert_eq!(fixture.store.keys().list(ann).await.unwrap().remove(0).last_used_at, Some(200));
    fixture.store.keys().record_use(id + 1, 100).await.unwrap();
}
