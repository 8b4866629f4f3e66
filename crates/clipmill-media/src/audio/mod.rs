//! The audio of an output: mixed, mastered, measured.

pub mod listen;
pub(crate) mod loudness;
pub mod mastering;
pub(crate) mod mix;
pub(crate) mod seam;
pub mod wav;
