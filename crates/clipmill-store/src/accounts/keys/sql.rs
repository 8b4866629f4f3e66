//! API keys: hashes, scopes, expiry.

use async_trait::async_trait;
use clipmill_core::ids::UserId;

use super::super::dialect::{Handle, is_conflict};
use super::super::rows::{Db, constraint};
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use super::super::users::sql::off;
use crate::accounts::keys::{KeyOwner, KeyRecord, KeyStore, NewKey, Scopes};
use crate::common::clock::{Millis, Now};
use crate::common::error::{StoreError, StoreResult};
use crate::common::from_row::from_row;

#[async_trait]
impl KeyStore for Handle {
    async fn add(&self, key: NewKey, now: Millis) -> StoreResult<i64> {
        unit!(self, at now, key; tx => add(tx, &key, now))
    }

    async fn owner(&self, key_sha256: &[u8; 32]) -> StoreResult<Option<KeyOwner>> {
        snapshot!(self, key_sha256; tx => owner(tx, &key_sha256))
    }

    async fn record_use(&self, key_id: i64, at: Millis) -> StoreResult<()> {
        unit!(self; tx => used(tx, key_id, at))
    }

    async fn list(&self, user: UserId) -> StoreResult<Vec<KeyRecord>> {
        snapshot!(self; tx => of_user(tx, user))
    }

    async fn revoke(&self, key_id: i64, now: Millis) -> StoreResult<KeyRecord> {
        unit!(self, at now; tx => revoke(tx, key_id, now.ms))
    }
}

pub async fn add(db: &mut Db, key: &NewKey, now: Now) -> StoreResult<i64> {
    sqlx::query_scalar(
        "INSERT INTO api_keys (user_id, key_sha256, prefix, scopes, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
    )
    .bind(key.user.0)
    .bind(key.key_sha256.to_vec())
    .bind(&key.prefix)
    .bind(key.scopes.to_text())
    .bind(now.ms)
    .bind(key.expires_at.map(|at| now.of(at)))
    .fetch_one(db)
    .await
    .map_err(constraint("this key"))
}

pub async fn owner(db: &mut Db, key_sha256: &[u8; 32]) -> StoreResult<Option<KeyOwner>> {
    let row: Option<OwnerRow> = sqlx::query_as(
        "SELECT k.id, k.user_id, k.scopes, k.expires_at, k.revoked_at, k.last_used_at, u.off_since, u.off_reason
           FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.key_sha256 = $1",
    )
    .bind(key_sha256.to_vec())
    .fetch_optional(db)
    .await?;
    row.map(|row| {
        Ok(KeyOwner {
            key_id: row.id,
            user: UserId(row.user_id),
            scopes: scopes(&row.scopes)?,
            expires_at: row.expires_at,
            revoked_at: row.revoked_at,
            last_used_at: row.last_used_at,
            off: off(row.off_since, row.off_reason),
        })
    })
    .transpose()
}

pub async fn used(db: &mut Db, key_id: i64, at: Millis) -> StoreResult<()> {
    sqlx::query(
        "UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)",
    )
    .bind(key_id)
    .bind(at)
    .execute(db)
    .await?;
    Ok(())
}

pub async fn of_user(db: &mut Db, user: UserId) -> StoreResult<Vec<KeyRecord>> {
    let rows: Vec<KeyRow> = sqlx::query_as(
        "SELECT id, prefix, scopes, created_at, expires_at, revoked_at, last_used_at
           FROM api_keys WHERE user_id = $1 ORDER BY id DESC",
    )
    .bind(user.0)
    .fetch_all(db)
    .await?;
    rows.into_iter().map(record).collect()
}

pub async fn revoke(db: &mut Db, key_id: i64, now: Millis) -> StoreResult<KeyRecord> {
    let row: Option<KeyRow> = sqlx::query_as(
        "UPDATE api_keys SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1
      RETURNING id, prefix, scopes, created_at, expires_at, revoked_at, last_used_at",
    )
    .bind(key_id)
    .bind(now)
    .fetch_optional(db)
    .await?;
    row.map(record).transpose()?.ok_or(StoreError::NotFound)
}

from_row! {
    struct OwnerRow {
        id: i64,
        user_id: i64,
        scopes: String,
        expires_at: Option<Millis>,
        revoked_at: Option<Millis>,
        last_used_at: Option<Millis>,
        off_since: Option<Millis>,
        off_reason: Option<String>,
    }
}

from_row! {
    struct KeyRow {
        id: i64,
        prefix: String,
        scopes: String,
        created_at: Millis,
        expires_at: Option<Millis>,
        revoked_at: Option<Millis>,
        last_used_at: Option<Millis>,
    }
}

fn record(row: KeyRow) -> StoreResult<KeyRecord> {
    Ok(KeyRecord {
        id: row.id,
        scopes: scopes(&row.scopes)?,
        prefix: row.prefix,
        created_at: row.created_at,
        expires_at: row.expires_at,
        revoked_at: row.revoked_at,
        last_used_at: row.last_used_at,
    })
}

pub fn scopes(text: &str) -> StoreResult<Scopes> {
    Scopes::parse(text).ok_or_else(|| StoreError::Corrupt(format!("{text:?} are no scopes")))
}
