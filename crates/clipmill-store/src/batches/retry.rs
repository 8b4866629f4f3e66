//! Retrying a row: its failed task leaves the batch, and the row waits to become another one.

use clipmill_core::ids::{BatchNo, UserId};
use clipmill_core::message;

use super::super::accounts::points::holds::{self, HoldOwner};
use super::super::accounts::points::ledger;
use super::super::rows::{Db, column, from_json, state};
use super::write::points;
use crate::batches::{RetryOutcome, RowItem, RowState};
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::from_row::from_row;

from_row! {
    struct EndedRow {
        id: i64,
        cancelled_at: Option<Millis>,
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

/// Lets a failed row wait to become another task, which takes the place of its earlier one; the batch is open again.
/// `None` if the user has no such row.
pub async fn retry_row(
    db: &mut Db,
    user: UserId,
    batch_no: &BatchNo,
    row: u32,
    now: Millis,
) -> StoreResult<Option<RetryOutcome>> {
    let available = ledger::balance_to_change(db, user).await?.available;
    let stored: Option<EndedRow> = sqlx::query_as(
        "SELECT b.id, b.cancelled_at, r.state, r.items, r.task_no, t.state AS task_state, t.total_items,
                t.completed_items
           FROM batches b JOIN batch_rows r ON r.batch_id = b.id LEFT JOIN tasks t ON t.task_no = r.task_no
          WHERE b.batch_no = $1 AND b.user_id = $2 AND r.row_no = $3",
    )
    .bind(batch_no.as_str())
    .bind(user.0)
    .bind(i64::from(row))
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
    if i64::try_from(needed).is_ok_and(|needed| needed > available) {
        return Ok(Some(RetryOutcome::InsufficientPoints { needed, available }));
    }
    let held_for = HoldOwner { user, number: batch_no.as_str(), item_no: row };
    holds::place(db, held_for, needed, message::held_for_batch(), now).await?;
    sqlx::query("UPDATE tasks SET batch_id = NULL, batch_row = NULL WHERE task_no = $1")
        .bind(&stored.task_no)
        .execute(&mut *db)
        .await?;
    sqlx::query(
        "UPDATE batch_rows SET state = 'waiting', task_no = NULL, error = NULL, message_code = NULL,
                retries = retries + 1
          WHERE batch_id = $1 AND row_no = $2",
    )
    .bind(stored.id)
    .bind(i64::from(row))
    .execute(&mut *db)
    .await?;
    // The points of a refused row were not counted when the batch was submitted.
    let first_held = if stored.task_no.is_none() { needed } else { 0 };
    sqlx::query(
        "UPDATE batches SET state = 2, finished_at = NULL, submitted_points = submitted_points + $2 WHERE id = $1",
    )
    .bind(stored.id)
    .bind(column(first_held, "points")?)
        .execute(&mut *db)
        .await?;
    // The end that it reports is no longer true.
    sqlx::query("DELETE FROM outbox WHERE batch_id = $1").bind(stored.id).execute(db).await?;
    Ok(Some(RetryOutcome::Waiting))
}
