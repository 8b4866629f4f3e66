//! Keys: several per user, each with scopes, expiry and last use.

use clipmill_store::*;

use super::world::World;

fn new_key(user: clipmill_core::ids::UserId, number: u8, scopes: &[Scope]) -> NewKey {
    NewKey {
        user,
        key_sha256: [number; 32],
        prefix: format!("cm_live_{number:04}"),
        scopes: Scopes::of(scopes.iter().copied()).unwrap(),
        expires_at: None,
    }
}

pub async fn a_user_has_several_keys(world: &World) {
    let (ann, bob) = (world.user(0).await, world.user(0).await);
    let first = world.store.keys().add(new_key(ann, 1, &[Scope::Read]), 10).await.unwrap();
    let second = world.store.keys().add(new_key(ann, 2, &Scope::ALL), 20).await.unwrap();
    world.store.keys().add(new_key(bob, 3, &[Scope::Submit]), 30).await.unwrap();
    let keys = world.store.keys().list(ann).await.unwrap();
    let listed_keys: Vec<_> = keys.iter().map(|key| (key.id, key.scopes.to_text(), key.created_at)).collect();
    assert_eq!(listed_keys, [(second, "read,submit,admin".to_owned(), 20), (first, "read".to_owned(), 10)]);
    let owner = world.store.keys().owner(&[1; 32]).await.unwrap().unwrap();
    assert!(owner.scopes.has(Scope::Read) && !owner.scopes.has(Scope::Submit));
    assert_eq!((owner.user, owner.key_id), (ann, first));
}

pub async fn a_key_is_revoked_once(world: &World) {
    let ann = world.user(0).await;
    let [kept, gone] = [1, 2].map(|number| new_key(ann, number, &[Scope::Read]));
    world.store.keys().add(kept, 1).await.unwrap();
    let id = world.store.keys().add(gone, 1).await.unwrap();
    assert_eq!(world.store.keys().revoke(id, 50).await.unwrap().revoked_at, Some(50));
    assert_eq!(world.store.keys().revoke(id, 60).await.unwrap().revoked_at, Some(50));
    assert_eq!(world.store.keys().owner(&[2; 32]).await.unwrap().unwrap().revoked_at, Some(50));
    assert_eq!(world.store.keys().owner(&[1; 32]).await.unwrap().unwrap().revoked_at, None);
    assert!(matches!(world.store.keys().revoke(id + 1, 60).await, Err(StoreError::NotFound)));
}

pub async fn the_last_use_moves_forward_only(world: &World) {
    let ann = world.user(0).await;
    let id = world.store.keys().add(new_key(ann, 1, &[Scope::Read]), 1).await.unwrap();
    for (at, last) in [(100, 100), (90, 100), (200, 200)] {
        world.store.keys().record_use(id, at).await.unwrap();
        assert_eq!(world.store.keys().owner(&[1; 32]).await.unwrap().unwrap().last_used_at, Some(last));
    }
    assert_eq!(world.store.keys().list(ann).await.unwrap().remove(0).last_used_at, Some(200));
    world.store.keys().record_use(id + 1, 100).await.unwrap();
}
