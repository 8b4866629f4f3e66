//! Implements the interface: the unit of work behind each method, and the signals that it sends.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use clipmill_core::error::ErrorCode;
use clipmill_core::footage::Footage;
use clipmill_core::ids::{ItemId, TaskId, TaskNo, UserId, WorkId};
use clipmill_core::media::ContentHash;
use clipmill_core::plan::Rendition;
use clipmill_core::request::TaskNaming;
use clipmill_core::segment::SegmentKey;
use clipmill_core::similarity::FrameHashes;
use tokio::sync::watch;

use super::dialect::{Handle, is_conflict};
use super::unit::{TRIES, apart, computed, in_time, pause, snapshot, unit};
use super::work::assemble::{Output, OutputOutcome};
use super::work::lease::WorkRow;
use super::*;
use crate::body::StoredRequest;
use crate::error::{StoreError, StoreResult};
use crate::model::*;
use crate::secrets::{Installation, LinkSecret};
use crate::signals::Signal;
use crate::store::Store;

#[async_trait]
impl Store for Handle {
    async fn ping(&self) -> StoreResult<()> {
        snapshot!(self; tx => users::ping(tx))
    }

    async fn try_writing(&self, now: Millis) -> StoreResult<()> {
        unit!(self; tx => users::try_writing(tx, now))
    }

    async fn now(&self, caller: Millis) -> StoreResult<Millis> {
        snapshot!(self, at caller; tx => async { let _ = tx; StoreResult::Ok(caller.ms) })
    }

    fn signal(&self, signal: Signal) -> watch::Receiver<u64> {
        self.signals().subscribe(signal)
    }

    fn resend_signal(&self, signal: Signal) {
        self.notify(&[signal]);
    }

    async fn secret(&self, name: &str, fresh: [u8; 32]) -> StoreResult<[u8; 32]> {
        unit!(self, name; tx => secrets::secret(tx, &name, fresh))
    }

    async fn installation(&self) -> StoreResult<Installation> {
        snapshot!(self; tx => secrets::installation(tx))
    }

    async fn link_secret(&self) -> StoreResult<Option<LinkSecret>> {
        snapshot!(self; tx => secrets::link_secret(tx))
    }

    async fn rotate_link_secret(
        &self,
        fresh: [u8; 32],
        since: Millis,
        earlier_until: Millis,
        now: Millis,
    ) -> StoreResult<()> {
        unit!(self, at now;
            tx => secrets::rotate_link_secret(tx, fresh, now.of(since), now.of(earlier_until)))
    }

    async fn add_user(&self, user: NewUser, now: Millis) -> StoreResult<User> {
        unit!(self, at now, user; tx => users::add(tx, &user, now.ms))
    }

    async fn user(&self, id: UserId) -> StoreResult<Option<User>> {
        snapshot!(self; tx => users::by_id(tx, id))
    }

    async fn user_by_name(&self, name: &str) -> StoreResult<Option<User>> {
        snapshot!(self, name; tx => users::by_name(tx, &name))
    }

    async fn user_count(&self) -> StoreResult<u64> {
        snapshot!(self; tx => users::count_all(tx))
    }

    async fn users(&self, search: Option<&str>, page: Page) -> StoreResult<Paged<UserOverview>> {
        let search = search.map(str::to_owned);
        snapshot!(self, search; tx => users::page(tx, search.as_deref(), page))
    }

    async fn add_key(&self, key: NewKey, now: Millis) -> StoreResult<i64> {
        unit!(self, at now, key; tx => keys::add(tx, &key, now))
    }

    async fn key_owner(&self, key_sha256: &[u8; 32]) -> StoreResult<Option<KeyOwner>> {
        snapshot!(self, key_sha256; tx => keys::owner(tx, &key_sha256))
    }

    async fn key_used(&self, key_id: i64, at: Millis) -> StoreResult<()> {
        unit!(self; tx => keys::used(tx, key_id, at))
    }

    async fn keys(&self, user: UserId) -> StoreResult<Vec<KeyRecord>> {
        snapshot!(self; tx => keys::of_user(tx, user))
    }

