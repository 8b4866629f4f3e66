//! Sending events: claimed under a lease, with each attempt logged, retried by the schedule.

use async_trait::async_trait;
use clipmill_core::ids::UserId;
use clipmill_core::message::{self, Message};

use super::super::dialect::{Handle, is_conflict, locks};
use super::super::rows::{self, Db, count, count32};
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use crate::common::clock::{Millis, Now};
use crate::common::error::{StoreError, StoreResult};
use crate::common::from_row::from_row;
use crate::common::signals::Signal;
use crate::tasks::callbacks::{
    AttemptOutcome, CallbackRecord, CallbackStore, DeliveryAttempt, DeliveryState, DueEvent, EventLease,
    EventRecord, OpenDelivery, RedeliverOutcome, Subject,
};

#[async_trait]
impl CallbackStore for Handle {
    async fn claim(&self, now: Millis, lease_ms: i64, per_user: u32) -> StoreResult<Option<DueEvent>> {
        // This is asked several times a second, and reading first keeps others from waiting for a write.
        if !snapshot!(self, at now; tx => any_due(tx, now.ms, lease_ms))? {
            return Ok(None);
        }
        unit!(self, at now; tx => claim(tx, now.ms, lease_ms, per_user))
    }

    async fn report_attempt(
        &self,
        lease: &EventLease,
        attempt: DeliveryAttempt,
        then: AttemptOutcome,
        now: Millis,
    ) -> StoreResult<()> {
        unit!(self, at now, lease, attempt; tx => report(tx, &lease, &attempt, then, now))
    }

    async fn find(&self, user: UserId, subject: &Subject) -> StoreResult<Option<CallbackRecord>> {
        snapshot!(self, subject; tx => of(tx, user, &subject))
    }

    async fn redeliver(
        &self,
        user: UserId,
        subject: &Subject,
        now: Millis,
    ) -> StoreResult<Option<RedeliverOutcome>> {
        let outcome = unit!(self, at now, subject; tx => redeliver(tx, user, &subject, now.ms))?;
        self.notify(&[Signal::Ready]);
        Ok(outcome)
    }

    async fn open_deliveries(&self, max: u32) -> StoreResult<Vec<OpenDelivery>> {
        snapshot!(self; tx => open(tx, max))
    }
}

/// Whether a claim would find anything; reads only.
pub async fn any_due(db: &mut Db, now: Millis, lease_ms: i64) -> StoreResult<bool> {
    let due_count: i64 = sqlx::query_scalar(
        "SELECT CAST(CASE
             WHEN EXISTS (SELECT 1 FROM outbox WHERE state = 'due' AND (due_at <= $1 OR decided_at > $1)) THEN 1
             WHEN EXISTS (SELECT 1 FROM outbox
                           WHERE state = 'sending' AND (lease_until < $1 OR lease_until > $2)) THEN 1
             ELSE 0 END AS BIGINT)",
    )
    .bind(now)
    .bind(latest_lease(now, lease_ms))
    .fetch_one(db)
    .await?;
    Ok(due_count != 0)
}

