//! Segments and the jobs that render them, shared by all tasks: each segment permanently has one row of work, which
//! becomes ready again whenever the segment is needed and missing.

use std::collections::BTreeSet;

use clipmill_core::ids::UserId;
use clipmill_core::segment::SegmentKey;

use super::super::dialect::{self, locks};
use super::super::leases::lease;
use super::super::order::STAGE_SEGMENT;
use super::super::rows::{Db, column, to_json};
use super::progress;
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::queue::JobKind;
use crate::queue::jobs::NewSegment;
use crate::queue::leases::Lease;

/// The first user of a segment, which determines its position in the order of claims.
#[derive(Debug, Clone, Copy)]
pub struct SegmentPriority {
    pub user: UserId,
    pub task_order: i64,
    /// See [`super::super::order::order`].
    pub ord: i64,
    /// A segment rendered after this time exists, even if an earlier check did not find it.
    pub since: Millis,
}

/// Writes a segment of a plan.
pub async fn note(db: &mut Db, segment: &NewSegment) -> StoreResult<()> {
    sqlx::query(
        // Whether the segment is new or not, this unit has locked its row from here on.
        "INSERT INTO segments (hash, spec, frames) VALUES ($1, $2, $3)
         ON CONFLICT (hash) DO UPDATE SET frames = segments.frames",
    )
    .bind(&segment.key.0)
    .bind(to_json(&segment.spec)?)
    .bind(column(segment.spec.frames().0, "segment frames")?)
    .execute(db)
    .await?;
    Ok(())
}

/// Queues a written segment unless it exists or is being rendered.
pub async fn add(db: &mut Db, segment: &NewSegment, needed: SegmentPriority, now: Millis) -> StoreResult<()> {
    let key = &*segment.key.0;
    sqlx::query(
        "INSERT INTO segment_sources (hash, user_id, source) VALUES ($1, $2, $3)
         ON CONFLICT (hash, user_id) DO UPDATE SET source = excluded.source",
    )
    .bind(key)
    .bind(needed.user.0)
    .bind(to_json(&segment.sources)?)
    .execute(&mut *db)
    .await?;
    require(db, segment, needed, now).await
}

/// [`add`] for a segment whose sources are already written.
pub async fn require(
    db: &mut Db,
    segment: &NewSegment,
    needed: SegmentPriority,
    now: Millis,
) -> StoreResult<()> {
    let key = &*segment.key.0;
    if segment.present { found(db, key, now).await } else { need(db, key, needed, now).await }
}

/// Queues a segment that should exist but is missing.
pub async fn need(db: &mut Db, key: &str, needed: SegmentPriority, now: Millis) -> StoreResult<()> {
    if made_since(db, key, needed.since).await? {
        return Ok(());
    }
    let armed = arm(db, key, needed, now).await?;
    let reset = if armed {
        "UPDATE segments SET state = 'needed', done_at = NULL, frames_done = 0 WHERE hash = $1"
    } else {
        "UPDATE segments SET state = 'needed', done_at = NULL WHERE hash = $1"
    };
    sqlx::query(reset).bind(key).execute(&mut *db).await?;
    if armed { Ok(()) } else { move_forward(db, key, needed).await }
}

/// Ends the jobs of several rendered segments; returns for each lease whether it was still valid.
pub async fn complete(db: &mut Db, leases: &[Lease], now: Millis) -> StoreResult<Vec<bool>> {
    let held = lease::held(db, leases).await?;
    let hashes: BTreeSet<&str> = held.values().flatten().map(String::as_str).collect();
    if hashes.is_empty() {
        return Ok(vec![false; leases.len()]);
    }
    locks::segments_in_use(db, &hashes.into_iter().collect::<Vec<_>>()).await?;
    let mut jobs = lease::end_all(db, leases, JobKind::Segment).await?;
    let segment_keys: Vec<&str> = jobs.iter().filter_map(|lease| held.get(&lease.work)?.as_deref()).collect();
    done(db, &segment_keys, now).await?;
    // A repeated report is too late.
    Ok(leases.iter().map(|lease| jobs.remove(lease)).collect())
}

