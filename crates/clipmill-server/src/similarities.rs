//! Similarities of the outputs of a task: computed once after the task has ended, and cached in memory.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use clipmill_core::ids::{TaskId, UserId};
use clipmill_core::plan::{Pair, most_alike};
use clipmill_core::similarity::Similarities;
use clipmill_core::time::Fps;
use clipmill_store::{Store, StoreResult, TaskRecord};
use hashlink::LinkedHashMap;

use crate::http::permits::FairSemaphore;

/// The most bytes of similarities in the cache.
const MOST_BYTES: usize = 32 << 20;

pub struct SimilarityCache {
    kept: Mutex<CachedTasks>,
    semaphore: Arc<FairSemaphore>,
}

#[derive(Default)]
struct CachedTasks {
    /// The cached tasks; the one used last is at the end.
    tasks: LinkedHashMap<TaskId, Arc<TaskSimilarities>>,
    bytes: usize,
}

/// The similarities of the outputs of a task.
#[derive(Default)]
pub struct TaskSimilarities {
    pub similarities: Similarities,
    most: Option<Pair>,
}

impl SimilarityCache {
    pub fn new(semaphore: Arc<FairSemaphore>) -> Self {
        Self { kept: Mutex::default(), semaphore }
    }

    /// The similarities of a task's outputs; `None` until it has ended, and if too many others wait for theirs.
    pub async fn of(
        &self,
        store: &dyn Store,
        user: UserId,
        task: &TaskRecord,
    ) -> StoreResult<Option<Arc<TaskSimilarities>>> {
        if !task.state.is_final() || task.completed_items < 2 {
            return Ok(None);
        }
        if let Some(task_similarities) = self.kept().find(task.id) {
            return Ok(Some(task_similarities));
        }
        let Ok(_permit) = self.semaphore.acquire(user).await else { return Ok(None) };
        if let Some(task_similarities) = self.kept().find(task.id) {
            return Ok(Some(task_similarities));
        }
        let (pictures, footage) =
            (store.tasks().frame_hashes(task.id).await?, store.tasks().footage(task.id).await?);
        let fps = task.items.iter().find_map(|item| Fps::new(item.result.as_ref()?.fps));
        let compare = move || {
            let similarities = Similarities::of(&pictures);
            let most = fps.and_then(|fps| most_alike(&similarities, &footage, fps));
            TaskSimilarities { similarities, most }
        };
        let task_similarities = tokio::task::spawn_blocking(compare).await;
        let task_similarities = Arc::new(task_similarities.unwrap_or_default());
        self.kept().keep(task.id, task_similarities.clone());
        Ok(Some(task_similarities))
    }

    /// Adds to a task's diversity how alike its outputs look, as far as that is known.
    pub async fn add_to(&self, store: &dyn Store, user: UserId, task: &mut TaskRecord) -> StoreResult<()> {
        if task.diversity.is_none() {
            return Ok(());
        }
        let similarities = self.of(store, user, task).await?;
        if let (Some(similarities), Some(diversity)) = (similarities, &mut task.diversity) {
            diversity.compare(&similarities.similarities, similarities.most);
        }
        Ok(())
    }

    fn kept(&self) -> MutexGuard<'_, CachedTasks> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CachedTasks {
    fn find(&mut self, task: TaskId) -> Option<Arc<TaskSimilarities>> {
        self.tasks.to_back(&task).cloned()
    }

    fn keep(&mut self, task: TaskId, found: Arc<TaskSimilarities>) {
        self.bytes += found.similarities.size();
        if let Some(former) = self.tasks.insert(task, found) {
            self.bytes -= former.similarities.size();
        }
        while self.bytes > MOST_BYTES
            && let Some((_, oldest)) = self.tasks.pop_front()
        {
            self.bytes -= oldest.similarities.size();
        }
    }
}

#[cfg(test)]
mod tests {
    use clipmill_core::similarity::FrameHashes;

    use super::*;

    #[test]
    fn memory_is_bounded() {
        let outputs: Vec<(u32, FrameHashes)> = (1..=200).map(|item| (item, FrameHashes::default())).collect();
        let found = Arc::new(TaskSimilarities { similarities: Similarities::of(&outputs), most: None });
        let mut kept = CachedTasks::default();
        for task in 0..400 {
            kept.keep(TaskId(task), found.clone());
            assert!(kept.find(TaskId(task)).is_some());
        }
        kept.keep(TaskId(399), found.clone());
        assert!(kept.find(TaskId(0)).is_none() && kept.tasks.len() > 100);
        assert!(kept.bytes <= MOST_BYTES && kept.bytes == kept.tasks.len() * found.similarities.size());
    }
}
