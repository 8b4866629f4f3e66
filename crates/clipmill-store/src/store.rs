//! The store's one interface. Each method is a whole unit of work.

use async_trait::async_trait;
use clipmill_core::error::ErrorCode;
use clipmill_core::footage::Footage;
use clipmill_core::ids::{TaskId, TaskNo, UserId};
use clipmill_core::media::ContentHash;
use clipmill_core::plan::Rendition;
use clipmill_core::request::TaskNaming;
use clipmill_core::segment::SegmentKey;
use clipmill_core::similarity::FrameHashes;
use tokio::sync::watch;

use crate::batch_store::BatchStore;
use crate::body::StoredRequest;
use crate::error::{StoreError, StoreResult};
use crate::metrics::Metrics;
use crate::model::*;
use crate::operations::OperationsStore;
use crate::retention::Retention;
use crate::secrets::{Installation, LinkSecret};
use crate::signals::Signal;
use crate::traces::Traces;
use crate::user_content::UserContentStore;

#[async_trait]
pub trait Store: Retention + Metrics + Traces + UserContentStore + BatchStore + OperationsStore {
    /// The cheapest query that proves that the database responds.
    async fn ping(&self) -> StoreResult<()>;
    /// Writes a few bytes durably. [`crate::StoreError::cannot_write`] reports whether a failure means that nothing can be
    /// written.
    async fn try_writing(&self, now: Millis) -> StoreResult<()>;

    /// The current time of this store, for leases, retries and everything it writes.
    ///
    /// If several processes share a database (PostgreSQL), its clock counts: the `now` passed to the methods here only serves as
    /// the reference for other times that the caller derived from its own clock. Such a time (when to try again, when a file
    /// expires) keeps its distance from the caller's `now`, so a process whose clock is wrong neither takes work early nor gives
    /// it back late. In the embedded database the caller's clock is the only one.
    async fn now(&self, caller: Millis) -> StoreResult<Millis>;

    /// Changes when the event of [`Signal`] may have happened in any process. A missed change loses nothing, because every
    /// process also polls from time to time.
    fn signal(&self, signal: Signal) -> watch::Receiver<u64>;

    /// Resends a signal that one receiver has already handled.
    fn resend_signal(&self, signal: Signal);

    /// A secret of the installation by name. The first call creates it from `fresh`.
    async fn secret(&self, name: &str, fresh: [u8; 32]) -> StoreResult<[u8; 32]>;
    /// The identity of this installation.
    async fn installation(&self) -> StoreResult<Installation>;
    /// The secret that signs links; `None` until [`Store::secret`] has created it.
    async fn link_secret(&self) -> StoreResult<Option<LinkSecret>>;
    /// A new secret signs links from `since` on; the previous one remains valid until `earlier_until`.
    async fn rotate_link_secret(
        &self,
        fresh: [u8; 32],
        since: Millis,
        earlier_until: Millis,
        now: Millis,
    ) -> StoreResult<()>;

    // ---- users, keys, points

    async fn add_user(&self, user: NewUser, now: Millis) -> StoreResult<User>;
    async fn user(&self, id: UserId) -> StoreResult<Option<User>>;
    async fn user_by_name(&self, name: &str) -> StoreResult<Option<User>>;
    async fn user_count(&self) -> StoreResult<u64>;
    /// Users, the newest first; `search` is a part of their names.
    async fn users(&self, search: Option<&str>, page: Page) -> StoreResult<Paged<UserOverview>>;
    async fn add_key(&self, key: NewKey, now: Millis) -> StoreResult<i64>;
    async fn key_owner(&self, key_sha256: &[u8; 32]) -> StoreResult<Option<KeyOwner>>;
    /// Records the last use of a key. An earlier time changes nothing.
    async fn key_used(&self, key_id: i64, at: Millis) -> StoreResult<()>;
    /// All keys of a user, including expired ones, the newest first.
    async fn keys(&self, user: UserId) -> StoreResult<Vec<KeyRecord>>;
    /// Revokes a key permanently; [`crate::StoreError::NotFound`] if there is no such key. A second call keeps the first time.
    async fn revoke_key(&self, key_id: i64, now: Millis) -> StoreResult<KeyRecord>;
    /// A new secret signs the user's callbacks. The previous secret also signs until `earlier_until`.
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
    /// Replays the ledger and lists every difference from the balances and holds; empty if there is none.
    async fn audit(&self) -> StoreResult<Vec<String>>;

