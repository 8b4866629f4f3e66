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
const MAX_BYTES: usize = 32 << 20;

pub struct SimilarityCache {
    tasks: Mutex<CachedTasks>,
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
        Self { tasks: Mutex::default(), semaphore }
    }

    /// The similarities of a task's outputs; `None` until the task has ended, and if too many other calls are waiting.
    pub async fn of(
        &self,
        store: &dyn Store,
        user: UserId,
        task: &TaskRecord,
    ) -> StoreResult<Option<Arc<TaskSimilarities>>> {
        if !task.state.is_final() || task.completed_items < 2 {
            return Ok(None);
        }
        if let Some(task_similarities) = self.tasks().find(task.id) {
            return Ok(Some(task_similarities));
        }
        let Ok(_permit) = self.semaphore.acquire(user).await else { return Ok(None) };
        if let Some(task_similarities) = self.tasks().find(task.id) {
            return Ok(Some(task_similarities));
        }
        let (frame_hashes, footage) =
            (store.tasks().frame_hashes(task.id).await?, store.tasks().footage(task.id).await?);
        let fps = task.items.iter().find_map(|item| Fps::new(item.result.as_ref()?.fps));
        let compare = move || {
            let similarities = Similarities::of(&frame_hashes);
            let most = fps.and_then(|fps| most_alike(&similarities, &footage, fps));
            TaskSimilarities { similarities, most }
        };
        let task_similarities = tokio::task::spawn_blocking(compare).await;
        let task_similarities = Arc::new(task_similarities.unwrap_or_default());
        self.tasks().keep(task.id, task_similarities.clone());
        Ok(Some(task_similarities))
    }

    /// Adds the visual similarity of outputs to a task's diversity, if known.
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

    fn tasks(&self) -> MutexGuard<'_, CachedTasks> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CachedTasks {
    fn find(&mut self, task: TaskId) -> Option<Arc<TaskSimilarities>> {
        self.tasks.to_back(&task).cloned()
    }

    fn keep(&mut self, task: TaskId, similarities: Arc<TaskSimilarities>) {
        self.bytes += similarities.similarities.size();
        if let Some(previous) = self.tasks.insert(task, similarities) {
            self.bytes -= previous.similarities.size();
        }
        while self.bytes > MAX_BYTES
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
        let similarities =
            Arc::new(TaskSimilarities { similarities: Similarities::of(&outputs), most: None });
        let mut cached_tasks = CachedTasks::default();
        for task in 0..400 {
            cached_tasks.keep(TaskId(task), similarities.clone());
            assert!(cached_tasks.find(TaskId(task)).is_some());
        }
        cached_tasks.keep(TaskId(399), similarities.clone());
        assert!(cached_tasks.find(TaskId(0)).is_none() && cached_tasks.tasks.len() > 100);
        assert!(
            cached_tasks.bytes <= MAX_BYTES
                && cached_tasks.bytes == cached_tasks.tasks.len() * similarities.similarities.size()
        );
    }
}
