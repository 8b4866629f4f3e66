//! Writes concurrent reports of the workers of one process in one unit.

use std::sync::Arc;

use super::super::dialect::{Handle, is_conflict};
use super::super::unit::{TRIES, apart, in_time, pause, unit};
use super::assemble::{self, Output, OutputOutcome};
use super::segments;
use crate::common::batcher::Batcher;
use crate::common::clock::Millis;
use crate::common::error::StoreResult;
use crate::common::signals::Signal;
use crate::queue::leases::Lease;

/// Reports that wait for the running unit.
#[derive(Clone, Default)]
pub struct Reports {
    segments: Arc<Batcher<(Lease, Millis), ()>>,
    outputs: Arc<Batcher<(Output, Millis), OutputOutcome>>,
}

impl Handle {
    /// Completes the job of a finished segment.
    pub(super) async fn report_segment(&self, lease: Lease, now: Millis) -> StoreResult<()> {
        let store = self.clone();
        let unit = move |made| {
            let store = store.clone();
            Box::pin(async move { store.complete_segments(made).await }) as _
        };
        self.reports().segments.run((lease, now), unit).await
    }

    /// Completes the item of a finished output, or notes it for later.
    pub(super) async fn report_output(&self, output: Output, now: Millis) -> StoreResult<OutputOutcome> {
        let store = self.clone();
        let unit = move |outputs| {
            let store = store.clone();
            Box::pin(async move { store.complete_items(outputs).await }) as _
        };
        self.reports().outputs.run((output, now), unit).await
    }

    async fn complete_segments(&self, made: Vec<(Lease, Millis)>) -> StoreResult<Vec<Option<()>>> {
        let now = made.iter().map(|(_, now)| *now).max().unwrap_or_default();
        let leases: Vec<Lease> = made.into_iter().map(|(lease, _)| lease).collect();
        let held = unit!(self, at now, leases; tx => segments::complete(tx, &leases, now.ms))?;
        self.notify(&[Signal::Ready, Signal::Changed]);
        Ok(held.into_iter().map(|held| held.then_some(())).collect())
    }

    async fn complete_items(
        &self,
        outputs: Vec<(Output, Millis)>,
    ) -> StoreResult<Vec<Option<OutputOutcome>>> {
        let now = outputs.iter().map(|(_, now)| *now).max().unwrap_or_default();
        let outputs: Vec<Output> = outputs.into_iter().map(|(output, _)| output).collect();
        unit!(self, at now, outputs; tx => assemble::complete_items(tx, &outputs, now))
    }
}
