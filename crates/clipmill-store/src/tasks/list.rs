//! Lists of a user's tasks, newest first, made to be fast with a million tasks.

use clipmill_core::ids::UserId;
use clipmill_core::request::model::TaskType;
use sqlx::QueryBuilder;

use super::super::rows::{Database, Db, code, count, offset};
use super::super::states::{live, planned, unstarted};
use super::outputs;
use super::read::{TaskRow, select_task, task_record};
use super::search::{MAX_COUNTED, Search, push_filter, push_list};
use crate::common::error::StoreResult;
use crate::common::page::{Page, Paged};
use crate::tasks::{TaskFilter, TaskRecord};

pub async fn list(
    db: &mut Db,
    user: UserId,
    filter: &TaskFilter,
    page: Page,
) -> StoreResult<Paged<TaskRecord>> {
    let search = Search::new(user, filter);
    let (ids, total) = if search.words.is_empty() {
        let total = total(db, user, filter).await?;
        (newest(db, user, filter, page, total).await?, total)
    } else {
        search.find(db, page).await?
    };
    Ok(Paged { list: of_ids(db, &ids).await?, total })
}

/// The tasks of these ids, the newest first.
pub async fn of_ids(db: &mut Db, ids: &[i64]) -> StoreResult<Vec<TaskRecord>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = QueryBuilder::<Database>::new(select_task!("WHERE t.id IN ("));
    push_list(&mut query, ids);
    query.push(") ORDER BY t.created_at DESC, t.id DESC");
    let rows: Vec<TaskRow> = query.build_query_as().fetch_all(&mut *db).await?;
    let mut list: Vec<TaskRecord> = rows.into_iter().map(task_record).collect::<StoreResult<_>>()?;
    outputs::add_first(db, &mut list).await?;
    Ok(list)
}

/// Counted from the nearer end, if the total is known.
async fn newest(
    db: &mut Db,
    user: UserId,
    filter: &TaskFilter,
    page: Page,
    total: u64,
) -> StoreResult<Vec<i64>> {
    let total = i64::try_from(total).unwrap_or(i64::MAX);
    let (skipped, size) = (offset(page), i64::from(page.size));
    let page_length = size.min(total.saturating_sub(skipped));
    let from_the_end = is_counted(filter) && page_length > 0 && skipped > total / 2;
    let mut query = QueryBuilder::new("SELECT t.id FROM tasks t WHERE t.user_id = ");
    query.push_bind(user.0);
    push_filter(&mut query, filter);
    if !from_the_end {
        query.push(" ORDER BY t.created_at DESC, t.id DESC LIMIT ").push_bind(size);
        query.push(" OFFSET ").push_bind(skipped);
        return Ok(query.build_query_scalar().fetch_all(db).await?);
    }
    query.push(" ORDER BY t.created_at, t.id LIMIT ").push_bind(page_length);
    query.push(" OFFSET ").push_bind(total - skipped - page_length);
    // Rows are sorted after they are read.
    Ok(query.build_query_scalar().fetch_all(db).await?)
}

/// Whether the counters, which count by state and type, contain this number.
fn is_counted(filter: &TaskFilter) -> bool {
    filter.from.is_none() && filter.to.is_none()
}

/// The number of tasks, from the counters if possible.
async fn total(db: &mut Db, user: UserId, filter: &TaskFilter) -> StoreResult<u64> {
    if is_counted(filter) {
        return counted(db, user, filter).await;
    }
    let mut query =
        QueryBuilder::new("SELECT COUNT(*) FROM (SELECT 1 AS one FROM tasks t WHERE t.user_id = ");
    query.push_bind(user.0);
    push_filter(&mut query, filter);
    query.push(" LIMIT ").push_bind(MAX_COUNTED).push(") AS found");
    count(query.build_query_scalar().fetch_one(db).await?)
}

async fn counted(db: &mut Db, user: UserId, filter: &TaskFilter) -> StoreResult<u64> {
    let total: i64 = sqlx::query_scalar(
        "SELECT CAST(COALESCE(SUM(tasks), 0) AS BIGINT) FROM task_counts WHERE user_id = $1
            AND (CAST($2 AS BIGINT) IS NULL OR state = $2) AND (CAST($3 AS TEXT) IS NULL OR task_type = $3)",
    )
    .bind(user.0)
    .bind(filter.state.map(code))
    .bind(filter.task_type.map(TaskType::as_str))
    .fetch_one(db)
    .await?;
    count(total)
}
