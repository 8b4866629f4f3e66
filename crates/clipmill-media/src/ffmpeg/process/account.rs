//! The account that processes are charged to, and the priority that it gives them.

use std::sync::Arc;

/// The niceness of background runs: they get a third of the processor time of the others when both want it.
const NICENESS: u32 = 5;
/// What a low priority adds to the niceness of a run. A run with a high priority gets ten times the processor time of an
/// urgent run with a low one, and twenty-eight times that of one in the background.
const LOW_PRIORITY: u32 = 10;

/// The priority of runs, if they are confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Priority {
    /// Background runs are like urgent ones.
    High,
    Normal,
    Low,
}

/// Counts runs and decides their priority.
pub trait RunAccount: Send + Sync {
    fn begin(&self);
    fn end(&self);
    /// The priority of runs that start now.
    fn priority(&self) -> Priority;
}

tokio::task_local! {
    static ACCOUNT: Arc<dyn RunAccount>;
}

/// The same work; the runs that it starts, but not those of tasks that it spawns, are charged to the account.
pub async fn charged_to<T>(account: Arc<dyn RunAccount>, work: impl Future<Output = T>) -> T {
    ACCOUNT.scope(account, work).await
}

pub(super) fn niceness(urgent: bool) -> u32 {
    let background = if urgent { 0 } else { NICENESS };
    match ACCOUNT.try_with(|account| account.priority()) {
        Ok(Priority::High) => 0,
        Ok(Priority::Normal) | Err(_) => background,
        Ok(Priority::Low) => background + LOW_PRIORITY,
    }
}

/// A run that is charged to the account of the current work until it is dropped.
pub(super) struct Charge(Option<Arc<dyn RunAccount>>);

impl Charge {
    pub(super) fn begin() -> Self {
        let account = ACCOUNT.try_with(Arc::clone).ok();
        if let Some(account) = &account {
            account.begin();
        }
        Self(account)
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        if let Some(account) = &self.0 {
            account.end();
        }
    }
}
