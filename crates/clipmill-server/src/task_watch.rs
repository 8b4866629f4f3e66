//! Task watch: reports changes of tasks to their followers. The store is read when it announces a change, in this
//! process or another, at most once per tick for all followed tasks, and never without followers. Results are shared,
//! so many followers of one task cost as much as one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clipmill_core::ids::TaskId;
use clipmill_store::{ItemRecord, Signal, Store, StoreResult, TaskProgress, TaskRecord};
use tokio::sync::{Notify, watch};

/// A recent state of a task.
#[derive(Debug, Clone)]
pub struct TaskUpdate {
    /// The task without its items.
    pub task: Arc<TaskRecord>,
    /// Items that have ended, in that order.
    pub ended: Arc<[ItemRecord]>,
}

/// Minimum interval between two readings: slightly over a quarter of a second, so that a new follower receives at
/// most four updates in any second.
pub const TICK: Duration = Duration::from_millis(330);
/// The store is read this often even without an announcement, because one may be lost.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Publishes changes of tasks.
pub struct TaskWatch {
    inner: Arc<WatchState>,
}

struct WatchState {
    store: Arc<dyn Store>,
    watched: Mutex<WatchedTask>,
    /// Notified when a follower is added, to detect changes since the follower's reading.
    joined: Notify,
    quiet: Duration,
}

#[derive(Default)]
struct WatchedTask {
    tasks: HashMap<TaskId, watch::Sender<TaskUpdate>>,
    asking: bool,
}

impl TaskWatch {
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self::with_quiet(store, POLL_INTERVAL)
    }

    fn with_quiet(store: Arc<dyn Store>, quiet: Duration) -> Self {
        Self {
            inner: Arc::new(WatchState { store, watched: Mutex::default(), joined: Notify::new(), quiet }),
        }
    }

    /// The states of the just-read `task` until it has ended. States between two readings are skipped.
    pub fn follow(&self, task: TaskRecord) -> watch::Receiver<TaskUpdate> {
        let mut watched = self.inner.lock();
        let id = task.id;
        let sender = watched.tasks.entry(id).or_insert_with(|| watch::Sender::new(TaskUpdate::of(task)));
        let mut receiver = sender.subscribe();
        receiver.mark_changed();
        self.inner.joined.notify_one();
        if !std::mem::replace(&mut watched.asking, true) {
            tokio::spawn(self.inner.clone().ask());
        }
        receiver
    }
}

impl WatchState {
    fn lock(&self) -> MutexGuard<'_, WatchedTask> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs until there are no followers.
    async fn ask(self: Arc<Self>) {
        let mut notifications = self.store.signal(Signal::Changed);
        loop {
            tokio::time::sleep(TICK).await;
            tokio::select! {
                () = tokio::time::sleep(self.quiet) => {}
                // A change was announced during the last reading, or since.
                Ok(()) = notifications.changed() => {}
                () = self.joined.notified() => {}
            }
            let Some(ids) = self.still_watched() else { return };
            notifications.mark_unchanged();
            if let Err(error) = self.poll(&ids).await {
                tracing::warn!(%error, "watched tasks could not be read");
            }
        }
    }

    fn still_watched(&self) -> Option<Vec<TaskId>> {
        let mut watched = self.lock();
        watched.tasks.retain(|_, sender| sender.receiver_count() > 0);
        watched.asking = !watched.tasks.is_empty();
        watched.asking.then(|| watched.tasks.keys().copied().collect())
    }

    async fn poll(&self, ids: &[TaskId]) -> StoreResult<()> {
        for pulse in self.store.tasks().progress(ids).await? {
            let last_update = self.lock().tasks.get(&pulse.task).map(|sender| sender.borrow().clone());
            if let Some(last_update) = last_update.filter(|last_update| last_update.pulse() != pulse)
                && let Some(now) = self.changed(last_update, pulse).await?
                && let Some(sender) = self.lock().tasks.get(&pulse.task)
            {
                sender.send_replace(now);
            }
        }
        Ok(())
    }

    /// Progress changes often and is already available; for all other changes the whole task is read again.
    async fn changed(&self, known: TaskUpdate, pulse: TaskProgress) -> StoreResult<Option<TaskUpdate>> {
        let previous = known.pulse();
        if (previous.state, previous.ended_items) != (pulse.state, pulse.ended_items) {
            let task = self.store.tasks().find(known.task.user, &known.task.task_no).await?;
            return Ok(task.map(TaskUpdate::of));
        }
        let frames = (pulse.frames_done, pulse.frames_planned);
        let mut task = TaskRecord::clone(&known.task);
        (task.frames_done, task.frames_planned) = frames;
        Ok(Some(TaskUpdate { task: Arc::new(task), ended: known.ended }))
    }
}

impl TaskUpdate {
    pub fn of(mut task: TaskRecord) -> Self {
        let mut ended = std::mem::take(&mut task.items);
        ended.retain(|item| item.ended_order.is_some());
        ended.sort_by_key(|item| item.ended_order);
        Self { task: Arc::new(task), ended: ended.into() }
    }

    fn pulse(&self) -> TaskProgress {
        TaskProgress {
            task: self.task.id,
            state: self.task.state,
            ended_items: self.task.completed_items + self.task.failed_items,
            frames_done: self.task.frames_done,
            frames_planned: self.task.frames_planned,
        }
    }
}

#[cfg(test)]
mod tests {
    use clipmill_core::task::TaskState;
    use clipmill_store::sqlite::SqliteStore;

    use super::*;
    use crate::example::submitted;

    #[tokio::test]
    async fn followers_are_notified_without_polling() {
        let dir = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&dir.path().join("db")).await.unwrap();
        let (user, task_no) = submitted(&store).await;
        let task = store.tasks().find(user, &task_no).await.unwrap().unwrap();
        // Within this test the store is not read without an announcement.
        let changes = TaskWatch::with_quiet(Arc::new(store.clone()), Duration::from_secs(3_600));
        let mut watched = changes.follow(task);
        // Wait until the reading caused by the beginning is over.
        tokio::time::sleep(TICK * 3).await;
        watched.mark_unchanged();
        store.tasks().cancel(user, &task_no, 2).await.unwrap();
        let change = tokio::time::timeout(Duration::from_secs(120), watched.changed()).await;
        assert!(change.is_ok(), "the cancellation is not reported");
        assert_eq!(watched.borrow().task.state, TaskState::Cancelled);
    }
}