/// Leases the event that has been due longest. At most `per_user` events of each user are sent at the same time, so a
/// receiver that does not respond does not delay events of other users.
pub async fn claim(db: &mut Db, now: Millis, lease_ms: i64, per_user: u32) -> StoreResult<Option<DueEvent>> {
    locks::deliveries(db).await?;
    free_lost(db, now, latest_lease(now, lease_ms), now).await?;
    follow_clock(db, now).await?;
    let row: Option<DueRow> = sqlx::query_as(
        // Tasks are looked up one by one, because a join may read all tasks of a user for each event.
        "WITH busy AS MATERIALIZED (
            SELECT user_id, COUNT(*) AS sending FROM (
                SELECT COALESCE((SELECT t.user_id FROM tasks t WHERE t.id = s.task_id),
                                (SELECT b.user_id FROM batches b WHERE b.id = s.batch_id)) AS user_id
                  FROM outbox s WHERE s.state = 'sending') senders
             GROUP BY user_id)
         UPDATE outbox SET state = 'sending', fence = fence + 1, claimed_at = $1, lease_until = $2
          WHERE event_id = (
                SELECT o.event_id FROM outbox o
                 WHERE o.state = 'due' AND o.due_at <= $1
                   AND COALESCE((SELECT b.sending FROM busy b WHERE b.user_id =
                         COALESCE((SELECT t.user_id FROM tasks t WHERE t.id = o.task_id),
                                  (SELECT t.user_id FROM batches t WHERE t.id = o.batch_id))), 0) < $3
                 ORDER BY o.due_at, o.task_id LIMIT 1)
      RETURNING event_id, fence, kind, created_at, step,
                COALESCE((SELECT callback_url FROM tasks WHERE id = task_id),
                         (SELECT callback_url FROM batches WHERE id = outbox.batch_id)) AS url,
                COALESCE((SELECT user_id FROM tasks WHERE id = task_id),
                         (SELECT user_id FROM batches WHERE id = outbox.batch_id)) AS user_id,
                COALESCE((SELECT task_no FROM tasks WHERE id = task_id),
                         (SELECT batch_no FROM batches WHERE id = outbox.batch_id)) AS number",
    )
    .bind(now)
    .bind(now.saturating_add(lease_ms))
    .bind(i64::from(per_user))
    .fetch_optional(db)
    .await?;
    row.map(due_event).transpose()
}

/// The latest end of a valid lease. A lease that ends later was created before the clock was set back.
fn latest_lease(now: Millis, lease_ms: i64) -> Millis {
    now.saturating_add(lease_ms.saturating_mul(2))
}

/// Makes events of lost senders due again, and logs that. This is safe even if the clock was changed: a sender that
/// is still alive no longer has the current fence.
pub async fn free_lost(db: &mut Db, before: Millis, after: Millis, now: Millis) -> StoreResult<u64> {
    let stopped = message::stopped_during();
    sqlx::query(
        "INSERT INTO delivery_attempts (event_id, started_at, error, message_code)
         SELECT event_id, COALESCE(claimed_at, $3), CAST($4 AS TEXT), CAST($5 AS TEXT)
           FROM outbox WHERE state = 'sending' AND (lease_until < $1 OR lease_until > $2)",
    )
    .bind(before)
    .bind(after)
    .bind(now)
    .bind(stopped.english())
    .bind(stopped.stored_code())
    .execute(&mut *db)
    .await?;
    let freed = sqlx::query(
        "UPDATE outbox SET state = 'due', due_at = $3, decided_at = $3, claimed_at = NULL, lease_until = NULL
          WHERE state = 'sending' AND (lease_until < $1 OR lease_until > $2)",
    )
    .bind(before)
    .bind(after)
    .bind(now)
    .execute(db)
    .await?;
    Ok(freed.rows_affected())
}

/// After the clock was set back, counts waits from the current time; otherwise an attempt scheduled by a clock that
/// was a year ahead would wait for a year.
async fn follow_clock(db: &mut Db, now: Millis) -> StoreResult<()> {
    sqlx::query(
        "UPDATE outbox SET decided_at = $1,
                due_at = CASE WHEN due_at > decided_at THEN $1 + due_at - decided_at ELSE $1 END
          WHERE state = 'due' AND decided_at > $1",
    )
    .bind(now)
    .execute(db)
    .await?;
    Ok(())
}

