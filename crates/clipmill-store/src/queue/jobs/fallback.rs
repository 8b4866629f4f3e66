//! Encoder fallback: outputs re-encoded as a whole because the encoder of one of their segments failed. Progress does
//! not decrease: new segments count only if their predecessors were not rendered yet. Segments that are rendered a
//! second time were never part of the planned work.

use clipmill_core::ids::ItemId;
use clipmill_core::plan::Rendition;
use clipmill_core::segment::{SegmentKey, SegmentSpec};

use super::super::super::tasks::task_end::{self, LiveItem};
use super::super::leases::lease::{self, JobRow, Target};
use super::super::order;
use super::super::rows::{Db, from_json, to_json};
use super::segments::{self, SegmentPriority};
use super::{assemble, failures};
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::queue::JobKind;
use crate::queue::jobs::{Fallback, ItemParts, NewSegment};
use crate::queue::leases::Lease;

/// The parts of the items that wait for the leased segment, or of the one that is being assembled.
pub async fn parts(db: &mut Db, lease: Lease) -> StoreResult<Vec<ItemParts>> {
    let work = lease::leased(db, lease).await?;
    let items: Vec<i64> = match work.target()? {
        Target::Preflight(_) => Vec::new(),
        Target::Assemble(item) => vec![item.0],
        Target::Segment(key) => {
            sqlx::query_scalar("SELECT item_id FROM waiting_items WHERE hash = $1 ORDER BY item_id")
                .bind(key)
                .fetch_all(&mut *db)
                .await?
        }
    };
    let mut parts = Vec::with_capacity(items.len());
    for item in items {
        parts.push(parts_of(db, ItemId(item)).await?);
    }
    Ok(parts)
}

/// The output that waits for the leased segment, if it is the only one.
pub async fn only_output(db: &mut Db, lease: Lease) -> StoreResult<Option<Rendition>> {
    let work = lease::leased(db, lease).await?;
    let Target::Segment(key) = work.target()? else { return Ok(None) };
    let items: Vec<i64> = sqlx::query_scalar("SELECT item_id FROM waiting_items WHERE hash = $1 LIMIT 2")
        .bind(key)
        .fetch_all(&mut *db)
        .await?;
    match items[..] {
        [item] => Ok(Some(rendition(db, ItemId(item)).await?)),
        _ => Ok(None),
    }
}

/// Outputs that wait for this worker's job.
pub async fn outputs_waiting(db: &mut Db, worker: &str, max: u32) -> StoreResult<Vec<Rendition>> {
    let texts: Vec<String> = sqlx::query_scalar(
        "SELECT i.rendition FROM items i
          WHERE i.rendition IS NOT NULL AND i.id IN (
                SELECT x.item_id FROM work r JOIN waiting_items x ON x.hash = r.segment_hash
                 WHERE r.state = 'running' AND r.worker = $1)
          ORDER BY i.task_id, i.item_no LIMIT $2",
    )
    .bind(worker)
    .bind(i64::from(max))
    .fetch_all(db)
    .await?;
    texts.iter().map(|text| from_json(text)).collect()
}

async fn parts_of(db: &mut Db, item: ItemId) -> StoreResult<ItemParts> {
    let rendition = rendition(db, item).await?;
    let rows: Vec<(String, String)> = sqlx::query_as(
        "SELECT s.hash, s.spec FROM item_segments x JOIN segments s ON s.hash = x.hash
          WHERE x.item_id = $1 ORDER BY s.hash",
    )
    .bind(item.0)
    .fetch_all(db)
    .await?;
    let spec = |(key, spec): (String, String)| Ok((SegmentKey(key.into()), from_json::<SegmentSpec>(&spec)?));
    Ok(ItemParts { item, rendition, segments: rows.into_iter().map(spec).collect::<StoreResult<_>>()? })
}

async fn rendition(db: &mut Db, item: ItemId) -> StoreResult<Rendition> {
    let text: Option<Option<String>> = sqlx::query_scalar("SELECT rendition FROM items WHERE id = $1")
        .bind(item.0)
        .fetch_optional(db)
        .await?;
    let text = text.flatten();
    from_json(&text.ok_or_else(|| StoreError::Corrupt(format!("item {item} has no rendition")))?)
}

