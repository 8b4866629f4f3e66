//! Everything clipmill does with ffmpeg and with files on the network.
//!
//! Architecture invariants: this is the only crate that knows ffmpeg exists; [`process`] is the only
//! file of the workspace that starts a process; [`probe::policy`] holds the only lists of what is accepted.

pub mod args;
mod blocking;
pub mod cache;
pub mod check;
mod copied;
pub mod cover;
mod damage;
pub mod disk;
pub mod engine;
pub mod error;
pub mod fetch;
pub mod finish;
pub mod fonts;
pub mod hardware;
mod loading;
mod loudness;
pub mod mastering;
mod mix;
pub mod mp4;
pub mod paths;
pub mod preview;
pub mod probe;
pub mod process;
pub mod progress;
mod recent;
pub mod render;
pub mod sandbox;
mod seam;
mod session;
mod shelf;
pub mod sources;
pub mod still;
pub mod toolchain;
pub mod verify;
pub mod wav;
