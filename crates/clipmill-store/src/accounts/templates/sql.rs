//! Templates of users, with their versions.

use std::collections::BTreeSet;

use async_trait::async_trait;
use clipmill_core::ids::{TemplateNo, UserId};
use sqlx::QueryBuilder;

use super::super::dialect::{Handle, is_conflict};
use super::super::library::files::containing;
use super::super::library::uploads;
use super::super::points::ledger;
use super::super::rows::{Database, Db, column, constraint, count, count32, from_json, offset, to_json};
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use crate::accounts::library::StorageFull;
use crate::accounts::templates::{
    SaveOutcome, SavedTemplate, TemplateOverview, TemplateRecord, TemplateStore,
};
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::common::from_row::from_row;
use crate::common::page::{Page, Paged};

#[async_trait]
impl TemplateStore for Handle {
    async fn add(&self, new: SavedTemplate, now: Millis) -> StoreResult<SaveOutcome> {
        unit!(self, at now, new; tx => add(tx, &new, now.ms))
    }

    async fn replace(
        &self,
        new: SavedTemplate,
        expected: Option<u32>,
        now: Millis,
    ) -> StoreResult<Option<SaveOutcome>> {
        unit!(self, at now, new; tx => replace(tx, &new, expected, now.ms))
    }

    async fn find(
        &self,
        user: UserId,
        template_no: &TemplateNo,
        version: Option<u32>,
    ) -> StoreResult<Option<TemplateRecord>> {
        snapshot!(self, template_no; tx => get(tx, user, &template_no, version))
    }

    async fn list(
        &self,
        user: UserId,
        part_of_name: Option<&str>,
        page: Page,
    ) -> StoreResult<Paged<TemplateOverview>> {
        let part = part_of_name.map(str::to_owned);
        snapshot!(self, part; tx => list(tx, user, part.as_deref(), page))
    }

    async fn delete(&self, user: UserId, template_no: &TemplateNo) -> StoreResult<bool> {
        unit!(self, template_no; tx => delete(tx, user, &template_no))
    }
}

/// How many versions of a template are kept.
const KEPT: i64 = 50;

pub async fn add(db: &mut Db, new: &SavedTemplate, now: Millis) -> StoreResult<SaveOutcome> {
    // The lock serializes changes of one user's templates, so that they are counted correctly.
    ledger::balance_to_change(db, new.user).await?;
    let templates: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM templates WHERE user_id = $1")
        .bind(new.user.0)
        .fetch_one(&mut *db)
        .await?;
    if templates >= i64::from(new.max) {
        return Ok(SaveOutcome::TooMany { limit: new.max });
    }
    if let Some(full) = full(db, new).await? {
        return Ok(SaveOutcome::StorageFull(full));
    }
    if let Some(id) = uploads::gone(db, new.user, &uploads_of(new)).await? {
        return Ok(SaveOutcome::UploadGone { id });
    }
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO templates (template_no, user_id, name, folded_name, version, created_at, updated_at)
         VALUES ($1, $2, $3, $4, 1, $5, $5) RETURNING id",
    )
    .bind(new.template_no.as_str())
    .bind(new.user.0)
    .bind(&new.name)
    .bind(new.name.to_lowercase())
    .bind(now)
    .fetch_one(&mut *db)
    .await
    .map_err(constraint("a template of this number"))?;
    insert_version(db, id, 1, new, now).await?;
    saved(db, new).await
}

/// The next version; `expected` is the version to replace. `None` if the user has no such template.
pub async fn replace(
    db: &mut Db,
    new: &SavedTemplate,
    expected: Option<u32>,
    now: Millis,
) -> StoreResult<Option<SaveOutcome>> {
    ledger::balance_to_change(db, new.user).await?;
    let row: Option<(i64, i64)> =
        sqlx::query_as("SELECT id, version FROM templates WHERE template_no = $1 AND user_id = $2")
            .bind(new.template_no.as_str())
            .bind(new.user.0)
            .fetch_optional(&mut *db)
            .await?;
    let Some((id, version)) = row else { return Ok(None) };
    if expected.is_some_and(|expected| i64::from(expected) != version) {
        return Ok(Some(SaveOutcome::Conflict { version: count32(version)? }));
    }
    if let Some(full) = full(db, new).await? {
        return Ok(Some(SaveOutcome::StorageFull(full)));
    }
    if let Some(id) = uploads::gone(db, new.user, &uploads_of(new)).await? {
        return Ok(Some(SaveOutcome::UploadGone { id }));
    }
    sqlx::query(
        "UPDATE templates SET name = $2, folded_name = $3, version = $4, updated_at = $5 WHERE id = $1",
    )
    .bind(id)
    .bind(&new.name)
    .bind(new.name.to_lowercase())
    .bind(version + 1)
    .bind(now)
    .execute(&mut *db)
    .await?;
    insert_version(db, id, version + 1, new, now).await?;
    sqlx::query("DELETE FROM template_versions WHERE template_id = $1 AND version <= $2")
        .bind(id)
        .bind(version + 1 - KEPT)
        .execute(&mut *db)
        .await?;
    saved(db, new).await.map(Some)
}

