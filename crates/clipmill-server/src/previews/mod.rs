//! Thumbnails of the catalogues, and frames of tasks that are not made yet.

pub(crate) mod catalogue;
pub(crate) mod frames;
