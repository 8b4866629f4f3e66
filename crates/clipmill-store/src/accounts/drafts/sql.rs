//! Drafts of users.

use std::collections::BTreeSet;

use async_trait::async_trait;
use clipmill_core::ids::{DraftNo, UserId};
use sqlx::QueryBuilder;

use super::super::dialect::{Handle, is_conflict};
use super::super::points::ledger;
use super::super::quotas;
use super::super::rows::{Database, Db, column, constraint, count, from_json, offset};
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use crate::accounts::drafts::{DraftOutcome, DraftOverview, DraftRecord, DraftStore, NewDraft};
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::common::from_row::from_row;
use crate::common::page::{Page, Paged};

#[async_trait]
impl DraftStore for Handle {
    async fn add(&self, new: NewDraft, now: Millis) -> StoreResult<DraftOutcome> {
        unit!(self, at now, new; tx => add(tx, &new, now.ms))
    }

    async fn replace(
        &self,
        new: NewDraft,
        expected: Millis,
        now: Millis,
    ) -> StoreResult<Option<DraftOutcome>> {
        unit!(self, at now, new; tx => replace(tx, &new, expected, now.ms))
    }

    async fn find(&self, user: UserId, draft_no: &DraftNo) -> StoreResult<Option<DraftRecord>> {
        snapshot!(self, draft_no; tx => get(tx, user, &draft_no))
    }

    async fn list(&self, user: UserId, page: Page) -> StoreResult<Paged<DraftOverview>> {
        snapshot!(self; tx => list(tx, user, page))
    }

    async fn delete(&self, user: UserId, draft_no: &DraftNo) -> StoreResult<bool> {
        unit!(self, draft_no; tx => delete(tx, user, &draft_no))
    }
}

/// Uploads recorded in one statement.
const RECORDED: usize = 500;

pub async fn add(db: &mut Db, new: &NewDraft, now: Millis) -> StoreResult<DraftOutcome> {
    // The lock serializes changes of one user's drafts, so that they are counted correctly.
    ledger::balance_to_change(db, new.user).await?;
    let drafts: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM drafts WHERE user_id = $1")
        .bind(new.user.0)
        .fetch_one(&mut *db)
        .await?;
    if drafts >= i64::from(new.max) {
        return Ok(DraftOutcome::TooMany { limit: new.max });
    }
    let size = new.body.len() as u64;
    if let Some(full) = quotas::storage_full(db, new.user, size, &new.quota, now).await? {
        return Ok(DraftOutcome::StorageFull(full));
    }
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO drafts (draft_no, user_id, name, task_type, updated_at, size_bytes, body)
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
    )
    .bind(new.draft_no.as_str())
    .bind(new.user.0)
    .bind(&new.name)
    .bind(new.task_type)
    .bind(now)
    .bind(column(size, "the size of a draft")?)
    .bind(&new.body)
    .fetch_one(&mut *db)
    .await
    .map_err(constraint("a draft of this number"))?;
    keep_uploads(db, id, new).await?;
    Ok(DraftOutcome::Saved(saved(new, now)))
}

pub async fn replace(
    db: &mut Db,
    new: &NewDraft,
    expected: Millis,
    now: Millis,
) -> StoreResult<Option<DraftOutcome>> {
    ledger::balance_to_change(db, new.user).await?;
    let row: Option<(i64, Millis, i64)> =
        sqlx::query_as("SELECT id, updated_at, size_bytes FROM drafts WHERE draft_no = $1 AND user_id = $2")
            .bind(new.draft_no.as_str())
            .bind(new.user.0)
            .fetch_optional(&mut *db)
            .await?;
    let Some((id, updated_at, old_size)) = row else { return Ok(None) };
    if updated_at != expected {
        return Ok(Some(DraftOutcome::Conflict { updated_at }));
    }
    let size = new.body.len() as u64;
    let more = size.saturating_sub(count(old_size)?);
    // A full storage does not prevent changes that need no more of it.
    if more > 0
        && let Some(full) = quotas::storage_full(db, new.user, more, &new.quota, now).await?
    {
        return Ok(Some(DraftOutcome::StorageFull(full)));
    }
    // Two changes never have the same time, even within a millisecond or when the clock was set back.
    let changed_at = now.max(updated_at.saturating_add(1));
    sqlx::query(
        "UPDATE drafts SET name = $2, task_type = $3, updated_at = $4, size_bytes = $5, body = $6 WHERE id = $1",
    )
    .bind(id)
    .bind(&new.name)
    .bind(new.task_type)
    .bind(changed_at)
    .bind(column(size, "the size of a draft")?)
    .bind(&new.body)
    .execute(&mut *db)
    .await?;
    sqlx::query("DELETE FROM draft_uploads WHERE draft_id = $1").bind(id).execute(&mut *db).await?;
    keep_uploads(db, id, new).await?;
    Ok(Some(DraftOutcome::Saved(saved(new, changed_at))))
}

