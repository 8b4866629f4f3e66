//! Brands and the uploads that they keep.

use clipmill_core::request::Brand;
use clipmill_store::retention::Cutoffs;
use clipmill_store::*;

use super::fixture::{Fixture, cutoffs, new_upload};

pub async fn a_brand_keeps_the_uploads_of_its_user(fixture: &Fixture) {
    let (user, stranger) = (fixture.user(0).await, fixture.user(0).await);
    for (id, owner) in [("brand-a", user), ("brand-b", user), ("brand-c", stranger)] {
        let upload = new_upload(owner, id, id, fixture.now());
        fixture.store.library().add(upload).await.unwrap();
    }
    let brands = fixture.store.brands();
    assert_eq!(brands.find(user).await.unwrap(), None);
    let urls = |ids: &[&str]| ids.iter().map(|id| format!("upload://{id}")).collect::<Vec<_>>();
    let brand =
        Brand { logo: Some("upload://brand-a".into()), fonts: urls(&["brand-a"]), ..Brand::default() };
    let BrandOutcome::Saved(saved_at) = brands.save(user, brand.clone(), fixture.now()).await.unwrap() else {
        panic!("it has all uploads");
    };
    for gone in ["brand-c", "none"] {
        let brand = Brand { fonts: urls(&["brand-a", gone]), ..Brand::default() };
        let outcome = brands.save(user, brand, fixture.now()).await.unwrap();
        assert_eq!(outcome, BrandOutcome::UploadGone { id: gone.to_owned() });
    }
    assert_eq!(brands.find(user).await.unwrap(), Some((brand, saved_at)));
    assert_eq!(brands.find(stranger).await.unwrap(), None);
    let needed = Some(DeleteOutcome::InUse("brand".to_owned()));
    assert_eq!(fixture.store.library().delete(user, "brand-a").await.unwrap(), needed);

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
    assert_eq!(expire().await, 2, "of the stranger, and one that the brand does not name");
    brands.save(user, Brand::default(), fixture.now()).await.unwrap();
    assert_eq!(expire().await, 1);
}
