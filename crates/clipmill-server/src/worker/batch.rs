//! Outputs of one task that are assembled together, and audio that is mixed while there is nothing else to do.
//!
//! Starting ffmpeg takes as long as mixing ten seconds of sound: one run mixes several outputs. They are delivered
//! one by one, each under its own lease.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clipmill_core::plan::{AudioMix, Rendition};
use clipmill_core::time::SAMPLE_RATE;
use clipmill_store::{Claim, Job, More};
use futures_util::FutureExt;
use futures_util::future::{Shared, join_all};
use tokio::sync::{Mutex, MutexGuard};
use tokio_util::sync::CancellationToken;

use super::{How, Worker};
use crate::clock;

/// Most outputs in one run, and most seconds of sound: what is long gains nothing and holds up what comes first.
const MOST: usize = 8;
const MOST_SECONDS: u64 = 120;
/// So many outputs are looked through for sounds that can be mixed.
const MOST_WAITING: u32 = 64;

/// Finishes that one slot does at once.
pub(super) struct Batch<'a> {
    /// Answers each one's share of the time it took.
    mixed: Shared<Pin<Box<dyn Future<Output = Duration> + Send + 'a>>>,
    turn: Mutex<()>,
}

/// Held by the one that is being joined.
pub(super) struct Turn<'a> {
    /// Time that was spent on this one before.
    pub share: Duration,
    _alone: MutexGuard<'a, ()>,
}

impl Batch<'_> {
    /// Comes when all sounds are mixed and nobody else of the batch is being joined.
    pub async fn turn(&self) -> Turn<'_> {
        let share = self.mixed.clone().await;
        Turn { share, _alone: self.turn.lock().await }
    }
}

impl Worker {
    /// Further assemblies to do together with this one.
    pub(super) async fn more(&self, claim: &Claim) -> Vec<Claim> {
        let Job::Assemble { rendition, .. } = &claim.job else { return Vec::new() };
        let Some(mix) = &rendition.sound else { return Vec::new() };
        let more = More {
            lease: claim.lease,
            claimers: u32::try_from(self.settings.slots).unwrap_or(u32::MAX),
            most: u32::try_from(fitting([mix])).unwrap_or(1),
        };
        let (now, lease_ms) = (clock::now_ms(), self.settings.lease.as_millis() as i64);
        let claimed = self.store.claim_more(&self.name, more, now, lease_ms, self.settings.claim).await;
        claimed.unwrap_or_else(|error| {
            tracing::warn!(%error, "no more work could be claimed");
            Vec::new()
        })
    }

    pub(super) async fn work_together(&self, claim: Claim, more: Vec<Claim>, cut: &CancellationToken) {
        if more.is_empty() {
            return self.work(claim, How::Alone, cut).await;
        }
        let claims: Vec<Claim> = std::iter::once(claim).chain(more).collect();
        let renditions: Vec<Rendition> = claims.iter().filter_map(rendition).cloned().collect();
        let mixed = async move {
            let began = tokio::time::Instant::now();
            let (renderer, renditions) = (&self.engine.renderer, renditions.iter().collect::<Vec<_>>());
            if let Err(error) = renderer.prepare_audio(&renderer.cache.unique("mixes"), &renditions).await {
                tracing::debug!(%error, "sounds could not be mixed together");
            }
            began.elapsed() / u32::try_from(renditions.len().max(1)).unwrap_or(u32::MAX)
        };
        let batch = Batch { mixed: mixed.boxed().shared(), turn: Mutex::default() };
        join_all(claims.into_iter().map(|claim| self.work(claim, How::Together(&batch), cut))).await;
    }

    /// Sounds that could be mixed now, of outputs that wait for pictures that are being made here: a slot's share
    /// of them. Where results lie in a bucket, another worker may assemble.
    pub(super) async fn mixes_waiting(&self) -> Vec<AudioMix> {
        if self.data.bucket().is_some() || self.busy.load(Ordering::Relaxed) == 0 {
            return Vec::new();
        }
        let outputs = match self.store.outputs_waiting(&self.name, MOST_WAITING).await {
            Ok(outputs) => outputs,
            Err(error) => {
                tracing::debug!(%error, "no sound is mixed ahead");
                return Vec::new();
            }
        };
        let mut mixes = Vec::new();
        for mix in outputs.into_iter().filter_map(|output| output.sound) {
            if self.engine.renderer.can_mix(&mix).await {
                mixes.push(mix);
            }
        }
        let share = mixes.len().div_ceil(self.settings.slots.max(1));
        mixes.truncate(share.min(fitting(&mixes)));
        mixes
    }

    /// Whether any were mixed. What fails here is done again, and reported, when assembling.
    pub(super) async fn mix_ahead(&self, mixes: &[AudioMix], cut: &CancellationToken) -> bool {
        let mixes: Vec<&AudioMix> = mixes.iter().collect();
        let renderer = &self.engine.renderer;
        let attempt = renderer.cache.unique("ahead");
        tokio::select! {
            made = renderer.mix_ahead(&attempt, &mixes) => match made {
                Ok(made) => made > 0,
                Err(error) => {
                    tracing::debug!(%error, "sounds could not be mixed ahead");
                    false
                }
            },
            () = cut.cancelled() => false,
        }
    }
}

fn rendition(claim: &Claim) -> Option<&Rendition> {
    match &claim.job {
        Job::Assemble { rendition, .. } => Some(rendition),
        Job::Preflight { .. } | Job::Segment { .. } => None,
    }
}

/// How many sounds of this length are mixed in one run.
fn fitting<'a>(mixes: impl IntoIterator<Item = &'a AudioMix>) -> usize {
    let longest = mixes.into_iter().map(|mix| mix.samples.0).max().unwrap_or(0);
    let fitting = MOST_SECONDS * SAMPLE_RATE / longest.max(1);
    usize::try_from(fitting).unwrap_or(MOST).clamp(1, MOST)
}
