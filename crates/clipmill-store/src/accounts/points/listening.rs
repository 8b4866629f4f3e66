//! Texts that are spoken for a user to listen to: their price, and a quota for each day.

use clipmill_core::ids::UserId;
use clipmill_core::message;

use super::super::rows::{Db, column, count};
use super::ledger::{NewMovement, balance_to_change, post};
use crate::accounts::points::{ListeningOutcome, ListeningPrice, MovementType};
use crate::common::clock::Millis;
use crate::common::error::StoreResult;

const DAY_MS: i64 = 86_400_000;

/// Charges a text and counts its characters.
pub async fn charge(
    db: &mut Db,
    user: UserId,
    price: ListeningPrice,
    now: Millis,
) -> StoreResult<ListeningOutcome> {
    let available = balance_to_change(db, user).await?.available;
    let spoken = spoken_on(db, user, now).await?;
    let outcome = judge(price, spoken, available)?;
    if outcome != ListeningOutcome::Allowed {
        return Ok(outcome);
    }
    let sum = column(spoken.saturating_add(price.characters), "characters")?;
    sqlx::query(
        "INSERT INTO listening (user_id, day, characters) VALUES ($1, $2, $3)
             ON CONFLICT (user_id) DO UPDATE SET day = excluded.day, characters = excluded.characters",
    )
    .bind(user.0)
    .bind(now.div_euclid(DAY_MS))
    .bind(sum)
    .execute(&mut *db)
    .await?;
    let amount = -column(price.points, "points")?;
    let remark = message::text_listened_to();
    post(db, &NewMovement { user, kind: MovementType::Adjust, amount, item: None, remark, at: now }).await?;
    Ok(outcome)
}

/// Whether [`charge`] would be possible now.
pub async fn check(
    db: &mut Db,
    user: UserId,
    price: ListeningPrice,
    now: Millis,
) -> StoreResult<ListeningOutcome> {
    let available = super::ledger::balance(db, user).await?.available;
    judge(price, spoken_on(db, user, now).await?, available)
}

fn judge(price: ListeningPrice, spoken: u64, available: i64) -> StoreResult<ListeningOutcome> {
    let ListeningPrice { characters, points, daily_characters } = price;
    if daily_characters > 0 && spoken.saturating_add(characters) > daily_characters {
        return Ok(ListeningOutcome::QuotaUsedUp { characters: spoken, limit: daily_characters });
    }
    match column(points, "points")? <= available {
        true => Ok(ListeningOutcome::Allowed),
        false => Ok(ListeningOutcome::TooFew { needed: points, available }),
    }
}

async fn spoken_on(db: &mut Db, user: UserId, now: Millis) -> StoreResult<u64> {
    let characters: Option<i64> =
        sqlx::query_scalar("SELECT characters FROM listening WHERE user_id = $1 AND day = $2")
            .bind(user.0)
            .bind(now.div_euclid(DAY_MS))
            .fetch_optional(db)
            .await?;
    count(characters.unwrap_or(0))
}