    async fn revoke_key(&self, key_id: i64, now: Millis) -> StoreResult<KeyRecord> {
        unit!(self, at now; tx => keys::revoke(tx, key_id, now.ms))
    }

    async fn rotate_secret(&self, user: UserId, secret: &str, earlier_until: Millis) -> StoreResult<()> {
        unit!(self, secret; tx => users::rotate_secret(tx, user, &secret, earlier_until))
    }

    async fn signing_secrets(&self, user: UserId, now: Millis) -> StoreResult<Vec<String>> {
        snapshot!(self, at now; tx => users::signing_secrets(tx, user, now.ms))
    }

    async fn grant(&self, user: UserId, points: u64, remark: &str, now: Millis) -> StoreResult<Balance> {
        unit!(self, at now, remark; tx => ledger::grant(tx, user, points, &remark, now.ms))
    }

    async fn balance(&self, user: UserId) -> StoreResult<Balance> {
        snapshot!(self; tx => ledger::balance(tx, user))
    }

    async fn movements(
        &self,
        user: UserId,
        filter: &MovementFilter,
        page: Page,
    ) -> StoreResult<Paged<Movement>> {
        snapshot!(self, filter; tx => records::movements(tx, user, &filter, page))
    }

    async fn audit(&self) -> StoreResult<Vec<String>> {
        // This takes time in proportion to the length of the ledger.
        snapshot!(self, unhurried; tx => audit::audit(tx))
    }

    async fn submit(&self, task: NewTask, now: Millis) -> StoreResult<SubmitOutcome> {
        let task = Arc::new(task);
        let body = bodies::of_task(task.clone()).await?;
        let outcome = unit!(self, prompt, at now, task, body;
                            tx => submit::submit_with_uploads(tx, &task, &body, now.ms))?;
        self.notify(&[Signal::Ready]);
        Ok(outcome)
    }

    async fn submitted_before(&self, task: &NewTask) -> StoreResult<Option<SubmitOutcome>> {
        snapshot!(self, task; tx => submit::earlier(tx, &task))
    }

    async fn task(&self, user: UserId, task_no: &TaskNo) -> StoreResult<Option<TaskRecord>> {
        snapshot!(self, task_no; tx => tasks::task(tx, user, &task_no))
    }

    async fn task_request(&self, user: UserId, task_no: &TaskNo) -> StoreResult<Option<StoredRequest>> {
        let row = snapshot!(self, task_no; tx => tasks::request(tx, user, &task_no))?;
        // Nothing of the database is held while it is read.
        computed(move || row.map(tasks::RequestRow::read).transpose()).await
    }

    async fn rename_task(&self, user: UserId, task_no: &TaskNo, to: &TaskNaming) -> StoreResult<bool> {
        unit!(self, task_no, to; tx => naming::rename(tx, user, &task_no, &to))
    }

    async fn footage(&self, task: TaskId) -> StoreResult<Vec<(u32, Footage<ContentHash>)>> {
        snapshot!(self; tx => tasks::footage(tx, task))
    }

    async fn frame_hashes(&self, task: TaskId) -> StoreResult<Vec<(u32, FrameHashes)>> {
        snapshot!(self; tx => tasks::frame_hashes(tx, task))
    }

    async fn cancel(
        &self,
        user: UserId,
        task_no: &TaskNo,
        now: Millis,
    ) -> StoreResult<Option<CancelOutcome>> {
        let outcome = unit!(self, prompt, at now, task_no; tx => cancel::cancel(tx, user, &task_no, now.ms))?;
        self.notify(&Signal::ALL);
        Ok(outcome)
    }

    async fn tasks(&self, user: UserId, filter: &TaskFilter, page: Page) -> StoreResult<Paged<TaskRecord>> {
        snapshot!(self, filter; tx => list::list(tx, user, &filter, page))
    }

    async fn outputs(
        &self,
        user: UserId,
        filter: &TaskFilter,
        page: Page,
    ) -> StoreResult<Paged<OutputRecord>> {
        snapshot!(self, filter; tx => outputs::page(tx, user, &filter, page))
    }

    async fn item_result(&self, task_no: &TaskNo, item_no: u32) -> StoreResult<Option<ItemResult>> {
        snapshot!(self, task_no; tx => tasks::item_result(tx, &task_no, item_no))
    }

