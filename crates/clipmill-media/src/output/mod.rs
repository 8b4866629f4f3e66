//! From segments to a finished file that was checked.

pub mod assemble;
mod clip;
pub mod mp4;
pub mod verify;
