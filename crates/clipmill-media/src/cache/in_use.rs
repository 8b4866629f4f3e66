//! Keys whose files this process is making or holding.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use clipmill_core::segment::CacheKey;
use tokio::sync::OwnedMutexGuard;

#[derive(Debug, Default)]
pub struct InUse {
    makers: Mutex<HashMap<CacheKey, Weak<tokio::sync::Mutex<()>>>>,
    held: Mutex<HashMap<CacheKey, usize>>,
}

/// The exclusive right to make the files of one key.
#[derive(Debug)]
pub struct ExclusiveUse {
    _guard: OwnedMutexGuard<()>,
}

/// Files that must not be evicted.
#[derive(Debug)]
pub struct EvictionGuard {
    keys: Vec<CacheKey>,
    in_use: Arc<InUse>,
}

impl InUse {
    pub async fn alone(&self, key: CacheKey) -> ExclusiveUse {
        ExclusiveUse { _guard: self.maker(key).lock_owned().await }
    }

    pub fn try_alone(&self, key: CacheKey) -> Option<ExclusiveUse> {
        Some(ExclusiveUse { _guard: self.maker(key).try_lock_owned().ok()? })
    }

    fn maker(&self, key: CacheKey) -> Arc<tokio::sync::Mutex<()>> {
        let mut makers = lock(&self.makers);
        makers.retain(|_, maker| maker.strong_count() > 0);
        let existing = makers.get(&key).and_then(Weak::upgrade);
        existing.unwrap_or_else(|| {
            let maker = Arc::default();
            makers.insert(key, Arc::downgrade(&maker));
            maker
        })
    }

    pub fn hold(self: &Arc<Self>, keys: Vec<CacheKey>) -> EvictionGuard {
        let mut held = lock(&self.held);
        for key in &keys {
            *held.entry(key.clone()).or_default() += 1;
        }
        drop(held);
        EvictionGuard { keys, in_use: self.clone() }
    }

    pub fn is_held(&self, key: &CacheKey) -> bool {
        lock(&self.held).contains_key(key)
    }
}

impl Drop for EvictionGuard {
    fn drop(&mut self) {
        let mut held = lock(&self.in_use.held);
        for key in &self.keys {
            if let Some(count) = held.get_mut(key) {
                *count -= 1;
                if *count == 0 {
                    held.remove(key);
                }
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
