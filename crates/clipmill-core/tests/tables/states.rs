//! States of tasks: their numbers, names and every transition.

use clipmill_core::task::TaskEvent::*;
use clipmill_core::task::TaskState::{self, *};

#[test]
fn every_state_has_its_number_and_name() {
    let states = [
        (0, "pending submission", false),
        (1, "queued", false),
        (2, "executing", false),
        (3, "completed", true),
        (4, "failed", true),
        (5, "cancelled", true),
        (6, "rejected", true),
    ];
    for (state, (code, name, is_final)) in TaskState::ALL.into_iter().zip(states) {
        assert_eq!((state.code(), state.name(), state.is_final()), (code, name, is_final));
        assert_eq!((state.to_string(), TaskState::from_code(code)), (name.to_owned(), Some(state)));
        assert_eq!(serde_json::to_string(&state).unwrap(), code.to_string());
        assert_eq!(serde_json::from_str::<TaskState>(&code.to_string()).unwrap(), state);
    }
    assert_eq!(TaskState::from_code(7), None);
    let unknown = serde_json::from_str::<TaskState>("7").unwrap_err().to_string();
    assert!(unknown.starts_with("7 is not a task state"), "{unknown}");
}

#[test]
fn all_other_transitions_are_refused() {
    let allowed = [
        (PendingSubmission, PreflightPassed, Queued),
        (PendingSubmission, PreflightRejected, Rejected),
        (PendingSubmission, Cancel, Cancelled),
        (Queued, WorkStarted, Executing),
        (Queued, Cancel, Cancelled),
        (Executing, WorkStarted, Executing),
        (Executing, Cancel, Cancelled),
        (Executing, ItemsEnded { delivered: 0 }, Failed),
        (Executing, ItemsEnded { delivered: 2 }, Completed),
    ];
    let events = [
        PreflightPassed,
        PreflightRejected,
        WorkStarted,
        Cancel,
        ItemsEnded { delivered: 0 },
        ItemsEnded { delivered: 2 },
    ];
    for from in TaskState::ALL {
        for event in events {
            let to = allowed.iter().find(|(state, given, _)| (*state, *given) == (from, event));
            assert_eq!(from.after(event).ok(), to.map(|(.., to)| *to), "{from}, {event:?}");
        }
    }
    let refused = Completed.after(Cancel).unwrap_err();
    assert_eq!(refused.to_string(), "event Cancel is not allowed for a task that is completed");
}
