//! The video of one clip: timing, scale, colour, region, and its inputs.

pub(crate) mod backdrop;
pub(crate) mod chroma_key;
pub(crate) mod clip;
pub(crate) mod excerpt;
pub(crate) mod extra;
pub(crate) mod motion;
mod plain_background;
pub(crate) mod region;
pub(crate) mod rgb;
pub(crate) mod source_color;
pub(crate) mod source_key;