    // ---- tasks

    /// Writes task, items, one hold per item and the preflight work, or nothing. Quotas count for new tasks, not
    /// for repeats.
    async fn submit(&self, task: NewTask, now: Millis) -> StoreResult<SubmitOutcome>;
    /// The result of a submission if an earlier task has the same `clientTaskId`. Changes nothing.
    async fn submitted_before(&self, task: &NewTask) -> StoreResult<Option<SubmitOutcome>>;
    async fn task(&self, user: UserId, task_no: &TaskNo) -> StoreResult<Option<TaskRecord>>;
    /// The submitted request, with its current name. `None` if the user has no such task.
    async fn task_request(&self, user: UserId, task_no: &TaskNo) -> StoreResult<Option<StoredRequest>>;
    /// Renames a task in any state; returns whether the user has such a task.
    async fn rename_task(&self, user: UserId, task_no: &TaskNo, to: &TaskNaming) -> StoreResult<bool>;
    /// The footage of each output of a task, by its number, without outputs that cannot be rendered. Empty for tasks planned by
    /// a version that did not store it.
    async fn footage(&self, task: TaskId) -> StoreResult<Vec<(u32, Footage<ContentHash>)>>;
    /// Frame hashes of the outputs of a task, by their numbers: of delivered outputs whose files still exist.
    async fn frame_hashes(&self, task: TaskId) -> StoreResult<Vec<(u32, FrameHashes)>>;
    /// Cancels a task that has not ended. Items without a file end and release their points, and work that only they needed
    /// is taken from its worker. `None` if the user has no such task.
    async fn cancel(&self, user: UserId, task_no: &TaskNo, now: Millis)
    -> StoreResult<Option<CancelOutcome>>;
    async fn tasks(&self, user: UserId, filter: &TaskFilter, page: Page) -> StoreResult<Paged<TaskRecord>>;
    /// Delivered outputs of the tasks that the filter finds: of the newest task first, in a task by their numbers. The
    /// newest 10,000 are counted and listed.
    async fn outputs(
        &self,
        user: UserId,
        filter: &TaskFilter,
        page: Page,
    ) -> StoreResult<Paged<OutputRecord>>;
    /// The result of an item of any user, for signed links.
    async fn item_result(&self, task_no: &TaskNo, item_no: u32) -> StoreResult<Option<ItemResult>>;

    /// The owner of a task, for signed links, which name no user.
    async fn owner(&self, task_no: &TaskNo) -> StoreResult<Option<UserId>>;

    /// Files of a task's items, for signed links.
    async fn results(&self, task_no: &TaskNo) -> StoreResult<Vec<(u32, ItemResult)>>;

    // ---- work

