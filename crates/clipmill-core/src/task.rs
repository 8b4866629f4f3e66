//! States of tasks and items, and all transitions between them.

use serde::{Deserialize, Serialize};

/// The integer states of the API, for tasks and for items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
#[repr(u8)]
pub enum TaskState {
    PendingSubmission = 0,
    Queued = 1,
    Executing = 2,
    Completed = 3,
    Failed = 4,
    Cancelled = 5,
    Rejected = 6,
}

/// An event in the life of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskEvent {
    /// Inputs are fetched and probed; at least one item can be rendered and is paid for.
    PreflightPassed,
    /// No item can be rendered, or the confirmed price exceeds the balance.
    PreflightRejected,
    /// A worker started the first job.
    WorkStarted,
    Cancel,
    /// The last item ended.
    ItemsEnded {
        delivered: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("event {event:?} is not allowed for a task that is {from}")]
pub struct IllegalTransition {
    pub from: TaskState,
    pub event: TaskEvent,
}

impl TaskState {
    pub const ALL: [Self; 7] = [
        Self::PendingSubmission,
        Self::Queued,
        Self::Executing,
        Self::Completed,
        Self::Failed,
        Self::Cancelled,
        Self::Rejected,
    ];

    pub fn code(self) -> u8 {
        self as u8
    }

    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.code() == code)
    }

    /// The name in the API (`statusName`).
    pub fn name(self) -> &'static str {
        match self {
            Self::PendingSubmission => "pending submission",
            Self::Queued => "queued",
            Self::Executing => "executing",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Rejected => "rejected",
        }
    }

    pub fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled | Self::Rejected)
    }

    /// The state after `event`. A final state accepts no event.
    pub fn after(self, event: TaskEvent) -> Result<Self, IllegalTransition> {
        use TaskEvent::*;
        match (self, event) {
            (Self::PendingSubmission, PreflightPassed) => Ok(Self::Queued),
            (Self::PendingSubmission, PreflightRejected) => Ok(Self::Rejected),
            (Self::Queued | Self::Executing, WorkStarted) => Ok(Self::Executing),
            (Self::PendingSubmission | Self::Queued | Self::Executing, Cancel) => Ok(Self::Cancelled),
            (Self::Executing, ItemsEnded { delivered: 0 }) => Ok(Self::Failed),
            (Self::Executing, ItemsEnded { .. }) => Ok(Self::Completed),
            (from, event) => Err(IllegalTransition { from, event }),
        }
    }
}

impl std::fmt::Display for TaskState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl From<TaskState> for u8 {
    fn from(state: TaskState) -> u8 {
        state.code()
    }
}

impl TryFrom<u8> for TaskState {
    type Error = String;

    fn try_from(code: u8) -> Result<Self, String> {
        Self::from_code(code).ok_or_else(|| format!("{code} is not a task state"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn final_states_accept_no_event() {
        let events = [
            TaskEvent::PreflightPassed,
            TaskEvent::PreflightRejected,
            TaskEvent::WorkStarted,
            TaskEvent::Cancel,
            TaskEvent::ItemsEnded { delivered: 1 },
        ];
        for state in TaskState::ALL.into_iter().filter(|s| s.is_final()) {
            for event in events {
                assert!(state.after(event).is_err(), "{state} took {event:?}");
            }
        }
    }

    #[test]
    fn delivered_items_decide_the_final_state() {
        let ended = |delivered| TaskState::Executing.after(TaskEvent::ItemsEnded { delivered });
        assert_eq!(ended(0), Ok(TaskState::Failed));
        assert_eq!(ended(2), Ok(TaskState::Completed));
        assert!(TaskState::Queued.after(TaskEvent::ItemsEnded { delivered: 1 }).is_err());
    }
}
