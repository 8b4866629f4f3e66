//! The service itself: its health, its description, its console.

pub(crate) mod console;
pub(crate) mod health;
pub(crate) mod mcp;
pub(crate) mod openapi;
