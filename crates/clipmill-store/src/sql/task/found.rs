//! Tasks found by words: by way of the words where few tasks have one, else among the newest first.
//!
//! Tasks come in the order of their ids then, which is that of their submission.

use clipmill_core::ids::UserId;
use clipmill_core::search;
use sqlx::QueryBuilder;

use super::super::money::records::offset;
use super::super::rows::{Database, Db, code, count};
use crate::error::StoreResult;
use crate::model::*;

/// So many are counted and no more.
pub const MOST_COUNTED: i64 = 10_000;
/// A word of no more tasks than this leads to them at once.
const FEW: i64 = 20_000;
/// With more than this, walking the newest tasks finds enough of them soon, if there are new ones.
const MANY: i64 = 100_000;
/// Tasks that are looked through for a page before the words are asked, and for a number of tasks.
const WINDOW: i64 = 5_000;
const COUNTED_AMONG: i64 = 100_000;

/// A label as an entry of the index of words. Labels contain no control characters.
pub fn word_of_label(label: &str) -> String {
    format!("#{label}")
}

/// What a task is to have among its words.
pub struct Word {
    text: String,
    /// Where words that begin so end; without it, only the word itself is meant.
    end: Option<String>,
}

impl Word {
    pub fn beginning(text: String) -> Self {
        Self { end: Some(format!("{text}\u{10FFFF}")), text }
    }

    pub fn whole(text: String) -> Self {
        Self { text, end: None }
    }

    fn push(&self, query: &mut QueryBuilder<Database>, table: &str) {
        match &self.end {
            None => query.push(format!("{table}.word = ")).push_bind(self.text.clone()),
            Some(end) => query
                .push(format!("{table}.word >= "))
                .push_bind(self.text.clone())
                .push(format!(" AND {table}.word < "))
                .push_bind(end.clone()),
        };
    }
}

/// What is looked for.
pub struct Search<'a> {
    user: UserId,
    filter: &'a TaskFilter,
    /// The rarest first, once that is known.
    pub words: Vec<Word>,
    /// How often the rarest stands, once that is known.
    least: i64,
}

impl<'a> Search<'a> {
    pub fn new(user: UserId, filter: &'a TaskFilter) -> Self {
        let beginnings = filter.words.as_deref().map(search::beginnings).unwrap_or_default();
        let label = filter.label.as_deref().map(|label| Word::whole(word_of_label(label)));
        let words = beginnings.into_iter().map(Word::beginning).chain(label).collect();
        Self { user, filter, words, least: 0 }
    }

    /// Looks for the rarest word, for a statement about tasks that [`Search::push_where`] narrows.
    pub async fn prepare(mut self, db: &mut Db) -> StoreResult<Self> {
        self.least = self.sort(db, MANY).await?;
        Ok(self)
    }

    /// The conditions, after `tasks t`.
    pub fn push_where(&self, query: &mut QueryBuilder<Database>) {
        match self.words.first() {
            // In this case no index of the user's tasks should be used.
            Some(rarest) if self.least <= MANY => {
                query.push(" WHERE +t.user_id = ").push_bind(self.user.0);
                query.push(" AND t.id IN (SELECT x.task_id FROM task_words x WHERE x.user_id = ");
                query.push_bind(self.user.0).push(" AND ");
                rarest.push(query, "x");
                query.push(")");
            }
            _ => {
                query.push(" WHERE t.user_id = ").push_bind(self.user.0);
            }
        }
        push_filter(query, self.filter);
        self.words.iter().for_each(|word| push_has(query, word, "t.id"));
    }

    /// The ids of a page, and how many tasks there are.
    pub async fn find(mut self, db: &mut Db, page: Page) -> StoreResult<(Vec<i64>, u64)> {
        let least = self.sort(db, FEW).await?;
        let alone = self.words.len() == 1 && !self.filter.narrows_tasks();
        if alone && self.words.iter().all(|word| word.end.is_none()) {
            return Ok((self.of_word(db, page).await?, count(least.min(MOST_COUNTED))?));
        }
        if least <= FEW {
            return self.by_words(db, page).await;
        }
        if alone {
            let ids = match self.newest(db, page).await? {
                Some(ids) => ids,
                None => self.by_words(db, page).await?.0,
            };
            return Ok((ids, count(MOST_COUNTED)?));
        }
        if self.sort(db, MANY).await? <= MANY {
            return self.by_words(db, page).await;
        }
        let among = self.count_newest(db).await?;
        match self.newest(db, page).await? {
            Some(ids) if among >= MOST_COUNTED => Ok((ids, count(among)?)),
            _ => self.by_words(db, page).await,
        }
    }

    /// Puts the rarest word first; answers how often it stands, but one more than `most` at most.
    async fn sort(&mut self, db: &mut Db, most: i64) -> StoreResult<i64> {
        let mut sized = Vec::new();
        for word in std::mem::take(&mut self.words) {
            sized.push((self.rows_of(db, &word, most).await?, word));
        }
        sized.sort_by_key(|(rows, _)| *rows);
        let least = sized.first().map_or(0, |(rows, _)| *rows);
        self.words = sized.into_iter().map(|(_, word)| word).collect();
        Ok(least)
    }

