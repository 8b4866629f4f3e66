//! Renders and checks one segment, or one frame.

pub(crate) mod by_device;
pub mod check;
pub(crate) mod copied;
pub mod cover;
pub mod failure;
pub mod findings;
pub mod frame;
pub mod hardware;
pub(crate) mod limits;
pub mod render;
pub mod renderer;
pub(crate) mod texts;
