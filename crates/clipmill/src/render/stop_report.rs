//! The files that a run has finished, for the report when it is interrupted.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use clipmill_media::engine::Engine;
use clipmill_media::segment::render::SegmentOrigin;

use crate::report::pluralize;

/// The finished files of a run.
#[derive(Default)]
pub struct RunProgress {
    engine: OnceLock<Arc<Engine>>,
    segments: AtomicU64,
    outputs: Mutex<Vec<PathBuf>>,
}

impl RunProgress {
    pub fn works_with(&self, engine: &Arc<Engine>) {
        let _ = self.engine.set(engine.clone());
    }

    pub fn note_segment<E>(&self, made: &Result<SegmentOrigin, E>) {
        self.segments.fetch_add(u64::from(made.is_ok()), Ordering::Relaxed);
    }

    pub fn note_output(&self, file: PathBuf) {
        self.outputs().push(file);
    }

    fn outputs(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        self.outputs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes unfinished files.
    pub fn leave(&self) {
        if let Some(engine) = self.engine.get() {
            engine.renderer.cache.leave();
            engine.sources.leave();
        }
    }

    pub fn summary(&self) -> String {
        let outputs: Vec<String> = self.outputs().iter().map(|path| path.display().to_string()).collect();
        let outputs = if outputs.is_empty() { "no finished output".into() } else { outputs.join(", ") };
        let segments = pluralize(self.segments.load(Ordering::Relaxed), "segment");
        let place = self
            .engine
            .get()
            .map(|engine| format!(" in {}", engine.renderer.cache.root().display()))
            .unwrap_or_default();
        format!("kept: {outputs}; {segments}{place}, reused by the next run")
    }
}
