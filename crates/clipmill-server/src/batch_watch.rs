//! Batch watch: reports changes of batches to their followers. One task reads all followed batches, one after
//! another, regardless of the number of followers, and only while there are any.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clipmill_core::ids::{BatchNo, UserId};
use clipmill_store::{BatchRecord, Signal, Store};
use tokio::sync::{Notify, watch};

/// Batches are read at most this often.
const MIN_POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Batches are read this often even without a notification.
const IDLE: Duration = Duration::from_secs(10);

/// A followed batch; `None` if it was deleted.
pub type BatchUpdate = Option<Arc<BatchRecord>>;
type Key = (UserId, String);

/// Publishes changes of batches.
#[derive(Clone)]
pub struct BatchWatch(Arc<WatchState>);

struct WatchState {
    store: Arc<dyn Store>,
    watched: Mutex<WatchedBatch>,
    /// Notified when a follower is added.
    joined: Notify,
}

#[derive(Default)]
struct WatchedBatch {
    batches: HashMap<Key, (BatchNo, watch::Sender<BatchUpdate>)>,
    asking: bool,
}

impl BatchWatch {
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self(Arc::new(WatchState { store, watched: Mutex::default(), joined: Notify::new() }))
    }

    /// The states of a batch that was just read, from now on. States between two readings are skipped.
    pub fn follow(&self, batch: BatchRecord) -> watch::Receiver<BatchUpdate> {
        let mut watched = self.0.lock();
        let (key, number) = ((batch.user, batch.batch_no.to_string()), batch.batch_no.clone());
        let now = Some(Arc::new(batch));
        let (_, sender) = watched.batches.entry(key).or_insert_with(|| (number, watch::Sender::new(None)));
        sender.send_replace(now);
        let mut receiver = sender.subscribe();
        receiver.mark_changed();
        self.0.joined.notify_one();
        if !std::mem::replace(&mut watched.asking, true) {
            tokio::spawn(self.0.clone().ask());
        }
        receiver
    }
}

impl WatchState {
    fn lock(&self) -> MutexGuard<'_, WatchedBatch> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs until there are no followers.
    async fn ask(self: Arc<Self>) {
        let mut notifications = self.store.signal(Signal::Changed);
        loop {
            tokio::time::sleep(MIN_POLL_INTERVAL).await;
            tokio::select! {
                () = tokio::time::sleep(IDLE) => {}
                Ok(()) = notifications.changed() => {}
                () = self.joined.notified() => {}
            }
            let Some(batches) = self.still_watched() else { return };
            notifications.mark_unchanged();
            for (user, number) in batches {
                self.read(user, &number).await;
            }
        }
    }

    fn still_watched(&self) -> Option<Vec<(UserId, BatchNo)>> {
        let mut watched = self.lock();
        watched.batches.retain(|_, (_, sender)| sender.receiver_count() > 0);
        watched.asking = !watched.batches.is_empty();
        let batches = watched.batches.iter().map(|((user, _), (number, _))| (*user, number.clone()));
        watched.asking.then(|| batches.collect())
    }

    async fn read(&self, user: UserId, number: &BatchNo) {
        let now = match self.store.batches().find(user, number).await {
            Ok(batch) => batch.map(Arc::new),
            Err(error) => return tracing::warn!(%error, "a watched batch could not be read"),
        };
        if let Some((_, sender)) = self.lock().batches.get(&(user, number.to_string())) {
            sender.send_if_modified(|current| {
                let has_changed = *current != now;
                *current = now;
                has_changed
            });
        }
    }
}
