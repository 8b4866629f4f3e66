//! Holds: points set aside for one item, settled or released exactly once.

use clipmill_core::ids::UserId;
use clipmill_core::message::{self, Message};

use super::super::rows::{Db, column, constraint, exactly_one};
use super::ledger::{Posting, post, post_all};
use crate::error::{StoreError, StoreResult};
use crate::model::*;

/// What points are held for: an item of a task, or a row of a batch that is not a task yet.
#[derive(Clone, Copy)]
pub struct HeldFor<'a> {
    pub user: UserId,
    /// The number of the task or batch.
    pub number: &'a str,
    pub item_no: u32,
}

impl<'a> HeldFor<'a> {
    fn posting(self, kind: MovementType, amount: i64, remark: Message, at: Millis) -> Posting<'a> {
        Posting { user: self.user, kind, amount, item: Some((self.number, self.item_no)), remark, at }
    }
}

/// Sets points aside; the caller has made sure that they are available. A hold may be of zero points.
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

    /// What is taken of it for an output that costs so much: never more than is held.
    pub fn charge(self, points: i64) -> i64 {
        points.min(self.amount)
    }
}

/// Points of the item's open hold.
pub async fn amount(db: &mut Db, held_for: HeldFor<'_>) -> StoreResult<i64> {
    Ok(open(db, held_for).await?.amount)
}

/// Gives everything back.
pub async fn release(db: &mut Db, held_for: HeldFor<'_>, remark: Message, now: Millis) -> StoreResult<()> {
    let hold = open(db, held_for).await?;
    resolve(db, hold, "released", 0, now).await?;
    post(db, &held_for.posting(MovementType::Release, hold.amount, remark, now)).await?;
    Ok(())
}

/// What is taken of an open hold; the rest is given back.
pub struct Settlement<'a> {
    pub held_for: HeldFor<'a>,
    pub hold: Hold,
    pub charged: i64,
}

/// Takes what is charged and gives back the rest, of holds of one user.
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

async fn open(db: &mut Db, held_for: HeldFor<'_>) -> StoreResult<Hold> {
    let row: Option<(i64, i64)> =
        sqlx::query_as("SELECT id, amount FROM holds WHERE task_no = $1 AND item_no = $2 AND state = 'open'")
            .bind(held_for.number)
            .bind(i64::from(held_for.item_no))
            .fetch_optional(db)
            .await?;
    row.map(|(id, amount)| Hold { id, amount }).ok_or_else(|| {
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
