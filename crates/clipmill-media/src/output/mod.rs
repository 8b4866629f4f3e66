//! Turns segments into a finished, verified file.

pub mod assemble;
pub(crate) mod mix;

pub use mix::mixes_per_run;
