//! Everything clipmill does with ffmpeg and with files on the network.
//!
//! Architecture invariants: this is the only crate that knows ffmpeg exists; [`ffmpeg::process`] is the only
//! file of the workspace that starts a process; [`ffmpeg::policy`] holds the only lists of what is accepted.

pub mod audio;
mod blocking;
pub mod cache;
pub mod descriptors;
pub mod digest;
pub mod engine;
pub mod error;
pub mod failure;
pub mod ffmpeg;
pub mod findings;
pub mod fonts;
pub mod ingest;
pub mod machine;
pub mod mp4;
pub mod output;
pub mod paths;
pub mod previews;
pub mod segment;
pub mod self_test;
pub mod source_file;
pub mod speech;
pub mod toolchain;
pub mod verification;
