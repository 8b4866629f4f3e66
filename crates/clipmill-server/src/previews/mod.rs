//! Images of the catalogues, and preview frames of tasks.

pub(crate) mod catalogue;
pub(crate) mod frames;
