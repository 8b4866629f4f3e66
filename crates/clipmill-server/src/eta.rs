//! The load of all users, read from the store at most once a second, for estimates of when tasks will be done.

use std::sync::Arc;
use std::time::Duration;

use clipmill_store::{Load, Store, TaskRecord};
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::clock;

const CACHE_TTL: Duration = Duration::from_secs(1);

#[derive(Default)]
pub struct Eta(Mutex<Option<(Instant, Arc<Load>)>>);

impl Eta {
    /// The load for one of these tasks; the store is not asked if none of them needs an estimate.
    pub async fn of(&self, store: &dyn Store, tasks: &[TaskRecord]) -> Arc<Load> {
        let open = |task: &TaskRecord| !task.state.is_final();
        if !tasks.iter().any(open) {
            return Arc::default();
        }
        let mut cached_load = self.0.lock().await;
        if let Some((at, load)) = cached_load.as_ref()
            && at.elapsed() < CACHE_TTL
        {
            return load.clone();
        }
        let load = match store.queue().load(clock::now_ms()).await {
            Ok(load) => Arc::new(load),
            Err(error) => {
                tracing::warn!(%error, "the remaining work could not be read");
                Arc::default()
            }
        };
        *cached_load = Some((Instant::now(), load.clone()));
        load
    }
}
