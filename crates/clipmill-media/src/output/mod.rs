//! Turns segments into a finished, verified file.

pub mod assemble;
pub mod mp4;
pub mod verify;
