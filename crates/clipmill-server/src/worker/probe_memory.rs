//! Probe results from earlier attempts of a preflight, so that one failing file does not cause the others to be
//! fetched again.
//!
//! They are kept in memory only; a worker that does not know a task probes everything again.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use clipmill_core::ids::TaskId;
use clipmill_core::media::Facts;

/// The most tasks in memory. The oldest are dropped, because cancelled tasks are never requested again.
const MAX_TASKS: usize = 64;

#[derive(Debug, Default)]
pub struct ProbeMemory(Mutex<HashMap<TaskId, Facts>>);

impl ProbeMemory {
    /// Removes and returns the stored facts.
    pub(super) fn take(&self, task: TaskId) -> Facts {
        self.lock().remove(&task).unwrap_or_default()
    }

    /// Stores everything except temporary failures.
    pub(super) fn keep(&self, task: TaskId, mut facts: Facts) {
        facts.forget_transient_failures();
        let mut tasks = self.lock();
        if tasks.len() >= MAX_TASKS
            && let Some(oldest) = tasks.keys().min().copied()
        {
            tasks.remove(&oldest);
        }
        tasks.insert(task, facts);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TaskId, Facts>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use clipmill_core::error::{ErrorCode, TaskError};

    use super::*;

    fn facts(errors: &[(&str, bool)]) -> Facts {
        let mut facts = Facts::default();
        for (url, retryable) in errors {
            let error = TaskError::new(ErrorCode::DownloadFailed, clipmill_core::message::no_host())
                .retryable(*retryable);
            facts.subtitles.insert((*url).to_owned(), Err(error.clone()));
            facts.media.insert((*url).to_owned(), Err(error));
        }
        facts
    }

    #[test]
    fn only_what_may_pass_is_looked_at_again() {
        let probed = ProbeMemory::default();
        let probed_facts = facts(&[("https://a", false), ("https://b", true)]);
        assert!(probed_facts.transient_failure().is_some());
        probed.keep(TaskId(1), probed_facts);
        let remaining = probed.take(TaskId(1));
        assert!(remaining.media.keys().eq(["https://a"]) && remaining.subtitles.keys().eq(["https://a"]));
        assert_eq!(remaining.transient_failure(), None);
        assert!(probed.take(TaskId(1)).media.is_empty());
    }

    #[test]
    fn memory_is_bounded() {
        let probed = ProbeMemory::default();
        for task in 0..2 * MAX_TASKS as i64 {
            probed.keep(TaskId(task), facts(&[("https://a", false)]));
        }
        assert_eq!(probed.lock().len(), MAX_TASKS);
        assert!(!probed.take(TaskId(2 * MAX_TASKS as i64 - 1)).media.is_empty());
    }
}
