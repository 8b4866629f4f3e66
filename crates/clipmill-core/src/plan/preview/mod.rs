//! Single frames and short clips of a task before it is rendered; thumbnails of catalogue entries.

pub(crate) mod clip;
pub(crate) mod frame;
pub(crate) mod thumbnail;
