//! Shares: pages that show chosen outputs of a task to whoever has their link.

pub(crate) mod manage;
pub(super) mod page;
