//! Brands of users.

use async_trait::async_trait;
use clipmill_core::ids::UserId;
use clipmill_core::request::Brand;

use crate::common::clock::Millis;
use crate::common::error::StoreResult;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BrandOutcome {
    Saved(Millis),
    /// The user does not have this upload (any more); nothing was saved.
    UploadGone {
        id: String,
    },
}

#[async_trait]
pub trait BrandStore: Send + Sync + 'static {
    /// Replaces the user's brand; returns when. Its uploads are kept until it is replaced.
    async fn save(&self, user: UserId, brand: Brand, now: Millis) -> StoreResult<BrandOutcome>;
    /// The user's brand, and when it was last saved.
    async fn find(&self, user: UserId) -> StoreResult<Option<(Brand, Millis)>>;
}
