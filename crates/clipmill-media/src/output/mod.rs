//! Turns segments into a finished, verified file.

pub mod assemble;
mod clip;
pub mod mp4;
pub mod verify;
