//! Shares: pages that show chosen outputs of tasks to whoever has their link.

pub(crate) mod manage;
pub(super) mod page;
pub(crate) mod several;
