//! States of tasks and items in SQL: the numbers of `TaskState::code`, by name.

/// Not ended: pending, queued or executing.
macro_rules! live {
    () => {
        "(0, 1, 2)"
    };
}
pub(in super::super) use live;

/// Not started: pending or queued.
macro_rules! unstarted {
    () => {
        "(0, 1)"
    };
}
pub(in super::super) use unstarted;

/// Planned and not ended: queued or executing.
macro_rules! planned {
    () => {
        "(1, 2)"
    };
}
pub(in super::super) use planned;

/// Ended without an output because of an error: failed or rejected.
macro_rules! failed {
    () => {
        "(4, 6)"
    };
}
pub(in super::super) use failed;

/// Given up: cancelled or rejected.
macro_rules! given_up {
    () => {
        "(5, 6)"
    };
}
pub(in super::super) use given_up;

/// The condition that the task of a row `x` of `task_uploads` uses no other items of the task `$3` that have not ended, apart from
/// the item `$2`.
macro_rules! no_other_open {
    () => {
        concat!(
            " AND NOT EXISTS (SELECT 1 FROM items i JOIN tasks t ON t.id = i.task_id
                               WHERE t.task_no = $3 AND i.id <> $2 AND i.state IN ",
            live!(),
            " AND EXISTS (SELECT 1 FROM task_uploads y WHERE y.task_id = x.task_id
                             AND y.upload_id = $3 || '/' || CAST(i.item_no AS TEXT)))"
        )
    };
}
pub(in super::super) use no_other_open;

/// Completed, failed, cancelled or rejected.
macro_rules! ended {
    () => {
        "(3, 4, 5, 6)"
    };
}
pub(in super::super) use ended;

#[cfg(test)]
mod tests {
    use clipmill_core::task::TaskState;

    #[test]
    fn the_names_stand_for_the_states_that_they_say() {
        let check = |text: &str, states: &[TaskState]| {
            let codes: Vec<String> = states.iter().map(|state| state.code().to_string()).collect();
            assert_eq!(text, format!("({})", codes.join(", ")));
        };
        use TaskState::*;
        check(live!(), &[PendingSubmission, Queued, Executing]);
        check(unstarted!(), &[PendingSubmission, Queued]);
        check(planned!(), &[Queued, Executing]);
        check(failed!(), &[Failed, Rejected]);
        check(given_up!(), &[Cancelled, Rejected]);
        check(ended!(), &[Completed, Failed, Cancelled, Rejected]);
    }
}
