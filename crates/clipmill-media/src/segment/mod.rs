//! Encodes one segment of video or audio.

pub(crate) mod by_device;
pub(crate) mod copied;
pub mod hardware;
pub mod render;
pub mod renderer;
pub(crate) mod texts;
