//! Single frames: of a task before it is made, and of entries of the catalogues.

pub(crate) mod frame;
pub(crate) mod thumbnail;