/// Those of these segments whose items are not assembled yet.
pub async fn needed(db: &mut Db, of: &[SegmentKey]) -> StoreResult<Vec<SegmentKey>> {
    let of: Vec<&str> = of.iter().map(|key| &*key.0).collect();
    let hashes: Vec<String> = sqlx::query_scalar(concat!(
        "SELECT s.hash FROM segments s WHERE s.hash ",
        dialect::listed!("$1"),
        " AND EXISTS (SELECT 1 FROM item_segments x JOIN work w ON w.item_id = x.item_id
                       WHERE x.hash = s.hash AND w.state IN ('waiting', 'ready', 'delayed', 'running'))"
    ))
    .bind(to_json(&of)?)
    .fetch_all(db)
    .await?;
    Ok(hashes.into_iter().map(|key| SegmentKey(key.into())).collect())
}

/// Makes assemblies ready whose items have all their segments; `$1` are segments that were just rendered.
const READY_TO_ASSEMBLE: &str = concat!(
    "UPDATE work SET state = 'ready'
      WHERE state = 'waiting' AND item_id IN (SELECT item_id FROM item_segments WHERE hash ",
    dialect::listed!("$1"),
    ") AND NOT EXISTS (SELECT 1 FROM item_segments x JOIN segments s ON s.hash = x.hash
                         WHERE x.item_id = work.item_id AND s.state <> 'done')"
);

/// Items that wait for these segments can continue.
async fn done(db: &mut Db, hashes: &[&str], now: Millis) -> StoreResult<()> {
    for key in hashes {
        progress::reach(db, key, i64::MAX).await?;
    }
    let list = to_json(&hashes)?;
    let made =
        concat!("UPDATE segments SET state = 'done', done_at = $2 WHERE hash ", dialect::listed!("$1"));
    sqlx::query(made).bind(&list).bind(now).execute(&mut *db).await?;
    let counted =
        concat!("UPDATE item_segments SET counted = 0 WHERE counted = 1 AND hash ", dialect::listed!("$1"));
    sqlx::query(counted).bind(&list).execute(&mut *db).await?;
    sqlx::query(READY_TO_ASSEMBLE).bind(&list).execute(db).await?;
    Ok(())
}

/// The segment was found in the cache, so items that wait for it can continue.
async fn found(db: &mut Db, key: &str, now: Millis) -> StoreResult<()> {
    sqlx::query(
        "UPDATE work SET state = 'done', run_after = NULL
          WHERE segment_hash = $1 AND state IN ('ready', 'delayed')",
    )
    .bind(key)
    .execute(&mut *db)
    .await?;
    done(db, &[key], now).await
}

async fn made_since(db: &mut Db, key: &str, since: Millis) -> StoreResult<bool> {
    let rendered_frames: i64 = sqlx::query_scalar(
        "SELECT COUNT(*) FROM segments WHERE hash = $1 AND state = 'done' AND done_at >= $2",
    )
    .bind(key)
    .bind(since)
    .fetch_one(db)
    .await?;
    Ok(rendered_frames > 0)
}

/// Makes the segment's work ready unless it is ready or running; returns whether it did.
async fn arm(db: &mut Db, key: &str, needed: SegmentPriority, now: Millis) -> StoreResult<bool> {
    let armed = sqlx::query(
        "INSERT INTO work (kind, segment_hash, user_id, state, stage, task_order, ord, created_at)
         VALUES ('segment', $1, $2, 'ready', $3, $4, $5, $6)
         ON CONFLICT (segment_hash) DO UPDATE SET
            state = 'ready', attempts = 0, lost_leases = 0, lost_fence = NULL, user_id = excluded.user_id,
            task_order = excluded.task_order, ord = excluded.ord, created_at = excluded.created_at
         WHERE work.state IN ('done', 'failed', 'dropped')",
    )
    .bind(key)
    .bind(needed.user.0)
    .bind(STAGE_SEGMENT)
    .bind(needed.task_order)
    .bind(needed.ord)
    .bind(now)
    .execute(db)
    .await?;
    Ok(armed.rows_affected() > 0)
}

/// Moves work forward if an older task needs it as well.
async fn move_forward(db: &mut Db, key: &str, needed: SegmentPriority) -> StoreResult<()> {
    sqlx::query(
        "UPDATE work SET task_order = $2, ord = $3
          WHERE segment_hash = $1 AND task_order > $2",
    )
    .bind(key)
    .bind(needed.task_order)
    .bind(needed.ord)
    .execute(db)
    .await?;
    Ok(())
}
