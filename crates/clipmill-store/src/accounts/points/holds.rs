//! Holds: points reserved for one item, settled or released exactly once.

use clipmill_core::ids::UserId;
use clipmill_core::message::{self, Message};

use super::super::rows::{Db, column, constraint, exactly_one};
use super::ledger::{NewMovement, post, post_all};
use crate::accounts::points::MovementType;
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};

/// The item under which all points of a batch are held, until its rows become tasks. Batches from before schema 48
/// have a hold for each row.
pub const WHOLE_BATCH: u32 = 0;

/// The purpose of a hold: an item of a task, or a batch whose rows are not tasks yet.
#[derive(Clone, Copy)]
pub struct HoldOwner<'a> {
    pub user: UserId,
    /// The number of the task or batch.
    pub number: &'a str,
    pub item_no: u32,
}

impl<'a> HoldOwner<'a> {
    fn posting(self, kind: MovementType, amount: i64, remark: Message, at: Millis) -> NewMovement<'a> {
        NewMovement { user: self.user, kind, amount, item: Some((self.number, self.item_no)), remark, at }
    }
}

/// Reserves points; the caller has ensured that they are available. A hold may be of zero points.
pub async fn place(
    db: &mut Db,
    held_for: HoldOwner<'_>,
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
    .bind(held_for.number)
    .bind(i64::from(held_for.item_no))
    .bind(amount)
    .bind(now)
    .execute(db)
    .await
    .map_err(constraint("an open hold for this item"))?;
    Ok(())
}

/// An open hold.
#[derive(Clone, Copy)]
pub struct Hold {
    id: i64,
    amount: i64,
}

impl Hold {
    pub fn open(id: i64, amount: i64) -> Self {
        Self { id, amount }
    }

    /// The amount to charge for an output with this price: never more than is held.
    pub fn charge(self, points: i64) -> i64 {
        points.min(self.amount)
    }
}

/// Points of the item's open hold.
pub async fn amount(db: &mut Db, held_for: HoldOwner<'_>) -> StoreResult<i64> {
    Ok(open(db, held_for).await?.amount)
}

/// Releases the whole hold.
pub async fn release(db: &mut Db, held_for: HoldOwner<'_>, remark: Message, now: Millis) -> StoreResult<()> {
    let hold = open(db, held_for).await?;
    release_hold(db, held_for, hold, remark, now).await
}

/// Releases the part of a batch's hold that belongs to this row; the caller knows its points.
pub async fn release_row(
    db: &mut Db,
    row: HoldOwner<'_>,
    points: u64,
    remark: Message,
    now: Millis,
) -> StoreResult<()> {
    if let Some(hold) = find(db, row).await? {
        return release_hold(db, row, hold, remark, now).await;
    }
    let batch = HoldOwner { item_no: WHOLE_BATCH, ..row };
    let (hold, points) = (open(db, batch).await?, column(points, "points")?);
    if points > hold.amount {
        return Err(StoreError::Corrupt(format!("{} holds fewer points than its rows need", row.number)));
    }
    sqlx::query("UPDATE holds SET returned = returned + $2 WHERE id = $1")
        .bind(hold.id)
        .bind(points)
        .execute(&mut *db)
        .await?;
    post(db, &batch.posting(MovementType::Release, points, remark, now)).await?;
    Ok(())
}

/// Ends the hold of a batch without waiting rows, if it has one, and releases the rest.
pub async fn release_batch(
    db: &mut Db,
    user: UserId,
    number: &str,
    remark: Message,
    now: Millis,
) -> StoreResult<()> {
    let batch = HoldOwner { user, number, item_no: WHOLE_BATCH };
    match find(db, batch).await? {
        Some(hold) => release_hold(db, batch, hold, remark, now).await,
        None => Ok(()),
    }
}

async fn release_hold(
    db: &mut Db,
    held_for: HoldOwner<'_>,
    hold: Hold,
    remark: Message,
    now: Millis,
) -> StoreResult<()> {
    resolve(db, hold, "released", 0, now).await?;
    post(db, &held_for.posting(MovementType::Release, hold.amount, remark, now)).await?;
    Ok(())
}

/// The charged part of an open hold; the rest is released.
pub struct Settlement<'a> {
    pub held_for: HoldOwner<'a>,
    pub hold: Hold,
    pub charged: i64,
}

/// Charges the holds of one user and releases the rest.
pub async fn settle(
    db: &mut Db,
    user: UserId,
    settlements: &[Settlement<'_>],
    now: Millis,
) -> StoreResult<()> {
    let mut postings = Vec::with_capacity(settlements.len());
    for Settlement { held_for, hold, charged } in settlements {
        resolve(db, *hold, "settled", *charged, now).await?;
        postings.push(held_for.posting(MovementType::Settle, *charged, message::output_delivered(), now));
        postings.push(held_for.posting(
            MovementType::Release,
            hold.amount - charged,
            message::not_used(),
            now,
        ));
    }
    post_all(db, user, &postings).await?;
    Ok(())
}

/// The rest of the open hold.
async fn find(db: &mut Db, held_for: HoldOwner<'_>) -> StoreResult<Option<Hold>> {
    let row: Option<(i64, i64)> = sqlx::query_as(
        "SELECT id, amount - returned FROM holds WHERE task_no = $1 AND item_no = $2 AND state = 'open'",
    )
    .bind(held_for.number)
    .bind(i64::from(held_for.item_no))
    .fetch_optional(db)
    .await?;
    Ok(row.map(|(id, amount)| Hold { id, amount }))
}

async fn open(db: &mut Db, held_for: HoldOwner<'_>) -> StoreResult<Hold> {
    find(db, held_for).await?.ok_or_else(|| {
        StoreError::Corrupt(format!("item {} of {} has no open hold", held_for.item_no, held_for.number))
    })
}

async fn resolve(db: &mut Db, hold: Hold, state: &str, settled: i64, now: Millis) -> StoreResult<()> {
    let done = sqlx::query(
        "UPDATE holds SET state = $2, settled = $3, resolved_at = $4 WHERE id = $1 AND state = 'open'",
    )
    .bind(hold.id)
    .bind(state)
    .bind(settled)
    .bind(now)
    .execute(db)
    .await?;
    exactly_one(done.rows_affected(), "resolving a hold")
}
