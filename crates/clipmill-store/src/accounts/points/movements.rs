//! The ledger as its owner reads it, newest first.

use clipmill_core::ids::{BatchNo, UserId};
use clipmill_core::message::Message;

use super::super::rows::{Db, count, count32, offset, task_no};
use super::holds::WHOLE_BATCH;
use super::ledger::kind_name;
use crate::accounts::points::{Movement, MovementFilter, MovementType};
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::common::from_row::from_row;
use crate::common::page::{Page, Paged};

pub async fn movements(
    db: &mut Db,
    user: UserId,
    filter: &MovementFilter,
    page: Page,
) -> StoreResult<Paged<Movement>> {
    let kind = filter.kind.map(kind_name);
    let task = filter.task_no.as_ref().map(|task_no| task_no.as_str());
    let total: i64 = sqlx::query_scalar(
        "SELECT COUNT(*) FROM movements WHERE user_id = $1
            AND (CAST($2 AS TEXT) IS NULL OR kind = $2) AND (CAST($3 AS TEXT) IS NULL OR task_no = $3)",
    )
    .bind(user.0)
    .bind(kind)
    .bind(task)
    .fetch_one(&mut *db)
    .await?;
    let rows: Vec<MovementRow> = sqlx::query_as(
        "SELECT id, kind, dot_count, amount, balance_after, task_no, item_no, remark, created_at,
                message_code
           FROM movements WHERE user_id = $1
            AND (CAST($2 AS TEXT) IS NULL OR kind = $2) AND (CAST($3 AS TEXT) IS NULL OR task_no = $3)
          ORDER BY id DESC LIMIT $4 OFFSET $5",
    )
    .bind(user.0)
    .bind(kind)
    .bind(task)
    .bind(i64::from(page.size))
    .bind(offset(page))
    .fetch_all(db)
    .await?;
    let list = rows.into_iter().map(movement).collect::<StoreResult<_>>()?;
    Ok(Paged { list, total: count(total)? })
}

from_row! {
    struct MovementRow {
        id: i64,
        kind: String,
        dot_count: i64,
        amount: i64,
        balance_after: i64,
        task_no: Option<String>,
        item_no: Option<i64>,
        remark: String,
        created_at: Millis,
        message_code: Option<String>,
    }
}

fn movement(row: MovementRow) -> StoreResult<Movement> {
    Ok(Movement {
        record_no: row.id,
        kind: movement_type(&row.kind)?,
        dot_count: row.dot_count,
        amount: row.amount,
        balance_after: row.balance_after,
        batch_no: row.task_no.as_deref().and_then(BatchNo::parse),
        task_no: row
            .task_no
            .as_deref()
            .filter(|number| BatchNo::parse(number).is_none())
            .map(task_no)
            .transpose()?,
        // A batch's points are not held under a row.
        item_no: row.item_no.map(count32).transpose()?.filter(|item_no| *item_no != WHOLE_BATCH),
        remark: Message::of_stored(row.remark, row.message_code.as_deref()),
        created_at: row.created_at,
    })
}

pub fn movement_type(name: &str) -> StoreResult<MovementType> {
    use MovementType::{Adjust, Grant, Hold, Release, Settle};
    [Grant, Hold, Settle, Release, Adjust]
        .into_iter()
        .find(|kind| kind_name(*kind) == name)
        .ok_or_else(|| StoreError::Corrupt(format!("{name:?} is not a kind of movement")))
}
