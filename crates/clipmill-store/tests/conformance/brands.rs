//! Brands and the uploads that they keep.

use clipmill_core::request::Brand;
use clipmill_store::retention::Cutoffs;
use clipmill_store::*;

use super::world::World;

pub async fn a_brand_keeps_the_uploads_of_its_user(world: &World) {
    let (user, stranger) = (world.user(0).await, world.user(0).await);
    for (id, owner) in [("brand-a", user), ("brand-b", user), ("brand-c", stranger)] {
        let upload = NewUpload {
            id: id.into(),
            user: owner,
            content_sha256: id.into(),
            size_bytes: 1,
            file_name: None,
            created_at: world.now(),
            quota: Quota::default(),
        };
        world.store.library().add(upload).await.unwrap();
    }
    let brands = world.store.brands();
    assert_eq!(brands.find(user).await.unwrap(), None);
    let urls = |ids: &[&str]| ids.iter().map(|id| format!("upload://{id}")).collect::<Vec<_>>();
    let brand =
        Brand { logo: Some("upload://brand-a".into()), fonts: urls(&["brand-a"]), ..Brand::default() };
    let BrandOutcome::Saved(saved_at) = brands.save(user, brand.clone(), world.now()).await.unwrap() else {
        panic!("it has all uploads");
    };
    for gone in ["brand-c", "none"] {
        let brand = Brand { fonts: urls(&["brand-a", gone]), ..Brand::default() };
        let outcome = brands.save(user, brand, world.now()).await.unwrap();
        assert_eq!(outcome, BrandOutcome::UploadGone { id: gone.to_owned() });
    }
    assert_eq!(brands.find(user).await.unwrap(), Some((brand, saved_at)));
    assert_eq!(brands.find(stranger).await.unwrap(), None);
    let needed = Some(DeleteOutcome::InUse("brand".to_owned()));
    assert_eq!(world.store.library().delete(user, "brand-a").await.unwrap(), needed);

    world.pass(10);
    let lease =
        world.store.retention().claim_job("retention", "me", world.now(), 60_000).await.unwrap().unwrap();
    let cutoffs = Cutoffs {
        now: world.now(),
        uploads_used_before: world.now(),
        tasks_ended_before: 0,
        attempts_before: 0,
        undelivered_before: 0,
    };
    let shed = async || world.store.retention().shed_uploads(&lease, &cutoffs, 10).await.unwrap();
    assert_eq!(shed().await, 2, "of the stranger, and one that the brand does not name");
    brands.save(user, Brand::default(), world.now()).await.unwrap();
    assert_eq!(shed().await, 1);
}
