//! Lists of a user's tasks, newest first, made to be fast with a million tasks.

use clipmill_core::ids::UserId;
use clipmill_core::request::model::TaskType;
use clipmill_core::search;
use sqlx::QueryBuilder;

use super::super::money::records::offset;
use super::super::rows::{Database, Db, code, count};
use super::super::states::{live, planned, unstarted};
use super::outputs;
use super::tasks::{TaskRow, select_task, task_record};
use crate::error::StoreResult;
use crate::model::*;

/// When words or times narrow a list, counting stops at this number.
const MOST_COUNTED: i64 = 10_000;
/// A word that at most this many tasks have is looked up in the index of words; for a more frequent word the newest tasks
/// are scanned, which finds it soon.
const FEW: i64 = 20_000;

/// A label as an entry of the index of words. Labels contain no control characters.
pub fn word_of_label(label: &str) -> String {
    format!("#{label}")
}

pub async fn list(
    db: &mut Db,
    user: UserId,
    filter: &TaskFilter,
    page: Page,
) -> StoreResult<Paged<TaskRecord>> {
    let narrow = Narrow::of(db, user, filter).await?;
    let total = if narrow.is_counted() { counted(db, user, filter).await? } else { narrow.count(db).await? };
    let ids = narrow.page(db, page).await?;
    if ids.is_empty() {
        return Ok(Paged { list: Vec::new(), total });
    }
    let mut query = QueryBuilder::<Database>::new(select_task!("WHERE t.id IN ("));
    push_list(&mut query, &ids);
    query.push(") ORDER BY t.created_at DESC, t.id DESC");
    let rows: Vec<TaskRow> = query.build_query_as().fetch_all(&mut *db).await?;
    let mut list: Vec<TaskRecord> = rows.into_iter().map(task_record).collect::<StoreResult<_>>()?;
    outputs::add_first(db, &mut list).await?;
    Ok(Paged { list, total })
}

/// The number of tasks, from the counters.
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

/// What a list is narrowed to.
pub(super) struct Narrow<'a> {
    user: UserId,
    filter: &'a TaskFilter,
    /// Ranges of words, the end excluded.
    words: Vec<(String, String)>,
    /// The rarest word, if few tasks have it.
    rarest: Option<(String, String)>,
}

impl<'a> Narrow<'a> {
    pub async fn of(db: &mut Db, user: UserId, filter: &'a TaskFilter) -> StoreResult<Self> {
        let beginnings = filter.words.as_deref().map(search::beginnings).unwrap_or_default();
        let mut words: Vec<_> =
            beginnings.into_iter().map(|word| (word.clone(), word + "\u{10FFFF}")).collect();
        let label = filter.label.as_deref().map(word_of_label);
        words.extend(label.map(|label| (label.clone(), label + "\u{1}")));
        let mut rarest: Option<(i64, &(String, String))> = None;
        for word in &words {
            let found = tasks_of(db, user, word).await?;
            if found <= FEW && rarest.is_none_or(|(fewest, _)| found < fewest) {
                rarest = Some((found, word));
            }
        }
        let rarest = rarest.map(|(_, word)| word.clone());
        Ok(Self { user, filter, words, rarest })
    }

    /// Whether the counters know the number of tasks.
    fn is_counted(&self) -> bool {
        self.words.is_empty() && self.filter.from.is_none() && self.filter.to.is_none()
    }

    async fn count(&self, db: &mut Db) -> StoreResult<u64> {
        let mut query = QueryBuilder::new("SELECT COUNT(*) FROM (SELECT 1 AS one FROM tasks t");
        self.push_where(&mut query);
        query.push(" LIMIT ").push_bind(MOST_COUNTED).push(") AS found");
        count(query.build_query_scalar().fetch_one(db).await?)
    }

    async fn page(&self, db: &mut Db, page: Page) -> StoreResult<Vec<i64>> {
        let mut query = QueryBuilder::new("SELECT t.id FROM tasks t");
        self.push_where(&mut query);
        query.push(" ORDER BY t.created_at DESC, t.id DESC LIMIT ").push_bind(i64::from(page.size));
        query.push(" OFFSET ").push_bind(offset(page));
        Ok(query.build_query_scalar().fetch_all(db).await?)
    }

    pub fn push_where(&self, query: &mut QueryBuilder<Database>) {
        match &self.rarest {
            // In this case no index of the user's tasks should be used.
            Some((first, end)) => {
                query.push(" WHERE +t.user_id = ").push_bind(self.user.0);
                query.push(" AND t.id IN (SELECT x.task_id FROM task_words x WHERE x.user_id = ");
                query.push_bind(self.user.0).push(" AND x.word >= ").push_bind(first.clone());
                query.push(" AND x.word < ").push_bind(end.clone()).push(")");
            }
            None => {
                query.push(" WHERE t.user_id = ").push_bind(self.user.0);
            }
        }
        if let Some(state) = self.filter.state {
            query.push(" AND t.state = ").push_bind(code(state));
        }
        if let Some(kind) = self.filter.task_type {
            query.push(" AND t.task_type = ").push_bind(kind.as_str());
        }
        if let Some(from) = self.filter.from {
            query.push(" AND t.created_at >= ").push_bind(from);
        }
        if let Some(to) = self.filter.to {
            query.push(" AND t.created_at < ").push_bind(to);
        }
        for (first, end) in &self.words {
            query.push(" AND EXISTS (SELECT 1 FROM task_words w WHERE w.task_id = t.id AND w.word >= ");
            query.push_bind(first.clone()).push(" AND w.word < ").push_bind(end.clone()).push(")");
        }
    }
}

/// How many tasks have such a word, counted up to one more than a few.
async fn tasks_of(db: &mut Db, user: UserId, (first, end): &(String, String)) -> StoreResult<i64> {
    Ok(sqlx::query_scalar(
        "SELECT COUNT(*) FROM (SELECT 1 AS one FROM task_words WHERE user_id = $1 AND word >= $2 AND word < $3
                                LIMIT $4) AS found",
    )
    .bind(user.0)
    .bind(first)
    .bind(end)
    .bind(FEW + 1)
    .fetch_one(db)
    .await?)
}

pub(super) fn push_list(query: &mut QueryBuilder<Database>, ids: &[i64]) {
    let mut list = query.separated(", ");
    for id in ids {
        list.push_bind(*id);
    }
}
