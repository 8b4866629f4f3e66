//! Price limits: the most points that a task, or all tasks of a batch, may cost.
//!
//! A batch never holds and charges more than its limit. Each row counts: with its estimate until its price is
//! confirmed, with the confirmed price until it ends, then with what was charged. So a row whose confirmed price is
//! at most its estimate is never rejected because of the batch's limit, regardless of the order in which rows are
//! planned.

use clipmill_core::ids::TaskId;
use clipmill_core::message::{self, Message};

use super::super::super::tasks::task_end::LiveItem;
use super::super::rows::{Db, count};
use super::{holds, ledger};
use crate::common::error::StoreResult;
use crate::common::from_row::from_row;

from_row! {
    struct Limits {
        max_points: Option<i64>,
        batch_id: Option<i64>,
        batch_max_points: Option<i64>,
    }
}

/// The error if the confirmed price of a task with these live items exceeds the limit of the task or of its batch.
pub async fn exceeded(
    db: &mut Db,
    task: TaskId,
    items: &[LiveItem],
    price: u64,
) -> StoreResult<Option<Message>> {
    let Some(first) = items.first() else { return Ok(None) };
    let limits: Limits = sqlx::query_as(
        "SELECT t.max_points, t.batch_id, b.max_points AS batch_max_points
           FROM tasks t LEFT JOIN batches b ON b.id = t.batch_id WHERE t.id = $1",
    )
    .bind(task.0)
    .fetch_one(&mut *db)
    .await?;
    if let Some(max) = limits.max_points.map(count).transpose()?.filter(|max| price > *max) {
        return Ok(Some(message::price_above_limit(price, max)));
    }
    let (Some(batch), Some(max)) = (limits.batch_id, limits.batch_max_points.map(count).transpose()?) else {
        return Ok(None);
    };
    // From here on no other row of the batch is planned, settled or released.
    ledger::balance_to_change(db, first.user).await?;
    let mut points_held = 0_u64;
    for item in items {
        points_held = points_held.saturating_add(count(holds::amount(db, item.held_for()).await?)?);
    }
    if price <= points_held {
        return Ok(None);
    }
    let others = committed(db, batch).await?.saturating_sub(points_held);
    let remaining = max.saturating_sub(others);
    Ok((price > remaining).then(|| message::price_above_batch_limit(price, remaining, max)))
}

/// Points that the rows of a batch hold or were charged, with those of replaced tasks.
pub async fn committed(db: &mut Db, batch: i64) -> StoreResult<u64> {
    let points: i64 = sqlx::query_scalar(
        "SELECT CAST(COALESCE(SUM(CASE WHEN state = 'open' THEN amount - returned ELSE settled END), 0)
                + (SELECT COALESCE(SUM(replaced_points), 0) FROM batch_rows WHERE batch_id = $1) AS BIGINT)
           FROM holds WHERE task_no IN (
                SELECT b.batch_no FROM batches b WHERE b.id = $1
                UNION ALL
                SELECT r.task_no FROM batch_rows r WHERE r.batch_id = $1 AND r.task_no IS NOT NULL)",
    )
    .bind(batch)
    .fetch_one(db)
    .await?;
    count(points)
}
