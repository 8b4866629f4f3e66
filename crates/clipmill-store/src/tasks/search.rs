//! Search for tasks by words. The tasks of the rarest word are scanned in batches, newest first, and checked for the
//! other words. The scan begins at the oldest of the words' newest tasks, so that words of old tasks cost no more
//! than those of new ones. Tasks are ordered by ID, which is the order of submission.

use clipmill_core::ids::UserId;
use clipmill_core::search;
use sqlx::QueryBuilder;

use super::super::rows::{Database, Db, code, count, offset};
use crate::common::error::StoreResult;
use crate::common::page::Page;
use crate::tasks::TaskFilter;

/// The most tasks that are counted.
pub const MAX_COUNTED: i64 = 10_000;
/// If a word has more tasks than this, scanning the newest tasks quickly yields enough of them, if there are new ones.
const MANY: i64 = 100_000;
/// With more than one condition, the most tasks that are scanned only to count matches.
const LOOKED_THROUGH: i64 = 2_000;
/// The most words with one prefix that are looked up one by one.
const MAX_PREFIX_MATCHES: usize = 100;
/// The first batch of tasks; each one after it is twice as large.
const FIRST_BATCH: i64 = 100;
const LARGEST_BATCH: i64 = 64_000;

/// A label as an entry of the index of words. Labels contain no control characters.
pub fn word_of_label(label: &str) -> String {
    format!("#{label}")
}

/// A word or prefix that a task must have.
pub struct SearchWord {
    text: String,
    /// The end of the range of words with this prefix; without it, only the word itself matches.
    end: Option<String>,
}

impl SearchWord {
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

/// A search.
pub struct Search<'a> {
    user: UserId,
    filter: &'a TaskFilter,
    /// The rarest word first, once determined.
    pub words: Vec<SearchWord>,
    /// The number of tasks with the rarest word, once determined.
    rarest_count: i64,
}

impl<'a> Search<'a> {
    pub fn new(user: UserId, filter: &'a TaskFilter) -> Self {
        let beginnings = filter.words.as_deref().map(search::beginnings).unwrap_or_default();
        let label = filter.label.as_deref().map(|label| SearchWord::whole(word_of_label(label)));
        let words = beginnings.into_iter().map(SearchWord::beginning).chain(label).collect();
        Self { user, filter, words, rarest_count: 0 }
    }

    /// Determines the rarest word, for a statement about tasks with the conditions of [`Search::push_where`].
    pub async fn prepare(mut self, db: &mut Db) -> StoreResult<Self> {
        self.rarest_count = self.sort(db, MANY).await?;
        Ok(self)
    }

