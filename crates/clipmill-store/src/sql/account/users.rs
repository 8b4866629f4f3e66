//! Users and the installation's secrets.

use clipmill_core::ids::UserId;

use super::super::money::records::offset;
use super::super::rows::{Db, constraint, count};
use crate::error::{StoreError, StoreResult};
use crate::model::*;

pub async fn ping(db: &mut Db) -> StoreResult<()> {
    sqlx::query("SELECT 1").execute(db).await?;
    Ok(())
}

/// Changes a few pages, as other units do. The bytes always differ, because SQLite does not write equal ones.
pub async fn try_writing(db: &mut Db, now: Millis) -> StoreResult<()> {
    sqlx::query(
        "INSERT INTO probes (id, filler) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET filler = excluded.filler",
    )
    .bind(now.to_be_bytes().repeat(2 << 10))
    .execute(db)
    .await?;
    Ok(())
}

pub async fn add(db: &mut Db, user: &NewUser, now: Millis) -> StoreResult<User> {
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO users (name, webhook_secret, created_at) VALUES ($1, $2, $3) RETURNING id",
    )
    .bind(&user.name)
    .bind(&user.webhook_secret)
    .bind(now)
    .fetch_one(&mut *db)
    .await
    .map_err(constraint("a user of this name"))?;
    sqlx::query("INSERT INTO balances (user_id, available, held) VALUES ($1, 0, 0)")
        .bind(id)
        .execute(db)
        .await?;
    Ok(User { id: UserId(id), name: user.name.clone(), webhook_secret: user.webhook_secret.clone() })
}

pub async fn by_id(db: &mut Db, id: UserId) -> StoreResult<Option<User>> {
    let row: Option<UserRow> = sqlx::query_as("SELECT id, name, webhook_secret FROM users WHERE id = $1")
        .bind(id.0)
        .fetch_optional(db)
        .await?;
    Ok(row.map(user))
}

pub async fn by_name(db: &mut Db, name: &str) -> StoreResult<Option<User>> {
    let row: Option<UserRow> = sqlx::query_as("SELECT id, name, webhook_secret FROM users WHERE name = $1")
        .bind(name)
        .fetch_optional(db)
        .await?;
    Ok(row.map(user))
}

/// Adds a secret; the secret before the previous one is revoked now, even if it had time left.
pub async fn rotate_secret(
    db: &mut Db,
    user: UserId,
    secret: &str,
    earlier_until: Millis,
) -> StoreResult<()> {
    let rotated = sqlx::query(
        "UPDATE users SET earlier_secret = webhook_secret, earlier_secret_until = $3, webhook_secret = $2
          WHERE id = $1",
    )
    .bind(user.0)
    .bind(secret)
    .bind(earlier_until)
    .execute(db)
    .await?;
    if rotated.rows_affected() == 1 { Ok(()) } else { Err(StoreError::NotFound) }
}

pub async fn signing_secrets(db: &mut Db, user: UserId, now: Millis) -> StoreResult<Vec<String>> {
    let row: Option<(String, Option<String>)> = sqlx::query_as(
        "SELECT webhook_secret, CASE WHEN earlier_secret_until > $2 THEN earlier_secret END
           FROM users WHERE id = $1",
    )
    .bind(user.0)
    .bind(now)
    .fetch_optional(db)
    .await?;
    let (newest, earlier) = row.ok_or(StoreError::NotFound)?;
    Ok([newest].into_iter().chain(earlier).collect())
}

pub async fn count_all(db: &mut Db) -> StoreResult<u64> {
    count(sqlx::query_scalar("SELECT COUNT(*) FROM users").fetch_one(db).await?)
}

/// For names that contain `search`: lower case, and without wildcards of the client's own.
pub fn name_pattern(search: Option<&str>) -> String {
    let part =
        search.unwrap_or_default().to_lowercase().replace('!', "!!").replace('%', "!%").replace('_', "!_");
    format!("%{part}%")
}

/// The newest first.
pub async fn page(db: &mut Db, search: Option<&str>, page: Page) -> StoreResult<Paged<UserOverview>> {
    let like = name_pattern(search);
    let total: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM users WHERE LOWER(name) LIKE $1 ESCAPE '!'")
        .bind(&like)
        .fetch_one(&mut *db)
        .await?;
    let rows: Vec<OverviewRow> = sqlx::query_as(
        "SELECT u.id, u.name, b.available, b.held, (SELECT COUNT(*) FROM tasks t WHERE t.user_id = u.id),
                u.created_at, u.off_since, u.off_reason
           FROM users u JOIN balances b ON b.user_id = u.id
          WHERE LOWER(u.name) LIKE $1 ESCAPE '!' ORDER BY u.id DESC LIMIT $2 OFFSET $3",
    )
    .bind(&like)
    .bind(i64::from(page.size))
    .bind(offset(page))
    .fetch_all(db)
    .await?;
    let user = |(id, name, available, held, tasks, created_at, since, reason): OverviewRow| {
        let (available, held, tasks) = (count(available)?, count(held)?, count(tasks)?);
        Ok(UserOverview { id: UserId(id), name, available, held, tasks, created_at, off: off(since, reason) })
    };
    let list = rows.into_iter().map(user).collect::<StoreResult<_>>()?;
    Ok(Paged { list, total: count(total)? })
}

type OverviewRow = (i64, String, i64, i64, i64, Millis, Option<Millis>, Option<String>);

type UserRow = (i64, String, String);

fn user((id, name, webhook_secret): UserRow) -> User {
    User { id: UserId(id), name, webhook_secret }
}

/// Combines both columns.
pub fn off(since: Option<Millis>, reason: Option<String>) -> Option<SwitchedOff> {
    since.map(|since| SwitchedOff { since, reason: reason.unwrap_or_default() })
}
