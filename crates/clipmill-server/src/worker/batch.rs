//! Assembles several outputs of a task in one batch, and mixes audio while a slot is idle.
//!
//! Starting ffmpeg takes as long as mixing ten seconds of audio, so one run mixes several outputs. They are completed
//! one by one, each under its own lease.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use clipmill_core::plan::{AudioMix, Rendition};
use clipmill_media::output::mixes_per_run;
use clipmill_store::{Claim, Job, More};
use futures_util::FutureExt;
use futures_util::future::{Shared, join_all};
use tokio::sync::{Mutex, MutexGuard};
use tokio_util::sync::CancellationToken;

use super::{ExecutionMode, Worker};
use crate::clock;

/// How many outputs are searched for audio that can be mixed.
const MAX_WAITING: u32 = 64;

/// Assemblies that one slot executes as one batch.
pub(super) struct Batch<'a> {
    /// Returns each output's share of the time that mixing took.
    mixed: Shared<Pin<Box<dyn Future<Output = Duration> + Send + 'a>>>,
    assembly: Mutex<()>,
}

/// Held by the output that is being joined.
pub(super) struct AssemblyGuard<'a> {
    /// The share of the mixing time that counts for this output.
    pub share: Duration,
    _alone: MutexGuard<'a, ()>,
}

impl Batch<'_> {
    /// Waits until all audio is mixed and no other output of the batch is being joined.
    pub async fn assembly(&self) -> AssemblyGuard<'_> {
        let share = self.mixed.clone().await;
        AssemblyGuard { share, _alone: self.assembly.lock().await }
    }
}

impl Worker {
    /// Further assemblies for the batch of this one.
    pub(super) async fn more(&self, claim: &Claim) -> Vec<Claim> {
        let Job::Assemble { rendition, .. } = &claim.job else { return Vec::new() };
        let Some(mix) = &rendition.audio else { return Vec::new() };
        let more = More {
            lease: claim.lease,
            claimers: u32::try_from(self.settings.slots).unwrap_or(u32::MAX),
            max: u32::try_from(mixes_per_run([mix])).unwrap_or(1),
        };
        let (now, lease_ms) = (clock::now_ms(), self.settings.lease.as_millis() as i64);
        let claimed =
            self.store.queue().claim_more(&self.name, more, now, lease_ms, self.settings.claim).await;
        claimed.unwrap_or_else(|error| {
            tracing::warn!(%error, "no more work could be claimed");
            Vec::new()
        })
    }

    pub(super) async fn work_together(&self, claim: Claim, more: Vec<Claim>, abort: &CancellationToken) {
        if more.is_empty() {
            return self.work(claim, ExecutionMode::Alone, abort).await;
        }
        let claims: Vec<Claim> = std::iter::once(claim).chain(more).collect();
        let renditions: Vec<Rendition> = claims.iter().filter_map(rendition).cloned().collect();
        let mixed = async move {
            let began = tokio::time::Instant::now();
            let (renderer, renditions) = (&self.engine.renderer, renditions.iter().collect::<Vec<_>>());
            if let Err(error) = renderer.prepare_audio(&renderer.cache.unique("mixes"), &renditions).await {
                tracing::debug!(%error, "audio of several outputs could not be mixed in one run");
            }
            began.elapsed() / u32::try_from(renditions.len().max(1)).unwrap_or(u32::MAX)
        };
        let batch = Batch { mixed: mixed.boxed().shared(), assembly: Mutex::default() };
        join_all(claims.into_iter().map(|claim| self.work(claim, ExecutionMode::Together(&batch), abort)))
            .await;
    }

    /// One slot's share of the audio that can be mixed now, of outputs whose video is being rendered here. Nothing is
    /// mixed if results are in a bucket, because another worker may assemble the output.
    pub(super) async fn mixes_waiting(&self) -> Vec<AudioMix> {
        if self.data.bucket().is_some() || self.busy.count() == 0 {
            return Vec::new();
        }
        let outputs = match self.store.jobs().outputs_waiting(&self.name, MAX_WAITING).await {
            Ok(outputs) => outputs,
            Err(error) => {
                tracing::debug!(%error, "no audio could be selected for early mixing");
                return Vec::new();
            }
        };
        let mut mixes = Vec::new();
        for mix in outputs.into_iter().filter_map(|output| output.audio) {
            if self.engine.renderer.can_mix(&mix).await {
                mixes.push(mix);
            }
        }
        let share = mixes.len().div_ceil(self.settings.slots.max(1));
        mixes.truncate(share.min(mixes_per_run(&mixes)));
        mixes
    }

    /// Mixes; returns whether any audio was mixed. A failed mix is repeated, and its error reported, during assembly.
    pub(super) async fn mix_ahead(&self, mixes: &[AudioMix], abort: &CancellationToken) -> bool {
        let mixes: Vec<&AudioMix> = mixes.iter().collect();
        let renderer = &self.engine.renderer;
        let attempt = renderer.cache.unique("ahead");
        tokio::select! {
            mix_count = renderer.mix_ahead(&attempt, &mixes) => match mix_count {
                Ok(mix_count) => mix_count > 0,
                Err(error) => {
                    tracing::debug!(%error, "audio could not be mixed early");
                    false
                }
            },
            () = abort.cancelled() => false,
        }
    }
}

fn rendition(claim: &Claim) -> Option<&Rendition> {
    match &claim.job {
        Job::Assemble { rendition, .. } => Some(rendition),
        Job::Preflight { .. } | Job::Segment { .. } => None,
    }
}
