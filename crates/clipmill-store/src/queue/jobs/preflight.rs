//! The end of preflight: prices confirmed, bad items failed, segments and assemblies written; or the task rejected.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use clipmill_core::error::{ErrorCode, TaskError};
use clipmill_core::ids::TaskId;
use clipmill_core::message::{self, Message};
use clipmill_core::results::ExpectedOutput;
use clipmill_core::segment::SegmentKey;
use clipmill_core::task::{TaskEvent, TaskState};
use sqlx::QueryBuilder;

use super::super::super::accounts::points::{holds, ledger, limits};
use super::super::super::tasks::task_end::{self, LiveItem, describe, end_item, illegal};
use super::super::dialect::locks;
use super::super::leases::lease::{self, Target};
use super::super::order::{self, STAGE_ASSEMBLE};
use super::super::rows::{Database, Db, code, column, exactly_one, to_json};
use super::progress;
use super::segments::{self, SegmentPriority};
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::queue::JobKind;
use crate::queue::jobs::{ItemPlan, NewSegment, PreflightItem, PreflightResult, assemble_weight};
use crate::queue::leases::Lease;

pub async fn complete(db: &mut Db, lease: Lease, found: &PreflightResult, now: Millis) -> StoreResult<()> {
    lock(db, lease, found).await?;
    let work = lease::give_up(db, lease, Some(JobKind::Preflight), "done").await?;
    let Target::Preflight(task) = work.target()? else { return Err(StoreError::LeaseLost) };
    let items = task_end::live_items(db, task).await?;
    write_findings(db, task, found).await?;
    let (good, bad) = sort(&items, found);
    if good.is_empty() {
        return reject(db, task, &bad, &reasons(&found.bad_inputs, &bad), now).await;
    }
    let price = price(&good);
    let mut too_high = limits::exceeded(db, task, &items, price).await?;
    if too_high.is_none() {
        too_high = unaffordable(db, &items, price).await?;
    }
    if let Some(message) = too_high {
        write_price(db, task, price).await?;
        let all = items.iter().map(|item| (item, error_of(item, &bad))).collect::<Vec<_>>();
        return reject(db, task, &all, &message, now).await;
    }
    for (item, error) in &bad {
        end_item(db, item, TaskState::Failed, error.as_ref(), now).await?;
    }
    reprice(db, &good, now).await?;
    plan(db, task, &good, found, work.claimed_at.unwrap_or(now), now).await
}

/// Locks the segments of the plan, its task, and the tasks that wait for ready segments.
async fn lock(db: &mut Db, lease: Lease, found: &PreflightResult) -> StoreResult<()> {
    match lease::leased(db, lease).await?.target()? {
        Target::Preflight(task) => {
            for segment in sorted(&found.segments) {
                segments::note(db, segment).await?;
            }
            let present = found.segments.iter().filter(|segment| segment.present);
            let present: Vec<&SegmentKey> = present.map(|segment| &segment.key).collect();
            locks::planned(db, task, &present).await
        }
        Target::Segment(_) | Target::Assemble(_) => Err(StoreError::LeaseLost),
    }
}

/// The order in which all units lock several segments.
fn sorted(segments: &[NewSegment]) -> Vec<&NewSegment> {
    let mut sorted: Vec<&NewSegment> = segments.iter().collect();
    sorted.sort_by(|a, b| a.key.0.cmp(&b.key.0));
    sorted
}

/// Rejects a task with all its items.
pub async fn reject_all(db: &mut Db, task: TaskId, error: &TaskError, now: Millis) -> StoreResult<()> {
    let items = task_end::live_items(db, task).await?;
    let bad: Vec<RejectedItem<'_>> = items.iter().map(|item| (item, Some(error.clone()))).collect();
    reject(db, task, &bad, &describe(error), now).await
}

type FeasibleItem<'a> = (&'a LiveItem, &'a ItemPlan);
type RejectedItem<'a> = (&'a LiveItem, Option<TaskError>);