fn uploads_of(new: &SavedTemplate) -> BTreeSet<String> {
    new.template.uploads().into_iter().map(|(_, id)| id.to_owned()).collect()
}

async fn saved(db: &mut Db, new: &SavedTemplate) -> StoreResult<SaveOutcome> {
    let record = get(db, new.user, &new.template_no, None).await?.ok_or(StoreError::NotFound)?;
    Ok(SaveOutcome::Saved(record.about))
}

async fn full(db: &mut Db, new: &SavedTemplate) -> StoreResult<Option<StorageFull>> {
    let stored: i64 = sqlx::query_scalar(
        "SELECT CAST(COALESCE(SUM(v.size_bytes), 0) AS BIGINT)
           FROM templates t JOIN template_versions v ON v.template_id = t.id WHERE t.user_id = $1",
    )
    .bind(new.user.0)
    .fetch_one(db)
    .await?;
    let (stored, limit) = (count(stored)?, new.max_bytes);
    let more = to_json(&new.template)?.len() as u64;
    Ok((stored.saturating_add(more) > limit).then_some(StorageFull { stored, limit }))
}

async fn insert_version(
    db: &mut Db,
    id: i64,
    version: i64,
    new: &SavedTemplate,
    now: Millis,
) -> StoreResult<()> {
    let body = to_json(&new.template)?;
    sqlx::query(
        "INSERT INTO template_versions (template_id, version, body, size_bytes, created_at)
         VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(id)
    .bind(version)
    .bind(&body)
    .bind(column(body.len() as u64, "the size of a template")?)
    .bind(now)
    .execute(&mut *db)
    .await?;
    for upload in uploads_of(new) {
        sqlx::query("INSERT INTO template_uploads (upload_id, template_id, version) VALUES ($1, $2, $3)")
            .bind(upload)
            .bind(id)
            .bind(version)
            .execute(&mut *db)
            .await?;
    }
    Ok(())
}

const ABOUT: &str =
    "SELECT t.id, t.template_no, t.name, t.version, t.created_at, t.updated_at FROM templates t";

pub async fn get(
    db: &mut Db,
    user: UserId,
    template_no: &TemplateNo,
    version: Option<u32>,
) -> StoreResult<Option<TemplateRecord>> {
    let mut query = QueryBuilder::<Database>::new(ABOUT);
    query.push(" WHERE t.user_id = ").push_bind(user.0);
    query.push(" AND t.template_no = ").push_bind(template_no.as_str().to_owned());
    let Some(row) = query.build_query_as::<TemplateRow>().fetch_optional(&mut *db).await? else {
        return Ok(None);
    };
    let version = version.map_or(row.version, i64::from);
    let body: Option<String> =
        sqlx::query_scalar("SELECT body FROM template_versions WHERE template_id = $1 AND version = $2")
            .bind(row.id)
            .bind(version)
            .fetch_optional(db)
            .await?;
    let Some(body) = body else { return Ok(None) };
    let about = TemplateOverview { version: count32(version)?, ..overview(row)? };
    Ok(Some(TemplateRecord { about, template: from_json(&body)? }))
}

/// Most recently changed first.
async fn list(
    db: &mut Db,
    user: UserId,
    part_of_name: Option<&str>,
    page: Page,
) -> StoreResult<Paged<TemplateOverview>> {
    let narrow = |query: &mut QueryBuilder<Database>| {
        query.push(" WHERE t.user_id = ").push_bind(user.0);
        if let Some(part) = part_of_name {
            query.push(" AND t.folded_name LIKE ").push_bind(containing(part)).push(r" ESCAPE '\'");
        }
    };
    let mut counting = QueryBuilder::new("SELECT COUNT(*) FROM templates t");
    narrow(&mut counting);
    let total = count(counting.build_query_scalar().fetch_one(&mut *db).await?)?;
    let mut query = QueryBuilder::new(ABOUT);
    narrow(&mut query);
    query.push(" ORDER BY t.updated_at DESC, t.id DESC LIMIT ").push_bind(i64::from(page.size));
    query.push(" OFFSET ").push_bind(offset(page));
    let rows: Vec<TemplateRow> = query.build_query_as().fetch_all(db).await?;
    Ok(Paged { list: rows.into_iter().map(overview).collect::<StoreResult<_>>()?, total })
}

/// Returns whether there was one.
pub async fn delete(db: &mut Db, user: UserId, template_no: &TemplateNo) -> StoreResult<bool> {
    let deletion = sqlx::query("DELETE FROM templates WHERE template_no = $1 AND user_id = $2")
        .bind(template_no.as_str())
        .bind(user.0)
        .execute(db)
        .await?;
    Ok(deletion.rows_affected() == 1)
}

from_row! {
    struct TemplateRow {
        id: i64,
        template_no: String,
        name: String,
        version: i64,
        created_at: Millis,
        updated_at: Millis,
    }
}

fn overview(row: TemplateRow) -> StoreResult<TemplateOverview> {
    let number = TemplateNo::parse(&row.template_no);
    Ok(TemplateOverview {
        template_no: number
            .ok_or_else(|| StoreError::Corrupt(format!("{:?} is not a template", row.template_no)))?,
        name: row.name,
        version: count32(row.version)?,
        created_at: row.created_at,
        updated_at: row.updated_at,
    })
}
