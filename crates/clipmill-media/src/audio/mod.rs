//! The sound of an output: mixed, mastered, measured.

pub mod listen;
mod loudness;
pub mod mastering;
pub(crate) mod mix;
pub(crate) mod seam;
pub mod wav;
