//! Submission: writes task, items, holds and preflight work, or nothing.

use std::collections::BTreeSet;

use clipmill_core::ids::{TaskId, UserId};
use clipmill_core::message;
use clipmill_core::results::ResultRef;

use super::super::accounts::library::uploads;
use super::super::accounts::points::holds::{self, HoldOwner};
use super::super::accounts::points::ledger;
use super::super::accounts::quotas;
use super::super::dialect::locks;
use super::super::rows::{self, Db, column, constraint, count, count32, from_json, to_json};
use super::bodies;
use super::naming::{self, SearchableTask};
use super::result_inputs::{self, Chain};
use crate::common::body::Body;
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::from_row::from_row;
use crate::tasks::{NewTask, SubmitOutcome, SubmittedTask};

/// A task of a client. Its uploads still exist: a deletion waits for this unit, or was completed before.
pub async fn submit_with_uploads(
    db: &mut Db,
    task: &NewTask,
    body: &Body,
    now: Millis,
) -> StoreResult<SubmitOutcome> {
    result_inputs::lock(db, &result_inputs::results_of(task)).await?;
    let ids = uploads_of(task);
    if !ids.is_empty() {
        ledger::balance_to_change(db, task.user).await?;
        if let Some(earlier) = earlier(db, task).await? {
            return Ok(earlier);
        }
        if let Some(id) = uploads::gone(db, task.user, &ids).await? {
            return Ok(SubmitOutcome::UploadGone { id });
        }
    }
    submit(db, task, body, now).await
}

/// The IDs of the uploads that the task uses.
fn uploads_of(task: &NewTask) -> BTreeSet<String> {
    let inputs = task.request.inputs();
    inputs.iter().filter_map(|input| input.url.strip_prefix("upload://")).map(str::to_owned).collect()
}

pub async fn submit(db: &mut Db, task: &NewTask, body: &Body, now: Millis) -> StoreResult<SubmitOutcome> {
    // The lock serializes submissions of one user from here on.
    let available = ledger::balance_to_change(db, task.user).await?.available;
    if let Some(earlier) = earlier(db, task).await? {
        return Ok(earlier);
    }
    if let Some(refusal) = quotas::refuse_task(db, task.user, &task.quota, now).await? {
        return Ok(refusal);
    }
    accept(db, task, body, available, now).await
}

/// Writes a new task of a user who may have one more and has `available` points. The user's balance is locked, and before it
/// the tasks of the results that the task uses.
pub async fn accept(
    db: &mut Db,
    task: &NewTask,
    body: &Body,
    available: i64,
    now: Millis,
) -> StoreResult<SubmitOutcome> {
    let price = task.items.iter().fold(0_u64, |sum, item| sum.saturating_add(item.points));
    if let Some(max_points) = task.request.max_points.filter(|max| price > *max) {
        return Ok(SubmitOutcome::AboveLimit { price, max_points });
    }
    if i64::try_from(price).map_or(true, |price| price > available) {
        return Ok(SubmitOutcome::InsufficientPoints { needed: price, available });
    }
    locks::fold_counts(db, task.user).await?;
    let body = bodies::store(db, task.user, body).await?;
    let results = result_inputs::results_of(task);
    let chain = Chain::of(db, &results, now).await?;
    let task_id = insert_task(db, task, body, price, &chain, now).await?;
    let inputs = uploads_of(task).into_iter().chain(results.iter().map(ResultRef::to_string));
    insert_uploads(db, inputs, task_id).await?;
    insert_words(db, task, task_id).await?;
    insert_items(db, task, task_id, now).await?;
    insert_preflight(db, task_id, task.user, &chain, now).await?;
    Ok(SubmitOutcome::Created(SubmittedTask {
        task_id,
        task_no: task.task_no.clone(),
        points: price,
        total_items: total_items(task),
        warnings: task.warnings.clone(),
    }))
}

from_row! {
    struct Earlier {
        id: i64,
        task_no: String,
        request_sha256: Vec<u8>,
        submitted_points: i64,
        total_items: i64,
        submit_warnings: String,
    }
}

/// The task that already has this `clientTaskId`.
pub async fn earlier(db: &mut Db, task: &NewTask) -> StoreResult<Option<SubmitOutcome>> {
    let Some(client_task_id) = &task.request.client_task_id else { return Ok(None) };
    let row: Option<Earlier> = sqlx::query_as(
        "SELECT id, task_no, request_sha256, submitted_points, total_items, submit_warnings
           FROM tasks WHERE user_id = $1 AND client_task_id = $2",
    )
    .bind(task.user.0)
    .bind(client_task_id)
    .fetch_optional(db)
    .await?;
    row.map(|row| compare(row, task)).transpose()
}

