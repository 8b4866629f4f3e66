//! Holds: points set aside for one item, resolved once.

use clipmill_core::ids::{TaskNo, UserId};
use clipmill_core::message::{self, Message};

use super::super::rows::{Db, column, constraint, exactly_one};
use super::ledger::{Posting, post};
use crate::error::{StoreError, StoreResult};
use crate::model::*;

/// The item that points are held for.
#[derive(Clone, Copy)]
pub struct HeldFor<'a> {
    pub user: UserId,
    pub task_no: &'a TaskNo,
    pub item_no: u32,
}

impl<'a> HeldFor<'a> {
    fn posting(self, kind: MovementType, amount: i64, remark: Message, at: Millis) -> Posting<'a> {
        Posting { user: self.user, kind, amount, item: Some((self.task_no, self.item_no)), remark, at }
    }
}

/// Sets points aside; the caller has made sure that they are there. A hold of nothing is a hold as well.
pub async fn place(
    db: &mut Db,
    held_for: HeldFor<'_>,
    points: u64,
    remark: Message,
    now: Millis,
) -> StoreResult<()> {
    let amount = column(points, "points")?;
    post(db, &held_for.posting(MovementType::Hold, amount, remark, now)).await?;
    sqlx::query(
        "INSERT INTO holds (user_id, task_no, item_no, amount, opened_at) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(held_for.user.0)
    .bind(held_for.task_no.as_str())
    .bind(i64::from(held_for.item_no))
    .bind(amount)
    .bind(now)
    .execute(db)
    .await
    .map_err(constraint("an open hold for this item"))?;
    Ok(())
}

/// Points of the item's open hold.
pub async fn amount(db: &mut Db, held_for: HeldFor<'_>) -> StoreResult<i64> {
    Ok(open(db, held_for).await?.1)
}

/// Gives everything back.
pub async fn release(db: &mut Db, held_for: HeldFor<'_>, remark: Message, now: Millis) -> StoreResult<()> {
    let (hold, amount) = open(db, held_for).await?;
    resolve(db, hold, "released", 0, now).await?;
    post(db, &held_for.posting(MovementType::Release, amount, remark, now)).await?;
    Ok(())
}

/// Takes `points`, never more than is held, gives back the rest, and returns what was taken.
pub async fn settle(db: &mut Db, held_for: HeldFor<'_>, points: u64, now: Millis) -> StoreResult<i64> {
    let (hold, amount) = open(db, held_for).await?;
    let taken = i64::try_from(points).unwrap_or(i64::MAX).min(amount);
    resolve(db, hold, "settled", taken, now).await?;
    post(db, &held_for.posting(MovementType::Settle, taken, message::output_delivered(), now)).await?;
    post(db, &held_for.posting(MovementType::Release, amount - taken, message::not_used(), now)).await?;
    Ok(taken)
}

async fn open(db: &mut Db, held_for: HeldFor<'_>) -> StoreResult<(i64, i64)> {
    let row: Option<(i64, i64)> =
        sqlx::query_as("SELECT id, amount FROM holds WHERE task_no = $1 AND item_no = $2 AND state = 'open'")
            .bind(held_for.task_no.as_str())
            .bind(i64::from(held_for.item_no))
            .fetch_optional(db)
            .await?;
    row.ok_or_else(|| {
        StoreError::Corrupt(format!("item {} of {} has no open hold", held_for.item_no, held_for.task_no))
    })
}

async fn resolve(db: &mut Db, hold: i64, state: &str, settled: i64, now: Millis) -> StoreResult<()> {
    let done = sqlx::query(
        "UPDATE holds SET state = $2, settled = $3, resolved_at = $4 WHERE id = $1 AND state = 'open'",
    )
    .bind(hold)
    .bind(state)
    .bind(settled)
    .bind(now)
    .execute(db)
    .await?;
    exactly_one(done.rows_affected(), "resolving a hold")
}
