//! Identifiers as types of their own, so that one cannot be passed for another.

use std::sync::Arc;

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
    JobId
);

/// SHA-256 of a file's bytes, in lower-case hexadecimal: it identifies a source, whatever its origin. A plan refers to
/// each source in many places, so a copy must be cheap.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentHash(pub Arc<str>);

/// Crockford's base 32: no I, L, O, U.
const BASE32: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

macro_rules! public_number {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// 48 bits of milliseconds since 1970 followed by 80 random bits, as a ULID writes them.
            pub fn new(now_ms: i64, random: [u8; 10]) -> Self {
                Self(format!("{}{}", $prefix, ulid(now_ms, random)))
            }

            /// `None` unless `text` has the form of such a number.
            pub fn parse(text: &str) -> Option<Self> {
                let digits = text.strip_prefix($prefix)?;
                let well_formed = digits.len() == 26 && digits.bytes().all(|b| BASE32.contains(&b));
                well_formed.then(|| Self(text.to_owned()))
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

public_number!(
    /// The public task number: `VP` and 26 characters that sort by time and cannot be guessed.
    TaskNo,
    "VP"
);
public_number!(
    /// The public number of a template.
    TemplateNo,
    "TP"
);
public_number!(
    /// The public number of a batch.
    BatchNo,
    "BP"
);
public_number!(
    /// The public number of a draft.
    DraftNo,
    "DP"
);

fn ulid(now_ms: i64, random: [u8; 10]) -> String {
    let mut bits = (u128::from(now_ms.max(0) as u64) & 0xFFFF_FFFF_FFFF) << 80;
    for (i, byte) in random.iter().enumerate() {
        bits |= u128::from(*byte) << (72 - 8 * i);
    }
    (0..26).rev().map(|i| char::from(BASE32[(bits >> (5 * i)) as usize & 31])).collect()
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
