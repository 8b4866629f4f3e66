//! Previews and thumbnails, and the catalogues.

pub(crate) mod caption_styles;
pub(crate) mod catalogue;
pub(crate) mod clip;
pub(crate) mod effects;
pub(crate) mod fonts;
pub(crate) mod looks;
pub(crate) mod preview;
pub(crate) mod transitions;
