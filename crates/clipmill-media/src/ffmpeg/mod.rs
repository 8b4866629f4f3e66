//! Runs of ffmpeg and ffprobe: their arguments, their sandbox, and reading of their output.

pub mod args;
pub(crate) mod detectors;
pub(crate) mod limits;
pub(crate) mod loading;
pub mod policy;
pub mod process;
pub mod progress;
pub mod sandbox;
pub mod versions;
