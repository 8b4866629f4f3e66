//! Brands of users, and the uploads that they keep.

use std::collections::BTreeSet;

use async_trait::async_trait;
use clipmill_core::ids::UserId;
use clipmill_core::request::Brand;

use super::super::dialect::{Handle, is_conflict};
use super::super::library::uploads;
use super::super::points::ledger;
use super::super::rows::{Db, from_json, to_json};
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use crate::accounts::brands::{BrandOutcome, BrandStore};
use crate::common::clock::Millis;
use crate::common::error::StoreResult;

#[async_trait]
impl BrandStore for Handle {
    async fn save(&self, user: UserId, brand: Brand, now: Millis) -> StoreResult<BrandOutcome> {
        unit!(self, at now, brand; tx => save(tx, user, &brand, now.ms))
    }

    async fn find(&self, user: UserId) -> StoreResult<Option<(Brand, Millis)>> {
        snapshot!(self; tx => get(tx, user))
    }
}

pub async fn save(db: &mut Db, user: UserId, brand: &Brand, now: Millis) -> StoreResult<BrandOutcome> {
    // The lock prevents the user from deleting the uploads meanwhile.
    ledger::balance_to_change(db, user).await?;
    let ids: BTreeSet<String> = brand.uploads().into_iter().map(|(_, id)| id.to_owned()).collect();
    if let Some(id) = uploads::gone(db, user, &ids).await? {
        return Ok(BrandOutcome::UploadGone { id });
    }
    sqlx::query(
        "INSERT INTO brands (user_id, updated_at, body) VALUES ($1, $2, $3)
         ON CONFLICT (user_id) DO UPDATE SET updated_at = excluded.updated_at, body = excluded.body",
    )
    .bind(user.0)
    .bind(now)
    .bind(to_json(brand)?)
    .execute(&mut *db)
    .await?;
    sqlx::query("DELETE FROM brand_uploads WHERE user_id = $1").bind(user.0).execute(&mut *db).await?;
    for id in ids {
        sqlx::query("INSERT INTO brand_uploads (upload_id, user_id) VALUES ($1, $2)")
            .bind(id)
            .bind(user.0)
            .execute(&mut *db)
            .await?;
    }
    Ok(BrandOutcome::Saved(now))
}

pub async fn get(db: &mut Db, user: UserId) -> StoreResult<Option<(Brand, Millis)>> {
    let row: Option<(String, Millis)> =
        sqlx::query_as("SELECT body, updated_at FROM brands WHERE user_id = $1")
            .bind(user.0)
            .fetch_optional(db)
            .await?;
    row.map(|(body, updated_at)| Ok((from_json(&body)?, updated_at))).transpose()
}
