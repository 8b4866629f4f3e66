//! Postings: each movement is two entries that sum to zero, and the balance that follows from them.

use clipmill_core::ids::UserId;
use clipmill_core::message::{self, Message};

use super::super::dialect;
use super::super::rows::{Db, column};
use crate::error::{StoreError, StoreResult};
use crate::model::*;

/// One movement to be written.
pub struct Posting<'a> {
    pub user: UserId,
    pub kind: MovementType,
    /// Positive; of an adjustment, the signed change of the spendable balance.
    pub amount: i64,
    pub item: Option<(&'a str, u32)>,
    pub remark: Message,
    pub at: Millis,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Account {
    Available,
    Held,
    Issued,
    Revenue,
}

/// Writes movement, entries and balance; returns the balance. An amount of zero moves nothing.
pub async fn post(db: &mut Db, posting: &Posting<'_>) -> StoreResult<Balance> {
    let before = balance_to_change(db, posting.user).await?;
    if posting.amount == 0 {
        return Ok(before);
    }
    let legs = legs(posting.kind, posting.amount)?;
    let after = apply(before, &legs)?;
    let movement = insert_movement(db, posting, &legs, after).await?;
    insert_entries(db, movement, posting.user, &legs).await?;
    sqlx::query("UPDATE balances SET available = $2, held = $3 WHERE user_id = $1")
        .bind(posting.user.0)
        .bind(after.available)
        .bind(after.held)
        .execute(db)
        .await?;
    Ok(after)
}

pub async fn grant(
    db: &mut Db,
    user: UserId,
    points: u64,
    remark: &str,
    now: Millis,
) -> StoreResult<Balance> {
    let amount = column(points, "points")?;
    post(
        db,
        &Posting {
            user,
            kind: MovementType::Grant,
            amount,
            item: None,
            remark: message::operators_remark(remark),
            at: now,
        },
    )
    .await
}

/// Takes points away that can be spent.
pub async fn deduct(
    db: &mut Db,
    user: UserId,
    points: u64,
    remark: &str,
    now: Millis,
) -> StoreResult<Deduction> {
    let available = balance_to_change(db, user).await?.available;
    let amount = column(points, "points")?;
    if amount > available {
        return Ok(Deduction::TooFew { available });
    }
    let remark = message::operators_remark(remark);
    let posting =
        Posting { user, kind: MovementType::Adjust, amount: -amount, item: None, remark, at: now };
    post(db, &posting).await.map(Deduction::Taken)
}

pub async fn balance(db: &mut Db, user: UserId) -> StoreResult<Balance> {
    let row: Option<(i64, i64)> = sqlx::query_as("SELECT available, held FROM balances WHERE user_id = $1")
        .bind(user.0)
        .fetch_optional(db)
        .await?;
    row.map(|(available, held)| Balance { available, held }).ok_or(StoreError::NotFound)
}

/// A balance that stays as it is until the unit ends, unless this unit changes it. What is locked last.
pub async fn balance_to_change(db: &mut Db, user: UserId) -> StoreResult<Balance> {
    let row: Option<(i64, i64)> = sqlx::query_as(dialect::BALANCE).bind(user.0).fetch_optional(db).await?;
    row.map(|(available, held)| Balance { available, held }).ok_or(StoreError::NotFound)
}

pub fn kind_name(kind: MovementType) -> &'static str {
    match kind {
        MovementType::Grant => "grant",
        MovementType::Hold => "hold",
        MovementType::Settle => "settle",
        MovementType::Release => "release",
        MovementType::Adjust => "adjust",
    }
}

/// Where points go from and to.
fn legs(kind: MovementType, amount: i64) -> StoreResult<[(Account, i64); 2]> {
    use Account::{Available, Held, Issued, Revenue};
    let (from, to) = match kind {
        MovementType::Grant | MovementType::Adjust => (Issued, Available),
        MovementType::Hold => (Available, Held),
        MovementType::Release => (Held, Available),
        MovementType::Settle => (Held, Revenue),
    };
    let less = amount.checked_neg().ok_or(StoreError::OutOfRange("points"))?;
    Ok([(from, less), (to, amount)])
}

fn apply(before: Balance, legs: &[(Account, i64)]) -> StoreResult<Balance> {
    let add = |balance: i64, account| {
        balance.checked_add(change(legs, account)).ok_or(StoreError::OutOfRange("points"))
    };
    Ok(Balance {
        available: add(before.available, Account::Available)?,
        held: add(before.held, Account::Held)?,
    })
}

fn change(legs: &[(Account, i64)], account: Account) -> i64 {
    legs.iter().find(|(touched, _)| *touched == account).map_or(0, |(_, amount)| *amount)
}

async fn insert_movement(
    db: &mut Db,
    posting: &Posting<'_>,
    legs: &[(Account, i64)],
    after: Balance,
) -> StoreResult<i64> {
    let id = sqlx::query_scalar(
        "INSERT INTO movements
            (user_id, kind, amount, dot_count, balance_after, task_no, item_no, remark, created_at, message_code)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id",
    )
    .bind(posting.user.0)
    .bind(kind_name(posting.kind))
    .bind(posting.amount.abs())
    .bind(change(legs, Account::Available))
    .bind(after.available)
    .bind(posting.item.map(|(number, _)| number))
    .bind(posting.item.map(|(_, item_no)| i64::from(item_no)))
    .bind(posting.remark.english())
    .bind(posting.at)
    .bind(posting.remark.code())
    .fetch_one(db)
    .await?;
    Ok(id)
}

async fn insert_entries(
    db: &mut Db,
    movement: i64,
    user: UserId,
    legs: &[(Account, i64); 2],
) -> StoreResult<()> {
    let named = |account| match account {
        Account::Available => ("available", Some(user.0)),
        Account::Held => ("held", Some(user.0)),
        Account::Issued => ("issued", None),
        Account::Revenue => ("revenue", None),
    };
    let [(from, less), (to, more)] = *legs;
    let ((from, from_owner), (to, to_owner)) = (named(from), named(to));
    sqlx::query(
        "INSERT INTO entries (movement_id, account, user_id, amount) VALUES ($1, $2, $3, $4), ($1, $5, $6, $7)",
    )
    .bind(movement)
    .bind(from)
    .bind(from_owner)
    .bind(less)
    .bind(to)
    .bind(to_owner)
    .bind(more)
    .execute(db)
    .await?;
    Ok(())
}
