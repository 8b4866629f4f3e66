//! Drafts: requests that are being written.

pub(crate) mod manage;
