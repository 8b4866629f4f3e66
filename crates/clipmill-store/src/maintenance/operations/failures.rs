//! Failed items, for operators.

use clipmill_core::error::ErrorCode;

use super::super::super::accounts::users::sql::name_pattern;
use super::super::rows::{Db, count, count32, from_json, offset, task_no};
use super::super::states::failed;
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::from_row::from_row;
use crate::common::page::{Page, Paged};
use crate::maintenance::operations::FailedItem;

from_row! {
    struct FailedRow {
        task_no: String,
        item_no: i64,
        user_name: String,
        error: String,
        finished_at: Option<Millis>,
    }
}

/// The latest first.
pub async fn failed_items(
    db: &mut Db,
    code: Option<ErrorCode>,
    search: Option<&str>,
    page: Page,
) -> StoreResult<Paged<FailedItem>> {
    // Errors are stored as JSON written by this crate.
    let like = code.map_or("%".to_owned(), |code| format!("%\"code\":\"{}\"%", code.as_str()));
    let pattern = name_pattern(search);
    let total: i64 = sqlx::query_scalar(concat!(
        "SELECT COUNT(*) FROM items i JOIN tasks t ON t.id = i.task_id JOIN users u ON u.id = t.user_id
          WHERE i.state IN ",
        failed!(),
        " AND i.error LIKE $1 AND (LOWER(u.name) LIKE $2 ESCAPE '!' OR LOWER(t.task_no) LIKE $2 ESCAPE '!')"
    ))
    .bind(&like)
    .bind(&pattern)
    .fetch_one(&mut *db)
    .await?;
    let rows: Vec<FailedRow> = sqlx::query_as(concat!(
        "SELECT t.task_no, i.item_no, u.name AS user_name, i.error, t.finished_at
           FROM items i JOIN tasks t ON t.id = i.task_id JOIN users u ON u.id = t.user_id
          WHERE i.state IN ",
        failed!(),
        " AND i.error LIKE $1 AND (LOWER(u.name) LIKE $2 ESCAPE '!' OR LOWER(t.task_no) LIKE $2 ESCAPE '!')
          ORDER BY i.id DESC LIMIT $3 OFFSET $4"
    ))
    .bind(&like)
    .bind(&pattern)
    .bind(i64::from(page.size))
    .bind(offset(page))
    .fetch_all(db)
    .await?;
    let list = rows.into_iter().map(failed).collect::<StoreResult<_>>()?;
    Ok(Paged { list, total: count(total)? })
}

fn failed(row: FailedRow) -> StoreResult<FailedItem> {
    Ok(FailedItem {
        task_no: task_no(&row.task_no)?,
        item_no: count32(row.item_no)?,
        user_name: row.user_name,
        error: from_json(&row.error)?,
        finished_at: row.finished_at,
    })
}
