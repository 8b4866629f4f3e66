//! Pages that show outputs without a key.

use clipmill_core::ids::TaskNo;

use crate::clock::Millis;

/// A share to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewShare {
    pub task_no: TaskNo,
    /// `None`: all items.
    pub items: Option<Vec<u32>>,
    pub expires_at: Option<Millis>,
    /// Most that a task may have and that were not revoked.
    pub most: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareRecord {
    pub id: i64,
    pub task_no: TaskNo,
    pub items: Option<Vec<u32>>,
    pub expires_at: Option<Millis>,
    pub created_at: Millis,
    pub revoked_at: Option<Millis>,
}

impl ShareRecord {
    /// Whether it may still be looked at.
    pub fn is_open(&self, now: Millis) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }

    pub fn shows(&self, item_no: u32) -> bool {
        self.items.as_ref().is_none_or(|items| items.contains(&item_no))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShareOutcome {
    Made(ShareRecord),
    TooMany { limit: u32 },
}
