//! Usage: how much users, or addresses, have in progress in this process, counted while a [`Share`] exists.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use clipmill_core::ids::UserId;

/// An amount, of connections or of bytes, for each user (or other `K`).
#[derive(Debug)]
pub struct Usage<K = UserId>(Mutex<HashMap<K, u64>>);

/// One part of a user's amount, subtracted when dropped.
#[derive(Debug)]
pub struct Share<K: Eq + Hash + Copy = UserId> {
    usage: Arc<Usage<K>>,
    user: K,
    amount: u64,
}

impl<K> Default for Usage<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash + Copy> Usage<K> {
    /// An empty share, which can grow.
    pub fn share(self: &Arc<Self>, user: K) -> Share<K> {
        Share { usage: self.clone(), user, amount: 0 }
    }

    fn change(&self, user: K, by: impl FnOnce(u64) -> Option<u64>) -> Result<(), u64> {
        let mut amounts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let current = amounts.get(&user).copied().unwrap_or(0);
        match by(current).ok_or(current)? {
            0 => amounts.remove(&user),
            after => amounts.insert(user, after),
        };
        Ok(())
    }
}

impl<K: Eq + Hash + Copy> Share<K> {
    /// Grows to this amount, unless the user would then exceed `limit` in total; if so, returns how much they have
    /// beside this share.
    pub fn grow_to(&mut self, amount: u64, limit: u64) -> Result<(), u64> {
        let more = amount.saturating_sub(self.amount);
        if more == 0 {
            return Ok(());
        }
        self.usage
            .change(self.user, |current| current.checked_add(more).filter(|after| *after <= limit))
            .map_err(|current| current.saturating_sub(self.amount))?;
        self.amount = amount;
        Ok(())
    }
}

impl<K: Eq + Hash + Copy> Drop for Share<K> {
    fn drop(&mut self) {
        // Subtracting never exceeds a limit.
        let _ = self.usage.change(self.user, |current| Some(current.saturating_sub(self.amount)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_a_user_count_together_while_they_live() {
        let usage = Arc::new(Usage::default());
        let (ann, bob) = (UserId(1), UserId(2));
        let (mut first, mut second) = (usage.share(ann), usage.share(ann));
        assert_eq!(first.grow_to(6, 10), Ok(()));
        assert_eq!(second.grow_to(5, 10), Err(6));
        assert_eq!(second.grow_to(4, 10), Ok(()));
        assert_eq!(second.grow_to(3, 10), Ok(()), "it has more already");
        assert_eq!(second.grow_to(5, 10), Err(6), "its own 4 are not in the way");
        assert_eq!(usage.share(ann).grow_to(1, 10), Err(10));
        assert_eq!(usage.share(bob).grow_to(10, 10), Ok(()));
        drop(first);
        assert_eq!(second.grow_to(10, 10), Ok(()));
        drop(second);
        assert!(usage.0.lock().unwrap().is_empty(), "empty entries are removed");
    }
}