async fn reject(
    db: &mut Db,
    task: TaskId,
    items: &[RejectedItem<'_>],
    message: &Message,
    now: Millis,
) -> StoreResult<()> {
    for (item, error) in items {
        end_item(db, item, TaskState::Rejected, error.as_ref(), now).await?;
    }
    let from = TaskState::PendingSubmission;
    let to = from.after(TaskEvent::PreflightRejected).map_err(illegal)?;
    task_end::end_task(db, task, from, to, Some(message), now).await
}

/// Writes recipes and warnings, which also explain a rejection.
async fn write_findings(db: &mut Db, task: TaskId, found: &PreflightResult) -> StoreResult<()> {
    for item in &found.items {
        sqlx::query(
            "UPDATE items SET recipe = $3, warnings = $4, footage = $5 WHERE task_id = $1 AND item_no = $2",
        )
        .bind(task.0)
        .bind(i64::from(item.item_no))
        .bind(to_json(&item.recipe)?)
        .bind(to_json(&item.warnings)?)
        .bind(to_json(&item.footage)?)
        .execute(&mut *db)
        .await?;
    }
    write_remarks(db, task, found).await
}

/// Writes warnings about the plan for the task's owner.
async fn write_remarks(db: &mut Db, task: TaskId, found: &PreflightResult) -> StoreResult<()> {
    sqlx::query("UPDATE tasks SET preflight_warnings = $2, diversity = $3 WHERE id = $1")
        .bind(task.0)
        .bind(to_json(&found.warnings)?)
        .bind(found.diversity.as_ref().map(to_json).transpose()?)
        .execute(db)
        .await?;
    Ok(())
}

/// Separates items that can be rendered from those that cannot. An item missing from the plan is an internal error.
fn sort<'a>(
    items: &'a [LiveItem],
    planned_item: &'a PreflightResult,
) -> (Vec<FeasibleItem<'a>>, Vec<RejectedItem<'a>>) {
    let by_no: BTreeMap<u32, &PreflightItem> =
        planned_item.items.iter().map(|item| (item.item_no, item)).collect();
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for item in items {
        match by_no.get(&item.item_no).map(|planned_item| &planned_item.outcome) {
            Some(Ok(plan)) => good.push((item, plan)),
            Some(Err(error)) => bad.push((item, Some(error.clone()))),
            None => bad.push((item, Some(unplanned()))),
        }
    }
    (good, bad)
}

fn unplanned() -> TaskError {
    TaskError::new(ErrorCode::Internal, message::not_planned())
}

