//! Operations on users, and reports about them, for operators.

use async_trait::async_trait;
use clipmill_core::ids::{BatchNo, TaskNo, UserId};

use super::super::dialect::{Handle, is_conflict};
use super::super::money::ledger;
use super::super::rows::{Db, task_no};
use super::super::states::live;
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use super::usage;
use crate::error::{StoreError, StoreResult};
use crate::model::*;
use crate::operations::{Deduction, FailureCause, OpenWork, OperationsStore, Usage, UsageSum};
use crate::signals::Signal;

#[async_trait]
impl OperationsStore for Handle {
    async fn deduct(&self, user: UserId, points: u64, remark: &str, now: Millis) -> StoreResult<Deduction> {
        unit!(self, at now, remark; tx => ledger::deduct(tx, user, points, &remark, now.ms))
    }

    async fn switch_off(&self, user: UserId, reason: &str, now: Millis) -> StoreResult<SwitchedOff> {
        unit!(self, at now, reason; tx => switch_off(tx, user, &reason, now.ms))
    }

    async fn switch_on(&self, user: UserId) -> StoreResult<bool> {
        let was_off = unit!(self; tx => switch_on(tx, user))?;
        // Batches of the user continue.
        self.notify(&[Signal::Changed]);
        Ok(was_off)
    }

    async fn open_work(&self, user: UserId) -> StoreResult<OpenWork> {
        snapshot!(self; tx => open_work(tx, user))
    }

    async fn failure_causes(&self, from: Millis, to: Millis) -> StoreResult<Vec<FailureCause>> {
        snapshot!(self; tx => usage::failure_causes(tx, from, to))
    }

    async fn usage(
        &self,
        days: (i64, i64),
        search: Option<&str>,
        uploads_since: Millis,
        page: Page,
        now: Millis,
    ) -> StoreResult<(Paged<Usage>, UsageSum)> {
        let search = search.map(str::to_owned);
        snapshot!(self, at now, search;
                  tx => usage::of_users(tx, days, search.as_deref(), uploads_since, page, now.ms))
    }
}

async fn switch_off(db: &mut Db, user: UserId, reason: &str, now: Millis) -> StoreResult<SwitchedOff> {
    let since: Option<Millis> = sqlx::query_scalar(
        "UPDATE users SET off_since = COALESCE(off_since, $2), off_reason = $3 WHERE id = $1 RETURNING off_since",
    )
    .bind(user.0)
    .bind(now)
    .bind(reason)
    .fetch_optional(db)
    .await?;
    let since = since.ok_or(StoreError::NotFound)?;
    Ok(SwitchedOff { since, reason: reason.to_owned() })
}

async fn switch_on(db: &mut Db, user: UserId) -> StoreResult<bool> {
    let was_off = sqlx::query(
        "UPDATE users SET off_since = NULL, off_reason = NULL WHERE id = $1 AND off_since IS NOT NULL",
    )
    .bind(user.0)
    .execute(db)
    .await?;
    Ok(was_off.rows_affected() > 0)
}

async fn open_work(db: &mut Db, user: UserId) -> StoreResult<OpenWork> {
    let tasks: Vec<String> = sqlx::query_scalar(concat!(
        "SELECT task_no FROM tasks WHERE user_id = $1 AND state IN ",
        live!(),
        " ORDER BY id"
    ))
    .bind(user.0)
    .fetch_all(&mut *db)
    .await?;
    let batches: Vec<String> = sqlx::query_scalar(
        "SELECT batch_no FROM batches WHERE user_id = $1 AND finished_at IS NULL ORDER BY id",
    )
    .bind(user.0)
    .fetch_all(db)
    .await?;
    Ok(OpenWork {
        tasks: tasks.iter().map(|number| task_no(number)).collect::<StoreResult<Vec<TaskNo>>>()?,
        batches: batches.iter().filter_map(|number| BatchNo::parse(number)).collect(),
    })
}
