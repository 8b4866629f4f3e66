//! Uploads as their owner's library.

use clipmill_core::ids::UserId;
use sqlx::QueryBuilder;

use super::super::points::ledger;
use super::super::rows::{Database, Db, count, from_json, offset, to_json};
use super::super::states::live;
use crate::accounts::library::{DeleteOutcome, LibraryFile, LibraryFilter, MediaKind, UploadFacts};
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::common::from_row::from_row;
use crate::common::page::{Page, Paged};

const COLUMNS: &str =
    "SELECT u.id, u.content_sha256, u.size_bytes, u.file_name, u.kind, u.media, u.created_at, u.used_at
       FROM uploads u";

/// Only the latest of a user's uploads with the same content.
const LAST: &str = " AND NOT EXISTS (SELECT 1 FROM uploads n
        WHERE n.content_sha256 = u.content_sha256 AND n.user_id = u.user_id
          AND (n.created_at > u.created_at OR (n.created_at = u.created_at AND n.id > u.id)))";

pub async fn page(
    db: &mut Db,
    user: UserId,
    filter: &LibraryFilter,
    page: Page,
) -> StoreResult<Paged<LibraryFile>> {
    let mut counting = QueryBuilder::<Database>::new("SELECT COUNT(*) FROM uploads u");
    push_where(&mut counting, user, filter);
    let total = count(counting.build_query_scalar().fetch_one(&mut *db).await?)?;
    let mut query = QueryBuilder::<Database>::new(COLUMNS);
    push_where(&mut query, user, filter);
    query.push(" ORDER BY u.created_at DESC, u.id DESC LIMIT ").push_bind(i64::from(page.size));
    query.push(" OFFSET ").push_bind(offset(page));
    let rows: Vec<FileRow> = query.build_query_as().fetch_all(db).await?;
    Ok(Paged { list: rows.into_iter().map(file).collect::<StoreResult<_>>()?, total })
}

pub async fn get(db: &mut Db, user: UserId, id: &str) -> StoreResult<Option<LibraryFile>> {
    let mut query = QueryBuilder::<Database>::new(COLUMNS);
    query.push(" WHERE u.user_id = ").push_bind(user.0).push(" AND u.id = ").push_bind(id.to_owned());
    let row: Option<FileRow> = query.build_query_as().fetch_optional(db).await?;
    row.map(file).transpose()
}

/// Stores the probe result of a file in all the user's uploads of it.
pub async fn describe(
    db: &mut Db,
    user: UserId,
    content_sha256: &str,
    facts: &UploadFacts,
) -> StoreResult<()> {
    sqlx::query("UPDATE uploads SET kind = $3, media = $4 WHERE content_sha256 = $2 AND user_id = $1")
        .bind(user.0)
        .bind(content_sha256)
        .bind(facts.kind.as_str())
        .bind(to_json(&facts.media)?)
        .execute(db)
        .await?;
    Ok(())
}

/// Returns whether there is such a file.
pub async fn rename(db: &mut Db, user: UserId, id: &str, name: &str) -> StoreResult<bool> {
    let renamed = sqlx::query(
        "UPDATE uploads SET file_name = $3, folded_name = $4 WHERE user_id = $1
            AND content_sha256 = (SELECT n.content_sha256 FROM uploads n WHERE n.id = $2 AND n.user_id = $1)",
    )
    .bind(user.0)
    .bind(id)
    .bind(name)
    .bind(name.to_lowercase())
    .execute(db)
    .await?;
    Ok(renamed.rows_affected() > 0)
}

/// Deletes all the user's uploads of a file's content, unless unfinished work needs one of them.
pub async fn delete(db: &mut Db, user: UserId, id: &str) -> StoreResult<Option<DeleteOutcome>> {
    // The lock prevents the user from submitting a task meanwhile.
    ledger::balance_to_change(db, user).await?;
    let ids: Vec<String> = sqlx::query_scalar(
        "SELECT u.id FROM uploads u WHERE u.user_id = $1
            AND u.content_sha256 = (SELECT n.content_sha256 FROM uploads n WHERE n.id = $2 AND n.user_id = $1)",
    )
    .bind(user.0)
    .bind(id)
    .fetch_all(&mut *db)
    .await?;
    for id in &ids {
        if let Some(needed_by) = user_of(db, user, id).await? {
            return Ok(Some(DeleteOutcome::InUse(needed_by)));
        }
    }
    for id in &ids {
        sqlx::query("DELETE FROM uploads WHERE id = $1").bind(id).execute(&mut *db).await?;
    }
    Ok((!ids.is_empty()).then_some(DeleteOutcome::Deleted))
}

