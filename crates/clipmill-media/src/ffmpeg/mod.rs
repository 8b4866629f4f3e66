//! Starting ffmpeg and ffprobe: their arguments, their cage, what they answer.

pub mod args;
pub(crate) mod detectors;
pub(crate) mod loading;
pub mod process;
pub mod progress;
pub mod sandbox;
pub mod toolchain;
