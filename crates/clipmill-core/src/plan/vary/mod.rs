//! Variations of one video: random values, masks, and frames around the video.

pub(crate) mod dedup;
pub(crate) mod layers;
pub(crate) mod pip;
pub(crate) mod view;