/// Replaces the plan of each item and drops the leased work. An item that has ended or was replanned in the meantime
/// is not changed; if another item waits for the segment by now, it becomes ready again.
pub async fn use_fallback(db: &mut Db, lease: Lease, fallbacks: &[Fallback], now: Millis) -> StoreResult<()> {
    let leased = lease::leased(db, lease).await?;
    let mut fresh: Vec<&NewSegment> =
        fallbacks.iter().flat_map(|fallback| &fallback.replaced).map(|(_, segment)| segment).collect();
    fresh.sort_by(|a, b| a.key.0.cmp(&b.key.0));
    for segment in fresh {
        segments::note(db, segment).await?;
    }
    failures::lock(db, &leased).await?;
    let work = match leased.target()? {
        Target::Segment(_) => lease::give_up(db, lease, Some(JobKind::Segment), "dropped").await?,
        Target::Assemble(_) => lease::give_up(db, lease, Some(JobKind::Assemble), "waiting").await?,
        Target::Preflight(_) => return Err(StoreError::LeaseLost),
    };
    for fallback in fallbacks {
        if waits(db, fallback.item).await? && rendition(db, fallback.item).await? == fallback.was {
            let item = task_end::live_item(db, fallback.item).await?;
            replace_plan(db, &item, fallback, now).await?;
        }
    }
    after(db, &work).await
}

/// Whether the item's assembly waits for segments; otherwise it needs none, or has ended.
async fn waits(db: &mut Db, item: ItemId) -> StoreResult<bool> {
    let waiting: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM work WHERE item_id = $1 AND state = 'waiting'")
            .bind(item.0)
            .fetch_one(db)
            .await?;
    Ok(waiting > 0)
}

async fn replace_plan(db: &mut Db, item: &LiveItem, fallback: &Fallback, now: Millis) -> StoreResult<()> {
    sqlx::query("UPDATE items SET rendition = $2 WHERE id = $1")
        .bind(item.id.0)
        .bind(to_json(&fallback.rendition)?)
        .execute(&mut *db)
        .await?;
    for (place, (old, segment)) in (0_i64..).zip(&fallback.replaced) {
        relink(db, item, old, &segment.key).await?;
        let ord = order::order(item.item_no, order::length(&segment.spec), place);
        let priority = SegmentPriority { user: item.user, task_order: item.task.0, ord, since: now };
        segments::require(db, segment, priority, now).await?;
        drop_unneeded(db, old).await?;
    }
    assemble::ready_unless_needed(db, item.id).await
}

/// The item uses the new segment instead of the old one, made from the same files.
async fn relink(db: &mut Db, item: &LiveItem, old: &SegmentKey, new: &SegmentKey) -> StoreResult<()> {
    sqlx::query(
        "INSERT INTO segment_sources (hash, user_id, source)
         SELECT n.hash, o.user_id, o.source FROM segment_sources o JOIN segments n ON n.hash = $2
          WHERE o.hash = $1 AND o.user_id = $3
         ON CONFLICT (hash, user_id) DO NOTHING",
    )
    .bind(&old.0)
    .bind(&new.0)
    .bind(item.user.0)
    .execute(&mut *db)
    .await?;
    // A segment shared within the task is counted when the last of its items changes to the new one.
    sqlx::query(
        "INSERT INTO item_segments (item_id, hash, counted)
         SELECT x.item_id, n.hash, CASE WHEN x.counted = 1 AND s.frames_done = 0 AND n.frames_done = 0
                AND NOT EXISTS (SELECT 1 FROM item_segments y JOIN items j ON j.id = y.item_id
                     WHERE y.hash = x.hash AND y.counted = 1 AND j.task_id = $4 AND j.id <> x.item_id)
                THEN 1 ELSE 0 END
           FROM item_segments x JOIN segments s ON s.hash = x.hash JOIN segments n ON n.hash = $3
          WHERE x.item_id = $1 AND x.hash = $2
         ON CONFLICT (item_id, hash) DO NOTHING",
    )
    .bind(item.id.0)
    .bind(&old.0)
    .bind(&new.0)
    .bind(item.task.0)
    .execute(&mut *db)
    .await?;
    sqlx::query("DELETE FROM item_segments WHERE item_id = $1 AND hash = $2")
        .bind(item.id.0)
        .bind(&old.0)
        .execute(db)
        .await?;
    Ok(())
}

/// A worker that is rendering it loses its lease and stops.
async fn drop_unneeded(db: &mut Db, key: &SegmentKey) -> StoreResult<()> {
    sqlx::query(
        "UPDATE work SET state = 'dropped', worker = NULL, lease_until = NULL, run_after = NULL
          WHERE segment_hash = $1 AND state IN ('ready', 'delayed', 'running')
            AND NOT EXISTS (SELECT 1 FROM waiting_items w WHERE w.hash = $1)",
    )
    .bind(&key.0)
    .execute(db)
    .await?;
    Ok(())
}

async fn after(db: &mut Db, work: &JobRow) -> StoreResult<()> {
    match work.target()? {
        Target::Segment(key) => failures::ready_for_others(db, work, key).await,
        Target::Assemble(item) => assemble::ready_unless_needed(db, item).await,
        Target::Preflight(_) => Ok(()),
    }
}
