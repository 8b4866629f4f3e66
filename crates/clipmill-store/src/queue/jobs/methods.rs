//! Implements [`JobStore`]: the unit of work behind each method, and the signals that it sends.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use clipmill_core::ids::{ItemId, TaskId};
use clipmill_core::plan::Rendition;
use clipmill_core::segment::SegmentKey;

use super::super::super::tasks::result_inputs;
use super::super::dialect::{Handle, is_conflict};
use super::super::unit::{TRIES, apart, in_time, pause, snapshot, unit};
use super::assemble::{self, Output, OutputOutcome};
use super::{failures, fallback, preflight, segments};
use crate::common::clock::Millis;
use crate::common::error::{StoreError, StoreResult};
use crate::common::signals::Signal;
use crate::queue::jobs::{Fallback, ItemParts, JobFailure, JobStore, PreflightResult, ResultWait};
use crate::queue::leases::Lease;
use crate::tasks::ItemResult;

#[async_trait]
impl JobStore for Handle {
    async fn complete_preflight(&self, lease: Lease, plan: PreflightResult, now: Millis) -> StoreResult<()> {
        let plan = Arc::new(plan);
        unit!(self, at now, plan; tx => preflight::complete(tx, lease, &plan, now.ms))?;
        self.notify(&[Signal::Ready, Signal::Changed]);
        Ok(())
    }

    async fn await_results(&self, lease: Lease, now: Millis) -> StoreResult<ResultWait> {
        unit!(self, at now; tx => result_inputs::wait(tx, lease, now.ms))
    }

    async fn complete_segment(&self, lease: Lease, now: Millis) -> StoreResult<()> {
        self.report_segment(lease, now).await
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

    async fn fail(&self, lease: Lease, failure: JobFailure, now: Millis) -> StoreResult<()> {
        unit!(self, at now, failure; tx => failures::fail(tx, lease, &failure, now))?;
        self.notify(&Signal::ALL);
        Ok(())
    }

    async fn segments_missing(&self, lease: Lease, missing: &[SegmentKey], now: Millis) -> StoreResult<()> {
        unit!(self, at now, missing; tx => assemble::segments_missing(tx, lease, &missing, now.ms))?;
        self.notify(&[Signal::Ready, Signal::Changed]);
        Ok(())
    }

    async fn only_output(&self, lease: Lease) -> StoreResult<Option<Rendition>> {
        snapshot!(self; tx => fallback::only_output(tx, lease))
    }

    async fn outputs_waiting(&self, worker: &str, max: u32) -> StoreResult<Vec<Rendition>> {
        snapshot!(self, worker; tx => fallback::outputs_waiting(tx, &worker, max))
    }

    async fn item_parts(&self, lease: Lease) -> StoreResult<Vec<ItemParts>> {
        snapshot!(self; tx => fallback::parts(tx, lease))
    }

    async fn use_fallback(&self, lease: Lease, fallbacks: Vec<Fallback>, now: Millis) -> StoreResult<()> {
        unit!(self, at now, fallbacks; tx => fallback::use_fallback(tx, lease, &fallbacks, now.ms))?;
        self.notify(&[Signal::Ready, Signal::Changed]);
        Ok(())
    }

    async fn needed_segments(&self, of: &[SegmentKey]) -> StoreResult<Vec<SegmentKey>> {
        snapshot!(self, of; tx => segments::needed(tx, &of))
    }
}

impl Handle {
    /// Waits until the item is completed by the caller that holds its task's row. After the note is written, one of them
    /// completes it in any case, or finds that the item was cancelled.
    async fn complete_noted(&self, task: TaskId, item: ItemId, now: Millis) -> StoreResult<()> {
        for tries in 0_u32.. {
            tokio::time::sleep(Duration::from_millis(20 << tries.min(4))).await;
            match unit!(self, at now; tx => assemble::complete_noted(tx, task, item, now.ms)) {
                Ok(OutputOutcome::Noted(..)) => {}
                Err(error) if !matches!(error, StoreError::LeaseLost) => {
                    tracing::warn!(%task, %error, "an output could not be completed; a later transaction completes it");
                    break;
                }
                ended => return ended.map(drop),
            }
        }
        Ok(())
    }
}
