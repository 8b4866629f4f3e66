//! The service itself: health, API description, console.

pub(crate) mod console;
pub(crate) mod health;
pub(crate) mod mcp;
pub(crate) mod openapi;