pub async fn report(
    db: &mut Db,
    lease: &EventLease,
    attempt: &DeliveryAttempt,
    then: AttemptOutcome,
    now: Now,
) -> StoreResult<()> {
    let (state, due_at) = match then {
        AttemptOutcome::Delivered => (DeliveryState::Delivered, now.ms),
        AttemptOutcome::RetryAt(at) => (DeliveryState::Due, now.of(at)),
        AttemptOutcome::GiveUp => (DeliveryState::Failed, now.ms),
    };
    let reported = sqlx::query(
        "UPDATE outbox SET state = $3, due_at = $4, decided_at = $5, step = step + 1, claimed_at = NULL,
                lease_until = NULL
          WHERE event_id = $1 AND fence = $2 AND state = 'sending'",
    )
    .bind(&lease.event_id)
    .bind(lease.fence)
    .bind(state.as_str())
    .bind(due_at)
    .bind(now.ms)
    .execute(&mut *db)
    .await?;
    if reported.rows_affected() != 1 {
        return Err(StoreError::LeaseLost);
    }
    sqlx::query(
        "INSERT INTO delivery_attempts (event_id, started_at, duration_ms, status, error, message_code)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(&lease.event_id)
    .bind(now.of(attempt.started_at))
    .bind(attempt.duration_ms.map(|ms| rows::column(ms, "the duration")).transpose()?)
    .bind(attempt.status.map(i64::from))
    .bind(attempt.error.as_ref().map(Message::english))
    .bind(attempt.error.as_ref().and_then(Message::stored_code))
    .execute(db)
    .await?;
    Ok(())
}

pub async fn of(db: &mut Db, user: UserId, subject: &Subject) -> StoreResult<Option<CallbackRecord>> {
    let (about, event_of) = match subject {
        Subject::Task(_) => (
            "SELECT id, callback_url FROM tasks WHERE task_no = $1 AND user_id = $2",
            "SELECT event_id, kind, created_at, state, due_at FROM outbox WHERE task_id = $1",
        ),
        Subject::Batch(_) => (
            "SELECT id, callback_url FROM batches WHERE batch_no = $1 AND user_id = $2",
            "SELECT event_id, kind, created_at, state, due_at FROM outbox WHERE batch_id = $1",
        ),
    };
    let row: Option<(i64, Option<String>)> =
        sqlx::query_as(about).bind(subject.number()).bind(user.0).fetch_optional(&mut *db).await?;
    let Some((id, url)) = row else { return Ok(None) };
    let row: Option<EventRow> = sqlx::query_as(event_of).bind(id).fetch_optional(&mut *db).await?;
    let event = match row {
        None => None,
        Some(row) => Some(EventRecord { attempts: attempts(db, &row.event_id).await?, ..event(row)? }),
    };
    Ok(Some(CallbackRecord { subject: subject.clone(), url, event }))
}

pub async fn redeliver(
    db: &mut Db,
    user: UserId,
    subject: &Subject,
    now: Millis,
) -> StoreResult<Option<RedeliverOutcome>> {
    let Some(callback) = of(db, user, subject).await? else { return Ok(None) };
    let Some(event) = callback.event else { return Ok(Some(RedeliverOutcome::NoEvent)) };
    let due = sqlx::query(
        "UPDATE outbox SET state = 'due', due_at = $2, decided_at = $2, step = 0
          WHERE event_id = $1 AND state <> 'sending'",
    )
    .bind(&event.event_id)
    .bind(now)
    .execute(db)
    .await?;
    let sending = due.rows_affected() == 0;
    Ok(Some(if sending { RedeliverOutcome::Sending } else { RedeliverOutcome::Due }))
}

/// Those not delivered, the failed ones first, each group by its time.
pub async fn open(db: &mut Db, max: u32) -> StoreResult<Vec<OpenDelivery>> {
    let rows: Vec<OpenRow> = sqlx::query_as(
        "SELECT o.event_id, u.name, COALESCE(t.task_no, b.batch_no) AS number,
                COALESCE(t.callback_url, b.callback_url) AS callback_url, o.state, o.due_at,
                (SELECT COUNT(*) FROM delivery_attempts c WHERE c.event_id = o.event_id) AS attempts,
                a.error, a.message_code
           FROM outbox o LEFT JOIN tasks t ON t.id = o.task_id LEFT JOIN batches b ON b.id = o.batch_id
           JOIN users u ON u.id = COALESCE(t.user_id, b.user_id)
           LEFT JOIN delivery_attempts a
             ON a.id = (SELECT MAX(l.id) FROM delivery_attempts l WHERE l.event_id = o.event_id)
          WHERE o.state <> 'delivered'
          ORDER BY o.state <> 'failed', o.due_at, o.task_id LIMIT $1",
    )
    .bind(i64::from(max))
    .fetch_all(db)
    .await?;
    rows.into_iter().map(open_delivery).collect()
}

async fn attempts(db: &mut Db, event_id: &str) -> StoreResult<Vec<DeliveryAttempt>> {
    let rows: Vec<AttemptRow> = sqlx::query_as(
        "SELECT started_at, duration_ms, status, error, message_code
           FROM delivery_attempts WHERE event_id = $1 ORDER BY id",
    )
    .bind(event_id)
    .fetch_all(db)
    .await?;
    rows.into_iter().map(attempt).collect()
}

from_row! {
    struct DueRow {
        event_id: String,
        fence: i64,
        kind: String,
        created_at: Millis,
        step: i64,
        url: Option<String>,
        user_id: i64,
        number: String,
    }
}

from_row! {
    struct EventRow {
        event_id: String,
        kind: String,
        created_at: Millis,
        state: String,
        due_at: Millis,
    }
}

from_row! {
    struct OpenRow {
        event_id: String,
        name: String,
        number: String,
        callback_url: Option<String>,
        state: String,
        due_at: Millis,
        attempts: i64,
        error: Option<String>,
        message_code: Option<String>,
    }
}

type AttemptRow = (Millis, Option<i64>, Option<i64>, Option<String>, Option<String>);

fn due_event(row: DueRow) -> StoreResult<DueEvent> {
    let missing = || StoreError::Corrupt(format!("event {} leads nowhere", row.event_id));
    Ok(DueEvent {
        url: row.url.clone().ok_or_else(missing)?,
        lease: EventLease { event_id: row.event_id, fence: row.fence },
        kind: row.kind,
        created_at: row.created_at,
        user: UserId(row.user_id),
        subject: subject(&row.number)?,
        step: count32(row.step)?,
    })
}

fn subject(number: &str) -> StoreResult<Subject> {
    Subject::parse(number).ok_or_else(|| StoreError::Corrupt(format!("{number:?} is no task and no batch")))
}

fn event(row: EventRow) -> StoreResult<EventRecord> {
    let state = delivery_state(&row.state)?;
    Ok(EventRecord {
        event_id: row.event_id,
        kind: row.kind,
        created_at: row.created_at,
        state,
        due_at: (state == DeliveryState::Due).then_some(row.due_at),
        attempts: Vec::new(),
    })
}

fn open_delivery(row: OpenRow) -> StoreResult<OpenDelivery> {
    let state = delivery_state(&row.state)?;
    Ok(OpenDelivery {
        event_id: row.event_id,
        user_name: row.name,
        subject: subject(&row.number)?,
        url: row.callback_url.unwrap_or_default(),
        state,
        due_at: (state == DeliveryState::Due).then_some(row.due_at),
        attempts: count(row.attempts)?,
        last_error: row.error.map(|english| Message::of_stored(english, row.message_code.as_deref())),
    })
}

fn attempt((started_at, duration, status, error, code): AttemptRow) -> StoreResult<DeliveryAttempt> {
    let status = status.map(u16::try_from).transpose();
    Ok(DeliveryAttempt {
        started_at,
        duration_ms: duration.map(count).transpose()?,
        status: status.map_err(|_| StoreError::Corrupt("a status is out of range".to_owned()))?,
        error: error.map(|english| Message::of_stored(english, code.as_deref())),
    })
}

fn delivery_state(name: &str) -> StoreResult<DeliveryState> {
    DeliveryState::parse(name)
        .ok_or_else(|| StoreError::Corrupt(format!("{name:?} is not a state of an event")))
}