fn compare(earlier: Earlier, task: &NewTask) -> StoreResult<SubmitOutcome> {
    let task_no = rows::task_no(&earlier.task_no)?;
    if earlier.request_sha256 != task.request_sha256 {
        return Ok(SubmitOutcome::Conflict { task_no });
    }
    Ok(SubmitOutcome::Duplicate(SubmittedTask {
        task_id: TaskId(earlier.id),
        task_no,
        points: count(earlier.submitted_points)?,
        total_items: count32(earlier.total_items)?,
        warnings: from_json(&earlier.submit_warnings)?,
    }))
}

fn total_items(task: &NewTask) -> u32 {
    u32::try_from(task.items.len()).unwrap_or(u32::MAX)
}

async fn insert_task(
    db: &mut Db,
    task: &NewTask,
    body: i64,
    points: u64,
    chain: &Chain,
    now: Millis,
) -> StoreResult<TaskId> {
    let id = sqlx::query_scalar(
        "INSERT INTO tasks (task_no, user_id, task_type, client_task_id, body_id, request_sha256, callback_url,
                            seed, total_items, submitted_points, estimated_points, submit_warnings, created_at,
                            traceparent, name, labels, template_no, template_version, max_points,
                            chain_length)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
         RETURNING id",
    )
    .bind(task.task_no.as_str())
    .bind(task.user.0)
    .bind(task.request.params.task_type().as_str())
    .bind(&task.request.client_task_id)
    .bind(body)
    .bind(task.request_sha256.to_vec())
    .bind(&task.request.callback_url)
    .bind(task.seed.cast_signed())
    .bind(i64::from(total_items(task)))
    .bind(column(points, "points")?)
    .bind(to_json(&task.warnings)?)
    .bind(now)
    .bind(&task.traceparent)
    .bind(&task.request.name)
    .bind(to_json(&task.request.labels)?)
    .bind(task.template.as_ref().map(|template| template.template_no.as_str()))
    .bind(task.template.as_ref().map(|template| i64::from(template.version)))
    .bind(task.request.max_points.map(|max| column(max, "points")).transpose()?)
    .bind(i64::from(chain.length))
    .fetch_one(db)
    .await
    .map_err(constraint("a task of this number"))?;
    Ok(TaskId(id))
}

/// References to uploads and results.
async fn insert_uploads(db: &mut Db, inputs: impl Iterator<Item = String>, id: TaskId) -> StoreResult<()> {
    for upload in inputs {
        sqlx::query("INSERT INTO task_uploads (upload_id, task_id) VALUES ($1, $2)")
            .bind(upload)
            .bind(id.0)
            .execute(&mut *db)
            .await?;
    }
    Ok(())
}

async fn insert_words(db: &mut Db, task: &NewTask, id: TaskId) -> StoreResult<()> {
    let searchable_task = SearchableTask {
        user: task.user,
        id,
        task_no: task.task_no.as_str(),
        client_task_id: task.request.client_task_id.as_deref(),
        name: task.request.name.as_deref(),
        labels: &task.request.labels,
    };
    naming::insert_words(db, &searchable_task).await
}

async fn insert_items(db: &mut Db, task: &NewTask, id: TaskId, now: Millis) -> StoreResult<()> {
    for (item_no, item) in (1_u32..).zip(&task.items) {
        sqlx::query("INSERT INTO items (task_id, item_no, seed, expected) VALUES ($1, $2, $3, $4)")
            .bind(id.0)
            .bind(i64::from(item_no))
            .bind(item.seed.cast_signed())
            .bind(item.expected.as_ref().map(to_json).transpose()?)
            .execute(&mut *db)
            .await?;
        let held_for = HoldOwner { user: task.user, number: task.task_no.as_str(), item_no };
        holds::place(db, held_for, item.points, message::held_at_submission(), now).await?;
    }
    Ok(())
}

/// The preflight waits for results that do not exist yet.
async fn insert_preflight(
    db: &mut Db,
    task: TaskId,
    user: UserId,
    chain: &Chain,
    now: Millis,
) -> StoreResult<()> {
    sqlx::query(
        "INSERT INTO work (kind, task_id, user_id, state, stage, task_order, created_at, run_after)
         VALUES ('preflight', $1, $2, $3, $4, $1, $5, $6)",
    )
    .bind(task.0)
    .bind(user.0)
    .bind(if chain.wait_until.is_some() { "delayed" } else { "ready" })
    .bind(super::super::queue::order::STAGE_PREFLIGHT)
    .bind(now)
    .bind(chain.wait_until)
    .execute(db)
    .await?;
    Ok(())
}
