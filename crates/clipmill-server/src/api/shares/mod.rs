//! Shares: pages that show chosen outputs of tasks to everyone who has the link.

pub(crate) mod manage;
pub(crate) mod multiple_tasks;
pub(super) mod page;
