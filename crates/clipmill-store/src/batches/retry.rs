//! Retrying a row: its failed task leaves the batch, and the row waits to become another one.

use clipmill_core::message;
use clipmill_core::task::TaskState;

use super::super::accounts::points::holds::{self, HoldOwner};
use super::super::accounts::points::{ledger, limits};
use super::super::rows::{Db, code, column, count, from_json, state};
use super::write::{above_quota, points, too_many_open};
use crate::batches::{BatchRefusal, RetryOutcome, RowItem, RowRetry, RowState};
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::from_row::from_row;

from_row! {
    struct EndedRow {
        id: i64,
        max_points: Option<i64>,
        cancelled_at: Option<Millis>,
        finished_at: Option<Millis>,
        state: String,
        items: String,
        task_no: Option<String>,
        task_state: Option<i64>,
        total_items: Option<i64>,
        completed_items: Option<i64>,
    }
}

impl EndedRow {
    /// Whether it was refused, or its task has ended without all of its outputs.
    fn has_failed(&self) -> StoreResult<bool> {
        if self.task_no.is_none() {
            return Ok(self.state == RowState::Refused.as_str());
        }
        let Some(task_state) = self.task_state else { return Ok(false) };
        Ok(state(task_state)?.is_final() && self.completed_items < self.total_items)
    }
}

/// Lets a failed row wait to become another task, which takes the place of its earlier one; the batch is open again, and no
/// longer paused if it had ended. `None` if the user has no such row.
pub async fn retry_row(db: &mut Db, retry: &RowRetry, now: Millis) -> StoreResult<Option<RetryOutcome>> {
    let RowRetry { user, batch_no, row, max_open, quota } = retry;
    let available = ledger::balance_to_change(db, *user).await?.available;
    let stored: Option<EndedRow> = sqlx::query_as(
        "SELECT b.id, b.max_points, b.cancelled_at, b.finished_at, r.state, r.items, r.task_no,
                t.state AS task_state, t.total_items, t.completed_items
           FROM batches b JOIN batch_rows r ON r.batch_id = b.id LEFT JOIN tasks t ON t.task_no = r.task_no
          WHERE b.batch_no = $1 AND b.user_id = $2 AND r.row_no = $3",
    )
    .bind(batch_no.as_str())
    .bind(user.0)
    .bind(i64::from(*row))
    .fetch_optional(&mut *db)
    .await?;
    let Some(stored) = stored else { return Ok(None) };
    if stored.cancelled_at.is_some() {
        return Ok(Some(RetryOutcome::Cancelled));
    }
    if !stored.has_failed()? {
        return Ok(Some(RetryOutcome::NotFailed));
    }
    let needed = points(&from_json::<Vec<RowItem>>(&stored.items)?);
    if let Some(max_points) = stored.max_points.map(count).transpose()? {
        let price = limits::committed(db, stored.id).await?.saturating_add(needed);
        if price > max_points {
            return Ok(Some(RetryOutcome::Refused(BatchRefusal::AboveLimit { price, max_points })));
        }
    }
    if i64::try_from(needed).is_ok_and(|needed| needed > available) {
        return Ok(Some(RetryOutcome::Refused(BatchRefusal::InsufficientPoints { needed, available })));
    }
    if stored.finished_at.is_some()
        && let Some(refused) = too_many_open(db, *user, *max_open).await?
    {
        return Ok(Some(RetryOutcome::Refused(refused)));
    }
    if let Some(refused) = above_quota(db, *user, quota, now).await? {
        return Ok(Some(RetryOutcome::Refused(refused)));
    }
    let held_for = HoldOwner { user: *user, number: batch_no.as_str(), item_no: *row };
    holds::place(db, held_for, needed, message::held_for_retry(), now).await?;
    reopen(db, &stored, *row, needed).await?;
    Ok(Some(RetryOutcome::Waiting))
}

async fn reopen(db: &mut Db, stored: &EndedRow, row: u32, needed: u64) -> StoreResult<()> {
    // The price limit of the batch counts what the replaced task was charged.
    sqlx::query(
        "UPDATE batch_rows SET state = 'waiting', task_no = NULL, error = NULL, message_code = NULL,
                retries = retries + 1,
                replaced_points = replaced_points
                    + COALESCE((SELECT t.consumed_points FROM tasks t WHERE t.task_no = batch_rows.task_no), 0)
          WHERE batch_id = $1 AND row_no = $2",
    )
    .bind(stored.id)
    .bind(i64::from(row))
    .execute(&mut *db)
    .await?;
    sqlx::query("UPDATE tasks SET batch_id = NULL, batch_row = NULL WHERE task_no = $1")
        .bind(&stored.task_no)
        .execute(&mut *db)
        .await?;
    // The points of a refused row were not counted when the batch was submitted.
    let first_held = if stored.task_no.is_none() { needed } else { 0 };
    sqlx::query(
        "UPDATE batches SET state = $3, paused_at = CASE WHEN finished_at IS NULL THEN paused_at END,
                finished_at = NULL, submitted_points = submitted_points + $2
          WHERE id = $1",
    )
    .bind(stored.id)
    .bind(column(first_held, "points")?)
    .bind(code(TaskState::Executing))
    .execute(&mut *db)
    .await?;
    // The end that it reports is no longer true.
    sqlx::query("DELETE FROM outbox WHERE batch_id = $1").bind(stored.id).execute(db).await?;
    Ok(())
}