    async fn owner(&self, task_no: &TaskNo) -> StoreResult<Option<UserId>> {
        snapshot!(self, task_no; tx => tasks::owner(tx, &task_no))
    }

    async fn results(&self, task_no: &TaskNo) -> StoreResult<Vec<(u32, ItemResult)>> {
        snapshot!(self, task_no; tx => tasks::results(tx, &task_no))
    }

    async fn claim_several(
        &self,
        worker: &str,
        most: u32,
        now: Millis,
        lease_ms: i64,
        limits: ClaimLimits,
    ) -> StoreResult<Vec<Claim>> {
        let mut polled = self.polls_delayed();
        if polled {
            self.wake_delayed(now).await?;
        }
        loop {
            // The claim is committed before anything else is locked, so claims never wait for each other.
            let claimed =
                unit!(self, at now, worker; tx => claim::take(tx, &worker, now.ms, lease_ms, limits, most));
            let claimed = match claimed {
                // There is no other work, so delayed work may be due.
                Ok(claimed) if claimed.is_empty() && !polled => {
                    polled = true;
                    if self.wake_delayed(now).await? == 0 {
                        return Ok(Vec::new());
                    }
                    continue;
                }
                // Many claimers compete for users near their limits; they will ask again.
                Err(StoreError::Conflict) => return Ok(Vec::new()),
                Ok(claimed) if claimed.is_empty() => return Ok(Vec::new()),
                claimed => claimed?,
            };
            let claims = self.begin_all(claimed, now).await?;
            if !claims.is_empty() {
                return Ok(claims);
            }
        }
    }

    async fn claim_more(
        &self,
        worker: &str,
        more: More,
        now: Millis,
        lease_ms: i64,
        limits: ClaimLimits,
    ) -> StoreResult<Vec<Claim>> {
        let claimed =
            unit!(self, at now, worker; tx => claim::take_more(tx, &worker, more, now.ms, lease_ms, limits));
        self.begin_all(claimed?, now).await
    }

    async fn keep(&self, heartbeats: &[Heartbeat], now: Millis, lease_ms: i64) -> StoreResult<Vec<bool>> {
        let leases: Vec<Lease> = heartbeats.iter().map(|beat| beat.lease).collect();
        let renewed: Vec<Lease> =
            heartbeats.iter().filter(|beat| beat.renews).map(|beat| beat.lease).collect();
        // Renewing waits for nobody; progress is written in a unit of its own, because it concerns all users of a segment.
        let held = if leases.is_empty() {
            HashMap::new()
        } else if renewed.is_empty() {
            snapshot!(self, leases; tx => lease::held(tx, &leases))?
        } else {
            unit!(self, light, at now, renewed, leases; tx => async {
                lease::renew(&mut *tx, &renewed, now.ms, lease_ms).await?;
                lease::held(tx, &leases).await
            })?
        };
        let reached = heartbeats.iter().filter_map(|beat| {
            let key = held.get(&beat.lease.work)?.clone()?;
            beat.frames_done.map(|frames| (key, (beat.lease, frames)))
        });
        let reached: BTreeMap<String, (Lease, u64)> = reached.collect();
        if !reached.is_empty() {
            // Progress that cannot be written now is written with the next report, or when the segment is done.
            match unit!(self, light, reached; tx => lease::progress(tx, &reached)) {
                Ok(true) => self.notify(&[Signal::Changed]),
                Ok(false) => {}
                Err(error) => tracing::debug!(%error, "progress could not be noted"),
            }
        }
        Ok(heartbeats.iter().map(|beat| held.contains_key(&beat.lease.work)).collect())
    }

    async fn hand_back(&self, lease: Lease, _now: Millis) -> StoreResult<()> {
        unit!(self; tx => lease::hand_back(tx, lease))?;
        self.notify(&[Signal::Ready]);
        Ok(())
    }

    async fn starved(&self, lease: Lease, _now: Millis) -> StoreResult<()> {
        if !unit!(self; tx => lease::starved(tx, lease))? {
            return Err(StoreError::LeaseLost);
        }
        self.notify(&[Signal::Ready]);
        Ok(())
    }