fn saved(new: &NewDraft, updated_at: Millis) -> DraftOverview {
    DraftOverview {
        draft_no: new.draft_no.clone(),
        name: new.name.clone(),
        task_type: new.task_type.map(str::to_owned),
        updated_at,
    }
}

async fn keep_uploads(db: &mut Db, draft: i64, new: &NewDraft) -> StoreResult<()> {
    let uploads: Vec<&String> = BTreeSet::iter(&new.uploads).collect();
    for some in uploads.chunks(RECORDED) {
        let mut query =
            QueryBuilder::<Database>::new("INSERT INTO draft_uploads (upload_id, draft_id) SELECT u.id, ");
        query.push_bind(draft).push(" FROM uploads u WHERE u.user_id = ").push_bind(new.user.0);
        query.push(" AND u.id IN (");
        let mut list = query.separated(", ");
        for id in some {
            list.push_bind((*id).clone());
        }
        query.push(")");
        query.build().execute(&mut *db).await?;
    }
    Ok(())
}

pub async fn get(db: &mut Db, user: UserId, draft_no: &DraftNo) -> StoreResult<Option<DraftRecord>> {
    let row: Option<DraftRow> = sqlx::query_as(
        "SELECT draft_no, name, task_type, updated_at, body FROM drafts WHERE draft_no = $1 AND user_id = $2",
    )
    .bind(draft_no.as_str())
    .bind(user.0)
    .fetch_optional(db)
    .await?;
    let record = |row: DraftRow| {
        let body = from_json(&row.body)?;
        let about = overview(row.draft_no, row.name, row.task_type, row.updated_at)?;
        Ok(DraftRecord { about, body })
    };
    row.map(record).transpose()
}

/// Most recently changed first.
async fn list(db: &mut Db, user: UserId, page: Page) -> StoreResult<Paged<DraftOverview>> {
    let total: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM drafts WHERE user_id = $1")
        .bind(user.0)
        .fetch_one(&mut *db)
        .await?;
    let rows: Vec<(String, String, Option<String>, Millis)> = sqlx::query_as(
        "SELECT draft_no, name, task_type, updated_at FROM drafts WHERE user_id = $1
          ORDER BY updated_at DESC, id DESC LIMIT $2 OFFSET $3",
    )
    .bind(user.0)
    .bind(i64::from(page.size))
    .bind(offset(page))
    .fetch_all(db)
    .await?;
    let overviews = rows.into_iter().map(|(number, name, kind, at)| overview(number, name, kind, at));
    Ok(Paged { list: overviews.collect::<StoreResult<_>>()?, total: count(total)? })
}

/// Returns whether there was one.
pub async fn delete(db: &mut Db, user: UserId, draft_no: &DraftNo) -> StoreResult<bool> {
    let deletion = sqlx::query("DELETE FROM drafts WHERE draft_no = $1 AND user_id = $2")
        .bind(draft_no.as_str())
        .bind(user.0)
        .execute(db)
        .await?;
    Ok(deletion.rows_affected() == 1)
}

from_row! {
    struct DraftRow {
        draft_no: String,
        name: String,
        task_type: Option<String>,
        updated_at: Millis,
        body: String,
    }
}

fn overview(
    number: String,
    name: String,
    task_type: Option<String>,
    updated_at: Millis,
) -> StoreResult<DraftOverview> {
    let draft_no =
        DraftNo::parse(&number).ok_or_else(|| StoreError::Corrupt(format!("{number:?} is not a draft")))?;
    Ok(DraftOverview { draft_no, name, task_type, updated_at })
}
