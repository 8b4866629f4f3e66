//! Expensive calls, which users make in turn.

use std::sync::Arc;

pub use clipmill_store::turns::{Busy, Turn, Turns};

use crate::config::Limits;
use crate::error::ApiError;

/// Everything that is limited for all users together.
#[derive(Debug)]
pub struct AllTurns {
    /// JSON bodies that are being received, except the smallest.
    pub bodies: Arc<Turns>,
    /// Large JSON bodies: parsed, they take many times their size.
    pub large_bodies: Arc<Turns>,
    /// Messages of agents, except the small ones, while their tools are at work.
    pub agents: Arc<Turns>,
    /// Probes of files, which may have to be fetched.
    pub looks: Arc<Turns>,
    /// Pictures that are being made.
    pub pictures: Arc<Turns>,
    /// Seconds of outputs that are made to be played: one of each user at a time, so that the others always find a place.
    pub clips: Arc<Turns>,
    /// Estimates that fetch files.
    pub preflights: Arc<Turns>,
    pub callback_tests: Arc<Turns>,
    /// Planning of large requests, and comparisons of a task's outputs: the largest takes a second of processor time.
    pub plans: Arc<Turns>,
    /// Archives that are being downloaded, each of which has a thread.
    pub archives: Arc<Turns>,
    /// Event streams, which last long: users have shares of their own (`limits.open_event_streams_per_user`), and a quarter of
    /// all connections is left for calls.
    pub streams: Arc<Turns>,
}

impl AllTurns {
    pub fn new(limits: &Limits, connections: usize) -> Self {
        let turns = |places| Turns::new(places, limits.share_per_user);
        Self {
            bodies: turns(64),
            large_bodies: turns(4),
            agents: turns(4),
            looks: turns(limits.looks.get() as usize),
            // A picture that takes long never holds the only place.
            pictures: turns(limits.preview_count().max(2)),
            clips: Turns::sharing(limits.preview_count().max(2), 1),
            preflights: turns(4),
            callback_tests: turns(8),
            plans: turns(2),
            archives: turns(64),
            streams: Turns::new(connections * 3 / 4, 100),
        }
    }
}

impl From<Busy> for ApiError {
    fn from(_: Busy) -> Self {
        Self::busy()
    }
}
