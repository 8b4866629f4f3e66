//! Shares of tasks.

use std::collections::HashMap;

use async_trait::async_trait;
use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::request::SharePage;
use sqlx::QueryBuilder;

use super::super::dialect::{Handle, is_conflict};
use super::super::feedback::sql as feedback;
use super::super::rows::{Database, Db, count32, from_json, task_no, to_json};
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use crate::accounts::shares::{NewShare, ShareOutcome, ShareRecord, ShareStore, SharedTask};
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::common::from_row::from_row;

#[async_trait]
impl ShareStore for Handle {
    async fn add(&self, user: UserId, new: NewShare, now: Millis) -> StoreResult<ShareOutcome> {
        unit!(self, at now, new; tx => add(tx, user, &new, now.ms))
    }

    async fn find(&self, id: i64) -> StoreResult<Option<ShareRecord>> {
        snapshot!(self; tx => get(tx, id))
    }

    async fn list(&self, user: UserId, task_no: &TaskNo) -> StoreResult<Vec<ShareRecord>> {
        snapshot!(self, task_no; tx => of_task(tx, user, &task_no))
    }

    async fn revoke(&self, user: UserId, task_no: &TaskNo, id: i64, now: Millis) -> StoreResult<bool> {
        unit!(self, at now, task_no; tx => revoke(tx, user, &task_no, id, now.ms))
    }
}

const SELECT: &str = "SELECT s.id, t.task_no, s.items, s.expires_at, s.created_at, s.revoked_at,
            s.page_title, s.page_message, s.feedback
       FROM shares s JOIN tasks t ON t.id = s.task_id";

/// Shares that show something of the task `$1`.
macro_rules! of_task {
    () => {
        "(SELECT o.id FROM shares o WHERE o.task_id = $1
          UNION SELECT x.share_id FROM share_tasks x WHERE x.task_id = $1)"
    };
}

from_row! {
    struct Found {
        id: i64,
        total_items: i64,
        finished_at: Option<Millis>,
    }
}

pub async fn add(db: &mut Db, user: UserId, new: &NewShare, now: Millis) -> StoreResult<ShareOutcome> {
    let tasks = match find(db, user, new).await? {
        Ok(tasks) => tasks,
        Err(refusal) => return Ok(refusal),
    };
    for task in &tasks {
        if open_shares(db, task.id).await? >= i64::from(new.max) {
            return Ok(ShareOutcome::TooMany { limit: new.max });
        }
    }
    // A deleted task leaves the share to the remaining tasks.
    let last = |(_, task): &(usize, &Found)| (task.finished_at.unwrap_or(Millis::MAX), task.id);
    let Some((own, task)) = tasks.iter().enumerate().max_by_key(last) else {
        return Err(StoreError::NotFound);
    };
    let items = |at: usize| new.tasks.get(at).and_then(|(_, items)| items.as_ref()).map(to_json).transpose();
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO shares (task_id, items, expires_at, created_at, page_title, page_message, feedback)
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
    )
    .bind(task.id)
    .bind(items(own)?)
    .bind(new.expires_at)
    .bind(now)
    .bind(&new.page.title)
    .bind(&new.page.message)
    .bind(i64::from(new.page.feedback))
    .fetch_one(&mut *db)
    .await?;
    if tasks.len() > 1 {
        for (place, (at, task)) in (1_i64..).zip(tasks.iter().enumerate()) {
            sqlx::query("INSERT INTO share_tasks (share_id, place, task_id, items) VALUES ($1, $2, $3, $4)")
                .bind(id)
                .bind(place)
                .bind(task.id)
                .bind(items(at)?)
                .execute(&mut *db)
                .await?;
        }
    }
    Ok(ShareOutcome::Made(get(db, id).await?.ok_or(StoreError::NotFound)?))
}

/// The tasks of a share to create, or the error in it.
async fn find(db: &mut Db, user: UserId, new: &NewShare) -> StoreResult<Result<Vec<Found>, ShareOutcome>> {
    let (mut tasks, mut item_count) = (Vec::with_capacity(new.tasks.len()), 0_u64);
    for (at, (number, items)) in new.tasks.iter().enumerate() {
        let task: Option<Found> = sqlx::query_as(
            "SELECT id, total_items, finished_at FROM tasks WHERE task_no = $1 AND user_id = $2",
        )
        .bind(number.as_str())
        .bind(user.0)
        .fetch_optional(&mut *db)
        .await?;
        let Some(task) = task else { return Ok(Err(ShareOutcome::NoTask { task: at })) };
        let total = count32(task.total_items)?;
        if let Some(item) = items.iter().flatten().find(|item| **item > total) {
            return Ok(Err(ShareOutcome::NoItem { task: at, item: *item, total }));
        }
        item_count += items.as_ref().map_or(u64::from(total), |items| items.len() as u64);
        tasks.push(task);
    }
    if new.tasks.len() > 1 && item_count > u64::from(new.max_items) {
        return Ok(Err(ShareOutcome::TooManyItems { found: item_count }));
    }
    Ok(Ok(tasks))
}

