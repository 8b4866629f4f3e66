//! Single frames and short clips of a task before it is made; pictures of entries of the catalogues.

pub(crate) mod clip;
pub(crate) mod frame;
pub(crate) mod thumbnail;
