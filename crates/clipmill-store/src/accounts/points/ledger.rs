//! Postings: each ledger record is two entries that sum to zero, and determines the balance.

use clipmill_core::ids::UserId;
use clipmill_core::message::{self, Message};
use sqlx::QueryBuilder;

use super::super::dialect;
use super::super::rows::{Database, Db, column};
use crate::accounts::points::{Balance, Deduction, MovementType};
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};

/// One record to write.
pub struct NewMovement<'a> {
    pub user: UserId,
    pub kind: MovementType,
    /// Positive; for an adjustment, the signed change of the spendable balance.
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

/// Writes record, entries and balance; returns the balance. An amount of zero moves nothing.
pub async fn post(db: &mut Db, posting: &NewMovement<'_>) -> StoreResult<Balance> {
    post_all(db, posting.user, std::slice::from_ref(posting)).await
}

/// The same for several records of one user, in order.
pub async fn post_all(db: &mut Db, user: UserId, postings: &[NewMovement<'_>]) -> StoreResult<Balance> {
    let mut balance = balance_to_change(db, user).await?;
    let mut moves = Vec::with_capacity(postings.len());
    for posting in postings.iter().filter(|posting| posting.amount != 0) {
        let legs = legs(posting.kind, posting.amount)?;
        balance = apply(balance, &legs)?;
        moves.push(Move { posting, legs, after: balance });
    }
    for some in moves.chunks(MAX_BATCH) {
        let movements = insert_movements(db, some).await?;
        insert_entries(db, &movements, some).await?;
    }
    if !moves.is_empty() {
        let more = i64::try_from(moves.len()).map_err(|_| StoreError::OutOfRange("movements"))?;
        let statement =
            "UPDATE balances SET available = $2, held = $3, movements = movements + $4 WHERE user_id = $1";
        sqlx::query(statement)
            .bind(user.0)
            .bind(balance.available)
            .bind(balance.held)
            .bind(more)
            .execute(db)
            .await?;
    }
    Ok(balance)
}

/// Records per statement: the number of parameters of a statement is limited.
const MAX_BATCH: usize = 500;

/// A record, its two accounts, and the balance after it.
struct Move<'a> {
    posting: &'a NewMovement<'a>,
    legs: [(Account, i64); 2],
    after: Balance,
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
        &NewMovement {
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

/// Deducts spendable points.
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
        NewMovement { user, kind: MovementType::Adjust, amount: -amount, item: None, remark, at: now };
    post(db, &posting).await.map(Deduction::Taken)
}

pub async fn balance(db: &mut Db, user: UserId) -> StoreResult<Balance> {
    let row: Option<(i64, i64)> = sqlx::query_as("SELECT available, held FROM balances WHERE user_id = $1")
        .bind(user.0)
        .fetch_optional(db)
        .await?;
    row.map(|(available, held)| Balance { available, held }).ok_or(StoreError::NotFound)
}

/// Locks and returns a balance, so that only this unit can change it. It is the last thing that a unit locks.
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

/// The accounts that points move between.
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

/// Returns the numbers of the records, in order.
async fn insert_movements(db: &mut Db, moves: &[Move<'_>]) -> StoreResult<Vec<i64>> {
    let mut query = QueryBuilder::<Database>::new(
        "INSERT INTO movements
            (user_id, kind, amount, dot_count, balance_after, task_no, item_no, remark, created_at, message_code) ",
    );
    query.push_values(moves, |mut row, Move { posting, legs, after }| {
        row.push_bind(posting.user.0)
            .push_bind(kind_name(posting.kind))
            .push_bind(posting.amount.abs())
            .push_bind(change(legs, Account::Available))
            .push_bind(after.available)
            .push_bind(posting.item.map(|(number, _)| number))
            .push_bind(posting.item.map(|(_, item_no)| i64::from(item_no)))
            .push_bind(posting.remark.english())
            .push_bind(posting.at)
            .push_bind(posting.remark.stored_code());
    });
    query.push(" RETURNING id");
    let mut numbers: Vec<i64> = query.build_query_scalar().persistent(moves.len() <= 2).fetch_all(db).await?;
    // Numbers are assigned in the order of the rows.
    numbers.sort_unstable();
    Ok(numbers)
}

async fn insert_entries(db: &mut Db, movements: &[i64], moves: &[Move<'_>]) -> StoreResult<()> {
    let entries = movements.iter().zip(moves).flat_map(|(movement, Move { posting, legs, .. })| {
        legs.map(|(account, amount)| (*movement, account, posting.user.0, amount))
    });
    let mut query =
        QueryBuilder::<Database>::new("INSERT INTO entries (movement_id, account, user_id, amount) ");
    query.push_values(entries, |mut row, (movement, account, user, amount)| {
        let (account, owner) = match account {
            Account::Available => ("available", Some(user)),
            Account::Held => ("held", Some(user)),
            Account::Issued => ("issued", None),
            Account::Revenue => ("revenue", None),
        };
        row.push_bind(movement).push_bind(account).push_bind(owner).push_bind(amount);
    });
    query.build().persistent(moves.len() <= 2).execute(db).await?;
    Ok(())
}
