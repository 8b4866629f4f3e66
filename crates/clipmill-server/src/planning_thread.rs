//! A thread for planning, with a lower priority than connections and than the rendering of tasks: large requests of one
//! user must not slow the tasks of others.

use std::panic::resume_unwind;
use std::thread;

use tokio::runtime::{Handle, RuntimeFlavor};

/// What is added to the niceness of the service. A rendering process of a task, whose niceness is 5, gets three quarters of a core
/// that a plan needs as well.
const NICENESS: i32 = 10;

/// Runs `work` in a thread of its own and waits for it. Its panic continues in the caller.
pub(crate) fn run<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let mut work = Some(work);
    let planned = thread::scope(|scope| {
        let work = &mut work;
        let lowered = move || {
            // On Linux, each thread has a niceness.
            if let Err(error) = rustix::process::nice(NICENESS) {
                tracing::debug!(%error, "a plan is made with the priority of the service");
            }
            work.take().map(|work| work())
        };
        let thread = thread::Builder::new().name("planning".to_owned()).spawn_scoped(scope, lowered).ok()?;
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    });
    match (planned, work) {
        (Some(planned), _) => planned,
        // The system starts no more threads.
        (None, Some(work)) => work(),
        (None, None) => unreachable!("the work has ended or its panic continued"),
    }
}

/// [`run`], while other tasks of the runtime leave this thread. A single-threaded runtime, as in tests, cannot do that.
pub(crate) fn run_beside_others<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match Handle::current().runtime_flavor() {
        RuntimeFlavor::MultiThread => tokio::task::block_in_place(|| run(work)),
        _ => run(work),
    }
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