    /// Leases the next ready pieces of work, at most `most`: of the highest priority, of the user with the least work in
    /// progress (of several the one served longest ago), assemblies first, then preflights, then segments, each by age. The
    /// first segment or assembly of a task moves it from queued to executing. Returns nothing while the queue is paused. Users
    /// who have reached `limits` wait, and keep nobody else waiting; under such limits one piece at a time is leased.
    async fn claim_several(
        &self,
        worker: &str,
        most: u32,
        now: Millis,
        lease_ms: i64,
        limits: ClaimLimits,
    ) -> StoreResult<Vec<Claim>>;
    /// [`Store::claim_several`] for one piece of work.
    async fn claim(
        &self,
        worker: &str,
        now: Millis,
        lease_ms: i64,
        limits: ClaimLimits,
    ) -> StoreResult<Option<Claim>> {
        Ok(self.claim_several(worker, 1, now, lease_ms, limits).await?.pop())
    }
    /// Leases the next assemblies of the task whose assembly is leased, because a worker saves time by doing several together.
    /// Returns none while another user waits, and none for other kinds of work.
    async fn claim_more(
        &self,
        worker: &str,
        more: More,
        now: Millis,
        lease_ms: i64,
        limits: ClaimLimits,
    ) -> StoreResult<Vec<Claim>>;
    /// Renews leases and records the work done under them (progress never falls); returns for each whether it is still valid.
    async fn keep(&self, heartbeats: &[Heartbeat], now: Millis, lease_ms: i64) -> StoreResult<Vec<bool>>;
    /// [`Store::keep`] for one lease that is to be renewed.
    async fn heartbeat(&self, lease: Lease, frames_done: u64, now: Millis, lease_ms: i64) -> StoreResult<()> {
        let beat = Heartbeat { lease, renews: true, frames_done: (frames_done > 0).then_some(frames_done) };
        let held = self.keep(&[beat], now, lease_ms).await?.contains(&true);
        held.then_some(()).ok_or(StoreError::LeaseLost)
    }
    /// Whether the lease is still valid; reads only.
    async fn holds_lease(&self, lease: Lease) -> StoreResult<bool> {
        let check = Heartbeat { lease, renews: false, frames_done: None };
        Ok(self.keep(&[check], 0, 0).await?.contains(&true))
    }
    /// Gives work back, for example at shutdown, without counting an attempt.
    async fn hand_back(&self, lease: Lease, now: Millis) -> StoreResult<()>;
    /// Gives work back whose lease its holder, although alive, could not renew in time: the next leases last twice as long each
    /// time, up to 32 times. A lease that has ended stays lost, and is not counted as that of a dead machine.
    async fn starved(&self, lease: Lease, now: Millis) -> StoreResult<()>;
    /// Gives work back that cannot be done before `until`; no attempt is counted.
    async fn put_off(&self, lease: Lease, until: Millis, now: Millis) -> StoreResult<()>;
    /// Reports a failure. A retry is scheduled, or the work ends and with it every item that needed it:
    /// a preflight fails the whole task, a segment all items that use it, an assembly its item.
    async fn fail(&self, lease: Lease, failure: WorkFailure, now: Millis) -> StoreResult<()>;
    /// Writes the plan: re-prices each hold (released and placed anew), fails bad items and releases
    /// theirs, creates segment and assembly work, sets `frames_planned` to the distinct segments' frames plus
    /// [`assemble_weight`] of each item. Rejects the task when no item can be made or the price exceeds the
    /// balance. Segments that other tasks have made or are making are not made again.
    async fn complete_preflight(&self, lease: Lease, plan: PreflightResult, now: Millis) -> StoreResult<()>;
    /// A segment is in the cache. Items that now have all their segments become ready for assembly.
    async fn complete_segment(&self, lease: Lease, now: Millis) -> StoreResult<()>;
    /// Segments are missing from the cache. They are re-rendered, and the item waits for them.
    async fn segments_missing(&self, lease: Lease, missing: &[SegmentKey], now: Millis) -> StoreResult<()>;
    /// The output that waits for a leased segment, if it is the only one.
    async fn only_output(&self, lease: Lease) -> StoreResult<Option<Rendition>>;
    /// Outputs that wait for segments which this worker is making, the earliest first.
    async fn outputs_waiting(&self, worker: &str, most: u32) -> StoreResult<Vec<Rendition>>;
    /// The parts of the items that need a leased segment, or of the item whose assembly is leased.
    async fn item_parts(&self, lease: Lease) -> StoreResult<Vec<ItemParts>>;
    /// Ends the leased work because an encoder failed, and plans these items with other segments. Items that have changed since
    /// [`Store::item_parts`] stay unchanged; a segment that they still need becomes ready again.
    async fn use_fallback(&self, lease: Lease, fallbacks: Vec<Fallback>, now: Millis) -> StoreResult<()>;
    /// The segments among `of` that an open item needs. They must not be evicted.
    async fn needed_segments(&self, of: &[SegmentKey]) -> StoreResult<Vec<SegmentKey>>;
    /// Completes an item: settles `points` (never above the hold), releases the rest, ends the task with its last item.
    async fn complete_item(
        &self,
        lease: Lease,
        result: ItemResult,
        points: u64,
        now: Millis,
    ) -> StoreResult<()>;
    /// Frees leases that expired before `now`; returns their number. They are counted separately from failures; the tenth loss
    /// of the same work ends it.
    async fn rescue(&self, now: Millis) -> StoreResult<u64>;
    /// Frees all leases of work and of events. Called at the start of the only process on this store, when every lease belongs
    /// to an earlier run.
    async fn rescue_all(&self, now: Millis) -> StoreResult<u64>;

