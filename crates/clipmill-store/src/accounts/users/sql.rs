//! The units of users.

use async_trait::async_trait;
use clipmill_core::ids::{BatchNo, TaskNo, UserId};

use super::super::dialect::{Handle, is_conflict, lower};
use super::super::rows::{Db, constraint, count, offset, task_no};
use super::super::states::live;
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use crate::accounts::users::{NewUser, OpenJobs, SwitchedOff, User, UserOverview, UserStore};
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::common::page::{Page, Paged};
use crate::common::signals::Signal;

#[async_trait]
impl UserStore for Handle {
    async fn add(&self, user: NewUser, now: Millis) -> StoreResult<User> {
        unit!(self, at now, user; tx => add(tx, &user, now.ms))
    }

    async fn find(&self, id: UserId) -> StoreResult<Option<User>> {
        snapshot!(self; tx => by_id(tx, id))
    }

    async fn find_by_name(&self, name: &str) -> StoreResult<Option<User>> {
        snapshot!(self, name; tx => by_name(tx, &name))
    }

    async fn count(&self) -> StoreResult<u64> {
        snapshot!(self; tx => count_all(tx))
    }

    async fn list(&self, search: Option<&str>, page: Page) -> StoreResult<Paged<UserOverview>> {
        let search = search.map(str::to_owned);
        snapshot!(self, search; tx => list(tx, search.as_deref(), page))
    }

    async fn rotate_secret(&self, user: UserId, secret: &str, earlier_until: Millis) -> StoreResult<()> {
        unit!(self, secret; tx => rotate_secret(tx, user, &secret, earlier_until))
    }

    async fn signing_secrets(&self, user: UserId, now: Millis) -> StoreResult<Vec<String>> {
        snapshot!(self, at now; tx => signing_secrets(tx, user, now.ms))
    }

    async fn switch_off(&self, user: UserId, reason: &str, now: Millis) -> StoreResult<SwitchedOff> {
        unit!(self, at now, reason; tx => switch_off(tx, user, &reason, now.ms))
    }

    async fn switch_on(&self, user: UserId) -> StoreResult<bool> {
        let was_off = unit!(self; tx => switch_on(tx, user))?;
        // Batches of the user continue.
        self.notify(&[Signal::Changed]);
        Ok(was_off)
    }

    async fn open_jobs(&self, user: UserId) -> StoreResult<OpenJobs> {
        snapshot!(self; tx => open_jobs(tx, user))
    }
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
    let part = lower(search.unwrap_or_default()).replace('!', "!!").replace('%', "!%").replace('_', "!_");
    format!("%{part}%")
}

/// The newest first.
async fn list(db: &mut Db, search: Option<&str>, page: Page) -> StoreResult<Paged<UserOverview>> {
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

async fn switch_off(db: &mut Db, user: UserId, reason: &str, now: Millis) -> StoreResult<SwitchedOff> {
    let since: Option<Millis> = sqlx::query_scalar(
        "UPDATE users SET off_since = COALESCE(off_since, $2), off_reason = $3 WHERE id = $1 RETURNING off_since",
    )
    .bind(user.0)
    .bind(now)
    .bind(reason)
    .fetch_optional(db)
    .await?;
    let since = since.ok_or(StoreError::NotFound)?;
    Ok(SwitchedOff { since, reason: reason.to_owned() })
}

async fn switch_on(db: &mut Db, user: UserId) -> StoreResult<bool> {
    let was_off = sqlx::query(
        "UPDATE users SET off_since = NULL, off_reason = NULL WHERE id = $1 AND off_since IS NOT NULL",
    )
    .bind(user.0)
    .execute(db)
    .await?;
    Ok(was_off.rows_affected() > 0)
}

async fn open_jobs(db: &mut Db, user: UserId) -> StoreResult<OpenJobs> {
    let tasks: Vec<String> = sqlx::query_scalar(concat!(
        "SELECT task_no FROM tasks WHERE user_id = $1 AND state IN ",
        live!(),
        " ORDER BY id"
    ))
    .bind(user.0)
    .fetch_all(&mut *db)
    .await?;
    let batches: Vec<String> = sqlx::query_scalar(
        "SELECT batch_no FROM batches WHERE user_id = $1 AND finished_at IS NULL ORDER BY id",
    )
    .bind(user.0)
    .fetch_all(db)
    .await?;
    Ok(OpenJobs {
        tasks: tasks.iter().map(|number| task_no(number)).collect::<StoreResult<Vec<TaskNo>>>()?,
        batches: batches.iter().filter_map(|number| BatchNo::parse(number)).collect(),
    })
}
