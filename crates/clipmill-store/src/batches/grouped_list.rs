//! A user's tasks and batches in one list, with a batch instead of its tasks.
//! Tasks without a batch have their own index, so tasks of batches cost nothing, regardless of their number.

use clipmill_core::ids::UserId;
use sqlx::QueryBuilder;

use super::super::rows::{Database, Db, count, offset};
use super::super::tasks::list;
use super::super::tasks::search::MAX_COUNTED;
use super::read;
use crate::batches::GroupedPage;
use crate::common::error::StoreResult;
use crate::common::page::Page;
use crate::tasks::TaskFilter;

/// The two sources; the number orders entries with the same time.
const TASKS: (i64, &str) = (0, "tasks e WHERE e.batch_id IS NULL AND e.user_id = ");
const BATCHES: (i64, &str) = (1, "batches e WHERE e.user_id = ");

pub async fn page(db: &mut Db, user: UserId, filter: &TaskFilter, page: Page) -> StoreResult<GroupedPage> {
    let entries = entries(db, user, filter, page).await?;
    let of = |source: i64| -> Vec<i64> {
        entries.iter().filter(|(kind, _)| *kind == source).map(|(_, id)| *id).collect()
    };
    let tasks = list::of_ids(db, &of(TASKS.0)).await?;
    let batches = read::of_ids(db, &of(BATCHES.0)).await?;
    Ok(GroupedPage { tasks, batches, total: total(db, user, filter).await? })
}

/// The source and id of each entry of a page.
async fn entries(db: &mut Db, user: UserId, filter: &TaskFilter, page: Page) -> StoreResult<Vec<(i64, i64)>> {
    let reach = offset(page).saturating_add(i64::from(page.size));
    let mut query = QueryBuilder::<Database>::new("SELECT kind, id FROM (");
    for (kind, source) in [TASKS, BATCHES] {
        let union = if kind == 0 { "" } else { " UNION ALL " };
        query.push(format!(
            "{union}SELECT * FROM (SELECT CAST({kind} AS BIGINT) AS kind, e.id, e.created_at FROM {source}"
        ));
        push_when(&mut query, user, filter);
        query.push(" ORDER BY e.created_at DESC, e.id DESC LIMIT ").push_bind(reach);
        query.push(format!(") AS source{kind}"));
    }
    query.push(") AS entries ORDER BY created_at DESC, kind DESC, id DESC LIMIT ");
    query.push_bind(i64::from(page.size)).push(" OFFSET ").push_bind(offset(page));
    Ok(query.build_query_as().fetch_all(db).await?)
}

async fn total(db: &mut Db, user: UserId, filter: &TaskFilter) -> StoreResult<u64> {
    let mut total = 0;
    for (_, source) in [TASKS, BATCHES] {
        let mut query =
            QueryBuilder::<Database>::new(format!("SELECT COUNT(*) FROM (SELECT 1 AS one FROM {source}"));
        push_when(&mut query, user, filter);
        query.push(" LIMIT ").push_bind(MAX_COUNTED).push(") AS found");
        let matches: i64 = query.build_query_scalar().fetch_one(&mut *db).await?;
        total += matches;
    }
    count(total.min(MAX_COUNTED))
}

fn push_when(query: &mut QueryBuilder<Database>, user: UserId, filter: &TaskFilter) {
    query.push_bind(user.0);
    if let Some(from) = filter.from {
        query.push(" AND e.created_at >= ").push_bind(from);
    }
    if let Some(to) = filter.to {
        query.push(" AND e.created_at < ").push_bind(to);
    }
}