    async fn put_off(&self, lease: Lease, until: Millis, now: Millis) -> StoreResult<()> {
        unit!(self, at now; tx => lease::put_off(tx, lease, now.of(until)))?;
        self.notify(&[Signal::Changed]);
        Ok(())
    }

    async fn fail(&self, lease: Lease, failure: WorkFailure, now: Millis) -> StoreResult<()> {
        unit!(self, at now, failure; tx => failures::fail(tx, lease, &failure, now))?;
        self.notify(&Signal::ALL);
        Ok(())
    }

    async fn complete_preflight(&self, lease: Lease, plan: PreflightResult, now: Millis) -> StoreResult<()> {
        let plan = Arc::new(plan);
        unit!(self, at now, plan; tx => preflight::complete(tx, lease, &plan, now.ms))?;
        self.notify(&[Signal::Ready, Signal::Changed]);
        Ok(())
    }

    async fn complete_segment(&self, lease: Lease, now: Millis) -> StoreResult<()> {
        self.report_segment(lease, now).await
    }

    async fn needed_segments(&self, of: &[SegmentKey]) -> StoreResult<Vec<SegmentKey>> {
        snapshot!(self, of; tx => segments::needed(tx, &of))
    }

    async fn segments_missing(&self, lease: Lease, missing: &[SegmentKey], now: Millis) -> StoreResult<()> {
        unit!(self, at now, missing; tx => assemble::segments_missing(tx, lease, &missing, now.ms))?;
        self.notify(&[Signal::Ready, Signal::Changed]);
        Ok(())
    }

    async fn only_output(&self, lease: Lease) -> StoreResult<Option<Rendition>> {
        snapshot!(self; tx => fallback::only_output(tx, lease))
    }

    async fn outputs_waiting(&self, worker: &str, most: u32) -> StoreResult<Vec<Rendition>> {
        snapshot!(self, worker; tx => fallback::outputs_waiting(tx, &worker, most))
    }

    async fn item_parts(&self, lease: Lease) -> StoreResult<Vec<ItemParts>> {
        snapshot!(self; tx => fallback::parts(tx, lease))
    }

    async fn use_fallback(&self, lease: Lease, fallbacks: Vec<Fallback>, now: Millis) -> StoreResult<()> {
        unit!(self, at now, fallbacks; tx => fallback::use_fallback(tx, lease, &fallbacks, now.ms))?;
        self.notify(&[Signal::Ready, Signal::Changed]);
        Ok(())
    }

    async fn complete_item(
        &self,
        lease: Lease,
        result: ItemResult,
        points: u64,
        now: Millis,
    ) -> StoreResult<()> {
        let output = Output { lease, result, points };
        if let OutputOutcome::Noted(task, item) = self.report_output(output, now).await? {
            self.complete_noted(task, item, now).await?;
        }
        self.notify(&[Signal::Ready, Signal::Changed]);
        Ok(())
    }

    async fn rescue(&self, now: Millis) -> StoreResult<u64> {
        let (expired, noted) = snapshot!(self, at now; tx => async {
            StoreResult::Ok((expired_leases::lost(&mut *tx, now.ms).await?, completions::left(tx).await?))
        })?;
        self.settle_left(noted, now).await?;
        self.free(expired, None, now).await
    }

    async fn rescue_all(&self, now: Millis) -> StoreResult<u64> {
        let noted = snapshot!(self; tx => completions::left(tx))?;
        self.settle_left(noted, now).await?;
        let events = unit!(self, at now; tx => deliveries::free_lost(tx, Millis::MAX, Millis::MAX, now.ms))?;
        let expired = snapshot!(self; tx => expired_leases::lost(tx, Millis::MAX))?;
        Ok(events + self.free(expired, Some(Millis::MAX), now).await?)
    }

    async fn record_worker(&self, worker: &WorkerInfo, now: Millis) -> StoreResult<u64> {
        let processes = unit!(self, at now, worker; tx => queue::record_worker(tx, &worker, now.ms))?;
        self.fleet_is(processes);
        Ok(processes)
    }

    async fn remove_worker(&self, name: &str) -> StoreResult<()> {
        unit!(self, name; tx => queue::remove_worker(tx, &name))
    }

