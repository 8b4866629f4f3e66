//! Limits expensive calls, shared fairly among users.

use std::sync::Arc;

pub use clipmill_store::fair_semaphore::{Busy, FairSemaphore, Permit};

use crate::config::Limits;
use crate::error::ApiError;

/// The limits that all users share.
#[derive(Debug)]
pub struct Semaphores {
    /// JSON bodies that are being received, except the smallest.
    pub bodies: Arc<FairSemaphore>,
    /// Large JSON bodies: parsed, they occupy many times their size.
    pub large_bodies: Arc<FairSemaphore>,
    /// Messages of agents, except the small ones, while their tools run.
    pub agents: Arc<FairSemaphore>,
    /// Probes of files, which may have to be fetched.
    pub looks: Arc<FairSemaphore>,
    /// Frames that are being rendered.
    pub frames: Arc<FairSemaphore>,
    /// Clip previews: one per user at a time, so that other users always get a permit.
    pub clips: Arc<FairSemaphore>,
    /// Clip previews that are so long that they must not take all permits of `clips`.
    pub long_clips: Arc<FairSemaphore>,
    /// Texts that are spoken to be listened to: one per user at a time.
    pub speech: Arc<FairSemaphore>,
    /// Estimates that fetch files.
    pub preflights: Arc<FairSemaphore>,
    pub callback_tests: Arc<FairSemaphore>,
    /// Planning of large requests, and comparisons of a task's outputs: the largest takes a second of processor time.
    pub plans: Arc<FairSemaphore>,
    /// Archives that are being downloaded. Each uses a thread.
    pub archives: Arc<FairSemaphore>,
    /// Archives of shares, which count for their owners: slow viewers must not block those of the owner.
    pub shared_archives: Arc<FairSemaphore>,
    /// Event streams, which stay open for long: users have a separate limit (`limits.open_event_streams_per_user`),
    /// and a quarter of all connections is reserved for calls.
    pub streams: Arc<FairSemaphore>,
}

impl Semaphores {
    pub fn new(limits: &Limits, connections: usize) -> Self {
        let semaphores = |places| FairSemaphore::new(places, limits.share_per_user);
        Self {
            bodies: semaphores(64),
            large_bodies: semaphores(4),
            agents: semaphores(4),
            looks: semaphores(limits.looks.get() as usize),
            // A slow frame never holds the only permit.
            frames: semaphores(limits.preview_count().max(2)),
            clips: FairSemaphore::with_share(limits.preview_count().max(2), 1),
            long_clips: FairSemaphore::with_share((limits.preview_count() / 2).max(1), 1),
            speech: FairSemaphore::with_share(8, 1),
            preflights: semaphores(4),
            callback_tests: semaphores(8),
            plans: semaphores(2),
            archives: semaphores(64),
            shared_archives: semaphores(32),
            streams: FairSemaphore::new(connections * 3 / 4, 100),
        }
    }
}

impl From<Busy> for ApiError {
    fn from(_: Busy) -> Self {
        Self::busy()
    }
}
