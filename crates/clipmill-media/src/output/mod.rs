//! Turns segments into a finished, verified file.

pub mod assemble;
pub(crate) mod mix;
