//! Invitations: hashes of codes, and the keys issued for them.

use async_trait::async_trait;
use clipmill_core::ids::UserId;
use sqlx::QueryBuilder;

use super::super::dialect::{Handle, is_conflict};
use super::super::keys::sql as keys;
use super::super::rows::{Database, Db, constraint, count, exactly_one, offset};
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use crate::accounts::invitations::{
    InvitationRecord, InvitationStore, InvitedKey, NewInvitation, RedeemedInvitation,
};
use crate::accounts::keys::NewKey;
use crate::common::clock::{Millis, Now};
use crate::common::error::{StoreError, StoreResult};
use crate::common::from_row::from_row;
use crate::common::page::{Page, Paged};

#[async_trait]
impl InvitationStore for Handle {
    async fn add(&self, new: NewInvitation, now: Millis) -> StoreResult<InvitationRecord> {
        unit!(self, at now, new; tx => add(tx, &new, now))
    }

    async fn list(&self, page: Page) -> StoreResult<Paged<InvitationRecord>> {
        snapshot!(self; tx => list(tx, page))
    }

    async fn revoke(&self, id: i64, now: Millis) -> StoreResult<InvitationRecord> {
        unit!(self, at now; tx => revoke(tx, id, now.ms))
    }

    async fn redeem(
        &self,
        code_sha256: &[u8; 32],
        key: InvitedKey,
        now: Millis,
    ) -> StoreResult<Option<RedeemedInvitation>> {
        // Anybody may call this, so codes that cannot be used are refused without writing.
        if !snapshot!(self, at now, code_sha256; tx => is_open(tx, &code_sha256, now.ms))? {
            return Ok(None);
        }
        unit!(self, at now, code_sha256, key; tx => redeem(tx, &code_sha256, &key, now))
    }
}

const SELECT: &str =
    "SELECT i.id, i.user_id, u.name, i.scopes, i.created_at, i.expires_at, i.revoked_at, i.used_at, i.key_id
       FROM invitations i JOIN users u ON u.id = i.user_id";

/// The invitation with the code `$1`, if it can be used at `$2`.
macro_rules! open {
    () => {
        " WHERE code_sha256 = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $2
            AND EXISTS (SELECT 1 FROM users u WHERE u.id = user_id AND u.off_since IS NULL)"
    };
}

pub async fn add(db: &mut Db, new: &NewInvitation, now: Now) -> StoreResult<InvitationRecord> {
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO invitations (user_id, code_sha256, scopes, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5) RETURNING id",
    )
    .bind(new.user.0)
    .bind(new.code_sha256.to_vec())
    .bind(new.scopes.to_text())
    .bind(now.ms)
    .bind(now.of(new.expires_at))
    .fetch_one(&mut *db)
    .await
    .map_err(constraint("this invitation"))?;
    get(db, id).await
}

async fn get(db: &mut Db, id: i64) -> StoreResult<InvitationRecord> {
    let mut query = QueryBuilder::<Database>::new(SELECT);
    query.push(" WHERE i.id = ").push_bind(id);
    let row: Option<InvitationRow> = query.build_query_as().fetch_optional(db).await?;
    row.map(record).transpose()?.ok_or(StoreError::NotFound)
}

pub async fn list(db: &mut Db, page: Page) -> StoreResult<Paged<InvitationRecord>> {
    let total: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM invitations").fetch_one(&mut *db).await?;
    let mut query = QueryBuilder::<Database>::new(SELECT);
    query.push(" ORDER BY i.id DESC LIMIT ").push_bind(i64::from(page.size));
    query.push(" OFFSET ").push_bind(offset(page));
    let rows: Vec<InvitationRow> = query.build_query_as().fetch_all(db).await?;
    Ok(Paged { list: rows.into_iter().map(record).collect::<StoreResult<_>>()?, total: count(total)? })
}

pub async fn revoke(db: &mut Db, id: i64, now: Millis) -> StoreResult<InvitationRecord> {
    sqlx::query("UPDATE invitations SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1")
        .bind(id)
        .bind(now)
        .execute(&mut *db)
        .await?;
    get(db, id).await
}

pub async fn is_open(db: &mut Db, code_sha256: &[u8; 32], now: Millis) -> StoreResult<bool> {
    let open: i64 = sqlx::query_scalar(concat!("SELECT COUNT(*) FROM invitations", open!()))
        .bind(code_sha256.to_vec())
        .bind(now)
        .fetch_one(db)
        .await?;
    Ok(open > 0)
}

pub async fn redeem(
    db: &mut Db,
    code_sha256: &[u8; 32],
    key: &InvitedKey,
    now: Now,
) -> StoreResult<Option<RedeemedInvitation>> {
    // Of several calls at once, one changes the row.
    let row: Option<(i64, i64, String)> = sqlx::query_as(concat!(
        "UPDATE invitations SET used_at = $2",
        open!(),
        " RETURNING id, user_id, scopes"
    ))
    .bind(code_sha256.to_vec())
    .bind(now.ms)
    .fetch_optional(&mut *db)
    .await?;
    let Some((id, user, scopes)) = row else { return Ok(None) };
    let (user, scopes) = (UserId(user), keys::scopes(&scopes)?);
    let key = NewKey {
        user,
        key_sha256: key.key_sha256,
        prefix: key.prefix.clone(),
        scopes: scopes.clone(),
        expires_at: None,
    };
    let key_id = keys::add(db, &key, now).await?;
    let update = sqlx::query("UPDATE invitations SET key_id = $2 WHERE id = $1")
        .bind(id)
        .bind(key_id)
        .execute(&mut *db)
        .await?;
    exactly_one(update.rows_affected(), "the key of an invitation")?;
    let user_name =
        sqlx::query_scalar("SELECT name FROM users WHERE id = $1").bind(user.0).fetch_one(db).await?;
    Ok(Some(RedeemedInvitation { key_id, user, user_name, scopes }))
}

from_row! {
    struct InvitationRow {
        id: i64,
        user_id: i64,
        name: String,
        scopes: String,
        created_at: Millis,
        expires_at: Millis,
        revoked_at: Option<Millis>,
        used_at: Option<Millis>,
        key_id: Option<i64>,
    }
}

fn record(row: InvitationRow) -> StoreResult<InvitationRecord> {
    Ok(InvitationRecord {
        id: row.id,
        user: UserId(row.user_id),
        user_name: row.name,
        scopes: keys::scopes(&row.scopes)?,
        created_at: row.created_at,
        expires_at: row.expires_at,
        revoked_at: row.revoked_at,
        used_at: row.used_at,
        key_id: row.key_id,
    })
}
