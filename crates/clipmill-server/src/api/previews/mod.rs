//! Pictures before anything is made, and the catalogues.

pub(crate) mod catalogue;
pub(crate) mod effects;
pub(crate) mod looks;
pub(crate) mod preview;
