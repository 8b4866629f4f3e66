//! The audio of an output: mixed, mastered, measured.

pub mod excerpt;
pub(crate) mod loudness;
pub mod mastering;
pub(crate) mod mix;
pub(crate) mod seam;
pub mod wav;