    /// The conditions, after `tasks t`.
    pub fn push_where(&self, query: &mut QueryBuilder<Database>) {
        match self.words.first() {
            // In this case no index of the user's tasks should be used.
            Some(rarest) if self.rarest_count <= MANY => {
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

    /// The IDs of a page, and the number of tasks (a lower bound for words of many tasks).
    pub async fn find(mut self, db: &mut Db, page: Page) -> StoreResult<(Vec<i64>, u64)> {
        let rows = self.sort(db, MAX_COUNTED).await?;
        let alone = self.words.len() == 1 && !self.filter.narrows_tasks();
        let meant = self.meant(db).await?;
        let Some((oldest, newest)) = range(&meant) else { return Ok((Vec::new(), 0)) };
        let source = match meant.into_iter().next().flatten() {
            Some(words) => Source::Words(words.into_iter().map(|(word, ..)| word).collect()),
            None if rows <= MAX_COUNTED => Source::Beginning,
            None => Source::Tasks,
        };
        let skipped = usize::try_from(offset(page)).unwrap_or(usize::MAX);
        let needed_matches = skipped.saturating_add(usize::try_from(page.size).unwrap_or(usize::MAX));
        let counted = match alone {
            true if rows > MAX_COUNTED => 0,
            true => i64::MAX,
            false => LOOKED_THROUGH,
        };
        let (mut matches, mut searched_tasks, mut before, mut max) =
            (Vec::new(), 0_i64, newest + 1, FIRST_BATCH);
        let mut all = false;
        while !all && (matches.len() <= needed_matches || searched_tasks < counted) {
            let batch = self.batch(db, &source, oldest, before, max).await?;
            let (last, among) = batch.last().map_or((before, 0), |(id, _, among)| (*id, *among));
            all = among < max;
            searched_tasks += among;
            before = last;
            matches.extend(batch.into_iter().filter(|(_, has, _)| *has).map(|(id, ..)| id));
            max = (max * 2).min(LARGEST_BATCH);
        }
        let total = match count(MAX_COUNTED)? {
            max if alone && !all => max,
            max => max.min(matches.len() as u64),
        };
        Ok((matches.into_iter().skip(skipped).take(page.size as usize).collect(), total))
    }

    /// Puts the rarest word first; returns its number of tasks, at most `max` + 1.
    async fn sort(&mut self, db: &mut Db, max: i64) -> StoreResult<i64> {
        let mut sized = Vec::new();
        for word in std::mem::take(&mut self.words) {
            sized.push((self.rows_of(db, &word, max).await?, word));
        }
        sized.sort_by_key(|(rows, _)| *rows);
        let rarest_count = sized.first().map_or(0, |(rows, _)| *rows);
        self.words = sized.into_iter().map(|(_, word)| word).collect();
        Ok(rarest_count)
    }

    async fn rows_of(&self, db: &mut Db, word: &SearchWord, max: i64) -> StoreResult<i64> {
        let mut query = QueryBuilder::new("SELECT COUNT(*) FROM (SELECT 1 AS one FROM task_words x WHERE ");
        query.push("x.user_id = ").push_bind(self.user.0).push(" AND ");
        word.push(&mut query, "x");
        query.push(" LIMIT ").push_bind(max + 1).push(") AS found");
        Ok(query.build_query_scalar().fetch_one(db).await?)
    }

    /// The whole words that match each of `self.words`; none if there are too many.
    async fn meant(&self, db: &mut Db) -> StoreResult<Vec<Option<Vec<IndexedWord>>>> {
        let mut meant = Vec::new();
        for word in &self.words {
            let end = word.end.clone().unwrap_or_else(|| format!("{}\u{1}", word.text));
            // Words contain no control characters. Each is looked up starting from the previous one: there may be a
            // million rows between them.
            let words: Vec<IndexedWord> = sqlx::query_as(
                "WITH RECURSIVE meant (word) AS (
                     SELECT MIN(x.word) FROM task_words x WHERE x.user_id = $1 AND x.word >= $2 AND x.word < $3
                     UNION ALL
                     SELECT (SELECT MIN(x.word) FROM task_words x
                              WHERE x.user_id = $1 AND x.word > meant.word AND x.word < $3)
                       FROM meant WHERE meant.word IS NOT NULL)
                 SELECT word, (SELECT MIN(x.task_id) FROM task_words x WHERE x.user_id = $1 AND x.word = meant.word),
                        (SELECT MAX(x.task_id) FROM task_words x WHERE x.user_id = $1 AND x.word = meant.word)
                   FROM meant WHERE word IS NOT NULL LIMIT $4",
            )
            .bind(self.user.0)
            .bind(&word.text)
            .bind(end)
            .bind((MAX_PREFIX_MATCHES + 1) as i64)
            .fetch_all(&mut *db)
            .await?;
            meant.push((words.len() <= MAX_PREFIX_MATCHES).then_some(words));
        }
        Ok(meant)
    }

    /// Matches among the next tasks, newest first, and the last scanned task; whether each is a match; and how many
    /// were scanned.
    async fn batch(
        &self,
        db: &mut Db,
        source: &Source,
        oldest: i64,
        before: i64,
        max: i64,
    ) -> StoreResult<Vec<(i64, bool, i64)>> {
        let mut query = QueryBuilder::new("WITH c AS (");
        self.push_candidates(&mut query, source, oldest, before, max);
        // Of the tasks that do not match, only the last is returned: the next batch begins there.
        query.push("), h AS (SELECT c.id AS id, 1 = 1");
        let others = match source {
            Source::Tasks => &self.words[..],
            _ => self.words.get(1..).unwrap_or_default(),
        };
        others.iter().for_each(|word| push_has(&mut query, word, "c.id"));
        if self.filter.narrows_tasks() {
            query.push(" AND EXISTS (SELECT 1 FROM tasks t WHERE t.id = c.id");
            push_filter(&mut query, self.filter);
            query.push(")");
        }
        query.push(
            " AS has FROM c) SELECT h.id, h.has, (SELECT COUNT(*) FROM c) FROM h
               WHERE h.has OR h.id = (SELECT MIN(c.id) FROM c) ORDER BY h.id DESC",
        );
        Ok(query.build_query_as().fetch_all(db).await?)
    }

    fn push_candidates(
        &self,
        query: &mut QueryBuilder<Database>,
        source: &Source,
        oldest: i64,
        before: i64,
        max: i64,
    ) {
        let push_bounds = |query: &mut QueryBuilder<Database>, id: &str| {
            query.push(format!(" AND {id} >= ")).push_bind(oldest);
            query.push(format!(" AND {id} < ")).push_bind(before);
        };
        let push_end = |query: &mut QueryBuilder<Database>| {
            query.push(" ORDER BY id DESC LIMIT ").push_bind(max);
        };
        match source {
            Source::Tasks => {
                query.push("SELECT t.id AS id FROM tasks t WHERE t.user_id = ").push_bind(self.user.0);
                push_bounds(query, "t.id");
            }
            Source::Beginning => {
                query.push("SELECT DISTINCT x.task_id AS id FROM task_words x WHERE x.user_id = ");
                query.push_bind(self.user.0).push(" AND ");
                self.words.iter().take(1).for_each(|word| word.push(query, "x"));
                push_bounds(query, "x.task_id");
            }
            Source::Words(words) => {
                for (place, word) in words.iter().enumerate() {
                    query.push(if place == 0 { "SELECT id FROM (" } else { " UNION SELECT id FROM (" });
                    query.push("SELECT x.task_id AS id FROM task_words x WHERE x.user_id = ");
                    query.push_bind(self.user.0).push(" AND x.word = ").push_bind(word.clone());
                    push_bounds(query, "x.task_id");
                    push_end(query);
                    query.push(format!(") AS w{place}"));
                }
            }
        }
        push_end(query);
    }
}

/// A whole word, and the oldest and the newest task that have it.
type IndexedWord = (String, i64, i64);

/// The oldest and the newest task that may have all words; none if no task can.
fn range(meant: &[Option<Vec<IndexedWord>>]) -> Option<(i64, i64)> {
    let (mut oldest, mut newest) = (0, i64::MAX - 1);
    for words in meant.iter().flatten() {
        oldest = oldest.max(words.iter().map(|(_, first, _)| *first).min()?);
        newest = newest.min(words.iter().map(|(.., last)| *last).max()?);
    }
    (oldest <= newest).then_some((oldest, newest))
}

/// The source of the tasks to scan.
enum Source {
    /// All tasks of the user.
    Tasks,
    /// The tasks of the rarest word, which is a prefix of more words than are looked up one by one.
    Beginning,
    /// The tasks of the whole words that match the rarest one.
    Words(Vec<String>),
}

/// The columns of tasks, after a condition.
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

fn push_has(query: &mut QueryBuilder<Database>, word: &SearchWord, id: &str) {
    query.push(format!(" AND EXISTS (SELECT 1 FROM task_words w WHERE w.task_id = {id} AND "));
    word.push(query, "w");
    query.push(")");
}
