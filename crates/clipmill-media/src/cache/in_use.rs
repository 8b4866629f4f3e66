//! Who has which files of the cache in hand in this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use clipmill_core::segment::SegmentHash;
use tokio::sync::OwnedMutexGuard;

#[derive(Debug, Default)]
pub struct InUse {
    makers: Mutex<HashMap<SegmentHash, Weak<tokio::sync::Mutex<()>>>>,
    held: Mutex<HashMap<SegmentHash, usize>>,
}

/// The right to make something.
#[derive(Debug)]
pub struct Alone {
    _guard: OwnedMutexGuard<()>,
}

/// Files that are not evicted.
#[derive(Debug)]
pub struct Held {
    hashes: Vec<SegmentHash>,
    in_use: Arc<InUse>,
}

impl InUse {
    pub async fn alone(&self, hash: &SegmentHash) -> Alone {
        Alone { _guard: self.maker(hash).lock_owned().await }
    }

    pub fn try_alone(&self, hash: &SegmentHash) -> Option<Alone> {
        Some(Alone { _guard: self.maker(hash).try_lock_owned().ok()? })
    }

    fn maker(&self, hash: &SegmentHash) -> Arc<tokio::sync::Mutex<()>> {
        let mut makers = lock(&self.makers);
        makers.retain(|_, maker| maker.strong_count() > 0);
        let known = makers.get(hash).and_then(Weak::upgrade);
        known.unwrap_or_else(|| {
            let maker = Arc::default();
            makers.insert(hash.clone(), Arc::downgrade(&maker));
            maker
        })
    }

    pub fn hold(self: &Arc<Self>, hashes: Vec<SegmentHash>) -> Held {
        let mut held = lock(&self.held);
        for hash in &hashes {
            *held.entry(hash.clone()).or_default() += 1;
        }
        drop(held);
        Held { hashes, in_use: self.clone() }
    }

    pub fn is_held(&self, hash: &SegmentHash) -> bool {
        lock(&self.held).contains_key(hash)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut held = lock(&self.in_use.held);
        for hash in &self.hashes {
            if let Some(count) = held.get_mut(hash) {
                *count -= 1;
                if *count == 0 {
                    held.remove(hash);
                }
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