/// The number of a task, template, draft or batch that needs the upload, or `brand`.
async fn user_of(db: &mut Db, user: UserId, id: &str) -> StoreResult<Option<String>> {
    let task = sqlx::query_scalar(concat!(
        "SELECT t.task_no FROM task_uploads x JOIN tasks t ON t.id = x.task_id
          WHERE x.upload_id = $1 AND t.user_id = $2 AND t.state IN ",
        live!(),
        " ORDER BY t.id LIMIT 1"
    ));
    if let Some(task) = task.bind(id).bind(user.0).fetch_optional(&mut *db).await? {
        return Ok(Some(task));
    }
    let template = sqlx::query_scalar(
        "SELECT t.template_no FROM template_uploads x JOIN templates t ON t.id = x.template_id
          WHERE x.upload_id = $1 ORDER BY t.id LIMIT 1",
    );
    if let Some(template) = template.bind(id).fetch_optional(&mut *db).await? {
        return Ok(Some(template));
    }
    let draft = sqlx::query_scalar(
        "SELECT d.draft_no FROM draft_uploads x JOIN drafts d ON d.id = x.draft_id
          WHERE x.upload_id = $1 ORDER BY d.id LIMIT 1",
    );
    if let Some(draft) = draft.bind(id).fetch_optional(&mut *db).await? {
        return Ok(Some(draft));
    }
    let brands: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM brand_uploads WHERE upload_id = $1")
        .bind(id)
        .fetch_one(&mut *db)
        .await?;
    if brands > 0 {
        return Ok(Some("brand".to_owned()));
    }
    let batch = sqlx::query_scalar(
        "SELECT b.batch_no FROM batch_uploads x JOIN batches b ON b.id = x.batch_id
          WHERE x.upload_id = $1 AND b.finished_at IS NULL ORDER BY b.id LIMIT 1",
    );
    Ok(batch.bind(id).fetch_optional(db).await?)
}

fn push_where(query: &mut QueryBuilder<Database>, user: UserId, filter: &LibraryFilter) {
    query.push(" WHERE u.user_id = ").push_bind(user.0).push(LAST);
    if let Some(kind) = filter.kind {
        query.push(" AND u.kind = ").push_bind(kind.as_str());
    }
    if let Some(content) = &filter.content_sha256 {
        query.push(" AND u.content_sha256 = ").push_bind(content.clone());
    }
    if let Some(part) = &filter.part_of_name {
        query.push(" AND u.folded_name LIKE ").push_bind(containing(part)).push(r" ESCAPE '\'");
    }
}

/// A pattern of `LIKE`.
pub fn containing(part: &str) -> String {
    let part = part.to_lowercase();
    let part = part.replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_");
    format!("%{part}%")
}

from_row! {
    struct FileRow {
        id: String,
        content_sha256: String,
        size_bytes: i64,
        file_name: Option<String>,
        kind: Option<String>,
        media: Option<String>,
        created_at: Millis,
        used_at: Option<Millis>,
    }
}

fn file(row: FileRow) -> StoreResult<LibraryFile> {
    let unknown = |name: String| StoreError::Corrupt(format!("{name:?} is not a media kind"));
    let kind = row.kind.map(|name| MediaKind::parse(&name).ok_or_else(|| unknown(name))).transpose()?;
    let media = row.media.as_deref().map(from_json).transpose()?;
    Ok(LibraryFile {
        id: row.id,
        content_sha256: row.content_sha256,
        size_bytes: count(row.size_bytes)?,
        name: row.file_name,
        facts: kind.zip(media).map(|(kind, media)| UploadFacts { kind, media }),
        created_at: row.created_at,
        used_at: row.used_at,
    })
}
