//! Records when keys were last used, without writing every use to the database.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use clipmill_store::Millis;

/// The last use of a key is written at most this often.
const USE_NOTED_EVERY_MS: i64 = 60_000;

/// The uses of keys that this process wrote recently.
#[derive(Debug, Default)]
pub struct KeyUses(Mutex<HashMap<i64, Millis>>);

impl KeyUses {
    /// Whether this use should be written; then the next ones are skipped for a while.
    pub fn is_due(&self, key: i64, noted: Option<Millis>, now: Millis) -> bool {
        let mut uses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let latest = uses.get(&key).copied().max(noted);
        let due = latest.is_none_or(|latest| now.saturating_sub(latest) >= USE_NOTED_EVERY_MS);
        if due {
            uses.retain(|_, at| now.saturating_sub(*at) < USE_NOTED_EVERY_MS);
            uses.insert(key, now);
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_is_noted_once_a_minute() {
        let uses = KeyUses::default();
        let check = |key, noted, now, due| assert_eq!(uses.is_due(key, noted, now), due, "{key} at {now}");
        check(1, None, 1_000, true);
        check(1, None, 1_001, false);
        check(2, None, 1_001, true);
        check(1, None, 60_999, false);
        check(1, None, 61_000, true);
        check(3, Some(100_000), 159_999, false);
        check(3, Some(100_000), 160_000, true);
        assert!(uses.0.lock().unwrap().len() <= 2, "old uses are forgotten");
    }
}
