//! Identifiers as types of their own, so that one cannot be passed for another.

use serde::{Deserialize, Serialize};

macro_rules! row_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

row_id!(
    /// A user who owns keys, points and tasks.
    UserId
);
row_id!(
    /// A task's row; `taskId` of the API.
    TaskId
);
row_id!(
    /// An item's row: one output video of a task.
    ItemId
);
row_id!(
    /// A row of work that a worker can lease.
    WorkId
);

/// Crockford's base 32: no I, L, O, U.
const BASE32: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The public task number: `VP` and 26 characters that sort by time and cannot be guessed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TaskNo(String);

impl TaskNo {
    /// 48 bits of milliseconds since 1970 followed by 80 random bits, as a ULID writes them.
    pub fn new(now_ms: i64, random: [u8; 10]) -> Self {
        let mut bits = (u128::from(now_ms.max(0) as u64) & 0xFFFF_FFFF_FFFF) << 80;
        for (i, byte) in random.iter().enumerate() {
            bits |= u128::from(*byte) << (72 - 8 * i);
        }
        let digits = (0..26).rev().map(|i| char::from(BASE32[(bits >> (5 * i)) as usize & 31]));
        Self(format!("VP{}", digits.collect::<String>()))
    }

    /// `None` unless `text` has the form of a task number.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix("VP")?;
        let well_formed = digits.len() == 26 && digits.bytes().all(|b| BASE32.contains(&b));
        well_formed.then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for TaskNo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn task_numbers_sort_by_time_and_read_back() {
        let early = TaskNo::new(1_700_000_000_000, [255; 10]);
        let late = TaskNo::new(1_700_000_000_001, [0; 10]);
        assert!(early < late);
        assert_eq!(early.as_str().len(), 28);
        assert_eq!(TaskNo::parse(late.as_str()), Some(late));
        assert!(TaskNo::parse("VP00000000000000000000000000").is_some());
        assert_eq!(TaskNo::parse("VP0000000000000000000000000/"), None);
    }
}
