//! The store's one interface. Each method is a whole unit of work.

use async_trait::async_trait;
use clipmill_core::ids::{TaskId, TaskNo, UserId};
use clipmill_core::segment::SegmentHash;
use tokio::sync::watch;

use crate::error::StoreResult;
use crate::model::*;

#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Cheapest question that proves the database answers.
    async fn ping(&self) -> StoreResult<()>;

    /// A secret of the installation by name, made from `fresh` the first time anyone asks.
    async fn secret(&self, name: &str, fresh: [u8; 32]) -> StoreResult<[u8; 32]>;

    // ---- users, keys, points

    async fn add_user(&self, user: NewUser, now: Millis) -> StoreResult<User>;
    async fn user(&self, id: UserId) -> StoreResult<Option<User>>;
    async fn user_by_name(&self, name: &str) -> StoreResult<Option<User>>;
    async fn user_count(&self) -> StoreResult<u64>;
    async fn add_key(&self, key: NewKey, now: Millis) -> StoreResult<i64>;
    async fn key_owner(&self, key_sha256: &[u8; 32]) -> StoreResult<Option<KeyOwner>>;
    /// Notes when a key was used last; a moment before the one known changes nothing.
    async fn key_used(&self, key_id: i64, at: Millis) -> StoreResult<()>;
    /// All keys of a user, the newest first, the ended ones included.
    async fn keys(&self, user: UserId) -> StoreResult<Vec<KeyRecord>>;
    /// Revokes a key for good; [`crate::StoreError::NotFound`] where there is none. The first time counts.
    async fn revoke_key(&self, key_id: i64, now: Millis) -> StoreResult<KeyRecord>;
    /// A new secret signs the user's callbacks; the one before signs too, until `earlier_until`.
    async fn rotate_secret(&self, user: UserId, secret: &str, earlier_until: Millis) -> StoreResult<()>;
    /// The secrets that sign the user's callbacks now, the newest first.
    async fn signing_secrets(&self, user: UserId, now: Millis) -> StoreResult<Vec<String>>;
    async fn grant(&self, user: UserId, points: u64, remark: &str, now: Millis) -> StoreResult<Balance>;
    async fn balance(&self, user: UserId) -> StoreResult<Balance>;
    async fn movements(
        &self,
        user: UserId,
        filter: &MovementFilter,
        page: Page,
    ) -> StoreResult<Paged<Movement>>;
    /// Replays the ledger and names every disagreement with the balances and holds; empty when all is well.
    async fn audit(&self) -> StoreResult<Vec<String>>;

    // ---- tasks

    /// Writes task, items, one hold per item and the preflight work, or nothing.
    async fn submit(&self, task: NewTask, now: Millis) -> StoreResult<SubmitOutcome>;
    async fn task(&self, user: UserId, task_no: &TaskNo) -> StoreResult<Option<TaskRecord>>;
    /// Cancels a task that has not ended: items without a file end and give back their points, work that
    /// only they needed is taken from whoever does it. `None` when the user has no such task.
    async fn cancel(&self, user: UserId, task_no: &TaskNo, now: Millis)
    -> StoreResult<Option<CancelOutcome>>;
    async fn tasks(&self, user: UserId, filter: &TaskFilter, page: Page) -> StoreResult<Paged<TaskRecord>>;
    /// For signed links: the result of an item, whoever asks.
    async fn item_result(&self, task_no: &TaskNo, item_no: u32) -> StoreResult<Option<ItemResult>>;

    // ---- work

    /// Leases the next ready piece of work, highest priority and oldest first. The first segment or finish
    /// of a task moves it from queued to executing.
    async fn claim(&self, worker: &str, now: Millis, lease_ms: i64) -> StoreResult<Option<Claim>>;
    /// Renews a lease and reports frames done so far by this attempt (progress never falls).
    async fn heartbeat(&self, lease: Lease, frames_done: u64, now: Millis, lease_ms: i64) -> StoreResult<()>;
    /// Whether the lease is still good; reads only.
    async fn holds_lease(&self, lease: Lease) -> StoreResult<bool>;
    /// Changes whenever leases may have been taken from their holders, so that they need not wait until they
    /// look next. Nothing is lost by missing one: whoever holds a lease looks now and then.
    fn interruptions(&self) -> watch::Receiver<u64>;
    /// Gives work back unharmed, e.g. at shutdown: no attempt is counted.
    async fn hand_back(&self, lease: Lease, now: Millis) -> StoreResult<()>;
    /// Reports a failure. A retry is scheduled, or the work ends and with it every item that needed it:
    /// a preflight fails the whole task, a segment all items that use it, a finish its item.
    async fn fail(&self, lease: Lease, failure: WorkFailure, now: Millis) -> StoreResult<()>;
    /// Writes the plan: re-prices each hold (released and placed anew), fails bad items and releases
    /// theirs, creates segment and finish work, sets `frames_planned` to the distinct segments' frames plus
    /// [`finish_weight`] of each item. Rejects the task when no item can be made or the price exceeds the
    /// balance. Segments that other tasks have made or are making are not made again.
    async fn finish_preflight(&self, lease: Lease, found: Preflighted, now: Millis) -> StoreResult<()>;
    /// A segment lies in the cache: items that now have all theirs become ready to finish.
    async fn finish_segment(&self, lease: Lease, now: Millis) -> StoreResult<()>;
    /// Segments that should be in the cache are not: they are made again, the item waits for them.
    async fn segments_missing(&self, lease: Lease, missing: &[SegmentHash], now: Millis) -> StoreResult<()>;
    /// Every segment that an item which has not ended needs: these must not be evicted.
    async fn needed_segments(&self) -> StoreResult<Vec<SegmentHash>>;
    /// Delivers an item: settles `points` (never above the hold), releases the rest, ends the task with its
    /// last item.
    async fn deliver(&self, lease: Lease, result: ItemResult, points: u64, now: Millis) -> StoreResult<()>;
    /// Leases that ran out before `now` are free again; returns how many. Counted apart from failures; the
    /// tenth loss of the same work ends it.
    async fn rescue(&self, now: Millis) -> StoreResult<u64>;
    /// At the start of the only process on this store: every lease, of work and of events, is from a boot that
    /// is over.
    async fn rescue_all(&self, now: Millis) -> StoreResult<u64>;

    // ---- events

    /// Leases the event that has been due longest, of each user at most `per_user` at once. Events whose
    /// lease ran out are due again. Works on when the clock is set forward or back.
    async fn claim_event(&self, now: Millis, lease_ms: i64, per_user: u32) -> StoreResult<Option<DueEvent>>;
    /// Logs an attempt and what follows; [`crate::StoreError::LeaseLost`] when another has the event now.
    async fn report_attempt(
        &self,
        lease: &EventLease,
        attempt: DeliveryAttempt,
        then: AfterAttempt,
        now: Millis,
    ) -> StoreResult<()>;
    /// `None` when the user has no such task.
    async fn task_callback(&self, user: UserId, task_no: &TaskNo) -> StoreResult<Option<TaskCallback>>;
    /// Makes the event due now, whatever became of it before. `None` when the user has no such task.
    async fn redeliver(
        &self,
        user: UserId,
        task_no: &TaskNo,
        now: Millis,
    ) -> StoreResult<Option<RedeliverOutcome>>;
    /// Events of all users that are not delivered: the failed ones first, at most `most`.
    async fn open_deliveries(&self, most: u32) -> StoreResult<Vec<OpenDelivery>>;
    /// How these tasks stand; those that do not exist are left out.
    async fn pulses(&self, tasks: &[TaskId]) -> StoreResult<Vec<Pulse>>;

    // ---- uploads

    async fn add_upload(&self, upload: NewUpload) -> StoreResult<()>;
    /// `None` also when it belongs to another user.
    async fn upload(&self, user: UserId, id: &str) -> StoreResult<Option<Upload>>;

    /// Waits for running units and lets go of the database; every later call fails.
    async fn close(&self);
}