fn error_of(item: &LiveItem, bad: &[RejectedItem<'_>]) -> Option<TaskError> {
    bad.iter().find(|(other, _)| other.id == item.id).and_then(|(_, error)| error.clone())
}

/// Every bad input, so that all can be fixed at once, and every other reason why an item cannot be rendered.
fn reasons(inputs: &[TaskError], bad: &[RejectedItem<'_>]) -> Message {
    let is_listed =
        |error: &&TaskError| error.input.is_some() && inputs.iter().any(|i| i.input == error.input);
    let others = bad.iter().filter_map(|(_, error)| error.as_ref()).filter(|error| !is_listed(error));
    let mut reported = BTreeSet::new();
    let texts = inputs.iter().chain(others).map(describe);
    message::all_of(texts.filter(|text| reported.insert(text.english().to_owned())).collect::<Vec<_>>())
}

fn price(good: &[FeasibleItem<'_>]) -> u64 {
    good.iter().fold(0, |sum, (_, plan)| sum.saturating_add(plan.points))
}

/// The error if the confirmed price exceeds the balance plus the task's holds.
async fn unaffordable(db: &mut Db, items: &[LiveItem], price: u64) -> StoreResult<Option<Message>> {
    let Some(first) = items.first() else { return Ok(None) };
    let mut means = ledger::balance_to_change(db, first.user).await?.available;
    for item in items {
        means = means.saturating_add(holds::amount(db, item.held_for()).await?);
    }
    if i64::try_from(price).is_ok_and(|price| price <= means) {
        return Ok(None);
    }
    Ok(Some(message::price_too_high(price, means)))
}

/// Replaces holds whose price changed. All are released before any is placed, so that points from one can pay for
/// another.
async fn reprice(db: &mut Db, good: &[FeasibleItem<'_>], now: Millis) -> StoreResult<()> {
    let mut repriced_items = Vec::new();
    for (item, plan) in good {
        if column(plan.points, "points")? != holds::amount(db, item.held_for()).await? {
            repriced_items.push((item, plan.points));
        }
    }
    for (item, _) in &repriced_items {
        holds::release(db, item.held_for(), message::price_confirmed(), now).await?;
    }
    for (item, points) in repriced_items {
        holds::place(db, item.held_for(), points, message::held_at_price(), now).await?;
    }
    Ok(())
}

async fn plan(
    db: &mut Db,
    task: TaskId,
    good: &[FeasibleItem<'_>],
    found: &PreflightResult,
    since: Millis,
    now: Millis,
) -> StoreResult<()> {
    let needed = needed_segments(task, good, &found.segments, since);
    let planned: BTreeSet<&str> = found.segments.iter().map(|segment| &*segment.key.0).collect();
    if let Some(unknown) = needed.keys().find(|key| !planned.contains(*key)) {
        return Err(StoreError::Corrupt(format!("the plan of task {task} lacks segment {unknown}")));
    }
    for segment in &found.segments {
        if let Some(needed) = needed.get(&*segment.key.0) {
            segments::add(db, segment, *needed, now).await?;
        }
    }
    for (item, plan) in good {
        write_item(db, item, plan).await?;
        write_links(db, item, plan).await?;
        write_assembly(db, item, now).await?;
    }
    progress::plan(db, task).await?;
    write_price(db, task, price(good)).await?;
    queue(db, task).await
}

/// Each segment with the first item that needs it.
fn needed_segments<'a>(
    task: TaskId,
    good: &[FeasibleItem<'a>],
    segments: &[NewSegment],
    since: Millis,
) -> BTreeMap<&'a str, SegmentPriority> {
    let lengths: HashMap<&SegmentKey, i64> =
        segments.iter().map(|segment| (&segment.key, order::length(&segment.spec))).collect();
    let mut needed = BTreeMap::new();
    for (item, plan) in good {
        for (place, key) in (0_i64..).zip(&plan.segments) {
            let length = lengths.get(key).copied().unwrap_or(0);
            needed.entry(&*key.0).or_insert(SegmentPriority {
                user: item.user,
                task_order: task.0,
                ord: order::order(item.item_no, length, place),
                since,
            });
        }
    }
    needed
}

async fn write_item(db: &mut Db, item: &LiveItem, plan: &ItemPlan) -> StoreResult<()> {
    let update = sqlx::query(
        "UPDATE items SET state = $3, rendition = $4, finish_weight = $5, expected = $6
          WHERE id = $1 AND state = $2",
    )
    .bind(item.id.0)
    .bind(code(TaskState::PendingSubmission))
    .bind(code(TaskState::Queued))
    .bind(to_json(&plan.rendition)?)
    .bind(column(assemble_weight(plan.rendition.frames), "frames")?)
    .bind(to_json(&ExpectedOutput::new(plan.rendition.frames, plan.rendition.fps, plan.rendition.size))?)
    .execute(db)
    .await?;
    exactly_one(update.rows_affected(), "planning an item")
}

/// How many rows an INSERT has at once: well below SQLite's 32,766 parameters.
const ROWS_AT_ONCE: usize = 1_000;

async fn write_links(db: &mut Db, item: &LiveItem, plan: &ItemPlan) -> StoreResult<()> {
    let distinct: BTreeSet<&str> = plan.segments.iter().map(|key| &*key.0).collect();
    let distinct: Vec<&str> = distinct.into_iter().collect();
    for some in distinct.chunks(ROWS_AT_ONCE) {
        QueryBuilder::<Database>::new("INSERT INTO item_segments (item_id, hash) ")
            .push_values(some, |mut row, key| {
                row.push_bind(item.id.0).push_bind(*key);
            })
            .build()
            .persistent(false)
            .execute(&mut *db)
            .await?;
    }
    Ok(())
}

/// Writes the item's assembly, which waits for segments unless all are ready.
async fn write_assembly(db: &mut Db, item: &LiveItem, now: Millis) -> StoreResult<()> {
    sqlx::query(
        "INSERT INTO work (kind, item_id, user_id, state, stage, task_order, ord, created_at)
         VALUES ('finish', $1, $2,
            CASE WHEN EXISTS (SELECT 1 FROM item_segments x JOIN segments s ON s.hash = x.hash
                               WHERE x.item_id = $1 AND s.state <> 'done') THEN 'waiting' ELSE 'ready' END,
            $3, $4, $5, $6)",
    )
    .bind(item.id.0)
    .bind(item.user.0)
    .bind(STAGE_ASSEMBLE)
    .bind(item.task.0)
    .bind(order::order(item.item_no, 0, 0))
    .bind(now)
    .execute(db)
    .await?;
    Ok(())
}

async fn write_price(db: &mut Db, task: TaskId, price: u64) -> StoreResult<()> {
    sqlx::query("UPDATE tasks SET estimated_points = $2, price = $2 WHERE id = $1")
        .bind(task.0)
        .bind(i64::try_from(price).unwrap_or(i64::MAX))
        .execute(db)
        .await?;
    Ok(())
}

async fn queue(db: &mut Db, task: TaskId) -> StoreResult<()> {
    let from = TaskState::PendingSubmission;
    let to = from.after(TaskEvent::PreflightPassed).map_err(illegal)?;
    let update = sqlx::query("UPDATE tasks SET state = $3 WHERE id = $1 AND state = $2")
        .bind(task.0)
        .bind(code(from))
        .bind(code(to))
        .execute(db)
        .await?;
    exactly_one(update.rows_affected(), "queueing a task")
}