async fn open_shares(db: &mut Db, task: i64) -> StoreResult<i64> {
    let open = concat!("SELECT COUNT(*) FROM shares s WHERE s.revoked_at IS NULL AND s.id IN ", of_task!());
    Ok(sqlx::query_scalar(open).bind(task).fetch_one(db).await?)
}

/// Shares of a disabled user are closed.
pub async fn get(db: &mut Db, id: i64) -> StoreResult<Option<ShareRecord>> {
    let mut query = QueryBuilder::<Database>::new(SELECT);
    query
        .push(" WHERE s.id = ")
        .push_bind(id)
        .push(" AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = t.user_id AND u.off_since IS NOT NULL)");
    let row: Option<ShareRow> = query.build_query_as().fetch_optional(&mut *db).await?;
    let rows: Vec<ShareRow> = row.into_iter().collect();
    Ok(records(db, rows).await?.pop())
}

/// The newest first.
pub async fn of_task(db: &mut Db, user: UserId, number: &TaskNo) -> StoreResult<Vec<ShareRecord>> {
    let Some(task) = own_task(db, user, number).await? else { return Ok(Vec::new()) };
    let of_task = concat!(
        "SELECT s.id, t.task_no, s.items, s.expires_at, s.created_at, s.revoked_at,
            s.page_title, s.page_message, s.feedback
           FROM shares s JOIN tasks t ON t.id = s.task_id WHERE s.id IN ",
        of_task!(),
        " ORDER BY s.id DESC LIMIT 1000"
    );
    let rows: Vec<ShareRow> = sqlx::query_as(of_task).bind(task).fetch_all(&mut *db).await?;
    records(db, rows).await
}

/// Returns whether the user has such a share; revoking is permanent and deletes its feedback.
pub async fn revoke(db: &mut Db, user: UserId, number: &TaskNo, id: i64, now: Millis) -> StoreResult<bool> {
    let Some(task) = own_task(db, user, number).await? else { return Ok(false) };
    let revoke = concat!(
        "UPDATE shares SET revoked_at = COALESCE(revoked_at, $3) WHERE id = $2 AND id IN ",
        of_task!()
    );
    let revoked = sqlx::query(revoke).bind(task).bind(id).bind(now).execute(&mut *db).await?;
    let is_revoked = revoked.rows_affected() == 1;
    if is_revoked {
        feedback::delete_all(db, id).await?;
    }
    Ok(is_revoked)
}

async fn own_task(db: &mut Db, user: UserId, number: &TaskNo) -> StoreResult<Option<i64>> {
    let task = sqlx::query_scalar("SELECT id FROM tasks WHERE task_no = $1 AND user_id = $2");
    Ok(task.bind(number.as_str()).bind(user.0).fetch_optional(db).await?)
}

from_row! {
    struct ShareRow {
        id: i64,
        task_no: String,
        items: Option<String>,
        expires_at: Option<Millis>,
        created_at: Millis,
        revoked_at: Option<Millis>,
        page_title: Option<String>,
        page_message: Option<String>,
        feedback: i64,
    }
}

from_row! {
    struct TaskRow {
        share_id: i64,
        place: i64,
        task_no: String,
        items: Option<String>,
    }
}

/// With the tasks of those that have several.
async fn records(db: &mut Db, rows: Vec<ShareRow>) -> StoreResult<Vec<ShareRecord>> {
    let mut query = QueryBuilder::<Database>::new(
        "SELECT x.share_id, x.place, t.task_no, x.items FROM share_tasks x JOIN tasks t ON t.id = x.task_id
          WHERE x.share_id IN (-1",
    );
    for row in &rows {
        query.push(", ").push_bind(row.id);
    }
    query.push(") ORDER BY x.share_id, x.place");
    let mut several: HashMap<i64, Vec<SharedTask>> = HashMap::new();
    for row in query.build_query_as::<TaskRow>().fetch_all(db).await? {
        let task = shared(Some(count32(row.place)?), &row.task_no, row.items.as_deref())?;
        several.entry(row.share_id).or_default().push(task);
    }
    let record = |row: ShareRow| {
        let own = shared(None, &row.task_no, row.items.as_deref())?;
        Ok(ShareRecord {
            id: row.id,
            task_no: own.task_no.clone(),
            items: own.items.clone(),
            tasks: several.remove(&row.id).unwrap_or_else(|| vec![own]),
            expires_at: row.expires_at,
            created_at: row.created_at,
            revoked_at: row.revoked_at,
            page: SharePage { title: row.page_title, message: row.page_message, feedback: row.feedback != 0 },
        })
    };
    rows.into_iter().map(record).collect()
}

fn shared(place: Option<u32>, number: &str, items: Option<&str>) -> StoreResult<SharedTask> {
    Ok(SharedTask { place, task_no: task_no(number)?, items: items.map(from_json).transpose()? })
}
