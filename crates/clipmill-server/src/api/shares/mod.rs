//! Shares: pages that show chosen outputs of tasks to everyone who has the link, and the feedback of these viewers.

pub(crate) mod feedback;
mod html;
mod link;
pub(crate) mod manage;
pub(crate) mod multiple_tasks;
pub(super) mod page;
pub(crate) mod viewer;
