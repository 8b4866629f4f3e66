//! Turns segments into a finished, verified file.

pub mod assemble;
mod cover;
pub(crate) mod mix;

pub use mix::mixes_per_run;