    async fn workers(&self, now: Millis) -> StoreResult<Vec<WorkerRecord>> {
        snapshot!(self, at now; tx => queue::workers(tx, now.ms))
    }

    async fn load(&self, now: Millis) -> StoreResult<Load> {
        snapshot!(self, at now; tx => queue::load(tx, now.ms))
    }

    async fn queue(&self, now: Millis, most: u32) -> StoreResult<QueueOverview> {
        let waiting = self.shared(now, async { snapshot!(self; tx => queue::waiting(tx)) }).await?;
        snapshot!(self, at now, waiting; tx => queue::overview(tx, waiting, now.ms, most))
    }

    async fn pause(&self, reason: Option<&str>, now: Millis) -> StoreResult<bool> {
        let reason = reason.map(str::to_owned);
        unit!(self, at now, reason; tx => queue::pause(tx, reason.as_deref(), now.ms))
    }

    async fn resume(&self) -> StoreResult<bool> {
        let resumed = unit!(self; tx => queue::resume(tx))?;
        self.notify(&[Signal::Ready]);
        Ok(resumed)
    }

    async fn requeue(&self, what: &Requeue) -> StoreResult<u64> {
        let requeued = unit!(self, what; tx => queue::requeue(tx, &what))?;
        self.notify(&[Signal::Interrupted, Signal::Ready]);
        Ok(requeued)
    }

    async fn failures(&self, most: u32) -> StoreResult<Vec<FailedItem>> {
        snapshot!(self; tx => queue::failures(tx, most))
    }

    async fn failed_items(
        &self,
        code: Option<ErrorCode>,
        search: Option<&str>,
        page: Page,
    ) -> StoreResult<Paged<FailedItem>> {
        let search = search.map(str::to_owned);
        snapshot!(self, search; tx => queue::failed_items(tx, code, search.as_deref(), page))
    }

    async fn claim_event(&self, now: Millis, lease_ms: i64, per_user: u32) -> StoreResult<Option<DueEvent>> {
        // This is asked several times a second, and reading first keeps others from waiting for a write.
        if !snapshot!(self, at now; tx => deliveries::any_due(tx, now.ms, lease_ms))? {
            return Ok(None);
        }
        unit!(self, at now; tx => deliveries::claim(tx, now.ms, lease_ms, per_user))
    }

    async fn report_attempt(
        &self,
        lease: &EventLease,
        attempt: DeliveryAttempt,
        then: AttemptOutcome,
        now: Millis,
    ) -> StoreResult<()> {
        unit!(self, at now, lease, attempt; tx => deliveries::report(tx, &lease, &attempt, then, now))
    }

    async fn callback(&self, user: UserId, subject: &Subject) -> StoreResult<Option<CallbackRecord>> {
        snapshot!(self, subject; tx => deliveries::of(tx, user, &subject))
    }

    async fn redeliver(
        &self,
        user: UserId,
        subject: &Subject,
        now: Millis,
    ) -> StoreResult<Option<RedeliverOutcome>> {
        let outcome = unit!(self, at now, subject; tx => deliveries::redeliver(tx, user, &subject, now.ms))?;
        self.notify(&[Signal::Ready]);
        Ok(outcome)
    }

    async fn open_deliveries(&self, most: u32) -> StoreResult<Vec<OpenDelivery>> {
        snapshot!(self; tx => deliveries::open(tx, most))
    }

    async fn task_progress(&self, tasks: &[TaskId]) -> StoreResult<Vec<TaskProgress>> {
        snapshot!(self, tasks; tx => tasks::task_progress(tx, &tasks))
    }

    async fn add_upload(&self, upload: NewUpload) -> StoreResult<UploadOutcome> {
        unit!(self, upload; tx => uploads::add(tx, &upload))
    }

    async fn stored_bytes(&self, user: UserId, uploads_since: Millis, now: Millis) -> StoreResult<u64> {
        snapshot!(self, at now; tx => quotas::stored_bytes(tx, user, uploads_since, now.ms))
    }

    async fn upload(&self, user: UserId, id: &str) -> StoreResult<Option<Upload>> {
        snapshot!(self, id; tx => uploads::get(tx, user, &id))
    }

    async fn close(&self) {
        self.close_all().await;
    }
}