    // ---- queue and workers

    /// Records that a worker is alive, every few seconds; returns how many are.
    async fn record_worker(&self, worker: &WorkerInfo, now: Millis) -> StoreResult<u64>;
    /// A worker has stopped in an orderly way.
    async fn remove_worker(&self, name: &str) -> StoreResult<()>;
    /// Workers that have reported within the last day.
    async fn workers(&self, now: Millis) -> StoreResult<Vec<WorkerRecord>>;
    /// The work left and the throughput, which is zero while the queue is paused.
    async fn load(&self, now: Millis) -> StoreResult<Load>;
    /// The number of waiting jobs and the running jobs; at most `most` users and running jobs. Counts of a long queue are as old as
    /// those of [`crate::Metrics::snapshot`].
    async fn queue(&self, now: Millis, most: u32) -> StoreResult<QueueOverview>;
    /// Pauses the queue: no new work starts, running work continues. `false` if it was paused before; a reason then replaces
    /// the previous one.
    async fn pause(&self, reason: Option<&str>, now: Millis) -> StoreResult<bool>;
    /// `false` if the queue was not paused.
    async fn resume(&self) -> StoreResult<bool>;
    /// Makes work ready again at once; returns the number of jobs.
    async fn requeue(&self, what: &Requeue) -> StoreResult<u64>;
    /// Items that ended without an output, the latest first.
    async fn failures(&self, most: u32) -> StoreResult<Vec<FailedItem>>;
    /// One page of [`Store::failures`]; only those with `code`, and those with `search` in the task's number or the user's name.
    async fn failed_items(
        &self,
        code: Option<ErrorCode>,
        search: Option<&str>,
        page: Page,
    ) -> StoreResult<Paged<FailedItem>>;

    // ---- events

    /// Leases the event that has been due longest, at most `per_user` of each user at once. Events whose lease ended are due
    /// again. Setting the clock forward or back does no harm.
    async fn claim_event(&self, now: Millis, lease_ms: i64, per_user: u32) -> StoreResult<Option<DueEvent>>;
    /// Records an attempt and its outcome; [`crate::StoreError::LeaseLost`] if another process holds the event now.
    async fn report_attempt(
        &self,
        lease: &EventLease,
        attempt: DeliveryAttempt,
        then: AttemptOutcome,
        now: Millis,
    ) -> StoreResult<()>;
    /// `None` when the user has no such task or batch.
    async fn callback(&self, user: UserId, subject: &Subject) -> StoreResult<Option<CallbackRecord>>;
    /// Makes the event due now, in any state. `None` if the user has no such task or batch.
    async fn redeliver(
        &self,
        user: UserId,
        subject: &Subject,
        now: Millis,
    ) -> StoreResult<Option<RedeliverOutcome>>;
    /// Events of all users that are not delivered: the failed ones first, at most `most`.
    async fn open_deliveries(&self, most: u32) -> StoreResult<Vec<OpenDelivery>>;
    /// The progress of these tasks, without those that do not exist.
    async fn task_progress(&self, tasks: &[TaskId]) -> StoreResult<Vec<TaskProgress>>;

    // ---- uploads

    async fn add_upload(&self, upload: NewUpload) -> StoreResult<UploadOutcome>;
    /// Bytes of the user's results that are kept, and of their uploads since a moment.
    async fn stored_bytes(&self, user: UserId, uploads_since: Millis, now: Millis) -> StoreResult<u64>;
    /// `None` also when it belongs to another user.
    async fn upload(&self, user: UserId, id: &str) -> StoreResult<Option<Upload>>;

    /// Waits for running units and closes the database. Every later call fails.
    async fn close(&self);
}
