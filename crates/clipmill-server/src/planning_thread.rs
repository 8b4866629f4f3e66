//! A thread for planning, with a lower priority than connections and than the rendering of tasks: large requests of one
//! user must not slow the tasks of others.

use std::panic::resume_unwind;

/// What is added to the niceness of the service: a plan gets a third of a core that a rendering process of a task needs as
/// well, whose niceness is 5.
const NICENESS: i32 = 10;

/// Runs `work` in a thread of its own and waits for it. Its panic continues in the caller.
pub(crate) fn run<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let planned = std::thread::scope(|scope| {
        let lowered = move || {
            // On Linux, each thread has a niceness.
            if let Err(error) = rustix::process::nice(NICENESS) {
                tracing::debug!(%error, "a plan is made with the priority of the service");
            }
            work()
        };
        scope.spawn(lowered).join()
    });
    planned.unwrap_or_else(|panic| resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use rustix::process::getpriority_process;

    #[test]
    fn only_the_thread_that_plans_has_a_lower_priority() {
        let niceness = || getpriority_process(None).unwrap();
        let before = niceness();
        assert_eq!(super::run(niceness), (before + super::NICENESS).min(19));
        assert_eq!(niceness(), before);
    }

    #[test]
    #[should_panic(expected = "no plan")]
    fn a_panic_reaches_the_caller() {
        super::run(|| panic!("no plan"));
    }
}
