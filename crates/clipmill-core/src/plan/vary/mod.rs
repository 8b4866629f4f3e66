//! Variations of one video: chance draws, masks and frames are laid.

pub(crate) mod dedup;
pub(crate) mod layers;
pub(crate) mod pip;