impl Handle {
    /// Begins all claims that can be begun.
    async fn begin_all(&self, taken: Vec<claim::ClaimedWork>, now: Millis) -> StoreResult<Vec<Claim>> {
        let works: Vec<WorkRow> =
            taken.iter().filter(|(_, claim)| claim.is_none()).map(|(work, _)| work.clone()).collect();
        if !works.is_empty() {
            self.notify(&[Signal::Changed]);
        }
        let together = match works.len() {
            0 | 1 => Vec::new(),
            // Each is begun alone if that fails. They were claimed in a turn.
            _ => unit!(self, prompt, at now, works; tx => claim::begin_together(tx, &works, now.ms))
                .unwrap_or_default(),
        };
        let mut begun_claims: HashMap<WorkId, Claim> =
            together.into_iter().flatten().map(|claim| (claim.lease.work, claim)).collect();
        let (mut claims, mut first) = (Vec::with_capacity(taken.len()), None);
        for (work, claim) in taken {
            let begun_claims = match claim.or_else(|| begun_claims.remove(&WorkId(work.id))) {
                Some(claim) => Ok(Some(claim)),
                None => self.begin(&work, now).await,
            };
            match begun_claims {
                Ok(begun_claims) => claims.extend(begun_claims),
                // The other claims are valid.
                Err(error) => {
                    tracing::error!(work = work.id, %error, "work could not be begun");
                    first.get_or_insert(error);
                }
            }
        }
        match first {
            Some(error) if claims.is_empty() => Err(error),
            _ => Ok(claims),
        }
    }

    /// Begins a claim. If it cannot be begun because there is no room to write, it is given back if possible, because nobody
    /// would notice that its lease is lost.
    async fn begin(&self, work: &WorkRow, now: Millis) -> StoreResult<Option<Claim>> {
        let outcome = unit!(self, prompt, at now, work; tx => claim::begin(tx, &work, now.ms));
        if outcome.as_ref().is_err_and(StoreError::cannot_write) {
            let lease = work.lease();
            let _ = unit!(self; tx => lease::hand_back(tx, lease));
        }
        outcome
    }

    /// Waits until the item is completed, by whoever has its task's row. From its note on somebody does it in any case, or
    /// finds that the item was cancelled.
    async fn complete_noted(&self, task: TaskId, item: ItemId, now: Millis) -> StoreResult<()> {
        for tries in 0_u32.. {
            tokio::time::sleep(Duration::from_millis(20 << tries.min(4))).await;
            match unit!(self, at now; tx => assemble::complete_noted(tx, task, item, now.ms)) {
                Ok(OutputOutcome::Noted(..)) => {}
                Err(error) if !matches!(error, StoreError::LeaseLost) => {
                    tracing::warn!(%task, %error, "an output is left for others to settle");
                    break;
                }
                ended => return ended.map(drop),
            }
        }
        Ok(())
    }

    /// Completes what others noted, if they do not get to it.
    async fn settle_left(&self, noted: Vec<TaskId>, now: Millis) -> StoreResult<()> {
        for task in noted {
            if unit!(self, at now; tx => completions::settle_if_free(tx, task, now.ms))? {
                self.notify(&[Signal::Ready, Signal::Changed]);
            }
        }
        Ok(())
    }

    /// Makes delayed work ready that is due.
    async fn wake_delayed(&self, now: Millis) -> StoreResult<u64> {
        let woken = unit!(self, at now; tx => claim::wake_delayed(tx, now.ms))?;
        if woken > 0 {
            self.notify(&[Signal::Ready]);
        }
        Ok(woken)
    }

    /// Frees each lost lease in a unit of its own, because ending its work may lock much. Leases that ended before `before`, or
    /// before now, are lost.
    async fn free(&self, lost: Vec<WorkId>, before: Option<Millis>, now: Millis) -> StoreResult<u64> {
        let mut freed = 0;
        for work in lost {
            let free =
                unit!(self, at now; tx => expired_leases::free(tx, work, before.unwrap_or(now.ms), now.ms))?;
            freed += u64::from(free);
        }
        if freed > 0 {
            self.notify(&Signal::ALL);
        }
        Ok(freed)
    }
}