    async fn rows_of(&self, db: &mut Db, word: &Word, most: i64) -> StoreResult<i64> {
        let mut query = QueryBuilder::new("SELECT COUNT(*) FROM (SELECT 1 AS one FROM task_words x WHERE ");
        query.push("x.user_id = ").push_bind(self.user.0).push(" AND ");
        word.push(&mut query, "x");
        query.push(" LIMIT ").push_bind(most + 1).push(") AS found");
        Ok(query.build_query_scalar().fetch_one(db).await?)
    }

    /// Of a single whole word, as its index has them.
    async fn of_word(&self, db: &mut Db, page: Page) -> StoreResult<Vec<i64>> {
        let mut query = QueryBuilder::new("SELECT x.task_id FROM task_words x WHERE x.user_id = ");
        query.push_bind(self.user.0);
        for word in &self.words {
            query.push(" AND ");
            word.push(&mut query, "x");
        }
        query.push(" ORDER BY x.task_id DESC LIMIT ").push_bind(i64::from(page.size));
        query.push(" OFFSET ").push_bind(offset(page));
        Ok(query.build_query_scalar().fetch_all(db).await?)
    }

    /// All tasks of the first word that have the others, put together once.
    async fn by_words(&self, db: &mut Db, page: Page) -> StoreResult<(Vec<i64>, u64)> {
        let mut query =
            QueryBuilder::new("WITH found AS MATERIALIZED (SELECT x.task_id AS id FROM task_words x");
        if self.filter.narrows_tasks() {
            query.push(" JOIN tasks t ON t.id = x.task_id");
        }
        query.push(" WHERE x.user_id = ").push_bind(self.user.0);
        let mut words = self.words.iter();
        if let Some(first) = words.next() {
            query.push(" AND ");
            first.push(&mut query, "x");
        }
        push_filter(&mut query, self.filter);
        words.for_each(|word| push_has(&mut query, word, "x.task_id"));
        query
            .push(" GROUP BY x.task_id) SELECT id, (SELECT COUNT(*) FROM (SELECT 1 AS one FROM found LIMIT ");
        query.push_bind(MOST_COUNTED).push(") AS counted) AS total FROM found ORDER BY id DESC LIMIT ");
        query.push_bind(i64::from(page.size)).push(" OFFSET ").push_bind(offset(page));
        let rows: Vec<(i64, i64)> = query.build_query_as().fetch_all(&mut *db).await?;
        match rows.first() {
            Some((_, total)) => Ok((rows.iter().map(|(id, _)| *id).collect(), count(*total)?)),
            // Beyond the last page the number stands in no row.
            None if page.number > 1 => {
                let (_, total) = Box::pin(self.by_words(db, Page { number: 1, size: 1 })).await?;
                Ok((Vec::new(), total))
            }
            None => Ok((Vec::new(), 0)),
        }
    }

    /// A page of the newest tasks, where these fill it.
    async fn newest(&self, db: &mut Db, page: Page) -> StoreResult<Option<Vec<i64>>> {
        let wanted = offset(page).saturating_add(i64::from(page.size));
        let mut query = QueryBuilder::new("SELECT t.id FROM (");
        self.push_newest(&mut query, WINDOW.saturating_add(wanted.saturating_mul(20)).min(COUNTED_AMONG));
        query.push(" ORDER BY t.id DESC LIMIT ").push_bind(i64::from(page.size));
        query.push(" OFFSET ").push_bind(offset(page));
        let ids: Vec<i64> = query.build_query_scalar().fetch_all(db).await?;
        Ok((ids.len() as u64 == u64::from(page.size)).then_some(ids))
    }

    async fn count_newest(&self, db: &mut Db) -> StoreResult<i64> {
        let mut query = QueryBuilder::new("SELECT COUNT(*) FROM (SELECT 1 AS one FROM (");
        self.push_newest(&mut query, COUNTED_AMONG);
        query.push(" LIMIT ").push_bind(MOST_COUNTED).push(") AS found");
        Ok(query.build_query_scalar().fetch_one(db).await?)
    }

    /// Those of so many newest tasks that have all words; after `FROM (`.
    fn push_newest(&self, query: &mut QueryBuilder<Database>, most: i64) {
        query.push("SELECT t.id FROM tasks t WHERE t.user_id = ").push_bind(self.user.0);
        push_filter(query, self.filter);
        query
            .push(" ORDER BY t.created_at DESC, t.id DESC LIMIT ")
            .push_bind(most)
            .push(") AS t WHERE 1 = 1");
        self.words.iter().for_each(|word| push_has(query, word, "t.id"));
    }
}

/// What tasks themselves say, after a condition.
pub fn push_filter(query: &mut QueryBuilder<Database>, filter: &TaskFilter) {
    if let Some(state) = filter.state {
        query.push(" AND t.state = ").push_bind(code(state));
    }
    if let Some(kind) = filter.task_type {
        query.push(" AND t.task_type = ").push_bind(kind.as_str());
    }
    if let Some(from) = filter.from {
        query.push(" AND t.created_at >= ").push_bind(from);
    }
    if let Some(to) = filter.to {
        query.push(" AND t.created_at < ").push_bind(to);
    }
}

pub fn push_list(query: &mut QueryBuilder<Database>, ids: &[i64]) {
    let mut list = query.separated(", ");
    for id in ids {
        list.push_bind(*id);
    }
}

fn push_has(query: &mut QueryBuilder<Database>, word: &Word, id: &str) {
    query.push(format!(" AND EXISTS (SELECT 1 FROM task_words w WHERE w.task_id = {id} AND "));
    word.push(query, "w");
    query.push(")");
}
